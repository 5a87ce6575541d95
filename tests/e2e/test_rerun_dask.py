"""`reportgen rerun --executor dask`: a worker is killed in the middle of a fine-tune."""

import json
import os
import signal
import time
from pathlib import Path

import pytest
from fakes import grid_study as grid
from fakes.command import reportgen
from fakes.dask_cluster import DaskCluster
from fakes.jobs import parent_of, wait_until

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.training,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc"),
]

EPOCHS = 40


@pytest.fixture
def cluster(tmp_path):
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = DaskCluster(folder, REPORTGEN_CHECKPOINT_S="0")
    yield made
    made.close()


def test_a_killed_workers_fine_tune_goes_on_at_another(tmp_path, cluster):
    study = grid.small_grid(tmp_path / "g", seeds=1, epochs=EPOCHS)
    reruns = study.parent / "reruns"
    workers = {cluster.add_worker("n1"), cluster.add_worker("n2")}
    address = json.loads(cluster.place.read_text())["address"]
    process = grid.start(
        *("rerun", study, "--yes", "--executor", "dask", "--address", address), cwd=tmp_path
    )
    wait_until(lambda: any(step > 100 for step in grid.progress(reruns).values()))
    job, step = max(grid.progress(reruns).items(), key=lambda item: item[1])
    child = next(
        pid
        for pid in grid.trainers(reruns)
        if job.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    worker = parent_of(parent_of(child))
    assert worker in workers
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: child not in grid.trainers(reruns))
    kept = [path for path in grid.checkpoints(reruns) if path.parent.name == job]
    assert kept
    least = step
    while process.poll() is None:
        least = min(least, grid.progress(reruns).get(job, least))
        time.sleep(0.02)
    out, err = process.communicate()
    assert process.returncode == 0, out + err
    # It never was behind where it had been killed: it went on from a checkpoint.
    assert least == step

    alone = grid.small_grid(tmp_path / "alone", seeds=1, epochs=EPOCHS)
    done = reportgen("rerun", alone, "--yes", cwd=tmp_path)
    assert done.code == 0, done.err
    for place in grid.records(reruns):
        grid.assert_whole(reruns / place)
        assert grid.curves(reruns / place) == grid.curves(alone.parent / "reruns" / place)
    assert len(grid.records(reruns)) == 2
