"""Sentences about the curves of two groups, each true by construction.

Every function looks at the facts, decides which of its sentences holds, and returns that
one, or None where none does. Nothing is said about causes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from reportgen.records.document import Text
from reportgen.records.facts import EpochRow, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.sections._comparison_pair import (
    MOST_NAMED,
    Pair,
    course_of,
    each_of,
    enumerated,
    evaluations_of,
    is_complete,
    is_epoch,
    moment,
    moments,
    when,
)
from reportgen.sections._phrases import (
    cell_words,
    has_seeds,
    in_words,
    joined,
    name_of,
)
from reportgen.stats.compare import difference_of


def ordering(pair: Pair) -> Text | None:
    """Say which group lies above at how many epochs, on each split."""
    said: dict[str, list[str]] = {}
    for split in pair.splits:
        gaps = _gaps(pair, split)
        if gaps:
            sentence = _ordering_on(pair, gaps) + _left_out_rows(pair, split, gaps)
            said.setdefault(sentence, []).append(split)
    if not said:
        return None
    sentences = [f"On {' and on '.join(splits)}, {sentence}" for sentence, splits in said.items()]
    return (" ".join(sentences),)


def _ordering_on(pair: Pair, gaps: list[tuple[EpochRow, Quantity]]) -> str:
    """Return the sentence of one split, without the split."""
    printed = [(row, pair.printing.rounded(gap)) for row, gap in gaps]
    above = [row for row, gap in printed if gap > 0]
    below = [row for row, gap in printed if gap < 0]
    equal = [row for row, gap in printed if gap == 0]
    exact = all(gap.value == 0 for row, gap in gaps if row in equal)
    equals = "equals" if exact else "equals, as printed,"
    start = f"the mean {pair.metric} of {name_of(pair.first)}"
    other = f"that of {name_of(pair.second)}"
    rows = [row for row, _ in gaps]
    every = f"at {moment(rows[0])}" if len(rows) == 1 else f"at each of the {each_of(rows)}"
    parts: list[str] = []
    for members, relation in ((above, "lies above"), (below, "lies below"), (equal, equals)):
        if len(members) == len(gaps):
            return f"{start} {relation} {other} {every}."
        if not members:
            continue
        parts.append(f"{relation} {'it' if parts else other} at {when(members, rows)}")
    return f"{start} {_and(parts)}."


def _and(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if parts[1:] else parts[0]


def _gaps(pair: Pair, split: str) -> list[tuple[EpochRow, Quantity]]:
    """Return the difference of the two means at each row that all runs reach, on one split."""
    found: list[tuple[EpochRow, Quantity]] = []
    for left, right in pair.rows:
        if all(is_complete(pair, g, r, split) for (_, g), r in _both(pair, left, right)):
            what = f"gap of the mean {split} {pair.metric} at {moment(left)}"
            gap = difference_of(left.splits[split].mean, right.splits[split].mean, what)
            if isinstance(gap, Quantity):
                found.append((left, gap))
    return found


def _both(
    pair: Pair, left: EpochRow, right: EpochRow
) -> list[tuple[tuple[str, GroupResult], EpochRow]]:
    return list(zip(pair.groups, (left, right), strict=True))


def _left_out_rows(pair: Pair, split: str, gaps: Sequence[tuple[EpochRow, Quantity]]) -> str:
    """Return the sentence that names the shared rows at which a run has no value."""
    kept = [row.step for row, _ in gaps]
    shared = [row for row, other in pair.rows if split in row.splits and split in other.splits]
    absent = [row for row in shared if row.step not in kept]
    if not absent:
        return ""
    return f" Left out, for not every run has a value there: {when(absent, shared)}."


def separation(pair: Pair) -> Text | None:
    """Say whether every run of one group lies above every run of the other."""
    ends = [_ends(group) for _, group in pair.groups]
    if ends[0] is None or ends[1] is None or pair.first.report.n + pair.second.report.n < 3:
        return None
    (low_first, high_first), (low_second, high_second) = ends[0], ends[1]
    if low_first.value > high_second.value:
        upper, lower, low, high = pair.first, pair.second, low_first, high_second
    elif low_second.value > high_first.value:
        upper, lower, low, high = pair.second, pair.first, low_second, high_first
    else:
        return (
            (
                f"At the best step the ranges of {name_of(pair.first)} and {name_of(pair.second)} "
                "overlap: neither has all its runs above those of the other."
            ),
        )
    sign = pair.printing.sign
    return (
        (
            f"At the best step every run of {name_of(upper)} lies above every run of "
            f"{name_of(lower)}: the lowest {upper.report_split} {pair.metric} of the former is "
        ),
        pair.printing.one(f"{pair.prefix}.lowest", low),
        f"{sign}, the highest of the latter ",
        pair.printing.one(f"{pair.prefix}.highest", high),
        f"{sign}.",
    )


def _ends(group: GroupResult) -> tuple[Quantity, Quantity] | None:
    found = [c.report_value for c in group.cells if isinstance(c.report_value, Quantity)]
    if not found:
        return None
    return min(found, key=lambda q: q.value), max(found, key=lambda q: q.value)


def gap(pair: Pair) -> Text | None:
    """Say where the gap between the means is widest, narrowest, and how it ends."""
    split = pair.first.report_split
    gaps = _gaps(pair, split)
    sizes = [abs(pair.printing.rounded(g)) for _, g in gaps]
    if len(set(sizes)) < 2:
        return None
    (start, first), (end, last) = gaps[0], gaps[-1]
    number = pair.printing.delta
    return (
        (
            f"The gap between the mean {split} {pair.metric} of {name_of(pair.first)} and that of "
            f"{name_of(pair.second)} is widest at "
        ),
        *_at_size(pair, gaps, max(sizes), "widest"),
        " and narrowest at ",
        *_at_size(pair, gaps, min(sizes), "narrowest"),
        f". It {_change(pair, first, last)}: ",
        number(f"{pair.prefix}.gap_first", first),
        f" at {moment(start)}, ",
        number(f"{pair.prefix}.gap_last", last),
        f" at {moment(end)}.{_left_out_rows(pair, split, gaps)}",
    )


def _at_size(
    pair: Pair, gaps: Sequence[tuple[EpochRow, Quantity]], size: Decimal, key: str
) -> Text:
    """Return every row whose gap has a size as printed, with the gap: there may be ties."""
    tied: dict[Decimal, list[tuple[EpochRow, Quantity]]] = {}
    for row, gap in gaps:
        value = pair.printing.rounded(gap)
        if abs(value) == size:
            tied.setdefault(value, []).append((row, gap))
    every = [row for row, _ in gaps]
    parts: list[Text] = []
    for members in tied.values():
        identifier = f"{pair.prefix}.{key}{len(parts) + 1 if parts else ''}"
        number = pair.printing.delta(identifier, members[0][1])
        at = when([row for row, _ in members], every)
        parts.append((f"{at} (", number, f"{pair.printing.gap})"))
    return joined(parts)


def _change(pair: Pair, first: Quantity, last: Quantity) -> str:
    """Return how the gap at the end compares with the gap at the start, as printed."""
    start, end = pair.printing.rounded(first), pair.printing.rounded(last)
    if start * end < 0:
        return "changes its sign"
    if abs(end) == abs(start):
        return "is the same at the end as at the start"
    relation = "narrower" if abs(end) < abs(start) else "wider"
    return f"is {relation} at the end than at the start"


def trend(pair: Pair) -> Text | None:
    """Say, for each group and split, how many runs improve at every epoch."""
    text: Text = ()
    for split in pair.splits:
        for _, group in pair.groups:
            sentence = _trend_of(pair, group, split)
            if sentence:
                text += ((" ",) if text else ()) + (sentence,)
    return text or None


def _trend_of(pair: Pair, group: GroupResult, split: str) -> str:
    steady: list[str] = []
    fallen: list[str] = []
    for cell in group.cells:
        points = evaluations_of(pair, group, cell, split)
        if len(points) < 2:
            continue
        against = _against_trend(pair, points)
        name = cell_words(group, cell)
        if against:
            fallen.append(f"{name} {against}")
        else:
            steady.append(name)
    total = len(steady) + len(fallen)
    if total == 0:
        return ""
    each = "epoch" if all(is_epoch(row) for row in group.epochs) else "evaluation"
    improves = f"{name_of(group)} improves at every {each}"
    if total == 1:
        does = "improves" if steady else "does not improve"
        why = "" if steady or "finite" not in fallen[0] else f": {fallen[0]}"
        return f"On {split}, the only run of {name_of(group)} {does} at every {each}{why}."
    if not fallen:
        return f"On {split}, every run of {improves} ({in_words(total)} of {in_words(total)})."
    if not steady:
        return (
            f"On {split}, none of the {in_words(total)} runs of {improves}: {enumerated(fallen)}."
        )
    if len(steady) > 1:
        improves = f"{name_of(group)} improve at every {each}"
    return (
        f"On {split}, {in_words(len(steady))} of the {in_words(total)} runs of "
        f"{improves}{_names(steady)}; {enumerated(fallen)}."
    )


def _against_trend(pair: Pair, points: Sequence[tuple[EpochRow, Quantity | None]]) -> str:
    """Return what keeps a run from improving at every evaluation, or nothing."""
    setbacks = [
        row
        for (_, before), (row, after) in pairwise(points)
        if before is not None and after is not None and not _improves(pair, before, after)
    ]
    unknown = [row for row, value in points if value is None]
    said: list[str] = []
    if setbacks:
        many = len(setbacks) > MOST_NAMED
        at = f"{len(setbacks)} of {len(points) - 1} evaluations" if many else moments(setbacks)
        said.append(f"does not at {at}")
    if unknown:
        every = [row for row, _ in points]
        said.append(f"has no finite value at {when(unknown, every)}")
    return " and ".join(said)


def _improves(pair: Pair, before: Quantity, after: Quantity) -> bool:
    lower_wins = pair.facts.study.metric.direction == "lower"
    return after.value < before.value if lower_wins else after.value > before.value


def _names(names: list[str]) -> str:
    """Return a few names in brackets, and nothing for many."""
    return f" ({', '.join(names)})" if len(names) <= MOST_NAMED else ""


def convergence(pair: Pair) -> Text | None:
    """Say how far apart the runs of a group lie from the start to the end."""
    text: Text = ()
    for key, group in pair.groups:
        split = group.report_split
        rows = [row for row in group.epochs if is_complete(pair, group, row, split)]
        stds = [(r, s) for r in rows if isinstance(s := r.splits[split].std, Quantity)]
        if len(stds) < 2:
            continue
        course = course_of(pair, key, stds)
        if course:
            over = "over seeds" if has_seeds(group) else "over its runs"
            start = f"The standard deviation of {name_of(group)} {over} on {split} "
            text += (f"{' ' if text else ''}{start}", *course)
    return text or None


def stability(pair: Pair) -> Text | None:
    """Say which group's runs lie closer together at the best step, and the largest setback."""
    text = _closer(pair)
    setback = _largest_setback(pair)
    return (*text, *((" ",) if text and setback else ()), *setback) or None


