"""Mean and standard deviation over seeds at each epoch, the groups side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.languages import message, noun, say, say_count, tell
from reportgen.records.document import (
    Block,
    Number,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import EpochRow, Facts, GroupResult, Summary
from reportgen.records.quantity import Quantity
from reportgen.report._evidence import Sources, of_cells, of_epoch, of_step, of_values
from reportgen.report._excerpts import (
    MOST_GROUPS,
    excerpt_of_courses,
    groups_number,
    thinned,
)
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import Printing, counted, epoch_number, mean_and_std, printing_of
from reportgen.report._phrases import (
    capital,
    joined,
    metric_words,
    name_of,
    section_of,
    sizes_words,
    spread_words,
    unit_words,
)

MOST_ROWS = 30
GROUPS_A_TABLE = 2
MOST_SINGLE = 4
MOST_OF_A_COURSE = 5  # rows of one of many groups that are printed on pages

_RowKey = tuple[float, int]


def build(facts: Facts) -> Section | None:
    """Return the section, or None where no group was evaluated more than once."""
    every = [g for g in facts.groups if len(g.epochs) > 1]
    if not every:
        return None
    groups = _shown(every)
    printing = printing_of(facts.groups)
    blocks: list[Block] = []
    for position, chunk in enumerate(_chunks(groups), start=1):
        identifier = "per_epoch.table" if position == 1 else f"per_epoch.table{position}"
        make = _table if len(chunk) <= GROUPS_A_TABLE else _long_table
        blocks.append(make(facts, chunk, printing, identifier))
    ends = all(row.epoch and row.epoch.is_integer() for g in groups for row in g.epochs)
    metric = metric_words(facts.study)
    title = tell(
        "{metric:cap} after each epoch" if ends else "{metric:cap} at each evaluation",
        metric=metric,
    )
    intro = say(
        "Each row gives the {metric} of the model as it stood after that epoch; no step is "
        "selected here."
        if ends
        else "Each row gives the {metric} of the model as it stood at that evaluation; no step is "
        "selected here.",
        metric=metric,
    )
    here = {id(group) for group in groups}
    text = (*intro, *_left(facts, [g for g in every if id(g) not in here]))
    return section_of("per_epoch", title, (Paragraph(text=text), *blocks))


def _left(facts: Facts, rest: list[GroupResult]) -> Text:
    """Say how many groups have no table."""
    if not rest:
        return ()
    runs = of_cells(facts.study, rest)
    n = counted("per_epoch.left", len(rest), message("groups left to the figures"), runs)
    if len(facts.groups) > MOST_GROUPS:
        said = say_count(
            "The course of {n} further group has no table; the figures draw some groups of so "
            "many, and the logs have all.",
            "The course of {n} further groups has no table; the figures draw some groups of so "
            "many, and the logs have all.",
            len(rest),
            n=n,
        )
        return (" ", *said)
    said = say_count(
        "The course of {n} further group is shown by the figures alone.",
        "The course of {n} further groups is shown by the figures alone.",
        len(rest),
        n=n,
    )
    return (" ", *said)


def _shown(groups: list[GroupResult]) -> list[GroupResult]:
    """Return the groups of several runs; where there are none, the first single runs."""
    repeated = [g for g in groups if any(s.n > 1 for row in g.epochs for s in row.splits.values())]
    return repeated or groups[:MOST_SINGLE]


def _chunks(groups: list[GroupResult]) -> Iterator[list[GroupResult]]:
    """Yield groups of one layout, at most two at a time: more columns fit no page.

    More than a dozen share one table, one below the other.
    """
    layouts: dict[str, list[GroupResult]] = {}
    for group in groups:
        layouts.setdefault(group.layout, []).append(group)
    for members in layouts.values():
        if len(members) > MOST_GROUPS:
            yield members
            continue
        for start in range(0, len(members), GROUPS_A_TABLE):
            yield members[start : start + GROUPS_A_TABLE]


def _aligned(groups: list[GroupResult]) -> dict[int, dict[_RowKey, EpochRow]]:
    """Return each group's rows by what aligns them: the epoch, and the step where needed.

    Two evaluations of one epoch (a validation after training ended) need their step too.
    """
    named = all(row.epoch for g in groups for row in g.epochs)
    once = all(len({row.epoch for row in g.epochs}) == len(g.epochs) for g in groups)
    return {
        id(g): {
            (row.epoch if named else 0.0, 0 if named and once else row.step): row
            for row in g.epochs
        }
        for g in groups
    }


def _splits(facts: Facts, group: GroupResult) -> tuple[str, ...]:
    """Return the splits a group is shown on: selection, then reporting."""
    wanted = dict.fromkeys((facts.study.metric.select_on, group.report_split))
    logged = {split for row in group.epochs for split in row.splits}
    return tuple(split for split in wanted if split in logged)


def _table(facts: Facts, groups: list[GroupResult], printing: Printing, identifier: str) -> Table:
    """Return the groups beside each other."""
    aligned = _aligned(groups)
    keys = sorted({key for rows in aligned.values() for key in rows})
    shown = thinned(keys, MOST_ROWS)
    varies = _varies(facts, groups)
    steps = [_step(groups, aligned, key) for key in shown]
    told = all(step is not None for step in steps) and not _count_epochs(groups)
    heads = (any(epoch for epoch, _ in keys), told)
    rows = []
    for key, step in zip(shown, steps, strict=True):
        cells = [
            _cell(facts, group, aligned[id(group)].get(key), split, varies=varies)
            for group in groups
            for split in _splits(facts, group)
        ]
        read = () if step is None else of_step(facts.study, groups, step)
        points = _points(facts, groups, aligned, key)
        head = _head(identifier, key, step, (points, read), heads)
        rows.append(TableRow(cells=(*head, *cells)))
    every = [[_points(facts, groups, aligned, key) for key in some] for some in (shown, keys)]
    left = _left_out(identifier, *every)
    columns = (
        *_head_columns(heads),
        *(
            TableColumn(title=(capital(noun(split)),), align="decimal", group=(group.label,))
            for group in groups
            for split in _splits(facts, group)
        ),
    )
    return Table(
        id=identifier,
        caption=_caption(facts, groups, printing, identifier, varies=varies),
        columns=columns,
        rows=tuple(rows),
        notes=(left,) if left else (),
    )


def _long_table(
    facts: Facts, groups: list[GroupResult], printing: Printing, identifier: str
) -> Table:
    """Return many groups, one below the other."""
    aligned, varies = _aligned(groups), _varies(facts, groups)
    every = [row for group in groups for row in group.epochs]
    with_step = not _count_epochs(groups) and not any(row.steps for row in every)
    heads = (any(row.epoch for row in every), with_step)
    wanted = dict.fromkeys(split for group in groups for split in _splits(facts, group))
    rows: list[TableRow] = []
    indices: dict[int, range] = {}
    shown: list[Sources] = []
    found: list[Sources] = []
    for group in groups:
        start, own = len(rows), aligned[id(group)]
        kept = thinned(sorted(own), MOST_ROWS)
        found += [_points(facts, [group], aligned, place) for place in own]
        key = f"{identifier}.{group_key(facts, group)}"
        for place in kept:
            row = own[place]
            label: Text = (group.label,) if len(rows) == start else ()
            read = of_step(facts.study, [group], row.step)
            points = _points(facts, [group], aligned, place)
            shown.append(points)
            head = _head(key, place, _step([group], aligned, place), (points, read), heads)
            cells = [_cell(facts, group, row, split, varies=varies) for split in wanted]
            rows.append(TableRow(cells=(label, *head, *cells)))
        indices[id(group)] = range(start, len(rows))
    splits = (TableColumn(title=(capital(noun(s)),), align="decimal") for s in wanted)
    left = _left_out(identifier, shown, found)
    return Table(
        id=identifier,
        caption=_caption(facts, groups, printing, identifier, varies=varies),
        columns=(TableColumn(title=say("Group"), wide=True), *_head_columns(heads), *splits),
        rows=tuple(rows),
        notes=(left,) if left else (),
        excerpt=excerpt_of_courses(facts, identifier, indices, MOST_OF_A_COURSE),
    )


def _count_epochs(groups: list[GroupResult]) -> bool:
    """Say whether every step is an epoch, so that one column says both."""
    return all(row.epoch == row.step for group in groups for row in group.epochs)


def _head_columns(heads: tuple[bool, bool]) -> tuple[TableColumn, ...]:
    """Return the columns of epoch and step, those of them that there are."""
    titles = (say("Epoch"), say("Step"))
    return tuple(
        TableColumn(title=title, align="right")
        for title, there in zip(titles, heads, strict=True)
        if there
    )


def _step(
    groups: list[GroupResult], aligned: dict[int, dict[_RowKey, EpochRow]], key: _RowKey
) -> int | None:
    """Return the step of a row, or None where the runs reach it at different steps."""
    found = [rows[key] for g in groups if key in (rows := aligned[id(g)])]
    steps = {None if row.steps else row.step for row in found}
    return steps.pop() if len(steps) == 1 else None


def _points(
    facts: Facts,
    groups: list[GroupResult],
    aligned: dict[int, dict[_RowKey, EpochRow]],
    key: _RowKey,
) -> Sources:
    """Return what tells the epoch of a row, for every run that was evaluated there."""
    return tuple(
        evidence
        for group in groups
        if key in (rows := aligned[id(group)])
        for cell in group.cells
        if cell.run is not None
        for evidence in of_epoch(cell.run, facts.study.metric, rows[key].step_of(cell.run))
    )


def _epoch_cell(identifier: str, key: _RowKey, step: int | None, points: Sources) -> Text:
    method = (
        message("epoch finished")
        if step is None
        else message("epoch finished at step {step}", step=step)
    )
    quantity = Quantity(value=key[0], unit="epoch", method=method, sources=points)
    return (epoch_number(f"{identifier}.{_spell(key)}.epoch", quantity),)


def _step_cell(identifier: str, key: _RowKey, step: int, points: Sources) -> Text:
    quantity = Quantity(
        value=step, unit="step", method=message("step of the evaluation"), sources=points
    )
    return (Number(id=f"{identifier}.{_spell(key)}.step", quantity=quantity, style="count"),)


def _head(
    identifier: str,
    key: _RowKey,
    step: int | None,
    sources: tuple[Sources, Sources],
    heads: tuple[bool, bool],
) -> list[Text]:
    """Return the cells of epoch and step, those of them that there are."""
    head: list[Text] = []
    if heads[0]:
        head.append(_epoch_cell(identifier, key, step, sources[0]))
    if heads[1] and step is not None:
        head.append(_step_cell(identifier, key, step, sources[1]))
    return head


def _spell(key: _RowKey) -> str:
    """Return a row's part of an id."""
    return f"step{key[1]}" if key[1] else f"epoch{key[0]:g}"


