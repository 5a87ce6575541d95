"""The tables of the results: run by run or group by group, and the means along the way."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from reportgen.languages import message, noun, say, spoken
from reportgen.records.document import Code, Excerpt, Table, TableColumn, TableRow, Text
from reportgen.records.facts import EpochRow, Facts, GroupResult, RunResult, Summary
from reportgen.records.quantity import Missing, Quantity
from reportgen.report import phrases
from reportgen.report._focus import (
    MOST_FACTORS,
    MOST_SIDE_BY_SIDE,
    Factor,
    Focus,
    factors_of,
    knows_better,
    naming_factors,
    numbers_of,
    ranked,
    short_value,
)
from reportgen.report._run_readings import judged_once, made, once_after
from reportgen.report.names import LONG, cell_key, group_key, short_name
from reportgen.report.numbers import (
    Printing,
    counted,
    epoch_number,
    in_points,
    mean_and_std,
    of_cell,
    of_cell_seed,
    of_epoch,
    of_step,
    printing_of,
    seed_number,
    step_number,
    summary_beside,
)
from reportgen.stats import difference_of

TABLE = "results.table"
MOST_GROUPS = 10
"""Groups that pages show of a sweep."""
LEAST_EPOCH = 0.1
"""Runs whose best step lies before this part of an epoch are followed by step."""
_SIDES = 2
"""Groups that stand side by side, with a row for each seed."""


def results_table(facts: Facts, focus: Focus) -> Table | None:
    """Return the table of the body; None of a single run, which a sentence tells of."""
    if focus.is_sweep:
        return groups_table(facts, ranked(facts, focus.groups), TABLE)
    few = len(focus.groups) <= MOST_SIDE_BY_SIDE
    groups = [group for group in focus.groups if few or group.report.n]
    cells = [cell for group in groups for cell in group.cells]
    if len(cells) < 2 or not any(isinstance(cell.report_value, Quantity) for cell in cells):
        return None
    if _side_by_side(facts, focus):
        return _by_seed(facts, focus)
    return runs_table(facts, groups, TABLE)


def _side_by_side(facts: Facts, focus: Focus) -> bool:
    """Return whether two groups share their seeds, so that a row can be a seed."""
    seeds = [{cell.seed for cell in group.cells} for group in focus.groups]
    short = all(len(short_name(facts, group)) <= LONG for group in focus.groups)
    return short and len(seeds) == _SIDES and focus.has_seeds and len(seeds[0] & seeds[1]) > 1


# --- columns of a run -----------------------------------------------------------------


class _Shown:
    """Which columns the runs of some groups have; constant and empty ones are left out."""

    def __init__(self, facts: Facts, groups: Sequence[GroupResult]) -> None:
        cells = [cell for group in groups for cell in group.cells]
        self.facts, self.groups = facts, groups
        self.chosen = not facts.selection.is_last
        self.by_epoch = _by_epoch(cells)
        place = [cell.best_epoch if self.by_epoch else cell.best_step for cell in cells]
        known = [one.value for one in place if isinstance(one, Quantity)]
        chose = self.chosen and not judged_once(facts, groups)
        self.place = bool(known) and (len(set(known)) > 1 or chose)
        select = facts.study.metric.select_on
        valued = any(isinstance(cell.select_value, Quantity) for cell in cells)
        self.select = self.chosen and valued and any(g.report_split != select for g in groups)

    def titles(self) -> list[Text]:
        """Return the heads: epoch or step, validation, test."""
        heads: list[Text] = []
        if self.place:
            heads.append((noun("epoch" if self.by_epoch else "step"),))
        if self.select:
            heads.append((noun(self.facts.study.metric.select_on),))
        splits = dict.fromkeys(group.report_split for group in self.groups)
        named = [noun(split) for split in splits if split]
        heads.append(
            (" / ".join(named),) if named else (phrases.spelled(self.facts.study.metric.name),)
        )
        return heads

    def values(self, group: GroupResult, cell: RunResult, printing: Printing) -> list[Text]:
        """Return the cells of one run."""
        key = f"best_step.{group_key(self.facts, group)}.{cell_key(group, cell)}"
        found: list[Text] = []
        if self.place:
            found.append(
                (epoch_number(f"{key}.best_epoch", cell.best_epoch),)
                if self.by_epoch
                else (step_number(f"{key}.best_step", cell.best_step),)
            )
        if self.select:
            found.append((printing.one(f"{key}.select_value", cell.select_value),))
        found.append((printing.one(f"{key}.report_value", cell.report_value),))
        return found

    def means(self, group: GroupResult, printing: Printing) -> list[Text]:
        """Return the cells of the row with the mean of a group."""
        key = f"best_step.{group_key(self.facts, group)}"
        found: list[Text] = [()] if self.place else []
        if self.select:
            found.append((printing.mean(f"{key}.select.mean", group.select.mean),))
        found.append(mean_and_std(f"{key}.report", group.report, printing))
        return found

    def columns(self, group: Text = ()) -> list[TableColumn]:
        """Return the columns of one group's values."""
        heads = self.titles()
        aligns = ["right"] * self.place + ["decimal"] * (len(heads) - self.place)
        return [
            TableColumn(title=head, align=align, group=group)
            for head, align in zip(heads, aligns, strict=True)
        ]


