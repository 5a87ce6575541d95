"""Axes, labels and thinning: the arithmetic below the pictures."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from reportgen.figures._labels import relax
from reportgen.figures._scale import (
    Scale,
    find_decades,
    find_limits,
    find_powers,
    find_ticks,
    label_ticks,
)
from reportgen.figures._thin import MOST_POINTS, split_runs
from reportgen.languages import speaking

NAN = float("nan")
FINITE = st.floats(-1e12, 1e12)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=10))
def test_relaxed_labels_keep_apart_in_order_and_inside(wanted):
    centres = relax(wanted, 9.0, 0.0, 100.0)
    placed = sorted(centres)
    assert all(b - a >= 9.0 - 1e-9 for a, b in pairwise(placed))
    assert placed[0] >= 4.5 - 1e-9
    assert placed[-1] <= 95.5 + 1e-9
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    assert sorted(range(len(wanted)), key=lambda i: centres[i]) == order


def test_relaxation_is_the_least_squares_solution():
    wanted = [10.0, 11.0, 12.0, 40.0, 97.0, 98.0]
    constraints = [{"type": "ineq", "fun": lambda z, i=i: z[i + 1] - z[i] - 9.0} for i in range(5)]
    best = minimize(
        lambda z: sum((a - b) ** 2 for a, b in zip(z, wanted, strict=True)),
        [5 + 15.0 * i for i in range(6)],
        bounds=[(4.5, 95.5)] * 6,
        constraints=constraints,
    )
    assert relax(wanted, 9.0, 0.0, 100.0) == pytest.approx(best.x, abs=1e-3)


def test_labels_that_do_not_fit_share_the_space():
    assert relax([5.0] * 4, 9.0, 0.0, 20.0) == (2.5, 7.5, 12.5, 17.5)
    assert relax([], 9.0, 0.0, 20.0) == ()


@given(st.lists(FINITE, min_size=1, max_size=20), st.booleans())
def test_limits_hold_every_value(values, percent):
    low, high = find_limits(values, pad=0.05, percent=percent)
    assert low < high
    assert low <= min(values) <= max(values) <= high
    if min(values) >= 0:
        assert low >= 0
        if percent and max(values) <= 100 and max(values) > min(values):
            assert high <= 100


@given(FINITE, FINITE)
def test_ticks_are_few_even_and_inside(a, b):
    low, high = find_limits([a, b], pad=0.05)
    ticks = find_ticks(low, high)
    assert 1 <= len(ticks) <= 6
    slack = (high - low) * 1e-6
    assert all(low - slack <= tick <= high + slack for tick in ticks)
    steps = [b - a for a, b in pairwise(ticks)]
    assert all(step == pytest.approx(steps[0], rel=1e-3) for step in steps)


@given(FINITE, FINITE)
def test_tick_labels_tell_the_truth_and_differ(a, b):
    low, high = find_limits([a, b], pad=0.05)
    ticks = find_ticks(low, high)
    labels = label_ticks(ticks)
    assert len(set(labels)) == len(labels)
    largest = max(map(abs, ticks))
    for tick, label in zip(ticks, labels, strict=True):
        read = float(label.replace("−", "-").replace(",", ""))
        assert math.isclose(read, tick, rel_tol=5e-3, abs_tol=1e-8 * largest)


def test_scale_maps_ends_to_ends():
    scale = Scale(low=50, high=100, start=200, end=0)
    assert [scale.place(v) for v in (50, 75, 100)] == [200, 100, 0]


def test_a_logarithmic_scale_gives_equal_factors_equal_room():
    scale = Scale(low=0.1, high=1000, start=200, end=0, logarithmic=True)
    assert [scale.place(v) for v in (0.1, 1, 10, 1000)] == pytest.approx([200, 150, 100, 0])
    # A lower edge of a band may lie at zero or below, which has no place of its own.
    assert [scale.place(v) for v in (0.0, -5.0)] == [200, 200]
    values = np.array([-5.0, 0.1, 1.0, 1000.0])
    assert scale.places(values) == pytest.approx([scale.place(v) for v in values])


@given(st.floats(1e-200, 1e200), st.floats(10, 1e60))
def test_a_logarithmic_axis_shows_its_values_and_marks_powers_of_ten(low, factor):
    high = low * factor
    assume(high < 1e290)
    bottom, top = find_decades([low, high], pad=0.05)
    assert bottom <= low < high <= top
    powers = find_powers(bottom, top)
    assert 1 <= len(powers) <= 6
    assert all(math.isclose(math.log10(p), round(math.log10(p)), abs_tol=1e-9) for p in powers)
    gaps = {round(math.log10(b / a)) for a, b in pairwise(powers)}
    assert len(gaps) <= 1
    assert bottom / 1.001 <= powers[0] <= powers[-1] <= top * 1.001


def test_short_curves_are_drawn_point_by_point():
    x, y = range(MOST_POINTS), [float(i % 7) for i in range(MOST_POINTS)]
    assert split_runs(x, y) == [list(zip(x, y, strict=True))]


@given(
    st.lists(st.floats(-1e6, 1e6) | st.just(NAN), min_size=1, max_size=40),
    st.integers(MOST_POINTS + 1, 900),
    st.integers(1, 97),
)
def test_thinned_curves_keep_order_extremes_and_finite_points_only(pattern, count, stride):
    values = [pattern[i // stride % len(pattern)] for i in range(count)]
    stretches = split_runs(range(len(values)), values)
    points = [point for stretch in stretches for point in stretch]
    assert len(points) <= MOST_POINTS
    assert [x for x, _ in points] == sorted({x for x, _ in points})
    assert all(values[x] == y for x, y in points)
    finite = [v for v in values if not math.isnan(v)]
    if finite:
        drawn = [y for _, y in points]
        assert (min(drawn), max(drawn)) == (min(finite), max(finite))


def test_a_long_gap_survives_thinning():
    values = [1.0] * 1000 + [NAN] * 100 + [2.0] * 1000
    before, after = split_runs(range(2100), values)
    assert (before[-1][0], after[0][0]) == (pytest.approx(999, abs=9), pytest.approx(1100, abs=9))


def test_tick_labels_have_the_marks_of_the_language():
    with speaking("fr"):
        assert label_ticks((-0.5, 0.0, 0.5)) == ("−0,5", "0,0", "0,5")
        assert label_ticks((0.0, 5000.0, 10000.0)) == ("0", "5\u202f000", "10\u202f000")
        assert label_ticks((0.0, 2.5e-07)) == ("0", "2,5e−07")
    assert label_ticks((-0.5, 0.5)) == ("−0.5", "0.5")
