"""Runs of the Hugging Face Trainer: accuracy and loss at each evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reportgen.languages import message, noun, retell, say, say_count, tell
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
from reportgen.report._curve_words import in_a_row, split_word
from reportgen.report._evidence import of_epoch, of_evaluation, of_result, of_runs, of_seed
from reportgen.report._loss_units import loss_unit
from reportgen.report._number_ids import cell_key, group_key
from reportgen.report._numbers import (
    counted,
    epoch_number,
    mean_and_std,
    printing_of,
    seed_number,
    step_number,
)
from reportgen.report._phrases import (
    capital,
    has_seeds,
    joined,
    metric_words,
    name_of,
    section_of,
    selection_words,
)
from reportgen.stats import epoch_of, evaluation_steps, reading_of

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
    opening = _opening(facts, groups) if evaluations else _without_evaluations(facts, groups)
    blocks: list[Block] = [Paragraph(text=opening)]
    if evaluations:
        blocks.append(_table(facts, groups, evaluations))
    blocks += [Paragraph(text=_best(facts, group)) for group in groups]
    return section_of("huggingface", tell("Runs of the Hugging Face Trainer"), blocks)


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
    runs = len(found)
    return say_count(
        "{n} run of the Hugging Face Trainer {cite} was found; its evaluations during training "
        "stand here as the {select} split. {selection}",
        "{n} runs of the Hugging Face Trainer {cite} were found; its evaluations during training "
        "stand here as the {select} split. {selection}",
        runs,
        n=counted("huggingface.runs", runs, message("runs of the Hugging Face Trainer"), found),
        cite=Cite("transformers"),
        select=noun(facts.study.metric.select_on),
        selection=selection_words(facts.study),
    )


def _without_evaluations(facts: Facts, groups: list[GroupResult]) -> Text:
    found = of_runs(facts.study, groups)
    return say_count(
        "{n} run of the Hugging Face Trainer {cite} was found; it logged no evaluation during "
        "training.",
        "{n} runs of the Hugging Face Trainer {cite} were found; they logged no evaluation during "
        "training.",
        len(found),
        n=counted(
            "huggingface.runs", len(found), message("runs of the Hugging Face Trainer"), found
        ),
        cite=Cite("transformers"),
    )


def _columns(facts: Facts, evaluations: list[_Evaluation]) -> list[_Column]:
    """Return the columns that hold at least one value."""
    metric, words, loss = facts.study.metric, metric_words(facts.study), noun("loss")
    percent = printing_of(facts.groups).style == "percent"
    columns = {
        (name, split): _column(name, words, split, key, percent=in_percent)
        for name, words, split, key, in_percent in (
            (metric.name, words, metric.select_on, "value", percent),
            (metric.name, words, metric.report_on, "report_value", percent),
            ("loss", loss, metric.select_on, "loss", False),
            ("loss", loss, "train", "train_loss", False),
        )
    }
    return [
        column
        for column in columns.values()
        if any(isinstance(_reading(e, column), Quantity) for e in evaluations)
    ]


def _column(metric: str, words: str, split: str, key: str, *, percent: bool) -> _Column:
    where = split_word(split)
    return _Column(
        above=tell("{metric:cap}, %" if percent else "{metric:cap}", metric=words),
        head=capital(where),
        words=tell(
            "{split} {metric} in percent" if percent else "{split} {metric}",
            split=where,
            metric=words,
        ),
        key=key,
        metric=metric,
        split=split,
    )


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
            TableColumn(title=say("Seed")) if by_seed else TableColumn(title=say("Run"), wide=True),
            *((TableColumn(title=say("Epoch"), align="right"),) if with_epoch else ()),
            TableColumn(title=say("Step"), align="right"),
            *(
                TableColumn(title=(column.head,), align="decimal", group=(column.above,))
                for column in columns
            ),
            TableColumn(title=say("Best")),
        ),
        rows=tuple(_row(facts, e, columns, by_seed=by_seed, with_epoch=with_epoch) for e in shown),
        notes=(loss_unit("hf_trainer"),) if any(c.metric == "loss" for c in columns) else (),
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
        method=message("step of the evaluation"),
        sources=of_evaluation(evaluation.run, metric, evaluation.step),
    )
    return TableRow(
        cells=(
            (_run_cell(evaluation, metric, by_seed=by_seed),),
            *(((epoch_number(f"{evaluation.key}.epoch", epoch),),) if with_epoch else ()),
            (step_number(f"{evaluation.key}.step", step),),
            *((_number(facts, evaluation, column),) for column in columns),
            say("best") if _is_best(evaluation) else (),
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
    what = "".join(map(str, joined([(column.words,) for column in columns])))
    n = counted("huggingface.table.n", runs, message("runs in the table"), logged)
    shown_runs = (
        say_count("{n} run of {group}", "{n} runs of {group}", runs, n=n, group=name_of(groups[0]))
        if len(groups) == 1
        else say_count("{n} run", "{n} runs", runs, n=n)
    )
    text = say(
        "{what:cap} at each evaluation, n = {runs}. Each value is one reading of one run.",
        what=what,
        runs=shown_runs,
    )
    found = [p for e in evaluations for p in of_evaluation(e.run, facts.study.metric, e.step)]
    if shown == len(evaluations):
        return text
    some = say(
        "Of {n} evaluations the best and the last of each run are shown.",
        n=counted("huggingface.table.found", len(evaluations), message("evaluations found"), found),
    )
    return (*text, " ", *some)


def _none(group: GroupResult) -> Text:
    reasons = dict.fromkeys(
        retell(c.best_step.reason) for c in group.cells if isinstance(c.best_step, Missing)
    )
    return say(
        "No run of {group} has a best step: {why}.",
        group=name_of(group),
        why=in_a_row(reasons) or tell("no run was found"),
    )


def _best(facts: Facts, group: GroupResult) -> Text:
    """Return what a group's runs reach at their best step, for any number of runs."""
    metric = facts.study.metric
    key = f"huggingface.{group_key(facts, group)}.best"
    with_step = [c for c in group.cells if isinstance(c.best_step, Quantity)]
    if not with_step:
        return _none(group)
    printing = printing_of(facts.groups, group)
    value = mean_and_std(key, group.select, printing)
    places: dict[str, str | Text] = {
        "split": noun(metric.select_on),
        "metric": metric_words(facts.study),
        "group": name_of(group),
        "value": (*value, printing.sign),
    }
    if len(with_step) == 1:
        return say(
            "The best {split} {metric} of {group} is {value}, at step {step}; with a single run "
            "nothing can be said about the spread over seeds.",
            step=step_number(f"{key}.step", with_step[0].best_step),
            **places,
        )
    runs = of_result(facts.study, group, group.select)
    method = message("runs of {group} with a value", group=group.label)
    text = say(
        "The mean of the best {split} {metric} of {group} is {value} over {n} runs."
        if group.select.n >= 3
        else "The best {split} {metric} of {group} is {value} over {n} runs.",
        n=counted(f"{key}.n", group.select.n, method, runs),
        **places,
    )
    if has_seeds(group):
        return text
    caution = say(
        "These runs do not all have a known seed of their own, so this is no spread over seeds "
        "alone."
    )
    return (*text, " ", *caution)
