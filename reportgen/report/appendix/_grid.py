"""Values by line and evaluation: which are columns, which are rows, and how many are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from reportgen.languages import message, say
from reportgen.records.document import Excerpt, Number, Table, TableColumn, TableRow, Text
from reportgen.records.facts import GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.records.run import Run, Series
from reportgen.report._evidence import of_point, of_series
from reportgen.report._numbers import count_of, counted, epoch_number, step_number
from reportgen.report.appendix._tables import DASH, lean_table, thinned
from reportgen.stats import finite_mask

MOST_COLUMNS = 10
"""Evaluations that have a column each."""
MOST_LINES = 12
"""Lines that have a column each, where evaluations are too many to have one."""
MOST_ROWS = 200
"""Evaluations that have a row each."""
PRINTED_ROWS = 20
"""Evaluations that are printed on pages, evenly spaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A curve of a run, with its group."""

    group: GroupResult
    cell: RunResult
    run: Run
    series: Series


@dataclass(frozen=True, slots=True, kw_only=True)
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
        if not self.epochs:
            return int(place)
        at = self.epochs.get(member.group.name, {}).get(place)
        return None if at is None else at(member.run)


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
    """Return where runs were evaluated: by epoch where all know theirs, else by step."""
    groups = {member.group.name: member.group for member in members}
    known = [[row.epoch for row in group.epochs] for group in groups.values()]
    if all(own and all(own) and len(set(own)) == len(own) for own in known):
        epochs = {
            name: {row.epoch: row.step_of for row in group.epochs} for name, group in groups.items()
        }
        found = sorted({epoch for own in known for epoch in own})
        return Places(shown=tuple(thinned(found, MOST_ROWS)), found=len(found), epochs=epochs)
    steps = max((member.series.steps for member in members), key=len).tolist()
    if len(steps) <= MOST_ROWS:
        steps = sorted({step for member in members for step in member.series.steps.tolist()})
    return Places(shown=tuple(map(float, thinned(steps, MOST_ROWS))), found=len(steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What has one value at each evaluation: the cells that name it, and its cell at a place."""

    heads: tuple[Text, ...]
    value: Callable[[float], Text]


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """

    identifier: str
    caption: Text
    heads: tuple[TableColumn, ...]
    lines: tuple[Line, ...]
    members: tuple[Member, ...]
    places: Places
    excerpt: Excerpt | None = None
    most: int = MOST_COLUMNS

    def table(self) -> Table:
        """Return evaluations as columns where they are few, as rows where the lines are."""
        if len(self.places.shown) > self.most and len(self.lines) <= MOST_LINES:
            return self._down()
        cells = {
            place: [line.value(place) for line in self.lines]
            for place in thinned(self.places.shown, self.most)
        }
        shown = [place for place, own in cells.items() if any(cell != DASH for cell in own)]
        columns = [TableColumn(title=self._head(place), align="decimal") for place in shown]
        return lean_table(
            self.identifier,
            self.caption,
            (*self.heads, *columns),
            [
                TableRow(cells=(*line.heads, *(cells[place][row] for place in shown)))
                for row, line in enumerate(self.lines)
            ],
            lean=range(len(self.heads)),
            notes=self._left(shown),
            excerpt=self.excerpt,
        )

    def _down(self) -> Table:
        """Return a row for each evaluation, headed by what tells the lines apart."""
        shown = self.places.shown
        heads = [list(line.heads) for line in self.lines]
        for before, own in pairwise(heads):
            own[0] = own[0] or before[0]  # the name of a group stands once
        apart = [column for column in zip(*heads, strict=True) if len(set(column)) > 1]
        names = [[*cells] for cells in zip(*apart, strict=True)] or [list(heads[0][:1])]
        columns = [
            TableColumn(title=own[-1], align="decimal", group=own[0] if len(own) > 1 else ())
            for own in names
        ]
        head = TableColumn(title=say("Epoch" if self.places.epochs else "Step"), align="right")
        few = tuple(thinned(range(len(shown)), PRINTED_ROWS))
        note = say("Printed here are some evaluations, evenly spaced, and the last one.")
        return Table(
            id=self.identifier,
            caption=self.caption,
            columns=(head, *columns),
            rows=tuple(
                TableRow(cells=((self._number(p),), *(line.value(p) for line in self.lines)))
                for p in shown
            ),
            notes=self._left(shown),
            excerpt=Excerpt(rows=few, note=note) if len(few) < len(shown) else None,
        )

    def _head(self, place: float) -> Text:
        if self.places.epochs:
            return say("epoch {epoch}", epoch=self._number(place))
        return say("step {step}", step=self._number(place))

    def _number(self, place: float) -> Number:
        points = tuple(
            point
            for member in self.members
            if (step := self.places.step(member, place)) is not None
            for point in of_point(member.run, member.series, step)
        )
        if not self.places.epochs:
            count = count_of(int(place), message("step of the evaluation"), points)
            return step_number(f"{self.identifier}.step{place:.0f}", replace(count, unit="step"))
        count = count_of(0, message("epoch finished"), points)
        epoch = Quantity(value=place, unit="epoch", method=count.method, sources=count.sources)
        return epoch_number(f"{self.identifier}.epoch{place:g}", epoch)

    def _left(self, shown: Sequence[float]) -> tuple[Text, ...]:
        """Say how many evaluations were left out, where some were."""
        if len(shown) == self.places.found:
            return ()
        sources = [of_series(member.run, member.series) for member in self.members]
        found, what = self.places.found, message("evaluations of these runs")
        note = say(
            "{shown} of {found} evaluations are shown, evenly spaced and with the last one.",
            shown=counted(f"{self.identifier}.shown", len(shown), what, sources),
            found=counted(f"{self.identifier}.found", found, what, sources),
        )
        return (note,)
