"""Runs of the Hugging Face Trainer: accuracy and loss at each evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reportgen.records.document import (
    Block,
    Cite,
    Code,
    Inline,
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
from reportgen.records.study import MetricPlan
from reportgen.sections._numbers import (
    cell_key,
    counted,
    epoch_number,
    group_key,
    mean_and_std,
    of_epoch,
    of_evaluation,
    of_result,
    of_runs,
    of_seed,
    printing_of,
    seed_number,
    step_number,
)
from reportgen.sections._phrases import (
    capital,
    has_seeds,
    metric_words,
    name_of,
    plural,
    section_of,
    selection_words,
)
from reportgen.stats.evaluations import epoch_of, evaluation_steps, reading_of

LAYOUT = "hf_trainer"
MOST_ROWS = 40
LOSS_DECIMALS = 4
SPOKEN = {"train": "training"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evaluation:
    """One row of the table."""

    group: GroupResult
    cell: RunResult
    run: Run
    step: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """One column of values: what it is called, and where its values stand."""

    above: str
    head: str
    words: str
    key: str
    metric: str
    split: str


def build(facts: Facts) -> Section | None:
    """Return the section, or None where no run came from the Hugging Face Trainer."""
    groups = [g for g in facts.groups if g.layout == LAYOUT]
    if not groups:
        return None
    evaluations = [e for g in groups for e in _evaluations(facts, g)]
    blocks: list[Block] = [Paragraph(text=_opening(facts, groups))]
    if evaluations:
        blocks.append(_table(facts, groups, evaluations))
    blocks += [Paragraph(text=_best(facts, group)) for group in groups]
    return section_of("huggingface", "Runs of the Hugging Face Trainer", blocks)


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
    found = of_runs(facts.study, groups)
    runs, select = len(found), facts.study.metric.select_on
    return (
        counted("huggingface.runs", runs, "runs of the Hugging Face Trainer", found),
        f" {plural('run', runs)} of the Hugging Face Trainer ",
        Cite("transformers"),
        (
            f" {'was' if runs == 1 else 'were'} found; its evaluations during training stand here "
            f"as the {select} split. {selection_words(facts.study)}"
        ),
    )


def _columns(facts: Facts, evaluations: list[_Evaluation]) -> list[_Column]:
    """Return the columns that hold at least one value."""
    metric, words = facts.study.metric, metric_words(facts.study)
    percent = printing_of(facts.groups).style == "percent"
    unit, in_unit = (", %", " in percent") if percent else ("", "")
    columns = {
        (name, split): _Column(
            above=f"{capital(spoken)}{sign}",
            head=capital(SPOKEN.get(split, split)),
            words=f"{SPOKEN.get(split, split)} {spoken}{suffix}",
            key=key,
            metric=name,
            split=split,
        )
        for name, spoken, split, key, sign, suffix in (
            (metric.name, words, metric.select_on, "value", unit, in_unit),
            (metric.name, words, metric.report_on, "report_value", unit, in_unit),
            ("loss", "loss", metric.select_on, "loss", "", ""),
            ("loss", "loss", "train", "train_loss", "", ""),
        )
    }
    return [
        column
        for column in columns.values()
        if any(isinstance(_reading(e, column), Quantity) for e in evaluations)
    ]


def _reading(evaluation: _Evaluation, column: _Column) -> Reading:
    return reading_of(evaluation.run, column.metric, column.split, evaluation.step)


def _table(facts: Facts, groups: list[GroupResult], evaluations: list[_Evaluation]) -> Table:
    shown = evaluations if len(evaluations) <= MOST_ROWS else _best_and_last(evaluations)
    columns = _columns(facts, shown)
    by_seed = len(groups) == 1 and has_seeds(groups[0])
    with_epoch = any(isinstance(epoch_of(e.run, facts.study, e.step), Quantity) for e in shown)
    return Table(
        id="huggingface.table",
        caption=_caption(facts, groups, columns, evaluations, shown=len(shown)),
        columns=(
            TableColumn(title=("Seed",)) if by_seed else TableColumn(title=("Run",), wide=True),
            *((TableColumn(title=("Epoch",), align="right"),) if with_epoch else ()),
            TableColumn(title=("Step",), align="right"),
            *(
                TableColumn(title=(column.head,), align="decimal", group=(column.above,))
                for column in columns
            ),
            TableColumn(title=("Best",)),
        ),
        rows=tuple(_row(facts, e, columns, by_seed=by_seed, with_epoch=with_epoch) for e in shown),
    )


def _best_and_last(evaluations: list[_Evaluation]) -> list[_Evaluation]:
    """Keep the best and the last evaluation of each run, where there are too many rows."""
    last = {id(e.cell): e.step for e in evaluations}
    return [e for e in evaluations if _is_best(e) or e.step == last[id(e.cell)]]


def _is_best(evaluation: _Evaluation) -> bool:
    best = evaluation.cell.best_step
    return isinstance(best, Quantity) and int(best.value) == evaluation.step


def _row(
    facts: Facts,
    evaluation: _Evaluation,
    columns: list[_Column],
    *,
    by_seed: bool,
    with_epoch: bool,
) -> TableRow:
    metric = facts.study.metric
    epoch = epoch_of(evaluation.run, facts.study, evaluation.step)
    if isinstance(epoch, Quantity):
        epoch = replace(epoch, sources=of_epoch(evaluation.run, metric, evaluation.step))
    step = Quantity(
        value=evaluation.step,
        unit="step",
        method="step of the evaluation",
        sources=of_evaluation(evaluation.run, metric, evaluation.step),
    )
    return TableRow(
        cells=(
            (_run_cell(evaluation, metric, by_seed=by_seed),),
            *(((epoch_number(f"{evaluation.key}.epoch", epoch),),) if with_epoch else ()),
            (step_number(f"{evaluation.key}.step", step),),
            *((_number(facts, evaluation, column),) for column in columns),
            ("best" if _is_best(evaluation) else "",),
        )
    )


def _number(facts: Facts, evaluation: _Evaluation, column: _Column) -> Number:
    key, reading = f"{evaluation.key}.{column.key}", _reading(evaluation, column)
    if column.metric != facts.study.metric.name or column.split == "train":
        return Number(id=key, quantity=reading, decimals=LOSS_DECIMALS)
    return printing_of(facts.groups, evaluation.group).one(key, reading)


def _run_cell(evaluation: _Evaluation, metric: MetricPlan, *, by_seed: bool) -> Inline:
    if not by_seed or evaluation.cell.seed is None:
        path = evaluation.run.id
        return Code(path if path not in {"", "."} else evaluation.group.label)
    read = of_seed(evaluation.run, metric)
    return seed_number(f"{evaluation.key}.seed", evaluation.cell.seed, (read,))


def _caption(
    facts: Facts,
    groups: list[GroupResult],
    columns: list[_Column],
    evaluations: list[_Evaluation],
    *,
    shown: int,
) -> Text:
    logged = of_runs(facts.study, groups)
    runs = len(logged)
    of = f" of {name_of(groups[0])}" if len(groups) == 1 else ""
    what = " and ".join(filter(None, (", ".join(c.words for c in columns[:-1]), columns[-1].words)))
    text: Text = (
        f"{capital(what)} at each evaluation, n = ",
        counted("huggingface.table.n", runs, "runs in the table", logged),
        (f" {plural('run', runs)}{of}. Each value is one reading of one run."),
    )
    found = [p for e in evaluations for p in of_evaluation(e.run, facts.study.metric, e.step)]
    if shown == len(evaluations):
        return text
    return (
        *text,
        " Of ",
        counted("huggingface.table.found", len(evaluations), "evaluations found", found),
        " evaluations the best and the last of each run are shown.",
    )


def _best(facts: Facts, group: GroupResult) -> Text:
    """Return what a group's runs reach at their best step, for any number of runs."""
    metric = facts.study.metric
    key = f"huggingface.{group_key(facts, group)}.best"
    with_step = [c for c in group.cells if isinstance(c.best_step, Quantity)]
    if not with_step:
        reasons = dict.fromkeys(
            c.best_step.reason for c in group.cells if isinstance(c.best_step, Missing)
        )
        why = "; ".join(reasons) or "no run was found"
        return (f"No run of {name_of(group)} has a best step: {why}.",)
    printing = printing_of(facts.groups, group)
    what = f"{metric.select_on} {metric_words(facts.study)}"
    value = mean_and_std(key, group.select, printing)
    if len(with_step) == 1:
        return (
            f"The best {what} of {name_of(group)} is ",
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
        f"The {mean} {what} of {name_of(group)} is ",
        *value,
        f"{printing.sign} over ",
        counted(
            *(f"{key}.n", group.select.n, f"runs of {group.label} with a value"),
            of_result(facts.study, group, group.select),
        ),
        f" runs.{caution}",
    )
