r"""The numbers of a text, as they are printed.

What is no number is left out: digits of names (`GPT-2`, `fp16`, `0.12.2`, `run_01.csv`),
ordinals, dates, indices (`W_1`) and exponents (`d^2`).

Example:
    >>> [n.text for n in find_numbers(r"BLOOM-560m: 1,572, 864 of $3 \times 10^{-5}$, 75,4 %")]
    ['1,572, 864', '3 × 10^-5', '75,4']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from reportgen.checking.numbers._digits import Digits, NumberStyle, digits_in, number_style
from reportgen.checking.words import longest_of
from reportgen.records.manuscript import Block
from reportgen.records.record import replace
from reportgen.records.verdict import Printed

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


_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen twenty"
)
_FRENCH = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze"
    " quinze seize dix-sept dix-huit dix-neuf vingt"
)
_TENS = {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
    "thousand": 1000,
    "trente": 30,
    "quarante": 40,
    "cinquante": 50,
    "soixante": 60,
    "cent": 100,
    "mille": 1000,
    "une": 1,
}
_SMALL = {
    word: value
    for words in (_ENGLISH, _FRENCH)
    for value, word in enumerate(words.split())
    if value
}
_COMPOSED = {
    f"{tens}-{unit}": base + value
    for bases, units in (
        ("twenty thirty forty fifty sixty seventy eighty ninety", _ENGLISH),
        ("vingt trente quarante cinquante soixante", _FRENCH),
    )
    for tens in bases.split()
    for value, unit in enumerate(units.split()[:10])
    if value and (base := {**_SMALL, **_TENS}[tens])
}
WORD_VALUES = {**_SMALL, **_TENS, **_COMPOSED}

COUNTABLE = (
    r"(?:linear|hidden|fully[- ]connected|dense|attention|encoder|decoder|transformer|outer|bias"
    r"|weight|embedding|training|full|single|complete|random|additional|extra|more|seule?)?\ ?"
    r"(?:seed|layer|head|epoch|block|matrix|matrices|vector|projection|run|step|update|model|class"
    r"|parameter|gpu|stack|couche|t[êe]te|[ée]poque|graine|matrice|bloc|pas|mod[èe]le)s?\b"
)
_ONE_NEEDS = re.compile(rf"[- ]{COUNTABLE}", re.IGNORECASE)
_UNE_NEEDS = re.compile(r" (?:seule?|unique)\b| (?:graine|[ée]poque|epoch|seed|t[êe]te)\b")
_WORD = re.compile(rf"(?<![\w\\-])(?:{longest_of(WORD_VALUES)})(?!\w)", re.IGNORECASE)
# `one of the`, `one-hot`, `two-fold`, `five-gram`, `pour cent`, `per cent` are no numbers.
_NO_NUMBER = re.compile(r"-(?:hot|shot|fold|gram|sided|way|stop|off|to)\b", re.IGNORECASE)
_CENT = re.compile(r"(?:pour|per) ?$", re.IGNORECASE)
_NOUN = re.compile(r"[- ][^\W\d_]{2}")


def word_numbers(text: str) -> tuple[tuple[int, int, int], ...]:
    """Return (start, end, value) of the numbers that are written out, English and French.

    `one` and `un` count only before a thing that is counted.

    Example:
        >>> word_numbers("Two layers and one of the three seeds")
        ((0, 3, 2), (26, 31, 3))
    """
    found = []
    for match in _WORD.finditer(text):
        word, start, end = match[0].casefold(), match.start(), match.end()
        value = WORD_VALUES[word]
        if _NO_NUMBER.match(text, end):
            continue
        if word == "cent" and _CENT.search(text[max(0, start - 6) : start]):
            continue
        if word == "one" and not _ONE_NEEDS.match(text, end):
            continue
        if word in {"un", "une"} and not _UNE_NEEDS.match(text, end):
            continue
        # `un modèle neuf`, `cent` of money: these need a noun behind them.
        if word in {"neuf", "sept", "cent", "hundred", "thousand"} and not _NOUN.match(text, end):
            continue
        found.append((start, end, value))
    return tuple(found)


# In the words that the ladder knows.
_APPROXIMATE = {
    "about": r"about|around|approximately|approx\.?|roughly|circa|some|~|≈|≃|\\approx|\\sim|\\simeq"
    r"|environ|autour de|[àa] peu pr[èe]s|approximativement",
    "nearly": r"nearly|almost|close to|quasiment|presque|pr[èe]s de|proche de",
    "over": r"over|above|exceeding|exceeds|exceed|au[- ]dessus de|>|\\gt|d[ée]passe(?:nt)?",
    "more than": r"more than|plus de|greater than|sup[ée]rieure?s? [àa]",
    "at least": r"at least|no less than|au moins|≥|\\geq?|>=",
    "under": r"under|below|en dessous de|<|\\lt",
    "less than": r"less than|fewer than|moins de|lower than|inf[ée]rieure?s? [àa]",
    "at most": r"at most|no more than|up to|au plus|jusqu'[àa]|≤|\\leq?|<=",
}
_BEFORE = re.compile(
    "|".join(
        f"(?P<k{index}>{'|'.join(sorted(words.split('|'), key=len, reverse=True))})"
        for index, words in enumerate(_APPROXIMATE.values())
    ),
    re.IGNORECASE,
)
# `over 3 seeds`, `above 3 curves` tell where, not how much; a verb tells how much.
_PLACES = {"over", "above", "under", "below", "au-dessus de", "au dessus de", "en dessous de"}


def approximate_word(text: str, start: int, *, measured: bool) -> str:
    """Return the word that makes the number at `start` approximate, or nothing.

    Args:
        text: The text.
        start: Where the number begins.
        measured: The number has a unit or decimals; `over` and `above` need that, because
            a mean `over 3 seeds` is over exactly three.

    Example:
        >>> approximate_word("environ 80 %", 8, measured=True)
        'about'
        >>> approximate_word("the mean over 3 seeds", 14, measured=False)
        ''
    """
    before = text[max(0, start - 26) : start]
    lead = before.rstrip(" \u00a0$({\\")
    # A tilde between a word and its number keeps them together; it says nothing.
    if lead.endswith("~") and lead[:-1] and not lead[:-1][-1].isspace() and lead[-2] not in "($=":
        return ""
    for match in _BEFORE.finditer(lead):
        boundary = match.start() == 0 or not (
            lead[match.start() - 1].isalnum() and match[0][0].isalpha()
        )
        if match.end() == len(lead) and boundary:
            name = list(_APPROXIMATE)[int((match.lastgroup or "k0")[1:])]
            doubled = match[0] in {"<", ">"} and lead[match.start() - 1 : match.start()] in {
                "<",
                ">",
                "-",
                "=",
            }
            if doubled or (match[0].lower() in _PLACES and not measured):
                return ""
            return name
    return ""


_UNIT = re.compile(
    r"[\s\u00a0\u2009\u202f~$)]{0,3}(?:\\[,; ])?(?:"
    r"(?P<points>(?:percentage|percent|%|\\%)[ -]?points?|points? de (?:pourcentage|%)"
    r"|(?:points?|pts?|pp)\b|p\.p\.)"
    r"|(?P<percent>\\?%|percent\b|per cent\b|pour[ -]?cents?\b))",
    re.IGNORECASE,
)


def unit_behind(text: str, end: int) -> str:
    r"""Return the unit behind a number: `percent`, `points` or nothing.

    Example:
        >>> [unit_behind(t, 2) for t in (r"80\%", "10 points", "80 pour cent", "80 seeds")]
        ['percent', 'points', 'percent', '']
    """
    match = _UNIT.match(text, end)
    if not match:
        return ""
    return "points" if match["points"] else "percent"


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_LETTER_POWER = re.compile(r"[eE]([-−+]?\d{1,3})(?!\w)")
_TEN_POWER = re.compile(
    r"\s{0,2}\$?\s?(?:\\times|\\cdot|[×x*·⋅])\s{0,2}"
    r"10(?:\s?(?:\^|\*\*)\s?\{?\s?([-−+]?\d{1,3})\s?\}?"
    r"|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))(?!\d)"
)
_POWER = re.compile(r"\s?(?:\^|\*\*)\s?\{?\s?([-−+]?\d{1,3})\s?\}?|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})")
_RAISE = re.compile(r"(?:\^|\*\*)\s?\{?\s?[-−+]?\s?$")
_TIMES = {
    "k": 3,
    "thousand": 3,
    "millier": 3,
    "m": 6,
    "million": 6,
    "mio": 6,
    "b": 9,
    "billion": 9,
    "bn": 9,
    "milliard": 9,
}
_MULTIPLIER = re.compile(
    r"(?:[ \u00a0~-]?(?P<word>thousand|milliers?|millions?|mio|billions?|bn|milliards?)\b"
    r"|(?P<sure>[kKM])(?![\w-])| (?P<apart>M)(?![\w'-])"
    r"|[ \u00a0~]?(?P<letter>[mbB])(?=[ \u00a0-](?:trainable |learnable |total )?"
    r"(?:param|tokens|weights|poids|words|examples|sentences))"
    r"|(?<=\d[.,]\d)(?P<big>B)(?![\w-]))"
)
# Letters that may follow a digit without making an identifier of it.
_ATTACHED = re.compile(
    r"(?:[KMGT]i?B|[KMGT]io|[KMG]o|[mµn]?s|h|hrs?|mins?|sec|[kMG]?Hz|k?Wh?"
    r"|px|pp|pts?|points?|percent"
    r"|[xX](?=[\s\d(]|$)|d|D)(?![^\W\d_]|_)"
)
_MARKS = (
    *(("{,}", ","), ("\\,", " "), ("\\;", " "), ("\\:", " "), ("\\!", ""), ("\\ ", " ")),
    *(("~", " "), ("$", ""), ("\\times", "×"), ("\\cdot", "·"), ("{", ""), ("}", "")),
)
_MINUS = "-−–"
_LONGEST = 40
"""Digits of the longest number that anybody means as one."""
_MOST_POWER = 150
"""Powers of ten of the largest and the smallest number that is read: its square can be told."""


@lru_cache(maxsize=4096)
def find_numbers(text: str, style: NumberStyle | None = None) -> tuple[Printed, ...]:
    r"""Return the numbers of a text in order; each knows its decimals, unit and place.

    Groups of three are joined over commas, points, thin and plain spaces. A comma before three
    digits makes thousands unless the text writes decimal commas elsewhere. `80 ± 0.5` and
    `81.5 (79.9)` are two numbers each; of `62-65 %` both are percent.

    Args:
        text: A block's, a sentence's or a cell's.
        style: How the report writes decimals; by default what the text itself shows.

    Example:
        >>> [(n.text, n.decimals, n.unit) for n in find_numbers("70.40 to 75.4 % in 3 runs")]
        [('70.40', 2, 'percent'), ('75.4', 1, 'percent'), ('3', 0, '')]
        >>> [(n.text, n.value, n.decimals) for n in find_numbers("22.8M")]
        [('22.8M', Decimal('2.28E+7'), -5)]
        >>> [n.value for n in find_numbers("about six models")]
        [Decimal('6')]
    """
    # A part of a text leaves the styles of whole texts in the cache.
    style = style or number_style.__wrapped__(text)
    masked = without_names(text)
    found: list[Printed] = []
    taken = 0
    for digits in digits_in(masked, style):
        if digits.start < taken:
            continue
        number = _number(masked, digits)
        if number is not None:
            found.append(replace(number, text=shown_number(text[number.start : number.end])))
            taken = number.end
    found += _written_out(masked, found)
    found.sort(key=lambda number: number.start)
    return _shared_units(masked, _in_last_places(masked, found))


def shown_number(text: str) -> str:
    r"""Return a printed number as its reader sees it, without LaTeX's spelling of its marks.

    Example:
        >>> shown_number(r"16\,384{,}5"), shown_number(r"3 \times 10^{-5}")
        ('16 384,5', '3 × 10^-5')
    """
    for mark, shown in _MARKS:
        text = text.replace(mark, shown)
    return text


def _number(text: str, digits: Digits) -> Printed | None:
    """Return the number that these digits begin, or None where they are none."""
    if _RAISE.search(text[max(0, digits.start - 8) : digits.start]):
        return None
    if len(digits.value) > _LONGEST:
        return None
    value, end = Decimal(digits.value), digits.end
    power, after = _power(text, digits)
    if power is None or abs(power) > _MOST_POWER:
        return None
    if digits.value == "10" and _POWER.match(text, end):
        value = Decimal(1)
    if after == end:
        times = _MULTIPLIER.match(text, end)
        if times:
            word = next(part for part in times.groups() if part)
            power, after = _TIMES[word.casefold().removesuffix("s")], times.end()
    behind = text[after : after + 1]
    named = behind.isalpha() or (behind == "_" and not _SPREAD.match(text, after))
    if named and not _ATTACHED.match(text, after):
        return None
    exponent = value.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    start = digits.start - len(_sign(text, digits.start))
    negative = text[start] in _MINUS
    value = value.scaleb(power) if power else value
    unit = unit_behind(text, after)
    measured = bool(unit) or decimals > 0 or power > 0
    return Printed(
        text=text[start:after],
        value=value.copy_negate() if negative else value,
        decimals=decimals - power,
        unit=unit,
        start=start,
        end=after,
        approximate=approximate_word(text, start, measured=measured),
    )


def _power(text: str, digits: Digits) -> tuple[int | None, int]:
    """Return the power of ten behind a mantissa and where it ends; None for other powers."""
    for pattern in (_LETTER_POWER, _TEN_POWER):
        match = pattern.match(text, digits.end)
        if match:
            raised = next(part for part in match.groups() if part)
            return int(raised.translate(_RAISED)), match.end()
    match = _POWER.match(text, digits.end)
    if not match:
        return 0, digits.end
    if digits.value == "10":
        # `10^{-5}` is one times that power.
        return int((match[1] or match[2]).translate(_RAISED)), match.end()
    return None, digits.end


def _sign(text: str, start: int) -> str:
    """Return the sign before a number: not a range's dash, a difference, or half of `+/-`."""
    sign, before = text[start - 1 : start], text[max(0, start - 3) : start - 1]
    if start == 0 or sign not in f"{_MINUS}+":
        return ""
    last = before[-1:]
    if not last or last in "([{|=:,;~$<>≈":
        return sign
    if last.isspace():
        # A dash behind a word is a dash; a hyphen at a number, behind a space, is its sign.
        return "" if sign == "–" else sign
    return ""


