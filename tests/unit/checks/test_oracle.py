"""The best test value as a result."""

from __future__ import annotations

import pytest
from fakes import made_claims as make
from fakes import made_runs

from reportgen.checks.oracle import check

TABLE = {
    ("a", 0): ([60.0, 82.0, 70.0], [81.4, 75.2, 74.0]),
    ("a", 1): ([60.0, 82.0, 70.0], [79.0, 70.2, 74.0]),
}


def found(*claims, table=TABLE, **how):
    return list(check(make.case(*claims, table=table, **how)))


def test_the_best_test_value_of_a_run():
    (finding,) = found(make.value("81.4", "a", 0))
    assert finding.level == "warning"
    assert "the best validation step gives 75.2" in finding.message
    assert finding.likely_cause == "it is the best test value itself"
    assert (finding.expected.value, str(finding.delta)) == (75.2, "6.2")
    assert [f.level for f in found(make.value("0.814", "a", 0))] == ["warning"]


def test_the_mean_of_the_best_test_values():
    (finding,) = found(make.mean("80.2", "a"))
    assert finding.level == "warning"
    assert "the mean of the best test values" in finding.likely_cause


@pytest.mark.parametrize("text", ["75.2", "74.0", "75", "12.0"])
def test_the_chosen_value_the_last_one_and_others_are_no_oracle(text):
    assert found(make.value(text, "a", 0)) == []


def test_what_says_its_step_is_no_oracle():
    assert found(make.value("81.4", "a", 0, step=225)) == []
    assert found(make.value("81.4", "a", 0, epoch=1)) == []
    # The value itself disagrees there, with this as its cause.
    assert found(make.value("81.4", "a", 0, selection="best")) == []
    assert found(make.value("82.0", "a", 0, "validation")) == []


def test_a_best_test_value_that_is_called_so_is_noted_once():
    claims = [make.value(t, "a", s, selection="oracle") for s, t in enumerate(("81.4", "79.0"))]
    assert [f.level for f in found(*claims)] == ["note"]


def test_without_validation_there_is_no_choice():
    runs = made_runs.Runs(
        root="logs", runs=(made_runs.run("a", 0, made_runs.series("test", [81.4, 70.0])),)
    )
    facts = made_runs.facts(runs=runs)
    assert found(make.value("81.4", "a", 0), facts=facts) == []
    assert list(check(make.alone(make.value("81.4", "a", 0)))) == []


def test_several_runs_may_be_meant():
    assert found(make.claim("metric_value", "81.4", group="a", split="test")) == []
    assert found(make.value("81.4", "a", 0, confidence=0.3)) == []
