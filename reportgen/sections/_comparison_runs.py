"""Sentences about selection, length and error of the runs of two groups.

As for the curves: each function returns the one of its sentences that holds, or None.
"""

from __future__ import annotations

from dataclasses import replace

from reportgen.records.document import Cite, Number, Text
from reportgen.records.facts import EpochRow, GroupResult
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.run import Run
from reportgen.records.study import MetricPlan
from reportgen.sections._comparison_pair import Pair, enumerated, is_complete, last_step, moment
from reportgen.sections._numbers import (
    of_evaluation,
    same_runs,
    step_number,
)
from reportgen.sections._phrases import (
    capital,
    cell_words,
    in_words,
    joined,
    level,
    name_of,
    plural,
    split_size,
)
from reportgen.stats.best_step import select_best_step
from reportgen.stats.compare import difference_of
from reportgen.stats.evaluations import reading_of
from reportgen.stats.sampling_error import summarise_sampling_error
from reportgen.stats.summarise import summarise_values


def best_against_last(pair: Pair) -> Text | None:
    """Say in how many runs the best step is the last one, and what that changes."""
    metric = pair.facts.study.metric
    same: list[str] = []
    other: list[str] = []
    for _, group in pair.groups:
        for cell in group.cells:
            if cell.run is None or not isinstance(cell.best_step, Quantity):
                continue
            last = last_step(cell.run, metric.name, metric.select_on)
            name = f"{name_of(group)}, {cell_words(group, cell)}"
            (same if last == int(cell.best_step.value) else other).append(name)
    total = len(same) + len(other)
    if total == 0:
        return None
    if not other:
        text: Text = (f"The best step is the last one in every run ({in_words(total)} of them).",)
    else:
        rest = f" (not in {enumerated(other)})" if same else ""
        some = in_words(len(same)) if same else "none"
        count = f"{some} of {in_words(total)} {plural('run', total)}"
        text = (f"The best step is the last one in {count}{rest}.",)
    return (*text, *_last_means(pair))


def _last_means(pair: Pair) -> Text:
    """Return what taking the last step instead would change in the means."""
    parts: list[Text] = []
    number, sign = pair.printing.mean, pair.printing.sign
    for key, group in pair.groups:
        report, last = group.report.mean, group.last.mean
        if isinstance(report, Missing) or isinstance(last, Missing):
            continue
        if not same_runs(group.report, group.last):
            continue
        what = "that" if parts else f"the {_mean(group)}{group.report_split} {pair.metric}"
        best = number(f"{pair.prefix}.{key}.best_mean", report)
        if pair.printing.rounded(report) == pair.printing.rounded(last):
            parts.append((f"leave {what} of {name_of(group)} at ", best, sign))
            continue
        change = number(f"{pair.prefix}.{key}.last_mean", last)
        start = f"change {what} of {name_of(group)} from "
        parts.append((start, best, f"{sign} to ", change, sign))
    if not parts:
        return ()
    return (" Reading the last step instead would ", *joined(parts), ".")


def _mean(group: GroupResult) -> str:
    return "mean " if group.report.n > 1 else ""


def ties(pair: Pair) -> Text | None:
    """Say how many runs have several best steps, and what the other rule would give."""
    metric = pair.facts.study.metric
    cells = [(g, c) for _, g in pair.groups for c in g.cells if c.tied_steps]
    tied = [(g, c) for g, c in cells if len(c.tied_steps) > 1]
    if not cells:
        return None
    if not tied:
        return (f"No run reaches its best {metric.select_on} {pair.metric} at two steps.",)
    who = enumerated([f"{name_of(g)}, {cell_words(g, c)}" for g, c in tied])
    other = "first" if metric.ties == "last" else "last"
    text: Text = (
        (
            f"{capital(in_words(len(tied)))} of {in_words(len(cells))} runs "
            f"{'reaches' if len(tied) == 1 else 'reach'} the best {metric.select_on} {pair.metric} "
            f"at more than one step ({who}); the {metric.ties} was taken."
        ),
    )
    changes = [part for key, g in pair.groups if (part := _other_rule(pair, key, g, other))]
    if not changes:
        return (*text, f" Taking the {other} would change neither mean as printed.")
    return (*text, f" Taking the {other} would give a mean of ", *joined(changes), ".")


