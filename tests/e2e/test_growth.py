"""Twice as many runs more cost no more than twice the calls: counted, not timed."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes choose no core"),
]

# All are crowds, which pages print in excerpts; in differences the costs of any report fall out.
SIZES = (600, 800, 1200)
SEEDS = 5
# Steps are even now and then: a list that is sorted, a memory that is emptied.
SLACK = 1.05

# One core, so that no other process takes a part of the work; what is checked is, for the same
# reason, judged where it is asked for.
COUNT = """
import cProfile, os, pstats, sys
from pathlib import Path
from reportgen.__main__ import main
from reportgen.api.checking import judge
from reportgen.api.evidence import EvidencePaths
from reportgen.api.submissions import Submission

def check(report, runs):
    judge(Submission(name="r", report=Path(report), evidence=EvidencePaths(runs=Path(runs))))

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
what, arguments = (check, sys.argv[2:]) if sys.argv[1] == "check" else (main, [])
profile = cProfile.Profile()
try:
    profile.runcall(what, *arguments)
except SystemExit as end:
    assert not end.code, end.code
print("calls", pstats.Stats(profile).total_calls)
"""


def write_runs(root: Path, count: int) -> Path:
    for number in range(count):
        group, seed = divmod(number, SEEDS)
        folder = root / f"group{group:04}" / f"seed{seed}"
        folder.mkdir(parents=True)
        level = 0.6 + 0.3 * math.sin(number)
        rows = [
            f"{epoch * 50},{epoch},{2 / epoch + level:.4f},{level - 0.2 / epoch:.4f},{level:.4f}"
            for epoch in range(1, 6)
        ]
        head = "step,epoch,train/loss,valid/accuracy,test/accuracy"
        (folder / "metrics.csv").write_text("\n".join([head, *rows]), encoding="utf-8")
    return root


def calls(home: Path, *arguments: str | Path) -> int:
    """Functions that a command calls, in one process: of its own, of libraries, and built in."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=home,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.rsplit("calls ", 1)[1])


def spent(home: Path, count: int) -> dict[str, int]:
    home.mkdir()
    runs = write_runs(home / "runs", count)
    build = ("build", "--runs", runs, "--out", "out", "--format", "html,md", "--no-cache")
    return {
        "inspect": calls(home, "inspect", runs),
        "build": calls(home, *build),
        "check": calls(home, "check", "out/report.md", runs),
    }


def test_calls_grow_no_faster_than_runs(tmp_path: Path) -> None:
    few, more, many = (spent(tmp_path / str(size), size) for size in SIZES)
    growth = {stage: (many[stage] - more[stage]) / (more[stage] - few[stage]) for stage in few}
    linear = (SIZES[2] - SIZES[1]) / (SIZES[1] - SIZES[0])
    assert {stage: rate for stage, rate in growth.items() if rate > SLACK * linear} == {}
