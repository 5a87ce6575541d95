"""The plan of a grid: states and prices from the study, its logs and the run store."""

import os
from dataclasses import fields, replace

import pytest
from fakes import grid_study as grid
from fakes.killed import digests

from reportgen.app import grid as grids
from reportgen.app.grid import GridOptions, PlanOutcome, plan, survey
from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.job import STATES, Cell, Cost, GridPlan
from reportgen.records.run import Problem
from reportgen.train.executors import base

COST = Cost(steps=10, seconds=5.0, low=4.0, high=8.0, basis="by hand", disk=100)


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch):
    monkeypatch.setattr(base, "count_cores", lambda: 2)
    monkeypatch.setattr(base, "count_gpus", lambda: 0)


@pytest.fixture
def study(tmp_path):
    return grid.copy_grid(tmp_path / "grid", "random-seed2", "pretrained-seed0")


def cells(study, **options):
    found = plan(GridOptions(study=study, **options)).plan
    return {f"{cell.group}/{cell.seed}": cell for cell in found.cells}


def test_cells_with_and_without_logs(study):
    found = cells(study)
    assert {name for name, cell in found.items() if cell.state == "missing"} == {
        "random/2",
        "pretrained/0",
    }
    assert {cell.state for cell in found.values()} == {"missing", "done"}
    assert all(cell.key for cell in found.values())
    assert all((cell.cost is None) == (cell.state == "done") for cell in found.values())


def test_planning_writes_nothing(study):
    before = digests(study.parent)
    cells(study)
    assert digests(study.parent) == before


def test_of_a_study_that_has_not_run_everything_is_missing(study):
    grid.change(study, '(?m)^path = "logs"', 'path = "none yet"')
    found = cells(study)
    assert {cell.state for cell in found.values()} == {"missing"}
    assert {cell.cost for cell in found.values()} == {None}
    assert all("no price" in cell.reason for cell in found.values())


def test_logs_that_were_asked_for_must_be_there(study, tmp_path):
    with pytest.raises(EvidenceError, match="nowhere"):
        plan(GridOptions(study=study, runs=tmp_path / "nowhere"))


def test_the_folder_asked_for_goes_before_the_studys(study, tmp_path):
    (study.parent / "logs").rename(tmp_path / "others")
    assert {c.state for c in cells(study).values()} == {"missing"}
    assert {c.state for c in cells(study, runs=tmp_path / "others").values()} == {"missing", "done"}


def test_only_some(study):
    assert list(cells(study, only=("random/2", "pretrained/[01]"))) == [
        "pretrained/0",
        "pretrained/1",
        "random/2",
    ]
    with pytest.raises(UsageError, match="--only randon names no cell"):
        cells(study, only=("randon",))


def test_as_many_at_a_time_as_there_are_cores_or_gpus(study, monkeypatch):
    found = plan(GridOptions(study=study)).plan
    assert (found.device, found.workers) == ("cpu", 2)
    # One of another machine is one worker at least.
    assert plan(GridOptions(study=study, device="cuda")).plan.workers == 1
    assert plan(GridOptions(study=study, workers=5)).plan.workers == 5
    monkeypatch.setattr(base, "count_gpus", lambda: 3)
    found = plan(GridOptions(study=study)).plan
    assert (found.device, found.workers) == ("cuda", 3)
    assert plan(GridOptions(study=study, device="cpu")).plan.workers == 2


def test_data_that_are_not_there_are_a_problem_of_the_plan(study):
    (study.parent / "data" / "train.csv").unlink()
    found = plan(GridOptions(study=study)).plan
    assert ["train.data.files.train" in problem.message for problem in found.problems] == [True]
    assert found.problems[0].path == "study.toml"
    assert {cell.key for cell in found.cells} == {""}


def test_who_trains_a_cell_is_named(study):
    found = survey(GridOptions(study=study))
    key = found.keys["random", 2]
    with found.store.claim([key]):
        cell = cells(study)["random/2"]
        assert cell.state == "running"
        assert f"process {os.getpid()}" in cell.reason
    assert cells(study)["random/2"].state == "missing"


def test_why_a_cell_failed_and_how_often(study):
    found = survey(GridOptions(study=study))
    for reason in ("no memory", "the disk is full"):
        found.store.note_failure(found.keys["random", 2], reason)
    cell = cells(study)["random/2"]
    assert cell.state == "failed"
    assert cell.reason.startswith("the disk is full (2 tries, the last on 20")


@pytest.mark.parametrize(("probe", "measured"), [(True, 1), (False, 0)])
def test_a_probe_is_made_where_no_log_tells_the_price(probe, measured, study, monkeypatch):
    grid.change(study, '(?m)^path = "logs"', 'path = "none yet"')
    calls = []
    monkeypatch.setattr(grids, "measure_steps", lambda found: calls.append(found) or 0.5)
    found = cells(study, probe=probe)
    assert len(calls) == measured
    if probe:
        assert {cell.cost.seconds for cell in found.values()} == {0.5 * 600}


def test_no_probe_is_made_where_the_logs_tell(study, monkeypatch):
    monkeypatch.setattr(grids, "measure_steps", lambda _: pytest.fail("it was measured"))
    assert cells(study, probe=True)["random/2"].cost is not None


def test_without_a_model_disk_is_that_of_the_logs(study):
    known = cells(study)["random/2"].cost
    grid.change(study, "(?m)^(config|checkpoint) = .*\n", "")
    grid.change(study, "(?m)^task = .*", 'config = "random.json"')
    unknown = cells(study)["random/2"].cost
    assert unknown.disk < known.disk
    assert "the number of parameters is not known" in unknown.basis


def test_the_plan_as_json():
    done = Cell(group="a", seed=0, state="done", reason="there")
    stale = Cell(
        group="a", seed=1, state="stale", reason="", cost=COST, changed=(("epochs", "5", "6"),)
    )
    problem = Problem(path="study.toml", message="no data", remedy="add them")
    grid_plan = GridPlan(cells=(done, stale, stale), device="cpu", workers=2, problems=(problem,))
    found = PlanOutcome(plan=grid_plan).to_json()
    assert (found["total_s"], found["wall_s"], found["disk_bytes"]) == (10.0, 5.0, 200)
    assert found["gpu_hours"] == 0.0
    assert found["cells"][0]["cost_s"] is None
    assert found["cells"][1]["changed"] == [{"setting": "epochs", "then": "5", "now": "6"}]
    assert found["problems"][0]["remedy"] == "add them"
    on_gpu = PlanOutcome(plan=replace(grid_plan, device="cuda")).to_json()
    assert on_gpu["gpu_hours"] == pytest.approx(10 / 3600)


def test_json_says_all_that_is_known_of_a_cell():
    cell = Cell(group="a", seed=0, state="missing", reason="", cost=COST)
    found = PlanOutcome(plan=GridPlan(cells=(cell,), device="cpu", workers=1)).to_json()
    assert {field.name for field in fields(Cell)} - {"cost"} <= found["cells"][0].keys()


def test_the_page_tells_every_state(project):
    page = (project / "docs" / "how-to" / "rerun.md").read_text(encoding="utf-8")
    table = page.partition("## States")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")]
    assert set(rows[1:]) == set(STATES)
