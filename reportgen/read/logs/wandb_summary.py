"""`wandb-summary.json` of Weights & Biases: one value a key, as it stood at the end of a run."""

from __future__ import annotations

from pathlib import Path

from reportgen.read.logs._columns import Columns
from reportgen.read.logs._files import count_points, read_json
from reportgen.read.logs._numbers import read_numbers, skipped_note
from reportgen.records.run import Log, Problem, Source

KIND = "wandb_summary"

NO_STEP = -1
"""Where the file does not say after which step it was written."""


def load_wandb_summary(path: Path, name: str) -> tuple[Log, ...]:
    """Read a summary.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log whose series have one point each, at the run's last `_step`. A value may be a
        best one and not the last: the run's history, where there is one, tells.
    """
    summary, empty = read_json(path, name, KIND)
    if not summary:
        return (empty,) if empty.problems else (_nothing(empty, name),)
    row: dict[str, float] = {}
    skipped: dict[str, int] = {}
    read_numbers("", summary, row, skipped)
    step = row.get("_step", float(NO_STEP))
    columns = Columns()
    for key, value in row.items():
        if not key.startswith("_"):
            at = int(step) if abs(step) < 2**63 else NO_STEP
            columns[key].add(at, value, row.get("_timestamp", float("nan")))
    series = columns.series(name)
    if not series:
        return (_nothing(empty, name),)
    source = Source(
        path=name,
        kind=KIND,
        size=empty.source.size,
        sha256=empty.source.sha256,
        points=count_points(series),
    )
    note = skipped_note(skipped)
    problems = (Problem(path=name, message=note, level="note"),) if note else ()
    return (Log(source=source, series=series, problems=problems),)


def _nothing(log: Log, name: str) -> Log:
    # Runs that were never online have a file with the program's own keys alone.
    problem = Problem(path=name, message="no number in it", level="note")
    return Log(source=log.source, problems=(problem,))