def _written_out(text: str, found: list[Printed]) -> list[Printed]:
    """Return the numbers in words, where no multiplier was read as one (`2 thousand`)."""
    taken = {number.end for number in found}
    words = []
    for start, behind, value in word_numbers(text):
        if behind in taken:
            continue
        power, end, times = 0, behind, _MULTIPLIER.match(text, behind)
        if times and times["word"]:
            power, end = _TIMES[times["word"].casefold().removesuffix("s")], times.end()
        words.append(
            Printed(
                text=text[start:end],
                value=Decimal(value).scaleb(power),
                decimals=-power,
                unit=unit_behind(text, end),
                start=start,
                end=end,
                word=True,
                approximate=approximate_word(text, start, measured=False),
            )
        )
    return words


_SPREAD = re.compile(
    r"[\s~$]{0,3}\\?%?[\s~$]{0,3}[_^]?[({]?\s?(?:±|\\pm|\+\s?/\s?[-−]|\+[-−])[\s~${]{0,3}"
)
_BRACKET = re.compile(r"\s{0,2}\\?%?\s{0,2}\(\s?(?:std|sd|s\.d\.|[ée]cart[- ]type|σ)?\s?[:=]?\s?")
_RANGE = re.compile(r"\s{0,2}\\?%?\s{0,2}(?:[-–—]{1,3}|to|à|a|\.\.)\s{0,2}")
_BETWEEN = re.compile(r"\s{0,2}\\?%?\s{0,2}(?:and|et)\s{0,2}")
_BETWEEN_LEAD = re.compile(r"\b(?:between|entre)\s[^\d]{0,12}$", re.IGNORECASE)


