"""Shares of N examples."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from fakes import made_claims as make
from fakes import made_runs
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks.reachable import check
from reportgen.records.claim import Counted


def examples(text, split="validation", **more):
    claim = make.claim("count", text, **more)
    return replace(claim, content=Counted(what="examples", key=f"{split}_examples"))


def found(*claims):
    return list(check(make.alone(*claims)))


def test_two_hundred_examples_give_halves_of_a_point():
    for text in ("81.5", "80", "83.5", "0.815", "81.50"):
        assert found(examples("200"), make.value(text, split="validation")) == []
    (finding,) = found(examples("200"), make.value("81.3", split="validation"))
    assert finding.level == "warning"
    assert "the nearest shares are 81 and 81.5" in finding.message
    assert (finding.expected.low, finding.expected.high) == (81, 81.5)


def test_one_unit_off_is_borderline():
    (finding,) = found(examples("200"), make.value("81.4", split="validation"))
    assert (finding.verdict, finding.level) == ("borderline", "note")


def test_the_unit_that_is_said():
    assert found(examples("200"), make.value("0.8134", split="validation")) != []
    assert found(examples("200"), make.value("0.5 %", split="validation")) == []


@pytest.mark.parametrize(
    "claims",
    [
        (make.value("81.3", split="validation"),),
        (examples("200", "test"), make.value("81.3", split="validation")),
        (examples("200"), make.value("81.3", split="validation", metric="f1")),
        (examples("200"), make.value("81.3", split="validation", approximate="about")),
        (examples("200"), make.mean("81.3", split="validation")),
        (examples("200", approximate="about"), make.value("81.3", split="validation")),
        (examples("200", confidence=0.6), make.value("81.3", split="validation")),
        (examples("200"), examples("250"), make.value("81.3", split="validation")),
        (examples("200"), make.value("81.3", split="")),
    ],
)
def test_nothing_is_said_where_the_number_of_examples_is_not_sure(claims):
    assert found(*claims) == []


def test_the_logs_know_better():
    facts = made_runs.facts(make.PUBLISHED, split_sizes={"validation": 7, "test": 2000})
    claim = make.value("81.3", split="validation", selection="best")
    assert list(check(make.case(claim, facts=facts))) == []
    other = make.claim("metric_value", "81.3", group="HF", run_group="", split="validation", seed=0)
    (finding,) = check(make.case(other, facts=facts))
    assert "of 7 examples (the study)" in finding.message


@given(st.integers(1, 3000), st.data(), st.integers(0, 3))
def test_a_share_of_the_examples_is_never_accused(size, data, decimals):
    right = data.draw(st.integers(0, size))
    share = 100 * Fraction(right, size)
    text = f"{round(Decimal(share.numerator) / share.denominator, decimals):.{decimals}f} %"
    assert found(examples(str(size)), make.value(text, split="validation")) == []


@given(st.integers(2, 400), st.integers(0, 10_000))
def test_brute_force_over_all_shares(size, hundredths):
    text = f"{hundredths / 100:.2f} %"
    value = Fraction(hundredths, 100)
    shown = Decimal(text[:-2]).normalize()
    unit = Fraction(10) ** min(0, int(shown.as_tuple().exponent))
    gap = min(abs(100 * Fraction(k, size) - value) for k in range(size + 1))
    levels = [f.level for f in found(examples(str(size)), make.value(text, split="validation"))]
    assert levels == ([] if gap <= unit / 2 else ["note"] if gap <= unit else ["warning"])


def test_a_share_in_single_precision_is_that_share():
    claim = make.value("0.800000011920929", split="validation")
    assert found(examples("40"), claim) == []
    (finding,) = found(examples("40"), make.value("0.8011", split="validation"))
    assert finding.verdict == "disagrees"
