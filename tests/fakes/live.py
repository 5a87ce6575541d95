"""A training that logs when it is told to, and the program that follows it."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

PATIENCE = 120.0  # seconds; a machine may be busy with other things
_TRAINING = """
import sys
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

writer = EventFileWriter(sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    for tag, step, value in (point.split() for point in line.split(",")):
        summary = Summary(value=[Summary.Value(tag=tag, simple_value=float(value))])
        writer.add_event(Event(wall_time=1.7e9 + int(step), step=int(step), summary=summary))
    writer.flush()
    print("flushed", flush=True)
"""

_LATER = """
import sys, time
real, ahead = time.time_ns, int(sys.argv.pop(1))
time.time_ns = lambda: real() + ahead * 10**9
from reportgen.__main__ import main
sys.exit(main())
"""


class Training:
    """A process that writes one event file, flushed with each call of `log`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _TRAINING, str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *error: object) -> None:
        self._process.stdin.close()
        self._process.wait(timeout=PATIENCE)
        self._process.stdout.close()

    def log(self, *points: tuple[str, int, float]) -> float:
        """Write points (tag, step, value), flush, and return when that was done."""
        line = ",".join(f"{tag} {step} {value}" for tag, step, value in points)
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "flushed\n"
        return time.monotonic()


class Following:
    """`reportgen COMMAND … --json` as it runs, its clock some seconds ahead: line after line."""

    def __init__(self, *arguments: str | Path, cwd: Path, ahead_s: int = 0) -> None:
        program = ["-c", _LATER, str(ahead_s)]
        self._command = [sys.executable, *program, *map(str, arguments), "--json"]
        self._cwd = cwd
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.err = ""

    def __enter__(self) -> Self:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("REPORTGEN_")}
        self.process = subprocess.Popen(
            self._command,
            cwd=self._cwd,
            env={**kept, "REPORTGEN_CACHE": str(self._cwd / ".cache")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._readers = [
            threading.Thread(target=self._read_lines, daemon=True),
            threading.Thread(target=self._read_err, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=PATIENCE)
        for reader in self._readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def until(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the next line of which something is true; those before it are passed over."""
        end = time.monotonic() + PATIENCE
        while True:
            line = self._lines.get(timeout=max(0.1, end - time.monotonic()))
            assert line is not None, self.err
            if is_it(line):
                return line

    def state(self, name: str) -> dict[str, Any]:
        """Return the next line of a state."""
        return self.until(lambda line: line["state"] == name)

    def rest(self) -> list[dict[str, Any]]:
        """Return the lines that have come and were not asked for."""
        found = []
        while not self._lines.empty():
            found.append(self._lines.get())
        return found

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)

    def _read_lines(self) -> None:
        for line in self.process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

    def _read_err(self) -> None:
        self.err = self.process.stderr.read()
