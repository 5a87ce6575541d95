r"""Digits that belong to a name: versions, dates, addresses, files, models, hashes.

What is found here is no number: nobody claims anything with the 2 of `GPT-2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MONTHS = (
    r"jan(?:uary|vier|v)?|feb(?:ruary)?|f[ée]v(?:rier|r)?|mar(?:ch|s)?"
    r"|apr(?:il)?|avr(?:il)?|may|mai"
    r"|june?|juin|july?|juillet|aug(?:ust)?|ao[uû]t|sept?(?:ember|embre)?|oct(?:ober|obre)?"
    r"|nov(?:ember|embre)?|dec(?:ember)?|d[ée]c(?:embre)?"
)
_DATES = re.compile(
    r"(?<![\w.])(?:"
    r"\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?"
    r"|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d{2}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er)?\ (?:of\ )?(?i:{_MONTHS})\.?,?\ (?:19|20)\d{{2}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er)?\ (?:of\ )?(?=[A-Z])(?i:{_MONTHS})"
    rf"|(?i:{_MONTHS})\.?\ (?:\d{{1,2}}(?:st|nd|rd|th)?,?\ )?(?:19|20)\d{{2}}"
    r"|(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?|\d{1,3}:[0-5]\d:[0-5]\d"
    r")(?![\w:])"
)
_PRODUCTS = re.compile(
    # `yolo 0.68` and `yolo 68,7` are results.
    r"\b(?:(?:llama|gpt|phi|gemma|qwen|claude|gemini|yolo)"
    r"[ \u00a0]v?[1-9](?:\d?(?![\d.,]*\d)|\.\d{1,2}(?!\d))[a-z]{0,4}"
    r"|(?:rtx|gtx|tesla|version|release|imagenet)[ \u00a0]v?\d[\d.]{0,12}[a-z]{0,4}"
    r"|(?:bloom|opt|falcon|pythia|mixtral|mistral|flan)[ \u00a0]\d[\d.]{0,9}[mbk]"
    r"|(?:python|cuda|cudnn|pytorch|torch|transformers|tensorflow|keras|peft|ubuntu|numpy)"
    r"(?:[ \u00a0]|==|>=)v?\d{1,3}\.\d[\d.]{0,12})\b",
    re.IGNORECASE,
)
_PREPRINTS = re.compile(r"arxiv[:.\s/]{0,3}(?:abs/)?\d{4}\.\d{4,5}(?:v\d+)?", re.IGNORECASE)
_ORDINALS = re.compile(
    r"(?<![\w.,])\d{1,5}(?:\{?\^)?\{?(?:\\text\{|\\mathrm\{)?"
    r"(?:st|nd|rd|th|er|ers|re|ère|e|è|ème|eme|ième|ieme|nde)\}{0,2}(?![-−+]?\w)"
)
# A version or the number of a section; `1.572.864` is a number.
_DOTTED = re.compile(r"(?<![\w.,])v?\d{1,6}(?:\.\d{1,6}){2,8}(?:[-.]?(?:rc|dev|post|[ab])\d*)?")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
# Letters and digits in one word: w2v2, fp16, BLOOM-560m, n_{hid3}, precision@1.
_WORDS = re.compile(
    r"(?:(?<![^\W_])(?<!\\)[^\W\d_]|(?<!\d)_\{?|@)(?:[^\W_]|[_@{}]|(?<=\w)[-.](?=\w)){0,80}"
)
_SIZES = re.compile(
    r"(?<![\w.])\d{1,3}(?:[- ]?bits?|-?(?:grams?|norm|hot|hop|sigma)|-cycle|(?<=[1-4])-?[Dd])"
    r"(?!\w)"
)
_HASHES = re.compile(r"(?<!\w)(?=\d{0,38}[a-f])[0-9a-f]{7,40}(?!\w)")
_EXTENSIONS = (
    r"(?:py|ipynb|csv|tsv|txt|json|jsonl|ya?ml|toml|pdf|png|jpe?g|svg|html?|tex|md|pt|pth|bin|ckpt"
    r"|safetensors|npz?|pkl|sh|log|zip|gz|tar|bpe|model|onnx|gguf|h5)"
)
_FILE = re.compile(rf"[\w./\\~=-]{{1,200}}\.{_EXTENSIONS}", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_TOKEN = re.compile(r"\S+")
_WEB = re.compile(r"(?:[a-z]{2,6}://|www\.|doi:|(?<!\d)10\.\d{4,5}/)", re.IGNORECASE)
_EDGES = "()[]{}<>\"'`,;:.!?“”«»*"


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of addresses, mail addresses and names of files."""
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word.isalpha():
            continue
        bare = word.strip(_EDGES)
        if bare.isalpha() or not any(map(str.isdigit, bare[:500])):
            continue
        start = token.start() + word.find(bare)
        web = _WEB.search(bare[:300])
        if web and bare[web.end() :]:
            yield start + web.start(), start + len(bare)
        elif len(bare) <= 240 and (_FILE.fullmatch(bare) or bare.startswith(("./", "../", "~/"))):
            yield start, start + len(bare)


def _compounds(text: str) -> Iterator[tuple[int, int]]:
    """Yield words in which letters go before digits."""
    for match in _WORDS.finditer(text):
        if _DIGIT.search(match[0]):
            yield match.span()


def name_spans(text: str) -> tuple[tuple[int, int], ...]:
    r"""Return the spans of names with digits in them, in order.

    Example:
        >>> text = "BLOOM-560m in fp16 with peft 0.12.2, see run_01.csv of 2023-05-12"
        >>> [text[a:b] for a, b in name_spans(text)]
        ['BLOOM-560m', 'fp16', 'peft 0.12.2', 'run_01.csv', '2023-05-12']
    """
    found = list(_addresses(text))
    for pattern in (_DATES, _PRODUCTS, _PREPRINTS, _ORDINALS, _SIZES, _HASHES):
        found += [match.span() for match in pattern.finditer(text)]
    found += [m.span() for m in _DOTTED.finditer(text) if not _GROUPED.fullmatch(m[0])]
    found += _compounds(text)
    spans: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return tuple(spans)


def without_names(text: str) -> str:
    r"""Return the text with every digit of a name replaced by an underscore.

    Lengths stay, so that positions do.

    Example:
        >>> without_names("GPT-2 has 12 layers")
        'GPT-_ has 12 layers'
    """
    if not _DIGIT.search(text):
        return text
    parts, last = [], 0
    for start, end in name_spans(text):
        parts += [text[last:start], _DIGIT.sub("_", text[start:end])]
        last = end
    return "".join([*parts, text[last:]])
