"""Smoothing and selection against pandas."""

import numpy as np
import pandas as pd
import pytest

from reportgen.records.run import Run, Series
from reportgen.records.study import MetricPlan
from reportgen.stats import select_step, smooth_values


@pytest.mark.parametrize("weight", [0.0, 0.3, 0.6, 0.9, 0.99])
@pytest.mark.parametrize("seed", range(3))
def test_the_debiased_average_is_the_adjusted_one(weight, seed):
    values = np.random.default_rng(seed).normal(70, 5, 50).tolist()
    expected = pd.Series(values).ewm(alpha=1 - weight, adjust=True).mean()
    assert list(smooth_values(values, weight)) == pytest.approx(expected.tolist(), rel=1e-12)


def series(split, frame):
    return Series(
        tag=split,
        metric="wer",
        split=split,
        steps=frame.index.to_numpy(),
        values=frame[split].to_numpy(),
        wall_times=np.zeros(len(frame)),
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("ties", ["first", "last"])
def test_the_best_step_and_the_test_value_there(seed, direction, ties):
    rng = np.random.default_rng(seed)
    steps = np.arange(1, 13) * 50
    splits = {split: rng.integers(0, 5, 12) / 4 for split in ("validation", "test")}
    frame = pd.DataFrame(splits, index=steps)
    frame.loc[rng.choice(steps, 3, replace=False), "validation"] = np.nan
    scalars = {split: series(split, frame) for split in splits}
    run = Run(id="r", group="g", seed=0, layout="plain", scalars=scalars)
    ordered = frame if ties == "first" else frame[::-1]
    found = ordered["validation"].idxmax() if direction == "higher" else ordered.validation.idxmin()
    result = select_step(run, MetricPlan(name="wer", direction=direction, ties=ties))
    assert result.best_step.value == found
    assert result.report_value.value == frame["test"][found]
