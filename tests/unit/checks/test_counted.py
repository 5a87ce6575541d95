"""Numbers of seeds, runs and groups against logs and against the report's own values."""

from __future__ import annotations

import pytest
from fakes import made_claims
from fakes.stated import evidence, findings, levels

RULE = "counted"
SIX = evidence(runs=[(g, s, {}) for g in ("pretrained", "random") for s in range(3)])


@pytest.mark.parametrize(
    "text",
    [
        "the six models",
        "three seeds",
        "the 3 top curves",
        "six runs",
        "2 groups",
        "the mean over the runs (n = 3)",
        "sur trois graines",
    ],
)
def test_numbers_of_the_logs_agree(text):
    assert [found[1:] for found in levels(RULE, text, SIX)] == [("none", "agrees")]


def test_more_seeds_than_any_group_has_are_a_warning():
    (finding,) = findings(RULE, "averaged over five seeds", SIX)
    assert (finding.level, finding.verdict) == ("warning", "disagrees")
    assert "more than 3 seeds" in finding.message


@pytest.mark.parametrize("text", ["two seeds", "nine models", "twelve runs", "10 experiments"])
def test_other_runs_may_lie_elsewhere(text):
    assert {(level, verdict) for _, level, verdict in levels(RULE, text, SIX)} <= {
        ("none", "not checkable"),
        ("none", "agrees"),
    }


def values(*seeds, group="pretrained"):
    return tuple(made_claims.value("79.9", group=group, seed=seed) for seed in seeds)


def test_without_logs_the_report_s_own_values_are_counted():
    both = (*values(0, 1, 2), *values(0, 1, 2, group="random"))
    assert [f.verdict for f in findings(RULE, "the six models", more=both)] == ["agrees"]
    assert [f.verdict for f in findings(RULE, "over three seeds", more=both)] == ["agrees"]
    (finding,) = findings(RULE, "over five seeds", more=both)
    assert (finding.level, finding.verdict) == ("note", "disagrees")


def test_nothing_is_said_where_nothing_is_known():
    assert findings(RULE, "over five seeds and six models") == []
    assert findings(RULE, "over five seeds", more=values(0)) == []
    uneven = (*values(0, 1, 2), *values(0, 1, group="random"))
    assert findings(RULE, "over five seeds", more=uneven) == []


THREE = evidence(
    runs=[(g, s, {}) for g, seeds in (("ppo", 5), ("a2c", 4), ("sac", 2)) for s in range(seeds)]
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("a2c has only four seeds.", "a2c has only three seeds."),
        ("a2c has 4 seeds, and sac has 2 seeds.", "a2c has 5 seeds, and sac has 2 seeds."),
        ("The group a2c has four runs.", "The group a2c has five runs."),
        ("a2c n'a que quatre graines.", "a2c n'a que trois graines."),
        ("Le groupe a2c a quatre graines.", "Le groupe a2c a cinq graines."),
    ],
)
def test_seeds_of_a_group_are_those_of_that_group(right, wrong):
    assert {f.verdict for f in findings(RULE, right, THREE)} == {"agrees"}
    (finding,) = (f for f in findings(RULE, wrong, THREE) if f.verdict == "disagrees")
    assert finding.level == "warning"
    assert "the logs have 4 runs of a2c" in finding.message


@pytest.mark.parametrize(
    "text",
    [
        "a2c has three seeds above 100.",
        "a2c has three seeds in Table 2.",
        "Without the lost ones a2c has three seeds.",
        "The best of a2c has 3 runs.",
        "a2c a trois graines au-dessus de 100.",
    ],
)
def test_some_seeds_of_a_group_are_not_all_of_them(text):
    assert {f.level for f in findings(RULE, text, THREE)} <= {"none"}
