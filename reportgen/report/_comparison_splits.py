"""Sentences about splits: training beside validation, and the size of the test set.

As for the curves: each function returns the one of its sentences that holds, or None.
"""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.languages import message, metric_later, noun, noun_later, say, tell, tell_count
from reportgen.records.document import Cite, Text
from reportgen.records.facts import EpochRow, GroupResult
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.run import Run
from reportgen.records.study import MetricPlan
from reportgen.report._comparison_pair import (
    Pair,
    is_complete,
    moment,
    row_key,
)
from reportgen.report._numbers import same_runs
from reportgen.report._phrases import (
    in_words,
    level,
    name_of,
    runs_found,
    split_size,
)
from reportgen.report._points import in_points
from reportgen.stats import difference_of, reading_of, select_step, summarise_sampling_error


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
    if compared:
        averaged = say(
            "Training values are as a rule averages over the epoch, logged while the weights move; "
            "those of an evaluation are of the model as it stood at one step."
        )
        text += (" ", *averaged)
    return text or None


def _train_gap(pair: Pair, key: str, group: GroupResult, row: EpochRow) -> Text:
    select = pair.facts.study.metric.select_on
    what = message(
        "mean training minus mean {select} {metric} at {moment}",
        select=noun_later(select),
        metric=metric_later(pair.facts.study.metric.name),
        moment=row_key(row),
    )
    difference = difference_of(row.splits["train"].mean, row.splits[select].mean, what)
    if isinstance(difference, Missing):
        return say(
            "Training and {select} of {group} are logged in different units.",
            select=noun(select),
            group=name_of(group),
        )
    places = {
        "moment": moment(row),
        "metric": pair.metric,
        "group": name_of(group),
        "select": noun(select),
    }
    many, printed = row.splits["train"].n > 1, pair.printing.rounded(difference)
    if printed == 0:
        return say(_LEVEL[many, difference.value == 0], **places)
    gap = pair.printing.delta(f"{pair.prefix}.{key}.train_gap", difference)
    return say(_APART[many, printed > 0], gap=in_points(pair.printing, gap), **places)


# (Over several runs, equal to the last digit) and (over several runs, training above).
_LEVEL = {
    (True, True): message(
        "At {moment} the mean training {metric} of {group} equals its mean {select} {metric}."
    ),
    (True, False): message(
        "At {moment} the mean training {metric} of {group} equals, as printed, its mean {select} "
        "{metric}."
    ),
    (False, True): message(
        "At {moment} the training {metric} of the run of {group} equals its {select} {metric}."
    ),
    (False, False): message(
        "At {moment} the training {metric} of the run of {group} equals, as printed, its {select} "
        "{metric}."
    ),
}
_APART = {
    (True, True): message(
        "At {moment} the mean training {metric} of {group} lies above its mean {select} {metric} "
        "({gap})."
    ),
    (True, False): message(
        "At {moment} the mean training {metric} of {group} lies below its mean {select} {metric} "
        "({gap})."
    ),
    (False, True): message(
        "At {moment} the training {metric} of the run of {group} lies above its {select} {metric} "
        "({gap})."
    ),
    (False, False): message(
        "At {moment} the training {metric} of the run of {group} lies below its {select} {metric} "
        "({gap})."
    ),
}


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
    places = {"group": name_of(group), "select": noun(select)}
    if turned == logged == runs_found(group):
        return _every_loss_turns(logged, places)
    if turned and logged > 1:
        return tell_count(
            "In {some} of {total} run of {group} the {select} loss is lowest before the last "
            "evaluation, while the training loss is lower at the end than at that point.",
            "In {some} of {total} runs of {group} the {select} loss is lowest before the last "
            "evaluation, while the training loss is lower at the end than at that point.",
            logged,
            some=in_words(turned),
            total=in_words(logged),
            **places,
        )
    if logged == 1 != runs_found(group):
        return _only_comparable(turned=bool(turned), places=places)
    if logged == runs_found(group):
        return tell(
            "No run of {group} has its lowest {select} loss before the last evaluation and a "
            "training loss that is lower at the end than at that point.",
            **places,
        )
    return tell(
        "None of the {total} comparable runs of {group} has its lowest {select} loss before the "
        "last evaluation and a training loss that is lower at the end than at that point.",
        total=in_words(logged),
        **places,
    )


