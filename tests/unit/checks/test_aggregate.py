"""Means and spreads: every definition of the logs, and the runs that a report prints."""

from __future__ import annotations

import math
import statistics
from decimal import Decimal

import pytest
import scipy.stats
from fakes import made_claims as make
from fakes import made_runs
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks._statistics import median_of, spreads_of
from reportgen.checks.aggregate import check
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan


def of(*claims, **how):
    return make.only(check, *claims, **how)


def agrees(finding):
    return finding.verdict.startswith("agrees") and finding.level == "none"


TABLE = {
    "pretrained": [("70.4", "1.92"), ("75.4", "1.08"), ("79.1", "0.46"), ("79.2", "0.61"),
                   ("79.9", "0.37")],
    "random": [("51.2", "1.67"), ("61.8", "4.2"), ("66.5", "1.48"), ("65.1", "2.61"),
               ("67.7", "0.31")],
}  # fmt: skip
ROWS = [(g, e, m, s) for g, rows in TABLE.items() for e, (m, s) in enumerate(rows, 1)]


@pytest.mark.parametrize(("group", "epoch", "mean", "std"), ROWS)
def test_a_published_table_of_epochs(group, epoch, mean, std):
    assert agrees(of(make.mean(mean, group, epoch=epoch)))
    finding = of(make.std(std, group, epoch=epoch))
    if std == "2.61":
        assert (finding.verdict, finding.level) == ("borderline", "note")
    else:
        assert agrees(finding)
        assert "population standard deviation of 3 runs" in finding.expected.definition


def test_the_runs_of_all_groups_are_not_those_of_each():
    of_all, of_more = (of(make.mean("79.5", epoch=5, n=n)) for n in (6, 7))
    assert of_all.level == "error"
    assert of_more.verdict == "not checkable"


def test_the_definition_that_fits_is_named():
    finding = of(make.std("0.87", selection="best"))
    assert agrees(finding)
    assert "sample standard deviation of 3 runs of pretrained" in finding.expected.definition
    assert "test accuracy at the highest validation accuracy" in finding.expected.definition
    finding = of(make.std("0.71", selection="best"))
    assert "population standard deviation" in finding.expected.definition
    assert len(finding.expected.evidence) == 3


def test_a_stated_ddof_narrows_what_is_legal():
    assert agrees(of(make.std("0.87", selection="best", ddof=1)))
    finding = of(make.std("0.71", selection="best", ddof=1))
    assert finding.level == "warning"
    assert finding.likely_cause == "it is the population standard deviation"


def test_a_bare_plus_or_minus_may_be_anything():
    error = statistics.stdev([79.9, 78.5, 80.1]) / math.sqrt(3)
    half = scipy.stats.t.ppf(0.975, 2) * error
    for value in (error, half, 1.96 * error):
        text = f"{value:.2f}"
        assert agrees(of(make.std(text, selection="best", quote=f"79.5 ± {text}")))
        named = of(make.std(text, selection="best", quote=f"standard deviation {text}"))
        assert named.level == "warning"
        assert named.likely_cause != ""


def test_intervals_and_errors_by_name():
    values = [79.9, 78.5, 80.1]
    error = statistics.stdev(values) / math.sqrt(3)
    claim = make.std(f"{error:.3f}", aggregate="se", selection="best", quote="standard error")
    assert agrees(of(claim))
    half = scipy.stats.t.ppf(0.975, 2) * error
    claim = make.std(f"{half:.2f}", aggregate="interval", selection="best", quote="95 % interval")
    assert agrees(of(claim))
    assert of(make.std("0.87", aggregate="se", selection="best", quote="standard error")).level == (
        "warning"
    )


