"""The solver against brute force with the standard library, and against published lab logs."""

from __future__ import annotations

import math
import statistics
import time
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reportgen.stats import (
    BORDERLINE,
    DEFINITIONS,
    ERROR,
    FITS,
    IMPOSSIBLE,
    ONE_UNIT,
    OPEN,
    POPULATION,
    SAMPLE,
    TRUNCATED,
    Exhausted,
    Interval,
    Row,
    Search,
    Spread,
    exclude_cells,
    fit_row,
    is_possible,
    largest_distance,
    least_squares,
    most_squares,
    printed_interval,
    root_above,
    select_definition,
    solve_spread,
)

TENTH = Fraction(1, 10)
BY_LIBRARY = {
    POPULATION: lambda values: float(statistics.pstdev(values)),
    SAMPLE: lambda values: float(statistics.stdev(values)),
    ERROR: lambda values: float(statistics.stdev(values)) / math.sqrt(len(values)),
}


def shown(text, how="rounded"):
    return printed_interval(Decimal(text), len(text.partition(".")[2]), how)


def printed(mean, std, n, *known, how="rounded"):
    return Spread(shown(mean, how), shown(std, how), n, tuple(shown(k) for k in known))


def row(mean, std, n, *known):
    return Row(printed(mean, std, n, *known), printed(mean, std, n, *known, how=ONE_UNIT))


def solved(mean, std, n, *known, definition=POPULATION):
    found = solve_spread(printed(mean, std, n, *known), definition, TENTH)
    assert found.complete
    return [tuple(float(v) for v in values) for values in found.values]


# Published lab logs: three seeds, accuracies of one decimal, population standard deviation.


def test_one_known_value_tells_the_other_two():
    assert solved("79.1", "0.46", 3, "78.5") == [(78.5, 79.3, 79.6)]
    assert solved("79.2", "0.61", 3, "80.1") == [(78.8, 78.8, 80.1)]
    assert solved("67.7", "0.31", 3, "67.4") == [(67.4, 67.5, 68.1)]


@pytest.mark.parametrize(("mean", "std", "known"), [("79.1", "0.46", "78.5"),
                                                   ("79.2", "0.61", "80.1")])  # fmt: skip
def test_the_other_definition_has_no_solution_there(mean, std, known):
    assert solved(mean, std, 3, known, definition=SAMPLE) == []


def test_a_value_far_from_the_mean_is_impossible_under_every_definition():
    for definition in DEFINITIONS:
        assert not is_possible(printed("79.2", "0.61", 3, "83.5"), definition)
        assert solved("79.2", "0.61", 3, "83.5", definition=definition) == []


def test_a_whole_number_may_be_what_was_rounded_to_it():
    assert not is_possible(printed("79.1", "0.46", 3, "80.0"), POPULATION)
    assert is_possible(printed("79.1", "0.46", 3, "80"), POPULATION)


def test_every_set_is_found_without_known_values():
    assert len(solved("66.5", "1.48", 3)) == 8
    assert (64.4, 67.2, 67.8) in solved("66.5", "1.48", 3)
    assert len(solved("51.2", "1.67", 3)) == 10
    assert len(solved("75.4", "1.08", 3)) == 6


def test_a_printed_zero_left_out_matters():
    assert len(solved("61.8", "4.2", 3, "66.7")) == 6
    assert solved("61.8", "4.20", 3, "66.7") == []


def test_one_unit_off_is_borderline():
    assert fit_row(row("65.1", "2.61", 3, "65.4"), POPULATION, TENTH) == BORDERLINE
    near = solve_spread(printed("65.1", "2.61", 3, "65.4", how=ONE_UNIT), POPULATION, TENTH)
    assert (61.8, 65.4, 68.2) in [tuple(float(v) for v in values) for values in near.values]
    cut = printed("65.1", "2.61", 3, "65.4", how=TRUNCATED)
    assert solve_spread(cut, POPULATION, TENTH).values != ()
    assert fit_row(row("65.1", "2.61", 3, "65.4"), POPULATION, None) == FITS


TABLE = (
    row("70.4", "1.92", 3, "67.7", "72.0", "71.5"),
    row("79.1", "0.46", 3, "78.5"),
    row("79.2", "0.61", 3, "80.1"),
    row("79.9", "0.37", 3, "79.9", "79.5", "80.4"),
    row("61.8", "4.2", 3, "66.7"),
    row("65.1", "2.61", 3, "65.4"),
    row("67.7", "0.31", 3, "67.4"),
)


@given(st.decimals(0, 99, places=3), st.integers(0, 2), st.booleans(), st.sampled_from([1, -1]))
def test_a_number_lies_in_what_its_print_may_stand_for(value, decimals, cut, sign):
    quantum = Decimal(1).scaleb(-decimals)
    text = value.quantize(quantum, rounding="ROUND_DOWN" if cut else "ROUND_HALF_EVEN")
    if sign > 0 or text:
        for how in ("either", "one unit", "truncated" if cut else "rounded"):
            assert sign * Fraction(value) in printed_interval(sign * text, decimals, how)


