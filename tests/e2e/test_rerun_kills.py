"""Fine-tunes that are killed again and again end with the bits of one that was left alone."""

import os
import random
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from fakes import grid_study as grid
from fakes.jobs import wait_until

pytestmark = [
    pytest.mark.training,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc"),
]

KILLS = int(os.environ.get("REPORTGEN_KILLS", "2"))
EPOCHS = 10 if KILLS < 10 else 24
"""A kill costs a start of some seconds; between two there should be something to lose."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("kills")


@pytest.fixture(scope="module")
def alone(home):
    """The run store of a grid whose training nobody disturbed."""
    study = grid.small_grid(home / "alone", seeds=1, epochs=EPOCHS)
    process = begin(study)
    out, err = process.communicate(timeout=900)
    assert process.returncode == 0, out + err
    return study.parent / "reruns"


def begin(study: Path) -> subprocess.Popen[str]:
    return grid.start("rerun", study, "--yes", cwd=study.parent, REPORTGEN_CHECKPOINT_S="0")


def await_more(reruns: Path, before: dict[str, int], process: subprocess.Popen[str]) -> bool:
    """Wait until a job is further than it was; False if the process ends instead."""
    while process.poll() is None:
        if any(step > before.get(job, 0) for job, step in grid.progress(reruns).items()):
            return True
        time.sleep(0.01)
    return False


def test_killed_fine_tunes_end_with_the_same_bits(home, alone):
    chance = random.Random(KILLS)
    study = grid.small_grid(home / "killed", seeds=1, epochs=EPOCHS)
    reruns = study.parent / "reruns"
    kinds: Counter[str] = Counter()
    process = begin(study)
    while kinds["child"] + kinds["everything"] < KILLS:
        # Some strike before anything was done, most of them in the middle of it.
        before = {} if chance.random() < 0.2 else grid.progress(reruns)
        assert await_more(reruns, before, process) or process.poll() in {0, 3}
        time.sleep(chance.uniform(0, 0.5))
        children = grid.trainers(reruns)
        if process.poll() is None and children and chance.random() < 0.5:
            grid.kill([chance.choice(children)])
            kinds["child"] += 1
            out, err = process.communicate(timeout=300)
            assert process.returncode in {0, 3}, out + err
            assert "Traceback" not in err
        else:
            grid.kill([process.pid])
            # What was just about to start is not in the first list.
            while left := grid.family(reruns):
                grid.kill(left)
            kinds["everything"] += 1
            process.communicate(timeout=60)
        wait_until(lambda: not grid.family(reruns))
        for place in grid.records(reruns):
            grid.assert_whole(reruns / place)
        if len(grid.records(reruns)) == 2:
            # Both ended between two strikes: begin with one of them anew.
            shutil.rmtree(reruns / chance.choice(sorted(grid.records(reruns))))
            kinds["begun anew"] += 1
        process = begin(study)
    out, err = process.communicate(timeout=900)
    assert process.returncode == 0, out + err
    if KILLS >= 10:
        assert min(kinds["child"], kinds["everything"]) > KILLS // 5, kinds
    assert grid.records(reruns).keys() == grid.records(alone).keys()
    for place in grid.records(reruns):
        grid.assert_whole(reruns / place)
        assert grid.curves(reruns / place) == grid.curves(alone / place), place
        weights = [(root / place / "model.safetensors").read_bytes() for root in (reruns, alone)]
        assert weights[0] == weights[1], place
        assert grid.records(reruns)[place]["key"] == grid.records(alone)[place]["key"]
    assert grid.checkpoints(reruns) == []
