"""Read TensorBoard's event files, beside tbparse, TensorBoard's data server, and reading the bytes.

Whole processes timed in turn; every figure is a ratio, round by round, and the table tells the
median, the smallest and the largest. Processor time is user and system time, children included, as
is the server's. `cold` is a process from its start to its end; `warm` is the reading alone, in a
process that has read a small log before. Where tbparse reads a corpus, every point is compared with
its own, to the bit, before anything is timed.

    python -m benchmarks loading [--rounds N] [--only CASE ...] [--small] [--keep FOLDER]

The corpora take 1.3 GB, and twice that while the cache is measured; `--small` makes small ones, for
which the targets do not hold. `--keep` leaves them in a folder, and takes what lies there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks._timing import Contender, Spent, ratios, run_in_turn
from benchmarks.loading_corpora import STEPS, scalars

ROOT = Path(__file__).resolve().parent.parent
READ = "from benchmarks.loading_ways import main; main()"
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1"}
"""For all alike; the command line sets it as well."""

OURS, TWO, SERVER, SUMMED = "one process", "two processes", "data server", "checksum"
SLOW_ROUNDS = 3
"""Where a round takes a minute."""

SETTLED = 2.5
"""Seconds after which what the file system says of a log is believed."""

BUDGET, A_POINT = 64 << 20, 20

Told = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """A line of the table.

    Attributes:
        what: What was measured.
        low, middle, high: Ratios of the rounds.
        target: What they should be.
        wants_less: Whether a smaller ratio is better.
    """

    what: str
    low: float
    middle: float
    high: float
    target: float | None
    wants_less: bool

    def __str__(self) -> str:
        sign, verdict = "at most" if self.wants_less else "at least", ""
        if self.target is not None:
            good = self.middle <= self.target if self.wants_less else self.middle >= self.target
            verdict = "met" if good else "missed"
        target = f"{sign} {self.target:g}" if self.target is not None else ""
        low, middle, high = (_plain(one) for one in (self.low, self.middle, self.high))
        return f"| {self.what} | {middle} | {low} to {high} | {target} | {verdict} |"


@dataclass
class Bench:
    """Corpora and rounds; prints the table as it goes.

    Attributes:
        folder: Where the corpora lie.
        rounds: Rounds of what does not take long.
        size: `full` or `small`.
    """

    folder: Path
    rounds: int
    size: str

    def corpus(self, name: str) -> Path:
        """Return a corpus; it is made where it is missing."""
        path = self.folder / self.size / name
        if not path.exists():
            script = ROOT / "benchmarks" / "loading_corpora.py"
            making = path.with_name(f"{name}.part")
            shutil.rmtree(making, ignore_errors=True)
            subprocess.run([sys.executable, script, name, making, self.size], check=True)
            making.rename(path)
        return path

    def run(
        self, path: Path, ways: Sequence[str], *, warm: bool = False, rounds: int = 0
    ) -> dict[str, list[Spent]]:
        """Time ways of reading a corpus in turn, after its bytes were read once."""
        before = str(self.corpus("tiny")) if warm else "-"
        commands = {way: [sys.executable, "-c", READ, way, str(path), before] for way in ways}
        subprocess.run([sys.executable, "-c", READ, SUMMED, path, "-"], cwd=ROOT, check=True,
                       capture_output=True)  # fmt: skip
        return run_in_turn(
            [Contender(way, command) for way, command in commands.items()],
            rounds=rounds or self.rounds,
            cwd=ROOT,
            environment=ENVIRONMENT,
            uncounted=0 if rounds else 1,
        )

    def compare(self, name: str) -> None:
        """Compare with tbparse, point by point."""
        path = self.corpus(name)
        (spent,) = self.run(path, ["compare"], rounds=1)["compare"]
        print(f"{name}: {told(spent)['points']} points equal to tbparse's, to the bit",
            file=sys.stderr, flush=True)  # fmt: skip

    def add(
        self,
        what: str,
        above: Sequence[float],
        below: Sequence[float],
        target: float | None = None,
        *,
        wants_less: bool = False,
    ) -> None:
        """Add a line: one sequence beside another, round by round."""
        wanted = target if self.size == "full" else None
        print(Row(what, *ratios(above, below), wanted, wants_less), flush=True)

    def add_peak(self, what: str, runs: Sequence[Spent], largest_tag: int) -> None:
        """Add a line of memory: the process's peak beside what its points have to take."""
        points = told(runs[0])["points"]
        budget = points * A_POINT + BUDGET + largest_tag * A_POINT
        peaks = [told(one)["peak"] for one in runs]
        self.add(what, peaks, [budget] * len(runs), 1.3, wants_less=True)