def _cell(
    facts: Facts,
    group: GroupResult,
    row: EpochRow | None,
    split: str,
    *,
    varies: bool,
) -> Text:
    summary = row.splits.get(split) if row is not None else None
    if row is None or summary is None or summary.n == 0:
        return ("—",)
    # The step, not the epoch: evaluations inside an epoch have epochs of many digits.
    place = f"epoch{row.epoch:g}" if row.steps else f"step{row.step}"
    key = f"per_epoch.{group_key(facts, group)}.{place}.{split}"
    text = mean_and_std(key, summary, printing_of(facts.groups, group))
    return (*text, " (n = ", _n(key, summary), ")") if varies else text


def _n(key: str, summary: Summary) -> Number:
    return counted(
        f"{key}.n", summary.n, message("runs with a value at this step"), of_values(summary)
    )


def _varies(facts: Facts, groups: list[GroupResult]) -> bool:
    """Return whether n is not the same in every cell that has a value."""
    counts = {
        row.splits[split].n
        for group in groups
        for split in _splits(facts, group)
        for row in group.epochs
        if split in row.splits
    }
    return len(counts - {0}) > 1


def _caption(
    facts: Facts,
    groups: list[GroupResult],
    printing: Printing,
    identifier: str,
    *,
    varies: bool,
) -> Text:
    study = facts.study
    shown = [s for g in groups for row in g.epochs for s in row.splits.values() if s.n]
    names = (
        joined([(name_of(group),) for group in groups])
        if len(groups) <= MOST_GROUPS
        else say(
            "each of {n} groups", n=groups_number(facts, f"{identifier}.caption.groups", groups)
        )
    )
    text = say(
        "{metric:cap}{unit} of {groups}: {spread}.",
        metric=metric_words(study),
        unit=unit_words(printing),
        groups=names,
        spread=spread_words(identifier, shown, groups, study),
    )
    if varies:
        text += (" ", *say("The number of runs is given in each cell because it varies."))
    return (*text, *sizes_words(identifier, study))


def _left_out(identifier: str, shown: Sequence[Sources], found: Sequence[Sources]) -> Text:
    """Say how many rows were left out, where some were; each has the points of its evaluation."""
    if len(shown) == len(found):
        return ()
    rows = message("evaluations of these groups")
    some, every = ([e for points in kept for e in points[:1]] for kept in (shown, found))
    return say(
        "{shown} of {found} evaluations are shown, evenly spaced and with the last one; the "
        "figures and report.json have them all.",
        shown=counted(f"{identifier}.shown", len(shown), message("rows shown"), some),
        found=counted(f"{identifier}.found", len(found), rows, every),
    )
