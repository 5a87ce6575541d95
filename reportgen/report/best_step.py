"""One row a run: its best step on validation, and what it reaches on test there."""

from __future__ import annotations

from typing import NamedTuple

from reportgen.languages import message, noun, say, say_count, tell
from reportgen.records.document import (
    Cite,
    Code,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.report._caveats import after_training
from reportgen.report._evidence import of_cell, of_not_finite, of_point, of_seed
from reportgen.report._excerpts import excerpt_of_runs
from reportgen.report._number_ids import cell_key, group_key
from reportgen.report._numbers import (
    Printing,
    counted,
    epoch_number,
    mean_and_std,
    printing_of,
    seed_number,
    step_number,
    summary_beside,
)
from reportgen.report._oracle import oracle
from reportgen.report._phrases import (
    capital,
    chose_its_own,
    has_seeds,
    joined,
    metric_words,
    run_words,
    section_of,
    selection_words,
    sizes_words,
    spread_words,
    unit_words,
    why_no_other_split,
)
from reportgen.report._reasons import reasons_words
from reportgen.report._run_in_group import run_in_group

TABLE = "best_step.table"
MOST_NOTES = 12


def build(facts: Facts) -> Section | None:
    """Return the section, or None where there is no cell to show."""
    if facts.selection.is_last or not any(group.cells for group in facts.groups):
        return None
    printing = printing_of(facts.groups)
    metric = facts.study.metric
    text: Text = (*_opening(facts), f" {selection_words(facts.study)}")
    title = tell(
        "Best step of each run by {split} {metric}",
        split=noun(metric.select_on),
        metric=metric_words(facts.study),
    )
    return section_of("best_step", title, (Paragraph(text=text), _table(facts, printing)))


def _opening(facts: Facts) -> Text:
    select = facts.study.metric.select_on
    if not _reports_elsewhere(facts):
        return say(
            "The {select} split chooses a step for each run. {why}, so that the values are those "
            "of the split that chose, and look better than they are.",
            select=noun(select),
            why=why_no_other_split(facts),
        )
    if select != "test":
        return say(
            "The {select} split alone chooses a step for each run; the value of the reporting "
            "split is then read at that very step {cite}.",
            select=noun(select),
            cite=Cite("dodge"),
        )
    return say(
        "The {select} split alone chooses a step for each run; the value of the reporting split "
        "is then read at that very step. Here {caveat}.",
        select=noun(select),
        caveat=chose_its_own(facts),
    )


def _reports_elsewhere(facts: Facts) -> bool:
    """Return whether a group is reported on another split than the one that chooses."""
    return any(g.report_split != facts.study.metric.select_on for g in facts.groups)


def _has_epochs(facts: Facts) -> bool:
    """Return whether the epoch of any best step is known."""
    return any(isinstance(c.best_epoch, Quantity) for g in facts.groups for c in g.cells)


class _Columns(NamedTuple):
    """Which columns there are; asked once, for each row would look at all runs again."""

    epochs: bool
    elsewhere: bool


def _table(facts: Facts, printing: Printing) -> Table:
    there_are = _Columns(_has_epochs(facts), _reports_elsewhere(facts))
    rows: list[TableRow] = []
    indices: dict[int, range] = {}
    for group in facts.groups:
        own, start = printing_of(facts.groups, group), len(rows)
        rows += [
            _row(facts, group, cell, own, there_are, first=i == 0)
            for i, cell in enumerate(group.cells)
        ]
        if group.report.n >= 3:
            rows.append(_summary_row(facts, group, own, there_are))
        indices[id(group)] = range(start, len(rows))
    splits = {group.report_split for group in facts.groups}
    reported = noun(next(iter(splits))) if len(splits) == 1 else ""
    metric = metric_words(facts.study)
    head = say("{metric:cap}, %" if printing.sign else "{metric:cap}", metric=metric)
    chosen = capital(noun(facts.study.metric.select_on))
    there: Text = (capital(reported),) if reported else say("Reported")
    last = say("{split:cap}, last step", split=reported) if reported else say("Reported, last step")
    return Table(
        id=TABLE,
        caption=_caption(facts, printing, reported),
        columns=(
            TableColumn(title=say("Group"), wide=True),
            TableColumn(title=say("Seed" if all(map(has_seeds, facts.groups)) else "Run")),
            TableColumn(title=say("Best step"), align="right"),
            *((TableColumn(title=say("Epoch"), align="right"),) if there_are.epochs else ()),
            TableColumn(title=(chosen,), align="decimal", group=head),
            *(
                (TableColumn(title=there, align="decimal", group=head),)
                if there_are.elsewhere
                else ()
            ),
            TableColumn(title=last, align="decimal", group=head),
        ),
        rows=tuple(rows),
        notes=_notes(facts),
        excerpt=excerpt_of_runs(facts, TABLE, indices, len(rows)),
    )


def _caption(facts: Facts, printing: Printing, reported: str) -> Text:
    study = facts.study
    text = _what_is_shown(facts, printing, reported)
    summarised = [g for g in facts.groups if g.report.n >= 3]
    if summarised:
        shown = [s for g in summarised for s in (g.report, g.select, g.last)]
        spread = spread_words(f"{TABLE}.caption", shown, summarised, study)
        text += (" ", *say("Summary rows: {spread}.", spread=spread))
    return (*text, *sizes_words(f"{TABLE}.caption", study))


def _what_is_shown(facts: Facts, printing: Printing, reported: str) -> Text:
    study = facts.study
    places = {
        "select": noun(study.metric.select_on),
        "metric": metric_words(study),
        "unit": unit_words(printing),
    }
    if not _reports_elsewhere(facts):
        return say(
            "Best {select} step of each run with {metric}{unit} on {select} at that step, and on "
            "{split} at the last step.",
            split=reported,
            **places,
        )
    if not reported:
        return say(
            "Best {select} step of each run with {metric}{unit} on {select} and on the reporting "
            "split at that step, and on the reporting split at the last step.",
            **places,
        )
    return say(
        "Best {select} step of each run with {metric}{unit} on {select} and on {split} at that "
        "step, and on {split} at the last step.",
        split=reported,
        **places,
    )


def _row(
    facts: Facts,
    group: GroupResult,
    cell: RunResult,
    printing: Printing,
    there_are: _Columns,
    *,
    first: bool,
) -> TableRow:
    """Return the row of a run; the group is named in its first row alone."""
    key = f"best_step.{group_key(facts, group)}.{cell_key(group, cell)}"
    report = printing.one(f"{key}.report_value", cell.report_value)
    return TableRow(
        cells=(
            (group.label,) if first else (),
            _name(key, facts, group, cell),
            (step_number(f"{key}.best_step", cell.best_step),),
            *(((epoch_number(f"{key}.best_epoch", cell.best_epoch),),) if there_are.epochs else ()),
            (printing.one(f"{key}.select_value", cell.select_value),),
            *(((report,),) if there_are.elsewhere else ()),
            (printing.one(f"{key}.last_value", cell.last_value),),
        )
    )


def _name(key: str, facts: Facts, group: GroupResult, cell: RunResult) -> Text:
    """Return the seed of a run; its path where the seed does not tell runs apart."""
    if cell.seed is not None and has_seeds(group):
        read = (
            of_cell(facts.study, group, cell)
            if cell.run is None
            else of_seed(cell.run, facts.study.metric)
        )
        return (seed_number(f"{key}.seed", cell.seed, (read,)),)
    return (Code(run_words(group, cell)),)


def _summary_row(
    facts: Facts, group: GroupResult, printing: Printing, there_are: _Columns
) -> TableRow:
    key = f"best_step.{group_key(facts, group)}"
    report = mean_and_std(f"{key}.report", group.report, printing)
    return TableRow(
        kind="summary",
        cells=(
            say("Mean ± std"),
            (),
            (),
            *(((),) if there_are.epochs else ()),
            summary_beside(f"{key}.select", group.select, printing, group.report),
            *((report,) if there_are.elsewhere else ()),
            summary_beside(f"{key}.last", group.last, printing, group.report),
        ),
    )


def _where(group: GroupResult, cell: RunResult) -> Text:
    return (run_in_group(group, cell),)


def _notes(facts: Facts) -> tuple[Text, ...]:
    measured = after_training(facts)
    return (
        *((measured,) if measured else ()),
        *_missing_notes(facts),
        *_tie_notes(facts),
        *_left_out(facts),
        *oracle(facts),
    )


def _missing_notes(facts: Facts) -> list[Text]:
    """Return why values are missing, each reason once."""
    missing: list[tuple[RunResult, Missing]] = []
    epochs = _has_epochs(facts)
    for group in facts.groups:
        for cell in group.cells:
            epoch = (cell.best_epoch,) if epochs else ()
            for reading in (cell.best_step, *epoch, cell.report_value, cell.last_value):
                if isinstance(reading, Missing):
                    missing.append((cell, reading))
                    if reading is cell.best_step:
                        break
    reasons = reasons_words(missing)
    shown = reasons[:MOST_NOTES]
    notes: list[Text] = [say("—: {reason}.", reason=reason) for reason in shown]
    if len(reasons) > len(shown):
        cells = [(g, c) for g in facts.groups for c in g.cells if any(c is m for m, _ in missing)]
        more = counted(
            *(f"{TABLE}.more_reasons", len(reasons) - len(shown), message("further reasons")),
            [of_cell(facts.study, group, cell) for group, cell in cells],
        )
        note = say_count(
            "—: {n} further reason stands in report.json.",
            "—: {n} further reasons stand in report.json.",
            len(reasons) - len(shown),
            n=more,
        )
        notes.append(note)
    return notes


def _tie_notes(facts: Facts) -> list[Text]:
    """Return one line a run with several best steps, and how many more there are."""
    tied = [(g, c) for g in facts.groups for c in g.cells if len(c.tied_steps) > 1]
    notes: list[Text] = []
    for group, cell in tied[:MOST_NOTES]:
        key = f"best_step.{group_key(facts, group)}.{cell_key(group, cell)}.tie"
        note = say(
            "{run}: the best {split} value is reached at steps {steps}; the last was taken."
            if facts.study.metric.ties == "last"
            else "{run}: the best {split} value is reached at steps {steps}; the first was taken.",
            run=_where(group, cell),
            split=noun(facts.study.metric.select_on),
            steps=_steps(key, facts, cell),
        )
        notes.append(note)
    if len(tied) > MOST_NOTES:
        rest = [of_cell(facts.study, group, cell) for group, cell in tied[MOST_NOTES:]]
        more = counted(f"{TABLE}.more_ties", len(rest), message("further runs with ties"), rest)
        note = say_count(
            "In {n} further run the best value is reached more than once.",
            "In {n} further runs the best value is reached more than once.",
            len(rest),
            n=more,
        )
        notes.append(note)
    return notes


def _steps(key: str, facts: Facts, cell: RunResult) -> Text:
    """Return up to six tied steps, and how many more there are."""
    steps = cell.tied_steps
    points = {step: _point(facts, cell, step) for step in steps}
    shown = steps if len(steps) <= 6 else steps[:5]
    parts: list[Text] = [
        (counted(f"{key}.{i}", step, message("step that reaches the best value"), points[step]),)
        for i, step in enumerate(shown)
    ]
    if len(steps) > len(shown):
        rest = [point for step in steps[len(shown) :] for point in points[step]]
        more = counted(f"{key}.more", len(steps) - len(shown), message("further tied steps"), rest)
        parts.append(say("{n} others", n=more))
    return joined(parts)


def _point(facts: Facts, cell: RunResult, step: int) -> tuple[Evidence, ...]:
    """Return the point of the selection split at a step."""
    metric = facts.study.metric
    series = cell.run.find(metric.name, metric.select_on) if cell.run is not None else None
    return () if cell.run is None or series is None else of_point(cell.run, series, step)


def _left_out(facts: Facts) -> list[Text]:
    """Return how many NaN and infinite points were kept out of the selection."""
    notes: list[Text] = []
    metric = facts.study.metric
    for group in facts.groups:
        for cell in group.cells:
            points = of_not_finite(cell.run, metric) if cell.run is not None else ()
            count = len(points)
            if points:
                key = f"best_step.{group_key(facts, group)}.{cell_key(group, cell)}.left_out"
                method = message("NaN or infinite values of the selection split")
                note = say_count(
                    "{run}: {n} NaN or infinite {split} value took no part.",
                    "{run}: {n} NaN or infinite {split} values took no part.",
                    count,
                    run=_where(group, cell),
                    n=counted(key, count, method, points),
                    split=noun(metric.select_on),
                )
                notes.append(note)
    return notes
