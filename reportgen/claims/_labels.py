"""Words that name a group of runs: how it was started, its model, its settings.

Two spellings of one group meet in their key; the label itself stays as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.claims._group_words import FAMILIES, NOUN, START, SUFFIX
from reportgen.claims._mentions import Mention
from reportgen.claims._run_names import is_group
from reportgen.claims._vocabulary import SETTINGS, phrase_pattern

_NAME = rf"(?:{'|'.join(re.escape(f) for f in sorted(FAMILIES, key=len, reverse=True))}){SUFFIX}"
_TERM = rf"(?:{START}|{_NAME})(?![^\W_])"
_PHRASE = gated(
    rf"(?<![^\W_])(?:(?:{NOUN})\s(?={START})"
    rf"|{_NAME},\s(?={START}))?{_TERM}(?:[\s-]{{1,2}}(?:{_TERM}|(?:{NOUN})(?![^\W_]))){{0,4}}",
    re.IGNORECASE,
)
_SETTING_LABEL = gated(
    rf"(?<![^\W_])(?:{SETTINGS})\s{{0,2}}=\s{{0,2}}[\d.,eE×^{{}}-]{{1,12}}(?<![.,])", re.IGNORECASE
)

_WORD = re.compile(r"[^\W_]+(?:\.\d+)?|[+]")
_FILLER = frozenset(
    {
        "correspond", "corresponding", "corresponds", "value", "values", "on", "of", "the", "at",
        "in", "set", "sets", "our", "results", "result", "for", "with", "and", "to", "over",
        "after", "per", "by", "each", "curve", "curves", "name", "data", "dataset", "split",
        "splits", "percent", "points", "pts", "pt", "pp", "runs", "run", "seeds", "seed",
        "obtained", "reported", "de", "du", "des", "la", "le", "les", "sur", "en", "à", "au", "et",
        "par", "un", "une", "l", "d", "valeur", "valeurs", "modèle", "modèles", "model", "models",
        "when", "step", "steps", "pas", "epoch", "epochs", "époque", "checkpoint", "a", "an",
        "from",
        "same", "there", "that", "this", "its", "it", "is", "are", "score", "scores", "metric",
        "metrics", "quantity", "statistic", "measure", "method", "methods", "setting", "settings",
        "configuration", "config", "experiment", "experiments", "approach", "task", "tâche",
        "réglage", "méthode", "group", "groups", "groupe", "group.", "system", "variant",
        "architecture", "network", "réseau", "métrique", "total", "overall", "all",
        "validation-based", "n", "%", "±", "pour", "mean_std", "vs",
    }
)  # fmt: skip
"""Words that name no group when they stand alone."""

_DROPPED = frozenset(
    {
        "the", "a", "an", "our", "model", "models", "network", "ones", "one", "with", "from",
        "using", "of", "on", "le", "la", "les", "un", "une", "de", "du", "des", "modele",
        "modeles", "reseau", "version", "variant", "method", "approach", "weights",
        "initialisation", "initialization", "initialised", "initialized", "init", "start",
        "started", "training", "trained", "learned", "by", "in", "at", "for", "and", "et", "avec",
        "finetuning", "tuning", "fine", "task", "tache", "runs", "poids", "initialise",
        "initialisee",
    }
)  # fmt: skip
_SAME = {
    "pretrain": "pretrained", "pretraining": "pretrained", "preentraine": "pretrained",
    "randomly": "random", "scratch": "random", "sratch": "random", "zero": "random",
    "aleatoire": "random", "aleatoirement": "random", "untrained": "random",
    "unpretrained": "random", "reference": "baseline", "without": "no", "sans": "no", "w": "with",
    "tuned": "finetuned", "affine": "finetuned", "huggingface": "hf", "hugging": "hf",
    "face": "hf",
}  # fmt: skip
_JOINED = (
    (
        gated(r"\b(?:non|not)[\s_-]{1,2}pre[\s_-]?(?:train|entrain)(?:ed|ee?s?)?"),
        "unpretrained",
    ),
    (gated(r"\b(?:without|no|sans)\spre[\s_-]?(?:training|entrainement)"), "unpretrained"),
    (gated(r"\bpre[\s_-](?=train|entra)"), "pre"),
    (gated(r"\bfine[\s_-]?tuned"), "finetuned"),
    (gated(r"\bpreentrain(?:ee?s?)?\b"), "pretrained"),
    (gated(r"\bzero[\s_-]shot"), "zeroshot"),
)
_UNIT = re.compile(
    r"\(\s?(?:in\s|en\s)?(?:\\?%|percent|pct|points?|pts|pour\s?cent)\s?\)|,?\s?(?:in"
    r"|en)\s(?:percent|%|pourcentage)"
    r"|\\?%|[↑↓†‡*^]|\((?:↑|↓|higher\sis\sbetter|lower\sis\sbetter)\)",
    re.IGNORECASE,
)
_LINKED = gated(r"(?<=\w)[_/](?=\w)")
"""Where a name may be broken over the end of a line."""
_SHORT = 2
_VALUE_BEHIND = r"(?=\s?[:(]\s?(?:[+−-]?\d|(?:n\s=|seeds?|graines?)\s?\d))"
"""What makes a label of a letter or two one in a sentence: `B (79.9)`, `B: seed 0 from 79.9`."""
_OF = r"(?:(?<=\bof\s)|(?<=\bde\s))"
_OVER = (
    r"(?=[.,;:)](?!\w)|\s(?:over|across|on|at|in|by|from|with|and|or|than|is|are|was|were|lies?|ends?"
    r"|improves?|stops?|varies|entre|sur|à|par|avec|et|ou|est|sont|va|progressent?|s['’]arrêtent?|varient?)\s)"
)
"""No article stands before these: `the accuracy of a on test`, `the runs of a improve`."""
_COVER = re.compile(r"[\u10D0-\u10F0]+")
"""What stands for a name that means something else too (`_as_names`)."""
_AFTER_DIGIT = re.compile(r"(?<=\d)(?=\[\\s_\\-\])")
"""Where a sentence has the sign of percent that the label of a table has lost."""
_REST = re.compile(
    r"(?:[-_+](?!(?:based|like|style|tuned|trained|family|only|specific|free|type|related)\b)"
    r"(?=[^\W_]*[^\W\d_])[^\W_]+)+(?![^\W_])",
    re.IGNORECASE,
)
_EDGES = " \t\n,;:.()[]{}|/–—-=&$\\·±"


def group_mentions(text: str, known: Sequence[str] = ()) -> tuple[Mention, ...]:
    """Return the names of groups in a text, in order.

    Args:
        text: A sentence, a caption, a heading.
        known: Labels that the report's tables use, which count wherever they stand.

    Example:
        >>> text = "81.1 for the pre-trained model, 67.7 with RoBERTa-small from scratch"
        >>> [m.value for m in group_mentions(text)]
        ['pre-trained model', 'RoBERTa-small from scratch']
        >>> [m.value for m in group_mentions("the run Books v2 is best", ["Books v2"])]
        ['Books v2']
        >>> [m.value for m in group_mentions("the run DQN 100% long is best", ["DQN 100 long"])]
        ['DQN 100% long']
        >>> [m.value for m in group_mentions("a run of B (79.9) after a break", ["A", "B"])]
        ['B']
        >>> known = ["a", "b"]
        >>> text = "the deviation of a over seeds is that of a run; b: seed 0 from 79.9"
        >>> [m.start for m in group_mentions(text, known)]
        [17, 48]
    """
    patterns = [_PHRASE, _SETTING_LABEL]
    long = [label for label in known if _is_telling(label)]
    if long:
        spelled = _LINKED.sub(r"\g<0>\\n?", phrase_pattern(long))
        spelled = _AFTER_DIGIT.sub(lambda _: r"\\?%?", spelled)
        patterns.append(re.compile(spelled, re.IGNORECASE))
    short = [label for label in known if not _is_telling(label) and not label.isdigit()]
    if short:
        letters = phrase_pattern(short)
        patterns.append(re.compile(rf"{letters}{_VALUE_BEHIND}|{_OF}{letters}{_OVER}"))
    spans = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    found = [
        # A label that runs over the end of a line is the same label.
        Mention(start, stop, "group", " ".join(text[start:stop].split()))
        for start, end in spans
        for stop in [_end_of_name(text, end)]
    ]
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start, -m.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return tuple(kept)


def _is_telling(label: str) -> bool:
    """Say whether a label is no word of every day: `r8`, where the logs have such a group."""
    mixed = any(map(str.isdigit, label)) and any(map(str.isalpha, label))
    hidden = bool(_COVER.fullmatch(label))
    return len(label) > _SHORT or hidden or (mixed and is_group(label))


def _end_of_name(text: str, end: int) -> int:
    """Return where the name ends that a family of models begins: `BiLSTM` of `BiLSTM-CRF`."""
    rest = _REST.match(text, end)
    return rest.end() if rest else end


def group_key(label: str) -> frozenset[str]:
    """Return the words of a label that two spellings of one group share.

    Example:
        >>> group_key("Pretrain Model") == group_key("the pre-trained model")
        True
        >>> sorted(group_key("RoBERTa small, random start"))
        ['random', 'roberta', 'small']
    """
    bare = unaccented(label)
    for pattern, word in _JOINED:
        bare = pattern.sub(word, bare)
    words = _WORD.findall(bare)
    key = frozenset(_SAME.get(word, word) for word in words if word not in _DROPPED)
    return key or frozenset(words)


def unaccented(text: str) -> str:
    """Return a text in lower case without accents: folders are seldom named with them.

    Example:
        >>> unaccented("Pré-entraîné")
        'pre-entraine'
    """
    parts = unicodedata.normalize("NFKD", text.lower())
    return "".join(part for part in parts if not unicodedata.combining(part))


def without_unit(text: str) -> str:
    """Return a head without its unit and arrows: `Accuracy (%) ↑` is `Accuracy`."""
    return _UNIT.sub(" ", text)


def residual(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return what a head says beside what was understood, or nothing where that names no group.

    Args:
        text: The head's text.
        spans: Where the understood words stand.

    Example:
        >>> residual("Pretrain Seed 0", [(9, 15)]), residual("Accuracy on Test", [(0, 8), (12, 16)])
        ('Pretrain', '')
    """
    parts, last = [], 0
    for start, end in sorted(spans):
        parts.append(text[last:start])
        last = max(last, end)
    parts.append(text[last:])
    left = " ".join(" ".join(without_unit(part).split()) for part in parts)
    left = re.sub(r"\(\s*\)|\[\s*\]", " ", left)
    left = re.sub(r"\s+([,;:)])", r"\1", " ".join(left.split())).strip(_EDGES)
    if left.count("(") > left.count(")"):
        left += ")"
    telling = [word for word in _WORD.findall(left) if _tells(word)]
    return left if telling else ""


def _tells(word: str) -> bool:
    """Say whether a word of a head may name a group: `B` does, `a` and `3` do not."""
    letter = len(word) == 1 and word.isupper()
    return letter or (word.lower() not in _FILLER and not word.isdigit())


def is_known_group(label: str, known: Sequence[str] = ()) -> bool:
    """Say whether a label names a group by its words, and not only by where it stands.

    Example:
        >>> is_known_group("Random Model"), is_known_group("Degrees of freedom")
        (True, False)
    """
    keys = {group_key(other) for other in known}
    return group_key(label) in keys or bool(group_mentions(label))
