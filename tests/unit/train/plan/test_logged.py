"""What logs say against `[train]`: only where it is clearly the same setting."""

import pytest
from fakes.made_runs import run
from fakes.rows import rows_beside

from reportgen.records.run import Run
from reportgen.records.study import TrainPlan
from reportgen.train.plan.steps import contradictions, logged_device, number_of, planned_steps

ROWS = rows_beside(__file__)

PLAN = TrainPlan(batch_size=32, epochs=5, learning_rate=1e-5, warmup=0.06)


def notes(config, *, steps=0, examples=0, plan=PLAN):
    found = Run(id="a", group="a", seed=0, layout="", scalars={}, config=config)
    return contradictions(found, plan, steps_per_epoch=steps, examples=examples)


@pytest.mark.parametrize("config", ROWS["nothing_is_said_without_need"])
def test_nothing_is_said_without_need(config):
    assert notes(config) == ()


@pytest.mark.parametrize(("config", "expected"), ROWS["what_differs_is_said"])
def test_what_differs_is_said(config, expected):
    assert notes(config) == (expected,)


def test_the_steps_of_an_epoch_tell_a_batch_that_was_shared():
    config = {"per_device_train_batch_size": 8}
    assert notes(config, steps=57, examples=1800) == ()  # 4 x 8 a step
    assert notes(config, steps=225, examples=1800) == ("logged batch size 8, [train] says 32",)
    assert notes(config, steps=113, examples=1800) == ()  # two devices: not what the log names


def test_warm_up_in_steps_is_held_against_a_known_length():
    config = {"max_epoch": 5, "warmup_updates": 67}
    assert notes(config, steps=225) == ()
    assert notes({**config, "warmup_updates": 187}, steps=225) == (
        "logged warm-up of 187 of 1125 steps, [train] says 0.06 of them",
    )


def test_a_schedule_that_ends_later():
    config = {"max_epoch": 5, "lr_scheduler": "polynomial_decay", "total_num_update": 3125}
    expected = "logged rate falls to 0 at step 3125, that of [train] at its last"
    assert notes(config, steps=225) == (expected,)
    assert notes({**config, "total_num_update": 1125}, steps=225) == ()
    constant = TrainPlan(batch_size=32, epochs=5, schedule="constant")
    assert notes(config, steps=225, plan=constant) == ()


@pytest.mark.parametrize(("config", "expected"), ROWS["what_a_run_was_started_for"])
def test_what_a_run_was_started_for(config, expected):
    found = Run(id="a", group="a", seed=0, layout="", scalars={}, config=config)
    assert planned_steps(found, 225) == expected


def test_numbers_of_strangers():
    for value in ("[" * 30, "1" * 30, "nan", "-inf", [[1]], {}, "1e999", float("nan")):
        assert number_of({"lr": value}, ("lr",)) is None


def test_devices(copy):
    _, runs = copy.load()
    devices = {found.group: logged_device(found) for found in runs}
    assert devices == {"pretrained": "cuda", "random": "cuda", "huggingface": "cpu"}
    assert logged_device(run("a", 0)) == ""
