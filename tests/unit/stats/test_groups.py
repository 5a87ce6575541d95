"""Groups of a study: declared, found, missing, doubled."""

import numpy as np

from reportgen.records.study import MetricPlan
from reportgen.stats import summarise_epochs

# --- epoch by epoch -----------------------------------------------------------------------

METRIC = MetricPlan(name="accuracy", direction="higher")


def rows_of(made, runs, steps_per_epoch=225):
    return summarise_epochs(runs, METRIC, study=made.study(steps_per_epoch=steps_per_epoch))


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
