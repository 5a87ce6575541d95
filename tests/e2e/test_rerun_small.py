"""A small grid that is re-run: what may stop it, drift, faults, signals and rivals."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes import grid_study as grid
from fakes.command import Finished, reportgen, run_to_end
from fakes.jobs import PATIENCE_S, wait_until
from fakes.killed import digests
from fakes.planned import on_terminal, plan_of, states

from reportgen.train.store import RunStore

pytestmark = [
    pytest.mark.training,
    pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals, no process groups"),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A grid that was trained from nothing, after the question was answered with yes."""
    home = tmp_path_factory.mktemp("small")
    study = grid.small_grid(home / "g")
    done = on_terminal("y", "rerun", study, cwd=home)
    assert done.code == 0, done.out
    return SimpleNamespace(folder=home / "g", done=done)


@pytest.fixture
def copy(small, tmp_path):
    """The smaller grid, complete, for a test to take cells out of."""
    shutil.copytree(small.folder, tmp_path / "g")
    return tmp_path / "g"


def rerun(folder: Path, *arguments: str, **environment: str) -> Finished:
    return reportgen(
        "rerun", folder / "study.toml", "--yes", *arguments, cwd=folder.parent, **environment
    )


def drop(folder: Path, *places: str) -> None:
    for place in places:
        shutil.rmtree(folder / "reruns" / place)


def same(folder: Path, other: Path, *places: str) -> None:
    """Check that runs are equal to the bit: curves and weights."""
    for place in places:
        made, wanted = folder / "reruns" / place, other / "reruns" / place
        grid.assert_whole(made)
        assert grid.curves(made) == grid.curves(wanted), place
        name = "model.safetensors"
        assert (made / name).read_bytes() == (wanted / name).read_bytes(), place


def test_yes_is_an_answer(small):
    assert "6 of 6 cells to train" in small.done.out
    assert set(states(small.folder / "study.toml").values()) == {"done"}
    assert len(grid.records(small.folder / "reruns")) == 6
    for place in grid.records(small.folder / "reruns"):
        grid.assert_whole(small.folder / "reruns" / place)
        assert grid.curves(small.folder / "reruns" / place)["eval/accuracy"][-1][0] == grid.STEPS


def test_a_stale_cell_is_trained_again_only_when_asked(copy):
    grid.change(copy / "study.toml", "learning_rate = 5e-4", "learning_rate = 4e-4")
    plan = reportgen("plan", copy / "study.toml", cwd=copy.parent)
    assert "learning_rate was 0.0005 and is 0.0004" in plan.out
    cells = plan_of(copy / "study.toml")
    assert {cell["state"] for cell in cells.values()} == {"stale"}
    wanted = {"setting": "learning_rate", "then": "0.0005", "now": "0.0004"}
    assert cells["random/0"]["changed"] == [wanted]
    before = digests(copy / "reruns")

    idle = rerun(copy)
    assert idle.code == 0
    assert "every cell is done" not in idle.out
    assert "stale" in idle.out
    assert "--restart" in idle.out
    assert digests(copy / "reruns") == before

    old = grid.curves(copy / "reruns" / "random" / "0")
    done = rerun(copy, "--restart", "--only", "random/0")
    assert done.code == 0, done.out + done.err
    after = states(copy / "study.toml")
    assert after.pop("random/0") == "done"
    assert set(after.values()) == {"stale"}
    assert grid.curves(copy / "reruns" / "random" / "0") != old
    aside = copy / "reruns" / ".reportgen" / "replaced" / "random" / "0-1"
    assert grid.curves(aside) == old