def spreads(text: str, numbers: tuple[Printed, ...]) -> tuple[tuple[int, int], ...]:
    r"""Return the pairs (value, spread) among the numbers of a text, by their indices.

    A spread follows `±`, `\pm`, `+/-`, or stands alone in brackets behind a value.

    Example:
        >>> text = "79.5 ± 0.87 and 66.5 (1.01)"
        >>> spreads(text, find_numbers(text))
        ((0, 1), (2, 3))
    """
    pairs = []
    for index, (left, right) in enumerate(pairwise(numbers)):
        between = text[left.end : right.start]
        closed = re.match(r"\s?\\?%?\s?\)", text[right.end : right.end + 5])
        if _SPREAD.fullmatch(between) or (_BRACKET.fullmatch(between) and closed):
            pairs.append((index, index + 1))
    return tuple(pairs)


_LAST_PLACES = re.compile(r"\d\((\d{1,2})\)(?![\w(])")


def _in_last_places(text: str, found: list[Printed]) -> list[Printed]:
    """Read an uncertainty of the last places as what it is: of `0.835(9)` it is 0.009."""
    starts = {match.start(1) for match in _LAST_PLACES.finditer(text)}
    for index, (left, right) in enumerate(pairwise(found)):
        if right.start in starts and left.decimals > 0 and left.end == right.start - 1:
            value = right.value.scaleb(-left.decimals)
            found[index + 1] = replace(right, value=value, decimals=left.decimals)
    return found