def test_the_rows_of_a_table_vote_and_a_borderline_one_is_tolerated():
    name, fits = select_definition(TABLE, TENTH)
    assert name == POPULATION
    assert fits[POPULATION].count(BORDERLINE) == 1
    assert IMPOSSIBLE in fits[SAMPLE]
    assert IMPOSSIBLE in fits[ERROR]


def test_a_row_that_no_definition_fits_has_no_vote():
    name, fits = select_definition((*TABLE, row("79.2", "0.61", 3, "83.5")), TENTH)
    assert name == POPULATION
    assert fits[POPULATION][-1] == IMPOSSIBLE


def test_a_table_may_leave_open_what_it_used():
    assert select_definition((row("51.2", "1.67", 3),), TENTH)[0] is None
    assert select_definition((), TENTH)[0] is None
    assert select_definition((row("50", "1", 2, "10", "90"),), TENTH)[0] is None


def test_the_impossible_cell_is_named():
    assert exclude_cells(printed("79.2", "0.61", 3, "80.1", "83.5"), POPULATION, TENTH) == (1,)
    assert exclude_cells(printed("79.2", "0.61", 3, "83.5", "80.1"), POPULATION, None) == (0,)
    assert exclude_cells(printed("79.2", "0.61", 3, "80.1"), POPULATION, TENTH) == ()


def test_of_two_cells_that_exclude_each_other_none_is_named():
    assert exclude_cells(printed("50.0", "1.00", 3, "51.0", "51.3"), POPULATION, None) == ()
    assert not is_possible(printed("50.0", "1.00", 3, "51.0", "51.3"), POPULATION)


def test_accuracies_of_n_examples_lie_on_their_own_grid():
    spread = printed("81.17", "1.65", 3)
    found = solve_spread(spread, POPULATION, Fraction(100, 200))
    assert (Fraction(79), Fraction(81), Fraction(83)) not in found.values
    assert all((value * 2).denominator == 1 for values in found.values for value in values)


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_a_search_that_is_too_large_says_so_and_ends_soon(definition):
    began = time.process_time()
    found = solve_spread(printed("50.0", "20", 9), definition, Fraction(1, 1000))
    assert not found.complete
    assert found.only is None
    assert fit_row(row("50.0", "20", 9, "51.123"), definition, Fraction(1, 1000)) in {FITS, OPEN}
    assert time.process_time() - began < 5


def test_three_runs_take_milliseconds():
    began = time.process_time()
    for _ in range(20):
        solve_spread(printed("79.1", "4.6", 3), POPULATION, TENTH)
    assert (time.process_time() - began) / 20 < 0.1


@pytest.mark.parametrize("definition", [SAMPLE, ERROR])
def test_one_value_has_no_sample_deviation(definition):
    assert solved("79.1", "0.00", 1, definition=definition) == []
    assert not is_possible(printed("79.1", "0.00", 1), definition)


def test_one_value_has_no_population_spread():
    assert solved("79.1", "0.00", 1) == [(79.1,)]
    assert solved("79.1", "0.46", 1) == []
    assert not is_possible(printed("79.1", "0.46", 1), POPULATION)


def test_more_values_than_n_are_impossible():
    assert not is_possible(printed("79.1", "0.46", 1, "79.1", "79.1"), POPULATION)
    assert solved("79.1", "0.46", 1, "79.1", "79.1") == []


def test_a_negative_spread_is_impossible():
    assert not is_possible(printed("79.1", "-0.46", 3), POPULATION)


# Brute force.

LOWEST, HIGHEST = -18, 40


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.integers(0, 20), min_size=2, max_size=3),
    st.sampled_from(DEFINITIONS),
    st.integers(0, 3),
)
def test_brute_force_finds_the_same_sets(tenths, definition, count_known):
    values = [Fraction(t, 10) for t in tenths]
    mean = f"{float(statistics.fmean(values)):.1f}"
    std = f"{BY_LIBRARY[definition](values):.2f}"
    known = [f"{float(v):.1f}" for v in values[:count_known]]
    spread = printed(mean, std, len(values), *known)
    low, high = max(spread.spread.low, Fraction()) ** 2, spread.spread.high**2
    brute = set()
    for numbers in combinations_with_replacement(range(LOWEST, HIGHEST), len(values)):
        held = all(numbers.count(t) >= tenths[:count_known].count(t) for t in tenths[:count_known])
        centre = Fraction(sum(numbers), 10 * len(numbers))
        if held and centre in spread.mean:
            exact = [Fraction(t, 10) for t in numbers]
            if low <= exact_square(exact, definition) <= high:
                brute.add(tuple(exact))
    found = solve_spread(spread, definition, TENTH)
    assert found.complete

    assert set(found.values) == brute
    assert tuple(sorted(values)) in brute
    assert is_possible(spread, definition)


