"""Words that a line's end broke, joined again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from reportgen.read.documents._pdf_letters import SOFT_HYPHEN

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(rf"([^\W\d_]+)[{SOFT_HYPHEN}-]$")
_REST = re.compile(r"( *)((?=[^\W\d_])\S+)(?: |$)")
_HYPHENS = (SOFT_HYPHEN, "-")
_GAP = re.compile(r" {2,}")
_ASIDE = 6
"""Characters by which a line may be set in differently from the one before."""


def join_words(texts: list[str]) -> list[str]:
    """Return lines in which a word that goes on in the next line stands in the first.

    Whether its hyphen is its own, other places in the text tell: where they write the word
    without, it goes; where they write it with one, or write both halves as words, it stays.

    Example:
        >>> join_words(["we use pre\u00ad", "training, and over-", "fitted runs of it"])
        ['we use pretraining,', 'and overfitted', 'runs of it']
        >>> join_words(["the fine-tuning", "of fine\u00ad", "tuning runs"])
        ['the fine-tuning', 'of fine-tuning', 'runs']
    """
    if not any(text.endswith(_HYPHENS) for text in texts):
        return [text.replace(SOFT_HYPHEN, "-") for text in texts]
    known = _vocabulary(texts)
    out = list(texts)
    for i in range(len(out) - 1):
        if not out[i].endswith(_HYPHENS):
            continue
        broken, rest = _BROKEN.search(out[i][-80:]), _REST.match(out[i + 1])
        if not broken or not rest or not rest[2][0].islower():
            continue
        if abs(len(rest[1]) - _start(out[i])) > _ASIDE:
            continue
        first, second = broken[1], _WORD.match(rest[2])
        hyphen = "-" if second and _keeps_hyphen(first, second[0], known) else ""
        out[i] = out[i][:-1] + hyphen + rest[2]
        left = out[i + 1][rest.end() :]
        out[i + 1] = rest[1] + left if left else ""
    return [text.replace(SOFT_HYPHEN, "-") for text in out]


def _vocabulary(texts: Sequence[str]) -> set[str]:
    """Return the words of a text, without the halves that a line's end made."""
    known = Counter(word for text in texts for word in _WORD.findall(text.lower()))
    for upper, lower in pairwise(texts):
        if not upper.endswith(_HYPHENS):
            continue
        broken, rest = _BROKEN.search(upper[-80:]), _WORD.search(lower)
        if broken and rest:
            known[broken[1].lower()] -= 1
            known[rest[0].lower()] -= 1
    return {word for word, times in known.items() if times > 0}


def _start(text: str) -> int:
    """Return where the last piece of a line begins."""
    gaps = [gap.end() for gap in _GAP.finditer(text)]
    return gaps[-1] if gaps else 0


def _keeps_hyphen(first: str, second: str, known: set[str]) -> bool:
    one, other = first.lower(), second.lower().partition("-")[0]
    if one + other in known:
        return False
    return f"{one}-{other}" in known or (one in known and other in known and len(one) > 2)
