"""Files of one folder: which belong together, and what replaces what."""

import itertools

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


def test_an_evaluation_after_training_replaces_nothing(piece):
    first = piece("a", {"loss": {10: 0.5, 20: 0.7}}, split="validation")
    again = piece("b", {"loss": {20: 0.5}}, split="validation", start=2000)
    (one,) = put_together([first, again])
    assert [v for _, v in values(one)] == pytest.approx([0.5, 0.7])
    assert "evaluated again after training: 0.5 beside 0.7" in one.problems[0].message


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


def test_a_log_without_a_clock_that_agrees_with_none_is_a_run_of_its_own(piece):
    first = piece("a", {"loss": {1: 1.0}})
    state = piece("s", {"loss": {1: 9.0}}, start=None)
    assert len(put_together([first, state])) == 2


def test_the_order_of_the_files_changes_nothing(piece):
    pieces = [
        piece("a", {"loss": dict.fromkeys(range(10), 1.0)}),
        piece("b", {"loss": dict.fromkeys(range(6, 9), 2.0)}, start=2000),
        piece("c", {"loss": dict.fromkeys(range(9, 12), 3.0)}, start=3000),
        piece("d", {"other": {1: 1.0}}, start=1500),
    ]
    found = [[values(a) for a in put_together(order)] for order in itertools.permutations(pieces)]
    assert all(f == found[0] for f in found)


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
