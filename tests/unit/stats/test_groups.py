"""Groups of a study: declared, found, missing, doubled."""

from __future__ import annotations

from reportgen.records.quantity import Missing
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan
from reportgen.stats import summarise_groups


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
