"""How long after a flush a new point is in the HTML and in the PDF, and what was redone for it.

(a) the sample lab, with one more run that logs as it is followed;
(b) thirty runs of a thousand points in six groups, one of which logs.

The training is this process, with TensorBoard's own writer; `reportgen build --watch` is another
one. The time ends when the files lie on the disk: the HTML holds the new value, and the PDF was
written with it; how long the page alone took is told as well. Beside it, in turn, a plain build of
the same state: what following saves. The processor seconds of the following process say what it
takes where nothing else runs (Linux); those of both labs are compared, for on a busy machine a
ratio says more than seconds.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

ROOT = Path(__file__).resolve().parent.parent
TARGET = 2.0
PAUSE = 4.0
"""Seconds between two flushes: each finds the report at rest, and the logs before it settled."""


def main() -> None:
    """Measure both labs and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_known_args()[0].rounds
    spent = []
    for name, fill in (("sample lab", _sample_lab), ("thirty runs", _thirty_runs)):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            run = fill(folder / "logs")
            spent.append(statistics.median(_measure(name, folder, run, rounds)))
    print(f"processor seconds of thirty runs beside the sample lab: {spent[1] / spent[0]:.2f}")


def _measure(name: str, folder: Path, run: Path, rounds: int) -> list[float]:
    """Print what was measured in one lab, and return the processor seconds of each round."""
    pages, delays, builds, spent, redone = [], [], [], [], []
    command = [sys.executable, "-m", "reportgen", "build", "--runs", "logs"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "REPORTGEN_CACHE": str(folder / "cache")}
    plain = [*command, "--out", "plain/report.pdf", "--no-cache", "--quiet"]
    with _followed(command, folder, environment) as (followed, lines):
        writer, page = EventFileWriter(str(run)), folder / "out/report.html"
        _until(lines)
        for step in range(1, rounds + 2):
            value, before = _unseen(page), _processor_seconds(followed.pid)
            _log(writer, step, value)
            flushed = time.monotonic()
            _until(lines, page, value, "page")
            seen = time.monotonic()
            line = _until(lines, page, value)
            if "report.pdf" not in line["redone"]:
                raise SystemExit(f"the PDF was not made again: {line['redone']}")
            if step > 1:
                pages.append(seen - flushed)
                delays.append(time.monotonic() - flushed)
                spent.append(_processor_seconds(followed.pid) - before)
                redone.append(line["redone"])
                begun = time.monotonic()
                subprocess.run(plain, cwd=folder, env=environment, check=True)
                builds.append(time.monotonic() - begun)
            time.sleep(PAUSE)
        writer.close()
    each = [a / b for a, b in zip(delays, builds, strict=True)]
    met = "met" if statistics.median(delays) <= TARGET else "missed"
    print(f"{name}: seconds from the flush to HTML and PDF on the disk, {rounds} rounds")
    print(f"  {_spread(delays)}  (target at most {TARGET:.0f}: {met})")
    print(f"  the page alone: {_spread(pages)}")
    print(f"  beside a plain build of the same state, {_spread(builds)} s: {_spread(each)}")
    print(f"  processor seconds of the following process: {_spread(spent)}")
    print(f"  redone in the last round: {', '.join(redone[-1])}")
    return spent


def _processor_seconds(pid: int) -> float:
    """Return what a process has used so far; nothing where the system does not say."""
    told = Path(f"/proc/{pid}/stat")
    if not told.exists():
        return math.nan
    fields = told.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _spread(numbers: list[float]) -> str:
    return f"{min(numbers):.2f} / {statistics.median(numbers):.2f} / {max(numbers):.2f}"


@contextmanager
def _followed(
    command: list[str], folder: Path, environment: dict[str, str]
) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    watching = [*command, "--out", "out/report.pdf", "--watch", "--json"]
    followed = subprocess.Popen(
        watching, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    with followed:
        try:
            yield followed, followed.stdout or sys.stdin
        finally:
            followed.terminate()


def _unseen(page: Path) -> float:
    """Return an accuracy that a page does not hold yet."""
    text = page.read_text("utf-8")
    accuracies = (part / 10_000 for part in range(6_001, 9_999))
    return next(accuracy for accuracy in accuracies if not _is_in(text, accuracy))


def _is_in(text: str, accuracy: float) -> bool:
    """Say whether a page holds an accuracy, which is printed as a fraction or in percent."""
    return f"{accuracy:.4f}" in text or f"{100 * accuracy:.2f}" in text


def _until(
    lines: IO[str], page: Path | None = None, value: float = 0, state: str = "current"
) -> dict[str, list[str]]:
    """Return the line of the first report in a state that holds a value."""
    for text in lines:
        line: dict[str, list[str]] = json.loads(text)
        if str(line["state"]) != state:
            continue
        if page is None or _is_in(page.read_text("utf-8"), value):
            return line
    raise SystemExit("reportgen ended before the point was in the report")


def _log(writer: EventFileWriter, step: int, value: float, *, flush: bool = True) -> None:
    for tag in ("valid/accuracy", "test/accuracy"):
        summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
        writer.add_event(Event(wall_time=1.7e9 + step, step=step, summary=summary))
    if flush:
        writer.flush()


def _sample_lab(logs: Path) -> Path:
    shutil.copytree(ROOT / "inputs" / "roberta-small-fr" / "logs", logs)
    return logs / "live" / "seed_0"


def _thirty_runs(logs: Path) -> Path:
    for group in range(6):
        for seed in range(5 if group else 4):
            writer = EventFileWriter(str(logs / f"model_{group}" / f"seed_{seed}"))
            for step in range(1, 1001):
                value = 0.5 + 0.4 * (1 - 0.99**step) - (group + seed / 7) / 100
                _log(writer, step, value, flush=False)
            writer.close()
    return logs / "model_0" / "seed_4"


if __name__ == "__main__":
    main()