def student(bench: Bench) -> None:
    """A student's lab."""
    bench.compare("student")
    server, floor = "data server", "numpy and bytes"
    ways = ["tree", "load", "tbparse", server, floor]
    spent = bench.run(bench.corpus("student"), ways)
    seconds = {way: cpu(runs) for way, runs in spent.items()}
    name = "student lab, cold"
    bench.add(f"{name}: tbparse / ours, processor", seconds["tbparse"], seconds["tree"], 10)
    bench.add(f"{name}: data server / ours, processor", seconds[server], seconds["tree"])
    bench.add(f"{name}: ours / importing numpy and reading the bytes, processor",
              seconds["tree"], seconds[floor], 1.4, wants_less=True)  # fmt: skip
    bench.add(f"{name}: tbparse / `reportgen.load`, processor", seconds["tbparse"],
              seconds["load"], 9)  # fmt: skip
    bench.add(f"{name}: `reportgen.load` / importing numpy and reading the bytes, processor",
              seconds["load"], seconds[floor], 1.6, wants_less=True)  # fmt: skip


def group500k(bench: Bench) -> None:
    """Five runs of a group, half a million points."""
    bench.compare("group500k")
    rounds = min(bench.rounds, SLOW_ROUNDS)
    path, plain = bench.corpus("group500k"), "plain reader"
    spent = bench.run(path, [OURS, "tbparse", plain], rounds=rounds)
    ours = cpu(spent[OURS])
    bench.add("500,000 points, cold: tbparse / ours, processor", cpu(spent["tbparse"]), ours, 50)
    bench.add("500,000 points, cold: our plain reader / ours, processor", cpu(spent[plain]), ours)
    spent = bench.run(path, [OURS, "tbparse"], warm=True, rounds=rounds)
    ours = inside(spent[OURS])
    bench.add("500,000 points, warm: tbparse / ours, processor",
              inside(spent["tbparse"]), ours, 100)  # fmt: skip


def group(bench: Bench) -> None:
    """A group of 200 runs."""
    spent = bench.run(bench.corpus("group"), [OURS, TWO, SERVER, SUMMED])
    points = f"{told(spent[OURS][0])['points'] / 1e6:g} million points"
    bench.add(f"{points}, cold: data server / ours, processor",
              cpu(spent[SERVER]), cpu(spent[OURS]), 3)  # fmt: skip
    bench.add(f"{points}, cold: data server / ours in two processes, wall",
              wall(spent[SERVER]), wall(spent[TWO]), 2)  # fmt: skip
    bench.add(f"{points}, cold: data server / ours in one process, wall",
              wall(spent[SERVER]), wall(spent[OURS]))  # fmt: skip
    bench.add(f"{points}, cold: ours / reading and CRC32C of the bytes, processor",
              cpu(spent[OURS]), cpu(spent[SUMMED]), 12, wants_less=True)  # fmt: skip
    bench.add(f"{points}, cold: ours in two processes / reading and CRC32C of the bytes, wall",
              wall(spent[TWO]), wall(spent[SUMMED]), 7, wants_less=True)  # fmt: skip
    largest = STEPS[bench.size][0]
    bench.add_peak(f"{points}: peak memory / budget, one process", spent[OURS], largest)
    bench.add_peak(f"{points}: peak memory / budget, reading in two others", spent[TWO], largest)
    servers = [told(one)["peak_of_children"] for one in spent[SERVER]]
    ours = [told(one)["peak"] for one in spent[OURS]]
    bench.add(f"{points}: peak memory, data server / ours", servers, ours)


def giant(bench: Bench) -> None:
    """One large file with histograms and images."""
    spent = bench.run(bench.corpus("giant"), [OURS, SERVER, SUMMED])
    points = told(spent[OURS][0])["points"]
    name = f"one file of {points / 1e6:g} million points, histograms and images"
    bench.add(f"{name}, cold: data server / ours, processor",
              cpu(spent[SERVER]), cpu(spent[OURS]), 2)  # fmt: skip
    bench.add(f"{name}, cold: ours / reading and CRC32C of the bytes, processor",
              cpu(spent[OURS]), cpu(spent[SUMMED]), 10, wants_less=True)  # fmt: skip
    bench.add_peak(f"{name}: peak memory / budget", spent[OURS], STEPS[bench.size][1])
    servers = [told(one)["peak_of_children"] for one in spent[SERVER]]
    ours = [told(one)["peak"] for one in spent[OURS]]
    bench.add(f"{name}: peak memory, data server / ours", servers, ours)


