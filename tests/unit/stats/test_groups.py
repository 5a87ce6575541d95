"""Groups of a study: declared, found, missing, doubled."""

import numpy as np
import pytest

from reportgen.records.quantity import Missing
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, MetricPlan
from reportgen.stats import summarise_epochs, summarise_groups


def test_the_six_runs(made):
    groups = made.facts().groups
    assert [g.name for g in groups] == ["pretrained", "random"]
    assert [round(100 * g.report.mean.value, 2) for g in groups] == [80.63, 73.63]
    assert [round(100 * g.report.std.value, 2) for g in groups] == [0.68, 0.46]
    assert [round(100 * g.last.mean.value, 2) for g in groups] == [80.73, 73.63]
    assert [round(100 * g.oracle.mean.value, 2) for g in groups] == [80.97, 73.63]
    assert [round(100 * g.select.mean.value, 2) for g in groups] == [84.67, 69.33]
    assert {(g.unit, g.report_split, g.layout) for g in groups} == {("percent", "test", "fairseq")}


def test_declared_groups_come_first_and_found_ones_follow(made):
    runs = made.runs_of({(name, 0): ([1.0], [1.0]) for name in ("a", "b", "c")})
    study = made.study(groups=(GroupPlan(name="c"), GroupPlan(name="b")))
    assert [g.name for g in summarise_groups(study, runs)] == ["c", "b", "a"]


def test_a_missing_seed_is_a_cell_that_says_so(made):
    table = {k: v for k, v in made.SIX.items() if k != ("random", 1)}
    group = made.facts(table).groups[1]
    assert [c.seed for c in group.cells] == [0, 1, 2]
    assert group.cells[1].run is None
    assert group.cells[1].report_value == Missing(reason="no logs found for random, seed 1")
    assert (group.report.n, group.report.values) == (2, (0.739, 0.731))


def test_a_declared_group_without_any_run_is_shown(made):
    table = {k: v for k, v in made.SIX.items() if k[0] == "pretrained"}
    group = made.facts(table).groups[1]
    assert (len(group.cells), group.report.n, group.epochs) == (3, 0, ())
    assert group.report_split == "test"
    bare = made.facts(table, groups=(GroupPlan(name="random"),)).groups[0]
    assert (bare.name, bare.cells) == ("random", ())


def test_a_pattern_on_the_path_takes_runs_into_a_group(made):
    runs = made.runs_of({("books_pre", 0): ([1.0], [2.0]), ("books_rnd", 0): ([1.0], [3.0])})
    plans = (GroupPlan(name="random", match="*_rnd/*", label="Random start"),)
    groups = summarise_groups(made.study(groups=plans), runs)
    assert [(g.name, g.label) for g in groups] == [
        ("random", "Random start"),
        ("books_pre", "books_pre"),
    ]
    assert groups[0].report.values == (0.03,)


def test_a_group_without_the_reporting_split_falls_back_and_says_so(made):
    runs = Runs(root="", runs=(made.run("hf", 0, made.series("validation", [70.0, 80.0])),))
    (group,) = summarise_groups(made.study(groups=()), runs)
    assert (group.report_split, group.report.values) == ("validation", (0.8,))


def test_runs_that_share_a_seed_are_cells_of_their_own(made):
    members = tuple(
        made.run("g", 42, made.series("validation", [v]), made.series("test", [v]), name=f"g/{v}")
        for v in (70.0, 80.0)
    )
    (group,) = summarise_groups(made.study(groups=()), Runs(root="", runs=members))
    assert [c.run.id for c in group.cells] == ["g/70.0", "g/80.0"]
    assert group.report.n == 2


def test_cells_are_in_order_of_seed_with_unknown_ones_last(made):
    members = tuple(
        made.run("g", seed, made.series("validation", [1.0]), name=f"g/{seed}")
        for seed in (None, 10, 2)
    )
    (group,) = summarise_groups(made.study(groups=()), Runs(root="", runs=members))
    assert [c.seed for c in group.cells] == [2, 10, None]


def test_runs_without_a_seed_stand_in_the_order_in_which_people_count(made):
    names = ("version_1", "version_10", "version_2")
    runs = (made.run("g", None, made.series("test", [0.5]), name=name) for name in names)
    (group,) = summarise_groups(made.study(groups=()), Runs(root="", runs=tuple(runs)))
    assert [c.run.id for c in group.cells] == ["version_1", "version_2", "version_10"]


# --- epoch by epoch -----------------------------------------------------------------------

