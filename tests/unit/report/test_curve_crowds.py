"""Figures of many runs: what is drawn stands for all, and small reports stay as they are."""

import statistics
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from reportgen.languages import speaking
from reportgen.records.document import Figure, walk
from reportgen.records.run import Run, Runs, Series
from reportgen.report.curves import build
from reportgen.stats import MAX_PLACES, course_of, divide

POINTS = 7


def made_runs(groups, seeds, *, points=POINTS):
    """Runs whose losses and accuracies are drawn by chance."""
    chance = np.random.default_rng(0)
    found = []
    for group in range(groups):
        for seed in range(seeds):
            logged = {
                "train/loss": ("loss", "train", "", chance.random(points)),
                "eval/accuracy": ("accuracy", "validation", "percent", chance.random(2) * 50),
                "test/accuracy": ("accuracy", "test", "percent", chance.random(2) * 50 + group),
            }
            scalars = {
                tag: Series(
                    tag=tag,
                    metric=metric,
                    split=split,
                    unit=unit,
                    steps=np.arange(1, len(values) + 1),
                    values=values,
                    wall_times=np.zeros(len(values)),
                )
                for tag, (metric, split, unit, values) in logged.items()
            }
            name = f"g{group:03}"
            found.append(
                Run(id=f"{name}/{seed}", group=name, seed=seed, layout="plain", scalars=scalars)
            )
    return Runs(root="logs", runs=tuple(found))


def figures(facts):
    return {b.id: b for b in walk((build(facts),)) if isinstance(b, Figure)}


@pytest.fixture(scope="module")
def many(made):
    runs = made_runs(40, 2)
    return runs, figures(made.facts(runs=runs, groups=()))


def test_the_middle_and_the_range_are_the_quantiles_of_all_runs(many):
    """Outside oracle: the inclusive quantiles of Python's own statistics."""
    runs, drawn = many
    loss = drawn["curves.loss"]
    assert loss.chart.kind == "quantiles"
    (panel,) = loss.chart.panels
    everybody = panel.bands[0]
    assert everybody.label == "all groups (n = 80)"
    for i in range(POINTS):
        values = [float(run.scalars["train/loss"].values[i]) for run in runs]
        cuts = statistics.quantiles(values, n=20, method="inclusive")
        assert everybody.mean[i] == pytest.approx(cuts[9])
        assert everybody.low[i] == pytest.approx(cuts[0])
        assert everybody.high[i] == pytest.approx(cuts[18])


def test_the_ends_are_named_beside_all(made, many):
    _, drawn = many
    (panel,) = drawn["curves.loss"].chart.panels
    assert len(panel.bands) == 1 + 6
    assert not any(band.low for band in panel.bands[1:])
    words = made.words(drawn["curves.loss"].caption)
    assert "80 runs" in words
    assert "three groups with the best and the three with the weakest result" in words
    assert "stretches" not in words


def test_dots_of_more_groups_than_a_page_has_room_for(made, many):
    _, drawn = many
    (panel,) = drawn["curves.best_step"].chart.panels
    assert len(panel.dots) == 5 + 1 + 5
    others = panel.dots[5]
    assert (others.label, len(others.values)) == ("30 other groups", 30)
    means = [dot.mean for dot in panel.dots if dot is not others]
    assert means == sorted(means, reverse=True)
    assert means[4] >= max(others.values)
    assert min(others.values) >= means[5]
    assert "one dot for the mean of each other group" in made.words(
        drawn["curves.best_step"].caption
    )
    assert "30 values from" in drawn["curves.best_step"].alt


def test_groups_of_one_run_each_are_a_crowd_too(made):
    drawn = figures(made.facts(runs=made_runs(61, 1), groups=()))
    assert "curves.raw" not in drawn
    assert "Too many to be drawn one by one" in made.words(drawn["curves.crowd"].caption)


def test_many_runs_of_few_groups_have_a_band_a_group(made):
    drawn = figures(made.facts(runs=made_runs(2, 31), groups=()))
    (panel,) = drawn["curves.loss"].chart.panels
    assert [band.label for band in panel.bands] == ["g000 (n = 31)", "g001 (n = 31)"]
    assert all(band.low for band in panel.bands)


def test_a_dozen_groups_are_drawn_run_by_run(made):
    drawn = figures(made.facts(runs=made_runs(12, 5), groups=()))
    assert drawn["curves.loss"].chart.kind == "curves"
    assert len(drawn["curves.best_step"].chart.panels[0].dots) == 12


def test_long_curves_are_said_to_count_by_stretches(made):
    drawn = figures(made.facts(runs=made_runs(13, 1, points=200), groups=()))
    (panel,) = drawn["curves.loss"].chart.panels
    assert len(panel.bands[0].x) == MAX_PLACES
    words = made.words(drawn["curves.loss"].caption)
    assert "mean in each of 60 equal stretches" in words


def test_gaps_and_short_runs_leave_what_half_of_the_runs_have():
    steps = np.array([1.0, 2.0, 3.0])
    curves = [
        (steps, np.array([1.0, np.nan, 5.0])),
        (steps, np.array([3.0, np.inf, 7.0])),
        (steps[:1], np.array([2.0])),
    ]
    course = course_of(curves, divide(curves))
    assert course.x == (1.0, 3.0)
    assert course.middle == (2.0, 6.0)


def without_results(groups, known):
    """Two runs of each group, of which only some were evaluated on the split that selects."""
    runs = made_runs(groups, 2)
    kept = []
    for run in runs:
        scalars = dict(run.scalars)
        if run.group not in known:
            del scalars["eval/accuracy"]
        kept.append(replace(run, scalars=scalars))
    return Runs(root="logs", runs=tuple(kept))


@pytest.mark.parametrize(
    ("language", "which"),
    [("en", "Drawn are 6 of 31 groups: those with a result"), ("fr", "dessinés 6 groupes sur 31")],
)
def test_many_groups_without_an_order_are_a_few_with_those_that_have_a_result(
    made, language, which
):
    runs = without_results(31, ("g009", "g030"))
    with speaking(language):
        facts = made.facts(runs=runs, groups=())
        bands = figures(facts)["curves.bands"]
        words = made.words(bands.caption)
    assert which in words
    drawn = {band.group for panel in bands.chart.panels for band in panel.bands}
    assert {"g009", "g030"} <= drawn
    assert len(drawn) == 6
    places = sorted(int(name[1:]) for name in drawn - {"g009", "g030"})
    assert min(b - a for a, b in pairwise(places)) >= 31 // 4 - 1


def test_in_french(made):
    with speaking("fr"):
        drawn = figures(made.facts(runs=made_runs(40, 2), groups=()))
        words = made.words(drawn["curves.loss"].caption)
    assert "médiane" in words
    assert "median" not in drawn["curves.loss"].alt
