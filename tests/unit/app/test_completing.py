"""What `rerun` refuses, asks and hands in; what comes of it is in `tests/e2e/test_rerun.py`."""

import pytest
from fakes import grid_study as grid
from fakes.handed_in import HandedIn
from fakes.killed import digests

from reportgen.app import grid as grids
from reportgen.app.completing import PATIENCE_SECONDS, RerunOptions, rerun
from reportgen.app.grid import GridOptions, survey
from reportgen.records.errors import ClusterError, EvidenceError, UsageError
from reportgen.train.executors import base, dask, local

LOST = ("random-seed2", "pretrained-seed0")


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch):
    monkeypatch.setattr(base, "count_cores", lambda: 2)
    monkeypatch.setattr(base, "count_gpus", lambda: 0)


@pytest.fixture
def handed(monkeypatch):
    executor = HandedIn()
    for module in (local, dask):
        monkeypatch.setattr(module, "open_executor", executor.open)
    return executor


@pytest.fixture
def study(tmp_path):
    return grid.copy_grid(tmp_path / "grid", *LOST)


def yes(_plan):
    return True


def never(_plan):
    pytest.fail("it was asked")


def cells_of(jobs):
    return [(m.group, m.seed, m.publish) for job in jobs for m in job.members]


def test_nothing_is_asked_where_nothing_is_missing(tmp_path):
    outcome = rerun(RerunOptions(study=grid.copy_grid(tmp_path / "grid")), confirm=never)
    assert (outcome.started, outcome.exit_code) == (False, 0)


def test_who_is_asked_is_told_the_price_and_no_is_an_answer(study):
    before, asked = digests(study.parent), []
    outcome = rerun(RerunOptions(study=study), confirm=lambda plan: asked.append(plan) or False)
    assert (outcome.started, outcome.exit_code) == (False, 3)
    assert digests(study.parent) == before
    assert asked[0].wall_seconds() > 0


@pytest.mark.parametrize(
    ("pattern", "text", "told"),
    [
        (r"(?s)\[train\].*", "", "does not say how a missing cell is trained"),
        ("(?m)^start = .*", 'start = ""', "does not say what the fine-tunes of pretrained, random"),
        ('(?m)^train = "data.*', 'train = "data/none.csv"', "none.csv, which is not there"),
        ('(?m)^text = "text"', 'text = "words"', "no column called 'words'"),
    ],
)
def test_what_cannot_be_trained_is_told_before_anything_is_asked(pattern, text, told, study):
    grid.change(study, pattern, text)
    with pytest.raises(EvidenceError, match=told) as caught:
        rerun(RerunOptions(study=study), confirm=never)
    assert caught.value.remedy
    assert not (study.parent / "reruns").exists()


@pytest.mark.parametrize("option", ["queue", "=gpu", ""])
def test_an_executor_option_has_a_name_and_a_value(option, study):
    options = RerunOptions(study=study, executor_options=("walltime=1", option))
    with pytest.raises(UsageError, match="is not KEY=VALUE"):
        rerun(options, confirm=never)


@pytest.mark.parametrize("most", [1e-6, float("nan")])
def test_a_plan_that_costs_more_than_allowed_is_refused(study, monkeypatch, most):
    monkeypatch.setattr(base, "count_gpus", lambda: 1)
    options = RerunOptions(study=study, device="cuda", max_gpu_hours=most)
    with pytest.raises(UsageError, match=f"GPU hours, more than --max-gpu-hours {most}") as caught:
        rerun(options, confirm=never)
    assert "--only" in caught.value.remedy


def test_hours_of_a_cpu_are_no_gpu_hours(study):
    asked = []
    options = RerunOptions(study=study, device="cpu", max_gpu_hours=1e-6)
    rerun(options, confirm=lambda plan: asked.append(plan) or False)
    assert asked


@pytest.mark.parametrize(
    ("asked", "measured"),
    [({}, 1), ({"probe": False}, 0), ({"probe": False, "max_gpu_hours": 9}, 1)],
)
def test_a_price_that_no_log_tells_is_measured_for_who_decides_by_it(
    asked, measured, study, monkeypatch
):
    grid.change(study, '(?m)^path = "logs"', 'path = "none yet"')
    calls = []
    monkeypatch.setattr(grids, "measure_steps", lambda found: calls.append(found) or 0.5)
    rerun(RerunOptions(study=study, **asked), confirm=lambda _: False)
    assert len(calls) == measured