METRIC = MetricPlan(name="accuracy", direction="higher")


def rows_of(made, runs, steps_per_epoch=225):
    return summarise_epochs(runs, METRIC, study=made.study(steps_per_epoch=steps_per_epoch))


def test_the_six_runs_epoch_by_epoch(made):
    runs = [r for r in made.runs_of(made.SIX) if r.group == "pretrained"]
    rows = rows_of(made, runs)
    assert [(r.epoch, r.step) for r in rows] == [(float(i), 225 * i) for i in range(1, 6)]
    assert rows[0].splits.keys() == {"validation", "test"}
    test = [round(100 * r.splits["test"].mean.value, 2) for r in rows]
    assert test == [64.13, 73.43, 79.6, 80.17, 80.73]
    assert round(100 * rows[4].splits["test"].std.value, 2) == 0.58


def test_training_is_read_at_the_evaluations(made):
    run = made.run(
        "g",
        0,
        made.series("validation", [1.0, 2.0]),
        made.series("train", [5.0, 6.0, 7.0], steps=[100, 225, 300]),
    )
    rows = rows_of(made, [run])
    assert [r.step for r in rows] == [225, 450]
    assert rows[0].splits["train"].mean.value == 0.06
    assert rows[1].splits["train"].n == 0


def test_evaluations_between_epoch_ends_are_left_out_if_most_close_one(made):
    run = made.run("g", 0, made.series("validation", [1.0, 2.0, 3.0], steps=[225, 400, 450]))
    assert [r.epoch for r in rows_of(made, [run])] == [1.0, 2.0]


def test_evaluations_every_so_many_steps_are_all_kept(made):
    run = made.run("g", 0, made.series("validation", [1.0, 2.0, 3.0], steps=[90, 150, 225]))
    assert [r.epoch for r in rows_of(made, [run])] == [0.4, pytest.approx(2 / 3), 1.0]


def test_a_value_at_every_update_makes_no_table(made):
    run = made.run("g", 0, made.series("validation", np.arange(501.0), steps=range(501)))
    assert rows_of(made, [run], 0) == ()
    assert len(rows_of(made, [run], 100)) == 5


def timed(made, seed, pace, values, steps=None):
    """A run with its own clock: so many steps an epoch."""
    steps = [pace * (i + 1) for i in range(len(values))] if steps is None else steps
    run = made.run("g", seed, made.series("validation", values, steps=steps))
    return made.clocked(run, pace)


def test_epochs_are_aligned_by_the_clock_of_each_run(made):
    runs = [timed(made, 0, 100, [50.0, 60.0]), timed(made, 1, 40, [52.0, 64.0, 70.0])]
    rows = rows_of(made, runs, 0)
    assert [(r.epoch, r.splits["validation"].n) for r in rows] == [(1.0, 2), (2.0, 2), (3.0, 1)]
    assert [r.splits["validation"].mean.value for r in rows] == [0.51, 0.62, 0.7]
    assert [[row.step_of(run) for run in runs] for row in rows[:2]] == [[100, 40], [200, 80]]


def test_values_of_one_step_and_two_epochs_are_not_averaged(made):
    runs = [timed(made, 0, 100, [50.0], [100]), timed(made, 1, 50, [60.0], [100])]
    rows = rows_of(made, runs, 0)
    assert [(r.epoch, r.splits["validation"].values) for r in rows] == [
        (1.0, (0.5,)),
        (2.0, (0.6,)),
    ]


def test_the_clock_of_one_run_holds_for_no_other(made):
    silent = made.run("g", 1, made.series("validation", [60.0], steps=[100]))
    rows = rows_of(made, [timed(made, 0, 100, [50.0]), silent], 0)
    assert [(r.epoch, r.step, r.splits["validation"].n) for r in rows] == [(0.0, 100, 2)]


def test_two_evaluations_of_one_epoch_are_rows_of_their_own(made):
    run = made.run("g", 0, made.series("validation", [1.0, 2.0, 3.0], steps=[49, 99, 100]))
    rows = rows_of(made, [made.clocked(run, 50)], 0)
    assert [(r.epoch, r.step) for r in rows] == [(1.0, 49), (2.0, 99), (2.0, 100)]


def test_thousands_of_epochs_make_no_table(made):
    assert rows_of(made, [timed(made, 0, 1, np.arange(2001.0))], 0) == ()
    assert len(rows_of(made, [timed(made, 0, 1, np.arange(2000.0))], 0)) == 2000
