"""States of cells: real logs that were cut, deleted or re-run, and runs made by hand."""

import json
from dataclasses import replace

import pytest
from fakes.made_runs import SIX, run, runs_of, series, study
from fakes.rows import rows_beside
from fakes.sample_lab import NOTHING, RANDOM, TINY, harm

from reportgen.records.errors import StudyError
from reportgen.records.run import Problem, Rerun, Runs
from reportgen.records.study import GridPlan, GroupPlan, MetricPlan, Study, TrainPlan
from reportgen.train.plan import plan_cells
from reportgen.train.plan.grid import place_of

ROWS = rows_beside(__file__)


def cell_of(name):
    group, _, seed = name.partition("/")
    return group, int(seed)


def hold(cells, wanted):
    """Hold cells against their state, a part of the reason, and the end of the place."""
    for name, (state, reason, *place) in wanted.items():
        cell = cells[cell_of(name)]
        assert cell.state == state
        assert reason in f"^{cell.reason}$"
        assert not place or cell.place.endswith(place[0])


def cells_of(runs, plan=None, **known):
    found = plan_cells(plan or study(), runs, **{**NOTHING, **known})
    return {(c.group, c.seed): c for c in found}


# ---- real logs


@pytest.mark.parametrize("row", ROWS["states"], ids=lambda row: row["it"])
def test_the_state_of_a_cell(copy, row):
    harm(copy, row)
    cells = copy.cells()
    hold(cells, row["cells"])
    others = {c.state for c in cells.values() if f"{c.group}/{c.seed}" not in row["cells"]}
    assert (len(cells), others) == (9, {"done"})


def test_a_deleted_run_is_missing_and_goes_where_it_lay(copy, reviews):
    copy.remove(f"{RANDOM}/1")
    copy.remove(f"{TINY}/2")
    reviews.remove("tiny-roberta-lr1e-3-seed1")
    assert {cell.state for cell in reviews.cells().values()} == {"done"}  # no grid is declared
    reviews.declared = replace(reviews.declared, grid=GridPlan(seeds=(0, 1, 2)))
    cells = copy.cells() | reviews.cells()
    missing = {cell: c.place for cell, c in cells.items() if c.state != "done"}
    assert missing == {
        ("random", 1): f"{RANDOM}/1",
        ("huggingface", 2): f"{TINY}/2",
        ("tiny-roberta-lr1e-3", 1): "tiny-roberta-lr1e-3-seed1",
    }
    assert cells["random", 1].state == "missing"
    assert cells["random", 1].reason == "no logs of it were found"


def cut_state(folder, epochs):
    file = folder / "trainer_state.json"
    state = json.loads(file.read_text(encoding="utf-8"))
    state["log_history"] = [entry for entry in state["log_history"] if entry["epoch"] <= epochs]
    file.write_text(json.dumps(state), encoding="utf-8")


def test_a_trainer_killed_after_three_epochs(reviews):
    name = "tiny-roberta-lr1e-3-seed1"
    cut_state(reviews.logs / name, 3)
    reviews.stop(f"{name}/runs", 200)
    cell = reviews.cells()["tiny-roberta-lr1e-3", 1]
    # Result files beside it do not make it complete: they have no steps.
    assert (reviews.logs / name / "all_results.json").is_file()
    assert cell.state == "partial"
    assert cell.reason == "it stops at step 180 of 360; last evaluation at step 180"


def test_a_trainer_that_stopped_early_is_complete(reviews):
    folder = reviews.logs / "tiny-roberta-lr1e-3-seed1"
    state = json.loads((folder / "trainer_state.json").read_text(encoding="utf-8"))
    history = [e for e in state["log_history"] if e["epoch"] <= 3]
    history.append({"epoch": 3.0, "step": 180, "train_runtime": 2.5, "train_loss": 0.4})
    state["log_history"] = history
    (folder / "trainer_state.json").write_text(json.dumps(state), encoding="utf-8")
    reviews.stop(f"{folder.name}/runs", 200)
    cell = reviews.cells()["tiny-roberta-lr1e-3", 1]
    assert (cell.state, cell.reason) == ("done", "its training ended by itself at step 180 of 360")


# ---- runs made by hand


KEYS = {(g, s): f"key-{g}-{s}" for g in ("pretrained", "random") for s in range(3)}
SETTINGS = {cell: {"epochs": "5", "seed": str(cell[1])} for cell in KEYS}


def rerun_of(name, key, settings=None):
    group, seed = cell_of(name)
    date = "2024-05-06T07:08:09"
    known = {"device": "CPU", "date": date, "versions": {}, "settings": settings or {}}
    return Rerun(key=key, group=group, seed=seed, **known)


def runs_in(row):
    """The runs of `steps`, which tells those of each split, and the six, changed as a row says."""
    table = {cell_of(name): values for name, values in row.get("six", {}).items()}
    table = {} if "steps" in row else table if row.get("alone") else SIX | table
    runs = list(runs_of({cell: values for cell, values in table.items() if values}))
    for name, splits in row.get("steps", {}).items():
        curves = (series(split, [50.0] * len(own), steps=own) for split, own in splits.items())
        runs.append(run(*cell_of(name), *curves))
    runs = [replace(r, **row.get("told", {}).get(r.id, {})) for r in runs]
    if "record" in row:
        runs[-1] = replace(runs[-1], rerun=rerun_of(*row["record"]))
    problems = tuple(Problem(path=path, message=m) for path, m in row.get("damaged", {}).items())
    return Runs(root="logs", runs=tuple(runs), problems=problems)


