"""Prices by the logs' own clock."""

from dataclasses import replace

import numpy as np
import pytest
from fakes.made_runs import run, series, study
from fakes.rows import rows_beside
from fakes.sample_lab import NOTHING, harm
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.errors import UsageError
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan
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


@pytest.mark.parametrize("row", rows_beside(__file__)["prices"], ids=lambda row: row["it"])
def test_the_price_of_a_cell(copy, row):
    harm(copy, row)
    cells = priced(*copy.load(), **row.get("host", {}))
    costs = {f"{group}/{seed}": cell.cost for (group, seed), cell in cells.items() if cell.cost}
    assert costs.keys() == row["costs"].keys()
    for name, wanted in row["costs"].items():
        cost = costs[name]
        assert cost.low <= cost.seconds <= cost.high
        for field in wanted.keys() - {"basis"}:
            assert getattr(cost, field) == pytest.approx(wanted[field]), field
        assert wanted.get("basis", "") in f"^{cost.basis}$"


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
