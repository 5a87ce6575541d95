"""Seeds that the logs lack beside those of other groups, and how far they could move a statistic.

Where one group has seeds 0 to 4 and another 0 to 2, the other's two may be lost, or never have
been. A report that counts three is of those three. Of one that counts none, only what no likely
values of the other two could give is doubted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from reportgen.checks._aggregates import MOST_GROUPS
from reportgen.checks._logged import Logbook
from reportgen.checks._once import once
from reportgen.checks._printed_runs import seeds_of
from reportgen.checks._samples import Sample, samples
from reportgen.checks._statistics import mean_of, others_of
from reportgen.checks._subjects import groups_named
from reportgen.records.claim import LIKELY, Counted, Meaning, Printed
from reportgen.records.finding import Case

MONOTONE = frozenset({"mean", "median", "min", "max"})
"""Statistics that are highest where every value is."""
Ends = tuple[Decimal, Decimal]


def lost_seeds(case: Case, book: Logbook, group: str, meaning: Meaning) -> tuple[int, ...]:
    """Return the seeds of a group that the logs lack and the report may count.

    Args:
        case: The report and its evidence.
        book: The logs.
        group: Name of the group.
        meaning: Of a claim about it.
    """
    lost = book.missing(group)
    return () if lost and _counts_those_there(case, book, group, meaning) else lost


def _counts_those_there(case: Case, book: Logbook, group: str, meaning: Meaning) -> bool:
    """Say whether a report has as many runs of a group as the logs, and no study has more."""
    there = len(book.runs(group))
    if not book.is_guessed(group):
        return False
    if meaning.n is not None:
        return meaning.n == there
    shown = len(seeds_of(case, meaning)) if meaning.run_group == group else 0
    if shown > 1:
        return shown == there
    everything = sum(len(book.runs(name)) for name in book.groups())
    counted = _counted(case)
    own = [words for what, number, words in counted if (what, number) == ("runs", there)]
    return (
        any(
            (what, number) in {("seeds", there), ("runs", everything)}
            for what, number, _ in counted
        )
        # `The three runs of A`.
        or any(group in groups_named(book, words) for words in own)
    )


@once
def _counted(case: Case) -> frozenset[tuple[str, int, str]]:
    """Return what the report counts, how many of it, and in which words."""
    found = set()
    for claim in case.claims:
        content, printed = claim.content, claim.printed
        if isinstance(content, Counted) and printed is not None and claim.confidence >= LIKELY:
            # `n = 3` counts the runs of one group.
            words = claim.hints.get("where", "")
            what = "seeds" if words == "n" else content.what
            found.add((what, int(printed.value), words))
    return frozenset(found)


def reach(book: Logbook, sample: Sample, meaning: Meaning, unit: str) -> Ends | None:
    """Return the ends of what a statistic may be with the runs that a sample lacks.

    Each of those is taken to be no farther from the others than the runs of any one group are
    from one another.

    Args:
        book: The logs.
        sample: Values of the runs that are there.
        meaning: Whose `aggregate` is the statistic; a difference is one of means.
        unit: Of the ends.

    Returns:
        Lowest and highest value; None of a statistic that cannot be bounded so, and where a
        study states the seeds that are not there.
    """
    name = "mean" if meaning.aggregate in {"", "difference"} else meaning.aggregate
    values = sample.values(unit)
    groups: dict[str, list[Decimal]] = {}
    for point in sample.points:
        groups.setdefault(book.group_of(point.run), []).append(point.in_unit(unit))
    lost = {group: len(book.missing(group)) for group in groups if book.missing(group)}
    if name not in MONOTONE or len(values) < 2 or not all(map(book.is_guessed, lost)):
        return None
    width = max(_widths(book, sample, meaning, unit), default=Decimal(0))
    low, high = list(values), list(values)
    for group, count in lost.items():
        low += [min(groups[group]) - width] * count
        high += [max(groups[group]) + width] * count
    return _statistic(name, low), _statistic(name, high)


def _widths(book: Logbook, sample: Sample, meaning: Meaning, unit: str) -> Iterator[Decimal]:
    """Yield how far the runs of each group are apart, taken by the rule of a sample."""
    series = sample.points[0].series
    for group in book.groups()[:MOST_GROUPS]:
        for other in samples(book, group, series.metric, series.split, meaning):
            if other.rule == sample.rule:
                values = other.values(unit)
                yield max(values) - min(values)


def _statistic(name: str, values: Sequence[Decimal]) -> Decimal:
    return mean_of(values) if name == "mean" else others_of(values)[name]


def is_within(printed: Printed, ends: Sequence[Decimal]) -> bool:
    """Say whether a printed number may lie between the least and the greatest of some values."""
    room = 2 * printed.half_unit
    return min(ends) - room <= printed.value <= max(ends) + room
