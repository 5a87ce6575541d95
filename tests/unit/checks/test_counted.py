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