def test_the_ends_of_an_interval():
    low, high = scipy.stats.t.interval(
        0.95, 2, loc=79.5, scale=statistics.stdev([79.9, 78.5, 80.1]) / math.sqrt(3)
    )
    for end in (low, high):
        assert agrees(of(make.std(f"{end:.1f}", aggregate="interval", selection="best")))
    whose = make.claim("aggregate_other", "12.3", aggregate="interval", split="test")
    assert of(whose).reason == "it is not said whose interval it is"
    # A bootstrap would give other ends, which nobody can be accused of.
    assert of(make.std("12.3", aggregate="interval", selection="best")).level == "note"


def test_the_mean_of_the_validation_values():
    finding = of(make.mean("81.67 %", split=""))
    assert finding.level == "warning"
    assert finding.likely_cause == ("it is the mean of validation accuracy at its best")
    assert of(make.mean("81.67 %")).level == "error"
    assert of(make.std("1.43 %", split="", quote="81.67% ± 1.43%")).level == "warning"
    assert of(make.mean("63.33 %", "random", split="")).level == "warning"


def test_best_last_and_oracle_are_legal_where_nothing_is_said():
    for text in ("79.5", "79.93"):
        assert agrees(of(make.mean(text)))
    finding = of(make.mean("79.93", selection="best"))
    assert finding.level == "error"
    assert "at the last step" in finding.likely_cause


def test_another_epoch_and_another_group():
    assert "at step 900" in of(make.mean("79.23", epoch=3)).likely_cause
    assert "random" in of(make.mean("66.5", selection="best")).likely_cause


def test_one_run_for_the_mean():
    finding = of(make.mean("78.5", selection="best"))
    assert finding.likely_cause == "it is the value of pretrained/seed 1, test accuracy, step 675"


def test_a_fraction_with_a_percent_sign():
    finding = of(make.std("0.0071%", selection="best"))
    assert finding.level == "error"
    assert "as the fraction 0.00712, printed with a percent sign" in finding.likely_cause
    assert agrees(of(make.std("0.0071", selection="best")))


def test_the_variance():
    variance = statistics.variance([79.9, 78.5, 80.1])
    finding = of(make.std(f"{variance:.2f}", selection="best"))
    assert finding.likely_cause == "it is the sample variance, the square of the standard deviation"


def test_median_lowest_highest():
    for name, text in (("median", "79.9"), ("min", "78.5"), ("max", "80.1")):
        claim = make.claim("aggregate_other", text, group="pretrained", split="test",
                           aggregate=name, selection="best")  # fmt: skip
        assert agrees(of(claim))
    assert of(make.mean("79.9", selection="best")).likely_cause == "it is the median"


def test_every_tie_rule_is_tried():
    table = {("a", 0): ([80.0, 80.0], [70.0, 72.0]), ("a", 1): ([50.0, 60.0], [70.0, 74.0])}
    for text in ("72.0", "73.0"):
        assert agrees(of(make.mean(text, "a", selection="best"), table=table))
    assert of(make.mean("71.0", "a", selection="best"), table=table).level == "error"


def test_what_the_log_rounded_away_is_no_error():
    assert of(make.mean("79.53", selection="best")).level == "warning"
    assert of(make.mean("79.58", selection="best")).level == "error"


def test_re_run_cells_may_be_in_or_out():
    runs = made_runs.rerun(made_runs.runs_of(make.PUBLISHED), ("pretrained", 1))
    facts = made_runs.facts(runs=runs)
    for text in ("79.5", "80.0"):
        assert agrees(of(make.mean(text, selection="best"), facts=facts))
    assert of(make.mean("80.0", selection="best")).level == "error"


def test_fewer_seeds_than_there_are():
    assert agrees(of(make.mean("80.0", selection="best", n=2)))
    assert "seeds 0, 2 only" in of(make.mean("80.0", selection="best", n=2)).message
    assert of(make.mean("82.0", selection="best", n=2)).level == "error"


