"""What a study states, and what of it no longer applies."""

import pytest

from reportgen.records.study import MetricPlan, Study
from reportgen.runs import assemble

FILE, COMMAND = "study.toml", "command line"


@pytest.fixture
def run(log):
    return log("a/events.out.tfevents.1.h.9.0", {
        "eval/loss": {1: 0.5, 2: 0.3}, "eval/accuracy": {1: 0.6, 2: 0.7},
    })  # fmt: skip


def filled(run, plan, **stated):
    study = Study(metric=plan, stated={f"metric.{key}": who for key, who in stated.items()})
    runs, study = assemble([run], [run.source.path], study, "logs")
    return runs, study, {d.key: d for d in study.decisions}


def test_a_metric_of_the_command_line_has_its_own_direction_and_unit(run):
    plan = MetricPlan(name="loss", direction="higher", unit="percent")
    runs, study, decisions = filled(run, plan, name=COMMAND, direction=FILE, unit=FILE)
    assert (study.metric.direction, study.metric.unit) == ("lower", "")
    assert "was named on the command line" in decisions["metric.direction"].reason
    assert "was named on the command line" in decisions["metric.unit"].reason
    assert "metric.direction" not in study.stated
    assert not any("metric.direction" in p.message for p in runs.problems)


def test_a_direction_against_the_metric_is_kept_with_a_warning(run):
    plan = MetricPlan(name="loss", direction="higher")
    runs, study, _ = filled(run, plan, name=FILE, direction=FILE)
    assert study.metric.direction == "higher"
    (problem,) = [p for p in runs.problems if "metric.direction" in p.message]
    assert problem.level == "warning"
    assert "loss is better when lower" in problem.message


def test_a_stated_split_that_no_run_logged_is_explained(run):
    plan = MetricPlan(name="loss", select_on="validation", report_on="test")
    _, study, decisions = filled(run, plan, select_on=FILE, report_on=FILE)
    assert study.metric.report_on == "validation"
    assert "could not be followed" in decisions["metric.report_on"].reason
