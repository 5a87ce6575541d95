"""Runs of the Hugging Face Trainer: accuracy and loss at each evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.records.document import (
    Block,
    Cite,
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
from reportgen.records.run import Run
from reportgen.sections._phrases import (
    Printing,
    capital,
    cell_key,
    counted,
    epoch_number,
    group_key,
    has_seeds,
    mean_and_std,
    metric_words,
    plural,
    printing_of,
    selection_words,
    step_number,
    unit_words,
)
from reportgen.stats.evaluations import epoch_of, evaluation_steps, reading_of

LAYOUT = "hf_trainer"
MOST_ROWS = 40
LOSS_DECIMALS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evaluation:
    """One row of the table."""

    group: GroupResult
    cell: RunResult
    run: Run
    step: int
    key: str


def build(facts: Facts) -> Section | None:
    """Return the section, or None where no run came from the Hugging Face Trainer."""
    groups = [g for g in facts.groups if g.layout == LAYOUT]
    if not groups:
        return None
    printing = printing_of(groups)
    evaluations = [e for g in groups for e in _evaluations(facts, g)]
    blocks: list[Block] = [Paragraph(text=_opening(facts, groups))]
    if evaluations:
        blocks.append(_table(facts, groups, evaluations, printing))
    blocks += [Paragraph(text=_best(facts, group, printing)) for group in groups]
    return Section(id="huggingface", title="Runs of the Hugging Face Trainer", blocks=tuple(blocks))


def _evaluations(facts: Facts, group: GroupResult) -> list[_Evaluation]:
    found: list[_Evaluation] = []
    for cell in group.cells:
        if cell.run is None:
            continue
        key = f"huggingface.{group_key(facts, group)}.{cell_key(group, cell)}"
        run = cell.run
        found += [
            _Evaluation(group=group, cell=cell, run=run, step=step, key=f"{key}.step{step}")
            for step in evaluation_steps(run, facts.study.metric)
        ]
    return found


def _opening(facts: Facts, groups: list[GroupResult]) -> Text:
    runs = sum(cell.run is not None for group in groups for cell in group.cells)
    metric = facts.study.metric
    return (
        counted("huggingface.runs", runs, "runs of the Hugging Face Trainer"),
        f" {plural('run', runs)} of the Hugging Face Trainer ",
        Cite("transformers"),
        f" {'was' if runs == 1 else 'were'} found. What it logs as ",
        Code("eval"),
        f" is the {metric.select_on} split. {selection_words(facts.study)}",
    )


def _readings(facts: Facts, evaluation: _Evaluation) -> tuple[Reading, Reading, Reading]:
    run, step, metric = evaluation.run, evaluation.step, facts.study.metric
    return (
        reading_of(run, metric.name, metric.select_on, step, unit=metric.unit),
        reading_of(run, "loss", metric.select_on, step),
        reading_of(run, "loss", "train", step),
    )


def _table(
    facts: Facts,
    groups: list[GroupResult],
    evaluations: list[_Evaluation],
    printing: Printing,
) -> Table:
    shown = evaluations if len(evaluations) <= MOST_ROWS else _best_and_last(evaluations)
    values = [_readings(facts, e) for e in shown]
    is_loss = facts.study.metric.name == "loss"
    kept = [
        i
        for i in range(3)
        if any(isinstance(v[i], Quantity) for v in values) and (i != 1 or not is_loss)
    ]
    many = sum(cell.run is not None for group in groups for cell in group.cells) > 1
    metric = facts.study.metric
    heads = (
        f"{capital(metric.select_on)} {metric_words(facts.study)}{', %' if printing.sign else ''}",
        f"{capital(metric.select_on)} loss",
        "Training loss",
    )
    rows = tuple(
        _row(facts, e, [_number(e, i, v[i], printing) for i in kept], many=many)
        for e, v in zip(shown, values, strict=True)
    )
    return Table(
        id="huggingface.table",
        caption=_caption(facts, groups, kept, len(shown), len(evaluations)),
        columns=(
            *((TableColumn(title=("Run",), wide=True),) if many else ()),
            TableColumn(title=("Epoch",), align="right"),
            TableColumn(title=("Step",), align="right"),
            *(TableColumn(title=(heads[i],), align="decimal") for i in kept),
            TableColumn(title=("",)),
        ),
        rows=rows,
    )


def _best_and_last(evaluations: list[_Evaluation]) -> list[_Evaluation]:
    """Keep the best and the last evaluation of each run, where there are too many rows."""
    last = {id(e.cell): e.step for e in evaluations}
    return [e for e in evaluations if _is_best(e) or e.step == last[id(e.cell)]]


def _is_best(evaluation: _Evaluation) -> bool:
    best = evaluation.cell.best_step
    return isinstance(best, Quantity) and int(best.value) == evaluation.step


def _number(evaluation: _Evaluation, index: int, reading: Reading, printing: Printing) -> Number:
    if index == 0:
        return printing.one(f"{evaluation.key}.value", reading)
    name = "loss" if index == 1 else "train_loss"
    return Number(id=f"{evaluation.key}.{name}", quantity=reading, decimals=LOSS_DECIMALS)


def _row(facts: Facts, evaluation: _Evaluation, numbers: list[Number], *, many: bool) -> TableRow:
    epoch = epoch_of(evaluation.run, facts.study, evaluation.step)
    step = Quantity(value=evaluation.step, unit="step", method="step of the evaluation")
    return TableRow(
        cells=(
            *((_name(evaluation.group, evaluation.cell, evaluation.run),) if many else ()),
            (epoch_number(f"{evaluation.key}.epoch", epoch),),
            (step_number(f"{evaluation.key}.step", step),),
            *((number,) for number in numbers),
            ("best" if _is_best(evaluation) else "",),
        )
    )


def _name(group: GroupResult, cell: RunResult, run: Run) -> Text:
    if cell.seed is not None and has_seeds(group):
        return (f"{group.label}, seed {cell.seed}",)
    return (Code(run.id),)


def _caption(
    facts: Facts, groups: list[GroupResult], kept: list[int], shown: int, found: int
) -> Text:
    metric = facts.study.metric
    names = (
        f"{metric.select_on} {metric_words(facts.study)}{unit_words(printing_of(groups))}",
        f"{metric.select_on} loss",
        "training loss where it was logged at the same step",
    )
    what = ", ".join(names[i] for i in kept) or "steps"
    runs = sum(cell.run is not None for group in groups for cell in group.cells)
    text: Text = (
        "Evaluations of the Hugging Face Trainer, n = ",
        counted("huggingface.table.n", runs, "runs in the table"),
        (
            f" {plural('run', runs)}: {what}. Each value is one reading of one run; the best step "
            "of a run is marked."
        ),
    )
    if shown == found:
        return text
    return (
        *text,
        " Of ",
        counted("huggingface.table.found", found, "evaluations found"),
        " evaluations the best and the last of each run are shown.",
    )


def _best(facts: Facts, group: GroupResult, printing: Printing) -> Text:
    """Return what a group's runs reach at their best step, for any number of runs."""
    metric = facts.study.metric
    key = f"huggingface.{group_key(facts, group)}.best"
    with_step = [c for c in group.cells if isinstance(c.best_step, Quantity)]
    if not with_step:
        reasons = dict.fromkeys(
            c.best_step.reason for c in group.cells if isinstance(c.best_step, Missing)
        )
        why = "; ".join(reasons) or "no run was found"
        return (f"No run of {group.label} has a best step: {why}.",)
    what = f"{metric.select_on} {metric_words(facts.study)}"
    value = mean_and_std(key, group.select, printing)
    if len(with_step) == 1:
        return (
            f"The best {what} of {group.label} is ",
            *value,
            f"{printing.sign}, at step ",
            step_number(f"{key}.step", with_step[0].best_step),
            "; with a single run nothing can be said about the spread over seeds.",
        )
    caution = (
        ""
        if has_seeds(group)
        else " These runs do not all have a known seed of their own, so "
        "this is no spread over seeds alone."
    )
    mean = "mean of the best" if group.select.n >= 3 else "best"
    return (
        f"The {mean} {what} of {group.label} is ",
        *value,
        f"{printing.sign} over ",
        counted(f"{key}.n", group.select.n, f"runs of {group.label} with a value"),
        f" runs.{caution}",
    )
