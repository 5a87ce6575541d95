"""Selection: which step of a run counts, and what the reporting split has there.

One road for every study. A `Selection` says how the step is chosen: the best value on the
selection split or, where nothing can be selected, the last one. A value that was measured once,
after training, stands in where the reporting split has none at the chosen step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reportgen.records.facts import RunResult, Selection
from reportgen.records.quantity import Evidence, Missing, Quantity, Reading
from reportgen.records.record import replace
from reportgen.records.run import Result, Run, Series, decimal_float, of_most
from reportgen.records.study import MetricPlan, Study
from reportgen.stats._readings import (
    called,
    computed,
    epoch_of_step,
    finite_mask,
    index_of_step,
    nearest_step,
    never_finite,
    never_logged,
    reading_at,
    told,
)
from reportgen.stats.summary import mean_of, written_sum

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHARE_AT_THE_END = 10
"""The end of a run is one part in so many of its points."""
MIN_POINTS_OF_AN_END = 20
"""Points from which on a run has an end that is more than its last value."""
MAX_POINTS_OF_AN_END = 100
"""Points of an end, however long the run."""


class Names(NamedTuple):
    """What the names of metrics tell.

    Attributes:
        direction_of: Name to `"higher"`, `"lower"`, or empty where it does not tell.
        tells_quality: Whether a name may say how good a model is, and not how fast it learnt.
        is_return: Whether a name is of what a policy earned, which is a result in training too.
    """

    direction_of: Callable[[str], str]
    tells_quality: Callable[[str], bool]
    is_return: Callable[[str], bool]


# --- how a step is chosen -----------------------------------------------------------------


def choose_selection(study: Study, runs: Iterable[Run], names: Names) -> Selection:
    """Return how the steps of a study are chosen: by the best value, else the last one counts.

    A curve without one finite value is as if it had not been logged. So is a split on which few
    runs have what a policy earned: it would leave most runs without a result.

    Missing:
        Where no run has a finite value of the metric, the best value is asked for in vain: every
        cell then says what it lacks.
    """
    plan = study.metric
    known_by_logs = {made.key for made in study.decisions if not made.alternatives}
    is_known = "metric.direction" in known_by_logs.union(study.stated)
    direction = plan.direction if is_known else ""
    best = Selection(split=plan.select_on, direction=direction or names.direction_of(plan.name))
    runs = tuple(runs)
    logged = [one.split for run in runs for one in run.scalars.values() if one.metric == plan.name]
    few = {*logged} - of_most(logged).keys() if names.is_return(plan.name) else set()
    selects = (run.find(plan.name, plan.select_on) for run in runs)
    is_able = bool(plan.name) and plan.select_on not in few
    if is_able and any(one is not None and finite_mask(one).any() for one in selects):
        return best
    order = (plan.report_on, plan.select_on, "validation", "test", "train", "")
    able = (one for one in order if plan.name and one not in few)
    split = next((s for s in able if any(r.is_measured(plan.name, s) for r in runs)), None)
    return best if split is None else replace(best, kind="last", split=split)


def select_step(
    run: Run,
    metric: MetricPlan,
    *,
    selection: Selection | None = None,
    report_split: str = "",
    study: Study | None = None,
) -> RunResult:
    """Choose a step of a run, and read the reporting split there.

    The largest value on the selection split wins (the smallest where the metric's direction is
    `"lower"`); of equal ones the first or the last, as `metric.ties` says. NaN and infinite
    values never win; how many were left out stands in the method of `best_step`. Where nothing
    can be selected, the last value counts, with the mean of the end and the extremes beside it.

    Args:
        run: The run.
        metric: What decides, where it is selected, how ties are broken.
        selection: How the step is chosen; None is by the best value.
        report_split: Split whose value is reported; empty takes `metric.report_on`.
        study: Its stated steps per epoch turn the step of a run without a clock into an epoch.

    Units:
        Values in percent become fractions; metrics without a unit stay as logged.

    Missing:
        A split that was never logged; a report split without a point at the chosen step, or
        at another one of the same weights (the nearest logged step is named), and without one
        value that was measured after training; a selection split with no finite value.

    Source:
        Dodge et al. 2019, "Show Your Work", section 3: the test value belongs to the
        checkpoint that validation chose. fairseq keeps the later of equal checkpoints
        (`--maximize-best-checkpoint-metric`, comparison by `>=`): `ties="last"`.
    """
    last = selection if selection is not None and selection.is_last else None
    split = last.split if last else report_split or metric.report_on
    result = _without_report(run, metric, split)
    select = run.find(metric.name, metric.select_on)
    chosen = _choose(run, select, metric)
    if isinstance(chosen, Missing) or select is None or last:
        why = chosen if isinstance(chosen, Missing) else Missing(reason=told("no_step"))
        result = replace(result, best_step=why, best_epoch=why, select_value=why)
        return _with_end(result, run, metric.name, split) if last else reported(result, why)
    index, tied = chosen
    step = _step_quantity(run, select, index, tied, metric)
    name, select_on = metric.name, metric.select_on
    method = told.of_split("at_its_best", name, select_on)
    at_best = told.of_split("at_the_best", name, split, select=select_on)
    there = reading_of_weights(run, name, split, int(step.value), select=select_on, method=at_best)
    found = replace(
        result,
        best_step=step,
        best_epoch=_epoch_quantity(run, step, select, study or Study()),
        select_value=reading_at(run, select, index, method=method),
        tied_steps=tied,
    )
    return reported(found, there)


def reported(found: RunResult, there: Reading) -> RunResult:
    """Return a run with its reported value: that of the series, else the one measured after."""
    after = found.result_value
    if isinstance(there, Missing) and isinstance(after, Quantity):
        return replace(found, report_value=after, report_from="result")
    return replace(found, report_value=there, report_from="series")


def _without_report(run: Run, metric: MetricPlan, split: str) -> RunResult:
    """Return what is known of the reporting split of a run before a step is chosen."""
    never = Missing(reason=never_logged(run, metric.name, split))
    measured, value = measured_after(run, metric.name, split)
    result = RunResult.without_values(run.group, run.seed, run, never)
    result = replace(result, result=measured, result_value=value)
    series = run.find(metric.name, split)
    if series is None or not len(series):
        return result
    last = told.of_split("at_last", metric.name, split)
    oracle: Reading = Missing(reason=never_finite(run, metric.name, split))
    if (best := _extreme(series, metric)) is not None:
        method = told.of_split("oracle_itself", metric.name, split)
        oracle = reading_at(run, series, int(best[0]), method=method)
    last_value = reading_at(run, series, len(series) - 1, method=last)
    return replace(result, last_value=last_value, oracle_value=oracle)


def missing_cell(group: str, label: str, seed: int | None, cause: str = "") -> RunResult:
    """Return the result of a declared cell that has no run: every value says so.

    `label` is what the report calls the group; `cause` what is wrong in the place where the
    run should lie, where that is known.

    Example:
        >>> missing_cell("random", "random", 2).report_value.reason
        'no logs found for random, seed 2'
    """
    code = "no_logs_because" if cause else "no_logs"
    reason = told(code, group=label, seed=str(seed), cause=cause)
    return RunResult.without_values(group, seed, None, Missing(reason=reason))


# --- the chosen step ----------------------------------------------------------------------


def _extreme(series: Series, metric: MetricPlan) -> NDArray[np.intp] | None:
    """Return the positions of the best finite value, in order; None where there is none."""
    finite = finite_mask(series)
    if not finite.any():
        return None
    kept = series.values[finite]
    best = kept.min() if metric.direction == "lower" else kept.max()
    positions: NDArray[np.intp] = ((series.values == best) & finite).nonzero()[0]
    return positions


def _choose(
    run: Run, series: Series | None, metric: MetricPlan
) -> tuple[int, tuple[int, ...]] | Missing:
    """Return the position of the chosen point and every tied step."""
    if series is None or len(series) == 0:
        return Missing(reason=never_logged(run, metric.name, metric.select_on))
    best = _extreme(series, metric)
    if best is None:
        return Missing(reason=never_finite(run, metric.name, metric.select_on))
    index = int(best[-1] if metric.ties == "last" else best[0])
    return index, tuple(series.steps[best].tolist())


def _step_quantity(
    run: Run, series: Series, index: int, tied: tuple[int, ...], metric: MetricPlan
) -> Quantity:
    step = int(series.steps[index])
    code = "step_lowest" if metric.direction == "lower" else "step_highest"
    method = told.of_split(code, metric.name, metric.select_on)
    if len(tied) > 1:
        method = told(f"ties_{metric.ties}", step=method, n=len(tied))
    left_out = int((~finite_mask(series)).sum())
    if left_out:
        method = told("left_out", step=method, n=left_out)
    raw = decimal_float(series.values[index])
    evidence = Evidence(path=series.path, tag=series.tag, step=step, value=raw, run=run.id)
    return Quantity(value=step, unit="step", method=method, sources=(evidence,))


def _epoch_quantity(run: Run, step: Quantity, series: Series, study: Study) -> Reading:
    epoch = epoch_of_step(run, series, int(step.value), study)
    if epoch is None:
        return Missing(reason=told("no_pace"))
    method = told("epoch_of", step=step.method)
    return Quantity(value=epoch, unit="epoch", method=method, sources=step.sources)


# --- without a chosen step ----------------------------------------------------------------


def _with_end(result: RunResult, run: Run, metric: str, split: str) -> RunResult:
    """Report the last value of a run, with the mean of its end, its smallest and largest value.

    Source:
        Machado et al. 2018, "Revisiting the Arcade Learning Environment": the mean over the last
        100 episodes, not the best of a run. Henderson et al. 2018, "Deep Reinforcement Learning
        that Matters": a maximum over an unstable training is no fair comparison.
    """
    series = run.find(metric, split)
    never = Missing(reason=told("no_step"))
    end = lowest = highest = result.last_value
    if series is not None and len(series):
        finite = finite_mask(series).nonzero()[0]
        reason = told("all_not_finite", tag=series.tag, run=called(run))
        end = lowest = highest = Missing(reason=reason)
        if len(finite):
            kept = series.values[finite]
            lowest, highest = (
                reading_at(run, series, int(finite[at]), method=told.of_split(code, metric, split))
                for at, code in ((kept.argmin(), "lowest"), (kept.argmax(), "highest"))
            )
            end = _end_of(run, series, finite, metric)
    around = replace(result, end_value=end, lowest_value=lowest, highest_value=highest)
    after = result.result_value
    # Where nothing names a split, what a program states as the result of a run is its result.
    return reported(around, result.last_value if split or isinstance(after, Missing) else never)


def _end_of(run: Run, series: Series, finite: NDArray[np.intp], metric: str) -> Reading:
    """Return the mean over the last points of a run, or why there is none."""
    places = {"tag": series.tag, "run": called(run)}
    if len(series) < MIN_POINTS_OF_AN_END:
        return Missing(reason=told("too_short", n=MIN_POINTS_OF_AN_END, **places))
    points = min(math.ceil(len(series) / SHARE_AT_THE_END), MAX_POINTS_OF_AN_END)
    kept = finite[finite >= len(series) - points].tolist()
    if not kept:
        return Missing(reason=told("end_not_finite", n=points, **places))
    method = told.of_split("end", metric, series.split, n=points)
    readings = [reading_at(run, series, index, method=method) for index in kept]
    found = [one for one in readings if isinstance(one, Quantity)]
    values = tuple(one.value for one in found)
    return Quantity(
        value=mean_of(values),
        unit=found[0].unit,
        method=method,
        formula=f"({written_sum(values)}) / {len(found)}",
        sources=tuple(evidence for one in found for evidence in one.sources),
    )


# --- measured after training --------------------------------------------------------------


def measured_after(run: Run, metric: str, split: str) -> tuple[Result | None, Reading]:
    """Return the one number that was measured after training on a split, and its value.

    Missing:
        There is none, it is not finite, or several differ. Several files may state the same.
    """
    found = [one for one in run.results if (one.metric, one.split) == (metric, split)]
    finite = [one for one in found if math.isfinite(one.value)]
    reason = ""
    if not found:
        reason = told("nothing_after", split=split)
    elif not finite:
        reason = never_finite(run, metric, split)
    elif len({(one.value, one.unit) for one in finite}) > 1:
        reason = told.of_split("several_after", metric, split, run=called(run))
    if reason:
        return None, Missing(reason=reason)
    first = finite[0]
    evidence = Evidence(
        path=first.path, tag=first.tag, step=first.step, value=first.value, run=run.id
    )
    method = told.of_split("measured_after", metric, split)
    value, unit = computed(first.value, first.unit)
    return first, Quantity(value=value, unit=unit, method=method, sources=(evidence,))


# --- single evaluations -------------------------------------------------------------------


def evaluation_steps(run: Run, metric: MetricPlan) -> tuple[int, ...]:
    """Return the steps at which a run's metric or loss was evaluated on the selection split."""
    found: set[int] = set()
    for name in (metric.name, "loss"):
        series = run.find(name, metric.select_on)
        found.update(() if series is None else series.steps.tolist())
    return tuple(sorted(found))


