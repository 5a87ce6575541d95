"""States of cells: real logs that were cut, deleted or re-run, and runs made by hand."""

import json
from dataclasses import replace

import numpy as np
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


def cells_of(runs, plan=None, **known):
    found = plan_cells(plan or study(), runs, **{**NOTHING, **known})
    return {(c.group, c.seed): c for c in found}


def rerun_of(group, seed, key, settings=None):
    return Rerun(
        key=key,
        group=group,
        seed=seed,
        device="CPU",
        date="2024-05-06T07:08:09",
        versions={},
        settings=settings or {},
    )


def with_train(plan, **settings):
    groups = tuple(replace(g, start="base") for g in plan.groups)
    return replace(plan, groups=groups, train=TrainPlan(**settings))


# ---- real logs


@pytest.mark.parametrize("row", ROWS["states"], ids=lambda row: row["it"])
def test_the_state_of_a_cell(copy, row):
    harm(copy, row)
    cells = copy.cells()
    for name, (state, reason, *place) in row["cells"].items():
        group, _, seed = name.partition("/")
        cell = cells[group, int(seed)]
        assert cell.state == state
        assert reason in f"^{cell.reason}$"
        assert not place or cell.place.endswith(place[0])
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


def test_the_furthest_of_its_group_counts_where_no_settings_are_logged():
    table = SIX | {("random", 1): ([50.5, 60.5], [51.5, 62.8])}
    cell = cells_of(runs_of(table))["random", 1]
    assert cell.state == "partial"
    assert cell.reason == "it stops at step 450 of 1125; last evaluation at step 450"


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


def test_found_seeds_that_nobody_declared_are_cells():
    cells = cells_of(runs_of(SIX), study(groups=(GroupPlan(name="random", seeds=(1, 7)),)))
    assert list(cells) == [
        *(("random", seed) for seed in (0, 1, 2, 7)),
        *(("pretrained", seed) for seed in (0, 1, 2)),
    ]
    assert {cell for cell, c in cells.items() if c.state != "done"} == {("random", 7)}


def test_an_evaluation_that_was_not_due_is_not_missed():
    """Evaluated every 500 of 1125 steps."""
    steps = [500, 1000]
    losses = series("train", [1.0, 0.5, 0.4], steps=[500, 1000, 1125], metric="loss", unit="")
    members = [series(s, [50.0, 60.0], steps=steps) for s in ("validation", "test")]
    found = Runs(root="", runs=(run("random", 0, losses, *members),))
    assert cells_of(found)["random", 0].state == "done"


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


SHORT = ([50.0, 54.0, 62.5], [50.0, 55.8, 67.1])


@pytest.mark.parametrize(
    ("ended", "table", "config", "state", "reason"),
    [
        ("finished", SIX, {}, "done", "it reaches its last step, 1125"),
        ("", SIX, {}, "done", "it reaches its last step, 1125"),
        # It failed once all was done: at the step that was planned, or where the others ended.
        ("failed", SIX, {"max_steps": 1125}, "done", "it reaches its last step, 1125"),
        ("failed", SIX, {}, "done", "it reaches its last step, 1125"),
        ("open", SIX, {"max_steps": 1130}, "partial",
         "it stops at step 1125 of 1130; its end was not recorded; last evaluation at step 1125"),
        ("", SIX, {"max_steps": 1130}, "done",
         "it ends at step 1125 of 1130, within one evaluation of the end"),
        ("finished", SIX | {("random", 0): SHORT}, {"max_steps": 1125}, "done",
         "its training ended by itself at step 675 of 1125"),
        ("finished", SIX | {("random", 0): SHORT}, {}, "done",
         "its training ended by itself at step 675 of 1125"),
        ("failed", SIX | {("random", 0): SHORT}, {}, "partial",
         "it stops at step 675 of 1125; its program failed; last evaluation at step 675"),
        # Nothing tells where the end is.
        ("failed", {("random", 0): SHORT}, {}, "partial",
         "it stops at step 675; its program failed; last evaluation at step 675"),
        ("open", {("random", 0): SHORT}, {}, "partial",
         "it stops at step 675; its end was not recorded; last evaluation at step 675"),
        ("", {("random", 0): SHORT}, {}, "done", "it reaches its last step, 675"),
    ],
)  # fmt: skip
def test_a_run_is_done_as_its_program_ended(ended, table, config, state, reason):
    runs = runs_of(table).runs
    told = [replace(r, ended=ended, config=config) if r.id == "random/0" else r for r in runs]
    cell = cells_of(Runs(root="", runs=tuple(told)))["random", 0]
    assert (cell.state, cell.reason) == (state, reason)


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


def test_an_empty_log():
    cells = cells_of(Runs(root="", runs=(run("random", 0),)))
    assert (cells["random", 0].state, cells["random", 0].reason) == (
        "partial",
        "its logs hold no step",
    )


# ---- the run store

HOLE = Runs(root="", runs=runs_of(SIX).runs[:5])
KEYS = {(g, s): f"key-{g}-{s}" for g in ("pretrained", "random") for s in range(3)}
SETTINGS = {cell: {"epochs": "5", "seed": str(cell[1])} for cell in KEYS}
KNOWN = {"keys": KEYS, "settings": SETTINGS}


def with_record(rerun):
    """The runs with all cells there, the last of them by its record a re-run."""
    return Runs(root="", runs=(*HOLE.runs, replace(runs_of(SIX).runs[5], rerun=rerun)))


