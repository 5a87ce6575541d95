"""`make fire`: inputs of every format on all cores, a table of what became of them, and a record.

python -m fire --minutes 30             new inputs of every format for half an hour
python -m fire --more 100000 tfevents   so many new ones of some formats
python -m fire --until 100000           new ones of each format until its record says so many
python -m fire --again tfevents 1234    one input once more, with its traceback
python -m fire --page                   only write the table into tests/fire/README.md
"""

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fakes.command import run_to_end

from fire.inputs import Tally, as_plain, bombard, lay, make, table
from fire.record import Record, write_page
from fire.watch import limit_memory

CHUNK = 4000
"""Inputs that one process reads."""

MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())  # noqa: S108


def say(text: object) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Read the arguments, and do what they say."""
    parser = argparse.ArgumentParser(prog="make fire", description=__doc__)
    parser.add_argument("formats", nargs="*", help="names of formats; none takes all")
    parser.add_argument("--more", type=int, default=100_000, help="new inputs of each format")
    parser.add_argument("--until", type=int, help="no more of a format that has had so many")
    parser.add_argument("--skip", type=int, default=0, help="numbers to pass over, first")
    parser.add_argument("--minutes", type=float, default=30.0, help="no more is begun after them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--chunk", nargs=2, type=int, help=argparse.SUPPRESS)
    parser.add_argument("--note", help=argparse.SUPPRESS)
    parser.add_argument("--again", action="store_true", help="FORMAT NUMBER: one input once more")
    parser.add_argument("--page", action="store_true", help="only write the table")
    given = parser.parse_args()
    if given.page:
        write_page()
        return 0
    if given.again:
        return again(given.formats[0], int(given.formats[1]))
    if given.chunk:
        return chunk(given.formats[0], *given.chunk, Path(given.note))
    names = given.formats or list(table())
    record = Record.load()
    left = {
        name: max(0, given.until - record.inputs_of(name)) if given.until else given.more
        for name in names
    }
    return everything(record, left, given.skip, given.minutes, given.jobs)


def again(name: str, number: int) -> int:
    """Read one input with nothing around it, and leave it where it can be looked at."""
    home = Path(tempfile.mkdtemp(prefix="fire-")) / "input"
    path = lay(home, make(name, number))
    say(path)
    for read in (table()[name].read, table()[name].deep):
        try:
            say(str(read(path))[:2000] if read else "")
        except Exception:  # noqa: BLE001 - it is shown
            traceback.print_exc()
    return 0


def chunk(name: str, begin: int, end: int, note: Path) -> int:
    """Read some inputs, and print what became of them as JSON."""
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="fire-") as home:
        limit_memory()
        sys.stdout.write(json.dumps(as_plain(bombard(name, range(begin, end), Path(home), note))))
    return 0


def everything(record: Record, left: dict[str, int], skip: int, minutes: float, jobs: int) -> int:
    """Read again what once was a fault, then new inputs of each format until time is over.

    Args:
        record: What was read before.
        left: Format to how many new inputs are to be read.
        skip: How many numbers are passed over, first.
        minutes: After which no more is begun.
        jobs: Processes at a time.

    Returns:
        The exit code: 1 where something broke a promise.
    """
    end = time.monotonic() + 60 * minutes
    faults = sum(_retry(name, record) for name in left)
    begins = {name: record.next_of(name) + skip for name in left}
    todo = [
        (name, begins[name] + done, begins[name] + min(done + CHUNK, left[name]))
        for done in range(0, max(left.values()), CHUNK)
        for name in left
        if done < left[name]
    ]

    def work(one: tuple[str, int, int]) -> None:
        nonlocal faults
        if time.monotonic() > end:
            return
        tally = _in_process(*one)
        faults += len(tally["faults"])
        record.add(one[0], one[2], tally)
        for number, told in tally["faults"][:5]:
            say(f"FAULT {one[0]} {number}: {told[:300]}")

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, todo))
    say(record.as_table())
    write_page()
    return 1 if faults else 0


def _retry(name: str, record: Record) -> int:
    """Read again what once was a fault; return how many still are."""
    left = record.open_of(name)
    told = {number: _in_process(name, number, number + 1)["faults"] for number in left}
    record.settle(name, [number for number in left if not told[number]])
    for number, faults in told.items():
        for _, fault in faults:
            say(f"STILL {name} {number}: {fault[:300]}")
    return sum(map(bool, told.values()))


def _in_process(name: str, begin: int, end: int) -> dict[str, Any]:
    """Read inputs in a process of their own, which may die of one."""
    with tempfile.NamedTemporaryFile(dir=MEMORY, prefix="fire-note-") as note:
        done = run_to_end(
            [
                sys.executable,
                "-m",
                "fire",
                name,
                "--chunk",
                str(begin),
                str(end),
                "--note",
                note.name,
            ],
            env=os.environ,
        )
        if done.returncode == 0:
            found: dict[str, Any] = json.loads(done.stdout)
            return found
        died = int(Path(note.name).read_text(encoding="ascii") or begin)
    told = f"the process ended with {done.returncode}: {done.stderr[-300:]}"
    return as_plain(Tally(inputs=died - begin, faults=[(died, told)]))


if __name__ == "__main__":
    sys.exit(main())
