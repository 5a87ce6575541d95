"""Last values, ends and extremes, held against pandas."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.quantity import Missing, Quantity
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan
from reportgen.runs._names import direction_of, tells_quality
from reportgen.stats import Names, summarise_groups, summarise_unselected, with_last_values

NAMES = Names(direction_of=direction_of, tells_quality=tells_quality)
REWARD = MetricPlan(name="reward", direction="higher")


def summarised(made, runs, metric=REWARD, **changes):
    study = made.study(groups=(), metric=metric, **changes)
    return summarise_unselected(study, summarise_groups(study, runs), names=NAMES)


def runs_of(made, curves, split="", metric="reward"):
    """Runs of one group with these values at steps 0, 10, 20, ..."""
    found = [
        made.run("g", seed, made.series(
            split, values, steps=[10 * i for i in range(len(values))], metric=metric, unit=""
        ))
        for seed, values in enumerate(curves)
    ]  # fmt: skip
    return Runs(root="logs", runs=tuple(found))


def value(reading):
    return reading.value if isinstance(reading, Quantity) else None


numbers = st.one_of(st.floats(-1e6, 1e6).map(lambda x: round(x, 4)), st.just(math.nan))
curves = st.lists(st.lists(numbers, min_size=1, max_size=60), min_size=1, max_size=5)


@given(curves=curves)
def test_every_value_is_that_of_pandas(made, curves):
    found = summarised(made, runs_of(made, curves))
    frames = [pd.Series(v, index=[10 * i for i in range(len(v))], dtype=float) for v in curves]
    last = [frame.iloc[-1] for frame in frames if not math.isnan(frame.iloc[-1])]
    if not any(frame.notna().any() for frame in frames):
        assert found is None
        return
    (group,) = found.metrics[0].groups
    for frame, run in zip(frames, group.runs, strict=True):
        if frame.notna().sum() == 0:
            assert isinstance(run.lowest, Missing)
            continue
        assert value(run.highest) == frame.max()
        assert run.highest.sources[0].step == frame.idxmax()
        assert value(run.lowest) == frame.min()
        assert run.lowest.sources[0].step == frame.idxmin()
        tail = frame.iloc[-math.ceil(len(frame) / 10) :].mean()
        if len(frame) < 20 or math.isnan(tail):
            assert isinstance(run.end, Missing)
        else:
            assert value(run.end) == pytest.approx(tail, rel=1e-9, abs=1e-9)
    summary = group.result.last
    assert summary.n == len(last)
    if last:
        assert value(summary.mean) == pytest.approx(np.mean(last), rel=1e-9, abs=1e-9)
    if len(last) > 2:
        assert value(summary.std) == pytest.approx(pd.Series(last).std(), rel=1e-6, abs=1e-6)


def test_an_end_has_at_most_a_hundred_points(made):
    found = summarised(made, runs_of(made, [[float(i) for i in range(5000)]]))
    (run,) = found.metrics[0].groups[0].runs
    assert len(run.end.sources) == 100
    assert run.end.value == sum(range(4900, 5000)) / 100


def test_a_run_that_ends_in_nan_has_no_last_value_and_counts_in_no_mean(made):
    found = summarised(made, runs_of(made, [[1.0, 2.0], [1.0, math.nan], [1.0, 4.0]]))
    (group,) = found.metrics[0].groups
    assert group.result.last.n == 2
    assert "nan for reward at step 10" in group.result.cells[1].last_value.reason


@pytest.mark.parametrize("last", [math.nan, math.inf])
def test_runs_that_all_end_in_no_number_still_have_ends_and_extremes(made, last):
    values = [1 / (i + 1) for i in range(99)]
    found = summarised(made, runs_of(made, [[*values, last]], split="train"))
    (group,) = found.metrics[0].groups
    assert group.result.last.n == 0
    assert f"{last} for train/reward at step 990" in group.result.cells[0].last_value.reason
    assert group.runs[0].lowest.value == values[-1]
    assert group.runs[0].end.value == pytest.approx(np.mean(values[-9:]))


def test_a_run_without_the_metric_is_named_with_it(made):
    loss = made.run("h", 0, made.series("", [1.0], metric="loss", unit=""))
    runs = (*runs_of(made, [[1.0]]).runs, loss)
    found = summarised(made, Runs(root="logs", runs=runs))
    assert (
        found.metrics[0].groups[1].result.cells[0].last_value.reason.endswith("never logged reward")
    )


def test_a_best_step_leaves_nothing_to_report_as_logged(made):
    runs = runs_of(made, [[1.0, 2.0]], split="validation")
    assert summarised(made, runs) is None


@pytest.mark.parametrize("split", ["train", "test", ""])
def test_the_split_that_was_logged_is_reported(made, split):
    found = summarised(made, runs_of(made, [[1.0, 2.0]], split=split))
    assert found.metrics[0].split == split
    study = made.study(groups=(), metric=REWARD)
    groups = summarise_groups(study, runs_of(made, [[1.0, 2.0]], split=split))
    (group,) = with_last_values(groups, found)
    assert group.report_split == split
    assert group.cells[0].last_value.value == 2.0
    assert isinstance(group.cells[0].report_value, Missing)


def test_a_name_that_tells_no_direction_has_none_unless_it_is_stated(made):
    metric = MetricPlan(name="zeta", direction="higher")
    runs = runs_of(made, [[1.0]], metric="zeta")
    assert summarised(made, runs, metric).metrics[0].direction == ""
    stated = {"metric.direction": "study.toml"}
    assert summarised(made, runs, metric, stated=stated).metrics[0].direction == "higher"


def test_other_metrics_are_those_that_tell_of_quality(made):
    names = ("reward", "td_loss", "time_fps", "learning_rate", "entropy")
    curves = [made.series("", [1.0, 2.0], metric=name, unit="") for name in names]
    runs = Runs(root="logs", runs=(made.run("g", 0, *curves),))
    found = summarised(made, runs)
    assert [metric.name for metric in found.metrics] == ["reward", "td_loss", "entropy"]
    none = MetricPlan(name="reward", direction="higher", others=())
    assert [metric.name for metric in summarised(made, runs, none).metrics] == ["reward"]
    asked = MetricPlan(name="reward", direction="higher", others=("time_fps",))
    found = summarised(made, runs, asked)
    assert [metric.name for metric in found.metrics] == ["reward", "time_fps"]


def test_groups_are_compared_by_their_last_values(made):
    def run(group, seed, last):
        curve = made.series("", [0.0, last], metric="reward", unit="")
        return made.run(group, seed, curve, name=f"{group}{seed}")

    runs = [run("a", s, v) for s, v in enumerate((5.0, 6.0, 7.0))]
    runs += [run("b", s, v) for s, v in enumerate((1.0, 2.0, 3.5))]
    (comparison,) = summarised(made, Runs(root="logs", runs=tuple(runs))).comparisons
    assert (comparison.first, comparison.second) == ("a", "b")
    assert comparison.difference.value == pytest.approx(6 - 6.5 / 3)
