"""Each run's own clock: which epochs are finished at which of its steps, and how it is known."""

import numpy as np
import pytest
from fakes.rows import rows_beside

from reportgen.records.run import Series
from reportgen.runs.series import clock_of, on_steps, shared_steps_per_epoch

ROWS = rows_beside(__file__)


def series(tag, points, metric, split="", **fields):
    return Series(tag=tag, metric=metric, split=split, steps=np.array(list(points)),
                  values=np.array(list(points.values()), dtype=float),
                  wall_times=np.zeros(len(points)), **fields)  # fmt: skip


def epochs(points):
    return series("train/epoch", points, "epoch")


def loss(*steps, split="validation"):
    return series(f"{split}/loss", dict.fromkeys(steps, 1.0), "loss", split)


def clock(*scalars, **config):
    return clock_of({one.tag: one for one in scalars}, config)


def told(found):
    return dict(zip(found.steps.tolist(), found.epochs.tolist(), strict=True))


@pytest.mark.parametrize(("logged", "count", "finished"), ROWS["from_a_logged_epoch"])
def test_from_a_logged_epoch(logged, count, finished):
    found = clock(epochs(logged))
    assert found.steps_per_epoch == count
    assert finished is None or told(found) == finished


def test_an_epoch_that_goes_on_at_the_end_is_not_finished():
    found = clock(epochs({50: 1.0, 100: 1.0, 150: 2.0, 170: 2.0, 190: 3.0}), loss(100, 170))
    assert told(found) == {100: 1, 170: 2}


def test_a_streamed_set_has_no_epochs_even_if_it_validates_evenly():
    counter = epochs({100: 0.01, 1000: 1.01, 15000: 18.03})
    assert clock(counter, loss(1000, 2000, 3000)).steps_per_epoch == 0


@pytest.mark.parametrize(
    ("steps", "asked", "count"),
    [((225, 450, 675), 3, 225), ((781, 1563, 2345), 3, 782), ((225,), 1, 225),
     ((225, 450, 675), 5, 0), ((100, 225, 450), 3, 0), ((1, 2, 3), 3, 0), ((0, 5, 10), 3, 0)],
)  # fmt: skip
def test_one_validation_for_each_epoch_asked_for(steps, asked, count):
    found = clock(loss(*steps), max_epoch=asked)
    assert (found.steps_per_epoch if found else 0) == count
    assert found is None or list(told(found)) == list(steps)


def test_even_validations_alone_are_no_epochs():
    assert clock(loss(500, 1000, 1500)) is None
    assert clock(loss(500, 1000, 1500, split="train")) is None


def test_from_the_number_of_epochs_asked_for():
    found = clock(loss(225, 450, 675, 900, 1125, split="train"), max_epoch=5)
    assert (found.steps_per_epoch, found.source) == (225, "5 epochs end at step 1125")


def test_keras_counts_in_epochs():
    found = clock_of({"a": series("epoch_loss", {0: 1.0, 1: 0.5}, "loss")}, {}, in_epochs=True)
    assert (found.unit, found.steps_per_epoch, told(found)) == ("epoch", 1, {0: 1, 1: 2})


@pytest.mark.parametrize(
    ("counts", "shared", "reason"), ROWS["nothing_is_carried_from_one_run_to_another"]
)
def test_nothing_is_carried_from_one_run_to_another(counts, shared, reason):
    clocks = [None if n is None else clock(epochs({n: 1.0, 2 * n: 2.0})) for n in counts]
    told_of = shared_steps_per_epoch(clocks)
    assert told_of == (shared, reason.replace("is 1 at step 225", "is 2 at step 450"))


def test_a_counter_that_fits_nothing_is_not_called_absent():
    odd = clock(epochs({100: 1.0, 150: 2.0, 900: 3.0}))
    assert shared_steps_per_epoch([odd]) == (0, "the epochs that are logged fit no number of steps")


def test_validations_that_count_epochs_stand_at_the_steps_where_these_end():
    val = series("mAP", {1: 0.3, 2: 0.4, 3: 0.5}, "map", "validation", clock="epoch")
    counter = epochs({50: 1.0, 100: 1.0, 150: 2.0, 200: 2.0})
    moved = on_steps({"train/epoch": counter, "mAP": val})["mAP"]
    assert list(moved.points()) == [(100, 0.3), (200, 0.4)]
    alone = on_steps({"mAP": val})["mAP"]
    assert alone.steps.tolist() == [1, 2, 3]
