"""The headline: what was compared, every group's result, and the difference."""

from __future__ import annotations

from reportgen.records.document import (
    Paragraph,
    Ref,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Comparison, Facts, GroupResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.sections._phrases import (
    Printing,
    capital,
    counted,
    group_key,
    group_result,
    level,
    mean_and_std,
    metric_words,
    name_of,
    plural,
    printing_of,
    runs_words,
    section_of,
    selection_words,
    sizes_words,
    std_words,
    unit_words,
    with_names,
)
from reportgen.stats.compare import difference_of

TABLE = "summary.headline"


def build(facts: Facts) -> Section | None:
    """Return the summary, or None where no group was found or declared."""
    if not facts.groups:
        return None
    printing = printing_of(facts.groups)
    text = (*_sentences(facts, "summary.text"), " ", Ref(TABLE), " has the details.")
    missing = _missing_cells(facts)
    blocks = [Paragraph(text=text)]
    if missing:
        blocks.append(Paragraph(text=missing))
    return section_of("summary", "Summary", (*blocks, _table(facts, printing)))


def abstract(facts: Facts) -> Text:
    """Return the summary's sentences as an abstract; empty without groups."""
    if not facts.groups:
        return ()
    return (
        *with_names(_sentences(facts, "abstract")),
        (
            " Each step was chosen on the "
            f"{facts.study.metric.select_on} split alone, and every number was computed from the "
            "logs."
        ),
    )


def _sentences(facts: Facts, prefix: str) -> Text:
    text: Text = ()
    for position, group in enumerate(facts.groups):
        key = f"{prefix}.{group_key(facts, group)}"
        clause = group_result(key, group, facts.study, printing_of(facts.groups, group))
        text += ((" ",) if position else ()) + (*clause, ".")
    if facts.comparisons:
        text += (" ", *_difference(facts, facts.comparisons[0], prefix))
    return text


def _difference(facts: Facts, comparison: Comparison, prefix: str) -> Text:
    """Return the sentence about the headline difference, with as much as n allows."""
    first, second = facts.group(comparison.first), facts.group(comparison.second)
    if isinstance(comparison.difference, Missing):
        return (
            (
                f"No comparison of {name_of(first)} and {name_of(second)} is possible: "
                f"{comparison.difference.reason}."
            ),
        )
    printing = printing_of(facts.groups)
    text: Text = (
        f"The difference between {name_of(first)} and {name_of(second)} is ",
        printing.delta(f"{prefix}.difference", comparison.difference),
        printing.gap,
    )
    if isinstance(comparison.low, Missing):
        return (*text, f"; {comparison.low.reason}.")
    how = "paired by seed" if comparison.method == "paired t" else "by Welch’s method"
    return (
        *text,
        f" ({level(facts.study)} interval from ",
        printing.delta(f"{prefix}.low", comparison.low),
        " to ",
        printing.delta(f"{prefix}.high", comparison.high),
        f", {how}).",
    )


def _missing_cells(facts: Facts) -> Text:
    cells = [(g, c) for g in facts.groups for c in g.cells]
    absent = [(g, c) for g, c in cells if isinstance(c.report_value, Missing)]
    if not absent:
        return ()
    reasons = dict.fromkeys(
        c.report_value.reason for _, c in absent if isinstance(c.report_value, Missing)
    )
    return (
        "Of ",
        counted("summary.cells", len(cells), "runs declared or found"),
        f" {plural('run', len(cells))} declared or found, ",
        counted("summary.cells_missing", len(absent), "runs without a reported value"),
        (
            f" {'has' if len(absent) == 1 else 'have'} no result and "
            f"{'counts' if len(absent) == 1 else 'count'} in no mean: {'; '.join(reasons)}."
        ),
    )


def _table(facts: Facts, printing: Printing) -> Table:
    splits = {group.report_split for group in facts.groups}
    with_split = len(splits) > 1
    rows = [_row(facts, group, with_split=with_split) for group in facts.groups]
    if facts.comparisons and isinstance(facts.comparisons[0].difference, Quantity):
        rows.append(_difference_row(facts, printing, with_split=with_split))
    name = "best step" if with_split else f"{next(iter(splits))}, best step"
    columns = (
        TableColumn(title=("Group",), wide=True),
        *((TableColumn(title=("Split",)),) if with_split else ()),
        TableColumn(title=("n",), align="right"),
        TableColumn(title=(capital(name),), align="decimal"),
        TableColumn(title=(f"{level(facts.study)} interval",), align="center"),
        TableColumn(title=("Last step",), align="decimal"),
    )
    return Table(
        id=TABLE,
        caption=_caption(facts, printing, splits),
        columns=columns,
        rows=tuple(rows),
        notes=tuple(_notes(facts)),
    )


def _row(facts: Facts, group: GroupResult, *, with_split: bool) -> TableRow:
    printing = printing_of(facts.groups, group)
    key = f"{TABLE}.{group_key(facts, group)}"
    interval: Text = ("—",)
    if isinstance(group.report.interval, Quantity):
        interval = ("± ", printing.mean(f"{key}.interval", group.report.interval))
    return TableRow(
        cells=(
            (group.label,),
            *(((group.report_split,),) if with_split else ()),
            (counted(f"{key}.n", group.report.n, f"runs of {group.label} with a value"),),
            mean_and_std(f"{key}.report", group.report, printing),
            interval,
            mean_and_std(f"{key}.last", group.last, printing),
        )
    )


def _difference_row(facts: Facts, printing: Printing, *, with_split: bool) -> TableRow:
    comparison = facts.comparisons[0]
    first, second = facts.group(comparison.first), facts.group(comparison.second)
    interval: Text = ("—",)
    if isinstance(comparison.low, Quantity):
        low = printing.delta(f"{TABLE}.low", comparison.low)
        interval = (low, " to ", printing.delta(f"{TABLE}.high", comparison.high))
    last = difference_of(first.last.mean, second.last.mean, "difference of the last-step means")
    return TableRow(
        kind="total",
        cells=(
            (f"Difference{',' if printing.gap else ''}{printing.gap}",),
            *(((),) if with_split else ()),
            (),
            (printing.delta(f"{TABLE}.difference", comparison.difference),),
            interval,
            (printing.delta(f"{TABLE}.last_difference", last),),
        ),
    )


def _caption(facts: Facts, printing: Printing, splits: set[str]) -> Text:
    study = facts.study
    split = next(iter(splits)) if len(splits) == 1 else ""
    what = f"{split} {metric_words(study)}".strip()
    return (
        (
            f"{capital(what)}{unit_words(printing)} at the best {study.metric.select_on} step and "
            f"at the last step: mean ± {std_words(study)} "
        ),
        *runs_words(f"{TABLE}.caption", facts.groups),
        f"; and the half width of the {level(study)} t interval of the best-step mean. ",
        selection_words(study),
        *sizes_words(f"{TABLE}.caption", study),
    )


def _notes(facts: Facts) -> list[Text]:
    notes: list[Text] = []
    metric = facts.study.metric
    fallen = [name_of(g) for g in facts.groups if g.report_split != metric.report_on]
    if fallen:
        notes.append(
            (
                (
                    f"{', '.join(fallen)} logged no {metric.report_on} "
                    f"{metric_words(facts.study)}: the best {metric.select_on} value itself is "
                    "given, which is an optimistic figure."
                ),
            )
        )
    if any(0 < g.report.n < 3 for g in facts.groups):
        notes.append(
            (
                (
                    "Below three runs the values themselves are given, without a standard "
                    "deviation or an interval."
                ),
            )
        )
    if facts.comparisons and isinstance(facts.comparisons[0].difference, Quantity):
        comparison = facts.comparisons[0]
        first, second = (name_of(facts.group(n)) for n in (comparison.first, comparison.second))
        notes.append((f"Difference: {first} minus {second}.",))
    return notes