def exact_square(numbers, definition):
    if definition == POPULATION:
        return statistics.pvariance(numbers)
    return statistics.variance(numbers) / (len(numbers) if definition == ERROR else 1)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(0, 2000), min_size=2, max_size=6),
    st.sampled_from(DEFINITIONS),
    st.integers(0, 2),
    st.integers(0, 3),
    st.data(),
)
def test_what_was_computed_from_values_is_always_possible(steps, definition, m, s, data):
    values = [Fraction(t, 20) for t in steps]
    mean, std = statistics.fmean(values), BY_LIBRARY[definition](values)
    count = data.draw(st.integers(0, len(values)))
    known = [f"{float(v):.2f}" for v in values[:count]]
    spread = printed(f"{mean:.{m}f}", f"{std:.{s}f}", len(values), *known)
    assert is_possible(spread, definition)
    assert exclude_cells(spread, definition, None) == ()
    loose = printed(f"{mean:.{m}f}", f"{std:.{s}f}", len(values), *known, how=ONE_UNIT)
    assert fit_row(Row(spread, loose), definition, Fraction(1, 20)) in {FITS, OPEN}


@settings(max_examples=100, deadline=None)
@given(
    st.integers(2, 6), st.integers(0, 300), st.integers(0, 80), st.integers(-400, 700),
    st.sampled_from(DEFINITIONS),
)  # fmt: skip
def test_the_bound_of_one_value_is_sharp(n, mean, std, value, definition):
    spread = Spread(shown(f"{mean / 10:.1f}"), shown(f"{std / 10:.1f}"), n)
    reach = largest_distance(spread, definition)
    point = Interval(Fraction(value, 10), Fraction(value, 10))
    inside = spread.mean.low - reach <= point.low <= spread.mean.high + reach
    beside = Spread(spread.mean, spread.spread, n, (point,))
    close = min(abs(point.low - spread.mean.high - reach), abs(spread.mean.low - reach - point.low))
    assume(close > Fraction(1, 100_000))
    if n > 2:
        assert is_possible(beside, definition) == inside
    elif is_possible(beside, definition):
        assert inside


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 4)), min_size=0, max_size=4),
    st.integers(0, 3), st.integers(-20, 20), st.integers(0, 3),
)  # fmt: skip
def test_the_least_spread_is_least(intervals, free, mean, width):
    assume(intervals or free)
    known = [Interval(Fraction(a), Fraction(a + w)) for a, w in intervals]
    centre = Interval(Fraction(mean), Fraction(mean + width))
    least = least_squares(known, free, centre)
    from scipy.optimize import minimize

    n = len(known) + free
    bounds = [(float(k.low), float(k.high)) for k in known] + [(None, None)] * free
    limits = [
        {"type": "ineq", "fun": lambda x: x.sum() / n - float(centre.low)},
        {"type": "ineq", "fun": lambda x: float(centre.high) - x.sum() / n},
    ]
    start = [float(k.clip(Fraction(mean))) for k in known] + [float(mean)] * free
    found = minimize(
        lambda x: ((x - x.mean()) ** 2).sum(), start, bounds=bounds, constraints=limits,
        method="SLSQP", options={"maxiter": 300, "ftol": 1e-12},
    )  # fmt: skip
    if least is None:
        assert free == 0
        low, high = sum(k.low for k in known) / n, sum(k.high for k in known) / n
        assert high < centre.low or low > centre.high
    else:
        # It stops early now and then, but never below the least.
        assert float(least) <= found.fun + 1e-4 * (1 + abs(found.fun))
        assert not found.success or float(least) == pytest.approx(found.fun, abs=1e-4, rel=1e-4)


def test_a_million_free_values_are_not_listed():
    assert is_possible(printed("79.2", "0.61", 10**12, "83.5"), POPULATION)
    assert not is_possible(printed("79.2", "0.00", 10**12, "9" * 20), POPULATION)


def test_the_largest_spread_of_one_free_value_is_in_a_corner():
    point = Interval(Fraction(2), Fraction(3))
    # Mean 0 of two values: the other is -2 to -3.
    assert most_squares([point], 1, Interval(Fraction(0), Fraction(0))) == 18
    assert most_squares([point], 2, Interval(Fraction(0), Fraction(0))) is None
    assert most_squares([point, point], 0, Interval(Fraction(0), Fraction(9))) == Fraction(1, 2)


def test_a_search_counts_its_choices():
    with pytest.raises(Exhausted):
        list(Search(most=10).choose(6, 0, 0, 10_000))


@given(st.integers(1, 4), st.integers(-12, 12), st.integers(-3, 40), st.integers(0, 40))
def test_whole_numbers_with_a_sum_and_squares(count, total, low, width):
    brute = [
        c
        for c in combinations_with_replacement(range(-9, 10), count)
        if sum(c) == total and low <= sum(v * v for v in c) <= low + width
    ]
    assert sorted(Search().choose(count, total, low, low + width)) == brute


@given(st.fractions(0, 10_000), st.integers(0, 9))
def test_a_root_is_rounded_up(square, places):
    root = root_above(square, places)
    assert root * root >= square
    below = root - Fraction(1, 10**places)
    assert below < 0 or below * below < square
