"""`reportgen plan`, `rerun` and `build --rerun`: real fine-tunes in processes of their own."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from fakes import grid_study as grid
from fakes.command import Finished, reportgen
from fakes.killed import digests
from fakes.planned import on_terminal

pytestmark = [
    pytest.mark.training,
    pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals, no process groups"),
]

LOST = ("random-seed2", "pretrained-seed0")


# The sample grid, completed


@dataclass(frozen=True)
class Completed:
    """What each command said, in the order in which they ran."""

    home: Path
    logs_before: dict[str, str]
    plan: Finished
    as_json: dict[str, object]
    unasked: Finished
    refused: Finished
    folder_after_refusal: bool
    built: Finished
    again: Finished

    @property
    def out(self) -> Path:
        return self.home / "out"

    @property
    def reruns(self) -> Path:
        return self.home / "g" / "reruns"


@pytest.fixture(scope="module")
def completed(tmp_path_factory):
    home = tmp_path_factory.mktemp("completed")
    study = grid.copy_grid(home / "g", *LOST)
    logs = digests(home / "g" / "logs")
    plan = reportgen("plan", study, cwd=home)
    as_json = json.loads(reportgen("plan", study, "--json", cwd=home).out)
    unasked = reportgen("rerun", study, cwd=home)
    refused = on_terminal("n", "rerun", study, cwd=home)
    there = (home / "g" / "reruns").exists()
    built = reportgen("build", study, "--out", "out/report.pdf", "--rerun", "--yes", cwd=home)
    again = reportgen("rerun", study, "--yes", cwd=home)
    return Completed(home, logs, plan, as_json, unasked, refused, there, built, again)


def test_the_plan_says_what_is_missing_and_what_it_costs(completed):
    assert completed.plan.code == 0
    lines = completed.plan.out.splitlines()
    missing = [line.split()[:3] for line in lines if " missing " in line]
    assert missing == [["pretrained", "0", "missing"], ["random", "2", "missing"]]
    assert "random/2: no logs of it were found" in lines
    assert sum(line.endswith("done") for line in lines) == 4
    groups = [line.split(":")[0] for line in lines if line.startswith("cost of ")]
    assert groups == ["cost of pretrained", "cost of random"]
    assert "2 of 6 cells to train: about" in completed.plan.out
    assert completed.plan.err == ""


def test_no_is_an_answer(completed):
    assert completed.refused.code == 3
    assert "random/2: no logs of it were found" in completed.refused.out
    assert not completed.folder_after_refusal


def test_progress_tells_how_far_it_is(completed):
    """The time left, told of longer work, is in `tests/unit/cli/test_talk.py`."""
    assert completed.built.code == 0, completed.built.err
    found = re.findall(r"training (\d+)/1200", completed.built.err)
    assert found
    assert [int(n) for n in found] != [0] * len(found)


def test_the_cells_are_there_and_nothing_else_is(completed):
    assert set(grid.records(completed.reruns)) == set(LOST)
    for name in LOST:
        grid.assert_whole(completed.reruns / name)
        sums = digests(completed.reruns / name)
        told = grid.records(completed.reruns)[name]
        assert told["sha256"] == {k: v for k, v in sums.items() if k != "run.json"}
    left = [p for p in (completed.reruns / ".reportgen").rglob("*") if p.is_file()]
    assert {p.parent.name for p in left} == {"canary"}


def test_they_give_what_the_trainer_had_logged(completed):
    """The oracle is the Hugging Face Trainer: these logs were deleted before."""
    for name in LOST:
        wanted = json.loads((grid.GRID / "logs" / name / "trainer_state.json").read_text())
        given = json.loads((completed.reruns / name / "trainer_state.json").read_text())
        for split in ("eval", "test"):
            tag = f"{split}_accuracy"
            then = {e["step"]: e[tag] for e in wanted["log_history"] if tag in e}
            now = {e["step"]: e[tag] for e in given["log_history"] if tag in e}
            assert then.keys() == now.keys() == {120, 240, 360, 480, 600}
            assert now == pytest.approx(then, abs=1e-4)


def test_the_found_logs_are_only_read(completed):
    assert digests(completed.home / "g" / "logs") == completed.logs_before


def test_the_repeated_runs_are_told(completed):
    assert len(re.findall(r"repeated: 0\.\d{4}, logged 0\.\d{4}, drift", completed.built.out)) == 2


def test_a_second_call_trains_nothing(completed):
    assert completed.again.code == 0
    assert completed.again.out == "nothing to train: every cell is done\n"
