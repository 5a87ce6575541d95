"""Percent, fractions and points."""

from __future__ import annotations

from fakes import made_claims as make

from reportgen.checks.units import check


def found(*claims):
    return [(f.claim.printed.text, f.level) for f in check(make.alone(*claims))]


def values(*texts, **more):
    return [make.value(text, "A", seed, **more) for seed, text in enumerate(texts)]


def test_a_fraction_with_a_percent_sign():
    claims = values("79.9 %", "0.80 %", "83.5 %")
    assert found(*claims) == [("0.80 %", "warning")]
    (finding,) = check(make.alone(*claims))
    assert finding.likely_cause == "it is a fraction with a percent sign"


def test_small_percentages_are_small_percentages():
    assert found(*values("0.80 %", "0.90 %", "0.75 %")) == []
    assert found(*values("5.20 %", "0.90 %", "12.1 %")) == []
    assert found(*values("79.9 %", "1 %")) == []
    assert found(make.std("0.80 %", "A"), *values("79.9 %", "83.5 %")) == []


def test_mixed_units_are_noted_once():
    assert found(*values("79.9 %", "80.0 %"), *values("0.8", "0.81", unit="fraction")) == [
        ("79.9 %", "note")
    ]
    assert found(*values("79.9 %", "80.0 %"), *values("0.8", unit="fraction")) == [("0.8", "note")]
    assert found(*values("79.9 %", "80.0 %"), *values("0.63", metric="f1", unit="fraction")) == []
    assert found(*values("79.9", "80.0"), *values("0.8")) == []


def test_a_bare_one_shows_no_unit():
    assert found(*values("79.9 %", "80.0 %"), *values("1", unit="fraction")) == []
    assert found(*values("0.8", "0.9", unit="fraction"), *values("1", unit="percent")) == []
    assert found(*values("79.9 %", "80.0 %"), *values("1.00", unit="fraction")) == [
        ("1.00", "note")
    ]


def test_points_and_percent():
    gap = make.claim("aggregate_other", "13 %", group="A", against="B", aggregate="difference")
    assert found(gap) == [("13 %", "note")]
    gap = make.claim("aggregate_other", "13", group="A", against="B", aggregate="difference")
    assert found(gap) == []


def test_what_is_no_ratio_has_no_percentage():
    assert found(*values("0.80 %", "63.0 %", metric="loss")) == []
