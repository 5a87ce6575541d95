"""Steps and epochs by the own clock of a run."""

import numpy as np
import pytest
from fakes.rows import rows_beside

from reportgen.records.run import Clock
from reportgen.stats import epoch_of_step, epochs_finished, epochs_of

ROWS = rows_beside(__file__)
UNKNOWN = None


def epochs(made, steps, clock=None, stated=0):
    series = made.series("validation", np.zeros(len(steps)), steps=steps)
    run = made.clocked(made.run("g", 0, series), **clock) if clock else made.run("g", 0, series)
    found = epochs_of(run, series, made.study(steps_per_epoch=stated)).tolist()
    known = [None if np.isnan(one) else one for one in found]
    study = made.study(steps_per_epoch=stated)
    assert [epoch_of_step(run, series, step, study) for step in steps] == known
    return known


@pytest.mark.parametrize(("steps", "clock", "expected"), ROWS["a_run_goes_by_its_own_clock"])
def test_a_run_goes_by_its_own_clock(made, steps, clock, expected):
    assert epochs(made, steps, clock) == expected
    # What a study states holds for runs without a clock.
    assert epochs(made, steps, clock, stated=999) == expected


def test_a_stated_pace_counts_where_a_run_has_no_clock(made):
    assert epochs(made, [225, 300], stated=225) == [1.0, 300 / 225]
    assert epochs(made, [225]) == [UNKNOWN]


def test_an_inferred_pace_is_that_of_other_runs(made):
    series = made.series("validation", [1.0])
    inferred = made.study(steps_per_epoch=225, stated={})
    assert epoch_of_step(made.run("g", 0, series), series, 225, inferred) is None


def test_epochs_of_updates_are_counted_however_steps_begin(made):
    series = made.series("validation", [0.0] * 3, steps=[49, 99, 100])
    assert [epochs_finished(series, step, 50) for step in (49, 99, 100)] == [1.0, 2.0, 2.0]
    assert Clock(steps=series.steps, epochs=series.values, unit="epoch").counts_epochs
