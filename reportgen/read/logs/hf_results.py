"""`all_results.json` and its kind: one number a metric, written when a Trainer script ends."""

from __future__ import annotations

import math
from pathlib import Path

from reportgen.read.logs._columns import Columns
from reportgen.read.logs._files import count_points, read_json
from reportgen.records.run import Log, Problem, Source

KIND = "hf_results"

NO_STEP = -1
"""The files state no step; whoever knows the run's steps puts the points where they belong."""

_PREFIXES = ("eval", "test", "predict")


def load_hf_results(path: Path, name: str) -> tuple[Log, ...]:
    """Read the results of a Trainer script.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log whose series have one point each, at step `NO_STEP`. `eval_accuracy` is
        tagged `eval/accuracy`, all else `train/<key>`, as in the same run's event file.
    """
    results, empty = read_json(path, name, KIND)
    if not results:
        return (empty,)
    columns = Columns()
    for key, value in results.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        prefix, _, rest = key.partition("_")
        tag = f"{prefix}/{rest}" if prefix in _PREFIXES and rest else f"train/{key}"
        columns[tag].add(NO_STEP, _as_float(value))
    series = columns.series(name)
    problems = () if series else (Problem(path=name, message="no number in it"),)
    source = Source(
        path=name,
        kind=KIND,
        size=empty.source.size,
        sha256=empty.source.sha256,
        points=count_points(series),
    )
    return (Log(source=source, series=series, problems=problems),)


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