def _other_rule(pair: Pair, key: str, group: GroupResult, rule: str) -> Text:
    """Return the mean under the other tie rule where it is not printed the same."""
    study = pair.facts.study
    plan = replace(study.metric, ties=rule)
    readings = [
        select_best_step(cell.run, plan, report_split=group.report_split).report_value
        for cell in group.cells
        if cell.run is not None
    ]
    what = f"best-step {study.metric.name} on {group.report_split}, {rule} of ties"
    ruled = summarise_values(readings, study.statistics, what=what)
    mean, report, printing = ruled.mean, group.report.mean, pair.printing
    if isinstance(mean, Missing) or isinstance(report, Missing):
        return ()
    same = same_runs(ruled, group.report)
    if same and printing.rounded(mean) == printing.rounded(report):
        return ()
    over = "" if same else f", over n = {ruled.n} instead of n = {group.report.n}"
    return (
        printing.mean(f"{pair.prefix}.{key}.other_rule", mean),
        f"{printing.sign} instead of ",
        printing.mean(f"{pair.prefix}.{key}.this_rule", report),
        f"{printing.sign} ({name_of(group)}{over})",
    )


def updates(pair: Pair) -> Text | None:
    """Say whether all runs were trained for the same number of updates."""
    metric = pair.facts.study.metric
    last: dict[str, dict[int, list[Evidence]]] = {}
    for _, group in pair.groups:
        for cell in group.cells:
            step = None if cell.run is None else last_step(cell.run, metric.name, metric.select_on)
            if cell.run is not None and step is not None:
                ends = last.setdefault(name_of(group), {}).setdefault(step, [])
                ends += of_evaluation(cell.run, metric, step)
    steps = {step for ends_of in last.values() for step in ends_of}
    if not steps or len(last) < 2:
        return None
    if len(steps) == 1:
        (step,) = steps
        points = [point for ends_of in last.values() for point in ends_of[step]]
        return (
            "All runs of both groups were last evaluated at the same step, ",
            _end(f"{pair.prefix}.updates", step, points),
            ".",
        )
    parts: list[Text] = []
    for position, (label, found) in enumerate(last.items()):
        key = f"{pair.prefix}.updates.{position}"
        numbers: list[Text] = [
            (_end(f"{key}.{i}", step, found[step]),)
            for i, step in enumerate(sorted({min(found), max(found)}))
        ]
        between: Text = (*numbers[0], " to ", *numbers[1]) if numbers[1:] else numbers[0]
        parts.append((f"{label} at step ", *between))
    return (
        "The runs are not equally long; the last evaluation is that of ",
        *joined(parts),
        ".",
    )


def _end(identifier: str, step: int, points: list[Evidence]) -> Number:
    number = Quantity(value=step, unit="step", method="last evaluated step", sources=tuple(points))
    return step_number(identifier, number)


_AVERAGED = (
    " Training values are as a rule averages over the epoch, logged while the weights move; those "
    "of an evaluation are of the model as it stood at one step."
)


def overfitting(pair: Pair) -> Text | None:
    """Say how training compares with validation at the end, where both were logged."""
    select = pair.facts.study.metric.select_on
    text: Text = ()
    compared = False
    for key, group in pair.groups:
        rows = [
            row
            for row in group.epochs
            if all(is_complete(pair, group, row, split) for split in ("train", select))
            and same_runs(row.splits["train"], row.splits[select])
        ]
        if rows:
            text += ((" ",) if text else ()) + _train_gap(pair, key, group, rows[-1])
            compared = True
        sentence = _loss_turns(pair, group)
        if sentence:
            text += ((" ",) if text else ()) + (sentence,)
    return (*text, *((_AVERAGED,) if compared else ())) or None


def _train_gap(pair: Pair, key: str, group: GroupResult, row: EpochRow) -> Text:
    select = pair.facts.study.metric.select_on
    what = f"mean training minus mean {select} {pair.metric} at {moment(row)}"
    difference = difference_of(row.splits["train"].mean, row.splits[select].mean, what)
    if isinstance(difference, Missing):
        return (f"Training and {select} of {name_of(group)} are logged in different units.",)
    start = f"At {moment(row)} the mean training {pair.metric} of {name_of(group)} "
    printed = pair.printing.rounded(difference)
    if printed == 0:
        equals = "equals" if difference.value == 0 else "equals, as printed,"
        return (f"{start}{equals} its mean {select} {pair.metric}.",)
    place = "above" if printed > 0 else "below"
    return (
        f"{start}lies {place} its mean {select} {pair.metric} (",
        pair.printing.delta(f"{pair.prefix}.{key}.train_gap", difference),
        f"{pair.printing.gap}).",
    )


