"""Runs that ended before the others of their group or diverged: no mean is read without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.languages import message, noun, say
from reportgen.records.document import Text
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity
from reportgen.records.run import Run, Series
from reportgen.records.study import MetricPlan
from reportgen.report._evidence import of_evaluation, of_point
from reportgen.report._moments import last_step
from reportgen.report._number_ids import group_key
from reportgen.report._numbers import step_number
from reportgen.report._phrases import cell_words, joined, metric_words, name_of
from reportgen.report._run_in_group import run_in_group
from reportgen.stats import finite_mask

_MOST = 3
"""Runs that are named; more of them are no exceptions."""


def trouble_of(facts: Facts, prefix: str) -> Text:
    """Return the sentences on runs that ended early or diverged; empty where there are none.

    Args:
        facts: What is known; more than three such runs are left to the tables.
        prefix: What the ids of the numbers begin with.
    """
    sentences = [*early_ends(facts, facts.groups, prefix), *_diverged(facts, prefix)]
    text: Text = ()
    for sentence in sentences:
        text += (" ", *sentence) if text else sentence
    return text


def early_ends(facts: Facts, groups: Sequence[GroupResult], prefix: str) -> list[Text]:
    """Return a sentence for each group most of whose runs end at one step and the others before.

    Runs that all end where their training found it best have no common end, and none is named.
    """
    metric = facts.study.metric
    found: list[tuple[GroupResult, list[tuple[RunResult, Run, int]]]] = []
    for group in groups:
        ends = [
            (cell, cell.run, step)
            for cell in group.cells
            if cell.run is not None
            and (step := last_step(cell.run, metric.name, metric.select_on)) is not None
        ]
        latest = max((step for *_, step in ends), default=0)
        early = sum(step < latest for *_, step in ends)
        if 0 < early < len(ends) - early:
            found.append((group, ends))
    named = sum(step < max(e[2] for e in ends) for _, ends in found for *_, step in ends)
    if named > _MOST:
        return []
    return [_ends_early(facts, group, ends, prefix) for group, ends in found]


def _ends_early(
    facts: Facts, group: GroupResult, ends: Sequence[tuple[RunResult, Run, int]], prefix: str
) -> Text:
    key = f"{prefix}.ends.{group_key(facts, group)}"
    metric = facts.study.metric
    latest = max(step for *_, step in ends)
    reached = [run for _, run, step in ends if step == latest]
    parts = [
        say(
            "{run} ends at step {step}",
            run=cell_words(group, cell),
            step=_end(f"{key}.{i}", [run], step, metric),
        )
        for i, (cell, run, step) in enumerate(ends)
        if step < latest
    ]
    return say(
        "Not every run of {group} reaches step {latest}: {ends}.",
        group=name_of(group),
        latest=_end(f"{key}.latest", reached, latest, metric),
        ends=joined(parts),
    )


def _end(identifier: str, runs: Sequence[Run], step: int, metric: MetricPlan) -> Text:
    points = tuple(point for run in runs for point in of_evaluation(run, metric, step))
    method = message("last evaluated step")
    quantity = Quantity(value=step, unit="step", method=method, sources=points)
    return (step_number(identifier, quantity),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Divergence:
    """A run of a group with a curve that has no finite value from a step on."""

    group: GroupResult
    cell: RunResult
    run: Run
    series: Series
    step: int


def _diverged(facts: Facts, prefix: str) -> list[Text]:
    metric = facts.study.metric
    places = ((metric.name, metric.select_on), ("loss", metric.select_on), ("loss", "train"))
    found = [
        _Divergence(group=group, cell=cell, run=cell.run, series=lost[0], step=lost[1])
        for group in facts.groups
        for cell in group.cells
        if cell.run is not None and (lost := _lost(cell.run, places)) is not None
    ]
    if len(found) > _MOST:
        return []
    return [_from_there_on(facts, f"{prefix}.lost.{i}", one) for i, one in enumerate(found)]


def _lost(run: Run, places: Sequence[tuple[str, str]]) -> tuple[Series, int] | None:
    """Return the first of some curves that ends in NaN or infinite values, and from where on."""
    for name, split in places:
        series = run.find(name, split)
        if series is None or not len(series):
            continue
        finite = finite_mask(series)
        if finite.any() and not finite[-1]:
            return series, int(series.steps[finite.nonzero()[0][-1] + 1])
    return None


def _from_there_on(facts: Facts, identifier: str, lost: _Divergence) -> Text:
    run = run_in_group(lost.group, lost.cell)
    sources = of_point(lost.run, lost.series, lost.step)
    method = message("first step from which no value is finite")
    quantity = Quantity(value=lost.step, unit="step", method=method, sources=sources)
    number = step_number(identifier, quantity)
    split = noun("training" if lost.series.split == "train" else lost.series.split)
    if lost.series.metric == "loss" != facts.study.metric.name:
        return say(
            "From step {step} on, the {split} loss of {run} is NaN or infinite.",
            step=number,
            split=split,
            run=run,
        )
    return say(
        "From step {step} on, the {split} {metric} of {run} is NaN or infinite.",
        step=number,
        split=split,
        metric=metric_words(facts.study),
        run=run,
    )
