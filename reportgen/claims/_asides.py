"""Sentences that claim something which no evidence can decide."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.claims._bind import Draft
from reportgen.claims._clauses import Clause

_OPTIMAL = gated(
    r"\bbest\spossible\b|\b(?:cannot|can't|can\snot|could\snot)\s(?:be\s)?(?:improved?|do\sbetter|get\sbetter)\b"
    r"|\bmaximum\spossible\b|\bno\s(?:other|better)\s(?:\w+\s){1,3}(?:exists?|is\spossible)\b|\bnothing\sbetter\b"
    r"|\bmeilleure?s?\s(?:\w+\s)?possibles?\b|\bbest\s(?:\w+\s){0,3}(?:we|one|you)\scan\s(?:get|obtain|reach|achieve|hope)\b"
    r"|\bupper\sbound\sof\swhat\b|\bglobal\s(?:optimum|minimum)\b|\boptimum\sglobal\b",
    re.IGNORECASE,
)
_SHAPE = gated(
    r"\bsame\s(?:\w+\s)?(?:shape|trend|behaviou?r|form|pattern)|\bmême\s(?:allure|forme|tendance|comportement)"
    r"|\bsimilar\s(?:\w+\s)?(?:shape|pattern|behaviou?r|trend)s?|\b(?:allure|forme)\s(?:similaire|semblable)",
    re.IGNORECASE,
)
_MAYBE = gated(
    r"\b(?:might|may(?=\s(?:not\s)?(?:be|have|explain|come))|perhaps|maybe|probably|presumably|peut-être|probablement"
    r"|sans\sdoute|could\sbe\s(?:due|because|explained)|pourrait\sêtre)\b",
    re.IGNORECASE,
)
_RESULTS = gated(
    r"\b(?:accurac\w+|loss\w*|results?|résultats?|models?|modèles?|runs?|seeds?|samples?|exemples?|examples?|training|entraînement"
    r"|epochs?|époques?|number\sof|nombre\sde|performance\w*|overfit\w*|gap|écart|curves?|courbes?|hyper\W?param\w+)\b",
    re.IGNORECASE,
)
_SOURCE = gated(
    r"\b(?:as\s)?(?:printed|shown|displayed|given|logged|read|output|computed|returned|affichée?s?|imprimée?s?)\s(?:in|by|from|on|off|dans|par|sur)"
    r"\s(?:the|our|le|la|notre|l')\s?(?:\w+\s)?(?:notebook|logs?|tensorboard|console|outputs?|terminal|script|cell|code|program|carnet|sortie)\b",
    re.IGNORECASE,
)

_REST = gated(
    r"(?:[(=]|\berror(?:\srates?)?|\berreur|\bdefined\sas|\bi\.e\.|\bdéfinie?\scomme)\s?,?\s?(?:100(?:\s?%)?|1)\s?[−–-]\s?[^\W\d]"
    r"|(?<![\w.])(?:100(?:\s?%)?|1)\s?−\s?[^\W\d]"
    r"|\b(?:one|100|1|un|cent)\s(?:minus|moins)\s(?:the\s|its\s|l['’]|la\s|le\s)?[^\W\d]",
    re.IGNORECASE,
)


def asides(clause: Clause) -> Iterator[Draft]:
    """Yield the sentences of a clause that nothing can decide, each with its reason."""
    text = clause.text
    match = _OPTIMAL.search(text)
    if match is not None:
        yield _open(
            clause, "claim_of_optimality", "no log can show that nothing better is possible"
        )
        return
    if _SHAPE.search(text):
        yield _open(clause, "figure_claim", "it speaks of the shape of curves in a figure")
    elif _MAYBE.search(text) and _RESULTS.search(text):
        yield _open(clause, "speculation", "it is a supposition")
    if _SOURCE.search(text):
        yield _open(clause, "provenance", "it names a source that is not in the evidence")


def is_of_a_rest(clause: Clause) -> bool:
    """Say whether a clause is about what a metric lacks to all.

    Example:
        >>> text = "The error (1 - F1) falls"
        >>> is_of_a_rest(Clause(text, 0, (0, len(text)), first=True))
        True
    """
    return bool(_REST.search(clause.text))


def is_optimal(clause: Clause) -> bool:
    """Say whether a clause claims that nothing better is possible."""
    return bool(_OPTIMAL.search(clause.text))


def _open(clause: Clause, kind: str, reason: str) -> Draft:
    return Draft(kind=kind, start=clause.start, end=clause.end, reason=reason)
