"""Runs as a frame."""

import builtins
import struct
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.errors import MissingExtraError
from reportgen.records.frame import frame_of_runs, shortest
from reportgen.records.run import Result, Run, Runs, Series, decimal_float


def make(*seeds):
    series = Series(
        tag="accuracy", metric="accuracy", split="validation", unit="percent",
        steps=np.array([225, 450]), values=np.array([79.9, np.nan], dtype=np.float32),
        wall_times=np.array([1.5, np.nan]),
    )  # fmt: skip
    runs = tuple(
        Run(id=f"m/{n}", group="m", seed=seed, layout="plain", scalars={"a": series})
        for n, seed in enumerate(seeds)
    )
    return Runs(root="lab", runs=runs)


def test_one_row_a_point():
    frame = make(0, None).to_frame()
    assert list(frame.columns) == [
        "run", "group", "seed", "split", "tag", "step", "value", "wall_time",
    ]  # fmt: skip
    assert len(frame) == 4
    assert frame.iloc[0].to_dict() == {
        "run": "m/0", "group": "m", "seed": 0, "split": "validation", "tag": "accuracy",
        "step": 225, "value": 79.9, "wall_time": 1.5,
    }  # fmt: skip
    assert str(frame["seed"].dtype) == "Int64"
    assert frame["seed"].isna().tolist() == [False, False, True, True]
    assert frame["value"].isna().tolist() == [False, True, False, True]


def test_what_was_measured_after_training_has_no_step():
    (run,) = make(3).runs
    late = Result(tag="test/accuracy", value=0.81, metric="accuracy", split="test")
    best = replace(late, tag="best/accuracy", step=225)
    shown = replace(late, tag="accuracy", step=225, value=79.9)
    frame = Runs(root="lab", runs=(replace(run, results=(late, best, shown)),)).to_frame()
    assert frame["tag"].tolist() == ["accuracy", "accuracy", "test/accuracy", "best/accuracy"]
    assert frame["step"].isna().tolist() == [False, False, True, True]
    assert (frame.iloc[2]["value"], frame.iloc[2]["split"], frame.iloc[2]["seed"]) == (
        0.81,
        "test",
        3,
    )


def test_no_runs_give_an_empty_frame_with_its_columns():
    frame = Runs(root="lab", runs=()).to_frame()
    assert len(frame) == 0
    assert str(frame["step"].dtype) == "Int64"
    assert str(frame["value"].dtype) == "float64"


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtraError, match="needs pandas"):
        frame_of_runs(make(0))


@given(st.lists(st.floats(width=32)))
def test_a_fraction_is_the_shortest_decimal_that_numpy_prints_and_a_whole_number_itself(values):
    column = np.array(values, dtype=np.float32)
    expected = np.array([v if v % 1 == 0 else float(str(np.float32(v))) for v in values])
    assert np.array_equal(shortest(column), expected, equal_nan=True)


@pytest.mark.parametrize("value", [126356792.0, 33333334016.0, 999999995904.0, 3e38, -16777217.0])
def test_a_whole_float32_keeps_every_digit_it_is_known_to(value):
    stored = np.float32(value)
    exact = struct.unpack("f", struct.pack("f", value))[0]
    assert decimal_float(stored) == exact
    assert shortest(np.array([stored])).tolist() == [exact]
    series = Series(
        tag="r", steps=np.array([1]), values=np.array([stored]), wall_times=np.array([0.0])
    )
    assert list(series.points()) == [(1, exact)]
