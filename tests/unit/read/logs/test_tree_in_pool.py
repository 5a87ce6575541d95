"""A pool changes how long reading takes, and nothing else."""

import os
import pickle
import signal
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from fakes.exact import exact
from fakes.many_runs import write_runs

from reportgen.read.logs import Reading, chunks_of, find_tree, load_tree, one_file, read_chunk
from reportgen.train.executors import open_pool

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pool():
    with open_pool(workers=2) as opened:
        assert opened.submit(pow, 2, 3).result(60) == 8
        yield opened


@pytest.fixture
def runs(tmp_path):
    root = tmp_path / "runs"
    write_runs(root, 120)
    first, *_ = sorted(root.rglob("*tfevents*"))
    (first.parent / "events.out.tfevents.2.copy").write_bytes(first.read_bytes())
    (root / "model_0" / "events.out.tfevents.1.junk").write_bytes(b"junk")
    (root / "model_1" / "trainer_state.json").write_text("{")
    (root / "model_1" / "metrics.csv").write_text("step,loss\n1,0.5\n2,nan\n")
    (root / "model_1" / "notes.txt").write_text("nothing of use")
    (root / "model_2" / "gone.tfevents").symlink_to(root / "nowhere")
    (root / "model_2" / "config.json").write_text("{}")
    return root


LOAD = one_file.load_file


def refuse(*_):
    raise AssertionError("read in this process")


def test_the_result_is_the_same_and_was_read_elsewhere(runs, pool, monkeypatch):
    alone = load_tree(runs)
    assert len(alone.problems) == 2
    monkeypatch.setattr(one_file, "load_file", refuse)
    assert exact(load_tree(runs, pool=pool)) == exact(alone)


@pytest.mark.parametrize("which", [slice(1), slice(None)], ids=["one", "all"])
def test_a_killed_worker_costs_its_chunk_and_no_more(runs, monkeypatch, which):
    here, told = [], []

    def load(file, *how):
        here.append(file.name)
        return LOAD(file, *how)

    def kill(_name, done, _total):
        told.append(done)
        if done == 1:
            # In the middle of a chunk, or of sending it.
            for process in pool._processes[which]:
                os.kill(process.process.pid, signal.SIGKILL)

    write_runs(runs / "more", 600)
    alone = load_tree(runs)
    monkeypatch.setattr(one_file, "load_file", load)
    with open_pool(workers=2) as pool:
        tree = load_tree(runs, on_file=kill, pool=pool)
    assert exact(tree) == exact(alone)
    assert told == list(range(1, len(told) + 1))
    files = find_tree(runs).logs
    assert len(here) <= 2 * max(map(len, chunks_of(files))) < len(files) / 4


def test_what_a_task_sent_is_let_go_when_its_files_are_taken(runs):
    write_runs(runs / "more", 600)
    tasks, held = [], []

    class Watched(ThreadPoolExecutor):
        def submit(self, *args):
            task = super().submit(*args)
            tasks.append(weakref.ref(task))
            return task

    with Watched(2) as threads:
        load_tree(
            runs, on_file=lambda *_: held.append(sum(t() is not None for t in tasks)), pool=threads
        )
    assert len(tasks) > 10
    # The last task, and at most what a thread had not yet let go of.
    assert held[0] > held[-1] <= 3


def test_a_file_that_fails_in_a_worker_is_read_here_and_its_chunk_is_kept(runs, monkeypatch):
    alone = load_tree(runs)
    here = []

    def load(file, *how):
        if threading.current_thread() is threading.main_thread():
            here.append(file.name)
        elif "seed_3" in file.name:
            raise ValueError("out of order")
        return LOAD(file, *how)

    monkeypatch.setattr(one_file, "load_file", load)
    with ThreadPoolExecutor(2) as threads:
        tree = load_tree(runs, pool=threads)
    assert exact(tree) == exact(alone)
    assert len(here) == 12
    assert all("seed_3" in name for name in here)


def test_a_file_that_is_not_the_same_elsewhere_is_left_to_the_caller(runs):
    files = find_tree(runs).logs
    size = files[0].path.stat().st_size
    with files[0].path.open("ab") as stream:
        stream.write(b"more")
    files[1].path.unlink()
    logs = pickle.loads(read_chunk(files[:3], Reading()))  # noqa: S301 - ours
    assert logs[:2] == [None, None]
    assert logs[2] is not None
    assert size == files[0].size


def test_chunks_have_fifty_files_and_like_bytes(tmp_path):
    write_runs(tmp_path, 240, tags=1, steps=2)
    for i, path in enumerate(sorted(tmp_path.rglob("*tfevents*"))):
        with path.open("ab") as stream:
            stream.write(bytes(1000 * (i // 60)))
    files = find_tree(tmp_path).logs
    chunks = chunks_of(files)
    assert [len(chunk) for chunk in chunks] == [60] * 4
    assert sorted(i for chunk in chunks for i in chunk) == list(range(240))
    loads = [sum(files[i].size for i in chunk) for chunk in chunks]
    assert max(loads) < 1.05 * min(loads)


def test_large_files_are_read_few_at_a_time(tmp_path):
    for i in range(6):
        with (tmp_path / f"{i}.tfevents").open("wb") as stream:
            stream.truncate((i + 1) << 24)
    assert sorted(map(len, chunks_of(find_tree(tmp_path).logs))) == [1] * 6
