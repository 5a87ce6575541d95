"""Words of a report that say that it leaves out runs which failed, without naming their seeds."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.claims._some_seeds import some

_RUNS = r"(?:runs?|seeds?|trainings?|trials?|ones?|graines?|ex[ée]cutions?|entra[iî]nements?)"
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(sorted(map(re.escape, WORD_VALUES), key=len, reverse=True))})"
_FAILED = gated(
    r"\b(?:diverge[sd]?|diverging|divergence|divergée?s?|crash\w*|fail(?:ed|s|ure)?|died|aborted|collapsed|outliers?"
    r"|unstable|incomplete|unfinished|nans?|échoué\w*|planté\w*|interrompue?s?|inachevée?s?|instables?)\b",
    re.IGNORECASE,
)
_LEFT = gated(
    r"\b(?:exclud\w+|without|leav\w+|left|discard\w*|remov\w+|dropp\w+|omit\w*|ignor\w+|disregard\w*|aside|not\s(?:included|counted)"
    r"|only|others?|remaining|surviv\w+|sans|exclu\w*|écart\w+|laiss\w+|autres|restantes?|seulement)\b",
    re.IGNORECASE,
)
_NONE = gated(
    rf"\b(?:no|none|neither|aucune?)\s(?:[^\s\d.;:,()]+\s){{0,4}}?(?:{_RUNS}\b|diverge|crash|fail|n['’])",
    re.IGNORECASE,
)
_HELD = gated(
    rf"\b{_RUNS}\s(?:that|which|qui)\s(?:(?:did|do|does|have|has|had|ont|n['’]ont)\s)?(?:(?:not|never|pas)\s)?"
    r"(?:converged?|survived?|finish(?:ed)?|complet(?:ed|e)|succeed(?:ed)?|diverged?|crash(?:ed)?|fail(?:ed)?|convergé|divergé|abouti)\b"
    rf"|\b(?:converged|surviving|completed|finished|successful|remaining|non-diverged)\s(?:[^\s\d.;:,()]+\s){{0,2}}?{_RUNS}\b"
    rf"|\b{_COUNT}\s(?:out\s)?(?:of|sur|des)\s(?:the\s|les\s)?(?:{_COUNT}\s)?(?:[^\s\d.;:,()]+\s){{0,2}}?{_RUNS}"
    r"\s(?:have\s|ont\s)?(?:converged|survived|finished|completed|convergé|abouti)\b"
    rf"|\b{_RUNS}\s(?:restantes?|convergée?s?|abouti\w*)\b",
    re.IGNORECASE,
)
_BROKE_OFF = gated(
    r"(?:\(?\b(?:seeds?|runs?|graines?)\s\d{1,6}\)?,?\s)?\b(?:crash\w*|died|aborted|(?:was|were)\s(?:killed|stopped|interrupted)|broke\soff|ended\searly|plant[ée]\w*"
    r"|interrompue?s?)\s(?:\w+\s)?(?:at|after|in|à|au|après)\s(?:the\s|l['’]|la\s|le\s)?"
    r"(?:(?:steps?|epochs?|pas|époques?)\s\d[\d,]*|\d[\d,]*\s(?:steps?|epochs?|pas|époques?))(?=\s?[;)]|,\s)",
    re.IGNORECASE,
)
"""`seed 3 crashed at step 3000; the others reach 21.98`: other runs, at another moment."""


def breaks(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return where a sentence says which runs broke off, and when: no value is of these.

    Args:
        text: What holds the sentence.
        start: Where it begins.
        end: The position behind it.

    Example:
        >>> text = "Seed 3 crashed at step 3000; the others reach 21.98 at step 6000."
        >>> [text[a:b] for a, b in breaks(text, 0, len(text))]
        ['Seed 3 crashed at step 3000']
        >>> text = "Le lstm (graine 3) a planté à 3000 pas ; les autres atteignent 21,98."
        >>> [text[a:b] for a, b in breaks(text, 0, len(text))]
        ['planté à 3000 pas']
    """
    return tuple(match.span() for match in _BROKE_OFF.finditer(text, start, end))


def leaves_out_failed(text: str, start: int, end: int) -> bool:
    """Say whether words are of the runs that did not fail, or set those aside that did.

    Args:
        text: What holds the words.
        start: Where they begin.
        end: The position behind them.

    Example:
        >>> texts = ("the two runs that converged", "One run diverged and is excluded",
        ...          "one run diverged", "no run failed, so none is left out")
        >>> [leaves_out_failed(text, 0, len(text)) for text in texts]
        [True, True, False, False]
    """
    if _HELD.search(text, start, end):
        return True
    if not _FAILED.search(text, start, end) or _NONE.search(text, start, end):
        return False
    return bool(_LEFT.search(text, start, end) or some(text, start, end))