NOW, THEN = SETTINGS["random", 2], {"epochs": "4", "seed": "2", "dropout": "0.1"}
CURRENT, OLD = rerun_of("random", 2, "key-random-2", NOW), rerun_of("random", 2, "old", THEN)
HALFWAY = runs_of(SIX | {("random", 2): ([50.5], [51.5])})
OTHERS = [rerun_of(*cell, "key-random-2") for cell in (("pretrained", 2), ("scratch", 2))]


@pytest.mark.parametrize(
    ("published", "runs", "state", "place", "reason"),
    [
        ({"random/2": CURRENT}, HOLE, "done", "random/2", "trained on 2024-05-06"),
        ({}, with_record(CURRENT), "done", "random/2", "trained on 2024-05-06"),
        ({"elsewhere/2": CURRENT, "random/2": OLD}, HOLE, "done", "elsewhere/2", "trained on"),
        ({"random/2": CURRENT}, HALFWAY, "done", "random/2", "trained on 2024-05-06"),
        ({"random/2": OLD}, HOLE, "stale", "random/2",
         "trained with other settings: dropout was 0.1 and is not set; epochs was 4 and is 5"),
        ({"random/2": replace(OLD, settings=NOW)}, HOLE, "stale", "random/2",
         "trained by another version of the program, with the same settings"),
        *(({"random/2": other}, HOLE, "stale", "random/2",
           f"a re-run of {other.group}, seed 2, lies at its place, random/2; once that is moved")
          for other in OTHERS),
    ],
)  # fmt: skip
def test_what_was_published_of_a_cell(published, runs, state, place, reason):
    cell = cells_of(runs, published=published, **KNOWN)["random", 2]
    assert (cell.state, cell.rerun, cell.place) == (state, True, place)
    assert cell.reason.startswith(reason)
    assert cell.key == "key-random-2"
    if published.get(place) is OLD:
        assert cell.changed == (("dropout", "0.1", "not set"), ("epochs", "4", "5"))


def test_a_published_run_without_keys_or_beside_complete_logs():
    without_keys = cells_of(HOLE, published={"random/2": OLD})["random", 2]
    assert (without_keys.state, without_keys.rerun) == ("done", True)
    published = {"random/1": rerun_of("random", 1, "old")}
    complete = cells_of(HOLE, published=published, **KNOWN)["random", 1]
    assert (complete.state, complete.rerun) == ("done", False)


def test_failed_and_running():
    key = KEYS["random", 2]
    failed = cells_of(HOLE, failures={key: "out of memory (2024-05-06)"}, **KNOWN)
    assert failed["random", 2].state == "failed"
    assert failed["random", 2].reason == "out of memory (2024-05-06)"
    both = cells_of(HOLE, failures={key: "x"}, running={key: "on lab, process 7"}, **KNOWN)
    assert both["random", 2].state == "running"
    assert both["random", 2].reason == "training on lab, process 7"
    done = KEYS["random", 1]
    assert cells_of(HOLE, running={done: "on lab"}, **KNOWN)["random", 1].state == "done"


def test_a_cell_that_cannot_be_trained_says_so():
    plan = with_train(study())
    cell = cells_of(HOLE, replace(plan, groups=study().groups))["random", 2]
    assert cell.reason.endswith("; [groups.random] has no start to train it from")
    declared = (GroupPlan(name="pretrained", start="base"), GroupPlan(name="random", start="base"))
    table = SIX | {("random", 2): ([50.0], [50.0])}
    cell = cells_of(runs_of(table), replace(plan, groups=declared))["random", 2]
    assert cell.reason.endswith("; its seed is not declared, so it would not be trained")
    assert "start" not in cells_of(HOLE, plan, **KNOWN)["random", 2].reason


# ---- places


def test_the_declared_place_wins():
    plan = GroupPlan(name="random", place="new/r-{seed}/logs")
    assert place_of(plan, runs_of(SIX), 2) == "new/r-2/logs"


@pytest.mark.parametrize("place", ["../{seed}", "/tmp/{seed}", "all", "a/../../{seed}"])  # noqa: S108
def test_a_place_outside_or_for_all_seeds_is_refused(place):
    with pytest.raises(StudyError, match=r"groups\.a\.place"):
        place_of(GroupPlan(name="a", place=place), Runs(root="", runs=()), 2)


def test_a_name_of_a_group_leads_nowhere_else():
    empty = Runs(root="", runs=())
    assert place_of(GroupPlan(name="../../etc"), empty, 2) == "etc/2"
    assert place_of(GroupPlan(name="/abs/x"), empty, 2) == "abs/x/2"


def test_damage_in_the_place_of_a_missing_run():
    problems = (Problem(path="random/2/valid", message="is damaged"),)
    found = replace(HOLE, problems=problems)
    assert cells_of(found)["random", 2].reason == (
        "its logs cannot be used: random/2/valid is damaged"
    )


def test_counting_from_nought_is_no_missing_step():
    """Lightning logs the end of an epoch of 50 updates at step 49."""
    steps = [49, 99]
    members = [series(s, [50.0, 60.0], steps=steps) for s in ("validation", "test")]
    found = replace(run("random", 0, *members), config={"max_epochs": 2})
    cells = cells_of(Runs(root="", runs=(found,)), study(steps_per_epoch=50))
    assert cells["random", 0].state == "done"
    assert np.all(members[0].steps < 100)
