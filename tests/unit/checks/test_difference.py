"""Differences of two groups: points and percent, both directions, logs and print."""

from __future__ import annotations

import statistics
from dataclasses import replace

import pytest
import scipy.stats
from fakes import made_claims as make
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks.difference import check

TEST = {"pretrained": [79.9, 78.5, 80.1], "random": [65.4, 66.7, 67.4]}


def gap(text, group="pretrained", against="random", **more):
    more.setdefault("aggregate", "difference")
    more.setdefault("split", "test")
    return make.claim("aggregate_other", text, group=group, against=against,
                      run_against=more.pop("run_against", against), **more)  # fmt: skip


def of(claim, **how):
    return make.only(check, claim, **how)


def agrees(finding):
    return finding.verdict.startswith("agrees") and finding.level == "none"


def test_the_difference_of_the_means():
    for text in ("13.0", "13", "-13.0", "0.13"):
        assert agrees(of(gap(text, selection="best"))), text
    finding = of(gap("14.0", selection="best"))
    assert finding.level == "error"
    assert "the logs give 13, the difference of pretrained less random, test accuracy" in (
        finding.message
    )


def test_percent_may_be_relative():
    relative = 100 * 13 / 66.5
    assert agrees(of(gap(f"{relative:.1f} %", selection="best")))
    assert agrees(of(gap("13 %", selection="best")))
    assert of(gap(f"{relative:.1f}", selection="best", unit="points")).level == "error"


def test_one_seed_and_one_epoch():
    assert agrees(of(gap("11.8", seed=1, selection="best")))
    assert agrees(of(gap("12.27", epoch=5)))
    assert of(gap("14.5", seed=1, selection="best")).level == "error"


def test_a_fraction_with_a_percent_sign():
    finding = of(gap("0.13 %", selection="best"))
    assert finding.level == "error"
    assert "as a fraction, printed with a percent sign" in finding.likely_cause


@pytest.mark.parametrize("word", ["setback", "recul"])
def test_a_setback_is_a_change_of_one_run_and_no_difference_of_two_groups(word):
    hints = {"sentence": f"The largest {word} is −0.21 points (pretrained; random)."}
    claim = gap("-0.21", epoch=2, hints=hints)
    assert list(check(make.case(claim))) == []


def test_an_interval_of_unequal_seeds_is_welchs_at_any_moment():
    first = [[v, 82.0] for v in (80.1, 79.4, 81.3, 79.9)]
    second = [[v, 74.0] for v in (70.2, 72.8, 71.1)]
    table = {("pretrained", seed): (c, c) for seed, c in enumerate(first)}
    table |= {("random", seed): (c, c) for seed, c in enumerate(second)}
    sides = [[curve[0] for curve in side] for side in (first, second)]
    test = scipy.stats.ttest_ind(*sides, equal_var=False)
    for value in test.confidence_interval(0.95):
        claim = gap(f"{value:.2f}", aggregate="interval", epoch=1)
        assert agrees(of(claim, table=table)), value
    assert of(gap("9.99", aggregate="interval", epoch=1), table=table).level == "warning"


def test_an_interval_is_by_any_usual_method():
    differences = [a - b for a, b in zip(TEST["pretrained"], TEST["random"], strict=True)]
    low, high = scipy.stats.t.interval(
        0.95, 2, loc=statistics.fmean(differences), scale=scipy.stats.sem(differences)
    )
    for value in (low, high, (high - low) / 2):
        claim = gap(f"{value:.2f}", aggregate="interval", selection="best")
        assert agrees(of(claim)), value
    assert of(gap("99", aggregate="interval", selection="best")).level == "warning"
    std = statistics.stdev(differences)
    assert agrees(of(gap(f"{std:.2f}", aggregate="std", selection="best")))


def test_reasons():
    assert of(gap("13", against="HF", run_against="")).reason == (
        "no runs in the logs are called “HF”"
    )
    table = {k: v for k, v in make.PUBLISHED.items() if k != ("random", 2)}
    assert of(gap("12.0", selection="best"), table=table).reason == "the logs lack seed 2"
    assert list(check(make.case(make.mean("79.5")))) == []


def alone(*claims):
    return list(check(make.alone(*claims)))


def test_the_printed_means():
    means = [make.mean("79.5", "Pretrained"), make.mean("66.5", "Random")]
    assert [f.level for f in alone(*means, gap("13.0", "Pretrained", "Random"))] == ["none"]
    (finding,) = alone(*means, gap("14.0", "Pretrained", "Random"))
    assert finding.level == "warning"
    assert "the report's own values give 13" in finding.message
    table = [make.mean("79.5", "Pretrained", place=(1, 1, 4)),
             make.mean("66.5", "Random", place=(2, 1, 4)),
             gap("14.0", "Pretrained", "Random", place=(3, 1, 4))]  # fmt: skip
    assert [f.level for f in alone(*table)] == ["error"]


def test_other_things_are_not_subtracted():
    wrong = gap("99", "Pretrained", "Random")
    assert alone(make.mean("79.5", "Pretrained"), wrong) == []
    one = make.mean("79.5", "Pretrained", selection="best")
    assert alone(one, make.mean("66.5", "Random", selection="last"), wrong) == []
    assert alone(one, make.mean("66.5", "Random", split="validation"), wrong) == []
    assert alone(one, make.value("66.5", "Random", 1), wrong) == []


TENTHS = st.integers(0, 1000).map(lambda t: t / 10)


@given(TENTHS, TENTHS, st.integers(0, 1))
def test_rounded_means_never_contradict_their_difference(a, b, decimals):
    means = [make.mean(f"{a:.{decimals}f}", "A"), make.mean(f"{b:.{decimals}f}", "B")]
    for text in (f"{a - b:.1f}", f"{b - a:.{decimals}f}"):
        assert [f.level for f in alone(*means, gap(text, "A", "B"))] == ["none"]


@pytest.mark.parametrize("unit", ["", "points"])
def test_the_unit_of_a_difference(unit):
    assert agrees(of(gap("13.0", selection="best", unit=unit)))


@pytest.mark.parametrize(
    ("printed", "sentence", "verdict"),
    [
        ("13.3", "The gap between the two mean test accuracies is 13.3 points.", "agrees"),
        ("19.9", "The gap between the two mean test accuracies is 19.9 points.", "disagrees"),
        ("19.9", "This is a gap of 19.9 points.", "not checkable"),
    ],
)
def test_a_difference_of_nothing_named_is_of_the_only_two_groups(printed, sentence, verdict):
    table = {(g, s): ([v], [v]) for g, v in (("a", 80.0), ("b", 66.7)) for s in range(2)}
    bare = make.claim(
        "aggregate_other", printed, group="", split="test", aggregate="difference", unit="points"
    )
    finding = make.only(check, replace(bare, hints={"sentence": sentence}), table=table)
    assert finding.verdict == verdict
    assert finding.level != "error"
