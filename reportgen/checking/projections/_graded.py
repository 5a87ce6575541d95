"""Scored lines as the words and numbers that grading services show to students."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from reportgen.checking.projections._headline import headlines, why_unread
from reportgen.checking.projections._records import Record, make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections._score import DEFAULT_RUBRIC, ScoredLine, score
from reportgen.checking.projections._words import words
from reportgen.records.record import record
from reportgen.records.source import shorten
from reportgen.records.verdict import Review, Rubric

UNGRADED = "This is no grade: the points stand out of 0, and somebody has to read the report."


@record
class Graded:
    """One line of the rubric for one report.

    Attributes:
        name: What students read as its title.
        number: `1`, or `2.1` for the first line of the second report.
        scored: The line with its points.
        reasons: What costs points, what is untraced, what is traced, in words, one a line.
        place: Line of the first thing that costs points, or 0.
        file: Its file, or the report's.
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


def grade(reviews: Sequence[Review], options: Rendering) -> tuple[Graded, ...]:
    """Return every line of the rubric for every report; a topic nothing belongs to is left out.

    Only lines worth nothing are left out so, for a line with points has to add up.
    """
    records = make_records(reviews, options)
    several = len(records) > 1
    found = []
    for index, one in enumerate(records, 1):
        lines = score(one, rubric_of(options))
        kept = [scored for scored in lines if scored.line.points or scored.rows or scored.fault]
        if one.fault and options.rubric is None:
            kept = kept[:1]
        for turn, scored in enumerate(kept, 1):
            number = f"{index}.{turn}" if several else f"{turn}"
            found.append(_graded(scored, number, one, several=several))
    return tuple(found)


def _graded(scored: ScoredLine, number: str, one: Record, *, several: bool) -> Graded:
    title = words(scored.line.title or scored.line.id)
    spot = scored.costs[0].row.spot if scored.costs else None
    return Graded(
        name=f"{one.name}: {title}" if several else title,
        number=number,
        scored=scored,
        reasons="\n".join(_reasons(scored)),
        place=spot.line if spot and spot.opens else 0,
        file=spot.file if spot else one.path,
    )


def _reasons(scored: ScoredLine) -> Iterator[str]:
    if scored.fault:
        yield f"could not be checked: {why_unread(scored.fault)}"
        if scored.earned is None:
            yield UNGRADED
        return
    costly = {cost.row.id for cost in scored.costs}
    for cost in scored.costs:
        price = f"−{points(cost.points)}: " if scored.line.points else ""
        yield f"{price}{cost.row.spot}: {cost.row.told}"
    for row in scored.of_outcome("contradicted"):
        if row.id not in costly:
            yield f"Costs nothing: {row.spot}: {row.told}"
    if traced := len(scored.of_outcome("traced")):
        yield f"{traced} stand{'s' if traced == 1 else ''} in the evidence."
    if untraced := len(scored.of_outcome("untraced")):
        stand = "stands" if untraced == 1 else "stand"
        yield f"{untraced} {stand} nowhere in the evidence, which costs nothing."
    if scored.nothing and scored.line.points:
        price = "costs nothing" if scored.earned else "earns no points"
        yield f"Nothing to check: the report says nothing that belongs here, which {price}."
    elif not scored.rows:
        yield "Nothing in the report belongs here."


def points(value: Decimal) -> str:
    """Return points without trailing zeros.

    Example:
        >>> points(Decimal("2.50")), points(Decimal("10"))
        ('2.5', '10')
    """
    return f"{value.normalize():f}"


def overall(reviews: Sequence[Review], options: Rendering, limit: int) -> str:
    """Return what is said of whole submissions: how much is traced, what could not be read."""
    records = make_records(reviews, options)
    told = []
    for one in records:
        prefix = f"{one.name}: " if len(records) > 1 else ""
        told += [f"{prefix}{sentence}" for sentence in headlines(one)]
        told += [f"{prefix}{p}: {what}" for p, what, _, level in one.problems if level != "note"]
    return shorten("\n".join(told) or "No report was checked.", limit)
