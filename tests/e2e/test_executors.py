"""Executors on a real scheduler, whose workers are killed while they work."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.command import run_to_end
from fakes.dask_cluster import DaskCluster
from fakes.jobs import (
    PATIENCE_S,
    TESTS,
    a_job,
    is_alive,
    parent_of,
    run_fake,
    running,
    steps_of,
    wait_until,
)

from reportgen.records.errors import ClusterError, MissingExtraError, UsageError, WorkerLostError
from reportgen.train.executors import dask
from reportgen.train.executors.dask import check_closed, open_executor

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc"),
    # Dask's sockets close in their own time.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

CLIENT = """\
import sys
from fakes.jobs import a_job, run_fake
from reportgen.train.executors.dask import open_executor
if __name__ == "__main__":
    with open_executor(workers=1, gpus=0, address=sys.argv[2], options={}) as executor:
        for name in ("one", "two", "three"):
            executor.submit(run_fake, a_job(name, steps=int(sys.argv[3])), sys.argv[1])
"""


@pytest.fixture(autouse=True)
def _children_find_the_fakes(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(TESTS))


@pytest.fixture
def store(tmp_path):
    folder = tmp_path / "reruns"
    folder.mkdir()
    return folder


@pytest.fixture
def cluster(tmp_path):
    made = DaskCluster(tmp_path)
    yield made
    made.close()


def address(cluster):
    return json.loads(cluster.place.read_text(encoding="utf-8"))["address"]


def at(cluster, *, gpus=0):
    return open_executor(workers=2, gpus=gpus, address=address(cluster), options={})


def test_a_job_of_a_killed_worker_is_done_by_another(cluster, store):
    workers = {cluster.add_worker("n1"), cluster.add_worker("n2")}
    with at(cluster) as executor:
        job = executor.submit(run_fake, a_job("abc", steps=60, seconds=0.05), str(store))
        wait_until(lambda: len(steps_of(store, "abc")) > 5)
        first = int(steps_of(store, "abc")[0][1])
        worker = parent_of(parent_of(first))
        assert worker in workers
        os.kill(worker, signal.SIGKILL)
        # What it was training is stopped, with time for a checkpoint.
        wait_until(lambda: not is_alive(first))
        assert job.result(PATIENCE_S) == 0
    lines = steps_of(store, "abc")
    processes = [int(pid) for _, pid, _ in lines]
    assert len(set(processes)) == 2
    # The second goes on from where it found the work, and does the rest.
    mine = [int(step) for step, pid, _ in lines if int(pid) != first]
    assert mine == list(range(mine[0], 60))
    assert mine[0] > 0


def test_a_job_that_kills_its_child_is_tried_again_and_then_told(cluster, store):
    cluster.add_worker("n1")
    with at(cluster) as executor:
        job = executor.submit(run_fake, a_job("abc", steps=9, how="killed"), str(store))
        good = executor.submit(run_fake, a_job("good"), str(store))
        with pytest.raises(WorkerLostError) as caught:
            job.result(PATIENCE_S)
        assert good.result(PATIENCE_S) == 0
    assert caught.value.signal == signal.SIGKILL
    assert len(steps_of(store, "abc")) == 3


def test_a_task_that_kills_every_worker_is_given_up():
    from dask import config

    # Of four that Dask would start one after the other, two tell it; no start is quick enough.
    hurried = config.set({
        "distributed.scheduler.allowed-failures": 1,
        "distributed.deploy.lost-worker-timeout": "100 ms",
    })  # fmt: skip
    with hurried, open_executor(workers=1, gpus=0, options={}) as executor:
        with pytest.raises(WorkerLostError, match="lost one after the other"):
            executor.submit(os._exit, 9).result(PATIENCE_S)
        assert executor.submit(pow, 2, 3).result(PATIENCE_S) == 8


def test_an_interrupted_client_stops_its_jobs_and_no_others(cluster, store):
    cluster.add_worker("n1")
    cluster.add_worker("n2")
    with at(cluster) as executor:
        other = executor.submit(run_fake, a_job("other", steps=3000), str(store))
        wait_until(lambda: steps_of(store, "other"))
        client = subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(store), address(cluster), "3000"]
        )
        wait_until(lambda: steps_of(store, "one"))
        client.send_signal(signal.SIGINT)
        assert client.wait(PATIENCE_S) != 0
        one, kept = (int(steps_of(store, name)[0][1]) for name in ("one", "other"))
        wait_until(lambda: not is_alive(one))
        seen = len(steps_of(store, "other"))
        wait_until(lambda: len(steps_of(store, "other")) > seen)
        assert is_alive(kept)
        assert not other.done()
        assert steps_of(store, "two") == steps_of(store, "three") == []
        executor.shutdown(cancel_futures=True)
        wait_until(lambda: not is_alive(kept))


def test_the_running_job_of_a_killed_client_is_finished(cluster, store):
    cluster.add_worker("n1")
    client = subprocess.Popen([sys.executable, "-c", CLIENT, str(store), address(cluster), "60"])
    wait_until(lambda: steps_of(store, "one"))
    client.kill()
    client.wait()
    wait_until((store / "one" / "run.json").is_file)
    # A task that was handed in later is done: nothing waits before it any more.
    with at(cluster) as executor:
        assert executor.submit(pow, 2, 3).result(PATIENCE_S) == 8
    assert steps_of(store, "two") == steps_of(store, "three") == []


def test_closing_the_cluster_leaves_no_process(store):
    with open_executor(workers=2, gpus=2, options={}) as executor:
        jobs = [executor.submit(run_fake, a_job(n, seconds=0.3), str(store)) for n in "ab"]
        assert [job.result(PATIENCE_S) for job in jobs] == [0, 0]
        assert list(executor.map(pow, [2, 3], [3, 2])) == [8, 9]
    assert {steps_of(store, name)[0][2] for name in "ab"} == {"0", "1"}
    wait_until(lambda: not running(str(store)))


def test_jobs_on_gpus_go_to_workers_that_have_one(cluster, store):
    cluster.add_worker("n1")
    with pytest.raises(ClusterError, match="GPU to offer") as caught, at(cluster, gpus=1):
        pass
    assert "--resources GPU=1" in caught.value.remedy
    cluster.environment["CUDA_VISIBLE_DEVICES"] = "6"
    cluster.add_worker("n2", "--resources", "GPU=1")
    with at(cluster, gpus=1) as executor:
        jobs = [executor.submit(run_fake, a_job(n), str(store)) for n in "abc"]
        assert [job.result(PATIENCE_S) for job in jobs] == [0, 0, 0]
    assert {steps_of(store, name)[0][2] for name in "abc"} == {"6"}


def test_a_scheduler_without_workers_is_told_at_once(cluster):
    with pytest.raises(ClusterError, match="no worker") as caught, at(cluster):
        pass
    assert f"dask worker {address(cluster)}" in caught.value.remedy


def test_a_worker_without_the_program_is_told_at_once(cluster, tmp_path):
    (tmp_path / "reportgen").mkdir()
    (tmp_path / "reportgen" / "__init__.py").touch()
    cluster.environment["PYTHONPATH"] = str(tmp_path)
    cluster.add_worker("n1")
    with pytest.raises(ClusterError, match="cannot import reportgen"), at(cluster):
        pass


def test_nobody_answers(monkeypatch):
    monkeypatch.setattr(dask, "CONNECT_S", 1)
    with (
        pytest.raises(ClusterError, match="no Dask scheduler answers"),
        open_executor(workers=1, gpus=0, address="tcp://127.0.0.1:9", options={}),
    ):
        pass


def test_a_scheduler_that_listens_to_the_network_is_refused(tmp_path):
    """Even through the loopback interface: others reach it by the other ones."""
    cluster = DaskCluster(tmp_path, host="0.0.0.0")  # noqa: S104 - what is to be refused
    try:
        port = address(cluster).rpartition(":")[2]
        with (
            pytest.raises(UsageError, match="is open"),
            open_executor(workers=1, gpus=0, address=f"127.0.0.1:{port}", options={}),
        ):
            pass
    finally:
        cluster.close()


def test_a_worker_that_listens_to_the_network_is_refused(cluster):
    """It advertises the loopback interface, which is why it must be asked where it listens."""
    cluster.add_worker("n1", host="")
    with pytest.raises(UsageError, match=r"tcp://0\.0\.0\.0:\d+ is open"), at(cluster):
        pass


@pytest.mark.parametrize(
    "open_address", ["tcp://10.0.0.7:8786", "10.0.0.7:8786", "tcp://login1:8786", "ws://127.0.0.1"]
)
def test_an_open_address_is_refused(open_address):
    with pytest.raises(UsageError, match="is open") as caught:
        check_closed([open_address])
    assert "tls://" in caught.value.remedy


@pytest.mark.parametrize(
    "closed", ["127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:1", "tls://10.0.0.7:8786"]
)
def test_loopback_and_tls_are_allowed(closed):
    check_closed([closed])


def test_without_the_extra_it_is_told_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError) as caught, open_executor(workers=1, gpus=0, options={}):
        pass
    assert '"distributed>=' in caught.value.remedy


def blocks_of(page):
    """The commands that a page shows, by the name in the comment above them."""
    text = page.read_text(encoding="utf-8")
    return dict(re.findall(r"<!-- run: (.+?) -->\n```sh\n(.+?)```", text, re.DOTALL))


class Shell:
    """Follows the page: each step in a shell of its own, in a folder that was empty."""

    def __init__(self, folder, page):
        self.folder = folder
        self.steps = blocks_of(page)

    def follow(self, name):
        commands = f"{self.steps[name]}\njobs -p >> pids"
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        subprocess.run(
            ["bash", "-euc", commands],
            cwd=self.folder,
            env=os.environ | {"PATH": path},
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def wait_for(self, words, *, times=1):
        def heard():
            logs = [
                log.read_text(encoding="utf-8") for log in (self.folder / "workers").glob("*.log")
            ]
            return sum(log.count(words) for log in logs) >= times

        wait_until(heard)

    def close(self):
        """What `kill %1` does: the workers end with their scheduler."""
        pids = [int(pid) for pid in (self.folder / "pids").read_text(encoding="utf-8").split()]
        os.kill(pids[0], signal.SIGTERM)
        wait_until(lambda: not any(map(is_alive, pids)))


@pytest.fixture
def shell(tmp_path, project):
    followed = Shell(tmp_path, project / "docs" / "how-to" / "cluster.md")
    yield followed
    if (tmp_path / "pids").is_file():
        followed.close()


def skip_if_taken(port):
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            pytest.skip(f"port {port}, which the page uses, is taken")


@pytest.mark.wide
def test_the_page_is_followed_on_one_machine(shell, store):
    skip_if_taken(8786)
    shell.follow("loopback")
    shell.wait_for("Registered to", times=2)
    with open_executor(workers=2, gpus=0, address="tcp://127.0.0.1:8786", options={}) as executor:
        assert executor.submit(run_fake, a_job("abc"), str(store)).result(PATIENCE_S) == 0
    shell.follow("gpus")
    shell.wait_for("Registered to", times=4)
    with open_executor(workers=2, gpus=2, address="tcp://127.0.0.1:8786", options={}) as executor:
        jobs = [executor.submit(run_fake, a_job(n, seconds=0.5), str(store)) for n in "de"]
        assert [job.result(PATIENCE_S) for job in jobs] == [0, 0]
    assert {steps_of(store, name)[0][2] for name in "de"} == {"0", "1"}


@pytest.mark.wide
def test_the_page_is_followed_with_tls(shell, store):
    skip_if_taken(8788)
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    for step in ("certificate", "tls scheduler", "tls worker"):
        shell.follow(step)
    shell.wait_for("Registered to")
    client = (
        "import sys\nfrom fakes.jobs import a_job, run_fake\n"
        "from reportgen.train.executors.dask import open_executor\n"
        "with open_executor(workers=1, gpus=0, address=sys.argv[2], options={}) as executor:\n"
        "    print(executor.submit(run_fake, a_job('abc'), sys.argv[1]).result(60))"
    )
    address = json.loads((shell.folder / "workers/scheduler.json").read_text(encoding="utf-8"))[
        "address"
    ]
    assert address.startswith("tls://")
    command = [sys.executable, "-c", client, str(store), address]
    trusted = os.environ | {"DASK_CONFIG": str(shell.folder / "workers")}
    assert subprocess.check_output(command, env=trusted, timeout=60) == b"0\n"
    stranger = run_to_end(command, timeout=60)
    assert stranger.returncode != 0
    assert "ClusterError: no Dask scheduler answers" in stranger.stderr
