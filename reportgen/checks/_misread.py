"""Disagreements that another thing explains which the sentence names: the words may mean that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain, islice

from reportgen.checking.numbers._gated import gated
from reportgen.checks._aggregates import Drawn, is_legal
from reportgen.checks._beside import (
    Beside,
    claims_together,
    printed_beside,
    sentence_of,
    values_beside,
)
from reportgen.checks._ladder import compare, unbound
from reportgen.checks._logged import Logbook, convert, logbook_of
from reportgen.checks._printed_runs import Shown
from reportgen.checks._weigh import RATIO_UNITS, SPREADS, quieter, units_of
from reportgen.records.claim import Claim, Meaning
from reportgen.records.finding import Case, Finding

_Taken = tuple[frozenset[tuple[str, str, int]], str]
"""Where the points stand that a number is bound to, and their value or statistic."""
_RULES = frozenset({"value", "aggregate", "difference", "smoothed", "tail"})
_SPOKEN = frozenset({"paragraph", "item", "caption"})
NAMED_TOO = "its sentence also names what it agrees with"
"""How the reason begins why a number that agrees with something else is left open."""
MOST_READ = 200
"""Disagreements of a report that are read again; who has more has no slips of the pen."""
_BASES = 60
"""Values of which every pair is tried as a difference."""
_DIFFERS = gated(
    r"\b(?:gaps?|differ\w*|less|more|improv\w+|further|lower\w*|higher|better|worse|reduc\w+|exceed\w*|above|below"
    r"|gains?|gained|drops?|dropped|falls?|fell|rises?|rose|increas\w+|decreas\w+|grow\w*|chang\w+|shr[aiu]nk\w*"
    r"|margin|relative|écart|différence|amélior\w+|baiss\w+|hausse|gagn\w+|perd\w*|dépass\w+|augment\w+|dimin\w+)\b",
    re.IGNORECASE,
)
_BY = gated(
    r"\b(?:by|of|is|was|are|gaps?|further|de|par|est|gains?|gained|gagne|perd)\s(?:an?\s|only\s|about\s|around\s|environ\s)*$"
    r"|\)(?:,|\sand|\set|,\sand)\s$",
    re.IGNORECASE,
)
_RATIOS = gated(
    r"\b(?:ratio|times|half|twice|thrice|double|factor|fold|rapport|fois|moitié|facteur|percent|relative\w*)\b",
    re.IGNORECASE,
)
_MIDDLES = gated(r"\b(?:average|mean|moyenne)\s(?:of|between|de|du|des|entre)\b", re.IGNORECASE)
_NEAR = 120
_PAIRED = re.compile(
    r"[\s%]*(?:against|versus|vs\.?|compared\s(?:to|with)|/|,|and|et|contre)\s?", re.IGNORECASE
)


def without_misread(
    case: Case, findings: Mapping[str, Sequence[Finding]]
) -> dict[str, list[Finding]]:
    """Return the findings of each claim, open where the sentence names what agrees with it.

    A number may belong to another run, split, step or statistic than the one that stands nearest.
    Where its sentence names one that the number is the value of, nothing can be said against it,
    unless another number of the sentence is bound to that very value: then one was copied.

    Args:
        case: The report and its evidence.
        findings: Id of a claim to its findings, the decisive one first.
    """
    kept = {name: list(found) for name, found in findings.items()}
    book = logbook_of(case)
    if book is None:
        return kept
    odd = (found for found in kept.values() if found and _may_be_misread(case, found[0]))
    for found in islice(odd, MOST_READ):
        taken = _taken(case, kept, found[0].claim)
        what = _explained(case, book, found[0].claim, taken)
        if what:
            found[:] = [unbound(found[0].rule, found[0].claim, f"{NAMED_TOO}: {what}")]
        elif _is_compared(case, found[0].claim):
            found[:] = [replace(one, level=quieter(one.level, "warning")) for one in found]
    return kept


def _may_be_misread(case: Case, finding: Finding) -> bool:
    claim = finding.claim
    if finding.verdict != "disagrees" or finding.rule not in _RULES or claim.table is not None:
        return False
    blocks = case.manuscript.blocks
    spoken = claim.block < len(blocks) and blocks[claim.block].type in _SPOKEN
    # An aggregate of runs that are named was held against those already.
    spoken = spoken and "runs" not in claim.hints
    return spoken and claim.printed is not None and isinstance(claim.content, Meaning)


def _taken(case: Case, findings: Mapping[str, Sequence[Finding]], claim: Claim) -> set[_Taken]:
    """Return the values to which other numbers of a sentence are bound."""
    start, _ = sentence_of(case, claim.block, claim.start)
    text = case.manuscript.blocks[claim.block].text
    found = set()
    for other in claims_together(case).get((claim.block, start), ()):
        first = next(iter(findings.get(other.id, ())), None)
        if first is None or other is claim or first.expected is None:
            continue
        left, right = sorted((first.claim, claim), key=lambda one: one.start)
        loose = first.verdict == "disagrees" and _PAIRED.fullmatch(text, left.end, right.start)
        if not loose:
            places = frozenset((e.path, e.tag, e.step or 0) for e in first.expected.evidence)
            value = first.expected.value
            found.add((places, f"{value:.6g}" if isinstance(value, float) else ""))
    return found


def _explained(case: Case, book: Logbook, claim: Claim, taken: set[_Taken]) -> str:
    """Return what a number agrees with of all that its sentence names, or nothing."""
    if claim.printed is None or not isinstance(claim.content, Meaning):
        return ""
    about = Shown(claim=claim, meaning=claim.content, printed=claim.printed)
    values = values_beside(case, book, claim)
    # As many values as there are runs are those of the runs, whatever else is said of them.
    listed = 1 + len(printed_beside(case, claim)) if any(one.among for one in values) else 0
    for one in values:
        if not _may_be(about, one) or one.among > listed:
            continue
        units = units_of(claim, one.unit) if one.unit else ("", *_as_percent(claim))
        found = [_in_unit(one, unit) for unit in units]
        free = [value for value in found if (one.places, f"{float(value):.6g}") not in taken]
        if any(_agrees(claim, value) for value in free):
            return one.what
    ways = _ways(case, claim)
    logged = [one for one in values if one.aggregate not in SPREADS and not one.among]
    told = printed_beside(case, claim) if ways else ()
    compared = chain(_compared(claim, told, ways), _compared(claim, logged, ways))
    return next((what for value, what in compared if _agrees(claim, value)), "")


def _may_be(about: Shown, one: Beside) -> bool:
    """Say whether a claim may mean a statistic: what is bound to one run is no mean of several."""
    if about.meaning.aggregate in SPREADS or one.aggregate in SPREADS:
        words = one.what.removeprefix("the ")
        return is_legal(about, Drawn(aggregate=one.aggregate, words=words, value=one.value))
    return not one.aggregate or about.meaning.seed is None


def _as_percent(claim: Claim) -> tuple[str, ...]:
    """A ratio of a metric that is not known as one: `top5` of 0.925 is 92.5 %."""
    return ("percent",) if claim.printed is not None and claim.printed.unit == "percent" else ()


def _in_unit(one: Beside, unit: str) -> Decimal:
    if not one.unit and unit == "percent":
        return one.value.scaleb(2)
    return convert(one.value, one.unit, unit)


def _agrees(claim: Claim, value: Decimal) -> bool:
    return claim.printed is not None and compare(claim.printed, value).startswith("agrees")


def _ways(case: Case, claim: Claim) -> frozenset[str]:
    """Return as what the words around a number may compare two values."""
    start, end = sentence_of(case, claim.block, claim.start)
    text = case.manuscript.blocks[claim.block].text
    lead = text[max(start, claim.start - _NEAR) : claim.start]
    tail = text[claim.end : min(end, claim.end + 16)]
    ways = set()
    if _BY.search(lead) and _DIFFERS.search(lead):
        ways.add("difference")
    if _RATIOS.search(lead[-_NEAR // 3 :] + tail):
        ways.add("ratio")
    if _MIDDLES.search(lead):
        ways.add("middle")
    return frozenset(ways)


def _compared(
    claim: Claim, values: Sequence[Beside], ways: frozenset[str]
) -> Iterator[tuple[Decimal, str]]:
    """Yield what pairs of values give: difference, ratio, relative difference, middle."""
    kept = tuple(values[:_BASES]) if ways else ()
    for index, one in enumerate(kept):
        for other in islice(kept, index + 1, None):
            if one.unit != other.unit:
                continue
            unit = units_of(claim, one.unit)[0] if one.unit in RATIO_UNITS else one.unit
            a, b = _in_unit(one, unit), _in_unit(other, unit)
            names = f"{one.what} and {other.what}"
            if "difference" in ways:
                yield abs(a - b), f"the difference of {names}"
            if "middle" in ways:
                yield (a + b) / 2, f"the mean of {names}"
            if "ratio" in ways and a and b:
                yield from _ratios(a, b, names)


def _ratios(a: Decimal, b: Decimal, names: str) -> Iterator[tuple[Decimal, str]]:
    for ratio in (a / b, b / a):
        yield ratio, f"the ratio of {names}"
        yield abs(ratio - 1) * 100, f"the relative difference of {names}"


def _is_compared(case: Case, claim: Claim) -> bool:
    """Say whether words right before a number may make it a difference, and no value."""
    return "difference" in _ways(case, claim)
