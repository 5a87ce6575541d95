from dataclasses import replace

import numpy as np
import pytest

from reportgen.records.run import Run, Series
from reportgen.runs._epochs import choose_steps_per_epoch, steps_per_epoch


def series(tag, points, metric, split=""):
    return Series(tag=tag, metric=metric, split=split, steps=np.array(list(points)),
                  values=np.array(list(points.values()), dtype=float),
                  wall_times=np.zeros(len(points)))  # fmt: skip


def run(*scalars, **fields):
    return Run(id="r", group="g", seed=0, layout="x", scalars={s.tag: s for s in scalars}, **fields)


def loss(*steps, split="validation"):
    return series(f"{split}/loss", dict.fromkeys(steps, 1.0), "loss", split)


@pytest.mark.parametrize(
    ("epochs", "count"),
    [
        ({225: 1.0, 450: 2.0}, 225),
        ({10: 0.05, 200: 0.95, 630: 3.0}, 210),
        ({25: 0.19, 1000: 7.63, 5000: 38.17}, 131),
        ({500: 0.34, 1000: 0.69, 14550: 10.0}, 1455),
        ({100: 0.01, 200: 0.01, 1000: 1.01, 15000: 18.03}, 0),
        ({781: 0.0, 1563: 1.0, 2345: 2.0}, 782),
        ({781: 0.0, 1563: 1.0, 2345: 2.0, 2346: 3.0}, 782),
        ({781: 0.0, 1563: 1.0, 2400: 2.0}, 0),
        ({225: 0.0, 450: 1.0, 675: 2.0}, 225),
        ({0: 0.0, 225: 1.0, 450: 2.0}, 225),
        ({1: 0.0, 2: 1.0, 3: 2.0}, 0),
    ],
)
def test_from_a_logged_epoch(epochs, count):
    assert steps_per_epoch(run(series("train/epoch", epochs, "epoch")))[0] == count


def test_a_streamed_set_has_no_epochs_even_if_it_validates_evenly():
    counter = series("train/epoch", {100: 0.01, 1000: 1.01, 15000: 18.03}, "epoch")
    assert steps_per_epoch(run(counter, loss(1000, 2000, 3000))) == (0, "")


@pytest.mark.parametrize(
    ("steps", "asked", "count"),
    [((225, 450, 675), 3, 225), ((781, 1563, 2345), 3, 782), ((225,), 1, 225),
     ((225, 450, 675), 5, 0), ((100, 225, 450), 3, 0), ((1, 2, 3), 3, 0), ((0, 5, 10), 3, 0)],
)  # fmt: skip
def test_one_validation_for_each_epoch_asked_for(steps, asked, count):
    found, reason = steps_per_epoch(run(loss(*steps), config={"max_epoch": asked}))
    assert found == count
    assert bool(reason) == bool(count)


def test_even_validations_alone_are_no_epochs():
    assert steps_per_epoch(run(loss(500, 1000, 1500))) == (0, "")
    assert steps_per_epoch(run(loss(500, 1000, 1500, split="train"))) == (0, "")


def test_the_epochs_of_one_layout_say_nothing_of_another():
    silent, known = run(loss(10, 20)), run(series("train/epoch", {7: 1.0}, "epoch"))
    other = replace(known, layout="y")
    assert choose_steps_per_epoch([silent, other], "x")[0] == 0
    count, decision = choose_steps_per_epoch([silent, other], "y")
    assert (count, decision.value, decision.alternatives) == (0, "", ("7",))
    assert decision.reason == "x shows no epochs; in y, train/epoch is 1 at step 7"
    assert choose_steps_per_epoch([known, other], "y")[0] == 7


def test_runs_that_disagree_are_a_question():
    runs = [run(series("train/epoch", {n: 1.0}, "epoch")) for n in (225, 225, 450)]
    count, decision = choose_steps_per_epoch(runs, "x")
    assert (count, decision.value, decision.alternatives) == (225, "225", ("450",))
    assert decision.asks
    assert "runs differ: 225 in 2, 450 in 1 of 3 runs" in decision.reason


def counting(*counts):
    """Return runs with so many steps an epoch, logged at a step of each run's own."""
    return [
        run(series("train/epoch", {count * (n + 1): n + 1.0}, "epoch"))
        for n, count in enumerate(counts)
    ]


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((225, 450), "; a tie of 225 and 450, of which the smaller is taken: train/epoch is 1 at"),
        ((9, 225, 9, 225, 300), "; a tie of 9 and 225, of which the smaller is taken: "),
        ((3, 2, 4), "; a tie of 3 numbers, of which the smallest is taken: train/epoch is 2 at"),
    ],
)
def test_a_tie_of_runs_that_differ_is_called_one(counts, told):
    count, decision = choose_steps_per_epoch(counting(*counts), "x")
    assert count == min(counts)
    assert told in decision.reason
    assert decision.asks


def test_most_runs_decide_wherever_each_logged_its_epoch():
    found = [*counting(450, 450, 450), *counting(225, 225)[:1] * 2]
    count, decision = choose_steps_per_epoch(found, "x")
    assert count == 450
    assert "450 in 3, 225 in 2 of 5 runs; where most agree, train/epoch is 1 at step 450" in (
        decision.reason
    )


def test_a_counter_that_fits_nothing_is_not_called_absent():
    odd = run(series("train/epoch", {100: 1.0, 150: 2.0, 900: 3.0}, "epoch"))
    count, decision = choose_steps_per_epoch([odd], "x")
    assert (count, decision.reason) == (0, "the epochs that are logged fit no number of steps")


def test_no_epoch_is_an_empty_value():
    count, decision = choose_steps_per_epoch([run(loss(500, 1000, 1500))], "x")
    assert (count, decision.value) == (0, "")
    assert decision.reason == "no epoch is logged beside the steps"


def test_from_the_number_of_epochs_asked_for():
    one = run(loss(225, 450, 675, 900, 1125, split="train"), config={"max_epoch": 5})
    assert steps_per_epoch(one) == (225, "5 epochs end at step 1125")


def test_keras_counts_in_epochs():
    assert steps_per_epoch(run(series("epoch_loss", {0: 1.0, 1: 0.5}, "loss")))[0] == 1