def _by_epoch(cells: Sequence[RunResult]) -> bool:
    """Return whether every chosen step has an epoch that two decimals tell from others."""
    chosen = [cell for cell in cells if isinstance(cell.best_step, Quantity)]
    return bool(chosen) and all(
        isinstance(cell.best_epoch, Quantity) and cell.best_epoch.value >= LEAST_EPOCH
        for cell in chosen
    )


def _by_seed(facts: Facts, focus: Focus) -> Table:
    """Return two groups side by side, a row a seed."""
    shown = _Shown(facts, focus.groups)
    printing = {g.name: printing_of(facts.groups, g) for g in focus.groups}
    seeds = sorted({cell.seed for g in focus.groups for cell in g.cells if cell.seed is not None})
    rows = []
    absent: list[Text] = [("—",)] * len(shown.titles())
    for seed in seeds:
        values: list[Text] = [_seed(facts, focus.groups, seed)]
        for group in focus.groups:
            cell = next((cell for cell in group.cells if cell.seed == seed), None)
            values += shown.values(group, cell, printing[group.name]) if cell else absent
        rows.append(TableRow(cells=tuple(values)))
    if any(group.report.n > 2 for group in focus.groups):
        means: list[Text] = [say("mean")]
        for group in focus.groups:
            means += shown.means(group, printing[group.name])
        rows.append(TableRow(cells=tuple(means), kind="summary"))
    columns = [TableColumn(title=say("Seed"), align="right")]
    for group in focus.groups:
        columns += shown.columns((short_name(facts, group),))
    return Table(
        id=TABLE,
        caption=_caption(facts, focus.groups),
        columns=tuple(columns),
        rows=tuple(rows),
        notes=_notes(facts, focus.groups),
    )


def _seed(facts: Facts, groups: Sequence[GroupResult], seed: int) -> Text:
    found = [(g, cell) for g in groups for cell in g.cells if cell.seed == seed]
    sources = [of_cell_seed(facts.study, group, cell) for group, cell in found]
    return (seed_number(f"{TABLE}.seed{seed}", seed, sources),)


def runs_table(facts: Facts, groups: Sequence[GroupResult], identifier: str) -> Table:
    """Return groups one below the other, a row a run, the mean of three runs and more below."""
    shown = _Shown(facts, groups)
    several = len(groups) > 1
    alone = all(len(group.cells) == 1 for group in groups)
    rows: list[TableRow] = []
    printings = _printings(facts, groups)
    for group in groups:
        printing = printings[group.name]
        for place, cell in enumerate(group.cells):
            label: list[Text] = [(short_name(facts, group),) if place == 0 else ()]
            name: list[Text] = [run_name(facts, group, cell, identifier)]
            head = (label if several or alone else []) + ([] if alone else name)
            rows.append(TableRow(cells=(*head, *shown.values(group, cell, printing))))
        if group.report.n > 2:
            head = ([()] if several else []) + [say("mean")]
            rows.append(TableRow(cells=(*head, *shown.means(group, printing)), kind="summary"))
    seeds = all(phrases.has_seeds(group) for group in groups)
    columns = [TableColumn(title=_head(groups), wide=True)] if several or alone else []
    if not alone:
        columns.append(TableColumn(title=say("Seed" if seeds else "Run")))
    return Table(
        id=identifier,
        caption=_caption(facts, groups),
        columns=(*columns, *shown.columns()),
        rows=tuple(rows),
        notes=_notes(facts, groups),
    )


