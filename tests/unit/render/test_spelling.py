"""Numbers as text: the only place that rounds."""

import math
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.document import Number
from reportgen.records.quantity import Missing, Quantity
from reportgen.render import print_number, spell_date, split_power

finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)


def printed(value, style="plain", decimals=None, lang="en"):
    quantity = Quantity(value=value)
    return print_number(Number(id="n", quantity=quantity, style=style, decimals=decimals), lang)


@pytest.mark.parametrize(
    ("value", "style", "decimals", "text"),
    [
        (0.1, "plain", None, "0.1"),
        (100.0, "plain", None, "100"),
        (1e-7, "plain", None, "0.0000001"),
        (12375, "plain", None, "12375"),
        (0.799, "percent", 1, "79.9"),
        (0.7990000128746033, "percent", 1, "79.9"),
        (0.795, "percent", None, "79.5"),
        (0.002805, "percent_sign", 2, "0.28%"),
        (0.13, "points", 1, "+13.0"),
        (-0.031, "points", 1, "\u22123.1"),
        (0.0, "points", 1, "0.0"),
        (-0.0004, "points", 1, "0.0"),
        (22_807_552, "count", None, "22,807,552"),
        (2048, "count", None, "2,048"),
        (999, "count", None, "999"),
        (-0.5, "signed", 2, "\u22120.50"),
        (0.5, "signed", 2, "+0.50"),
        (1.5 * 2**30, "bytes", None, "1.50\u00a0GiB"),
        (1023.99 * 2**20, "bytes", None, "1.00\u00a0GiB"),
        (700, "bytes", None, "700\u00a0B"),
        (117 * 2**20, "bytes", None, "117\u00a0MiB"),
        (2e-5, "scientific", None, "2\u00d710\u207b\u2075"),
        (9.996e-5, "scientific", 2, "1.00\u00d710\u207b\u2074"),
        (1e30, "plain", 2, "1.00\u00d710\u00b3\u2070"),
        (-1e300, "percent", 1, "\u22121.0\u00d710\u00b3\u2070\u2070"),
        (1e-44, "plain", None, "1\u00d710\u207b\u2074\u2074"),
        (1e-44, "plain", 3, "0.000"),
        (123456789012345.0, "plain", 1, "123456789012345.0"),
        (0.0, "scientific", None, "0\u00d710\u2070"),
        (3.33e-7, "signed_scientific", 2, "+3.33\u00d710\u207b\u2077"),
        (-3.33e-7, "signed_scientific", 1, "\u22123.3\u00d710\u207b\u2077"),
        (0.00004, "p", None, "<0.001"),
        (0.0037, "p", None, "0.0037"),
        (0.25, "p", None, "0.25"),
        (1.0, "p", None, "1.00"),
        (0.004, "p", 2, "<0.01"),
    ],
)
def test_each_style(value, style, decimals, text):
    assert printed(value, style, decimals) == text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.125, 2, "0.13"),
        (2.675, 2, "2.68"),
        (0.5, 0, "1"),
        (1.005, 2, "1.01"),
        (-0.125, 2, "\u22120.13"),
    ],
)
def test_ties_are_rounded_half_up_in_decimal(value, decimals, text):
    # Binary rounding would give 0.12, 2.67, 0, 1.0 and -0.12.
    assert printed(value, decimals=decimals) == text


@given(finite, st.integers(0, 6))
def test_rounding_equals_decimal_arithmetic(value, decimals):
    text = printed(value, decimals=decimals).replace("\u2212", "-")
    step = Decimal(1).scaleb(-decimals)
    assert Decimal(text) == Decimal(repr(value)).quantize(step, rounding=ROUND_HALF_UP)
    assert len(text.partition(".")[2]) == decimals


@given(finite)
def test_without_decimals_the_text_reads_back(value):
    mantissa, power = split_power(printed(value))
    assert float(f"{mantissa}e{power or 0}".replace("\u2212", "-")) == value


@given(st.integers(-(10**15), 10**15))
def test_grouping_changes_no_digit(value):
    assert int(printed(value, "count").replace(",", "").replace("\u2212", "-")) == value


def test_other_languages_group_by_a_space():
    assert printed(32000, "count", lang="fr") == "32\u202f000"


def test_numpy_values_are_printed_as_themselves():
    import numpy as np

    assert printed(np.float64(0.1)) == "0.1"


def test_what_is_missing_is_a_dash():
    assert print_number(Number(id="n", quantity=Missing(reason="no log"))) == "\u2014"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_is_never_printed(value):
    with pytest.raises(ValueError, match="Missing"):
        printed(value)


def test_an_unknown_style_is_named():
    with pytest.raises(ValueError, match=r"'n'.*'loud'"):
        printed(1.0, "loud")


def test_a_date_that_is_none_is_left_alone():
    assert [spell_date(d) for d in ("2026-12-31", "", "2026-13-01", "May")] == [
        "31 December 2026", "", "2026-13-01", "May",
    ]  # fmt: skip