def test_a_cell_that_fails_stops_no_other(copy, small):
    from safetensors.numpy import load_file, save_file

    drop(copy, "random/1", *(f"pretrained/{seed}" for seed in range(3)))
    shutil.copytree(copy / "model", copy / "broken")
    weights = load_file(copy / "broken" / "model.safetensors")
    huge = {name: value * 1e30 for name, value in weights.items()}
    save_file(huge, copy / "broken" / "model.safetensors", {"format": "pt"})
    grid.change(copy / "study.toml", '(?m)^start = "model"', 'start = "broken"')

    done = rerun(copy, "--only", "random", "--only", "pretrained/0")
    assert done.code == 3
    assert "pretrained, seed 0: failed: the loss was not finite at step 1" in done.out
    assert "random, seed 1: published" in done.out
    same(copy, small.folder, "random/1")
    cell = plan_of(copy / "study.toml")["pretrained/0"]
    assert cell["state"] == "failed"
    assert "the loss was not finite at step 1" in cell["reason"]
    assert "1 try" in cell["reason"]
    assert rerun(copy, "--only", "pretrained/0").code == 3
    assert "2 tries" in plan_of(copy / "study.toml")["pretrained/0"]["reason"]
    assert states(copy / "study.toml")["pretrained/1"] == "missing"


def test_a_full_disk_leaves_nothing_half_written(copy, small):
    drop(copy, "random/1")
    before = digests(copy / "reruns")
    line = 'ulimit -f 64; exec "$0" -m reportgen rerun g/study.toml --yes'
    done = run_to_end(
        ["/bin/bash", "-c", line, sys.executable],
        cwd=copy.parent,
        env=os.environ | {"REPORTGEN_CACHE": str(copy.parent / ".cache")},
    )
    assert done.returncode == 3, done.stderr
    assert "File too large" in done.stdout
    assert "Traceback" not in done.stderr
    after = digests(copy / "reruns")
    assert {k: v for k, v in after.items() if not k.startswith(".reportgen/")} == {
        k: v for k, v in before.items() if not k.startswith(".reportgen/")
    }
    assert list((copy / "reruns" / ".reportgen" / "temp").iterdir()) == []
    cell = plan_of(copy / "study.toml")["random/1"]
    assert cell["state"] == "failed"
    assert "File too large" in cell["reason"]
    assert rerun(copy).code == 0
    same(copy, small.folder, "random/1")


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_a_signal_stops_the_children_with_their_checkpoints(copy, small, number):
    places = ("random/0", "pretrained/0")
    drop(copy, *places)
    process = grid.start(
        "rerun", copy / "study.toml", "--yes", cwd=copy.parent, REPORTGEN_CHECKPOINT_S="0"
    )
    reruns = copy / "reruns"
    wait_until(lambda: any(step > 10 for step in grid.progress(reruns).values()))
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert "the same command goes on" in err
    wait_until(lambda: not grid.family(reruns))
    assert grid.checkpoints(reruns)
    missing = [name for name, state in states(copy / "study.toml").items() if state == "missing"]
    assert missing
    steps = max(grid.progress(reruns).values())
    assert 10 < steps < grid.STEPS
    done = rerun(copy)
    assert done.code == 0, done.out
    same(copy, small.folder, *places)


def watch(study: Path, processes: list[subprocess.Popen[str]]) -> dict[str, set[int]]:
    """Return cell to the processes that held its lease while it was trained."""
    store = RunStore(study.parent / "reruns")
    cells = {str(cell["key"]): name for name, cell in plan_of(study).items()}
    seen: dict[str, set[int]] = {name: set() for name in cells.values()}
    while any(process.poll() is None for process in processes):
        for key, name in cells.items():
            holder = store.holder(key)
            job = hashlib.sha256(key.encode()).hexdigest()[:20]
            told = store.read_progress(job) or {}
            if holder and holder.pid and 0 < told.get("step", 0) < grid.STEPS:
                seen[name].add(holder.pid)
        time.sleep(0.02)
    return seen


def test_two_at_once_train_no_cell_twice(copy, small):
    places = ("random/0", "random/1", "pretrained/0", "pretrained/1")
    drop(copy, *places)
    study = copy / "study.toml"
    both = [
        grid.start("rerun", study, "--yes", cwd=copy.parent, REPORTGEN_CHECKPOINT_S="0")
        for _ in range(2)
    ]
    seen = watch(study, both)
    for process in both:
        out, err = process.communicate()
        # Either has every cell in the end, whoever trained it.
        assert process.returncode == 0, out + err
        assert out.count(": published") == 4, out
    trainers = {name: len(pids) for name, pids in seen.items() if pids}
    assert set(trainers.values()) == {1}
    assert set(states(study).values()) == {"done"}
    same(copy, small.folder, *places)
