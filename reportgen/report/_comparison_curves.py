"""Sentences about the distance of two groups, each true by construction.

Every function looks at the facts, decides which of its sentences holds, and returns that
one, or None where none does. Nothing is said about causes.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from reportgen.languages import message, metric_later, noun, noun_later, say, tell
from reportgen.records.document import Text
from reportgen.records.facts import EpochRow, GroupResult
from reportgen.records.quantity import Quantity
from reportgen.report._comparison_absent import absent_runs, in_brackets
from reportgen.report._comparison_pair import (
    Pair,
    each_of,
    is_complete,
    moment,
    row_key,
    when,
)
from reportgen.report._phrases import (
    joined,
    name_of,
)
from reportgen.report._points import in_points
from reportgen.stats import difference_of


def ordering(pair: Pair) -> Text | None:
    """Say which group lies above at how many epochs, on each split."""
    said: dict[str, list[str]] = {}
    for split in pair.splits:
        gaps = _gaps(pair, split)
        if gaps:
            sentence = _ordering_on(pair, gaps) + _left_out_rows(pair, split, gaps)
            said.setdefault(sentence, []).append(noun(split))
    if not said:
        return None
    return (" ".join(_on(splits, sentence) for sentence, splits in said.items()),)


def _on(splits: Sequence[str], sentence: str) -> str:
    if len(splits) == 1:
        return tell("On {split}, {sentence}", split=splits[0], sentence=sentence)
    return tell(
        "On {first} and on {second}, {sentence}",
        first=splits[0],
        second=splits[1],
        sentence=sentence,
    )


def _ordering_on(pair: Pair, gaps: list[tuple[EpochRow, Quantity]]) -> str:
    """Return the sentence of one split, without the split."""
    printed = [(row, pair.printing.rounded(gap)) for row, gap in gaps]
    above = [row for row, gap in printed if gap > 0]
    below = [row for row, gap in printed if gap < 0]
    equal = [row for row, gap in printed if gap == 0]
    exact = all(gap.value == 0 for row, gap in gaps if row in equal)
    rows, other = [row for row, _ in gaps], name_of(pair.second)
    parts: list[str] = []
    for members, relation in (
        (above, "above"),
        (below, "below"),
        (equal, "equal" if exact else "equal as printed"),
    ):
        if members:
            text = (_THEN if parts else _FIRST)[relation]
            at = _at_every(rows) if len(members) == len(rows) else when(members, rows)
            parts.append(tell(text, when=at) if parts else tell(text, other=other, when=at))
    return tell(
        "the mean {metric} of {group} {relations}.",
        metric=pair.metric,
        group=name_of(pair.first),
        relations=_and(parts),
    )


_FIRST = {
    "above": message("lies above that of {other} at {when}"),
    "below": message("lies below that of {other} at {when}"),
    "equal": message("equals that of {other} at {when}"),
    "equal as printed": message("equals that of {other}, as printed, at {when}"),
}
_THEN = {
    "below": message("lies below it at {when}"),
    "equal": message("equals it at {when}"),
    "equal as printed": message("equals it, as printed, at {when}"),
}


def _at_every(rows: Sequence[EpochRow]) -> str:
    if len(rows) == 1:
        return moment(rows[0])
    return tell("each of the {every}", every=each_of(rows))


def _and(parts: list[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return tell("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])


def _gaps(pair: Pair, split: str) -> list[tuple[EpochRow, Quantity]]:
    """Return the difference of the two means at each row that all runs reach, on one split."""
    found: list[tuple[EpochRow, Quantity]] = []
    for left, right in pair.rows:
        if all(is_complete(pair, g, r, split) for (_, g), r in _both(pair, left, right)):
            metric = pair.facts.study.metric.name
            what = message(
                "gap of the mean {split} {metric} at {moment}",
                split=noun_later(split),
                metric=metric_later(metric),
                moment=row_key(left),
            )
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
    shared, absent = _without_gap(pair, split, gaps)
    if not absent:
        return ""
    places = [(pair.first, [row for row, _ in absent]), (pair.second, [row for _, row in absent])]
    sentence = tell(
        "Left out, for not every run has a value there: {when}{runs}.",
        when=when([row for row, _ in absent], shared),
        runs=in_brackets(absent_runs(pair, split, places)),
    )
    return f" {sentence}"


def _without_gap(
    pair: Pair, split: str, gaps: Sequence[tuple[EpochRow, Quantity]]
) -> tuple[list[EpochRow], list[tuple[EpochRow, EpochRow]]]:
    """Return the rows that both groups have on a split, and those of them without a gap."""
    kept = [row.step for row, _ in gaps]
    shared = [(row, o) for row, o in pair.rows if split in row.splits and split in o.splits]
    return [row for row, _ in shared], [both for both in shared if both[0].step not in kept]


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
        return say(
            "At the best step the ranges of {first} and {second} overlap: neither has all its runs "
            "above those of the other.",
            first=name_of(pair.first),
            second=name_of(pair.second),
        )
    sign = pair.printing.sign
    return say(
        "At the best step every run of {upper} lies above every run of {lower}: the lowest {split} "
        "{metric} of the former is {low}, the highest of the latter {high}.",
        upper=name_of(upper),
        lower=name_of(lower),
        split=noun(upper.report_split),
        metric=pair.metric,
        low=(pair.printing.one(f"{pair.prefix}.lowest", low), sign),
        high=(pair.printing.one(f"{pair.prefix}.highest", high), sign),
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
    widest = say(
        "The gap between the mean {split} {metric} of {first} and that of {second} is widest at "
        "{widest} and narrowest at {narrowest}.",
        split=noun(split),
        metric=pair.metric,
        first=name_of(pair.first),
        second=name_of(pair.second),
        widest=_at_size(pair, gaps, max(sizes), "widest"),
        narrowest=_at_size(pair, gaps, min(sizes), "narrowest"),
    )
    rows, absent = _without_gap(pair, split, gaps)
    whole = not any(row is rows[0] or row is rows[-1] for row, _ in absent)
    changed = _change(pair, first, last, whole=whole)
    course = say(
        changed,
        first=number(f"{pair.prefix}.gap_first", first),
        start=moment(start),
        last=number(f"{pair.prefix}.gap_last", last),
        end=moment(end),
    )
    return (*widest, " ", *course, _left_out_rows(pair, split, gaps))


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
        parts.append(say("{when} ({gap})", when=at, gap=in_points(pair.printing, number)))
    return joined(parts)


def _change(pair: Pair, first: Quantity, last: Quantity, *, whole: bool) -> str:
    """Return the message of how the gap at the end compares with that at the start, as printed.

    Args:
        pair: Rounds.
        first: Gap at the first row that every run has.
        last: Gap at the last one.
        whole: Whether these are the first and the last of all rows.
    """
    start, end = pair.printing.rounded(first), pair.printing.rounded(last)
    if start * end < 0:
        return message("It changes its sign: {first} at {start}, {last} at {end}.")
    if not whole:
        return _CHANGE_OF_SOME[_sign(abs(end) - abs(start))]
    return _CHANGE_OF_ALL[_sign(abs(end) - abs(start))]


def _sign(number: Decimal) -> int:
    return (number > 0) - (number < 0)


# By the sign of what the gap grows by.
_CHANGE_OF_ALL = {
    0: message("It is the same at the end as at the start: {first} at {start}, {last} at {end}."),
    -1: message(
        "It is narrower at the end than at the start: {first} at {start}, {last} at {end}."
    ),
    1: message("It is wider at the end than at the start: {first} at {start}, {last} at {end}."),
}
_CHANGE_OF_SOME = {
    0: message(
        "Where every run has a value, it is the same at last as at first: {first} at {start}, "
        "{last} at {end}."
    ),
    -1: message(
        "Where every run has a value, it is narrower at last than at first: {first} at {start}, "
        "{last} at {end}."
    ),
    1: message(
        "Where every run has a value, it is wider at last than at first: {first} at {start}, "
        "{last} at {end}."
    ),
}