def reading_of(run: Run, metric: str, split: str, step: int, *, method: str = "") -> Reading:
    """Return the value of a metric at exactly this step, or why there is none.

    `method` is what the reading is, in words; empty names metric and split.
    """
    series = run.find(metric, split)
    if series is None or len(series) == 0:
        return Missing(reason=never_logged(run, metric, split))
    index = index_of_step(series, step)
    if index is None:
        near = nearest_step(series, step)
        places = {"run": called(run), "step": step, "near": near}
        return Missing(reason=told.of_split("no_step_there", metric, split, **places))
    what = method or told.of_split("metric_on", metric, split)
    return reading_at(run, series, index, method=what)


def reading_of_weights(
    run: Run, metric: str, split: str, step: int, *, select: str, method: str
) -> Reading:
    """Return the value of a metric at a step, or at another one of the very same weights.

    Lightning's `trainer.validate` and `trainer.test` log one step behind the last one of
    `trainer.fit`. Where every metric of the split `select` has the same values at both steps, to
    the bit, both are of the same weights; so is the value logged there. One metric does not tell:
    an accuracy counts no more than examples.
    """
    found = reading_of(run, metric, split, step, method=method)
    series = run.find(metric, split)
    if isinstance(found, Quantity) or series is None or index_of_step(series, step) is not None:
        return found
    other = _twin_of(run, select, step, series)
    if other is None:
        return found
    same = told("same_weights", what=method, step=other, select=select)
    return reading_of(run, metric, split, other, method=same)


