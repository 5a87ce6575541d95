"""Tests of two groups against scipy on made-up runs, and printed t against printed p."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from fakes import made_claims as make
from fakes import made_runs
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportgen.checks import significance
from reportgen.checks._tests_of_means import mean_tests, p_range

TENTHS = st.lists(st.integers(400, 990), min_size=3, max_size=6, unique=True)


def stated(text, kind, sign="", groups=("pretrained", "random"), **more):
    first, second = groups
    return make.claim(
        "test_statistic",
        text,
        hints={"sign": sign} if sign else None,
        aggregate=kind,
        group=first,
        against=second,
        run_group=first,
        run_against=second,
        **more,
    )


def at_best(group):
    """Test values at the best validation step of each run of the published logs."""
    found = []
    for (name, _), (valid, test) in made_runs.SIX.items():
        if name == group:
            found.append(test[valid.index(max(valid))])
    return found


PAIRED = stats.ttest_rel(at_best("pretrained"), at_best("random"))
WELCH = stats.ttest_ind(at_best("pretrained"), at_best("random"), equal_var=False)


def verdict(*claims):
    findings = list(significance.check(make.case(*claims, facts=made_runs.facts())))
    return [(f.level, f.verdict.removesuffix(" within rounding")) for f in findings]


@pytest.mark.parametrize(
    ("value", "kind", "sign"),
    [
        (f"{PAIRED.statistic:.2f}", "t", ""),
        (f"{WELCH.statistic:.2f}", "t", ""),
        (f"{-WELCH.statistic:.1f}", "t", ""),
        ("2", "degrees", ""),
        ("4", "degrees", ""),
        (f"{WELCH.df:.2f}", "degrees", ""),
        (f"{PAIRED.pvalue:.4f}", "p", ""),
        (f"{PAIRED.pvalue / 2:.4f}", "p", ""),
        (f"{WELCH.pvalue:.6f}", "p", ""),
        ("0.05", "p", "<"),
        ("0.25", "p_floor", ""),
        ("0.1", "p_floor", ""),
    ],
)
def test_every_test_that_people_use_is_legal(value, kind, sign):
    assert verdict(stated(value, kind, sign)) == [("none", "agrees")]


@pytest.mark.parametrize(
    ("value", "kind", "sign"),
    [
        (f"{PAIRED.statistic + 3:.2f}", "t", ""),
        ("7", "degrees", ""),
        ("0.13", "p", ""),
        ("0.05", "p", ">"),
        ("0.5", "p_floor", ""),
    ],
)
def test_what_no_test_gives_is_an_error(value, kind, sign):
    assert verdict(stated(value, kind, sign)) == [("error", "disagrees")]


def test_groups_that_are_not_named_leave_room():
    claim = stated("0.13", "p", groups=("", ""))
    assert verdict(claim) == [("warning", "disagrees")]


@pytest.mark.parametrize(
    ("t", "degrees", "p", "sign", "level"),
    [
        ("2.20", "28", "0.04", "", "none"),
        ("2.20", "28", "0.02", "", "none"),
        ("2.20", "28", ".36", "", "warning"),
        ("2.20", "28", ".05", "<", "none"),
        ("1.20", "28", ".05", "<", "warning"),
        ("6.09", "3.2", "0.0071", "", "none"),  # of 3.246 degrees, which are Welch's
        ("6.09", "3.2", "0.0079", "", "warning"),
        ("16.38", "2", "0.0037", "", "none"),
        ("16.38", "2", "0.037", "", "warning"),
    ],
)
def test_a_printed_p_is_that_of_the_printed_t(t, degrees, p, sign, level):
    kinds = ((t, "t", ""), (degrees, "degrees", ""), (p, "p", sign))
    claims = [stated(text, kind, sign, block=0) for text, kind, sign in kinds]
    (finding,) = significance.check(make.alone(*claims))
    assert finding.level == level


@given(TENTHS, TENTHS)
@settings(max_examples=60, deadline=None)
def test_statistics_are_those_of_scipy(one, other):
    size = min(len(one), len(other))
    left, right = ([Decimal(v) / 10 for v in values] for values in (one, other))
    pairs = list(zip(left[:size], right[:size], strict=True))
    found = {test.name: test for test in mean_tests(left, right, pairs)}
    floats = ([float(v) for v in left], [float(v) for v in right])
    for name, expected in (
        ("the paired t test", stats.ttest_rel(floats[0][:size], floats[1][:size])),
        ("Welch's t test", stats.ttest_ind(*floats, equal_var=False)),
        ("Student's t test", stats.ttest_ind(*floats)),
    ):
        test = found[name]
        if test.t is None or not math.isfinite(expected.statistic):
            continue
        assert test.t == pytest.approx(expected.statistic, rel=1e-6, abs=1e-9)
        assert test.degrees == pytest.approx(expected.df, rel=1e-6)
        assert test.p() == pytest.approx(expected.pvalue, rel=1e-5, abs=1e-12)


@given(st.floats(-8, 8), st.integers(1, 60))
def test_the_range_of_p_holds_that_of_every_t_inside(t, degrees):
    low, high = p_range((t - 0.005, t + 0.005), (degrees, degrees))
    assert low <= 2 * stats.t.sf(abs(t), degrees) * (1 + 1e-9)
    assert high >= 2 * stats.t.sf(abs(t), degrees) * (1 - 1e-9)


def test_without_logs_and_without_its_t_a_p_is_left_alone():
    assert list(significance.check(make.alone(stated("0.0037", "p")))) == []
