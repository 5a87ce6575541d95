"""Check reports beside taking the text of the same documents and nothing else.

(a) 200 submissions that share one lab's logs, Markdown, LaTeX and PDF in turn: whole processes, as
    many on each side.
(b) 200 reports beside 60 runs of 100,000 points and four tags, which are there as records: reading
    logs does not count, the catalogue of their values does.
(c) a second check of a report when nothing has changed, beside a process that imports numpy.

The peer takes the text of each page of a PDF with pypdfium2, the library that reads PDFs here, and
reads the other files, for which there is next to nothing to do. What the same documents take as
blocks, tables and places is told too: no check can do without.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks._timing import Contender, Spent, ratios, run_in_turn

ROOT = Path(__file__).resolve().parent.parent
WAYS = str(ROOT / "benchmarks" / "check_ways.py")


def way(name: str, *arguments: str) -> Contender:
    """Return a process that goes one of the ways of `check_ways`."""
    return Contender(name, [sys.executable, WAYS, name, *arguments])


def checking(name: str, *arguments: str) -> Contender:
    """Return a process that checks."""
    command = [sys.executable, "-m", "reportgen", "check", *arguments, "--fail-on", "never"]
    return Contender(name, command)


def tell(what: str, ours: Sequence[float], theirs: Sequence[float], target: float = 0.0) -> None:
    """Print one line of the table."""
    low, middle, high = ratios(ours, theirs)
    aim = ""
    if target:
        aim = f"  (target at most {target:g}: {'met' if middle <= target else 'missed'})"
    print(
        f"  {what}: {low:.2f} / {middle:.2f} / {high:.2f}, "
        f"{statistics.median(ours):.2f} s beside {statistics.median(theirs):.2f} s{aim}"
    )


def wall(spent: Sequence[Spent]) -> list[float]:
    """Return wall seconds."""
    return [one.wall for one in spent]


def beside_text(rounds: int, count: int, folder: Path) -> None:
    """(a)."""
    from benchmarks.check_ways import write_class
    from reportgen.train.executors import count_cores

    cores = str(count_cores())
    logs, reports = write_class(folder, count)
    written = ["--format", "json", "--out", str(folder / "out"), "--jobs", cores]
    spent = run_in_turn(
        [
            checking("check", str(reports), "--runs", str(logs), *written),
            way("text", str(reports), cores),
            way("blocks", str(reports), cores),
        ],
        rounds=rounds,
        cwd=ROOT,
        environment={"OPENBLAS_NUM_THREADS": "1"},
    )
    tell("(a) check / text", wall(spent["check"]), wall(spent["text"]), 5)
    tell("(a) check / blocks", wall(spent["check"]), wall(spent["blocks"]))
    processor = {name: [one.cpu for one in each] for name, each in spent.items()}
    tell("(a) check / text, processor", processor["check"], processor["text"])
    tell("(a) check / blocks, processor", processor["check"], processor["blocks"])


def beside_long_runs(rounds: int, folder: Path) -> None:
    """(b)."""
    from benchmarks.check_ways import write_long_class

    reports = write_long_class(folder)
    spent = run_in_turn(
        [way("long", str(reports))], rounds=rounds, cwd=ROOT, environment={}, uncounted=0
    )["long"]
    told = [json.loads(one.told) for one in spent]
    texts = [one["text"] for one in told]
    tell("(b) check / text", [one["check"] for one in told], texts, 8)
    tell("(b) check / blocks", [one["check"] for one in told], [one["blocks"] for one in told])


def again(rounds: int, folder: Path) -> None:
    """(c)."""
    from benchmarks.check_ways import write_class

    logs, reports = write_class(folder, 1)
    [report] = reports.glob("*/report.*")
    spent = run_in_turn(
        [
            checking("check", str(report), "--runs", str(logs)),
            Contender("numpy", [sys.executable, "-c", "import numpy"]),
        ],
        rounds=4 * rounds,
        cwd=ROOT,
        environment={"REPORTGEN_CACHE": str(folder / "cache")},
    )
    tell("(c) second check / import numpy", wall(spent["check"]), wall(spent["numpy"]), 1)


def main() -> None:
    """Time the contenders and print the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", default="abc", metavar="LETTERS")
    arguments, _ = parser.parse_known_args()
    print(f"check, {arguments.rounds} rounds (min / median / max of the ratios):")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if "a" in arguments.only:
            beside_text(arguments.rounds, arguments.count, folder / "a")
        if "b" in arguments.only:
            beside_long_runs(arguments.rounds, folder / "b")
        if "c" in arguments.only:
            again(arguments.rounds, folder / "c")


if __name__ == "__main__":
    main()
