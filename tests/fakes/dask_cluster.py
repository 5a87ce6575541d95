"""A real Dask scheduler and workers on the loopback interface, each a process of its own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from fakes.jobs import TESTS

WHERE = os.pathsep.join((str(TESTS), str(TESTS.parent)))
"""Workers run the reportgen of this checkout, and the fakes of its tests."""


class DaskCluster:
    """What `dask scheduler` and `dask worker` start; `close` ends it."""

    def __init__(self, folder: Path, *, host: str = "127.0.0.1", **environment: str) -> None:
        self.folder = folder
        self.environment = os.environ | {"PYTHONPATH": WHERE} | environment
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        place = folder / "scheduler.json"
        self._start("scheduler", "--host", host, "--port", "0", "--scheduler-file", place)
        self._wait_for(lambda: place.is_file() and place.read_text().endswith("}"))
        self.place = place

    def add_worker(self, name: str, *arguments: str, host: str = "127.0.0.1") -> int:
        """Start a worker; returns its process, which has no nanny to start it again."""
        process = self._start(
            "worker", "--scheduler-file", self.place, "--nthreads", "1", "--no-nanny",
            "--name", name, "--host", host, "--local-directory", self.folder / name, *arguments,
            label=name,
        )  # fmt: skip
        log = self.folder / f"{name}.log"
        self._wait_for(lambda: "Registered to" in log.read_text())
        return process.pid

    def close(self) -> None:
        """End the workers first: Dask's may hang that hear of two reasons to end at once."""
        for process in reversed(self.processes.values()):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, kind: str, *arguments: str | Path, label: str = "") -> subprocess.Popen[bytes]:
        with (self.folder / f"{label or kind}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", kind, "--no-dashboard", *map(str, arguments)],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        self.processes[label or kind] = process
        return process

    def _wait_for(self, condition) -> None:
        end = time.monotonic() + 60
        while not condition():
            dead = [name for name, p in self.processes.items() if p.poll() is not None]
            assert not dead, (self.folder / f"{dead[0]}.log").read_text()
            assert time.monotonic() < end, "no cluster in a minute"
            time.sleep(0.05)


def address_of(cluster: DaskCluster) -> str:
    """Return where the scheduler listens."""
    return str(json.loads(cluster.place.read_text())["address"])
