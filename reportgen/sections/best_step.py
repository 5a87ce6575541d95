"""One row a run: its best step on validation, and what it reaches on test there."""

from __future__ import annotations

from reportgen.records.document import (
    Code,
    Number,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.sections._phrases import (
    Printing,
    capital,
    cell_key,
    counted,
    epoch_number,
    group_key,
    has_seeds,
    joined,
    mean_and_std,
    metric_words,
    name_of,
    printing_of,
    runs_words,
    section_of,
    selection_words,
    sizes_words,
    std_words,
    step_number,
    unit_words,
)
from reportgen.stats.best_step import count_left_out

TABLE = "best_step.table"


def build(facts: Facts) -> Section | None:
    """Return the section, or None where there is no cell to show."""
    if not any(group.cells for group in facts.groups):
        return None
    printing = printing_of(facts.groups)
    metric = facts.study.metric
    text: Text = (
        (
            f"The {metric.select_on} split chooses a step for each run; the value of the reporting "
            f"split is then read at that very step. {selection_words(facts.study)}"
        ),
    )
    title = f"Best step of each run by {metric.select_on} {metric_words(facts.study)}"
    return section_of("best_step", title, (Paragraph(text=text), _table(facts, printing)))


def _table(facts: Facts, printing: Printing) -> Table:
    rows: list[TableRow] = []
    for group in facts.groups:
        own = printing_of(facts.groups, group)
        rows += [_row(facts, group, cell, own) for cell in group.cells]
        if group.report.n >= 3:
            rows.append(_summary_row(facts, group, printing))
    splits = {group.report_split for group in facts.groups}
    reported = next(iter(splits)) if len(splits) == 1 else "reported"
    metric = facts.study.metric
    head: Text = (f"{capital(metric_words(facts.study))}{', %' if printing.sign else ''}",)
    return Table(
        id=TABLE,
        caption=_caption(facts, printing, reported),
        columns=(
            TableColumn(title=("Group",), wide=True),
            TableColumn(title=("Seed" if all(map(has_seeds, facts.groups)) else "Run",)),
            TableColumn(title=("Best step",), align="right"),
            TableColumn(title=("Epoch",), align="right"),
            TableColumn(title=(capital(metric.select_on),), align="decimal", group=head),
            TableColumn(title=(capital(reported),), align="decimal", group=head),
            TableColumn(title=(f"{capital(reported)}, last step",), align="decimal", group=head),
        ),
        rows=tuple(rows),
        notes=(*_missing_notes(facts), *_tie_notes(facts), *_left_out(facts), *_oracle(facts)),
    )


def _caption(facts: Facts, printing: Printing, reported: str) -> Text:
    study = facts.study
    split = "the reporting split" if reported == "reported" else reported
    text: Text = (
        (
            f"Best {study.metric.select_on} step of each run with {metric_words(study)}"
            f"{unit_words(printing)} on {study.metric.select_on} and on {split} at that step, and "
            f"on {split} at the last step."
        ),
    )
    summarised = [g for g in facts.groups if g.report.n >= 3]
    if summarised:
        runs = runs_words(f"{TABLE}.caption", summarised)
        text += (f" Mean ± {std_words(study)} ", *runs, ".")
    return (*text, *sizes_words(f"{TABLE}.caption", study))


def _row(facts: Facts, group: GroupResult, cell: RunResult, printing: Printing) -> TableRow:
    key = f"best_step.{group_key(facts, group)}.{cell_key(group, cell)}"
    return TableRow(
        cells=(
            (group.label,),
            _name(key, group, cell),
            (step_number(f"{key}.best_step", cell.best_step),),
            (epoch_number(f"{key}.best_epoch", cell.best_epoch),),
            (printing.one(f"{key}.select_value", cell.select_value),),
            (printing.one(f"{key}.report_value", cell.report_value),),
            (printing.one(f"{key}.last_value", cell.last_value),),
        )
    )


def _name(key: str, group: GroupResult, cell: RunResult) -> Text:
    """Return the seed of a run; its path where the seed does not tell runs apart."""
    if cell.seed is not None and has_seeds(group):
        seed = Quantity(value=cell.seed, method="seed of the run")
        return (Number(id=f"{key}.seed", quantity=seed, decimals=0),)
    return (Code(cell.run.id),) if cell.run is not None else (f"seed {cell.seed}",)


def _summary_row(facts: Facts, group: GroupResult, printing: Printing) -> TableRow:
    key = f"best_step.{group_key(facts, group)}"
    return TableRow(
        kind="summary",
        cells=(
            (f"{group.label}: mean ± std",),
            (),
            (),
            (),
            mean_and_std(f"{key}.select", group.select, printing),
            mean_and_std(f"{key}.report", group.report, printing),
            mean_and_std(f"{key}.last", group.last, printing),
        ),
    )


def _where(group: GroupResult, cell: RunResult) -> Text:
    if cell.seed is not None and has_seeds(group):
        return (f"{name_of(group)}, seed {cell.seed}",)
    return (f"{name_of(group)}, ", Code(cell.run.id if cell.run else f"seed {cell.seed}"))


def _missing_notes(facts: Facts) -> list[Text]:
    """Return why values are missing, each reason once."""
    reasons: dict[str, None] = {}
    for group in facts.groups:
        for cell in group.cells:
            readings: tuple[Reading, ...] = (
                cell.best_step,
                cell.best_epoch,
                cell.report_value,
                cell.last_value,
            )
            for reading in readings:
                if isinstance(reading, Missing):
                    reasons.setdefault(reading.reason)
    return [(f"—: {reason}.",) for reason in reasons]


def _tie_notes(facts: Facts) -> list[Text]:
    notes: list[Text] = []
    for group in facts.groups:
        for cell in group.cells:
            if len(cell.tied_steps) < 2:
                continue
            key = f"best_step.{group_key(facts, group)}.{cell_key(group, cell)}.tie"
            notes.append(
                (
                    *_where(group, cell),
                    f": the best {facts.study.metric.select_on} value is reached at steps ",
                    *_steps(key, cell.tied_steps),
                    f"; the {facts.study.metric.ties} was taken.",
                )
            )
    return notes


def _steps(key: str, steps: tuple[int, ...]) -> Text:
    """Return up to six tied steps, and how many more there are."""
    shown = steps if len(steps) <= 6 else steps[:5]
    parts: list[Text] = [
        (counted(f"{key}.{i}", step, "step that reaches the best value"),)
        for i, step in enumerate(shown)
    ]
    if len(steps) > len(shown):
        more = counted(f"{key}.more", len(steps) - len(shown), "further tied steps")
        parts.append((more, " others"))
    return joined(parts)


def _left_out(facts: Facts) -> list[Text]:
    """Return how many NaN and infinite points were kept out of the selection."""
    notes: list[Text] = []
    metric = facts.study.metric
    for group in facts.groups:
        for cell in group.cells:
            count = count_left_out(cell.run, metric) if cell.run is not None else 0
            if count:
                key = f"best_step.{group_key(facts, group)}.{cell_key(group, cell)}.left_out"
                notes.append(
                    (
                        *_where(group, cell),
                        ": ",
                        counted(key, count, "NaN or infinite values of the selection split"),
                        (
                            f" NaN or infinite {metric.select_on} "
                            f"{'value' if count == 1 else 'values'} took no part."
                        ),
                    )
                )
    return notes


def _oracle(facts: Facts) -> list[Text]:
    """Return what choosing on the reporting split itself would give, named as an oracle."""
    printing = printing_of(facts.groups)
    groups = [
        g
        for g in facts.groups
        if g.oracle.n >= 3 and g.report_split != facts.study.metric.select_on
    ]
    if not groups:
        return []
    parts: list[Text] = [
        (
            printing.mean(f"best_step.{group_key(facts, g)}.oracle", g.oracle.mean),
            f"{printing.sign} ({name_of(g)})",
        )
        for g in groups
    ]
    return [
        (
            (
                f"Choosing each run’s step on the {groups[0].report_split} split itself would give "
                "a mean of "
            ),
            *joined(parts),
            ": an oracle, not a result, for it has seen the split it is judged on.",
        )
    ]