def test_more_seeds_than_there_are_cannot_be_checked():
    finding = of(make.mean("12.0", selection="best", n=5))
    assert finding.reason == "the logs have 3 of 5 runs of pretrained"
    assert agrees(of(make.mean("79.5", selection="best", n=5)))
    table = {key: value for key, value in make.PUBLISHED.items() if key != ("pretrained", 2)}
    finding = of(make.mean("12.0", selection="best"), table=table)
    assert finding.reason == "the logs lack pretrained, seed 2"
    three = [make.value(str(v), "a", s) for s, v in enumerate((70, 71, 72))]
    table = {("a", 0): ([1.0], [70.0]), ("a", 1): ([1.0], [71.0])}
    facts = made_runs.facts(runs=made_runs.runs_of(table), groups=(GroupPlan(name="a"),))
    (finding,) = check(make.case(make.mean("99", "a"), *three, facts=facts))
    assert finding.reason == "the logs have 2 of 3 runs of a"


def test_a_run_without_a_value_at_that_epoch():
    table = {("a", 0): ([1.0, 2.0], [70.0, 71.0]), ("a", 1): ([1.0], [70.0])}
    finding = of(make.mean("70.5", "a", epoch=2), table=table)
    assert finding.reason == "not every run of a has a test accuracy at epoch 2"


def test_one_run_has_no_spread():
    finding = of(make.std("0.5", "a"), table={("a", 0): ([1.0], [70.0])})
    assert finding.reason == "one run of a has no std"


def test_losses_have_one_unit():
    runs = Runs(root="logs", runs=tuple(
        made_runs.run("a", s, made_runs.series("test", [v], metric="loss", unit=""))
        for s, v in enumerate((0.631, 0.636, 0.643))
    ))  # fmt: skip
    facts = made_runs.facts(runs=runs, groups=())
    mean = make.mean("0.637", "a", metric="loss", selection="last")
    assert agrees(of(mean, facts=facts))
    assert of(make.mean("63.7", "a", metric="loss", selection="last"), facts=facts).level == "error"


def test_a_group_that_is_not_said_is_any():
    assert agrees(of(make.claim("aggregate_mean", "66.5", aggregate="mean", split="test")))
    finding = of(make.claim("aggregate_mean", "12", aggregate="mean", split="test"))
    assert finding.level == "warning"


# Only the report.


def block(number, claim):
    from dataclasses import replace

    return replace(claim, block=number)


def alone(about, *runs, at=4):
    singles = [block(3, r) for r in runs]
    return list(check(make.alone(*singles, block(at, about))))


def listed(*texts, group="Pretrained", **more):
    return [make.value(t, group, s, **more) for s, t in enumerate(texts)]


def test_the_mean_of_the_printed_runs():
    runs = listed("79.9%", "80%", "83.5%")
    (finding,) = alone(make.mean("81.1%", "pretrained model"), *runs)
    assert agrees(finding)
    assert "mean of 79.9%, 80%, 83.5% (line" in finding.expected.definition
    (finding,) = alone(make.mean("67.7%", "Random"), *listed("67.5%", "68.1%", "67.4%",
                                                             group="Random"))  # fmt: skip
    assert agrees(finding)


@pytest.mark.parametrize(
    ("texts", "std", "fraction"),
    [(("79.9%", "80%", "83.5%"), "0.02%", "0.0167"),
     (("67.5%", "68.1%", "67.4%"), "0.003%", "0.00309")],
)  # fmt: skip
def test_the_printed_fraction_with_a_percent_sign(texts, std, fraction):
    (finding,) = alone(make.std(std, "pretrained model"), *listed(*texts))
    assert finding.level == "error"
    assert f"the fraction {fraction}, printed with a percent sign" in finding.likely_cause


