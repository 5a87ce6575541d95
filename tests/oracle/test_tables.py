"""Published CSV logs: every cell that pandas reads as a number is a point, and no other."""

import numpy as np
import pandas as pd
import pytest

from reportgen.read.logs.rows import load_metrics_csv


def last_of_each_step(frame, column):
    kept = frame[["step", column]].dropna()
    return kept.groupby("step", sort=True)[column].last()


def test_metrics_of_lightning_equal_those_of_pandas(realdata):
    paths = sorted((realdata / "lightning-versions").rglob("metrics.csv"))
    if not paths:
        pytest.skip("no metrics.csv there")
    for path in paths:
        # As texts first: the fast parser of pandas may miss a number by its last bit.
        frame = pd.read_csv(path, dtype=str).astype(float)
        (log,) = load_metrics_csv(path, path.name)
        filled = [name for name in frame if name != "step" and frame[name].notna().any()]
        assert set(log.series) == set(filled)
        for name, series in log.series.items():
            expected = last_of_each_step(frame, name)
            assert np.array_equal(series.steps, expected.index)
            assert np.array_equal(series.values, expected.to_numpy(dtype=float))
