"""Mean and standard deviation of each epoch, with the gap between the two compared groups."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reportgen.languages import message, noun, say
from reportgen.records.document import Number, Table, TableColumn, TableRow, Text
from reportgen.records.facts import EpochRow, Facts, GroupResult, Summary
from reportgen.records.quantity import Quantity
from reportgen.report._evidence import of_epoch, of_step
from reportgen.report._focus import Focus
from reportgen.report._names import group_key, short_name
from reportgen.report._numbers import epoch_number, printing_of, step_number, summary_beside
from reportgen.report._phrases import spelled
from reportgen.stats import difference_of

TABLE = "results.epochs"
MOST_COLUMNS = 6
_NEAR = 0.001
"""Share of a step by which the last evaluations of groups may be apart."""
Key = tuple[float, int]


def epoch_table(facts: Facts, focus: Focus) -> Table | None:
    """Return the table; None where no group has two runs or two evaluations."""
    groups = [g for g in focus.groups if _has_means(g)] if not focus.is_sweep else []
    keys = sorted({key for group in groups for key in _rows(group)})
    if len(keys) < 2:
        return None
    alone = [len(_distinct(sorted(_rows(group)))) == len(_rows(group)) for group in groups]
    keys = _distinct(keys) if all(alone) else keys
    shown = spread_out(keys, MOST_COLUMNS)
    rows = [
        TableRow(cells=(_label(facts, g, groups), *(_cell(facts, g, key) for key in shown)))
        for g in groups
    ]
    gaps = _gaps(facts, focus, shown)
    if gaps is not None:
        rows.append(gaps)
    by_epoch = all(epoch for epoch, _ in keys)
    head = say(
        "{split:cap} {metric}{unit}",
        split=noun(groups[0].report_split),
        metric=spelled(facts.study.metric.name),
        unit=" (%)" if printing_of(facts.groups, *groups).sign else "",
    )
    return Table(
        id=TABLE,
        caption=_caption(thinned=len(shown) < len(keys), by_epoch=by_epoch),
        columns=(
            TableColumn(title=head, wide=True),
            *(
                TableColumn(title=_head(facts, groups, key, by_epoch=by_epoch), align="center")
                for key in shown
            ),
        ),
        rows=tuple(rows),
    )


def spread_out(keys: Sequence[Key], most: int) -> list[Key]:
    """Return evenly spaced items, the first and the last among them.

    Example:
        >>> spread_out([(float(i), i) for i in range(9)], 3)
        [(0.0, 0), (4.0, 4), (8.0, 8)]
    """
    if len(keys) <= most:
        return list(keys)
    return [keys[round(i * (len(keys) - 1) / (most - 1))] for i in range(most)]


def _label(facts: Facts, group: GroupResult, groups: Sequence[GroupResult]) -> Text:
    return (short_name(facts, group),) if len(groups) > 1 else say("mean")


def _has_means(group: GroupResult) -> bool:
    split = group.report_split
    return sum(split in row.splits and row.splits[split].n > 1 for row in group.epochs) > 1


def _rows(group: GroupResult) -> dict[Key, EpochRow]:
    """Return the rows with a value on the reported split, by epoch, else by step."""
    known = all(row.epoch for row in group.epochs)
    once = len({row.epoch for row in group.epochs}) == len(group.epochs)
    return {
        (row.epoch if known else 0.0, 0 if known and once else row.step): row
        for row in group.epochs
        if group.report_split in row.splits and row.splits[group.report_split].n
    }


def _distinct(keys: Sequence[Key]) -> list[Key]:
    """Return the moments of several groups, of those that nearly coincide the last one."""
    follows = [*keys[1:], (math.inf, 0)]
    return [key for key, later in zip(keys, follows, strict=True) if not _is_near(key, later)]


def _is_near(one: Key, other: Key) -> bool:
    """Return whether two steps are so close that both end the same stretch of training."""
    return one[0] == other[0] == 0 and abs(one[1] - other[1]) <= _NEAR * other[1]


def _summary(group: GroupResult, key: Key) -> tuple[EpochRow, Summary] | None:
    rows = _rows(group)
    row = rows.get(key) or next((rows[one] for one in rows if _is_near(one, key)), None)
    return (row, row.splits[group.report_split]) if row is not None else None


def _summaries(group: GroupResult) -> list[tuple[EpochRow, Summary]]:
    return [(row, row.splits[group.report_split]) for row in _rows(group).values()]


def _cell(facts: Facts, group: GroupResult, key: Key) -> Text:
    found = _summary(group, key)
    if found is None:
        return ("—",)
    row, summary = found
    place = f"epoch{row.epoch:g}" if row.steps and row.epoch else f"step{row.step}"
    identifier = f"per_epoch.{group_key(facts, group)}.{place}.{group.report_split}"
    return summary_beside(identifier, summary, printing_of(facts.groups, group), group.report)


def _gaps(facts: Facts, focus: Focus, keys: Sequence[Key]) -> TableRow | None:
    """Return the row of the differences of the means, of the pair that is compared."""
    pair = focus.pair(facts)
    if pair is None:
        return None
    printing = printing_of(facts.groups, *pair)
    most = {group.name: max(s.n for _, s in _summaries(group)) for group in pair}
    cells: list[Text] = []
    for key in keys:
        found = [_summary(group, key) for group in pair]
        # A mean over fewer runs than at the start is of other runs: a gap would mislead.
        if any(one is None or one[1].n < most[g.name] for g, one in zip(pair, found, strict=True)):
            cells.append(("—",))
            continue
        first, second = (one[1].mean for one in found if one)
        what = message("difference of the means at this evaluation")
        gap = difference_of(first, second, what)
        name = f"{TABLE}.gap.{f'step{key[1]}' if key[1] else f'epoch{key[0]:g}'}"
        cells.append((printing.delta(name, gap),) if isinstance(gap, Quantity) else ("—",))
    if all(cell == ("—",) for cell in cells):
        return None
    head = say("gap")
    if len(focus.groups) > len(pair):
        one, other = (short_name(facts, group) for group in pair)
        head = say("{first} − {second}", first=one, second=other)
    return TableRow(cells=(head, *cells), kind="total")


def _head(facts: Facts, groups: Sequence[GroupResult], key: Key, *, by_epoch: bool) -> Text:
    """Return the epoch or the step of a column."""
    epoch, _ = key
    found = [(group, one[0]) for group in groups if (one := _summary(group, key)) is not None]
    row = found[0][1]
    name = f"{TABLE}.{f'epoch{epoch:g}' if by_epoch else f'step{row.step}'}"
    if not by_epoch:
        reading = Quantity(
            value=row.step,
            unit="step",
            method=message("step of the evaluation"),
            sources=of_step(facts.study, [group for group, _ in found], row.step),
        )
        return say("step {step}", step=step_number(name, reading))
    sources = tuple(
        evidence
        for group, one in found
        for cell in group.cells
        if cell.run is not None
        for evidence in of_epoch(cell.run, facts.study.metric, one.step_of(cell.run))
    )
    reading = Quantity(value=epoch, unit="epoch", method=message("epoch finished"), sources=sources)
    number: Number = epoch_number(name, reading)
    return say("epoch {epoch}", epoch=number)


def _caption(*, thinned: bool, by_epoch: bool) -> Text:
    text = say(
        "Mean ± standard deviation over the runs at each epoch."
        if by_epoch
        else "Mean ± standard deviation over the runs at each evaluation."
    )
    if thinned:
        text += (" ", *say("Some evaluations are left out here; the appendix has all."))
    return text