def _shared_units(text: str, found: list[Printed]) -> tuple[Printed, ...]:
    """Give the first of `62-65 %`, `80 ± 1 %`, `between 62 and 65 %` the unit of the last."""
    for index in range(len(found) - 2, -1, -1):
        left, right = found[index], found[index + 1]
        if left.unit or not right.unit:
            continue
        between = text[left.end : right.start]
        lead = text[max(0, left.start - 24) : left.start]
        joined = _SPREAD.fullmatch(between) or _RANGE.fullmatch(between)
        in_places = between == "(" and right.decimals == left.decimals > 0
        if joined or in_places or (_BETWEEN.fullmatch(between) and _BETWEEN_LEAD.search(lead)):
            found[index] = replace(left, unit=right.unit)
    return tuple(found)


# Numbers that claim nothing: of sections, figures, citations, tags, pages, seeds and layers.

_FIRST = r"[ \u00a0~]{0,2}(?:n°|no\.|#|\()?[ \u00a0]?[A-Z]?\d{1,4}(?:\.\d{1,3}){0,4}[a-z]?\)?"
_JOIN = r"[ \u00a0]?(?:,|-|–|—|--|&|/|and|or|to|et|ou|à)[ \u00a0]?\(?"
_FURTHER = rf"{_JOIN}\d{{1,4}}(?:\.\d{{1,3}}){{0,4}}[a-z]?\)?(?![\d%.]?\d)"
_END = r"(?![\w%]|[.,]\d|\s?\\?%)"
_LABELS = {
    "section": r"sections?|sec\.|secs\.|§|chapters?|chapitres?|appendix|appendice|annexes?|parts?"
    r"|parties?|paragraphs?|slides?",
    "figure": r"figures?|figs?\.?|images?|plots?",
    "table": r"tables?|tabs?\.|tableaux|tableau",
    "equation": r"equations?|[ée]quations?|eqs?\.?|eqns?\.?|formulas?|formules?|algorithms?"
    r"|algorithmes?|listings?|theorems?",
    "page": r"pages?|pp?\.|footnotes?|notes?",
    "task": r"questions?|tasks?|t[âa]ches?|exercises?|exercices?|labs?|problems?|tp|td"
    r"|assignments?",
}
_LABELLED = {
    kind: re.compile(rf"(?<![\w\\-])(?:{words}){_FIRST}(?:{_FURTHER}){{0,12}}{_END}", re.IGNORECASE)
    for kind, words in _LABELS.items()
}
_THINGS = r"(?:seed|graine|epoch|[ée]poque|run|fold|layer|couche|head|t[êe]te|block|bloc|trial|gpu)"
# `layer 3` is a label and `layers 0-3` are four; `Layers 4` is a row of a table of settings.
_THING = re.compile(
    rf"(?<![\w\\-]){_THINGS}(?:{_FIRST}|s{_FIRST}{_JOIN}\d{{1,2}}\)?)"
    rf"(?:{_JOIN}\d{{1,2}}\)?(?!\d)){{0,12}}{_END}",
    re.IGNORECASE,
)
_CITATIONS = re.compile(
    r"\[\d{1,3}(?:\s?[,;–—-]{1,2}\s?\d{1,3}){0,20}\](?:\s?[–—-]{1,2}\s?\[\d{1,3}\])?"
)
_YEAR = r"(?:19[5-9]\d|20[0-4]\d)[a-z]?"
_YEARS = re.compile(
    rf"\bet al\.?,?\s?\(?{_YEAR}\)?|\({_YEAR}\)|(?<=[A-Za-zÀ-ÿ]),\s{_YEAR}(?=\))"
    rf"|\b(?:in|en|since|depuis|year|ann[ée]e|during|of)\s{_YEAR}(?=\s?[,.;:)]|\s?$)",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(
    r"\\tag\{[^{}\n]{1,12}\}|(?:(?<=\s\s)|^)[ \t]?\((?:[A-Z]\.)?\d{1,3}(?:\.\d{1,2})?[a-z]?\)"
    r"[ \t.,]{0,20}$",
    re.MULTILINE,
)
_EQUATION_TAG = re.compile(r"[\s\\}$_{]\(\d{1,3}[a-z]?\)[}\s.,$]{0,6}$")
_NUMERAL = re.compile(
    r"^[ \t]{0,12}(?:[-•*][ \t]{1,3})?(?:\d{1,3}[.)]|\(\d{1,3}\)|step\s\d{1,2}\s?[:.])(?=\s)",
    re.MULTILINE | re.IGNORECASE,
)
_HEADING = re.compile(r"^\s{0,6}(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,4}\.?\)?(?=\s)")
_LONE = re.compile(r"\s{0,200}\d{1,4}\s{0,200}")
# Of so many runs, and at such a level: `n is at most 2`, `at the level that makes all hold at 95%`.
_AT_MOST = re.compile(
    r"\bn\s(?:is\sat\smost|est\sau\splus\s[ée]gal\s[àa])\s\d{1,4}(?!\d|[.,]\d)", re.IGNORECASE
)
_TOGETHER = re.compile(
    r"\b(?:hold\stogether\sat|(?:valoir|valables)\s(?:tous|toutes)\sensemble\s[àa])\s"
    r"\d{2}(?:[.,]\d{1,3})?(?=\s?\\?%)",
    re.IGNORECASE,
)
# How sure an interval is: `95% interval`, `a 95 % confidence interval`, `intervalle à 95 %`.
_SURE = re.compile(
    r"\b\d{2}(?:[.,]\d{1,2})?\s?\\?%\s(?:[^\W\d_]+\s){0,2}(?:intervals?|CIs?)\b"
    r"|\bintervalles?\s(?:[^\W\d_]+\s){0,3}[àa]\s\d{2}(?:[.,]\d{1,2})?(?=\s?\\?%)",
    re.IGNORECASE,
)
# A place in an order of values, and none of them: `from the quantile 0.05 to the 0.95 quantile`.
_QUANTILE = re.compile(
    r"\b(?:quantiles?|(?:per)?centiles?)\s(?:de\s|à\s)?\d{1,2}(?:[.,]\d{1,4})?"
    r"(?:\s(?:to|and|à|et)\s\d{1,2}(?:[.,]\d{1,4})?)?(?![\d%]|[.,]\d)",
    re.IGNORECASE,
)
# The value of a table of a distribution: `not above the critical value 2.215`.
_CRITICAL = re.compile(
    r"\b(?:critical\svalue|valeur\scritique)\s(?:(?:of|is|de|est|vaut)\s)?"
    r"\d{1,4}(?:[.,]\d{1,6})?(?![\d%]|[.,]\d)",
    re.IGNORECASE,
)
# Seeds that a report says it found, or did not: `found 0, 1; 2 expected; also possible: 0, 1`;
# and those of a study file: `groups.large.seeds  0, 1, 2, 5`.
_SEEDS_FOUND = re.compile(
    r"\b(?:found|trouv[ée]es?\s?:|also\spossible:"
    r"|aussi\spossibles?\s?:)\s\d{1,6}(?:,\s\d{1,6}){1,40}"
    r"(?:\s?;\s\d{1,6}\s(?:expected|attendue?s?)\b)?(?![\d%.]|,\d)"
    r"|\bgroups\.[^\n]{1,300}?\.seeds\s{1,80}(?:=\s)?\d{1,6}(?:,\s\d{1,6}){0,40}(?![\d%.]|,\d)",
    re.IGNORECASE,
)
# Digits of a pattern of names, and where a counter begins: `\\d{6}`, `epoch counts from 0`.
_PATTERN = re.compile(
    r"(?<=d)\{\d{1,3}\}"
    r"|\b(?:counts?|compt\w{1,3})\s(?:up\s)?(?:from|à\spartir\sde)\s[01]\b(?![.,]\d)"
)
# What a symbol of a formula is multiplied by: `8 \, d^{2}`, `3 \times (d_{model} + 1)`.
_SHORT = 2
_SPACE, _NAMED = r"(?:\\[,;:! ]|[\s~{])*", r"\\(?:mbox|text|mathrm|mathit|underbrace)\b"
_SYMBOL = re.compile(
    rf"{_SPACE}(?:[A-Za-z]|(?:\\(?:left|times|cdot)\b|[(×·*])+{_SPACE}\(?(?:[A-Za-z]|{_NAMED}))"
)
_FOOTNOTE = re.compile(r"^\s{0,12}\d{1,2}\s(?=\s{0,3}(?:https?:|www\.))", re.MULTILINE)


@lru_cache(maxsize=1024)
def _spans(text: str, kind_of_block: str) -> tuple[tuple[int, int, str], ...]:
    """Return the spans of a block that is no reference, in order."""
    # Numbers in words alone are no labels.
    digits = any(map(str.isdigit, text))
    return tuple(sorted({*_found(text, kind_of_block)})) if digits else ()


def _found(text: str, kind_of_block: str) -> Iterator[tuple[int, int, str]]:
    patterns = [
        *_LABELLED.items(),
        ("label", _THING),
        ("citation", _CITATIONS),
        ("year", _YEARS),
        *((("equation", _TAG),) if "(" in text or "\\" in text else ()),
        ("footnote", _FOOTNOTE),
        ("count", _AT_MOST),
        ("level", _TOGETHER),
        ("level", _SURE),
        ("level", _QUANTILE),
        ("level", _CRITICAL),
        ("seeds", _SEEDS_FOUND),
        ("count", _PATTERN),
    ]
    if kind_of_block == "heading":
        patterns.append(("section", _HEADING))
    if kind_of_block == "equation":
        patterns.append(("equation", _EQUATION_TAG))
    if kind_of_block in {"item", "paragraph"}:
        patterns.append(("numeral", _NUMERAL))
    for kind, pattern in patterns:
        for match in pattern.finditer(text):
            yield match.start(), match.end(), kind
    if kind_of_block in {"paragraph", "heading"} and _LONE.fullmatch(text):
        yield 0, len(text), "page"


def is_coefficient(text: str, start: int, end: int, *, math: bool) -> bool:
    """Say whether a number of a formula is what a symbol is multiplied by, and no value.

    Args:
        text: The formula, or a sentence that has it between dollars.
        start: Where the number begins.
        end: Where it ends.
        math: Whether all of the text is a formula.

    Example:
        >>> is_coefficient("N = 8 d^2 + 512", 4, 5, math=True)
        True
        >>> is_coefficient("N = 8 d^2 + 512", 12, 15, math=True)
        False
    """
    inside = math or text.count("$", 0, start) % 2 == 1
    short = end - start <= _SHORT and text[start:end].isdigit()
    return inside and short and _SYMBOL.match(text, end) is not None


def non_claim_spans(block: Block) -> tuple[tuple[int, int, str], ...]:
    """Return the parts of a block whose numbers claim nothing, each with what it is.

    Kinds are section, figure, table, equation, page, task, citation, year, numeral, footnote,
    label (of a seed, an epoch, a layer: part of a binding), count (of runs at most, of letters of
    a pattern), level (of several intervals together, of a quantile, of a test), seeds (that were
    found) and reference.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> text = "As Table 1 of [4] shows, seed 2 reaches 79.9"
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> [(text[a:b], kind) for a, b, kind in non_claim_spans(block)]
        [('Table 1', 'table'), ('[4]', 'citation'), ('seed 2', 'label')]
    """
    text = block.text
    if block.type == "reference":
        return ((0, len(text), "reference"),)
    return _spans(text, block.type)
