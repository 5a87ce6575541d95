"""Build the sample lab's report, beside importing libraries and beside a notebook.

(a) `python -c "import matplotlib, pandas"`: what any script of this kind pays first.
(b) a notebook that makes the same tables and figures with tbparse, pandas and matplotlib,
    run by nbconvert to HTML.

Every figure is a ratio of whole processes timed in turn on one machine.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks._timing import Contender, ratios, time_in_turn

ROOT = Path(__file__).resolve().parent.parent
STUDY = ROOT / "inputs" / "roberta-small-fr" / "study.toml"
TARGETS = (
    ("build, cold cache", "notebook by nbconvert (b)", 0.35),
    ("build, unchanged", "import matplotlib, pandas (a)", 0.25),
)


def _contenders(folder: Path) -> list[Contender]:
    cold, warm = folder / "cold", folder / "warm"
    build = [sys.executable, "-m", "reportgen", "build", str(STUDY), "--quiet"]

    def forget() -> None:
        shutil.rmtree(cold, ignore_errors=True)

    notebook = ROOT / "benchmarks" / "notebook.py"
    return [
        Contender(
            "build, cold cache",
            [*build, "--out", str(cold / "report.pdf"), "--cache", str(cold / "cache")],
            prepare=forget,
        ),
        Contender(
            "build, unchanged",
            [*build, "--out", str(warm / "report.pdf"), "--cache", str(warm / "cache")],
        ),
        Contender(
            "import matplotlib, pandas (a)", [sys.executable, "-c", "import matplotlib, pandas"]
        ),
        Contender(
            "notebook by nbconvert (b)",
            [sys.executable, str(notebook), str(STUDY.parent / "logs"), str(folder / "nb")],
        ),
    ]


def main() -> None:
    """Time the contenders and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_known_args()[0].rounds
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        environment = {"SOURCE_DATE_EPOCH": "1700000000", "MPLCONFIGDIR": str(folder / "mpl")}
        seconds = time_in_turn(
            _contenders(folder), rounds=rounds, cwd=folder, environment=environment
        )
    print(f"wall seconds of whole processes, {rounds} rounds in turn (min / median / max)")
    for name, spent in seconds.items():
        print(f"  {name:<32} {min(spent):.2f} / {statistics.median(spent):.2f} / {max(spent):.2f}")
    print("ratios, round by round (min / median / max)")
    for ours, theirs, target in TARGETS:
        low, middle, high = ratios(seconds[ours], seconds[theirs])
        verdict = "met" if middle <= target else "missed"
        print(
            f"  {ours} / {theirs}: {low:.2f} / {middle:.2f} / {high:.2f}"
            f"  (target at most {target}: {verdict})"
        )


if __name__ == "__main__":
    main()
