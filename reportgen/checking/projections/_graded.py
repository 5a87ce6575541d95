"""Scored lines as the words and numbers that grading services show to students."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.checking.projections._coverage import coverage, why_unread
from reportgen.checking.projections._plain import shorten, words
from reportgen.checking.projections._record import NOT_CHECKABLE, Record, make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections._score import DEFAULT_RUBRIC, ScoredLine, score
from reportgen.records.finding import Finding, Judgement
from reportgen.records.rubric import Rubric

UNGRADED = "This is no grade: the points stand out of 0, and somebody has to read the report."


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """One line of the rubric for one report.

    Attributes:
        name: What students read as its title.
        number: `1`, or `2.1` for the first line of the second report.
        scored: The line with its points.
        reasons: What costs points, what is open, what agrees, in words, one a line.
        place: Line of the first finding that costs points, or 0.
        file: File of that finding, or of the report.
    """

    name: str
    number: str
    scored: ScoredLine
    reasons: str
    place: int
    file: str

    @property
    def earned(self) -> float:
        """Points; 0 out of 0 where nothing is scored."""
        return float(self.scored.earned or 0)

    @property
    def most(self) -> float:
        """Most that can be earned."""
        return float(self.scored.line.points) if self.scored.earned is not None else 0.0


def rubric_of(options: Rendering) -> Rubric:
    """Return the rubric that is used."""
    return options.rubric or DEFAULT_RUBRIC


def grade(judgements: Sequence[Judgement], options: Rendering) -> tuple[Graded, ...]:
    """Return every line of the rubric for every report; a topic without claims is left out.

    Only lines worth nothing are left out so, for a line with points has to add up.
    """
    records = make_records(judgements, options)
    several = len(records) > 1
    found = []
    for index, (record, judgement) in enumerate(zip(records, judgements, strict=True), 1):
        lines = score(judgement, rubric_of(options))
        kept = [one for one in lines if one.line.points or one.findings or one.fault]
        if judgement.fault and options.rubric is None:
            kept = kept[:1]
        for turn, one in enumerate(kept, 1):
            number = f"{index}.{turn}" if several else f"{turn}"
            found.append(_graded(one, number, record, several=several))
    return tuple(found)


def _graded(scored: ScoredLine, number: str, record: Record, *, several: bool) -> Graded:
    title = words(scored.line.title or scored.line.id)
    first = scored.costs[0].finding.claim if scored.costs else None
    rows = {str(row.claim["id"]): row for row in record.rows if row.decisive}
    spot = rows[first.id].spot if first else None
    return Graded(
        name=f"{record.name}: {title}" if several else title,
        number=number,
        scored=scored,
        reasons="\n".join(_reasons(scored)),
        place=spot.line if spot and spot.opens else 0,
        file=spot.file if spot else record.path,
    )


def _reasons(scored: ScoredLine) -> Iterator[str]:
    if scored.fault:
        yield f"could not be checked: {why_unread(words(scored.fault))}"
        if scored.earned is None:
            yield UNGRADED
        return
    for cost in scored.costs:
        price = f"−{points(cost.points)}: " if scored.line.points else ""
        yield f"{price}{_told(cost.finding)}"
    agrees, borderline, opened, disagrees = (
        scored.with_verdict(word) for word in ("agrees", "borderline", NOT_CHECKABLE, "disagrees")
    )
    costly = {cost.finding.claim.id for cost in scored.costs}
    for finding in disagrees:
        if finding.claim.id not in costly:
            yield f"Costs nothing: {_told(finding)}"
    if agrees:
        yield f"{len(agrees)} agree{'s' if len(agrees) == 1 else ''} with the evidence."
    if borderline:
        yield f"{len(borderline)} within one unit of the last place, which costs nothing."
    if opened:
        yield f"{len(opened)} could not be checked, which costs nothing."
    if scored.nothing and scored.line.points:
        price = "costs nothing" if scored.earned else "earns no points"
        yield f"Nothing to check: the report says nothing that belongs here, which {price}."
    elif not scored.findings:
        yield "Nothing in the report belongs here."


def _told(finding: Finding) -> str:
    told, cause = words(finding.message), words(finding.likely_cause)
    return told if not cause or cause in told else f"{told}; likely cause: {cause}"


def points(value: Decimal) -> str:
    """Return points without trailing zeros.

    Example:
        >>> points(Decimal("2.50")), points(Decimal("10"))
        ('2.5', '10')
    """
    return f"{value.normalize():f}"


def overall(judgements: Sequence[Judgement], options: Rendering, limit: int) -> str:
    """Return what is said of whole submissions: how much was checked, what could not be read."""
    records = make_records(judgements, options)
    told = []
    for record in records:
        prefix = f"{record.name}: " if len(records) > 1 else ""
        told += [f"{prefix}{sentence}" for sentence in coverage(record)]
        told += [f"{prefix}{p}: {what}" for p, what, _, level in record.problems if level != "note"]
    return shorten("\n".join(told) or "No report was checked.", limit)