def shuffled(bench: Bench) -> None:
    """Steps out of order."""
    bench.compare("shuffled")
    rounds = max(bench.rounds, 9)
    paths = {name: bench.corpus(name) for name in ("group500k", "shuffled")}
    before = str(bench.corpus("tiny"))
    spent = run_in_turn(
        [
            Contender(name, [sys.executable, "-c", READ, OURS, str(path), before])
            for name, path in paths.items()
        ],
        rounds=rounds,
        cwd=ROOT,
        environment=ENVIRONMENT,
    )
    mixed, ordered = (
        [one["cpu"] / one["points"] for one in map(told, spent[name])]
        for name in ("shuffled", "group500k")
    )
    bench.add("steps out of order, warm: ours a point / ours a point in order, processor",
              mixed, ordered, 2, wants_less=True)  # fmt: skip


def cache(bench: Bench) -> None:
    """Columns that are kept between runs of the program."""
    runs: dict[str, list[Spent]] = {}

    def read(path: Path, **ways: str) -> None:
        for name, way in ways.items():
            runs.setdefault(name, []).extend(bench.run(path, [way], warm=True, rounds=1)[way])

    with tempfile.TemporaryDirectory(dir=bench.folder) as temporary:
        os.environ["BENCHMARK_CACHE"] = str(Path(temporary) / "cache")
        path = Path(shutil.copytree(bench.corpus("group"), Path(temporary) / "group"))
        time.sleep(SETTLED)
        read(path, first="cache", beside_first=OURS)
        for _ in range(bench.rounds):
            read(path, unchanged="cache", looked_at="cache, touched", full=OURS)
        for turn in range(bench.rounds):
            _write_on(bench, path, turn)
            read(path, appended="cache", again="cache", more=OURS)
    name = f"{told(runs['full'][0])['points'] / 1e6:g} million points, warm"
    for what, above, below, target in (
        ("unchanged, from the cache / read", "unchanged", "full", 0.08),
        ("the same, every value looked at / read", "looked_at", "full", None),
        ("1 % appended to every file, with the cache / read", "appended", "more", 0.25),
        ("unchanged since that, from the cache / read", "again", "more", None),
        ("read and kept for the first time / read", "first", "beside_first", None),
    ):
        for kind, seconds in (("wall", inside_wall), ("processor", inside)):
            bench.add(f"{name}: {what}, {kind}", seconds(runs[above]), seconds(runs[below]),
                      target, wants_less=True)  # fmt: skip


def _write_on(bench: Bench, path: Path, turn: int) -> None:
    """Append a hundredth to every log of the group."""
    written = STEPS[bench.size][0]
    more = written // 100
    for run, log in enumerate(sorted(path.rglob("*tfevents*"))):
        with log.open("ab") as file:
            file.writelines(scalars(run, more, begin=written + turn * more))
    time.sleep(SETTLED)


CASES: dict[str, Callable[[Bench], None]] = {
    "student": student,
    "group500k": group500k,
    "group": group,
    "giant": giant,
    "shuffled": shuffled,
    "cache": cache,
}


def told(spent: Spent) -> Told:
    """Return what a way said of itself."""
    found: Told = json.loads(spent.told)
    return found


def cpu(runs: Sequence[Spent]) -> list[float]:
    """Return processor seconds of whole processes."""
    return [one.cpu for one in runs]


def wall(runs: Sequence[Spent]) -> list[float]:
    """Return seconds of whole processes."""
    return [one.wall for one in runs]


def inside(runs: Sequence[Spent]) -> list[float]:
    """Return processor seconds of the reading alone."""
    return [told(one)["cpu"] for one in runs]


def inside_wall(runs: Sequence[Spent]) -> list[float]:
    """Return seconds of the reading alone."""
    return [told(one)["wall"] for one in runs]


def _plain(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 2 else f"{ratio:.2f}"


def main() -> None:
    """Make the corpora, time the ways, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_known_args()[0]
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or Path(temporary)).absolute()
        size = "small" if options.small else "full"
        (folder / size).mkdir(parents=True, exist_ok=True)
        bench = Bench(folder, options.rounds, size)
        print(f"{options.rounds} rounds, of tbparse on half a million points {SLOW_ROUNDS}\n")
        print("| what | median | min to max | target | |\n|---|---|---|---|---|", flush=True)
        for name in options.only:
            CASES[name](bench)


if __name__ == "__main__":
    main()
