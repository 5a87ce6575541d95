"""The body of the report: what it says of one run, of two groups, of a sweep, of unlike tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reportgen.errors import StudyError
from reportgen.records.document import Figure, Table, walk
from reportgen.records.facts import Task
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, MetricPlan, QuestionPlan, ReportPlan
from reportgen.report import compose_report, others, results, setup

FOUR = {
    (name, 0): ([50.0, top - 1], [50.0, top])
    for name, top in (("a", 70.0), ("b", 75.0), ("c", 71.0), ("d", 75.0))
}


def composed(facts):
    return compose_report(facts, metadata={}, date="2026-01-02")


def words_of(made, report):
    return "\n".join(made.prose(section) for section in report.sections)


def figure_of(section):
    return next(block for block in walk((section,)) if isinstance(block, Figure))


# --- two groups that share their seeds ------------------------------------------------


def test_two_groups_stand_side_by_side_a_row_a_seed(made):
    table = made.tables(results.build(made.facts()))["results.table"]
    assert made.grid(table) == [
        ["0", "5", "85.5", "81.4", "5", "67.0", "73.9"],
        ["1", "5", "84.5", "80.4", "5", "70.0", "73.9"],
        ["2", "4", "84.0", "80.1", "5", "71.0", "73.1"],
        ["mean", "", "84.67", "80.63 ± 0.68", "", "69.33", "73.63 ± 0.46"],
    ]
    assert [made.words(column.group) for column in table.columns][1::3] == ["pretrained", "random"]


def test_the_means_along_the_way_have_a_row_of_gaps(made):
    table = made.tables(results.build(made.facts()))["results.epochs"]
    assert made.grid(table)[-1] == ["gap", "+13.63", "+14.93", "+12.80", "+10.77", "+7.10"]
    assert made.grid(table)[0][1:3] == ["64.13 ± 4.25", "73.43 ± 2.85"]


def test_the_abstract_states_both_results_and_the_difference(made):
    assert made.words(composed(made.facts()).abstract).startswith(
        "Test accuracy is 80.63 ± 0.68% for pretrained and 73.63 ± 0.46% for random, a "
        "difference of +7.00 points (95% interval +5.76 to +8.24)."
    )


def test_a_share_of_warm_up_is_no_number_of_updates(made):
    runs = tuple(
        replace(made.run("a", seed, made.series("test", [50, 60])), config={"warmup_steps": 0.06})
        for seed in range(2)
    )
    said = made.prose(setup.build(made.facts(runs=Runs(root="logs", runs=runs), groups=())))
    assert "warm-up ratio 0.06" in said
    assert "updates" not in said


def test_the_figure_shows_runs_means_and_chosen_points_on_each_split(made):
    panels = figure_of(results.build(made.facts())).chart.panels
    assert [panel.title for panel in panels] == ["Validation", "Test"]
    test = panels[1]
    assert len(test.lines) == 6
    assert [band.mean[-1] for band in test.bands] == [pytest.approx(80.7333333), 73.6333333333]
    rings = {(ring.group_index, ring.x, ring.y) for ring in test.rings}
    assert (0, 4.0, 80.1) in rings
    assert len(rings) == 5  # two random runs end at the same point


def test_chance_is_drawn_where_a_study_says_it(made):
    metric = MetricPlan(name="accuracy", direction="higher", chance=50.0)
    figure = figure_of(results.build(made.facts(metric=metric)))
    assert [level.y for panel in figure.chart.panels for level in panel.levels] == [50.0, 50.0]
    assert not any(panel.levels for panel in figure_of(results.build(made.facts())).chart.panels)


def test_short_names_are_used_where_a_study_gives_them(made):
    groups = (GroupPlan(name="pretrained", short="pre"), GroupPlan(name="random"))
    section = results.build(made.facts(groups=groups))
    assert section.title == "Pre against random"


def test_conventions_are_said_once(made):
    text = words_of(made, composed(made.facts()))
    assert text.count("sample standard deviation") == 1
    assert text.count("we report") == 1


# --- one run, one group ---------------------------------------------------------------


def one_run(made):
    run = made.run(
        "a", None, made.series("validation", [60.0, 70.0]), made.series("test", [61, 69])
    )
    return made.facts(runs=Runs(root="logs", runs=(run,)), groups=())


def test_of_one_run_a_sentence_tells_and_no_table(made):
    section = results.build(one_run(made))
    assert not made.tables(section)
    assert "The run reaches a test accuracy of 69% at epoch 2, chosen by its validation" in (
        made.prose(section)
    )


def test_of_one_run_nothing_is_said_of_groups_and_spreads(made):
    body = [section for section in composed(one_run(made)).sections if not section.appendix]
    text = "\n".join(made.prose(section) for section in body)
    for word in ("group", "±", "mean", "seed"):
        assert word not in text


def test_one_group_of_seeds_has_its_mean(made):
    table = {key: value for key, value in made.SIX.items() if key[0] == "random"}
    facts = made.facts(table, groups=(GroupPlan(name="random"),))
    assert made.words(composed(facts).abstract) == "Test accuracy is 73.63 ± 0.46% (3 runs)."
    assert made.grid(made.tables(results.build(facts))["results.table"])[-1] == [
        "mean", "", "69.33", "73.63 ± 0.46",
    ]  # fmt: skip


# --- several groups -------------------------------------------------------------------


def test_ties_for_the_best_are_told_as_ties(made):
    facts = made.facts(FOUR, groups=())
    assert made.words(composed(facts).abstract) == (
        "2 of 4 groups share the best test accuracy, 75%; the weakest has 70%."
    )


def test_a_sweep_is_ranked_with_its_settings_as_columns(made):
    runs = []
    for place in range(12):
        lr, batch = 10.0 ** -(2 + place % 3), 8 * (1 + place // 3)
        tops = [60.0, 70.0 + place]
        run = made.run(f"run_{place}", None, made.series("validation", tops),
                       made.series("test", tops))  # fmt: skip
        config = {"lr": lr, "batch_size": batch, "seed": place, "output_dir": f"out/{place}"}
        runs.append(replace(run, config=config | {"optimizer": "adam"}))
    section = results.build(made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=()))
    table = made.tables(section)["results.table"]
    assert [made.words(column.title) for column in table.columns] == [
        "lr", "batch_size", "Validation", "Test",
    ]  # fmt: skip
    assert made.grid(table)[0] == ["0.0001", "32", "81", "81"]
    assert [row[-1] for row in made.grid(table)] == [str(value) for value in range(81, 69, -1)]


def test_pages_show_ten_of_many_groups(made):
    table = {(f"g{i:03}", 0): ([50.0, 50 + i / 10], [50.0, 50 + i / 10]) for i in range(200)}
    shown = made.tables(results.build(made.facts(table, groups=())))["results.table"]
    assert len(shown.rows) == 200
    assert shown.excerpt.rows == tuple(range(10))


def test_long_names_lose_what_all_share(made):
    table = {
        (f"q2_pendulum_{name}_InvertedPendulum-v4", seed): values
        for (_, seed), values in list(made.SIX.items())[:3]
        for name in ("default", "gae0.98")
    }
    facts = made.facts(table, groups=())
    assert "q2_pendulum_…_InvertedPendulum-v4" in made.prose(setup.build(facts))
    assert results.build(facts).title == "Default against gae0.98"


# --- what may not be compared ---------------------------------------------------------


def unlike(made):
    facts = made.facts(FOUR, groups=())
    tasks = [Task(kind="environment", name=name) for name in ("Ant", "Ant", "Ant", "Hopper")]
    groups = tuple(
        replace(group, task=task) for group, task in zip(facts.groups, tasks, strict=True)
    )
    return replace(facts, groups=groups)


def test_groups_of_other_tasks_are_never_ranked_with_the_others(made):
    facts = unlike(made)
    text = made.words(composed(facts).abstract)
    assert "Of 3 groups, b has the best test accuracy, 75%" in text
    assert "different environments (Ant and Hopper)" in text
    assert "d reaches a test accuracy of 75%" in made.prose(others.build(facts))


def test_their_runs_stand_in_the_appendix(made):
    report = composed(unlike(made))
    appendix = next(section for section in report.sections if section.id == "secondary")
    assert appendix.appendix
    assert made.grid(made.tables(appendix)["secondary.table"])[0][0] == "d"


# --- questions and detail -------------------------------------------------------------


def test_questions_order_and_title_sections_and_are_answered_at_a_glance(made):
    facts = made.facts(
        questions=(
            QuestionPlan(id="Task 3", answers=("best_step",)),
            QuestionPlan(id="Task 4", answers=("comparison",)),
            QuestionPlan(id="Task 9", answers=("lora",)),
        ),
        report=ReportPlan(course="NLP", assignment="Lab 2"),
    )
    report = composed(facts)
    assert report.occasion == "NLP, Lab 2"
    assert not report.abstract
    assert [made.words(one.question) for one in report.glance] == ["Task 3", "Task 4", "Task 9"]
    assert made.words(report.glance[0].text) == ("Pretrained: 80.63 ± 0.68%; random: 73.63 ± 0.46%")
    assert made.words(report.glance[1].where) == "<results>"
    assert made.words(report.glance[2].text) == "no evidence"
    titles = {section.id: section.title for section in report.sections}
    assert titles["results"] == "Task 3 and Task 4: Pretrained against random"


def test_a_topic_that_there_cannot_be_is_refused_with_its_line(made):
    facts = made.facts(questions=(QuestionPlan(id="Q", answers=("comparisons",), line=7),))
    with pytest.raises(StudyError, match=":7: no topic is called 'comparisons'"):
        composed(facts)


def test_a_brief_report_has_no_appendix(made):
    report = composed(made.facts(report=ReportPlan(detail="brief")))
    assert not any(section.appendix for section in report.sections)
    assert [section.id for section in report.sections] == ["setup", "results"]


def test_a_full_report_prints_every_row(made):
    table = {(f"g{i:03}", 0): ([50.0, 50 + i / 10], [50.0, 50 + i / 10]) for i in range(40)}
    report = composed(made.facts(table, groups=(), report=ReportPlan(detail="full")))
    assert all(b.excerpt is None for b in walk(report.sections) if isinstance(b, Table))
