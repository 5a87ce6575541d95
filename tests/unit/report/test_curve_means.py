"""Means of groups: who is drawn, in which colour, and that the caption says the same."""

import statistics
from itertools import combinations

import numpy as np
import pytest

from reportgen.figures._style import band_stroke, group_stroke
from reportgen.languages import speaking
from reportgen.records.document import Figure, walk
from reportgen.records.run import Run, Runs, Series
from reportgen.report._curve_looks import COLOURS, choose_looks
from reportgen.report.curves import build

LONG = 600
"""Evaluations of a group that has too many to have a row for each."""


def run_of(group, seed, steps, values):
    tags = {
        f"eval/{split}": Series(
            tag=f"eval/{split}",
            metric="accuracy",
            split=split,
            unit="",
            steps=np.asarray(steps),
            values=np.asarray(values, dtype=float),
            wall_times=np.zeros(len(values)),
        )
        for split in ("validation",)
    }
    return Run(id=f"{group}/{seed}", group=group, seed=seed, layout="plain", scalars=tags)


def lab(best_runs, groups=19):
    """Runs of groups that end the better the later they stand, and before them the best one."""
    rest = [
        run_of(f"g{index:02}", seed, range(1, 11), np.linspace(0.1, 0.2 + index / 100, 10))
        for index in range(1, groups)
        for seed in range(3)
    ]
    return Runs(root="logs", runs=(*best_runs, *rest))


def bands_of(made, runs):
    facts = made.facts(runs=runs, groups=(), steps_per_epoch=0)
    return {b.id: b for b in walk((build(facts),)) if isinstance(b, Figure)}["curves.bands"]


def drawn(figure):
    return {band.group for panel in figure.chart.panels for band in panel.bands}


def long_runs(seeds, stride=1):
    return [
        run_of(
            "g00",
            seed,
            np.arange(1, LONG + 1) * stride + (seed if stride > 1 else 0),
            np.linspace(0.3, 0.9 + seed / 100, LONG),
        )
        for seed in range(seeds)
    ]


def test_a_group_of_more_evaluations_than_rows_is_drawn_with_the_others(made):
    runs = lab(long_runs(3))
    figure = bands_of(made, runs)
    assert drawn(figure) == {"g00", "g17", "g18", "g01", "g02", "g03"}
    words = made.words(figure.caption)
    assert "Drawn are the three groups with the best and the three with the weakest" in words
    band = next(b for p in figure.chart.panels for b in p.bands if b.group == "g00")
    assert len(band.x) == LONG
    values = [float(run.scalars["eval/validation"].values[-1]) for run in runs.runs[:3]]
    middle = 100 if band.mean[-1] > 1 else 1
    assert band.mean[-1] == pytest.approx(statistics.fmean(values) * middle)
    assert band.high[-1] - band.mean[-1] == pytest.approx(statistics.stdev(values) * middle)
    assert "(n = 3)" in band.label


def test_a_single_long_run_is_a_line_without_a_band(made):
    figure = bands_of(made, lab(long_runs(1)))
    band = next(b for p in figure.chart.panels for b in p.bands if b.group == "g00")
    assert (band.low, band.high) == ((), ())
    assert "n = 1 to 3 in each" in made.words(figure.caption)


@pytest.mark.parametrize(
    ("language", "chosen", "named"),
    [
        ("en", "(drawn: 5)", "No mean at each step can be drawn of g00."),
        ("fr", "(dessinés\u202f: 5)", "Aucune moyenne pas à pas ne peut être dessinée pour g00."),
    ],
)
def test_runs_that_share_no_step_are_named_in_the_caption(made, language, chosen, named):
    with speaking(language):
        figure = bands_of(made, lab(long_runs(3, stride=5)))
        words = made.words(figure.caption)
    assert "g00" not in drawn(figure)
    assert chosen in words
    assert named in words


def test_groups_drawn_without_the_others_differ_in_colour(made):
    # The last groups stand seven places and more behind the first ones.
    figure = bands_of(made, lab([run_of("g00", 0, range(1, 11), np.linspace(0.1, 0.9, 10))]))
    bands = [band for panel in figure.chart.panels for band in panel.bands]
    assert len({band.group_index % COLOURS for band in bands}) < len(bands)
    assert len({band_stroke(band).colour for band in bands}) == len(bands)


@pytest.mark.parametrize("places", [(0, 7, 14, 21), (3, 10, 4, 11, 5, 12, 6), tuple(range(12))])
def test_a_colour_is_shared_only_where_none_is_free(places):
    looks = choose_looks(places)
    strokes = [group_stroke(look) for look in looks.values()]
    assert len({look.colour for look in strokes}) == min(len(places), COLOURS)
    for one, other in combinations(strokes, 2):
        assert (one.dashes, one.marker) != (other.dashes, other.marker)


def test_the_colours_are_as_many_as_there_are():
    assert len({group_stroke(index).colour for index in range(3 * COLOURS)}) == COLOURS
