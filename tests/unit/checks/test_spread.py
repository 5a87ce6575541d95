"""A value beside a mean and a spread of the same report."""

from __future__ import annotations

import statistics
from dataclasses import replace
from decimal import Decimal

import pytest
from fakes import made_claims as make
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks.spread import check

NAMED = {"hints": {"column": "Standard Deviation"}}
MEANS = ((1, "70.4", "1.92"), (2, "75.4", "1.08"), (3, "79.1", "0.46"), (4, "79.2", "0.61"),
         (5, "79.9", "0.37"))  # fmt: skip


def epochs(rows=MEANS, group="Pretrain Model", **more):
    return [
        claim
        for epoch, mean, std in rows
        for claim in (
            make.mean(mean, group, epoch=float(epoch), place=(epoch, 1, 22), **more),
            make.std(std, group, epoch=float(epoch), place=(epoch, 2, 22), **NAMED, **more),
        )
    ]


def best(rows, group="Pretrain", **more):
    return [
        claim
        for seed, (step, valid, test) in enumerate(rows)
        for claim in (
            make.step(step, group, seed, place=(seed, 1, 15)),
            make.value(valid, group, seed, "validation", step=int(step), selection="best",
                       place=(seed, 2, 15)),
            make.value(test, group, seed, step=int(step), selection="best", place=(seed, 3, 15),
                       **more),
        )
    ]  # fmt: skip


def found(*claims):
    return {f.claim.printed.text: f for f in check(make.alone(*claims))}


def test_a_published_pair_of_tables():
    rows = [("1125", "81.5", "79.9"), ("675", "80", "80"), ("900", "83.5", "83.5")]
    findings = found(*best(rows), *epochs())
    assert {text: f.level for text, f in findings.items()} == {"80": "warning", "83.5": "error"}
    assert "leaves no value above 79.86" in findings["80"].message
    assert "leaves no value above 80.18" in findings["83.5"].message
    assert findings["83.5"].likely_cause == (
        "it is also printed as the validation accuracy of that run"
    )
    assert findings["83.5"].expected.high == pytest.approx(80.1768, abs=1e-3)
    assert findings["83.5"].delta > Decimal("3.2")


def test_what_the_logs_have_is_possible():
    rows = [("1125", "81.5", "79.9"), ("675", "80", "78.5"), ("900", "83.5", "80.1")]
    assert found(*best(rows), *epochs()) == {}


def test_random_initialisation_is_possible():
    rows = [("900", "62", "65.4"), ("450", "65", "66.7"), ("1125", "63", "67.4")]
    table = ((1, "51.2", "1.67"), (2, "61.8", "4.2"), (3, "66.5", "1.48"), (4, "65.1", "2.61"),
             (5, "67.7", "0.31"))  # fmt: skip
    assert found(*best(rows, "Random"), *epochs(table, "Random Model")) == {}


def test_a_stated_epoch_that_excludes_a_value_is_a_warning():
    values = [make.value("80.9", "A", s, epoch=3.0) for s in (0, 1, 2)][:1]
    more = [make.value("79.0", "A", s, epoch=3.0) for s in (1, 2)]
    findings = found(*values, *more, *epochs(group="A"))
    assert {text: f.level for text, f in findings.items()} == {"80.9": "warning"}
    values = [make.value("80.0", "A", s, epoch=3.0) for s in (0, 1, 2)][:1]
    findings = found(*values, *more, *epochs(group="A"))
    assert {text: f.level for text, f in findings.items()} == {"80.0": "warning"}


def test_the_logs_know_better():
    rows = [("1125", "81.5", "79.9"), ("675", "80", "78.5"), ("900", "83.5", "83.5")]
    claims = [*best(rows), *epochs()]
    unknown = [replace(c, content=replace(c.content, run_group="")) for c in claims]
    assert [f.level for f in check(make.case(*unknown))] == ["error"]
    known = [replace(c, content=replace(c.content, run_group="pretrained")) for c in claims]
    assert list(check(make.case(*known))) == []


def test_one_mean_of_more_runs_than_are_printed():
    mean, std = make.mean("79.5", "A", n=5), make.std("0.50", "A", n=5, **NAMED)
    assert found(mean, std, make.value("80.4", "A", 0)) == {}
    findings = found(mean, std, make.value("82.0", "A", 0))
    assert {f.level for f in findings.values()} == {"warning"}
    assert found(mean, std, make.value("82.0", "A", 0, "validation")) == {}
    assert found(mean, std, make.value("82.0", "B", 0)) == {}


def test_a_bare_plus_or_minus_may_be_a_standard_error():
    mean, std = make.mean("79.5", "A", n=5), make.std("0.50", "A", n=5)
    assert found(mean, std, make.value("81.0", "A", 0)) == {}
    assert found(mean, std, make.value("83.0", "A", 0)) != {}


def test_where_all_runs_are_printed_the_mean_is_recomputed_instead():
    mean, std = make.mean("81.1", "A"), make.std("0.02", "A", **NAMED)
    values = [make.value(v, "A", s) for s, v in enumerate(("79.9", "80", "83.5"))]
    assert found(mean, std, *values) == {}


def test_nothing_is_said_without_a_number_of_runs():
    mean, std = make.mean("79.5", "A"), make.std("0.50", "A", **NAMED)
    assert found(mean, std, make.value("99.0", "A", 0)) == {}
    assert found(make.value("99.0", "A", 0)) == {}
    assert found(mean, make.value("99.0", "A", 0, n=5)) == {}


def test_a_weak_binding_is_quieter():
    rows = [("1125", "81.5", "79.9"), ("675", "80", "78.5"), ("900", "83.5", "83.5")]
    weak = [replace(c, confidence=0.6) for c in epochs()]
    assert [f.level for f in found(*best(rows), *weak).values()] == ["warning"]


VALUES = st.lists(st.integers(0, 1000).map(lambda t: Decimal(t) / 10), min_size=2, max_size=6)


@given(VALUES, st.integers(0, 2), st.sampled_from([statistics.pstdev, statistics.stdev]))
def test_no_value_is_accused_by_its_own_mean_and_spread(values, decimals, spread):
    n = len(values)
    mean = make.mean(f"{statistics.mean(values):.{decimals}f}", "A", n=n, epoch=3.0)
    std = make.std(f"{spread(values):.{decimals}f}", "A", n=n, epoch=3.0, **NAMED)
    runs = [make.value(f"{v:.1f}", "A", s, epoch=3.0) for s, v in enumerate(values)]
    assert found(mean, std, *runs) == {}
