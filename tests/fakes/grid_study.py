"""Copies of the sample grid, and a reader of what training gave that is not the project's own."""

import itertools
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from fakes.jobs import is_alive

GRID = Path(__file__).resolve().parents[2] / "inputs" / "tiny-grid"
ROWS = {"train": 320, "validation": 40, "test": 40}
EPOCHS, BATCH = 4, 8
STEPS = EPOCHS * ROWS["train"] // BATCH
Curve = dict[str, list[tuple[int, bytes]]]
"""Tag to (step, bytes of the value)."""


def copy_grid(home: Path, *without: str) -> Path:
    """Copy the sample grid but for the logs of some runs; return its study file."""
    shutil.copytree(GRID, home)
    for name in without:
        shutil.rmtree(home / "logs" / name)
    return home / "study.toml"


def small_grid(home: Path, *, seeds: int = 3, epochs: int = EPOCHS) -> Path:
    """Copy the sample grid with less data and fewer epochs, and without logs."""
    shutil.copytree(GRID, home, ignore=shutil.ignore_patterns("logs"))
    for split, rows in ROWS.items():
        path = home / "data" / f"{split}.csv"
        path.write_text("".join(path.read_text().splitlines(keepends=True)[: rows + 1]))
    study = home / "study.toml"
    change(study, r"(?m)^seeds = .*", f"seeds = {list(range(seeds))}")
    change(study, r"(?m)^epochs = .*", f"epochs = {epochs}")
    for split, rows in ROWS.items():
        change(study, rf"(?m)^{split} = \d+", f"{split} = {rows}")
    return study


def change(path: Path, pattern: str, text: str) -> None:
    """Replace what a pattern finds in a file; it must find something."""
    new, count = re.subn(pattern, text, path.read_text(encoding="utf-8"))
    assert count, pattern
    path.write_text(new, encoding="utf-8")


def curves(run: Path) -> Curve:
    """Return every scalar of a run, to the bit, by TensorBoard's own loader."""
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
    from tensorboard.compat.proto.event_pb2 import Event

    found: Curve = {}
    for path in sorted(run.rglob("events.out.tfevents.*")):
        prefix = path.parent.relative_to(run).as_posix()
        prefix = "" if prefix.startswith("runs") else f"{prefix}/"
        for raw in RawEventFileLoader(str(path)).Load():
            event = Event.FromString(raw)
            for value in event.summary.value:
                if value.HasField("simple_value"):
                    bits = struct.pack("<f", value.simple_value)
                    found.setdefault(prefix + value.tag, []).append((event.step, bits))
    return found


def values(found: Curve) -> dict[str, list[tuple[int, float]]]:
    """Return a run's scalars as numbers."""
    return {
        tag: [(step, struct.unpack("<f", bits)[0]) for step, bits in points]
        for tag, points in found.items()
    }


def assert_whole(run: Path) -> None:
    """Check that no series of a run has a gap or a point twice."""
    found = curves(run)
    assert found
    for tag, points in found.items():
        steps = [step for step, _ in points]
        gaps = {later - earlier for earlier, later in itertools.pairwise(steps)}
        assert len(gaps) <= 1, (tag, steps)
        assert min(gaps, default=1) > 0, (tag, steps)


def records(reruns: Path) -> dict[str, dict[str, object]]:
    """Return place to `run.json` of every finished run."""
    return {
        path.parent.relative_to(reruns).as_posix(): json.loads(path.read_text())
        for path in sorted(reruns.rglob("run.json"))
        if ".reportgen" not in path.relative_to(reruns).parts
    }


def progress(reruns: Path) -> dict[str, int]:
    """Return job to updates done, of every job in progress."""
    found = {}
    for path in (reruns / ".reportgen" / "work").glob("*/progress.json"):
        try:
            found[path.parent.name] = int(json.loads(path.read_text()).get("step", 0))
        except (OSError, ValueError):
            continue
    return found


def checkpoints(reruns: Path) -> list[Path]:
    """Return every checkpoint of a job in progress."""
    return sorted((reruns / ".reportgen" / "work").glob("*/checkpoint-*"))


def start(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.Popen[str]:
    """Start `reportgen ARGUMENTS` as leader of a process group, and do not wait."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("REPORTGEN_")}
    return subprocess.Popen(
        [sys.executable, "-m", "reportgen", *map(str, arguments)],
        cwd=cwd,
        env=_quiet(kept) | {"REPORTGEN_CACHE": str(cwd / ".cache")} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _quiet(environment: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in environment.items() if k != "SOURCE_DATE_EPOCH"}


def trainers(store: Path) -> list[int]:
    """Return the processes that train for a run store."""
    return [pid for pid, words in _commands() if _trains(words, store)]


def family(store: Path) -> list[int]:
    """Return the processes that train for a run store, and their guards."""
    return [pid for pid, words in _commands() if str(store).encode() in words]


def _trains(words: list[bytes], store: Path) -> bool:
    if str(store).encode() not in words or b"reportgen.train" not in words:
        return False
    return not any(word.endswith(b"guard.py") for word in words)


def _commands() -> list[tuple[int, list[bytes]]]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and is_alive(int(entry.name)):
            try:
                found.append((int(entry.name), (entry / "cmdline").read_bytes().split(b"\0")))
            except OSError:
                continue
    return found


def kill(pids: list[int]) -> None:
    """Send kill -9 to processes; one that is gone already is as good."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