@pytest.mark.parametrize("row", ROWS["made"], ids=lambda row: row["it"])
def test_the_state_of_a_run_made_by_hand(row):
    known = {"keys": KEYS, "settings": SETTINGS} if row.get("keys", True) else {}
    for what in ("failures", "running"):
        known[what] = {KEYS[cell_of(name)]: told for name, told in row.get(what, {}).items()}
    known["published"] = {at: rerun_of(*told) for at, told in row.get("published", {}).items()}
    groups = {"pretrained": {"seeds": [0, 1, 2]}, "random": {"seeds": [0, 1, 2]}}
    groups = [GroupPlan(name=n, **told) for n, told in row.get("groups", groups).items()]
    plan = study(
        groups=tuple(groups),
        steps_per_epoch=row.get("steps_per_epoch", 225),
        train=TrainPlan() if "train" in row else None,
    )
    cells = cells_of(runs_in(row), plan, **known)
    hold(cells, row["cells"])
    assert [cell.group for cell in cells.values() if cell.rerun] == row.get("rerun", [])
    assert [list(one) for cell in cells.values() for one in cell.changed] == row.get("changed", [])
    assert {cell.key for cell in cells.values()} <= {*KEYS.values(), ""}
    order = [f"{group}/{seed}" for group, seed in cells]
    assert order == row.get("order", order)
    states = {c.state for (g, s), c in cells.items() if f"{g}/{s}" not in row["cells"]}
    assert states <= {row.get("others", "done")}


@pytest.mark.parametrize(
    ("end", "split", "state"),
    [(400_252, "test", "done"), (400_794, "validation", "done"), (300_001, "test", "done"),
     (300_000, "test", "partial"), (200_100, "validation", "partial")],
)  # fmt: skip
def test_a_run_that_ends_within_one_evaluation_of_the_others_is_complete(end, split, state):
    steps = ([100_000, 200_000, 300_000, 400_000], [100_000, 200_000, end])
    runs = tuple(run("a", n, series(split, own, steps=own)) for n, own in enumerate(steps))
    plan = Study(metric=MetricPlan(name="accuracy"), groups=(GroupPlan(name="a", seeds=(0, 1)),))
    cells = cells_of(Runs(root="logs", runs=runs), plan)
    assert (cells["a", 0].state, cells["a", 1].state) == ("done", state)


@pytest.mark.parametrize(("losses", "norms", "reason"), ROWS["a_loss_that_is_no_number_to_the_end"])
def test_a_loss_that_is_no_number_to_the_end(losses, norms, reason):
    found = runs_of(SIX).runs
    values = {"loss": losses, **({"grad_norm": norms} if norms else {})}
    more = [
        series("train", own, steps=[225, 450, 1125], metric=metric, unit="")
        for metric, own in values.items()
    ]
    told = replace(found[4], scalars={**found[4].scalars, **{s.tag: s for s in more}})
    cells = cells_of(Runs(root="", runs=(*found[:4], told, found[5])))
    failed = {cell for cell, c in cells.items() if c.state == "failed"}
    assert failed == ({("random", 1)} if reason else set())
    assert cells["random", 1].reason.startswith(reason)


def test_two_runs_of_one_seed_give_one_cell():
    short = runs_of({("random", 0): ([50.0], [50.0])}).runs[0]
    short = replace(short, id="again/0")
    cells = cells_of(Runs(root="", runs=(short, *runs_of(SIX).runs)))
    assert cells["random", 0].state == "done"
    assert cells["random", 0].place == "random/0"
    assert cells["random", 0].reason.endswith("2 runs have this seed, random/0 is taken")


def test_of_two_killed_runs_of_one_seed_the_further_one_counts():
    table = {("random", 0): ([50.0], [50.0]), ("random", 1): ([50.0] * 3, [50.0] * 3)}
    short, long = (replace(found, seed=0) for found in runs_of(table).runs)
    cells = cells_of(Runs(root="", runs=(short, long, *runs_of(SIX).runs[4:])))
    assert (cells["random", 0].state, cells["random", 0].place) == ("partial", "random/1")


# ---- places


@pytest.mark.parametrize("place", ["../{seed}", "/tmp/{seed}", "all", "a/../../{seed}"])  # noqa: S108
def test_a_place_outside_or_for_all_seeds_is_refused(place):
    with pytest.raises(StudyError, match=r"groups\.a\.place"):
        place_of(GroupPlan(name="a", place=place), Runs(root="", runs=()), 2)


def test_a_name_of_a_group_leads_nowhere_else():
    empty = Runs(root="", runs=())
    assert place_of(GroupPlan(name="../../etc"), empty, 2) == "etc/2"
    assert place_of(GroupPlan(name="/abs/x"), empty, 2) == "abs/x/2"
