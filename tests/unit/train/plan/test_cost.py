"""Prices by the logs' own clock."""

from dataclasses import replace

import numpy as np
import pytest
from fakes.made_runs import run, series, study
from fakes.sample_lab import NOTHING, PRETRAINED, RANDOM, TINY
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.errors import UsageError
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, TrainPlan
from reportgen.train.plan import plan_cells, price
from reportgen.train.plan.grid import pace_of

HOST = {"parameters": None, "probe": None, "workers": 1, "device": "cpu"}


def priced(plan, runs, **host):
    cells = plan_cells(plan, runs, **NOTHING)
    return {(c.group, c.seed): c for c in price(cells, plan, runs, **{**HOST, **host})}


def timed(group, seed, times, *, step=100, config=None):
    """A run whose points lie `step` updates apart and bear these times."""
    steps = [step * (i + 1) for i in range(len(times))]
    members = [
        replace(
            series(split, [50.0] * len(times), steps=steps),
            wall_times=np.array(times, dtype=np.float64),
        )
        for split in ("train", "validation", "test")
    ]
    return replace(run(group, seed, *members), config=config or {})


def test_a_deleted_run_costs_what_its_siblings_took(copy):
    copy.remove(f"{RANDOM}/1")
    cell = priced(*copy.load(), parameters=22_807_552)["random", 1]
    # The clock of the logs: 68 s between the ends of the first and the fifth epoch.
    assert cell.cost.seconds == pytest.approx(1125 * 68 / 900)
    assert cell.cost.steps == 1125
    assert cell.cost.low <= cell.cost.seconds <= cell.cost.high
    assert cell.cost.basis == (
        "0.076 s a step, median of 2 runs of this group, logged on cuda, not on cpu, where it "
        "will differ"
    )
    assert cell.cost.disk == 1_000_000 + 22_807_552 * (4 + 2 * 3 * 4 + 4)


def test_logs_of_this_kind_of_device_need_no_warning(copy):
    copy.remove(f"{TINY}/2")
    cell = priced(*copy.load())["huggingface", 2]
    assert ", logged on cpu; the number of parameters is not known" in cell.cost.basis
    assert "will differ" in priced(*copy.load(), device="cuda")["huggingface", 2].cost.basis


def test_only_what_is_to_be_trained_has_a_price(copy):
    copy.remove(f"{RANDOM}/1")
    copy.stop(f"{PRETRAINED}/0", 900)
    cells = priced(*copy.load())
    assert {cell for cell, c in cells.items() if c.cost} == {("random", 1), ("pretrained", 0)}
    # Logs hold no weights to go on from.
    assert cells["pretrained", 0].cost.steps == 1125


def test_what_cannot_be_trained_has_no_price(copy):
    copy.remove(f"{TINY}/2")
    copy.declared = replace(
        copy.declared,
        train=TrainPlan(),
        groups=tuple(
            replace(g, start="" if g.name == "huggingface" else "base")
            for g in copy.declared.groups
        ),
    )
    assert priced(*copy.load())["huggingface", 2].cost is None


def test_a_group_without_logs_takes_the_pace_of_the_others(copy):
    for seed in range(3):
        copy.remove(f"{RANDOM}/{seed}")
        copy.remove(f"{TINY}/{seed}")
    copy.declared = replace(
        copy.declared,
        train=TrainPlan(epochs=3),
        groups=tuple(replace(g, start="base") for g in copy.declared.groups),
    )
    cell = priced(*copy.load())["random", 1]
    assert cell.cost.steps == 675
    assert "median of 3 runs of other groups" in cell.cost.basis


def test_a_step_of_another_program_is_no_clock():
    """It may be an epoch there; and what that program never logs is not lacking."""
    others = [replace(timed("b", seed, [0, 10, 20]), layout="csv") for seed in (0, 1)]
    other = replace(timed("c", 0, [np.nan] * 9), layout="fairseq")
    boxes = series("validation", [0.5] * 3, steps=[1, 2, 3], metric="box_loss", unit="")
    groups = tuple(GroupPlan(name=name, seeds=(0, 1)) for name in "abcd")
    plan = study(groups=groups, steps_per_epoch=0)
    cells = priced(plan, Runs(root="", runs=(*others, other, run("d", 0, boxes))))
    assert cells["d", 0].state == "done"
    lacking = {cell for cell, found in cells.items() if found.state == "missing"}
    assert lacking == {("a", 0), ("a", 1), ("c", 1), ("d", 1)}
    assert not [cell for cell in lacking if cells[cell].cost]


def test_the_batch_of_the_plan_makes_its_steps(copy):
    copy.remove(f"{RANDOM}/1")
    copy.declared = replace(
        copy.declared,
        train=TrainPlan(batch_size=32, epochs=2),
        groups=tuple(replace(g, start="base") for g in copy.declared.groups),
    )
    assert priced(*copy.load())["random", 1].cost.steps == 2 * 57