def test_a_finished_cell_of_each_group_is_handed_in_first(study, handed):
    outcome = rerun(RerunOptions(study=study), confirm=yes)
    assert cells_of(handed.jobs) == [
        ("pretrained", 1, False),
        ("random", 0, False),
        ("pretrained", 0, True),
        ("random", 2, True),
    ]
    assert [asked["workers"] for asked in handed.opened] == [2]
    assert outcome.started
    assert outcome.exit_code == 3
    reasons = {result.reason for _, result in outcome.results}
    assert reasons == {"its process ended without a result"}


def test_what_is_handed_in_says_what_its_record_shall_say(study, handed):
    rerun(RerunOptions(study=study, only=("random/2",)), confirm=yes)
    (member,) = (m for job in handed.jobs for m in job.members if m.publish)
    assert member.settings["seed"] == "2"
    assert member.settings["epochs"] == "5"


@pytest.mark.parametrize(("executor", "seconds"), [("local", 0.0), ("dask", PATIENCE_SECONDS)])
def test_only_a_cluster_has_patience_with_a_dying_attempt(executor, seconds, study, handed):
    rerun(RerunOptions(study=study, executor=executor), confirm=yes)
    assert {job.patience for job in handed.jobs} == {seconds}


def test_a_record_tells_what_was_repeated_of_its_own_groups(study, handed):
    found = survey(GridOptions(study=study))
    for cell, value in ((("random", 0), 0.51), (("pretrained", 1), 0.96)):
        kept = {"value": value, "reference": 0.5, "drift": value - 0.5, "within": True}
        found.store.note_canary(found.keys[cell], kept)
    rerun(RerunOptions(study=study), confirm=yes)
    notes = {job.members[0].group: job.notes for job in handed.jobs if job.members[0].publish}
    assert notes["random"] == ("random, seed 0, repeated: 0.5100, logged 0.5000, drift +0.0100",)
    assert notes["pretrained"][0].startswith("pretrained, seed 1, repeated: 0.9600")


@pytest.mark.parametrize(("reference", "again"), [(0.7729166666666667, False), (0.5, True)])
def test_a_cell_whose_log_has_changed_is_repeated_again(reference, again, study, handed):
    found = survey(GridOptions(study=study))
    kept = {"value": reference, "reference": reference, "drift": 0.0, "within": True}
    found.store.note_canary(found.keys["random", 0], kept)
    rerun(RerunOptions(study=study), confirm=yes)
    assert (("random", 0, False) in cells_of(handed.jobs)) is again


def test_a_group_may_have_a_comma_in_its_name(study, handed):
    for path in (study.parent / "logs").glob("random-*"):
        path.rename(path.with_name(path.name.replace("random", "a, b")))
    grid.change(study, r"(?m)^\[groups.random\]", '[groups."a, b"]')
    grid.change(study, '"random"\\]', '"a, b"]')
    found = survey(GridOptions(study=study))
    kept = {"value": 0.5, "reference": 0.5, "drift": 0.0, "within": True}
    found.store.note_canary(found.keys["a, b", 0], kept)
    rerun(RerunOptions(study=study), confirm=yes)
    filled = [job for job in handed.jobs if job.members[0].publish]
    (told,) = (job.notes for job in filled if job.members[0].group == "a, b")
    assert len(told) == 1


def test_slurm_shares_the_run_store_where_no_other_folder_is_named(study, monkeypatch):
    monkeypatch.setenv("PATH", str(study.parent))
    with pytest.raises(ClusterError, match="there is no sbatch here"):
        rerun(RerunOptions(study=study, executor="slurm"), confirm=yes)


def test_the_outcome_as_json(study, handed):
    outcome = rerun(RerunOptions(study=study, only=("random",)), confirm=yes).to_json()
    assert (outcome["started"], outcome["exit_code"]) == (True, 3)
    assert {(r["group"], r["seed"], r["state"]) for r in outcome["results"]} == {
        ("random", 0, "failed"),
        ("random", 2, "failed"),
    }