def _printings(facts: Facts, groups: Sequence[GroupResult]) -> dict[str, Printing]:
    """Return how rows print their values: percentages of a column with the same decimals."""
    together = printing_of(facts.groups, *groups)
    return {g.name: together if together.sign else printing_of(facts.groups, g) for g in groups}


def _head(groups: Sequence[GroupResult]) -> Text:
    """Return the head of a column of names."""
    return say("Run") if all(len(group.cells) <= 1 for group in groups) else say("Group")


def run_name(facts: Facts, group: GroupResult, cell: RunResult, identifier: str) -> Text:
    """Return the seed of a run, else the folder that tells it apart."""
    if cell.seed is None or not phrases.has_seeds(group):
        return (Code(phrases.run_words(group, cell)),)
    key = f"{identifier}.{group_key(facts, group)}.{cell_key(group, cell)}"
    read = of_cell_seed(facts.study, group, cell)
    return (seed_number(f"{key}.seed", cell.seed, (read,)),)


def _caption(facts: Facts, groups: Sequence[GroupResult]) -> Text:
    return say(
        "{metric:cap}{unit} of each run."
        if judged_once(facts, groups)
        else "{metric:cap}{unit} at the last step of each run."
        if facts.selection.is_last
        else "{metric:cap}{unit} of each run: the best one on {select}; on {report} once, after "
        "training."
        if once_after(facts, groups)
        else "{metric:cap}{unit} of each run at the epoch with the best {select} {metric}."
        if _by_epoch([cell for group in groups for cell in group.cells])
        else "{metric:cap}{unit} of each run at the step with the best {select} {metric}.",
        metric=phrases.spelled(facts.study.metric.name),
        unit=_unit(facts, groups),
        select=noun(facts.study.metric.select_on),
        report=noun(next((group.report_split for group in groups if group.report.n), "")),
    )


def _unit(facts: Facts, groups: Sequence[GroupResult]) -> str:
    return f" ({spoken().percent_mark.strip()})" if printing_of(facts.groups, *groups).sign else ""


def _notes(facts: Facts, groups: Sequence[GroupResult]) -> tuple[Text, ...]:
    """Return what a dash stands for."""
    if not any(isinstance(c.report_value, Missing) for group in groups for c in group.cells):
        return ()
    brief = facts.study.report.detail == "brief"
    return (say("—: no result." if brief else "—: no result; the reasons stand in the appendix."),)


# --- group by group -------------------------------------------------------------------


def groups_table(facts: Facts, order: Sequence[GroupResult], identifier: str) -> Table | None:
    """Return ranked groups with their factors as columns; pages show the first ten."""
    if not order:
        return None
    factors = naming_factors(order)
    named = bool(factors)
    factors = factors or _with_numbers(order)
    columns = [] if named else [TableColumn(title=_head(order), wide=True)]
    columns += [TableColumn(title=(Code(factor.name),)) for factor in factors]
    counts = len({group.report.n for group in order}) > 1
    columns += [TableColumn(title=("n",), align="right")] if counts else []
    select = not facts.selection.is_last and any(
        g.report_split != facts.study.metric.select_on for g in order
    )
    if select:
        columns.append(
            TableColumn(
                title=(phrases.capital(noun(facts.study.metric.select_on)),), align="decimal"
            )
        )
    split = noun(order[0].report_split) if order[0].report_split else ""
    head: Text = (phrases.capital(split),) if split else (phrases.spelled(facts.study.metric.name),)
    columns.append(TableColumn(title=head, align="decimal"))
    rows = []
    printings = _printings(facts, order)
    for group in order:
        key, printing = f"{identifier}.{group_key(facts, group)}", printings[group.name]
        cells: list[Text] = [] if named else [(short_name(facts, group),)]
        cells += [_factor(factor, group) for factor in factors]
        if counts:
            cells.append((phrases.result_n(f"{key}.n", group, facts.study),))
        if select:
            cells.append((printing.mean(f"{key}.select", group.select.mean),))
        cells.append(mean_and_std(f"{key}.report", group.report, printing))
        rows.append(TableRow(cells=tuple(cells)))
    return Table(
        id=identifier,
        caption=_groups_caption(facts, order),
        columns=tuple(columns),
        rows=tuple(rows),
        excerpt=_first_ten(facts, order, identifier),
    )


