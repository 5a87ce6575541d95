"""Two workers of a Dask cluster that begin and wait, and one of which is killed amid its work.

What they run in place of reportgen's own functions, `read_chunk` and `judge`, says that it began
and does nothing before the first worker is gone.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fakes.dask_cluster import DaskCluster
from fakes.jobs import wait_until

from reportgen.app.checking import judge as judge_at_once
from reportgen.app.submissions import Submission
from reportgen.read.logs import LogFile, Reading
from reportgen.read.logs import read_chunk as read_at_once
from reportgen.records.verdict import Review

_SIGNS = "REPORTGEN_TEST_SIGNS"
"""Variable of the workers: the folder where they say that they began, and wait for `go`."""
_LONGEST_S = 60


def wait_for_go(worker: int, names: Iterable[str]) -> None:
    """Say that a worker began, wait until one of the two is killed, and note what it then does."""
    signs = Path(os.environ[_SIGNS])
    (signs / str(worker)).touch()
    end = time.monotonic() + _LONGEST_S
    while not (signs / "go").exists() and time.monotonic() < end:
        time.sleep(0.02)
    with (signs / f"{worker}.read").open("a", encoding="utf-8") as done:
        done.write("".join(f"{name}\n" for name in names))


def read_chunk(files: Sequence[LogFile], reading: Reading) -> bytes:
    """Read a chunk of logs once the other worker is killed."""
    wait_for_go(os.getpid(), (file.name for file in files))
    return read_at_once(files, reading)


def judge(submission: Submission) -> Review:
    """Check a report once the other worker is killed; this process is a worker's child."""
    wait_for_go(os.getppid(), (submission.name,))
    return judge_at_once(submission)


@contextmanager
def waiting_cluster(folder: Path) -> Iterator[DaskCluster]:
    """Run a cluster without workers; those that it gets can wait for one another."""
    (folder / "signs").mkdir()
    cluster = DaskCluster(folder, **{_SIGNS: str(folder / "signs")})
    try:
        yield cluster
    finally:
        cluster.close()


@contextmanager
def killed_amid(cluster: DaskCluster) -> Iterator[Callable[[], list[str]]]:
    """Kill the first of two workers once both have begun; yields what the other one has done."""
    signs = cluster.folder / "signs"
    workers = [cluster.add_worker("n1"), cluster.add_worker("n2")]

    def kill() -> None:
        wait_until(lambda: all((signs / str(pid)).exists() for pid in workers))
        os.kill(workers[0], signal.SIGKILL)
        cluster.processes["n1"].wait()
        (signs / "go").touch()

    killer = threading.Thread(target=kill)
    killer.start()
    yield lambda: (signs / f"{workers[1]}.read").read_text(encoding="utf-8").split()
    killer.join()
    assert not (signs / f"{workers[0]}.read").exists()
