"""The body of the report: what it says of one run, of two groups, of a sweep, of unlike tasks."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes.row_facts import facts_of_row
from fakes.rows import rows_of

from reportgen.records.document import Emphasis, Figure, walk
from reportgen.records.errors import StudyError
from reportgen.records.run import Clock, Runs
from reportgen.records.study import Decision, GroupPlan, MetricPlan, QuestionPlan, ReportPlan
from reportgen.report import compose_report, results, setup

FOUR = {
    (name, 0): ([50.0, top - 1], [50.0, top])
    for name, top in (("a", 70.0), ("b", 75.0), ("c", 71.0), ("d", 75.0))
}


def composed(facts):
    return compose_report(facts, metadata={}, date="2026-01-02")


def figure_of(section):
    return next(block for block in walk((section,)) if isinstance(block, Figure))


def result_names(facts):
    return [node for node in composed(facts).abstract if isinstance(node, Emphasis)]


@pytest.mark.parametrize(
    "row", rows_of(Path(__file__).parent / "bodies.yaml"), ids=lambda row: row["why"]
)
def test_what_is_said_of_some_runs(made, row):
    facts = facts_of_row(row)
    report = composed(facts)
    sections = {section.id: made.prose(section) for section in report.sections}
    told = sections | {"title": report.title, "abstract": made.words(report.abstract)}
    tables = made.tables(results.build(facts))
    if shown := tables.get("results.table"):
        told["caption"] = made.words(shown.caption)
        grid = made.grid(shown)
        assert grid == row.get("table", grid)
        order = [line[0] for line in grid]
        assert order == row.get("order", order)
    for place in told.keys() & row.keys():
        assert row[place] in told[place]
    assert not [words for words in row.get("lacks", ()) if words in str(sections)]


# --- two groups that share their seeds ------------------------------------------------


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


# --- one run, one group ---------------------------------------------------------------


def one_run(made):
    run = made.run(
        "a", None, made.series("validation", [60.0, 70.0]), made.series("test", [61, 69])
    )
    return made.facts(runs=Runs(root="logs", runs=(run,)), groups=())


def test_of_one_run_a_sentence_tells_and_no_table(made):
    report = composed(one_run(made))
    section = next(one for one in report.sections if one.id == "results")
    assert not made.tables(section)
    told = "The run reaches a test accuracy of 69% at epoch 2, chosen by its validation"
    assert told in made.words(report.abstract)
    assert told not in made.prose(section)
    assert "We report" in made.prose(report.sections[0])
    assert made.words(figure_of(section).caption) == (
        "Accuracy of the run. A ring marks the chosen step."
    )


# --- what was judged, and how often ---------------------------------------------------


@pytest.mark.parametrize(("epochs", "told"), [(5, True), (4, True), (3, False)])
def test_no_epochs_are_told_that_a_run_passed(made, epochs, told):
    (run,) = one_run(made).runs
    counts = np.arange(1.0, 6.0)
    clock = Clock(steps=counts.astype(np.int64), epochs=counts, steps_per_epoch=1)
    run = replace(run, config={"train.num_epochs": epochs}, clock=clock)
    text = made.prose(setup.build(made.facts(runs=Runs(root="", runs=(run,)), groups=())))
    assert (f"set to {epochs} epochs" in text) is told


def dying(made):
    """Two groups of three runs, of which one loses two on the way."""
    nan = float("nan")
    table = {("a", seed): ([60.0 + seed, 70.0, 80.0, 81.0],) * 2 for seed in range(3)}
    table |= {
        ("b", seed): ([50.0 + seed, 60.0, *rest],) * 2
        for seed, rest in enumerate(([70.0, 82.0], [nan, nan], [71.0, nan]))
    }
    return made.facts(table, groups=())


def test_means_and_gaps_are_of_the_same_runs(made):
    section = results.build(dying(made))
    gaps = made.grid(made.tables(section)["results.epochs"])[-1]
    assert gaps[0] == "gap"
    assert [gap == "—" for gap in gaps[1:]] == [False, False, True, True]
    bands = {band.group: band for band in figure_of(section).chart.panels[-1].bands}
    assert (len(bands["a"].x), len(bands["b"].x)) == (4, 2)


def test_last_evaluations_a_few_steps_apart_are_one(made):
    runs = [
        made.run(
            group,
            seed,
            made.series("test", [1.0 + seed, 2.0, 3.0], steps=[1000, 2000, end], unit=""),
        )
        for group, ends in (("a", [3000, 3001, 3002]), ("b", [3001, 3000, 3000]))
        for seed, end in enumerate(ends)
    ]
    facts = made.facts(
        runs=Runs(root="logs", runs=tuple(runs)), groups=(), steps_per_epoch=0, stated={}
    )
    table = made.tables(results.build(facts))["results.epochs"]
    assert [made.words(column.title) for column in table.columns][1:] == [
        "step 1,000", "step 2,000", "step 3,002",
    ]  # fmt: skip
    assert "—" not in made.grid(table)[-1]


def test_steps_that_cannot_count_the_same_have_axes_of_their_own(made):
    runs = [
        made.run(name, None, made.series("validation", [60.0, 70.0, 80.0], steps=steps))
        for name, steps in (("a", [1, 2, 3]), ("b", [1000, 2000, 3000]))
    ]
    facts = made.facts(
        runs=Runs(root="logs", runs=tuple(runs)), groups=(), steps_per_epoch=0, stated={}
    )
    panels = figure_of(results.build(facts)).chart.panels
    assert [panel.title for panel in panels] == ["Validation: a", "Validation: b"]


def test_a_ring_lies_at_the_logged_value_whatever_is_smoothed(made):
    values = [50.0 + at % 7 for at in range(80)]
    facts = made.facts({("a", 0): (values, values)}, groups=())
    for panel in figure_of(results.build(facts)).chart.panels:
        (line,), (ring,) = panel.lines, panel.rings
        assert ring.y == line.y[line.x.index(ring.x)] == 56.0


# --- several groups -------------------------------------------------------------------


def test_few_groups_are_ranked_unless_somebody_declared_their_order(made):
    def order(**changes):
        shown = made.tables(results.build(made.facts(FOUR, **changes)))["results.table"]
        return [row[0] for row in made.grid(shown)]

    assert order(groups=()) == ["b", "d", "c", "a"]
    declared = tuple(GroupPlan(name=name) for name in "abcd")
    stated = {"groups.a.seeds": "study.toml"}
    assert order(groups=declared, stated=stated) == ["a", "b", "c", "d"]


def test_a_sweep_is_ranked_with_its_settings_as_columns(made):
    runs = []
    for place in range(12):
        lr, batch = 10.0 ** -(2 + place % 3), 8 * (1 + place // 3)
        tops = [60.0, 70.0 + place]
        run = made.run(f"run_{place}", None, made.series("validation", tops),
                       made.series("test", tops))  # fmt: skip
        config = {"lr": lr, "batch_size": batch, "seed": place, "output_dir": f"out/{place}"}
        runs.append(replace(run, config=config | {"optimizer": "adam"}))
    facts = made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=())
    table = made.tables(results.build(facts))["results.table"]
    assert [made.words(column.title) for column in table.columns] == [
        "lr", "batch_size", "Validation", "Test",
    ]  # fmt: skip
    assert made.grid(table)[0] == ["0.0001", "32", "81", "81"]
    assert [made.words(node.content) for node in result_names(facts)] == [
        "lr 0.0001, batch_size 32", "lr 0.01, batch_size 8",
    ]  # fmt: skip
    assert [row[-1] for row in made.grid(table)] == [str(value) for value in range(81, 69, -1)]


# --- what may not be compared ---------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "heads"),
    [
        ([f"net{'ab'[i % 2]}_lr{i // 2}e-3" for i in range(2, 9)], ["Run", "lr", "Test"]),
        ([f"bc{'ab'[i % 2]}_n-step_{i // 2}00" for i in range(2, 9)], ["Run", "n-step", "Test"]),
        ([f"logs/PPO_{i}" for i in range(1, 8)], ["Run", "Test"]),
        ([f"run_q5_{name}" for name in "abcd"] + ["x", "y", "z"], ["Run", "Test"]),
        ([f"P{i}_{name}" for i, name in enumerate("abcdefg", 1)], ["Run", "Test"]),
        ([f"run_2025082{i}_18" for i in range(7)], ["Run", "Test"]),
        (["a_wd1e_4", "b_wd1e_4", *(f"{name}_wd1e_5" for name in "cdefg")], ["Run", "wd", "Test"]),
    ],
)
def test_numbers_in_names_are_settings_where_they_vary_and_do_not_count_folders(made, names, heads):
    facts = made.facts({(n, None): ([60.0], [70.0 + i]) for i, n in enumerate(names)}, groups=())
    table = made.tables(results.build(replace(facts, comparisons=())))["results.table"]
    assert [made.words(column.title) for column in table.columns if column.title] == [
        *heads[:-1], "Validation", heads[-1]
    ]  # fmt: skip


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
    assert made.words(report.glance[0].text) == (
        "Test accuracy: 80.63 ± 0.68% for pretrained, 73.63 ± 0.46% for random"
    )
    assert made.words(report.glance[1].where) == "<results>"
    assert made.words(report.glance[2].text) == "no evidence"
    titles = {section.id: section.title for section in report.sections}
    assert titles["results"] == "Task 3 and Task 4: pretrained against random"


def test_a_topic_that_there_cannot_be_is_refused_with_its_line(made):
    facts = made.facts(questions=(QuestionPlan(id="Q", answers=("comparisons",), line=7),))
    with pytest.raises(StudyError, match=":7: no topic is called 'comparisons'"):
        composed(facts)


def test_a_pause_is_no_time_that_a_run_took(made):
    def told(*times):
        part = replace(made.series("test", [50.0] * len(times)), wall_times=np.array(times, float))
        runs = Runs(root="logs", runs=(made.run("a", None, part),))
        return made.prose(setup.build(made.facts(runs=runs, groups=())))

    assert "The log spans 80 seconds." in told(0, 20, 40, 60, 80)
    assert "The log spans 60 seconds." in told(0, 20, 40, 900_000, 900_020)
    assert "The log spans 90 seconds." in told(0, 70, 80, 90)


@pytest.mark.parametrize(("value", "told"), [("val/acc", True), ("train/acc", False)])
def test_of_rival_tags_those_are_told_that_were_read(made, value, told):
    (run,) = one_run(made).runs
    scalars = {
        key: replace(one, tag="val/acc") if one.split == "validation" else one
        for key, one in run.scalars.items()
    }
    facts = made.facts(runs=Runs(root="", runs=(replace(run, scalars=scalars),)), groups=())
    decision = Decision(
        key="metric.tags", value=value, reason="", alternatives=("other/acc",), asks=True
    )
    facts = replace(facts, study=replace(facts.study, decisions=(decision,)))
    text = made.prose(setup.build(facts))
    assert (f"It was logged under two names, with unlike values; we take {value}." in text) is told
