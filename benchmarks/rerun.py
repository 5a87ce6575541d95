"""Six fine-tunes of the sample grid: `reportgen rerun` beside the Hugging Face Trainer.

Both train the same six cells from the same files, with the same number of updates and the same
evaluations, on the same device; the Trainer one run after another in one process, with one thread
and with all of them. Whole processes are timed in turn; training without start-up is told apart.

Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks._timing import ratios

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "inputs" / "tiny-grid"
CELLS = 6


def train_ours(home: Path) -> dict[str, Any]:
    """Train all cells of an empty grid; return seconds, whole and without start-up."""
    study = home / "study.toml"
    begun = time.perf_counter()
    command = [sys.executable, "-m", "reportgen", "rerun", str(study), "--yes", "--quiet"]
    subprocess.run(command, check=True, capture_output=True, env=_environment())
    whole = time.perf_counter() - begun
    from reportgen.app import load

    runs = [run for run in load(home / "reruns", study=study) if run.rerun]
    if len(runs) != CELLS:
        raise SystemExit(f"{len(runs)} of {CELLS} cells were trained")
    found = {(run.group, run.seed): run for run in runs}
    # The cells lie in as many queues as there are workers; the longest one is what one waits for.
    workers = len(os.sched_getaffinity(0))
    queues = [0.0] * workers
    for run in sorted(runs, key=lambda run: -run.rerun.seconds if run.rerun else 0.0):
        queues[queues.index(min(queues))] += run.rerun.seconds if run.rerun else 0.0
    curves = {}
    for cell, run in found.items():
        series = run.find("accuracy", "test")
        curves[cell] = [value for _, value in series.points()] if series else []
    return {"whole": whole, "training": max(queues), "curves": curves}


def train_theirs(home: Path, threads: int) -> dict[str, Any]:
    """Train the same cells with the Trainer, one after another."""
    begun = time.perf_counter()
    script = ROOT / "benchmarks" / "rerun_trainer.py"
    command = [sys.executable, str(script), str(home), str(threads)]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env=_environment(threads)
    )
    whole = time.perf_counter() - begun
    runs = json.loads(done.stdout.splitlines()[-1])
    return {
        "whole": whole,
        "training": sum(run["seconds"] for run in runs),
        "curves": {(run["group"], run["seed"]): run["test"] for run in runs},
    }


def _environment(threads: int = 1) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "OMP_NUM_THREADS": str(threads), "TOKENIZERS_PARALLELISM": "false"}


def empty_grid(folder: Path) -> Path:
    """Copy the sample without its logs: every cell is missing."""
    home = folder / "grid"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(SAMPLE, home, ignore=shutil.ignore_patterns("logs", "reruns"))
    return home


def main() -> None:
    """Print how many times longer the Trainer takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=3)
    arguments, _ = parser.parse_known_args()
    cores = len(os.sched_getaffinity(0))
    times: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            times.setdefault("ours", []).append(train_ours(empty_grid(Path(folder))))
            for threads in sorted({1, cores}):
                name = f"Trainer, {threads} thread{'s' if threads > 1 else ''}"
                found = train_theirs(empty_grid(Path(folder)), threads)
                times.setdefault(name, []).append(found)
    ours = times.pop("ours")
    for name, theirs in times.items():
        for what in ("training", "whole"):
            low, middle, high = ratios([t[what] for t in theirs], [o[what] for o in ours])
            print(f"{name} / ours, {what}: {middle:.2f} ({low:.2f} to {high:.2f})")
    apart = [
        abs(a - b)
        for cell, curve in next(iter(times.values()))[0]["curves"].items()
        for a, b in zip(curve, ours[0]["curves"][cell], strict=True)
    ]
    print(
        f"test accuracy, ours and theirs, {len(apart)} evaluations: mean difference "
        f"{statistics.mean(apart):.4f}, largest {max(apart):.4f}"
    )


if __name__ == "__main__":
    main()
