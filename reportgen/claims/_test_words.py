"""Words for what a test of two means gives: t, degrees of freedom, p."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated

T, DEGREES, P, FLOOR = "t", "degrees", "p", "p_floor"
"""What a number is: the statistic, its degrees of freedom, its p, the smallest possible p."""

_STATISTIC = r"(?:[\s-]?(?:statistics?|stats?\.?|values?|scores?))?"
_IS = r"\s?(?:=|≈|:|\bis|\bof|\bwas|\bequals?|\bvaut|\best|\bde)\s?[$~(]{0,2}"
_BEFORE = {
    T: gated(
        rf"(?<![\w.\\'’^-])t{_STATISTIC}\s?(?:\(\s?\d{{1,4}}(?:[.,]\d{{1,3}})?\s?\))?{_IS}$"
        rf"|\bstatistique\s(?:de\stest\s)?t{_IS}$",
        re.IGNORECASE,
    ),
    DEGREES: gated(
        rf"(?<![\w\\])t\s?\(\s?$|\b(?:df|d\.f\.|dof|ddl|degrees\sof\sfreedom"
        rf"|degr[ée]s\sde\slibert[ée])\s?(?:{_IS})?$",
        re.IGNORECASE,
    ),
    FLOOR: gated(
        r"\b(?:smallest|minimal|minimum|least|lowest)\s(?:possible\s|attainable\s|exact\s)?"
        rf"p{_STATISTIC}\b[^.;\d]{{0,80}}{_IS}$",
        re.IGNORECASE,
    ),
    P: gated(
        rf"(?<![\w.\\'’^-])p{_STATISTIC}\s?(?P<sign>=|≈|<=?|>=?|≤|≥|\bis|\bof|\bwas|\bde|\bvaut"
        r"|:)\s?[$~(]{0,2}$|\bvaleur\sp\s?(?:=|<|>|≤|≥|\bde|\best)\s?$",
        re.IGNORECASE,
    ),
}
_BEHIND_DEGREES = re.compile(r"\s?(?:degrees\sof\sfreedom|degr[ée]s\sde\slibert[ée]|df\b|dof\b)")
_CLOSES = re.compile(r"\s?\)\s?[$]?\s?[=≈]")
_LABELS = {
    FLOOR: gated(
        r"(?:smallest|minimal|minimum|least|lowest)\s(?:possible\s|attainable\s)?p\b.{0,60}",
        re.IGNORECASE,
    ),
    DEGREES: re.compile(
        r"degrees\sof\sfreedom|df|d\.f\.|dof|ddl|degr[ée]s\sde\slibert[ée]", re.IGNORECASE
    ),
    P: re.compile(
        r"(?:two[\s-]sided\s|one[\s-]sided\s)?p(?:[\s-]?val(?:ue)?s?)?(?:[,\s]{1,2}\(?(?:two|one)"
        r"[\s-]?(?:sided|tailed)\)?)?|valeur\sp|p,?\sbilat[ée]ral",
        re.IGNORECASE,
    ),
    T: re.compile(rf"t{_STATISTIC}|statistique\st", re.IGNORECASE),
}
_ABOUT_TESTS = gated(
    r"\bt[\s-]tests?\b|\btests?\b|\bsignifican|\bwelch\b|\bstudent\b|\bpaired\b|\bnull\b|hypoth"
    r"|\bp[\s-]val|\bvaleur\sp\b|\bapparié|\bt\s?\(\s?\d|\bdf\b|degrees\sof\sfreedom|\bpermutation"
    r"|degr[ée]s\sde\slibert|\bt\s?=",
    re.IGNORECASE,
)
_NO_TEST = gated(r"\bdrop-?\s?out\b|\bprobabilit|\bmask|\bp_drop\b|\btop[\s-]p\b", re.IGNORECASE)
_LEAD = 120


def kind_of(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what a number of a sentence is, and the sign before it (`<`).

    Example:
        >>> text = "a paired t-test gives t(2) = 16.38, p < 0.01"
        >>> [kind_of(text, text.index(n), text.index(n) + len(n)) for n in ("2", "16.38", "0.01")]
        [('degrees', ''), ('t', ''), ('p', '<')]
    """
    lead = text[max(0, start - _LEAD) : start]
    if _BEHIND_DEGREES.match(text, end):
        return DEGREES, ""
    for kind, pattern in _BEFORE.items():
        match = pattern.search(lead)
        if match is None:
            continue
        if kind == DEGREES and lead.rstrip().endswith("(") and not _CLOSES.match(text, end):
            continue
        sign = match.groupdict().get("sign") or ""
        return kind, sign if sign[:1] in {"<", ">", "≤", "≥"} else ""
    return "", ""


def kind_of_label(text: str) -> str:
    """Return what the numbers beside or below a label are.

    Example:
        >>> [kind_of_label(t) for t in ("t", "Degrees of freedom", "p, two-sided", "test")]
        ['t', 'degrees', 'p', '']
    """
    bare = text.strip(" $*:_")
    if bare in {"P", "T"}:
        return ""  # rows of a table of symbols
    return next((kind for kind, pattern in _LABELS.items() if pattern.fullmatch(bare)), "")


def is_about_a_test(text: str) -> bool:
    """Say whether a sentence speaks of a test, so that its p is no dropout's.

    Example:
        >>> is_about_a_test("the difference is significant (p < 0.05)")
        True
        >>> is_about_a_test("dropout with p = 0.1")
        False
    """
    return bool(_ABOUT_TESTS.search(text)) and not _NO_TEST.search(text)
