"""Read folders of many runs in two processes, beside one.

Event files as TensorBoard's own writer writes them, in folders of several counts and sizes. Two
processes are always started, to show from where on that pays; the last column says whether a build
would have done so. Every figure is a ratio of whole processes timed in turn on one machine. Beside
it stand processor seconds, which can be counted on a machine that others use as well, and the ratio
that follows from them for two idle cores: this process's share, and half of that of the others.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks._timing import Contender, ratios, time_in_turn

ROOT = Path(__file__).resolve().parent.parent
LABS = (
    (200, 2, 10), (3000, 2, 10), (1000, 5, 50), (200, 10, 200), (200, 10, 1000), (1000, 10, 200),
    (200, 20, 2000),
)  # fmt: skip
"""Files, tags a file, points a tag."""

READ = """\
import sys
from pathlib import Path
from reportgen.app.reading import LogOptions, silent
from reportgen.app.reading import read_logs
read_logs(Path(sys.argv[1]), silent, LogOptions(jobs=int(sys.argv[2]), digests=False, cache=None))
"""
COST = """\
import json, os, resource, sys
from pathlib import Path
from reportgen.app.reading import FILE_COST, PAYS_FROM
from reportgen.train.executors import open_pool
from reportgen.read.logs.one_file import Reading
from reportgen.read.logs.tree import find_tree, read_tree
import reportgen.read.logs.events.batch, reportgen.read.logs.events
def spent(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime
found = find_tree(Path(sys.argv[1]))
before = spent(resource.RUSAGE_SELF)
read_tree(found, reading=Reading(digests=False))
alone = spent(resource.RUSAGE_SELF) - before
before = spent(resource.RUSAGE_SELF)
with open_pool(workers=2) as pool:
    read_tree(found, pool=pool, reading=Reading(digests=False))
here, there = spent(resource.RUSAGE_SELF) - before, spent(resource.RUSAGE_CHILDREN)
cost = sum(FILE_COST + file.size for file in found.logs)
print(json.dumps([alone, here, there, cost / 1e6, cost >= PAYS_FROM]))
"""


@dataclass(frozen=True)
class Cost:
    """Processor seconds, and what a build would do.

    Attributes:
        alone: Reading in one process.
        here: What is left to that process when two others read.
        there: Both others, with their start.
        size: Millions of bytes, with what a file costs by itself.
        pays: Whether a build would start them.
    """

    alone: float
    here: float
    there: float
    size: float
    pays: bool

    @property
    def idle(self) -> float:
        """Two processes beside one, where each has a core for itself."""
        return (self.here + self.there / 2) / self.alone


def _write(folder: Path, files: int, tags: int, steps: int) -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    from fakes.many_runs import write_runs

    write_runs(folder, files, tags=tags, steps=steps)


def _cost(folder: Path, environment: dict[str, str]) -> Cost:
    done = subprocess.run(
        [sys.executable, "-c", COST, str(folder)],
        env={**os.environ, **environment},
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return Cost(*json.loads(done.stdout))


def main() -> None:
    """Time the contenders and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_known_args()[0].rounds
    environment = {"OPENBLAS_NUM_THREADS": "1"}
    print(f"{rounds} rounds in turn (min / median / max)")
    for files, tags, steps in LABS:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            _write(folder, files, tags, steps)
            seconds = time_in_turn(
                [
                    Contender(jobs, [sys.executable, "-c", READ, str(folder), jobs])
                    for jobs in ("1", "2")
                ],
                rounds=rounds,
                cwd=ROOT,
                environment=environment,
            )
            costs = [_cost(folder, environment) for _ in range(rounds)]
        low, middle, high = ratios(seconds["2"], seconds["1"])
        alone, here, there, idle = (
            statistics.median(getattr(cost, name) for cost in costs)
            for name in ("alone", "here", "there", "idle")
        )
        least, most = min(cost.idle for cost in costs), max(cost.idle for cost in costs)
        print(
            f"  {files} files of {tags} x {steps} points, cost {costs[0].size:.1f} million bytes: "
            f"two / one {low:.2f} / {middle:.2f} / {high:.2f}; processor seconds {alone:.2f} in "
            f"one, {here:.2f} + {there:.2f} with two, so on idle cores {least:.2f} / {idle:.2f} / "
            f"{most:.2f}; a build uses "
            f"{'two' if costs[0].pays else 'one'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