def test_nothing_tells_a_price():
    plan = study(groups=(GroupPlan(name="a", seeds=(0,)),), steps_per_epoch=0)
    cell = priced(plan, Runs(root="", runs=()))["a", 0]
    assert cell.cost is None
    assert cell.reason.endswith("; no price: nothing tells how many steps it takes")
    plan = replace(plan, steps_per_epoch=10, train=TrainPlan(epochs=3))
    plan = replace(plan, groups=(replace(plan.groups[0], start="base"),))
    cell = priced(plan, Runs(root="", runs=()))["a", 0]
    assert cell.reason.endswith("no log tells how long a step takes, and none was measured")
    probed = priced(plan, Runs(root="", runs=()), probe=0.5)["a", 0]
    assert (probed.cost.seconds, probed.cost.low, probed.cost.high) == (15.0, 15.0, 15.0)
    assert probed.cost.basis.startswith("0.5 s a step, measured by a probe on cpu; no log tells")


def test_a_probe_on_this_device_knows_better_than_logs_of_another(copy):
    copy.remove(f"{RANDOM}/1")
    cell = priced(*copy.load(), probe=1.2)["random", 1]
    assert cell.cost.seconds == pytest.approx(1350)
    assert "the logs tell 0.076 s, logged on cuda, not on cpu" in cell.cost.basis


def test_finished_runs_go_before_killed_ones():
    fast = [timed("a", seed, [0, 10, 20, 30]) for seed in (0, 1)]
    slow = timed("a", 2, [0, 90])
    plan = study(groups=(GroupPlan(name="a", seeds=(0, 1, 2, 3)),), steps_per_epoch=0)
    cells = priced(plan, Runs(root="", runs=(*fast, slow)))
    assert cells["a", 2].state == "partial"
    assert cells["a", 3].cost.seconds == pytest.approx(40)


def test_no_workers():
    with pytest.raises(UsageError, match="0 workers"):
        price((), study(), Runs(root="", runs=()), **{**HOST, "workers": 0})


def test_keep_nothing_needs_less_disk(copy):
    copy.remove(f"{RANDOM}/1")
    starts = tuple(replace(g, start="base") for g in copy.declared.groups)
    sizes = []
    for keep in ("best", "none"):
        copy.declared = replace(copy.declared, train=TrainPlan(keep=keep), groups=starts)
        sizes.append(priced(*copy.load(), parameters=1000)["random", 1].cost.disk)
    assert sizes == [1_032_000, 1_028_000]


# ---- the clock


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        ([0, 10, 20, 30, 40, 50 + 8 * 3600, 60 + 8 * 3600], 0.1),  # a pause is no training
        ([0, 15, 30, 45], 0.15),  # ten seconds of training, five of evaluation, in turn
    ],
)
def test_what_a_step_takes(times, seconds):
    assert pace_of([timed("a", 0, times)], "accuracy").seconds == pytest.approx(seconds)


def test_a_clock_that_stands_still_or_is_not_there_tells_nothing():
    for times in ([7.0] * 5, [np.nan] * 5, [5.0], [50, 40, 30]):
        assert pace_of([timed("a", 0, times)], "accuracy") is None
    assert pace_of([], "accuracy") is None


@pytest.mark.parametrize("tag", ["train/train_runtime", "_runtime", "time/time_elapsed"])
def test_what_a_run_counts_of_its_own_time_stands_in(tag):
    """Some states and tables hold no clock, and a summary one point."""
    whole = replace(series("train", [25.0], steps=[500], metric="", unit=""), tag=tag)
    found = timed("a", 0, [np.nan] * 5)
    found = replace(found, scalars={**found.scalars, whole.tag: whole})
    assert pace_of([found], "accuracy").seconds == pytest.approx(0.05)


@pytest.mark.parametrize(
    "values", [[0.3, 0.2, 0.4], [60.0, 120.0, 30.0], [1.7e9, 1.7e9 + 60, 1.7e9 + 120]],
    ids=["each step", "from the last start", "a date"],
)  # fmt: skip
def test_what_is_called_elapsed_and_is_not_since_training_began_tells_no_time(values):
    clock = series("train", values, steps=[100, 200, 300], metric="", unit="")
    found = timed("a", 0, [np.nan] * 5)
    found = replace(found, scalars={**found.scalars, "wall": replace(clock, tag="wall")})
    assert found.elapsed() is None
    assert pace_of([found], "accuracy") is None


gaps = st.lists(st.floats(1, 9), min_size=2, max_size=12)


@given(table=st.lists(gaps, min_size=2, max_size=6))
def test_quartiles_of_the_runs_hold_the_median(table):
    runs = [timed("a", i, np.cumsum([0.0, *each])) for i, each in enumerate(table)]
    pace = pace_of(runs, "accuracy")
    own = [sum(each) / (100 * len(each)) for each in table]
    assert pace.seconds == pytest.approx(np.median(own), rel=1e-6)
    assert pace.low == pytest.approx(np.quantile(own, 0.25), rel=1e-6)
    assert pace.high == pytest.approx(np.quantile(own, 0.75), rel=1e-6)
    assert pace_of(runs[::-1], "accuracy") == pace