def _loss_turns(pair: Pair, group: GroupResult) -> str:
    """Return in how many runs validation loss turns while training loss goes on falling."""
    select = pair.facts.study.metric.select_on
    turned = logged = 0
    for cell in group.cells:
        turns = None if cell.run is None else _turns(cell.run, select)
        logged += turns is not None
        turned += bool(turns)
    if not logged:
        return ""
    if turned == 0:
        all_of = logged == sum(cell.run is not None for cell in group.cells)
        none = "No run" if all_of else f"None of the {in_words(logged)} comparable runs"
        return (
            f"{none} of {name_of(group)} has its lowest {select} loss before the last evaluation "
            "and a training loss that is lower at the end than at that point."
        )
    who = f"{in_words(turned)} of {in_words(logged)} {plural('run', logged)}"
    return (
        f"In {who} of {name_of(group)} the {select} loss is lowest before the last evaluation, "
        "while the training loss is lower at the end than at that point."
    )


def _turns(run: Run, select: str) -> bool | None:
    """Return whether the losses of a run part; None where they were not logged together."""
    series = run.find("loss", select)
    if series is None or len(series) < 2:
        return None
    end = int(series.steps[-1])
    result = select_best_step(run, _loss_plan(select), report_split="train")
    last = reading_of(run, "loss", "train", end)
    best, at_best = result.best_step, result.report_value
    if isinstance(best, Missing) or isinstance(last, Missing) or isinstance(at_best, Missing):
        return None
    return best.value < end and last.value < at_best.value


def sampling(pair: Pair) -> Text | None:
    """Say how far an accuracy may be off for the size of its test set, beside the seeds."""
    if "acc" not in pair.facts.study.metric.name.lower():
        return None  # an F1 score is a fraction too, but no share of examples
    sentences = [text for key, group in pair.groups if (text := _sampling_of(pair, key, group))]
    if not sentences:
        return None
    joint: Text = tuple(node for text in sentences for node in (*text, " "))
    end = (
        "This is the error of the examples, which all runs share; neither the standard deviation "
        "over seeds nor the interval from it contains it."
    )
    return (*joint, end)


def _sampling_of(pair: Pair, key: str, group: GroupResult) -> Text:
    study = pair.facts.study
    size = study.split_sizes.get(group.report_split, 0)
    error = summarise_sampling_error(group.report.mean, size, study.statistics.confidence)
    if isinstance(error.half_width, Missing):
        return ()
    name, sign = pair.printing.mean, pair.printing.sign
    mean = f"The {_mean(group)}{group.report_split} {pair.metric} of "
    return (
        f"{mean}{name_of(group)}, ",
        name(f"{pair.prefix}.{key}.sampled", group.report.mean),
        f"{sign} measured on ",
        split_size(f"{pair.prefix}.{key}.examples", group.report_split, study),
        f" examples, has a {level(study)} Wilson interval ",
        Cite("wilson"),
        " from ",
        name(f"{pair.prefix}.{key}.sampling_low", error.low),
        " to ",
        name(f"{pair.prefix}.{key}.sampling_high", error.high),
        sign,
        *_beside(pair, key, group, error.half_width),
        ".",
    )


def _beside(pair: Pair, key: str, group: GroupResult, half: Quantity) -> Text:
    """Return how the interval compares with the t interval over seeds, like with like."""
    over_seeds = group.report.interval
    if isinstance(over_seeds, Missing):
        return ()
    own, seeds = pair.printing.rounded(half), pair.printing.rounded(over_seeds)
    if own == seeds:
        return ()
    relation = "wider" if own > seeds else "narrower"
    return (
        f"; it is {relation} than the t interval over seeds (half widths ",
        pair.printing.mean(f"{pair.prefix}.{key}.sampling", half),
        " and ",
        pair.printing.mean(f"{pair.prefix}.{key}.over_seeds", over_seeds),
        f"{pair.printing.gap})",
    )


def _loss_plan(select: str) -> MetricPlan:
    return MetricPlan(name="loss", direction="lower", select_on=select, report_on="train")
