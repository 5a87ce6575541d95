"""Runs without a best step: what is said of them, and what is not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from fakes.unselected_studies import (
    UNSELECTED,
    ended_in_nan,
    many_ended_in_nan,
    only_tested,
    rewards,
    rewards_of_many,
    some_values_alone,
    training_alone,
    unknown_direction,
)

from reportgen.records.document import Figure, walk
from reportgen.records.quantity import Missing, Quantity
from reportgen.report import as_logged, curves, summary
from reportgen.report._compose import compose_report


def text_of(made, facts):
    report = compose_report(facts, metadata={}, date="2026-02-03")
    return " ".join([made.words(report.abstract), *map(made.prose, report.sections)])


@pytest.mark.parametrize("case", UNSELECTED, ids=lambda case: case.__name__)
def test_no_value_is_called_a_best_step_or_a_test_result(made, case):
    facts = case(made)
    text = text_of(made, facts)
    assert "at its best step" not in text
    assert "Best step of each run" not in text
    assert "is chosen by that very curve: it looks better than it is" in text
    if case is not only_tested:
        assert "none of them is a test result" in text
        assert not re.search(r"\b(best|test) (accuracy|reward|zeta)\b", text)


def test_the_table_has_means_over_the_runs_that_have_a_last_value(made):
    facts = rewards(made)
    rows = made.grid(made.tables(summary.build(facts))["summary.headline"])
    assert [row[1] for row in rows] == ["3", "2", ""]
    last = [cell.last_value for cell in facts.groups[0].cells]
    mean = sum(reading.value for reading in last) / 3
    assert f"{mean:.2f} ±" in rows[0][2]
    assert "and" in rows[1][2]
    assert "1 has no last reward and counts in no mean of last values" in made.prose(
        summary.build(facts)
    )


def test_runs_that_end_in_nan_are_told_of_with_their_reason(made):
    facts = ended_in_nan(made)
    said = made.words(summary.abstract(facts))
    assert "No run of alpha has a last training loss: alpha/0 logged nan for" in said
    rows = made.grid(made.tables(as_logged.build(facts))["as_logged.table"])
    assert rows[0][3] == "—"
    assert "at step" in rows[0][5]
    assert figures(facts)
    assert "None of the 6 groups of runs has a last reward" in made.words(
        summary.abstract(many_ended_in_nan(made))
    )


def test_runs_without_a_last_value_are_not_counted_away(made):
    said = made.words(summary.abstract(some_values_alone(made)))
    assert "in two of its three runs" in said
    assert "in one of its three runs" in said
    assert "gamma/0 never logged reward" in said


def test_a_mean_of_values_of_different_steps_says_so(made):
    facts = rewards(made)
    steps = [c.last_value.sources[0].step for c in facts.groups[0].cells]
    assert len(set(steps)) == 3
    said = made.words(summary.abstract(facts))
    assert "logged last at different steps, from 2,300 to 2,500: runs of unlike length" in said
    assert "at different steps" not in made.words(summary.abstract(only_tested(made)))


def test_the_split_that_the_study_names_is_the_one_to_log(made):
    facts = rewards(made)
    metric = replace(facts.study.metric, select_on="train")
    study = replace(facts.study, metric=metric)
    assert "train/reward" in made.prose(summary.build(replace(facts, study=study)))


def test_what_makes_a_step_be_chosen_is_said_with_its_line(made):
    said = made.prose(summary.build(rewards(made)))
    assert "splits.tags.reward = 'validation'" in said
    assert "val/reward" in said
    assert "metric.select_on = 'train'" in made.prose(summary.build(training_alone(made)))
    assert "splits.tags" not in made.prose(summary.build(only_tested(made)))


def test_the_columns_are_those_of_the_better_end_where_one_is_known(made):
    table = made.tables(as_logged.build(rewards(made)))["as_logged.table"]
    heads = [made.words(column.title) for column in table.columns]
    assert heads == ["Group", "Seed", "Last step", "Last value", "End", "Largest value"]
    unknown = as_logged.build(unknown_direction(made))
    table = made.tables(unknown)["as_logged.table"]
    heads = [made.words(column.title) for column in table.columns]
    assert heads[4:] == ["Smallest value", "Largest value"]
    assert "Whether higher or lower is better is not known for zeta." in made.prose(unknown)


def test_the_values_of_a_run_stand_beside_their_steps(made):
    facts = rewards(made)
    row = made.grid(made.tables(as_logged.build(facts))["as_logged.table"])[1]
    curve = facts.groups[0].cells[1].run.find("reward", "")
    assert int(row[2].replace(",", "")) == curve.steps[-1]
    assert float(row[3]) == pytest.approx(curve.values[-1], abs=1e-4)
    value, _, step = row[5].partition(" at step ")
    assert float(value) == pytest.approx(curve.values.max(), abs=1e-4)
    assert int(step.replace(",", "")) == curve.steps[curve.values.argmax()]


def test_few_points_have_no_end(made):
    section = as_logged.build(unknown_direction(made))
    heads = [made.words(c.title) for c in made.tables(section)["as_logged.table"].columns]
    assert "End" not in heads


def figures(facts):
    return {b.id: b for b in walk((curves.build(facts),)) if isinstance(b, Figure)}


def test_curves_of_few_runs_and_the_range_of_each_group_are_drawn(made):
    drawn = figures(rewards(made))
    assert list(drawn) == ["curves.lines.reward", "curves.range.reward", "curves.lines.loss"]
    # Not a band of the interactive page, which calls each one mean and standard deviation.
    assert drawn["curves.range.reward"].chart.kind == "ranges"
    (panel,) = drawn["curves.range.reward"].chart.panels
    facts = rewards(made)
    for band, group in zip(panel.bands, facts.groups, strict=True):
        first = [cell.run.find("reward", "").values[0] for cell in group.cells]
        assert band.low[0] == min(first)
        assert band.high[0] == max(first)
        assert band.mean[0] == pytest.approx(sum(first) / 3)


def test_a_panel_of_smoothed_curves_is_not_headed_as_logged(made):
    panels = [panel for f in figures(rewards(made)).values() for panel in f.chart.panels]
    assert any(line.smoothed for panel in panels for line in panel.lines)
    assert {panel.title for panel in panels} == {""}


def test_the_words_of_a_range_name_the_steps_and_the_runs_at_its_ends(made):
    alt = figures(rewards(made))["curves.range.reward"].alt
    # Three runs of unlike length: two of them have a point at step 2,400, one at 2,500.
    assert re.search(
        r"alpha0 \(n = 3\) from \S+ at step 0 to \S+ at 2400 \(n = 2\), there between", alt
    )


def test_many_runs_are_drawn_by_group_or_all_together(made):
    assert all(name.startswith("curves.crowd") for name in figures(rewards_of_many(made)))


def test_a_curve_of_a_fraction_is_drawn_in_percent_and_one_beside_it_is_not(made):
    drawn = figures(training_alone(made))
    (accuracy,) = drawn["curves.lines.accuracy_train"].chart.panels
    (loss,) = drawn["curves.lines.loss_train"].chart.panels
    assert accuracy.y_label == "accuracy (%)"
    assert max(accuracy.lines[1].y) > 50
    assert max(loss.lines[1].y) < 2


def test_a_study_with_a_best_step_has_no_such_section(made):
    assert as_logged.build(made.facts()) is None


@pytest.mark.parametrize("case", UNSELECTED, ids=lambda case: case.__name__)
def test_every_reported_value_is_that_of_the_log(made, case):
    for group in case(made).groups:
        for cell in group.cells:
            if isinstance(cell.last_value, Missing):
                continue
            assert isinstance(cell.last_value, Quantity)
            evidence = cell.last_value.sources[0]
            points = dict(cell.run.scalars[evidence.tag].points())
            assert points[evidence.step] == evidence.value
            assert evidence.step == max(points)
