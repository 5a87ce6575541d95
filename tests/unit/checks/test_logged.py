"""Logged values as exact decimals, by step and by epoch; built once a case, and dropped."""

from __future__ import annotations

import gc
import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from fakes import made_claims as make
from fakes import made_runs
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks import _logged
from reportgen.checks._logged import Curve, Logbook, logbook_of
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan


def curve(values, steps=None, per_epoch=225, unit="percent", dtype=np.float64, **more):
    series = made_runs.series("test", values, steps=steps, unit=unit, dtype=dtype, **more)
    return Curve(made_runs.run("a", 0, series), series, made_runs.study(steps_per_epoch=per_epoch))


def test_single_precision_is_read_as_it_was_logged():
    points = curve([79.9, 0.1, 81.05], dtype=np.float32).points
    assert [p.value for p in points] == [Decimal("79.9"), Decimal("0.1"), Decimal("81.05")]
    assert points[0].in_unit("fraction") == Decimal("0.799")
    assert points[0].evidence.value == 79.9


def test_nan_and_infinite_points_are_dropped_and_counted():
    found = curve([79.9, float("nan"), float("inf"), 80.0])
    assert [p.step for p in found.points] == [225, 900]
    assert found.dropped == 2
    assert [p.step for p in found.extremes(lower=False)] == [900]
    assert curve([float("nan")]).extremes(lower=True) == ()


@pytest.mark.parametrize(
    ("values", "decimals"),
    [((79.9, 80.0), 1), ((80.0, 79.0), 0), ((0.514, 0.5), 3), ((0.51432111, 0.5), None),
     ((79.9,), None)],
)  # fmt: skip
def test_a_log_that_was_rounded_shows_it(values, decimals):
    assert curve(list(values)).decimals == decimals


def test_epochs_and_steps():
    found = curve([1.0, 2.0, 3.0], steps=[100, 225, 300])
    assert [p.step for p in found.at_epoch(1)] == [225]
    assert [p.step for p in found.at_epoch(2)] == [300]
    assert found.at_epoch(3) == ()
    assert [p.step for p in found.at_epoch(0.44)] == [100]
    assert curve([1.0, 2.0], per_epoch=0).at_epoch(1) == ()
    assert curve([1.0, 2.0], per_epoch=0).epochs == (None, None)


def test_another_split_may_be_logged_at_other_steps():
    found = curve([1.0, 2.0, 3.0], steps=[1, 226, 451])
    assert found.near(226, 1.0).step == 226
    assert found.near(225, 1.0).step == 1
    assert curve([5.0], steps=[1000]).near(450, 2.0).value == 5
    assert curve([5.0, 6.0], steps=[1000, 2000], per_epoch=0).near(450, None) is None


def test_every_tie_is_a_best_step():
    runs = made_runs.runs_of({("a", 0): ([82.0, 70.0, 82.0, 82.0], [1.0] * 4)})
    book = Logbook(made_runs.facts(runs=runs))
    (run,) = book.runs("a")
    bests = list(book.bests(run, "accuracy"))
    assert [b.point.step for b in bests] == [225, 900, 675]
    assert bests[0].ties == (225, 675, 900)
    assert [b.words.rpartition(", ")[2] for b in bests] == [
        "the first of 3 equal ones", "the last of 3 equal ones", "one of 3 equal ones",
    ]  # fmt: skip


def test_the_direction_of_a_metric():
    book = Logbook(made_runs.facts(metric=MetricPlan(name="accuracy", direction="lower")))
    assert book.lower("accuracy")
    assert book.lower("nll_loss")
    assert not book.lower("f1")


def test_runs_with_one_seed_are_all_kept():
    runs = Runs(root="logs", runs=tuple(
        made_runs.run("a", 42, made_runs.series("test", [float(n)]), name=f"a/run{n}")
        for n in range(3)
    ))  # fmt: skip
    book = Logbook(made_runs.facts(runs=runs, groups=()))
    assert len(book.runs("a", 42)) == 3
    assert book.runs("a", 1) == ()
    assert book.groups() == ("a",)


def test_missing_cells_and_labels():
    runs = made_runs.runs_of({("pretrained", 0): ([1.0], [2.0])})
    book = Logbook(made_runs.facts(runs=runs))
    assert book.missing("pretrained") == (1, 2)
    assert book.missing("random") == (0, 1, 2)
    assert book.groups() == ("pretrained",)
    assert book.splits("pretrained", "accuracy") == ("test", "validation")
    (run,) = book.runs("pretrained")
    point = book.curve(run, "accuracy", "test").points[0]
    assert book.where(point) == "pretrained/seed 0, test accuracy, step 225"
    assert book.curve(run, "accuracy", "train") is None


def test_a_book_is_kept_as_long_as_its_facts():
    case = make.case(make.value("79.9"))
    book = logbook_of(case)
    assert logbook_of(case) is book
    assert logbook_of(replace(case, claims=())) is book
    assert logbook_of(make.alone(make.value("79.9"))) is None
    assert logbook_of(replace(case, given=frozenset({"model"}))) is None
    kept = len(_logged._kept)
    del case, book
    gc.collect()
    assert len(_logged._kept) == kept - 1


@given(st.lists(st.integers(0, 1000).map(lambda t: t / 10), min_size=1, max_size=20))
def test_a_series_is_read_whole_and_exactly(values):
    found = curve(values, dtype=np.float32)
    assert [p.value for p in found.points] == [Decimal(str(v)) for v in values]
    assert found.at(225).value == Decimal(str(values[0]))
    assert {p.value for p in found.extremes(lower=True)} == {Decimal(str(min(values)))}


def test_a_value_of_a_long_curve_is_read_without_making_points_of_the_others():
    found = curve(np.random.default_rng(0).random(5000).tolist(), unit="fraction")
    asked = [found.last, found.first, found.at(4500), found.near(1_000_000, None)]
    asked += found.extremes(lower=True)
    assert found.decimals is None
    points = [one for one in gc.get_objects() if type(one) is _logged.Point]
    made = {one.step for one in points if one.series is found.series}
    assert made == {one.step for one in asked}


@given(
    values=st.lists(
        st.floats(-1e6, 1e6, width=32) | st.sampled_from([0.5, 1e6, math.inf, math.nan]),
        min_size=1,
        max_size=12,
    ),
    lower=st.booleans(),
    step=st.integers(min_value=0, max_value=13 * 225),
)
def test_what_is_read_off_the_columns_is_what_the_points_say(values, lower, step):
    found = curve(values, dtype=np.float32)
    points = [
        (number * 225, Decimal(repr(float(str(value)))))
        for number, value in enumerate(np.asarray(values, dtype=np.float32), start=1)
        if np.isfinite(value)
    ]
    best = (min if lower else max)([value for _, value in points], default=None)
    assert [p.step for p in found.extremes(lower=lower)] == [s for s, v in points if v == best]
    assert [p.step for p in [found.at(step)] if p] == [s for s, _ in points if s == step]
    before = points[:1] if len(points) == 1 else [p for p in points if p[0] <= step][-1:]
    assert [(p.step, p.value) for p in [found.near(step, None)] if p] == before
    assert found.dropped == len(values) - len(points)
