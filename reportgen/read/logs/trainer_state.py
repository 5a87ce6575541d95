"""`trainer_state.json` of the Hugging Face Trainer: its log history, in double precision."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from reportgen.read.logs._columns import Columns, is_step
from reportgen.read.logs._files import count_points, read_json
from reportgen.read.logs._numbers import OddCells, as_number, repeats
from reportgen.records.run import Log, Problem, Source

KIND = "trainer_state"
_PREFIXES = ("eval", "test", "predict")
_SUMMARY_MARK = "train_runtime"
_CLOCKS = ("runtime", "_per_second", "_time")
"""How long an evaluation took is another number each time."""
_BEST = "best_model_checkpoint"
"""Path of the best checkpoint; null where none was kept track of, which is empty here."""


def load_trainer_state(path: Path, name: str) -> tuple[Log, ...]:
    """Read the log history under the tags that the same run's event file uses.

    Args:
        path: The file.
        name: POSIX path relative to the root.

    Returns:
        One log; wall times are NaN, since the file has none. The scalar keys beside the
        history (`best_metric`, `max_steps`, ...) are its configuration.
    """
    state, empty = read_json(path, name, KIND)
    if not state:
        return (empty,)
    history = state.get("log_history")
    if not isinstance(history, list):
        problem = Problem(path=name, message="no log_history in it: not a trainer state")
        return (Log(source=empty.source, problems=(problem,)),)
    columns, again, problems = _read_history(history, name)
    series = {
        tag: replace(one, again=(again[tag], math.nan)) if tag in again else one
        for tag, one in columns.series(name).items()
    }
    if not series:
        problems.append(Problem(path=name, message="log_history is empty: no point was logged"))
    measured = {tag: one for tag, one in series.items() if not tag.endswith(_CLOCKS)}
    problems.extend(Problem(path=name, message=told) for told, *_ in repeats(measured))
    source = Source(
        path=name,
        kind=KIND,
        size=empty.source.size,
        sha256=empty.source.sha256,
        points=count_points(series),
    )
    config = {k: v for k, v in state.items() if isinstance(v, bool | int | float | str)}
    if state.get(_BEST, "") is None:
        config[_BEST] = ""
    return (Log(source=source, series=series, config=config, problems=tuple(problems)),)


def _read_history(
    history: list[object], name: str
) -> tuple[Columns, dict[str, float], list[Problem]]:
    """Return every value of the history by its tag, what was measured again, and what is amiss."""
    columns, problems, odd = Columns(), [], OddCells(name, "entry")
    again: dict[str, float] = {}
    evaluated: dict[tuple[str, int], float] = {}
    finished = False
    for number, entry in enumerate(history, start=1):
        step = _read_step(entry.get("step")) if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or step is None:
            message = f"entry {number} of log_history has no step that is a whole number; left out"
            problems.append(Problem(path=name, message=message))
            continue
        for tag, cell in _cells(entry):
            value = as_number(cell)
            if value is None:
                odd.add(tag, cell, number)
                continue
            first = evaluated.get((tag, step))
            if finished and first is not None:
                # An evaluation after training may be of the best weights, loaded again.
                if first != value:
                    again[tag] = value
                continue
            evaluated[tag, step] = value
            columns[tag].add(step, value)
        finished = finished or _SUMMARY_MARK in entry
    return columns, again, [*problems, *odd.problems([columns])]


def _read_step(value: object) -> int | None:
    """Return a whole number, which a program may have written as 30.0; None for any other."""
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    return whole if isinstance(whole, int) and is_step(whole) else None


def _cells(entry: dict[str, object]) -> Iterator[tuple[str, object]]:
    """Yield (tag, value) as the Trainer's TensorBoard callback names them.

    Source: `transformers/integrations/integration_utils.py`, `rewrite_logs`.
    """
    for key, value in entry.items():
        if key != "step":
            prefix, _, rest = key.partition("_")
            yield f"{prefix}/{rest}" if prefix in _PREFIXES and rest else f"train/{key}", value