def _only_comparable(*, turned: bool, places: Mapping[str, str]) -> str:
    """Return the sentence about a group of which one run alone logged both losses."""
    if turned:
        return tell(
            "In the one comparable run of {group} the {select} loss is lowest before the last "
            "evaluation, while the training loss is lower at the end than at that point.",
            **places,
        )
    return tell(
        "The one comparable run of {group} does not have its lowest {select} loss before the last "
        "evaluation and a training loss that is lower at the end than at that point.",
        **places,
    )


def _every_loss_turns(runs: int, places: Mapping[str, str]) -> str:
    """Return the sentence about a group of which the validation loss of every run turns."""
    if runs == 1:
        return tell(
            "In the only run of {group} the {select} loss is lowest before the last evaluation, "
            "while the training loss is lower at the end than at that point.",
            **places,
        )
    return tell(
        "In all {total} runs of {group} the {select} loss is lowest before the last evaluation, "
        "while the training loss is lower at the end than at that point.",
        total=in_words(runs),
        **places,
    )


def _turns(run: Run, select: str) -> bool | None:
    """Return whether the losses of a run part; None where they were not logged together."""
    series = run.find("loss", select)
    if series is None or len(series) < 2:
        return None
    end = int(series.steps[-1])
    result = select_step(run, _loss_plan(select), report_split="train")
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
    end = say(
        "This is the error of the examples, which all runs share; neither the standard deviation "
        "over seeds nor the interval from it contains it."
    )
    return (*joint, *end)


def _sampling_of(pair: Pair, key: str, group: GroupResult) -> Text:
    study = pair.facts.study
    size = study.split_sizes.get(group.report_split, 0)
    error = summarise_sampling_error(group.report.mean, size, study.statistics.confidence)
    if isinstance(error.half_width, Missing):
        return ()
    name, sign = pair.printing.mean, pair.printing.sign
    return say(
        "The mean {split} {metric} of {group}, {mean} measured on {n} examples, has a {level} "
        "Wilson interval {cited} from {low} to {high}{beside}."
        if group.report.n > 1
        else "The {split} {metric} of {group}, {mean} measured on {n} examples, has a {level} "
        "Wilson interval {cited} from {low} to {high}{beside}.",
        split=noun(group.report_split),
        metric=pair.metric,
        group=name_of(group),
        mean=(name(f"{pair.prefix}.{key}.sampled", group.report.mean), sign),
        n=split_size(f"{pair.prefix}.{key}.examples", group.report_split, study),
        level=level(study),
        cited=Cite("wilson"),
        low=name(f"{pair.prefix}.{key}.sampling_low", error.low),
        high=(name(f"{pair.prefix}.{key}.sampling_high", error.high), sign),
        beside=_beside(pair, key, group, error.half_width),
    )


def _beside(pair: Pair, key: str, group: GroupResult, half: Quantity) -> Text:
    """Return how the interval compares with the t interval over seeds, like with like."""
    over_seeds = group.report.interval
    if isinstance(over_seeds, Missing):
        return ()
    own, seeds = pair.printing.rounded(half), pair.printing.rounded(over_seeds)
    if own == seeds:
        return ()
    number = pair.printing.mean(f"{pair.prefix}.{key}.over_seeds", over_seeds)
    return say(
        "; it is wider than the t interval over seeds (half widths {own} and {seeds})"
        if own > seeds
        else "; it is narrower than the t interval over seeds (half widths {own} and {seeds})",
        own=pair.printing.mean(f"{pair.prefix}.{key}.sampling", half),
        seeds=in_points(pair.printing, number),
    )


def _loss_plan(select: str) -> MetricPlan:
    return MetricPlan(name="loss", direction="lower", select_on=select, report_on="train")