def _with_numbers(order: Sequence[GroupResult]) -> list[Factor]:
    """Return what groups differ in, and numbers that no two of them share and no name states."""
    own = [factor for factor, _ in numbers_of(order) if _is_told(factor, order)]
    return [*own, *(one for one in factors_of(order) if one not in own)][:MOST_FACTORS]


def _is_told(factor: Factor, order: Sequence[GroupResult]) -> bool:
    return not all(factor.values[group.name] in group.label for group in order)


def _factor(factor: Factor, group: GroupResult) -> Text:
    value = factor.values[group.name]
    return (Code(short_value(value)),) if value else ("—",)


def _groups_caption(facts: Facts, order: Sequence[GroupResult]) -> Text:
    several, best = any(group.report.n > 1 for group in order), knows_better(facts)
    return say(
        "{metric:cap}{unit} by group, the best first: mean ± standard deviation of its runs."
        if several and best
        else "{metric:cap}{unit} by group, the largest first: mean ± standard deviation of its "
        "runs."
        if several
        else "{metric:cap}{unit} by run, the best first."
        if best
        else "{metric:cap}{unit} by run, the largest first.",
        metric=phrases.spelled(facts.study.metric.name),
        unit=_unit(facts, order),
    )


def _first_ten(facts: Facts, order: Sequence[GroupResult], identifier: str) -> Excerpt | None:
    if len(order) <= MOST_GROUPS + 2:
        return None
    sources = [of_cell(facts.study, group, group.cells[0]) for group in order if group.cells]
    every = counted(f"{identifier}.groups", len(order), message("groups of runs"), sources)
    return Excerpt(
        rows=tuple(range(MOST_GROUPS)),
        note=say(
            "The ten best of {n} {things}." if knows_better(facts) else "Ten of {n} {things}.",
            n=every,
            things=phrases.things(order),
        ),
    )


def difference_text(facts: Facts, focus: Focus, prefix: str) -> Text:
    """Return the headline difference with its interval; nothing without one."""
    if focus.comparison is None:
        return ()
    pair = focus.pair(facts) or ()
    printing = printing_of(facts.groups, *pair)
    shown = in_points(printing, printing.delta(f"{prefix}.difference", focus.comparison.difference))
    if isinstance(focus.comparison.low, Missing):
        return shown
    return say(
        "{difference} ({level} interval {low} to {high})",
        difference=shown,
        level=phrases.level(facts.study),
        low=printing.delta(f"{prefix}.low", focus.comparison.low),
        high=printing.delta(f"{prefix}.high", focus.comparison.high),
    )


# --- the means along the way ----------------------------------------------------------


EPOCHS = "results.epochs"
MOST_COLUMNS = 6
_NEAR = 0.001
"""Share of a step by which the last evaluations of groups may be apart."""
Key = tuple[float, int]


