"""Sentences about how the runs of two groups go: steadily, apart, back.

As for the distance of the groups: each function returns the one of its sentences that holds,
or None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from reportgen.languages import message, noun, noun_later, say, tell
from reportgen.records.document import Text
from reportgen.records.facts import EpochRow, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.report._comparison_absent import absent_runs, in_brackets
from reportgen.report._comparison_pair import (
    MOST_NAMED,
    Pair,
    course_of,
    enumerated,
    evaluations_of,
    is_complete,
    is_epoch,
    moment,
    moments,
    row_key,
    when,
)
from reportgen.report._phrases import (
    cell_words,
    has_seeds,
    in_words,
    name_of,
)
from reportgen.report._points import in_points
from reportgen.report._run_in_group import run_in_group
from reportgen.stats import difference_of

_LONG = 12
"""Of more changes than this from one evaluation to the next, nobody expects all to go one way."""


def trend(pair: Pair) -> Text | None:
    """Say, for each group and split, how many runs improve at every epoch, or at how many."""
    text: Text = ()
    for split in pair.splits:
        for _, group in pair.groups:
            sentence = _trend_of(pair, group, split)
            if sentence:
                text += ((" ",) if text else ()) + (sentence,)
    return text or None


def _runs_by_trend(
    pair: Pair, group: GroupResult, split: str
) -> tuple[list[str], list[str], list[str]]:
    """Return the runs that improve throughout, what stops the others, and what of it is NaN."""
    steady: list[str] = []
    fallen: list[str] = []
    reasons: list[str] = []
    for cell in group.cells:
        points = evaluations_of(pair, group, cell, split)
        if len(points) < 2:
            continue
        name = cell_words(group, cell)
        against = _against_trend(pair, name, points)
        if against:
            fallen.append(against)
            reasons += [against] if any(value is None for _, value in points) else []
        else:
            steady.append(name)
    return steady, fallen, reasons


def _long_trend(pair: Pair, group: GroupResult, split: str) -> str:
    """Return how often runs of a long course improve; nothing where one is short or has a NaN."""
    improved: list[int] = []
    lengths: set[int] = set()
    for cell in group.cells:
        values = [value for _, value in evaluations_of(pair, group, cell, split)]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return ""
        if len(values) > 1:
            lengths.add(len(values) - 1)
            improved.append(sum(_improves(pair, a, b) for a, b in pairwise(known)))
    if len(lengths) != 1 or min(lengths) <= _LONG or min(improved) == min(lengths):
        return ""
    each = noun("epochs") if _has_every_epoch(pair, group, split) else noun("evaluations")
    places: dict[str, str | int] = {
        "split": noun(split),
        "group": name_of(group),
        "each": each,
        "count": min(lengths),
    }
    low, high = min(improved), max(improved)
    if len(improved) == 1:
        return tell(
            "On {split}, the only run of {group} improves at {low} of {count} {each}.",
            low=low,
            **places,
        )
    if low == high:
        return tell(
            "On {split}, every run of {group} improves at {low} of {count} {each}.",
            low=low,
            **places,
        )
    return tell(
        "On {split}, the runs of {group} improve at {low} to {high} of {count} {each}.",
        low=low,
        high=high,
        **places,
    )


def _trend_of(pair: Pair, group: GroupResult, split: str) -> str:
    if long := _long_trend(pair, group, split):
        return long
    steady, fallen, reasons = _runs_by_trend(pair, group, split)
    total = len(steady) + len(fallen)
    if total == 0:
        return ""
    each = noun("epoch") if _has_every_epoch(pair, group, split) else noun("evaluation")
    places = {"split": noun(split), "group": name_of(group), "each": each}
    if total == 1:
        return _only_trend(places, improves=bool(steady), reasons=reasons)
    count = in_words(total)
    if not fallen:
        return tell(
            "On {split}, every run of {group} improves at every {each} ({count} of {count}).",
            count=count,
            **places,
        )
    if not steady:
        return tell(
            "On {split}, none of the {count} runs of {group} improves at every {each}: {runs}.",
            count=count,
            runs=enumerated(fallen),
            **places,
        )
    return tell(
        "On {split}, {some} of the {count} runs of {group} improves at every {each}{names}; {runs}."
        if len(steady) == 1
        else "On {split}, {some} of the {count} runs of {group} improve at every {each}{names}; "
        "{runs}.",
        some=in_words(len(steady)),
        count=count,
        names=_names(steady),
        runs=enumerated(fallen),
        **places,
    )


def _has_every_epoch(pair: Pair, group: GroupResult, split: str) -> bool:
    """Return whether every run was evaluated at the end of each epoch between its first and last.

    What was evaluated after every second epoch does not improve "at every epoch".
    """
    for cell in group.cells:
        rows = [row for row, _ in evaluations_of(pair, group, cell, split)]
        if not all(is_epoch(row) for row in rows):
            return False
        if any(later.epoch - row.epoch != 1 for row, later in pairwise(rows)):
            return False
    return True


def _only_trend(places: Mapping[str, str], *, improves: bool, reasons: Sequence[str]) -> str:
    """Return the sentence about the only run of a group."""
    if improves:
        return tell("On {split}, the only run of {group} improves at every {each}.", **places)
    if not reasons:
        return tell(
            "On {split}, the only run of {group} does not improve at every {each}.", **places
        )
    return tell(
        "On {split}, the only run of {group} does not improve at every {each}: {reason}.",
        reason=reasons[0],
        **places,
    )


def _against_trend(pair: Pair, run: str, points: Sequence[tuple[EpochRow, Quantity | None]]) -> str:
    """Return what keeps a run from improving at every evaluation, or nothing."""
    setbacks = [
        row
        for (_, before), (row, after) in pairwise(points)
        if before is not None and after is not None and not _improves(pair, before, after)
    ]
    unknown = [row for row, value in points if value is None]
    places = {"run": run}
    if setbacks and len(setbacks) <= MOST_NAMED:
        places["setbacks"] = moments(setbacks)
    elif setbacks:
        places["setbacks"] = tell(
            "{some} of {count} evaluations", some=len(setbacks), count=len(points) - 1
        )
    if unknown:
        places["unknown"] = when(unknown, [row for row, _ in points])
    if setbacks and unknown:
        return tell("{run} does not at {setbacks} and has no finite value at {unknown}", **places)
    if setbacks:
        return tell("{run} does not at {setbacks}", **places)
    return tell("{run} has no finite value at {unknown}", **places) if unknown else ""


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
        places = {"group": name_of(group), "split": noun(split)}
        what = tell(
            "The standard deviation of {group} over seeds on {split}"
            if has_seeds(group)
            else "The standard deviation of {group} over its runs on {split}",
            **places,
        )
        course = course_of(pair, key, what, stds)
        if course:
            text += (*((" ",) if text else ()), *course, *_lost_rows(pair, group, split, rows))
    return text or None


def _lost_rows(
    pair: Pair, group: GroupResult, split: str, rows: Sequence[EpochRow]
) -> tuple[str, ...]:
    """Return the sentence about the rows left out for a value of a run that is not finite."""
    known = [row for row in group.epochs if split in row.splits]
    lost = [row for row in known if not any(row is one for one in rows)]
    runs = absent_runs(pair, split, [(group, lost)], lost_alone=True)
    if not runs:
        return ()
    sentence = tell(
        "Left out, for not every run has a value there: {when}{runs}.",
        when=when(lost, known),
        runs=in_brackets(runs),
    )
    return (f" {sentence}",)


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
    return say(
        "At the best step the runs of {closer} lie closer together than those of {other} "
        "(standard deviation {small} against {large}).",
        closer=name_of(closer[0]),
        other=name_of(other[0]),
        small=pair.printing.mean(f"{pair.prefix}.closer", closer[1]),
        large=in_points(pair.printing, pair.printing.mean(f"{pair.prefix}.wider", other[1])),
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
    rest: Text = ()
    if unknown:
        rest = say("NaN and infinite values take no part: {runs}.", runs=enumerated(unknown))
        rest = (" ", *rest)
    # Rows at the ends of epochs are told from evaluations inside them.
    ends = all(is_epoch(row) for _, group in pair.groups for row in group.epochs)
    if not setbacks:
        none = say(
            "No run falls back between two evaluations at the ends of epochs on {split}."
            if ends
            else "No run falls back between two evaluations on {split}.",
            split=noun(select),
        )
        return (*none, *rest)
    largest = max(change.size for change in setbacks)
    tied = [change for change in setbacks if change.size == largest]
    number = pair.printing.change(f"{pair.prefix}.setback", tied[0].difference)
    setback = say(
        "The largest setback between two evaluations at the ends of epochs on {split} is {size} "
        "({where})."
        if ends
        else "The largest setback between two evaluations on {split} is {size} ({where}).",
        split=noun(select),
        size=in_points(pair.printing, number),
        where=enumerated([change.where for change in tied]),
    )
    return (*setback, *rest)


def _setbacks(pair: Pair) -> tuple[list[_Change], list[str], bool]:
    """Return every step back, every value that is not finite, and whether any were compared."""
    select = pair.facts.study.metric.select_on
    changes: list[_Change] = []
    unknown: list[str] = []
    compared = False
    for _, group in pair.groups:
        for cell in group.cells:
            points = evaluations_of(pair, group, cell, select)
            name = run_in_group(group, cell)
            lost = [row for row, value in points if value is None]
            if lost:
                unknown.append(f"{name}, {when(lost, [row for row, _ in points])}")
            for (before_row, before), (row, after) in pairwise(points):
                if before is None or after is None:
                    continue
                compared = True
                change = difference_of(after, before, _change(select, before_row, row))
                if _improves(pair, before, after) or not isinstance(change, Quantity):
                    continue
                size = abs(pair.printing.rounded(change, pair.printing.value))
                if change.value:
                    span = tell("{start} to {end}", start=moment(before_row), end=moment(row))
                    where = f"{name}, {span}"
                    changes.append(_Change(size=size, difference=change, where=where))
    return changes, unknown, compared


def _change(select: str, before: EpochRow, row: EpochRow) -> str:
    return message(
        "change on {split} from {first} to {last}",
        split=noun_later(select),
        first=row_key(before),
        last=row_key(row),
    )
