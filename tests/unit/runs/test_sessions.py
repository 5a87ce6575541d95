"""Files of one folder: which belong together, and what replaces what."""

import numpy as np
import pytest

from reportgen.records.run import Series
from reportgen.runs.series import join, overlay
from reportgen.runs.sessions import piece_of, put_together


@pytest.fixture
def piece(log):
    def make(name, tags, *, split="", metric="loss", start=1000.0, folder="", **fields):
        one = log(f"run/events.out.tfevents.1.{name}", tags, start=start, **fields)
        labelled = {
            tag: Series(tag=tag, metric=metric, split=split, steps=s.steps, values=s.values,
                        wall_times=s.wall_times, path=s.path)
            for tag, s in one.series.items()
        }  # fmt: skip
        return piece_of(one, folder, labelled)

    return make


def values(attempt, tag="loss"):
    return list(attempt.series[tag].points())


def test_a_log_without_a_clock_goes_to_the_run_it_repeats(piece):
    first = piece("a", {"loss": {1: 1.0, 2: 2.0}})
    second = piece("b", {"loss": {1: 5.0, 2: 6.0}}, start=2000)
    state = piece("s", {"loss": {1: 1.0, 2: 2.0}, "f1": {2: 0.5}}, start=None, single=False)
    one, two = put_together([state, second, first])
    assert "f1" in one.series
    assert "f1" not in two.series
    assert one.series["loss"].values.dtype == np.float64
    assert one.series["loss"].wall_times.tolist() == [1001.0, 1002.0]


def test_a_log_without_a_clock_repeats_a_run_but_for_a_value_in_twenty(piece):
    curve = {step: 1.0 + step / 7 for step in range(20)}
    first = piece("a", {"loss": curve, "anchors": {**curve, 0: 38.0}})
    table = piece("s", {"loss": curve, "anchors": {**curve, 0: 32.5}}, start=None, single=False)
    other = piece("t", {"loss": {**curve, 0: 4.0, 1: 5.0}}, start=None, single=False)
    assert len(put_together([first, table])) == 1
    assert len(put_together([first, other])) == 2


def series(points, dtype, clock=0.0):
    steps = np.array(sorted(points))
    return Series(tag="a", steps=steps, values=np.array([points[s] for s in sorted(points)], dtype),
                  wall_times=np.full(len(steps), clock))  # fmt: skip


def test_a_column_that_gets_wider_keeps_its_decimals():
    joined = join(series({1: 0.799}, "f4"), series({2: 1 / 3}, "f8"))
    assert joined.values.tolist() == [0.799, 1 / 3]


def test_overlay_takes_values_from_one_and_clocks_from_the_other():
    found = overlay(
        series({1: 0.9135802}, "f4", clock=7.0), series({1: 0.9135802469}, "f8", np.nan)
    )
    assert found.values.tolist() == [0.9135802469]
    assert found.wall_times.tolist() == [7.0]