def epoch_table(facts: Facts, focus: Focus, named: Sequence[EpochRow] = ()) -> Table | None:
    """Return the table; None where no group has two runs or two evaluations.

    Args:
        facts: Everything.
        focus: The groups of the body.
        named: Evaluations that the text names; they are shown, whatever else is left out.
    """
    groups = [g for g in focus.groups if _has_means(g)] if not focus.is_sweep else []
    keys = sorted({key for group in groups for key in _rows(group)})
    if len(keys) < 2:
        return None
    alone = [len(_distinct(sorted(_rows(group)))) == len(_rows(group)) for group in groups]
    keys = _distinct(keys) if all(alone) else keys
    told = {id(row) for row in named}
    kept = {key for group in groups for key, row in _rows(group).items() if id(row) in told}
    # Instead of a note that one is left out there is room for that one.
    shown = keys if len(keys) == MOST_COLUMNS + 1 else spread_out(keys, MOST_COLUMNS, kept)
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
        metric=phrases.spelled(facts.study.metric.name),
        unit=" (%)" if printing_of(facts.groups, *groups).sign else "",
    )
    return Table(
        id=EPOCHS,
        caption=_epochs_caption(thinned=len(shown) < len(keys), by_epoch=by_epoch),
        notes=(say("—: not every run was evaluated there."),)
        if any(cell == ("—",) for row in rows for cell in row.cells)
        else (),
        columns=(
            TableColumn(title=head, wide=True),
            *(
                TableColumn(
                    title=_epoch_head(facts, groups, key, by_epoch=by_epoch), align="center"
                )
                for key in shown
            ),
        ),
        rows=tuple(rows),
    )


def spread_out(keys: Sequence[Key], most: int, kept: Collection[Key] = ()) -> list[Key]:
    """Return evenly spaced items, the first, the last and those to be kept among them.

    Example:
        >>> keys = [(float(i), i) for i in range(9)]
        >>> spread_out(keys, 3), spread_out(keys, 3, [keys[3]])
        ([(0.0, 0), (4.0, 4), (8.0, 8)], [(0.0, 0), (3.0, 3), (8.0, 8)])
    """
    if len(keys) <= most:
        return list(keys)
    places = [round(i * (len(keys) - 1) / (most - 1)) for i in range(most)]
    wanted = [place for place, key in enumerate(keys) if key in kept]
    for place in wanted:
        free = [one for one in places[1:-1] if one not in wanted]
        if place not in places and free:
            places[places.index(min(free, key=lambda one: abs(one - place)))] = place
    return [keys[place] for place in sorted(places)]


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
        name = f"{EPOCHS}.gap.{f'step{key[1]}' if key[1] else f'epoch{key[0]:g}'}"
        cells.append((printing.delta(name, gap),) if isinstance(gap, Quantity) else ("—",))
    if 2 * cells.count(("—",)) > len(cells):
        return None
    head = say("gap")
    if len(focus.groups) > len(pair):
        one, other = (short_name(facts, group) for group in pair)
        head = say("{first} − {second}", first=one, second=other)
    return TableRow(cells=(head, *cells), kind="total")


def _epoch_head(facts: Facts, groups: Sequence[GroupResult], key: Key, *, by_epoch: bool) -> Text:
    """Return the epoch or the step of a column."""
    epoch, _ = key
    found = [(group, one[0]) for group in groups if (one := _summary(group, key)) is not None]
    row = found[0][1]
    name = f"{EPOCHS}.{f'epoch{epoch:g}' if by_epoch else f'step{row.step}'}"
    if not by_epoch:
        points = of_step(facts.study, [group for group, _ in found], row.step)
        reading = made(row.step, message("step of the evaluation"), points, "step")
        return say("step {step}", step=step_number(name, reading))
    points = tuple(
        evidence
        for group, one in found
        for cell in group.cells
        if cell.run is not None
        for evidence in of_epoch(cell.run, facts.study.metric, one.step_of(cell.run))
    )
    reading = made(epoch, message("epoch finished"), points, "epoch")
    return say("epoch {epoch}", epoch=epoch_number(name, reading))


def _epochs_caption(*, thinned: bool, by_epoch: bool) -> Text:
    text = say(
        "Mean ± standard deviation over the runs at each epoch."
        if by_epoch
        else "Mean ± standard deviation over the runs at each evaluation."
    )
    return phrases.sentences((text, say("Some evaluations are left out.") if thinned else ()))
