"""What is said of values by which no step was chosen: what they are, and what they are not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportgen.languages import message, noun, say, tell
from reportgen.languages._language import Place
from reportgen.records.document import Code, Text
from reportgen.records.facts import Facts, GroupResult, OtherMetric
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.run import SPLITS
from reportgen.report._caveats import after_training, spread_note
from reportgen.report._curve_words import in_a_row, split_word
from reportgen.report._evidence import of_values
from reportgen.report._excerpts import groups_number
from reportgen.report._headline import MOST_TOLD, difference_words
from reportgen.report._metric_names import spelled
from reportgen.report._missing_cells import MOST_REASONS
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import (
    Printing,
    counted,
    mean_and_std,
    printing_of,
    step_number,
)
from reportgen.report._phrases import has_seeds, in_words, metric_words, name_of, runs_found
from reportgen.report._reasons import reasons_words
from reportgen.report._tasks import told_tasks, why_apart

# Split of the values to what follows from it.
_WHERE = {
    "": message(
        "The logs do not say on which split these values were measured: none of them is a test "
        "result."
    ),
    "train": message(
        "These values were measured on the data of training: none of them is a test result."
    ),
    "validation": message(
        "These values were measured on the validation split: none of them is a test result."
    ),
    "test": message(
        "These values were measured on the test split, at a step that was not chosen by them."
    ),
}
EXAMPLES = {"validation": "val/", "train": "train/", "test": "test/"}
# (Runs with a last value, whether the group has others) to how their values are told.
_FEW = {
    (1, False): message("The last {what} of {group} is {values} in a single run"),
    (1, True): message("The last {what} of {group} is {values} in one of its {all} runs"),
    (2, False): message("The last {what} of {group} is {values} in its two runs"),
    (2, True): message("The last {what} of {group} is {values} in two of its {all} runs"),
}
NO_VALUE = Missing(reason=message("the run has no value"))
_PLAIN = re.compile(r"[\w.-]+")


def what_words(metric: OtherMetric) -> str:
    """Return a metric with its split, where it has one, as words of a sentence."""
    if not metric.split:
        return spelled(metric.name)
    return tell("{split} {metric}", split=split_word(metric.split), metric=spelled(metric.name))


def printing_as_logged(metric: OtherMetric) -> Printing:
    """Return how the values of a metric are printed: last ones and extremes alike."""
    return printing_of(tuple(_with_extremes(group) for group in metric.groups))


def _with_extremes(group: GroupResult) -> GroupResult:
    """Return a group in which every value that is printed of its runs stands somewhere."""
    cells = tuple(
        replace(cell, select_value=cell.lowest_value, report_value=cell.highest_value)
        if isinstance(cell.highest_value, Quantity)
        else cell
        for cell in group.cells
    )
    return replace(group, cells=cells)


def why_no_step(facts: Facts) -> Text:
    """Say that no step was chosen, and what is reported in its place."""
    return say(
        "No run has a {select} {metric} that could choose a step: reported is what each run "
        "logged last.",
        select=noun(facts.study.metric.select_on),
        metric=metric_words(facts.study),
    )


def where_measured(metric: OtherMetric) -> Text:
    """Say what the values are no result of."""
    return say(_WHERE[metric.split])


def how_to_select(facts: Facts, metric: OtherMetric) -> Text:
    """Say what makes a step be chosen, with the line of a study file where there is one."""
    words = metric.tags[0].rpartition("/")[2].split("_")
    splits = {*SPLITS, *facts.study.split_names}
    name = "_".join(word for word in words if word.lower() not in splits)
    folder = EXAMPLES[facts.study.metric.select_on]
    example = Code(f"{folder}{name if _PLAIN.fullmatch(name) else metric.name}")
    select = noun(facts.study.metric.select_on)
    if not facts.selection.setting:
        return say(
            "To have a step chosen, log the metric on the {select} split (as {example}).",
            select=select,
            example=example,
        )
    if metric.split == "train":
        return say(
            "To have a step chosen, log the metric on the {select} split (as {example}), or write "
            "{line} into a study file, which lets the data of training choose.",
            select=select,
            example=example,
            line=Code(facts.selection.setting),
        )
    return say(
        "To have a step chosen, log the metric on the {select} split (as {example}), or say in a "
        "study file which split {tag} is of: {line}.",
        select=select,
        example=example,
        tag=Code(metric.tags[0]),
        line=Code(facts.selection.setting),
    )


def unselected_headline(facts: Facts, prefix: str) -> Text:
    """Return the last values of each group, or of many their range, and the difference."""
    metric = facts.deciding
    printing = printing_as_logged(metric)
    text = why_no_step(facts)
    many = len(metric.groups) > MOST_TOLD
    if apart := why_apart(facts):
        text += (" ", *apart)
    if many and len(told_tasks(facts)) < 2:
        text += (" ", *_range(facts, metric, printing, prefix))
    if not many:
        for one in metric.groups:
            key = f"{prefix}.{group_key(facts, one)}.last"
            text += (" ", *_last_of(key, metric, one, printing), ".")
    text += _unlike_steps(metric, prefix)
    # Of many groups their range is told, which is of no two of them: a difference is on request.
    if metric.comparisons and (facts.study.compare or not many):
        shown = difference_words(facts, metric.comparisons[0], prefix, printing)
        text += (" ", *shown)
    told = () if many else metric.groups
    if measured := after_training(facts):
        text += (" ", *measured)
    if note := spread_note(facts.study, (one.report for one in told)):
        text += (" ", *note)
    return (*text, " ", *where_measured(metric))


def _last_of(identifier: str, metric: OtherMetric, group: GroupResult, printing: Printing) -> Text:
    """Return a sentence, without its full stop, with the last values of a group for any n."""
    value = mean_and_std(identifier, group.report, printing)
    places: dict[str, Place] = {"what": what_words(metric), "group": name_of(group)}
    if group.report.n == 0:
        missing = ((c, c.report_value) for c in group.cells if isinstance(c.report_value, Missing))
        reasons = reasons_words(missing)
        if not 0 < len(reasons) <= MOST_REASONS:
            return say("No run of {group} has a last {what}", **places)
        return say("No run of {group} has a last {what}: {why}", why=in_a_row(reasons), **places)
    if group.report.n < 3:
        first, *others = value
        shown = (first, printing.sign, *others, *((printing.sign,) if others else ()))
        found = runs_found(group)
        pattern = _FEW[group.report.n, found > group.report.n]
        return say(pattern, values=shown, all=in_words(found), **places)
    n = counted(
        f"{identifier}.n",
        group.report.n,
        message("runs of {group} with a value", group=group.label),
        of_values(group.report),
    )
    return say(
        "The mean last {what} of {group} is {value} over {n} seeds"
        if has_seeds(group)
        else "The mean last {what} of {group} is {value} over {n} runs",
        value=(*value, printing.sign),
        n=n,
        **places,
    )


def _range(facts: Facts, metric: OtherMetric, printing: Printing, prefix: str) -> Text:
    """Say between which values the means of many groups lie."""
    known = [one for one in metric.groups if isinstance(one.report.mean, Quantity)]
    if not known:
        groups = groups_number(facts, f"{prefix}.groups")
        what = what_words(metric)
        return say("None of the {n} groups of runs has a last {what}.", n=groups, what=what)
    ends = sorted(known, key=_mean_of)
    many = any(group.report.n > 1 for group in known)
    low, high = (
        (printing.mean(f"{prefix}.{end}", group.report.mean), printing.sign)
        for end, group in (("lowest", ends[0]), ("highest", ends[-1]))
    )
    return say(
        "The mean last {what} of {n} groups of runs lies between {low} and {high}."
        if many
        else "The last {what} of {n} groups of runs lies between {low} and {high}.",
        what=what_words(metric),
        n=counted(
            f"{prefix}.groups",
            len(known),
            message("groups of runs with a value"),
            [e for group in known for e in of_values(group.report)],
        ),
        low=low,
        high=high,
    )


def _mean_of(group: GroupResult) -> float:
    return group.report.mean.value if isinstance(group.report.mean, Quantity) else 0.0


def _unlike_steps(metric: OtherMetric, prefix: str) -> Text:
    """Say between which steps the last values lie, where not all were logged at the same one."""
    steps = sorted(
        (
            step
            for one in metric.groups
            for cell in one.cells
            if isinstance(step := step_of(cell.report_value), Quantity)
        ),
        key=lambda step: step.value,
    )
    if not steps or steps[0].value == steps[-1].value:
        return ()
    said = say(
        "These runs were logged last at different steps, from {first} to {last}: runs of unlike "
        "length are no equal comparison.",
        first=step_number(f"{prefix}.first_last_step", steps[0]),
        last=step_number(f"{prefix}.last_last_step", steps[-1]),
    )
    return (" ", *said)


def step_of(reading: Reading) -> Reading:
    """Return the step at which a value was logged."""
    if isinstance(reading, Missing) or reading.sources[0].step is None:
        return NO_VALUE
    return Quantity(
        value=reading.sources[0].step,
        unit="step",
        method=message("step of the value"),
        sources=reading.sources,
    )


def names_and_directions(metrics: Sequence[OtherMetric]) -> list[tuple[str, str]]:
    """Return each metric once, with the direction in which it is better."""
    return list(dict.fromkeys((metric.name, metric.direction) for metric in metrics))
