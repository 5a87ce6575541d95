"""Groups of a study: declared, found, missing, doubled."""

import numpy as np

from reportgen.records.study import MetricPlan
from reportgen.stats import summarise_epochs


def test_the_six_runs(made):
    groups = made.facts().groups
    assert [g.name for g in groups] == ["pretrained", "random"]
    assert [round(100 * g.report.mean.value, 2) for g in groups] == [80.63, 73.63]
    assert [round(100 * g.report.std.value, 2) for g in groups] == [0.68, 0.46]
    assert [round(100 * g.last.mean.value, 2) for g in groups] == [80.73, 73.63]
    assert [round(100 * g.oracle.mean.value, 2) for g in groups] == [80.97, 73.63]
    assert [round(100 * g.select.mean.value, 2) for g in groups] == [84.67, 69.33]
    assert {(g.unit, g.report_split, g.layout) for g in groups} == {("percent", "test", "fairseq")}


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


def test_a_value_at_every_update_makes_no_table(made):
    run = made.run("g", 0, made.series("validation", np.arange(501.0), steps=range(501)))
    assert rows_of(made, [run], 0) == ()
    assert len(rows_of(made, [run], 100)) == 5


def timed(made, seed, pace, values, steps=None):
    """A run with its own clock: so many steps an epoch."""
    steps = [pace * (i + 1) for i in range(len(values))] if steps is None else steps
    run = made.run("g", seed, made.series("validation", values, steps=steps))
    return made.clocked(run, pace)


def test_thousands_of_epochs_make_no_table(made):
    assert rows_of(made, [timed(made, 0, 1, np.arange(2001.0))], 0) == ()
    assert len(rows_of(made, [timed(made, 0, 1, np.arange(2000.0))], 0)) == 2000
