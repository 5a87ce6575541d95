"""Means over the last points of a run, and the first value of one, from their words on."""

from __future__ import annotations

import numpy as np
import pytest
from fakes import made_claims as make
from fakes import made_runs

from reportgen.checks.tail import check
from reportgen.checks.value import check as check_value
from reportgen.claims._tails import firsts, tails
from reportgen.records.run import Runs

VALUES = [3.0 * i + (i * 7 % 5) for i in range(40)]


def told(text, hint, *, values=VALUES, **meaning):
    """The finding on a value of one run of a hundred steps a point."""
    points = made_runs.series(
        "", values, metric="reward", unit="", steps=range(0, 100 * len(values), 100)
    )
    runs = Runs(root="logs", runs=(made_runs.run("a", 0, points),))
    claim = make.claim(
        "tail", text, group="a", seed=0, metric="reward", hints={"tail": hint}, **meaning
    )
    return make.only(check, claim, facts=made_runs.facts(runs=runs))


@pytest.mark.parametrize(
    ("hint", "count"), [("10 points", 10), ("tenth points", 4), ("7 others", 7), ("300 others", 3)]
)
def test_a_mean_of_the_last_points(hint, count):
    assert told(f"{np.mean(VALUES[-count:]):.2f}", hint).verdict.startswith("agrees")


def test_another_mean_is_named_where_points_are_counted():
    finding = told("158.00", "10 points")
    assert (finding.level, finding.verdict) == ("warning", "disagrees")
    assert f"{np.mean(VALUES[-10:]):g}" in finding.message


@pytest.mark.parametrize("hint", ["10 others", "some points", "400 points"])
def test_what_the_logs_do_not_tell_is_no_disagreement(hint):
    finding = told("158.00", hint)
    assert (finding.level, finding.verdict) == ("none", "not checkable")


def test_only_the_mean_is_computed():
    assert told("158.00", "10 points", aggregate="std").verdict == "not checkable"


def test_a_run_that_ends_in_nan_has_either_end():
    broken = [*VALUES[:-1], np.nan]
    for last in (VALUES[-10:-1], VALUES[-11:-1]):
        assert told(f"{np.mean(last):.3f}", "10 points", values=broken).verdict.startswith("agrees")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the mean of the last ten rewards", ["10 points"]),
        ("averaged over the last 100 episodes", ["100 others"]),
        ("mean over the last tenth of its points", ["tenth points"]),
        ("the last 10 % of the training", ["tenth points"]),
        ("last-10 mean reward", ["10 points"]),
        ("moyenne des dix dernières évaluations", ["10 points"]),
        ("sur le dernier dixième des points", ["tenth points"]),
        ("the last few evaluations", ["some points"]),
        ("the last 3 seeds, the last epoch, the last reward is 10", []),
        ("the last two models", []),
    ],
)
def test_words_of_the_end_of_a_run(text, expected):
    assert [mention.value for mention in tails(text)] == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the first loss of ppo", True),
        ("the initial validation accuracy is 50", True),
        ("the starting value", True),
        ("la perte initiale", True),
        ("the initial learning rate", False),
        ("the first seed has a loss of 1", False),
        ("the first reward of ppo above 100 is 104", False),
    ],
)
def test_words_of_the_first_value(text, said):
    assert bool(firsts(text)) is said


def first_of(text, *, since=0):
    points = made_runs.series("", VALUES, metric="reward", unit="", steps=range(since, since + 40))
    claim = make.value(text, "a", 0, split="", metric="reward", selection="first")
    facts = made_runs.facts(runs=Runs(root="logs", runs=(made_runs.run("a", 0, points),)))
    return make.only(check_value, claim, facts=facts)


def test_a_first_value_is_held_against_the_first_point():
    assert first_of("0.0").verdict.startswith("agrees")
    assert first_of(f"{VALUES[-1]:.1f}").level == "warning"


def test_what_came_before_the_first_point_is_not_known():
    assert first_of("0.0", since=50).verdict.startswith("agrees")
    assert first_of("9.5", since=50).verdict == "not checkable"
