"""Whole numbers as people write them: read exactly, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.app.options import read_count


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("22829056", 22_829_056),
        ("22,829,056", 22_829_056),
        ("22 829 056", 22_829_056),
        ("22\u202f829\u202f056", 22_829_056),
        ("22\u00a0829\u00a0056", 22_829_056),
        ("22_829_056", 22_829_056),
        ("22’829’056", 22_829_056),
        ("22.829.056", 22_829_056),
        (" 1,572,864 ", 1_572_864),
        ("1e6", 1_000_000),
        ("1E+6", 1_000_000),
        ("2.2829056e7", 22_829_056),
        ("1.50e1", 15),
        ("0", 0),
    ],
)
def test_a_whole_number_is_read_in_every_spelling(text, number):
    assert read_count(text) == number


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("22.8M", "rounded"),
        ("22.8 million", "rounded"),
        ("110m", "rounded"),
        ("7B", "rounded"),
        ("1.572", "may be a fraction"),
        ("1.5", "no whole number"),
        ("22,8", "no whole number"),
        ("1,572 864", "no whole number"),
        ("1572,864", "no whole number"),
        ("1.5e0", "no whole number"),
        ("1e-6", "no whole number"),
        ("1e999", "no whole number"),
        ("-5", "no whole number"),
        ("1__000", "no whole number"),
        ("many", "no whole number"),
        ("", "no whole number"),
        ("9" * 100, "no whole number"),
        ("nan", "no whole number"),
        ("\u0663", "no whole number"),
    ],
)
def test_what_counts_nothing_exactly_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        read_count(text)


@given(st.integers(0, 10**15), st.sampled_from([",", "_", ""]))
def test_what_python_prints_is_read_back(number, separator):
    assert read_count(f"{number:{separator}}") == number


@given(st.integers(0, 10**15))
def test_what_python_prints_with_an_exponent_is_read_back(number):
    assert read_count(f"{number:.15e}") == number
