"""Numbers as text: the only place that rounds."""

import math
from decimal import ROUND_HALF_UP, Decimal

import pytest
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.document import Number
from reportgen.records.quantity import Quantity
from reportgen.render import print_number, spell_date, split_power

ROWS = rows_beside(__file__)
finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)


def printed(value, style="plain", decimals=None, lang="en"):
    quantity = Quantity(value=value)
    return print_number(Number(id="n", quantity=quantity, style=style, decimals=decimals), lang)


@pytest.mark.parametrize(("value", "style", "decimals", "text"), ROWS["each_style"])
def test_each_style(value, style, decimals, text):
    assert printed(value, style, decimals) == text


@pytest.mark.parametrize(("value", "decimals", "text"), ROWS["ties_are_rounded_half_up_in_decimal"])
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
