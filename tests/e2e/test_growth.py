"""Twice as many runs call no function of ours much more than twice as often: counted, not timed."""

import json
import math
import os
import sys
from pathlib import Path

import pytest
from fakes.command import run_to_end

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes choose no core"),
]

# Both are crowds, which pages print in excerpts.
FEW, MANY = 600, 1200
# So many groups have more names than the 512 patterns that `re` keeps.
SEEDS = 2
# What is looked up for every run costs twice as much, what is looked up for every pair four times.
# What a report says of its values, and so what is read in it, differs a little with them.
MOST = 2.2
# Calls that are no matter yet, at less than a hundredth of a second.
NEGLIGIBLE = 50_000
# A pattern that is made takes as long as some hundred calls.
PATTERNS, NEGLIGIBLE_PATTERNS = "patterns made by re", 2_000

# One core, so that no other process takes a part of the work; what is checked is, for the same
# reason, judged where it is asked for.
COUNT = """
import cProfile, json, os, pstats, sys
from pathlib import Path
from reportgen.__main__ import main
from reportgen.app.checking import judge
from reportgen.app.evidence import EvidencePaths
from reportgen.app.submissions import Submission

def check(report, runs):
    judge(Submission(name="r", report=Path(report), evidence=EvidencePaths(runs=Path(runs))))

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
what, arguments = (check, sys.argv[2:]) if sys.argv[1] == "check" else (main, [])
profile = cProfile.Profile()
try:
    profile.runcall(what, *arguments)
except SystemExit as end:
    assert not end.code, end.code
counted = {}
for (file, line, name), (_, calls, *_) in pstats.Stats(profile).stats.items():
    if os.sep + "reportgen" + os.sep in file:
        counted[f"{Path(file).name}:{line} {name}"] = calls
    elif file.endswith(os.path.join("re", "_compiler.py")) and name == "compile":
        counted["patterns made by re"] = calls
print("calls", json.dumps(counted))
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


def calls(home: Path, *arguments: str | Path) -> dict[str, int]:
    """How often a command calls each function of the package, in one process."""
    done = run_to_end([sys.executable, "-c", COUNT, *map(str, arguments)], cwd=home)
    assert done.returncode == 0, done.stderr
    counted: dict[str, int] = json.loads(done.stdout.rsplit("calls ", 1)[1])
    return counted


def spent(home: Path, count: int) -> dict[str, dict[str, int]]:
    home.mkdir()
    runs = write_runs(home / "runs", count)
    build = ("build", "--runs", runs, "--out", "out", "--format", "html,md", "--no-cache")
    return {
        "inspect": calls(home, "inspect", runs),
        "build": calls(home, *build),
        "check": calls(home, "check", "out/report.md", runs),
    }


def negligible(name: str) -> int:
    return NEGLIGIBLE_PATTERNS if name == PATTERNS else NEGLIGIBLE


def test_no_function_is_called_for_every_pair_of_runs(tmp_path: Path) -> None:
    few, many = spent(tmp_path / "few", FEW), spent(tmp_path / "many", MANY)
    for stage, often in many.items():
        assert max(often.values()) > NEGLIGIBLE, stage
        growth = {
            name: (few[stage].get(name, 0), count)
            for name, count in often.items()
            if count > max(negligible(name), MOST * few[stage].get(name, 0))
        }
        assert growth == {}, stage
