"""Values as they were logged, where no step was chosen: of each run, and of other metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reportgen.languages import message, say, tell
from reportgen.records.document import (
    Block,
    Code,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import (
    Facts,
    GroupResult,
    OtherMetric,
    OtherMetrics,
    RunResult,
)
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.report._directions import better_words
from reportgen.report._evidence import of_cell, of_result, of_seed
from reportgen.report._excerpts import excerpt_of_first
from reportgen.report._number_ids import cell_key, group_key, slug
from reportgen.report._numbers import Printing, counted, mean_and_std, seed_number, step_number
from reportgen.report._phrases import (
    has_seeds,
    joined,
    run_words,
    section_of,
    spread_words,
    unit_words,
)
from reportgen.report._reasons import reasons_words
from reportgen.report._unselected import (
    NO_VALUE,
    names_and_directions,
    printing_as_logged,
    step_of,
    what_words,
    where_measured,
)

TABLE = "as_logged.table"
OTHERS = "as_logged.others"
MOST_NOTES = 12


class _End(NamedTuple):
    """One of the two ends of a curve: its part of an id, and which values are shown of it."""

    key: str
    head: str


_LOWEST = _End("lowest", message("Smallest value"))
_HIGHEST = _End("highest", message("Largest value"))
_CAPTIONS = {
    "higher": message(
        "{what:cap}{unit} of each run at its last step, and where it was largest (of equal values "
        "the first)."
    ),
    "lower": message(
        "{what:cap}{unit} of each run at its last step, and where it was smallest (of equal values "
        "the first)."
    ),
    "": message(
        "{what:cap}{unit} of each run at its last step, and where it was smallest and largest (of "
        "equal values the first)."
    ),
}
_SIDES = {"higher": (_HIGHEST,), "lower": (_LOWEST,), "": (_LOWEST, _HIGHEST)}


class _Shown(NamedTuple):
    """Which columns there are."""

    end: bool
    sides: tuple[_End, ...]


def build(facts: Facts) -> Section | None:
    """Return the section, or None where a run has a best step."""
    if not facts.selection.is_last:
        return None
    metric, others = facts.deciding, facts.others
    caution = say(
        "The best value of a curve is chosen by that very curve: it looks better than it is, the "
        "more so the longer and the noisier the curve, and is no result."
    )
    blocks: list[Block] = [
        Paragraph(text=(*where_measured(metric), " ", *caution)),
        _runs_table(facts, metric),
    ]
    if others.metrics:
        blocks.append(_others_table(facts, others.metrics))
    if others.left:
        blocks.append(Paragraph(text=_left(others)))
    return section_of("as_logged", tell("Values as logged"), blocks)


def _left(others: OtherMetrics) -> Text:
    return say(
        "Not shown: {names}. They can be asked for by name under {key} in the study file.",
        names=joined([(Code(name),) for name in others.left]),
        key=Code("[metric] others"),
    )


# --- run by run -----------------------------------------------------------------------


def _runs_table(facts: Facts, metric: OtherMetric) -> Table:
    printing = printing_as_logged(metric)
    shown = _Shown(
        any(one.end is not None and one.end.n for one in metric.groups), _SIDES[metric.direction]
    )
    rows: list[TableRow] = []
    indices: list[range] = []
    for one in metric.groups:
        start = len(rows)
        rows += [
            TableRow(
                cells=(
                    *_run_head(facts, one, cell, printing),
                    *_run_values(facts, one, cell, printing, shown),
                )
            )
            for cell in one.cells
        ]
        indices.append(range(start, len(rows)))
    seeds = all(has_seeds(one) for one in metric.groups)
    return Table(
        id=TABLE,
        caption=_runs_caption(metric, printing),
        columns=(
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=say("Seed" if seeds else "Run")),
            TableColumn(title=say("Last step"), align="right"),
            TableColumn(title=say("Last value"), align="decimal"),
            *((TableColumn(title=say("End"), align="decimal"),) if shown.end else ()),
            *map(_column, shown.sides),
        ),
        rows=tuple(rows),
        notes=tuple(_run_notes(metric)),
        excerpt=excerpt_of_first(facts, TABLE, indices),
    )


def _column(end: _End) -> TableColumn:
    return TableColumn(title=say(end.head), align="right")


def _with_step(key: str, value: Reading, printing: Printing) -> Text:
    """Return a value with the step at which it was logged."""
    if isinstance(value, Missing):
        return (printing.one(key, value),)
    step = step_number(f"{key}_step", step_of(value))
    return say("{value} at step {step}", value=printing.one(key, value), step=step)


def _runs_caption(metric: OtherMetric, printing: Printing) -> Text:
    text = say(_CAPTIONS[metric.direction], what=what_words(metric), unit=unit_words(printing))
    return (*text, *better_words([(metric.name, metric.direction)]))


def _run_head(
    facts: Facts, group: GroupResult, cell: RunResult, printing: Printing
) -> tuple[Text, ...]:
    """Return group, run, last step and last value; the group is named in its first row alone."""
    key = f"as_logged.{group_key(facts, group)}.{cell_key(group, cell)}"
    return (
        (group.label,) if cell is group.cells[0] else (),
        _name(key, facts, group, cell),
        (step_number(f"{key}.last_step", step_of(cell.report_value)),),
        (printing.one(f"{key}.last_value", cell.report_value),),
    )


def _run_values(
    facts: Facts,
    group: GroupResult,
    cell: RunResult,
    printing: Printing,
    shown: _Shown,
) -> tuple[Text, ...]:
    """Return the end of a run and its extremes, those of them that have columns."""
    key = f"as_logged.{group_key(facts, group)}.{cell_key(group, cell)}"
    cells: list[Text] = []
    if shown.end:
        cells.append((printing.mean(f"{key}.end", cell.end_value),))
    cells += [_with_step(f"{key}.{side.key}", _of(cell, side), printing) for side in shown.sides]
    return tuple(cells)


def _name(key: str, facts: Facts, group: GroupResult, cell: RunResult) -> Text:
    """Return the seed of a run; its path where the seed does not tell runs apart."""
    if cell.seed is None or not has_seeds(group):
        return (Code(run_words(group, cell)),)
    metric = facts.study.metric
    read = of_cell(facts.study, group, cell) if cell.run is None else of_seed(cell.run, metric)
    return (seed_number(f"{key}.seed", cell.seed, (read,)),)


def _of(cell: RunResult, end: _End) -> Reading:
    return cell.lowest_value if end is _LOWEST else cell.highest_value


def _run_notes(metric: OtherMetric) -> Iterator[Text]:
    """Yield why values are missing, each reason once."""
    missing = [
        (cell, reading)
        for one in metric.groups
        for cell in one.cells
        for reading in (cell.report_value, cell.end_value)
        if isinstance(reading, Missing) and reading.reason
    ]
    some = any(one.end is not None and one.end.n for one in metric.groups)
    kept = [(c, why) for c, why in missing if some or why is c.report_value]
    for reason in reasons_words(kept)[:MOST_NOTES]:
        yield say("—: {reason}.", reason=reason)


# --- other metrics --------------------------------------------------------------------


def _others_table(facts: Facts, metrics: Sequence[OtherMetric]) -> Table:
    rows: list[TableRow] = []
    of_group: dict[str, list[int]] = {group.name: [] for group in facts.groups}
    for metric in metrics:
        printing = printing_as_logged(metric)
        first = True
        for one in metric.groups:
            if not any(isinstance(_of(cell, _LOWEST), Quantity) for cell in one.cells):
                continue
            of_group[one.name].append(len(rows))
            rows.append(_other_row(facts, metric, one, printing, first=first))
            first = False
    shown = [one for metric in metrics for one in metric.groups]
    text = say(
        "Other metrics of the same runs: the last value, {spread}, and the smallest and the "
        "largest value of any run of the group.",
        spread=spread_words(f"{OTHERS}.caption", [g.report for g in shown], shown, facts.study),
    )
    return Table(
        id=OTHERS,
        caption=(*text, *better_words(names_and_directions(metrics))),
        columns=(
            TableColumn(title=say("Metric"), wide=True),
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=("n",), align="right"),
            TableColumn(title=say("Last value"), align="decimal"),
            *map(_column, (_LOWEST, _HIGHEST)),
        ),
        rows=tuple(rows),
        excerpt=excerpt_of_first(facts, OTHERS, list(of_group.values())),
    )


def _other_row(
    facts: Facts, metric: OtherMetric, group: GroupResult, printing: Printing, *, first: bool
) -> TableRow:
    of = slug(f"{metric.name}.{metric.split}" if metric.split else metric.name)
    key = f"{OTHERS}.{of}.{group_key(facts, group)}"
    n = counted(
        f"{key}.n",
        group.report.n,
        message("runs of {group} with a value", group=group.label),
        of_result(facts.study, group, group.report),
    )
    sign = ", %" if printing.style == "percent" else ""
    cells: list[Text] = [
        (f"{what_words(metric)}{sign}",) if first else (),
        (group.label,),
        (n,),
        mean_and_std(f"{key}.last", group.report, printing),
    ]
    ends = (_LOWEST, _HIGHEST)
    cells += [_with_step(f"{key}.{end.key}", _extreme(group, end), printing) for end in ends]
    return TableRow(cells=tuple(cells))


def _extreme(group: GroupResult, end: _End) -> Reading:
    """Return the smallest or the largest value of any run of a group."""
    found = [_of(cell, end) for cell in group.cells]
    known = [reading for reading in found if isinstance(reading, Quantity)]
    if not known:
        return NO_VALUE
    ordered = sorted(known, key=lambda quantity: quantity.value)
    return ordered[0] if end is _LOWEST else max(known, key=lambda quantity: quantity.value)
