"""The summary of runs without a best step: the last value of each group, and its end."""

from __future__ import annotations

from reportgen.languages import message, say
from reportgen.records.document import (
    Block,
    Paragraph,
    Ref,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, GroupResult, OtherMetric
from reportgen.records.quantity import Missing, Quantity
from reportgen.report._directions import better_words
from reportgen.report._evidence import of_result
from reportgen.report._excerpts import excerpt_of_first
from reportgen.report._missing_cells import missing_cells
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import Printing, counted, mean_and_std, summary_beside
from reportgen.report._phrases import level, name_of, spread_words, unit_words
from reportgen.report._unselected import (
    how_to_select,
    printing_as_logged,
    unselected_headline,
    what_words,
    where_measured,
    why_no_step,
)
from reportgen.stats import MAX_POINTS_OF_AN_END

TABLE = "summary.headline"
RUNS_TABLE = "as_logged.table"


def unselected_summary(facts: Facts) -> list[Block]:
    """Return the blocks of the summary of runs without a best step."""
    metric = facts.deciding
    lead = (
        unselected_headline(facts, "summary.text")
        if facts.study.report.abstract
        else (*why_no_step(facts), " ", *where_measured(metric))
    )
    table = _table(facts, metric)
    texts = (
        (*lead, " ", *how_to_select(facts, metric)),
        _reading(metric, table),
        missing_cells(facts, lambda cell: cell.report_value, RUNS_TABLE, what_words(metric)),
    )
    paragraphs = [Paragraph(text=text) for text in texts if text]
    return [table, *paragraphs]


def _reading(metric: OtherMetric, shown: Table) -> Text:
    """Say how the table is read."""
    text = say(
        "{table} has a row for each group; n counts its runs with a last value. The runs stand one "
        "by one in {runs}."
        if shown.excerpt is None
        else "In full, {table} has a row for each group; n counts its runs with a last value. The "
        "runs stand one by one in {runs}.",
        table=Ref(TABLE),
        runs=Ref(RUNS_TABLE),
    )
    if not _has_end(metric):
        return text
    why = say(
        "A single value may be an accident of its step: the end of a run is the mean over the last "
        "tenth of its points, which were fixed before anybody saw them."
    )
    return (*text, " ", *why)


def _has_end(metric: OtherMetric) -> bool:
    return any(one.end is not None and one.end.n for one in metric.groups)


def _table(facts: Facts, metric: OtherMetric) -> Table:
    printing, with_end = printing_as_logged(metric), _has_end(metric)
    rows = [_row(facts, one, printing, with_end=with_end) for one in metric.groups]
    if metric.comparisons and isinstance(metric.comparisons[0].difference, Quantity):
        rows.append(_difference_row(metric, printing, with_end=with_end))
    return Table(
        id=TABLE,
        caption=_caption(facts, metric, printing),
        columns=(
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=("n",), align="right"),
            TableColumn(title=say("Last value"), align="decimal"),
            TableColumn(title=say("{level} interval", level=level(facts.study)), align="center"),
            *((TableColumn(title=say("End"), align="decimal"),) if with_end else ()),
        ),
        rows=tuple(rows),
        notes=tuple(_notes(facts, metric)),
        excerpt=excerpt_of_first(
            facts,
            TABLE,
            [[index] for index in range(len(metric.groups))],
            range(len(metric.groups), len(rows)),
        ),
    )


def _row(facts: Facts, group: GroupResult, printing: Printing, *, with_end: bool) -> TableRow:
    key = f"{TABLE}.{group_key(facts, group)}"
    interval: Text = ("—",)
    if isinstance(group.report.interval, Quantity):
        interval = ("± ", printing.mean(f"{key}.interval", group.report.interval))
    n = counted(
        f"{key}.n",
        group.report.n,
        message("runs of {group} with a value", group=group.label),
        of_result(facts.study, group, group.report),
    )
    summary = group.end if group.end is not None else group.report
    end = (summary_beside(f"{key}.end", summary, printing, group.report),) if with_end else ()
    return TableRow(
        cells=(
            (group.label,),
            (n,),
            mean_and_std(f"{key}.last", group.report, printing),
            interval,
            *end,
        )
    )


def _difference_row(metric: OtherMetric, printing: Printing, *, with_end: bool) -> TableRow:
    comparison = metric.comparisons[0]
    interval: Text = ("—",)
    if isinstance(comparison.low, Quantity):
        low = printing.delta(f"{TABLE}.low", comparison.low)
        high = printing.delta(f"{TABLE}.high", comparison.high)
        interval = say("{low} to {high}", low=low, high=high)
    return TableRow(
        kind="total",
        cells=(
            say("Difference, points" if printing.gap else "Difference"),
            (),
            (printing.delta(f"{TABLE}.difference", comparison.difference),),
            interval,
            *(((),) if with_end else ()),
        ),
    )


def _caption(facts: Facts, metric: OtherMetric, printing: Printing) -> Text:
    groups = metric.groups
    shown = [group.report for group in groups]
    key = f"{TABLE}.caption"
    text = say(
        "Last {what}{unit} of the runs: {spread}.",
        what=what_words(metric),
        unit=unit_words(printing),
        spread=spread_words(key, shown, groups, facts.study),
    )
    if any(isinstance(one.interval, Quantity) for one in shown):
        half = say(
            "The interval is the half width of the {level} t interval of the mean last value.",
            level=level(facts.study),
        )
        text += (" ", *half)
    if _has_end(metric):
        end = say(
            "The end is the mean over the last tenth of the points of a run, at most {most}; NaN "
            "and infinite values are left out.",
            most=str(MAX_POINTS_OF_AN_END),
        )
        text += (" ", *end)
    return (*text, *better_words([(metric.name, metric.direction)]))


def _notes(facts: Facts, metric: OtherMetric) -> list[Text]:
    groups = metric.groups
    notes: list[Text] = []
    if any(0 < group.report.n < 3 for group in groups):
        few = say(
            "Below three runs the values themselves are given, without a standard deviation or an "
            "interval."
        )
        notes.append(few)
    if not metric.comparisons:
        return notes
    comparison = metric.comparisons[0]
    if isinstance(comparison.difference, Quantity):
        first, second = (name_of(facts.group(n)) for n in (comparison.first, comparison.second))
        note = say("Difference: {first} minus {second}.", first=first, second=second)
        if isinstance(comparison.low, Missing):
            note += (" ", *say("It has no interval: {reason}.", reason=comparison.low.reason))
        notes.append(note)
    return notes
