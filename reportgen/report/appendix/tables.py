"""What the tables of the appendix share: sections, names, and no column that says nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from reportgen.languages import message, say, say_count, tell
from reportgen.records import document as doc
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.record import field, record, replace
from reportgen.records.run import Run, Series
from reportgen.report import phrases
from reportgen.report._focus import focus_of, ranked_by_task
from reportgen.report._results_figure import TITLES, Axes, curve_panels, curves_figure
from reportgen.report.names import short_name
from reportgen.report.numbers import (
    count_of,
    counted,
    epoch_number,
    of_cells,
    of_point,
    of_run,
    of_series,
    one_a_run,
    step_number,
)
from reportgen.stats import course_of, divide, finite_mask

MOST_GROUPS = 12
"""Groups that all have their rows on pages."""
MOST_ROWS = 60
"""Rows that a table has on pages; of more, some are printed."""
PRINTED = 24
"""Rows of a longer table that are printed."""
Item = TypeVar("Item")

DASH: doc.Text = ("—",)
"""What stands in a cell without a value."""


def appendix_section(
    identifier: str, title: str, blocks: Sequence[doc.Block]
) -> doc.Section | None:
    """Return a section of the appendix; None where it has nothing to say."""
    if not blocks:
        return None
    return doc.Section(id=identifier, title=title, blocks=tuple(blocks), appendix=True)


def paragraph(*texts: doc.Text) -> list[doc.Block]:
    """Return sentences as one paragraph; nothing where all are empty.

    Example:
        >>> paragraph((), ("One.",), ("Two.",))
        [Paragraph(text=('One.', ' ', 'Two.'), id='')]
    """
    said = phrases.sentences(texts)
    return [doc.Paragraph(text=said)] if said else []


def lowered(words: doc.Text) -> doc.Text:
    """Return a head or a label as it stands inside a sentence.

    Example:
        >>> lowered(("Batch size",)), lowered(("SHA-256",))
        (('batch size',), ('SHA-256',))
    """
    first = words[0] if words else ""
    if not isinstance(first, str) or first != phrases.capital(first.lower()):
        return words
    return (first.lower(), *words[1:])


def leaned(table: doc.Table, may_go: Collection[int]) -> doc.Table:
    """Return a table without empty columns; what is the same in every row is said once below.

    Args:
        table: With every column that it may have.
        may_go: Columns that may be left out.

    Example:
        >>> from reportgen.report.phrases import plain_table
        >>> titles = [(name,) for name in ("Run", "Layout", "Seed")]
        >>> rows = [((run,), ("fairseq",), ()) for run in "ab"]
        >>> table = leaned(plain_table("runs", ("Runs.",), titles, rows), (1, 2))
        >>> [column.title for column in table.columns], table.notes
        ([('Run',)], (('In every row: layout fairseq.',),))
    """
    kept: list[int] = []
    same: list[doc.Text] = []
    for index, column in enumerate(table.columns):
        told = [cell for row in table.rows if (cell := row.cells[index])]
        meanings = {meaning_of(cell) for cell in told}
        ones = len(meanings) == 1 and _is_one(told[0])
        alone = len(told) == 1 and told[0] != DASH and not ones
        if index not in may_go or len(meanings) > 1 or alone:
            kept.append(index)
        elif told and meanings != {DASH} and not ones:
            sign = " " if column.align == "left" else " = "
            same.append((*lowered(column.title), sign, *told[0]))
    said = [say("In every row: {cells}.", cells=phrases.listed(same))] if same else []
    return replace(
        table,
        columns=tuple(table.columns[index] for index in kept),
        rows=tuple(replace(row, cells=tuple(row.cells[i] for i in kept)) for row in table.rows),
        notes=(*table.notes, *said),
    )


def _is_one(cell: doc.Text) -> bool:
    """Return whether a cell counts one, which nobody needs to be told of every row."""
    numbers = [node for node in cell if isinstance(node, doc.Number) and node.style == "count"]
    return len(numbers) == len(cell) == 1 and getattr(numbers[0].quantity, "value", 0) == 1


def meaning_of(cell: doc.Text) -> tuple[Hashable, ...]:
    """Return what a cell says, whatever the ids of its numbers are."""
    found: list[Hashable] = []
    for node in cell:
        if isinstance(node, doc.Strong):
            found += meaning_of(node.content)
        elif not isinstance(node, doc.Number):
            found.append(node)
        elif isinstance(node.quantity, Missing):
            found += DASH
        else:
            found.append((node.quantity.value, node.style, node.decimals))
    return tuple(found)


def excerpt_of_groups(
    facts: Facts, key: str, rows: Mapping[str, Sequence[int]], also: Sequence[int] = ()
) -> doc.Excerpt | None:
    """Choose from a long table the first rows of each group, of many groups the best ones.

    Every row is in the HTML of the report and in a CSV file beside it.

    Args:
        facts: What the analysis found.
        key: Id of the table.
        rows: Name of each group to the indices of its rows, in the order of the table.
        also: Rows that belong to no group, such as a difference; they come last.
    """
    count = sum(map(len, rows.values()))
    if count <= MOST_ROWS and len(rows) <= MOST_GROUPS:
        return None
    families = ranked_by_task(facts)
    best = [group.name for family in families for group in family]
    body = {group.name for group in focus_of(facts).groups}
    order = [name for name in dict.fromkeys((*best, *rows)) if name in rows]
    order.sort(key=lambda name: name not in body)
    single = count == len(rows)
    shown = order[: MOST_GROUPS if single else MOST_GROUPS // 2]
    each = max(1, PRINTED // len(shown))
    chosen = [index for name in order if name in body for index in rows[name]]
    if single or not 0 < len(chosen) <= PRINTED:
        body, chosen = set(), []
    others = [index for name in shown if name not in body for index in list(rows[name])[:each]]
    chosen = [*chosen, *others][: max(PRINTED, len(shown))]
    numbers = _shown_of(facts, key, len(chosen), count)
    note = (
        say("{shown} of {all} rows are printed, the best groups first.", **numbers)
        if len(families) == 1
        else say("{shown} of {all} rows are printed.", **numbers)
    )
    return doc.Excerpt(rows=(*chosen, *also), note=note)


def excerpt_of_top(facts: Facts, key: str, count: int, most: int, shown: int) -> doc.Excerpt | None:
    """Choose the first rows, `shown` of them, of a table that has more than `most`."""
    if count <= most:
        return None
    numbers = _shown_of(facts, key, shown, count)
    note = say("The first {shown} of {all} rows are printed.", **numbers)
    return doc.Excerpt(rows=tuple(range(shown)), note=note)


def _shown_of(facts: Facts, key: str, shown: int, count: int) -> dict[str, doc.Number]:
    sources = [of_run(run, facts.study.metric) for run in facts.runs]
    return {
        "shown": counted(f"{key}.first", shown, message("rows printed"), sources),
        "all": counted(f"{key}.all", count, message("rows of the table"), sources),
    }


def thinned(items: Sequence[Item], most: int) -> Sequence[Item]:
    """Return evenly spaced items with the last one among them, where there are too many.

    Example:
        >>> thinned((1, 2, 3, 4, 5, 6, 7), 3)
        (1, 4, 7)
    """
    if len(items) <= most:
        return items
    stride = -(-len(items) // most)
    return items[(len(items) - 1) % stride :: stride]


# --- evaluations on a grid ------------------------------------------------------------


MOST_COLUMNS = 10
"""Evaluations that have a column each."""
MOST_LINES = 12
"""Lines that have a column each, where evaluations are too many to have one."""
MOST_PLACES = 200
"""Evaluations that have a row each."""
PRINTED_ROWS = 20
"""Evaluations that are printed on pages, those that were chosen among them."""
NEAR = 0.005
"""Part of a step by which the same evaluation of two runs may lie apart."""


@record
class Member:
    """A curve of a run, with its group."""

    group: GroupResult
    cell: RunResult
    run: Run
    series: Series

    @property
    def chosen(self) -> int | None:
        """Step of the value that is reported: the best one, else the last; None without one."""
        best = self.cell.best_step
        if isinstance(best, Quantity):
            return int(best.value)
        reported = isinstance(self.cell.report_value, Quantity) and len(self.series)
        return int(self.series.steps[-1]) if reported else None


@record
class Places:
    """Where some runs were evaluated.

    Attributes:
        shown: Epochs or steps, in order.
        found: How many there are in all.
        epochs: Group to the step of each of its runs at each epoch; empty where places are steps.
    """

    shown: tuple[float, ...]
    found: int
    epochs: Mapping[str, Mapping[float, Callable[[Run], int]]] = field(default_factory=dict)

    def step(self, member: Member, place: float) -> int | None:
        """Return the step of a run there, or None where it has none."""
        if self.epochs:
            at = self.epochs.get(member.group.name, {}).get(place)
            return None if at is None else at(member.run)
        steps = member.series.steps
        if not len(steps):
            return None
        step = int(steps[int(np.abs(np.asarray(steps, dtype=np.float64) - place).argmin())])
        beside = abs(step - place) <= NEAR * place and step not in self.shown
        return step if step == place or beside else None

    def of_choice(self, member: Member) -> float | None:
        """Return where the reported value of a run stands, or None where it stands nowhere."""
        step = member.chosen
        if step is None:
            return None
        return next((place for place in self.shown if self.step(member, place) == step), None)


def members_on(groups: Sequence[GroupResult], metric: str, split: str) -> list[Member]:
    """Return the curve of every run of some groups that has values of a metric on a split."""
    return [
        Member(group=group, cell=cell, run=cell.run, series=series)
        for group in groups
        for cell in group.cells
        if cell.run is not None
        and (series := cell.run.find(metric, split)) is not None
        and finite_mask(series).any()
    ]


def places_of(members: Sequence[Member]) -> Places:
    """Return where runs were evaluated: by epoch where all know theirs, else by step.

    Epochs that are printed alike, or at which no run has a value here, are no places: those runs
    are followed by step.
    """
    groups = {member.group.name: member.group for member in members}
    known = [[row.epoch for row in group.epochs] for group in groups.values()]
    found = sorted({epoch for own in known for epoch in own})
    apart = len({f"{epoch:.2f}" for epoch in found}) == len(found)
    if apart and all(own and all(own) and len(set(own)) == len(own) for own in known):
        epochs = {
            name: {row.epoch: row.step_of for row in group.epochs} for name, group in groups.items()
        }
        places = Places(shown=tuple(thinned(found, MOST_PLACES)), found=len(found), epochs=epochs)
        if any(places.step(m, at) in m.series.steps.tolist() for m in members for at in found):
            return places
    steps = max((member.series.steps for member in members), key=len).tolist()
    if len(steps) <= MOST_PLACES:
        steps = _steps_of(members)
    few = len(members) <= MOST_LINES and len(steps) > MOST_PLACES
    chosen = {step for member in members if few and (step := member.chosen) is not None}
    shown = sorted({*thinned(steps, MOST_PLACES - len(chosen)), *chosen})
    return Places(shown=tuple(map(float, shown)), found=len({*steps, *chosen}))


def _steps_of(members: Sequence[Member]) -> list[int]:
    """Return every step once; of steps of different runs that nearly coincide the commoner one."""
    held: dict[int, set[int]] = {}
    for index, member in enumerate(members):
        for step in member.series.steps.tolist():
            held.setdefault(step, set()).add(index)
    kept: list[int] = []
    for step in sorted(held):
        before = kept[-1] if kept else 0
        if kept and step - before <= NEAR * step and not held[before] & held[step]:
            kept[-1] = max(before, step, key=lambda one: len(held[one]))
            held[kept[-1]] = held[before] | held[step]
        else:
            kept.append(step)
    return kept


@record
class Line:
    """What has one value at each evaluation: the cells that name it, and its cell at a place.

    Attributes:
        value: Returns its cell at a place.
        heads: The cells that name it.
        member: The run that it is, where it is one.
        reported: The value of that run that is reported.
    """

    value: Callable[[float], doc.Text]
    heads: tuple[doc.Text, ...] = ()
    member: Member | None = None
    reported: doc.Text = ()


@record
class Grid:
    """A table of lines by evaluations.

    Attributes:
        identifier: Id of the table.
        caption: Its caption.
        heads: Columns that name the lines.
        lines: What has values.
        members: The curves behind them.
        places: Where they were evaluated.
        excerpt: What is printed on pages, where lines are rows.
        most: Evaluations that have room as columns.
        reported: Head of the values that are reported, where evaluations are left out.
    """

    identifier: str
    caption: doc.Text
    heads: tuple[doc.TableColumn, ...]
    lines: tuple[Line, ...]
    members: tuple[Member, ...]
    places: Places
    excerpt: doc.Excerpt | None = None
    most: int = MOST_COLUMNS
    reported: doc.Text = ()

    def table(self) -> doc.Table:
        """Return evaluations as columns where they are few, as rows where the lines are."""
        if len(self.places.shown) > self.most and len(self.lines) <= MOST_LINES:
            return self._down()
        cells = {place: [line.value(place) for line in self.lines] for place in self._columns()}
        shown = [place for place, own in cells.items() if any(cell != DASH for cell in own)]
        columns = [doc.TableColumn(title=self._head(place), align="decimal") for place in shown]
        hides = self._hides(shown)
        ends = [(line.reported,) if hides else () for line in self.lines]
        if any(ends):
            columns.append(doc.TableColumn(title=self.reported, align="decimal"))
        whole = doc.Table(
            id=self.identifier,
            caption=self.caption,
            columns=(*self.heads, *columns),
            rows=tuple(
                doc.TableRow(
                    cells=(*line.heads, *(cells[place][row] for place in shown), *ends[row])
                )
                for row, line in enumerate(self.lines)
            ),
            notes=self._left(shown),
            excerpt=self.excerpt,
        )
        return leaned(whole, range(len(self.heads)))

    def _hides(self, shown: Sequence[float]) -> bool:
        """Return whether these evaluations leave out a value that is reported."""
        places = replace(self.places, shown=tuple(shown))
        return any(
            line.member is not None
            and line.member.chosen is not None
            and line.reported != DASH
            and places.of_choice(line.member) is None
            for line in self.lines
        )

    def _columns(self) -> Sequence[float]:
        """Return some evaluations, of runs of unlike lengths those that most of them have.

        Beyond the end of most runs a column is empty.
        """
        if len(self.places.shown) <= self.most:
            return self.places.shown
        known = [(member, frozenset(member.series.steps.tolist())) for member in self.members]
        held = [
            sum(
                place in steps or self.places.step(member, place) in steps
                for member, steps in known
            )
            for place in self.places.shown
        ]
        common = [at for at, n in zip(self.places.shown, held, strict=True) if 2 * n >= max(held)]
        return thinned(common, self.most)

    def _down(self) -> doc.Table:
        """Return a row for each evaluation, headed by what tells the lines apart."""
        shown = self.places.shown
        heads = [list(line.heads) for line in self.lines]
        for before, own in pairwise(heads):
            own[0] = own[0] or before[0]  # the name of a group stands once
        apart = [
            column for column in zip(*heads, strict=True) if len(set(map(meaning_of, column))) > 1
        ]
        names = [[*cells] for cells in zip(*apart, strict=True)] or [list(heads[0][:1])]
        columns = [
            doc.TableColumn(title=own[-1], align="decimal", group=own[0] if len(own) > 1 else ())
            for own in names
        ]
        head = doc.TableColumn(title=say("Epoch" if self.places.epochs else "Step"), align="right")
        members = [line.member for line in self.lines if line.member is not None]
        places = {self.places.of_choice(member) for member in members}
        chosen = {index for index, place in enumerate(shown) if place in places}
        few = tuple(sorted({*thinned(range(len(shown)), PRINTED_ROWS - len(chosen)), *chosen}))
        note = say(
            "Some evaluations are printed, the reported ones among them."
            if chosen
            else "Some evaluations are printed."
        )
        return doc.Table(
            id=self.identifier,
            caption=self.caption,
            columns=(head, *columns),
            rows=tuple(
                doc.TableRow(cells=((self._number(p),), *(line.value(p) for line in self.lines)))
                for p in shown
            ),
            notes=self._left(shown),
            excerpt=doc.Excerpt(rows=few, note=note) if len(few) < len(shown) else None,
        )

    def _head(self, place: float) -> doc.Text:
        if self.places.epochs:
            return say("epoch {epoch}", epoch=self._number(place))
        return say("step {step}", step=self._number(place))

    def _number(self, place: float) -> doc.Number:
        points = tuple(
            point
            for member in self.members
            if (step := self.places.step(member, place)) is not None
            for point in of_point(member.run, member.series, step)
        )
        if not self.places.epochs:
            count = count_of(int(place), message("step of the evaluation"), points)
            return step_number(f"{self.identifier}.step{place:.0f}", replace(count, unit="step"))
        epoch = replace(count_of(0, message("epoch finished"), points), value=place, unit="epoch")
        return epoch_number(f"{self.identifier}.epoch{place:g}", epoch)

    def _left(self, shown: Sequence[float]) -> tuple[doc.Text, ...]:
        """Say how many evaluations were left out, where some were, and which nearly coincide."""
        beside = () if self.places.epochs else self._beside(shown)
        if len(shown) == self.places.found:
            return beside
        sources = [of_series(member.run, member.series) for member in self.members]
        found, what = self.places.found, message("evaluations of these runs")
        note = say(
            "{shown} of {found} evaluations are shown, the last one among them."
            if shown[-1] == self.places.shown[-1]
            else "{shown} of {found} evaluations are shown, of those that most runs have.",
            shown=counted(f"{self.identifier}.shown", len(shown), what, sources),
            found=counted(f"{self.identifier}.found", found, what, sources),
        )
        return (note, *beside)

    def _beside(self, shown: Sequence[float]) -> tuple[doc.Text, ...]:
        """Say that a run was evaluated beside a step under which its value stands."""
        steps = ((self.places.step(member, p), p) for member in self.members for p in shown)
        if all(step in (None, place) for step, place in steps):
            return ()
        return (say("Under a step stand values logged up to 0.5% earlier or later."),)


# --- figures --------------------------------------------------------------------------


LOSS, COURSE = "evaluations.loss", "evaluations.course"
MOST_DRAWN = 12
"""Runs that are drawn one by one."""
MOST_BANDS = 7
"""Groups that have a band each."""
MOST_FIGURES = 3
FAR_LEVELS = 3.0
"""Factor between two levels of unlike losses, which is twice any other between runs."""
MOST_NAMED = 3
"""Groups that a caption names."""

_CAPTIONS = {
    "lines": message("{what:cap} of {runs}."),
    "bands": message("{what:cap} of {runs}: mean and range of each group."),
    "band": message("{what:cap} of {runs}: median and 5% to 95% range of the runs still training."),
}


def loss_blocks(facts: Facts) -> list[doc.Block]:
    """Return the losses by program and task, where the body does not draw them."""
    if facts.study.metric.name != "loss":
        return _figures(facts, "loss", ("train", facts.study.metric.select_on, "test"), LOSS)
    return _figures(facts, "loss", ("train",), LOSS) if focus_of(facts).is_sweep else []


def course_blocks(facts: Facts) -> list[doc.Block]:
    """Return the course of the metric, where the body ranks groups and draws no curves."""
    if not focus_of(facts).is_sweep:
        return []
    metric = facts.study.metric
    splits = (metric.select_on, *(group.report_split for group in facts.groups))
    return _figures(facts, metric.name, splits, COURSE)


def _figures(facts: Facts, metric: str, splits: Sequence[str], identifier: str) -> list[doc.Block]:
    """Return a figure for each program and task, and the sentence about them."""
    kinds: dict[tuple[str, str, str], list[GroupResult]] = {}
    for group in facts.groups:
        task = ("", "") if group.task.is_part else (group.task.kind, group.task.name)
        kinds.setdefault((group.layout, *task), []).append(group)
    found: list[dict[str, list[Member]]] = []
    for groups in kinds.values():
        curves = {split: members_on(groups, metric, split) for split in dict.fromkeys(splits)}
        own = {s: kept for s, kept in curves.items() if any(len(m.series) > 1 for m in kept)}
        if own:
            found += _levels(own) if metric == "loss" and _runs(own) > MOST_DRAWN else [own]
    found.sort(key=_runs, reverse=True)
    figures = [
        _figure(facts, metric, curves, f"{identifier}{number or ''}")
        for number, curves in enumerate(found[:MOST_FIGURES])
    ]
    left = {m.group.name for curves in found[MOST_FIGURES:] for own in curves.values() for m in own}
    undrawn = [group for group in facts.groups if group.name in left]
    if not figures:
        return []
    about = say_count(
        "{figures} shows the {metric}.",
        "{figures} show the {metric}.",
        len(figures),
        figures=phrases.joined([(doc.Ref(figure.id),) for figure in figures]),
        metric=phrases.spelled(metric),
    )
    return [*paragraph(about, _undrawn(facts, undrawn, identifier)), *figures]


def _runs(curves: dict[str, list[Member]]) -> int:
    return len({member.run.id for own in curves.values() for member in own})


def _levels(curves: dict[str, list[Member]]) -> list[dict[str, list[Member]]]:
    """Divide runs whose curves end at two levels far apart, as those of unlike losses do.

    One band would lie between the levels, where no run is.
    """
    ends = {m.run.id: float(m.series.values[-1]) for own in [*curves.values()][::-1] for m in own}
    order = sorted(ends, key=lambda run: ends[run])
    if not 0 < ends[order[0]] <= ends[order[-1]] < math.inf:
        return [curves]
    heights = [math.log(ends[run]) for run in order]
    steps = sorted((b - a, place) for place, (a, b) in enumerate(pairwise(heights), start=1))
    (second, _), (gap, at) = steps[-2:]
    if gap < max(math.log(FAR_LEVELS), 2 * second) or min(at, len(order) - at) < MOST_NAMED:
        return [curves]
    low = frozenset(order[:at])
    return [
        {split: [m for m in own if (m.run.id in low) is below] for split, own in curves.items()}
        for below in (True, False)
    ]


def _undrawn(facts: Facts, groups: Sequence[GroupResult], identifier: str) -> doc.Text:
    if not groups:
        return ()
    what = message("groups without a curve here")
    n = counted(f"{identifier}.undrawn", len(groups), what, of_cells(facts.study, groups))
    return say_count(
        "{n} further group is not drawn.", "{n} further groups are not drawn.", len(groups), n=n
    )


def _figure(
    facts: Facts, metric: str, curves: dict[str, list[Member]], identifier: str
) -> doc.Figure:
    """Return lines of few runs, bands of a few groups, or one band of all runs."""
    groups = {m.group.name: m.group for own in curves.values() for m in own}
    axes = Axes.of(facts, tuple(groups.values()), metric)
    several = _runs(curves) > len(groups) and len(groups) <= MOST_BANDS
    kind = "lines" if _runs(curves) <= MOST_DRAWN else "bands" if several else "band"
    if kind == "lines":
        titles = {tell(TITLES[split]) for split in curves if split in TITLES}
        panels = [p for p in curve_panels(axes, rings=False) if p.title in titles]
    else:
        panels = [_banded(axes, split, own, kind == "bands") for split, own in curves.items()]
    return curves_figure(identifier, _caption(facts, metric, curves, identifier, kind), panels)


def _banded(axes: Axes, split: str, members: Sequence[Member], each: bool) -> doc.Panel:
    """Return mean and range of each group, or median and nine tenths of all runs."""
    places = {group.name: index for index, group in axes.groups}
    own: dict[tuple[int, str], list[tuple[np.ndarray, np.ndarray]]] = {}
    every = []
    for member in members:
        values = np.asarray([value for _, value in member.series.points()], dtype=np.float64)
        curve = (
            np.asarray(axes.places(member.run, member.series), dtype=np.float64),
            values * axes.scale(member.series),
        )
        every.append(curve)
        name = short_name(axes.facts, member.group) if each else tell("all runs")
        own.setdefault((places[member.group.name] if each else 0, name), []).append(curve)
    divided = divide(every)
    bands = []
    for (index, name), some in own.items():
        course = course_of(some, divided, whole=each)
        ends = (course.low, course.high) if len(some) > 1 else ((), ())
        bands.append(
            doc.Band(
                group=name, group_index=index, label=name, x=course.x, mean=course.middle,
                low=ends[0], high=ends[1],
            )
        )  # fmt: skip
    title = tell(TITLES[split]) if split in TITLES else split
    return doc.Panel(title=title, x_label=axes.x_label, y_label=axes.y_label, bands=tuple(bands))


# --- words ----------------------------------------------------------------------------


def _caption(
    facts: Facts, metric: str, curves: dict[str, list[Member]], identifier: str, kind: str
) -> doc.Text:
    """Say what is drawn, of how many runs, and how."""
    members = [member for own in curves.values() for member in own]
    sources = one_a_run(of_series(member.run, member.series) for member in members)
    n = counted(f"{identifier}.runs", len(sources), message("runs drawn"), sources)
    groups = {member.group.name: member.group for member in members}
    names = [(short_name(facts, group),) for group in groups.values()]
    splits = phrases.joined([(phrases.split_noun(split),) for split in curves if split])
    words = phrases.spelled(metric)
    return say(
        _CAPTIONS[kind],
        what=say("{splits} {metric}", splits=splits, metric=words) if splits else words,
        runs=phrases.joined(names)
        if len(names) == len(sources) <= MOST_NAMED
        else say(
            "{groups} ({n} runs)"
            if len(names) <= MOST_NAMED
            else "{n} runs"
            if len(names) == len(sources)
            else "{n} runs in {count} groups",
            groups=phrases.joined(names),
            n=n,
            count=phrases.in_words(len(names)),
        ),
    )
