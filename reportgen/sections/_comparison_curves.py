"""Sentences about the curves of two groups, each true by construction.

Every function looks at the facts, decides which of its sentences holds, and returns that
one, or None where none does. Nothing is said about causes.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from reportgen.records.document import Text
from reportgen.records.facts import EpochRow, GroupResult, RunResult
from reportgen.records.quantity import Quantity, Reading
from reportgen.sections._comparison_pair import (
    MOST_NAMED,
    Pair,
    each_of,
    enumerated,
    is_epoch,
    moment,
    moments,
    points_of,
)
from reportgen.sections._phrases import (
    cell_words,
    in_words,
    name_of,
)
from reportgen.stats.compare import difference_of
from reportgen.stats.evaluations import reading_of


def ordering(pair: Pair) -> Text | None:
    """Say which group lies above at how many epochs, on each split."""
    said: dict[str, list[str]] = {}
    for split in pair.splits:
        gaps = [(row, gap) for row, gap in _gaps(pair, split) if isinstance(gap, Quantity)]
        if gaps:
            said.setdefault(_ordering_on(pair, gaps), []).append(split)
    if not said:
        return None
    sentences = [f"On {' and on '.join(splits)}, {sentence}" for sentence, splits in said.items()]
    return (" ".join(sentences),)


def _ordering_on(pair: Pair, gaps: list[tuple[EpochRow, Quantity]]) -> str:
    """Return the sentence of one split, without the split."""
    above = [row for row, gap in gaps if gap.value > 0]
    below = [row for row, gap in gaps if gap.value < 0]
    equal = [row for row, gap in gaps if gap.value == 0]
    start = f"the mean {pair.metric} of {name_of(pair.first)}"
    other = f"that of {name_of(pair.second)}"
    rows = [row for row, _ in gaps]
    every = f"at {moment(rows[0])}" if len(rows) == 1 else f"at each of the {each_of(rows)}"
    parts: list[str] = []
    for members, relation in ((above, "lies above"), (below, "lies below"), (equal, "equals")):
        if len(members) == len(gaps):
            return f"{start} {relation} {other} {every}."
        if not members:
            continue
        few = len(members) <= MOST_NAMED
        when = moments(members) if few else f"{len(members)} of the {each_of(rows)}"
        parts.append(f"{relation} {'it' if parts else other} at {when}")
    return f"{start} {_and(parts)}."


def _and(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if parts[1:] else parts[0]


def _gaps(pair: Pair, split: str) -> list[tuple[EpochRow, Reading]]:
    """Return the difference of the two means at each shared row, on one split."""
    found: list[tuple[EpochRow, Reading]] = []
    for left, right in pair.rows:
        if split in left.splits and split in right.splits:
            what = f"gap of the mean {split} {pair.metric} at {moment(left)}"
            gap = difference_of(left.splits[split].mean, right.splits[split].mean, what)
            found.append((left, gap))
    return found


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
    gaps = [(row, g) for row, g in _gaps(pair, split) if isinstance(g, Quantity)]
    if len(gaps) < 2:
        return None
    widest = max(gaps, key=lambda item: abs(item[1].value))
    narrowest = min(gaps, key=lambda item: abs(item[1].value))
    (start, first), (end, last) = gaps[0], gaps[-1]
    if abs(widest[1].value) == abs(narrowest[1].value):
        return None
    if first.value * last.value < 0:
        change = "changes its sign"
    elif abs(last.value) < abs(first.value):
        change = "is narrower at the end than at the start"
    elif abs(last.value) > abs(first.value):
        change = "is wider at the end than at the start"
    else:
        change = "is the same at the end as at the start"
    number = pair.printing.delta
    return (
        (
            f"The gap between the mean {split} {pair.metric} of {name_of(pair.first)} and that of "
            f"{name_of(pair.second)} is widest at {moment(widest[0])} ("
        ),
        number(f"{pair.prefix}.widest", widest[1]),
        f"{pair.printing.gap}) and narrowest at {moment(narrowest[0])} (",
        number(f"{pair.prefix}.narrowest", narrowest[1]),
        f"{pair.printing.gap}). It {change}: ",
        number(f"{pair.prefix}.gap_first", first),
        f" at {moment(start)}, ",
        number(f"{pair.prefix}.gap_last", last),
        f" at {moment(end)}.",
    )


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
    lower_wins = pair.facts.study.metric.direction == "lower"
    steady: list[str] = []
    fallen: list[str] = []
    for cell in group.cells:
        points = points_of(pair, group, cell, split)
        if len(points) < 2:
            continue
        setbacks = [
            row
            for (_, before), (row, after) in pairwise(points)
            if not (after < before if lower_wins else after > before)
        ]
        if setbacks:
            many = len(setbacks) > MOST_NAMED
            at = f"{len(setbacks)} of {len(points) - 1} evaluations" if many else moments(setbacks)
            fallen.append(f"{cell_words(group, cell)} does not at {at}")
        else:
            steady.append(cell_words(group, cell))
    total = len(steady) + len(fallen)
    if total == 0:
        return ""
    each = "epoch" if all(is_epoch(row) for row in group.epochs) else "evaluation"
    improves = f"{name_of(group)} improves at every {each}"
    if total == 1:
        does = "improves" if steady else "does not improve"
        return f"On {split}, the only run of {name_of(group)} {does} at every {each}."
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


def _names(names: list[str]) -> str:
    """Return a few names in brackets, and nothing for many."""
    return f" ({', '.join(names)})" if len(names) <= MOST_NAMED else ""


def convergence(pair: Pair) -> Text | None:
    """Say whether the runs of a group lie closer together at the end than at the start."""
    text: Text = ()
    for key, group in pair.groups:
        split = group.report_split
        rows = [row for row in group.epochs if split in row.splits]
        stds = [(r, s) for r in rows if isinstance(s := r.splits[split].std, Quantity)]
        if len(stds) < 2:
            continue
        (start, first), (end, last) = stds[0], stds[-1]
        if last.value < first.value:
            verb = "shrinks"
        elif last.value > first.value:
            verb = "grows"
        else:
            continue
        name = pair.printing.mean
        text += (
            (
                f"{' ' if text else ''}The standard deviation of {name_of(group)} over seeds on "
                f"{split} {verb} from "
            ),
            name(f"{pair.prefix}.{key}.std_first", first),
            f"{pair.printing.gap} at {moment(start)} to ",
            name(f"{pair.prefix}.{key}.std_last", last),
            f" at {moment(end)}.",
        )
    return text or None


def stability(pair: Pair) -> Text | None:
    """Say which group's runs lie closer together at the best step, and the largest setback."""
    text: Text = ()
    left, right = pair.first.report.std, pair.second.report.std
    if isinstance(left, Quantity) and isinstance(right, Quantity) and left.value != right.value:
        closer, other = (
            ((pair.first, left), (pair.second, right))
            if left.value < right.value
            else ((pair.second, right), (pair.first, left))
        )
        text = (
            (
                f"At the best step the runs of {name_of(closer[0])} lie closer together than those "
                f"of {name_of(other[0])} (standard deviation "
            ),
            pair.printing.mean(f"{pair.prefix}.closer", closer[1]),
            " against ",
            pair.printing.mean(f"{pair.prefix}.wider", other[1]),
            f"{pair.printing.gap}).",
        )
    setback = _largest_setback(pair)
    if setback is None:
        return text or None
    return (*text, *((" ",) if text else ()), *setback)