def _twin_of(run: Run, split: str, step: int, series: Series) -> int | None:
    """Return the step of a series nearest to another at which a split has the same values."""
    import numpy as np

    measured = [s for s in run.scalars.values() if s.split == split and len(s)]
    measured = [s for s in measured if s.metric not in {"", "epoch"}]
    same, known = np.full(len(series), True), set()
    for one in measured:
        at = np.minimum(np.searchsorted(one.steps, series.steps), len(one) - 1)
        there = one.steps[at] == series.steps
        index = index_of_step(one, step)
        if index is None:
            same &= ~there
        else:
            same &= there & (one.values[at] == one.values[index])
            known.add(float(one.values[index]))
    twins: Sequence[int] = series.steps[same].tolist() if len(known) > 1 else ()
    return min(twins, key=lambda one: abs(one - step), default=None)


def epoch_of(run: Run, study: Study, step: int) -> Reading:
    """Return the epoch of an evaluation of the metric or, without one, of the loss."""
    plan = study.metric
    series = run.find(plan.name, plan.select_on) or run.find("loss", plan.select_on)
    epoch = None if series is None else epoch_of_step(run, series, step, study)
    if epoch is None:
        return Missing(reason=told("no_pace"))
    method = told("epoch_at", step=step)
    return Quantity(value=epoch, unit="epoch", method=method)
