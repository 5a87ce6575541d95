"""Readings in the unit of print, and how loud a verdict may be."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from fakes import made_claims as make
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.checks._ladder import compare
from reportgen.checks._weigh import Change, Reading, quieter, spell, transposed, units_of, weigh


def read(text, value, **how):
    return weigh("value", make.value(text), [Reading(value=Decimal(value), what="here")], **how)


def test_what_the_rounding_of_the_log_explains():
    slack = Reading(value=Decimal("79.9"), what="here", slack=Decimal("0.05"))
    claim = make.value("79.93")
    assert weigh("value", claim, [slack]).verdict == "borderline"
    softer = weigh("value", claim, [slack], within_slack="none")
    assert (softer.verdict, softer.level) == ("agrees within rounding", "none")
    louder = weigh("value", claim, [slack], within_slack="warning")
    assert (louder.verdict, louder.level) == ("disagrees", "warning")
    assert weigh("value", make.value("79.97"), [slack]).level == "error"


def test_what_a_guess_nearly_is_is_held_against_nobody():
    near = [Reading(value=Decimal("24.09167"), what="here")]
    sure, guessed = make.value("24.10"), replace(make.value("24.10"), confidence=0.4)
    assert weigh("value", sure, near).verdict == "borderline"
    told = weigh("value", guessed, near)
    assert (told.verdict, told.level) == ("not checkable", "none")


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("1,423", "1.42319", "agrees within rounding"),
        ("1,423", "1423", "agrees"),
        ("1,423", "1.433", "disagrees"),
        ("1,423", "1433", "disagrees"),
        ("1,423", "142.3", "disagrees"),
    ],
)
@pytest.mark.parametrize("comma", [False, True])
def test_a_comma_does_what_agrees(text, value, verdict, comma):
    (printed,) = find_numbers(text, NumberStyle(comma=comma))
    assert compare(printed, Decimal(value)) == verdict


def test_more_than_a_thousand_is_not_more_than_one():
    (printed,) = find_numbers("1,423", NumberStyle())
    over = replace(printed, approximate="more than")
    assert compare(over, Decimal(1500)).startswith("agrees")
    assert compare(over, Decimal(400)) == "disagrees"


def test_a_soft_change_makes_a_warning_and_the_first_hit_is_named():
    changes = [
        Change(value=Decimal(1), text="no"),
        Change(value=Decimal(50), text="first", soft=True),
        Change(value=Decimal(50), text="second"),
    ]
    finding = read("50", "79.9", changes=changes)
    assert (finding.level, finding.likely_cause) == ("warning", "first")
    assert finding.message.endswith("; the logs have 79.9 at here; first")
    assert read("50", "79.9", changes=changes[2:]).level == "error"


def test_changes_are_asked_for_only_where_something_disagrees():
    def never():
        raise AssertionError("not asked for")
        yield

    assert read("79.9", "79.9", changes=never()).verdict == "agrees"
    with pytest.raises(AssertionError):
        read("12", "79.9", changes=never())


def test_the_loudest_level_holds_for_every_confidence():
    claim = make.value("12", confidence=0.6)
    reading = [Reading(value=Decimal(80), what="here")]
    assert weigh("value", claim, reading, loudest="note").level == "note"
    assert weigh("value", claim, reading).level == "warning"


def test_units():
    assert units_of(make.value("79.9"), "percent") == ("percent", "fraction")
    assert units_of(make.value("0.8"), "percent") == ("fraction", "percent")
    assert units_of(make.std("0.8"), "percent") == ("percent", "fraction")
    assert units_of(make.value("0.8 %"), "fraction") == ("percent",)
    assert units_of(make.value("0.8", unit="fraction"), "percent") == ("fraction",)
    assert units_of(make.value("13", unit="points"), "fraction") == ("percent",)
    assert units_of(make.value("0.63"), "") == ("",)


@given(st.integers(1000, 9999), st.integers(0, 2), st.integers(0, 2))
def test_exchanged_digits_are_found(digits, place, decimals):
    text = list(str(digits))
    text[place], text[place + 1] = text[place + 1], text[place]
    assume(text[0] != "0")
    value = Decimal(digits).scaleb(-decimals)
    shown = Decimal("".join(text)).scaleb(-decimals)
    claim = make.value(f"{shown:.{decimals}f}")
    if shown != value:
        assert transposed(claim.printed, value)
    else:
        assert not transposed(claim.printed, value + 5000)


def test_words_for_numbers():
    assert spell(Decimal("1E+2")) == "100"
    assert spell(Decimal("0.000123456789")) == "0.0001234568"
    assert quieter("none", "error") == "none"


def test_a_bound_is_kept_by_everything_on_its_side():
    above = make.printed("70", approximate="over")
    assert [compare(above, Decimal(v)) for v in ("70.1", "99", "60")] == [
        "agrees within rounding",
        "agrees within rounding",
        "disagrees",
    ]


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("80", "74", "agrees within rounding"),
        ("10", "12.4", "agrees within rounding"),
        ("150", "139", "agrees within rounding"),
        ("21.8", "22.1", "agrees within rounding"),
        ("21.8", "23.4", "disagrees"),
    ],
)
def test_about_is_wide_for_round_numbers_only(text, value, verdict):
    assert compare(make.printed(text, approximate="about"), Decimal(value)) == verdict


def test_the_last_digit_of_a_float_moves_no_number_over_its_edge():
    thirds = [0.6041666666666666, 0.6208333333333333, 0.5375]
    mean = sum((Decimal(repr(value)) for value in thirds), Decimal()) * 100 / 3
    assert mean < Decimal("58.75")
    number = make.printed("58.8")
    assert compare(number, mean) == "agrees within rounding"
    assert compare(number, Decimal("58.7499999999")) == "borderline"