def test_a_mean_that_its_values_do_not_have_is_a_warning():
    runs = listed("79.9", "80.0", "83.5")
    # Whether the mean or one of the values is at fault, nobody can say.
    assert [f.level for f in alone(make.mean("84.1", "Pretrained"), *runs)] == ["warning"]
    assert [f.level for f in alone(make.mean("80.5", "Pretrained"), *runs, at=9)] == ["warning"]
    # One decimal of the values leaves a tenth open.
    assert [f.level for f in alone(make.mean("81.18", "Pretrained"), *runs)] == ["none"]
    assert [f.level for f in alone(make.mean("0.811 %", "Pretrained"), *runs)] == ["error"]
    signed = listed("79.9 %", "80.0 %", "83.5 %")
    assert [f.level for f in alone(make.mean("0.811 %", "Pretrained"), *signed)] == ["error"]
    assert [f.level for f in alone(make.mean("0.811 %", "Pretrained"), *signed, at=9)] == [
        "warning"
    ]


def test_a_mean_of_other_things_is_left_alone():
    runs = listed("79.9", "80.0", "83.5", selection="best")
    assert alone(make.mean("79.0", "Pretrained", selection="last"), *runs) == []
    assert alone(make.mean("79.0", "Pretrained", epoch=3), *runs) == []
    assert alone(make.mean("79.0", "Pretrained", split="validation"), *runs) == []
    assert alone(make.mean("79.0", "Random"), *runs) == []
    assert alone(make.mean("79.0", "Pretrained", n=5), *runs) == []
    assert alone(make.mean("79.0", "Pretrained"), *runs[:1]) == []


def test_two_values_of_one_seed_are_no_listing():
    runs = [*listed("79.9", "80.0"), make.value("70.0", "Pretrained", 0)]
    assert alone(make.mean("79.0", "Pretrained"), *runs) == []


def test_a_fraction_of_printed_percentages_is_legal_where_its_unit_is_open():
    runs = listed("79.9", "80.0", "83.5")
    assert [f.level for f in alone(make.mean("0.811", "Pretrained"), *runs)] == ["none"]


VALUES = st.lists(st.integers(0, 1000).map(lambda t: Decimal(t) / 10), min_size=2, max_size=7)


@given(VALUES)
def test_every_spread_is_that_of_the_library(values):
    floats = [float(v) for v in values]
    found = {words: float(value) for _, words, value in spreads_of(values)}
    sample = statistics.stdev(values)
    error = float(sample) / math.sqrt(len(values))
    expected = {
        "population standard deviation": float(statistics.pstdev(values)),
        "sample standard deviation": float(sample),
        "standard error": float(scipy.stats.sem(floats)),
        "standard error with ddof 0": float(scipy.stats.sem(floats, ddof=0)),
        "1.96 standard errors": 1.96 * error,
        "two standard errors": 2 * error,
    }
    for level in (0.9, 0.95, 0.99):
        quantile = scipy.stats.t.ppf((1 + level) / 2, len(values) - 1)
        expected[f"half width of the {level:.0%} t interval"] = quantile * error
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert median_of(values) == statistics.median(values)


@given(VALUES, st.integers(0, 3), st.sampled_from([statistics.pstdev, statistics.stdev]))
def test_what_is_computed_from_the_logs_agrees(values, decimals, spread):
    table = {("a", s): ([50.0], [float(v)]) for s, v in enumerate(values)}
    mean = make.mean(f"{statistics.mean(values):.{decimals}f}%", "a")
    assert agrees(of(mean, table=table))
    std = make.std(f"{spread(values):.{decimals}f}%", "a")
    assert agrees(of(std, table=table))


@given(VALUES, st.integers(1, 3), st.sampled_from([statistics.pstdev, statistics.stdev]))
def test_what_is_computed_from_printed_values_agrees(values, decimals, spread):
    runs = listed(*(f"{v:.0f}" for v in values))
    mean = make.mean(f"{statistics.mean(values):.{decimals}f}", "Pretrained")
    std = make.std(f"{spread(values):.{decimals}f}", "Pretrained")
    assert [f.level for f in alone(mean, *runs)] == ["none"]
    assert [f.level for f in alone(std, *runs)] == ["none"]