def _closer(pair: Pair) -> Text:
    left, right = pair.first.report.std, pair.second.report.std
    if not isinstance(left, Quantity) or not isinstance(right, Quantity):
        return ()
    sizes = pair.printing.rounded(left), pair.printing.rounded(right)
    if sizes[0] == sizes[1]:
        return ()
    closer, other = (pair.first, left), (pair.second, right)
    if sizes[0] > sizes[1]:
        closer, other = other, closer
    return (
        (
            f"At the best step the runs of {name_of(closer[0])} lie closer together than those "
            f"of {name_of(other[0])} (standard deviation "
        ),
        pair.printing.mean(f"{pair.prefix}.closer", closer[1]),
        " against ",
        pair.printing.mean(f"{pair.prefix}.wider", other[1]),
        f"{pair.printing.gap}).",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """What one run gained or lost from one evaluation to the next."""

    size: Decimal
    difference: Quantity
    where: str


def _largest_setback(pair: Pair) -> Text:
    """Return the sentence about the largest step back on the selection split, if any."""
    select = pair.facts.study.metric.select_on
    setbacks, unknown, compared = _setbacks(pair)
    if not compared:
        return ()
    rows = [row for _, group in pair.groups for row in group.epochs]
    between = f"between two evaluations{_at_ends(rows)} on {select}"
    rest = f" NaN and infinite values take no part: {enumerated(unknown)}." if unknown else ""
    if not setbacks:
        return (f"No run falls back {between}.{rest}",)
    largest = max(change.size for change in setbacks)
    tied = [change for change in setbacks if change.size == largest]
    number = pair.printing.delta(f"{pair.prefix}.setback", tied[0].difference)
    where = enumerated([change.where for change in tied])
    return (
        f"The largest setback {between} is ",
        replace(number, decimals=pair.printing.value),
        f"{pair.printing.gap} ({where}).{rest}",
    )


def _at_ends(rows: Sequence[EpochRow]) -> str:
    """Return what tells rows that stand at the ends of epochs from evaluations inside them."""
    return " at the ends of epochs" if rows and all(map(is_epoch, rows)) else ""


def _setbacks(pair: Pair) -> tuple[list[_Change], list[str], bool]:
    """Return every step back, every value that is not finite, and whether any were compared."""
    select = pair.facts.study.metric.select_on
    changes: list[_Change] = []
    unknown: list[str] = []
    compared = False
    for _, group in pair.groups:
        for cell in group.cells:
            points = evaluations_of(pair, group, cell, select)
            name = f"{name_of(group)}, {cell_words(group, cell)}"
            lost = [row for row, value in points if value is None]
            if lost:
                unknown.append(f"{name}, {when(lost, [row for row, _ in points])}")
            for (before_row, before), (row, after) in pairwise(points):
                if before is None or after is None:
                    continue
                compared = True
                span = f"{moment(before_row)} to {moment(row)}"
                change = difference_of(after, before, f"change on {select} from {span}")
                if _improves(pair, before, after) or not isinstance(change, Quantity):
                    continue
                size = abs(pair.printing.rounded(change, pair.printing.value))
                if change.value:
                    where = f"{name}, {span}"
                    changes.append(_Change(size=size, difference=change, where=where))
    return changes, unknown, compared
