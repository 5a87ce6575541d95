"""Load, build and check 1, 10, 100, 1,000 and 10,000 runs of 1,000 points each.

Runs come in groups of ten seeds: 990 points of training loss, five of validation and five of test
accuracy, in event files as TensorBoard's own writer makes them. Printed are processor seconds and
peak memory of whole processes (their children counted), the size of the page, and by how much
each grows with ten times the runs, after the least of them, one run, is taken off.

With `--workers 2` the runs are built and checked once more with workers of a Dask scheduler on
this machine, of which one is killed once the work has begun; page and findings have to have the
same bytes.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks._timing import inherited
from benchmarks.loading_corpora import first_record, scalars

ROOT = Path(__file__).resolve().parent.parent
SIZES = (1, 10, 100, 1_000, 10_000)
LOSS, EVALUATIONS, SEEDS = 990, 5, 10
LIMIT = 4_000_000_000
CHECK = "from benchmarks.loading_corpora import check_layout; check_layout()"


@dataclass(frozen=True)
class Taken:
    """What a whole process took, its children included."""

    wall: float
    cpu: float
    memory: int


def main() -> None:
    """Make the runs, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=1_000, help="runs of the largest corpus")
    parser.add_argument("--workers", type=int, default=0, help="of a Dask scheduler, one killed")
    parser.add_argument("--folder", type=Path, help="where the corpora are kept for another time")
    arguments, _ = parser.parse_known_args()
    # In a process of its own: torch is large, and what a process holds when it starts another
    # counts for the peak of that one.
    subprocess.run([sys.executable, "-c", CHECK], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as temporary:
        home = arguments.folder or Path(temporary)
        least: dict[str, Taken] = {}
        before: dict[str, Taken] = {}
        for size in (size for size in SIZES if size <= arguments.most):
            runs = write_runs(home / str(size), size)
            taken = measure(runs, home / f"out-{size}")
            page = (home / f"out-{size}" / "report.html").stat().st_size
            print(f"{size} runs; report.html {page / 1e6:.1f} MB")
            least = least or taken
            for stage, one in taken.items():
                print(f"  {stage:<6} {_words(one)}{_growth(one, before.get(stage), least[stage])}")
            before = taken
            if arguments.workers:
                on_workers(runs, home, arguments.workers)


def write_runs(root: Path, runs: int) -> Path:
    """Write so many runs, unless they lie there."""
    for run in range(0 if root.exists() else runs):
        group, seed = divmod(run, SEEDS)
        folder = root / f"group{group:04}" / str(seed)
        folder.mkdir(parents=True)
        with (folder / f"events.out.tfevents.{1_700_000_000 + run}.lab.{run}.0").open("wb") as file:
            file.write(first_record())
            file.writelines(scalars(run, LOSS, ("train/loss",), begin=1))
            tags = ("eval/accuracy", "test/accuracy")
            file.writelines(scalars(run, EVALUATIONS, tags, begin=LOSS - EVALUATIONS + 1))
    return root


def measure(runs: Path, out: Path) -> dict[str, Taken]:
    """Return what each stage takes."""
    python, reportgen = [sys.executable, "-c"], [sys.executable, "-m", "reportgen"]
    return {
        "load": spend([*python, f"import reportgen; reportgen.load({str(runs)!r})"]),
        "build": spend([*reportgen, *_build(runs, out)]),
        "check": spend([*reportgen, *_check(runs, out / "report.md", out / "findings.json")]),
    }


def _build(runs: Path, out: Path) -> list[str]:
    return ["build", "--runs", str(runs), "--out", str(out), "--format", "html,md", "--no-cache"]


def _check(runs: Path, report: Path, findings: Path) -> list[str]:
    limits = ["--timeout", "3600", "--fail-on", "never"]
    where = ["--runs", str(runs), "--format", "json", "--out", str(findings)]
    return ["check", str(report), *where, *limits]


def spend(command: Sequence[str]) -> Taken:
    """Run a whole process to its end."""
    with tempfile.TemporaryFile() as said:
        begun = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, env=inherited(), stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if process.returncode:
            raise SystemExit(f"{command} failed:\n{said.read().decode()[-2000:]}")
    return Taken(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def on_workers(runs: Path, home: Path, count: int) -> None:
    """Build and check with the logs read by workers, of which one is killed; compare the files."""
    here, there = home / f"out-{runs.name}", home / f"out-{runs.name}-workers"
    with_one_killed(_build(runs, there), "reading logs", count)
    with_one_killed(
        _check(runs, here / "report.md", there / "findings.json"), "checking reports", count
    )
    for name in ("report.html", "findings.json"):
        same = (here / name).read_bytes() == (there / name).read_bytes()
        print(f"  {name} is the same: {same}")
        if not same:
            raise SystemExit(f"{there / name} differs from what was made here")


def with_one_killed(command: Sequence[str], begun_with: str, count: int) -> None:
    """Run a command on workers of a scheduler, and kill one of them once it says a word."""
    sys.path.insert(0, str(ROOT / "tests"))
    from fakes.dask_cluster import DaskCluster, address_of

    with tempfile.TemporaryDirectory() as temporary:
        cluster = DaskCluster(Path(temporary))
        try:
            pids = [cluster.add_worker(f"n{number}") for number in range(count)]
            where = ["--executor", "dask", "--address", address_of(cluster)]
            begun = time.perf_counter()
            # A terminal is told of each stage at once, a file after seconds.
            terminal, theirs = os.openpty()
            whole = [sys.executable, "-m", "reportgen", *command, *where]
            process = subprocess.Popen(whole, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=theirs)
            os.close(theirs)
            with os.fdopen(terminal, "rb", buffering=0) as told:
                said = _heard(told, begun_with.encode())
                amid = said.decode(errors="replace").rpartition("\x1b[K")[2].strip()
                os.kill(pids[0], 9)
                late = process.poll() is not None
                _heard(told)
            process.wait()
            wall = time.perf_counter() - begun
        finally:
            cluster.close()
    if process.returncode:
        raise SystemExit(f"{command[0]} on workers failed: {process.returncode}")
    amid = "too late, for it was done" if late else f"at {amid!r}"
    print(f"  {command[0]} on {count} workers, one killed {amid}: {wall:.1f} s clock")


def _heard(told: io.FileIO, words: bytes | None = None) -> bytes:
    """Return what a terminal was told, until some words come or nobody writes any more."""
    said = b""
    # Linux has an error where a terminal has no writer left.
    with suppress(OSError):
        while (words is None or words not in said) and (more := told.read(4096)):
            said += more
    return said


def _words(taken: Taken) -> str:
    over = "" if taken.memory <= LIMIT else " (over 4 GB)"
    words = f"{taken.cpu:8.2f} s processor {taken.wall:8.2f} s clock"
    return f"{words} {taken.memory / 1e6:7.0f} MB{over}"


def _growth(taken: Taken, before: Taken | None, least: Taken) -> str:
    """Return how many times more each takes than a tenth of the runs did."""
    if before is None or before == least:
        return ""
    cpu = (taken.cpu - least.cpu) / max(before.cpu - least.cpu, 0.01)
    memory = (taken.memory - least.memory) / max(before.memory - least.memory, 1)
    return f"   x {cpu:.1f} processor, x {memory:.1f} memory"


if __name__ == "__main__":
    main()
