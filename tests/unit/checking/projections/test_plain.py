"""Strangers' words on one line, and numbers that JSON can hold."""

from __future__ import annotations

import json
import math
import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checking.projections._plain import fold, number, running_text, shorten, strict, words

ANY_TEXT = st.text(st.characters(), max_size=60)


@given(ANY_TEXT)
def test_words_stand_on_one_line_and_can_be_encoded(text):
    shown = words(text)
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert shown.encode("utf-8").decode() == shown
    assert words(shown) == shown


@given(ANY_TEXT)
def test_running_text_keeps_its_lines_and_nothing_that_is_not_printed(text):
    shown = running_text(text)
    assert shown.count("\n") == text.count("\n")
    assert {char for char in shown if unicodedata.category(char) in {"Cc", "Cs"}} <= {"\n"}


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"])))
def test_plain_letters_stay_as_they_are(text):
    assert words(text) == text
    assert running_text(text) == text


@given(st.text(), st.integers(2, 50))
def test_a_shortened_text_is_no_longer_and_begins_alike(text, limit):
    short = shorten(text, limit)
    assert len(short) <= max(limit, 0)
    assert short == text or text.startswith(short[:-1])


@given(st.decimals(allow_nan=True, allow_infinity=True) | st.floats() | st.integers())
def test_every_number_is_strict_json_and_finite_ones_keep_their_value(value):
    held = number(value)
    back = json.loads(strict({"n": held}))["n"]
    assert back == held
    exact = Decimal(value)
    if exact.is_finite() and abs(exact.adjusted()) < 300:
        assert isinstance(held, int | float)
        assert math.isclose(held, float(value), rel_tol=1e-15) or held == value
    else:
        assert isinstance(held, int | float | str)


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (Decimal("75.40"), 75.4),
        (Decimal("786432.00"), 786432),
        (Decimal(-9), -9),
        (Decimal("sNaN"), "NaN"),
        (Decimal("1E+99999999"), "1E+99999999"),
        (Decimal("9" * 5000), f"{Decimal('9' * 5000):.16E}"),
        (Decimal("1E+400"), "1E+400"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        ("a\x00b", "a\\x00b"),
        (None, None),
    ],
)
def test_numbers_are_held_as_json_prints_them_best(value, held):
    assert number(value) == held
    assert type(number(value)) is type(held)


def test_spellings_of_the_same_words_fold_together():
    assert fold("Test\u2003Acc.  ①") == fold("test acc. 1")
    assert fold("81.5") != fold("815")