def _largest_setback(pair: Pair) -> Text | None:
    """Return the sentence about the largest step back on the selection split, if any."""
    metric = pair.facts.study.metric
    lower_wins = metric.direction == "lower"
    worst: tuple[float, GroupResult, RunResult, EpochRow, EpochRow] | None = None
    compared = False
    for _, group in pair.groups:
        for cell in group.cells:
            points = points_of(pair, group, cell, metric.select_on)
            for (before_row, before), (row, after) in pairwise(points):
                compared = True
                loss = after - before if lower_wins else before - after
                if loss > 0 and (worst is None or loss > worst[0]):
                    worst = (loss, group, cell, before_row, row)
    if worst is None:
        text = f"No run falls back between two evaluations on {metric.select_on}."
        return (text,) if compared else None
    _, group, cell, before_row, row = worst
    if cell.run is None:
        return None
    change = difference_of(
        reading_of(cell.run, metric.name, metric.select_on, row.step),
        reading_of(cell.run, metric.name, metric.select_on, before_row.step),
        f"change on {metric.select_on} from {moment(before_row)} to {moment(row)}",
    )
    number = replace(pair.printing.delta(f"{pair.prefix}.setback", change))
    return (
        f"The largest setback between two evaluations on {metric.select_on} is ",
        replace(number, decimals=pair.printing.value),
        (
            f"{pair.printing.gap} ({name_of(group)}, {cell_words(group, cell)}, "
            f"{moment(before_row)} to {moment(row)})."
        ),
    )
