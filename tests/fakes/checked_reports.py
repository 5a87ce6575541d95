"""Reports in a few lines, logs as lists of values, and what a check says of each number."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fakes.manuscript_text import read

from reportgen.checking import review
from reportgen.records.facts import Facts
from reportgen.records.run import Clock, Result, Run, Runs, Series
from reportgen.records.study import Study
from reportgen.records.verdict import Evidence, Review, Stored, Verdict
from reportgen.runs import SPLIT_NAMES, is_share, split_tag


def evidence_of(given: Mapping[str, Any]) -> Evidence:
    """Return evidence of lists of values.

    `logs` has the values of each tag of each run (`base/2` is of group `base`, seed 2), `results`
    what was measured once, `configs` what runs were set to; `steps` and `epochs` are those of all
    curves, by default 1, 2, ...; `file` holds the values of plain JSON.
    """
    stored = tuple(_stored(given.get("file", {})))
    logs = given.get("logs", {})
    results = given.get("results", {})
    if not logs and not results:
        return Evidence(stored=stored)
    runs = tuple(
        _run(name, logs.get(name, {}), results.get(name, {}), given)
        for name in dict.fromkeys([*logs, *results])
    )
    facts = Facts(study=Study(), runs=Runs(root="logs", runs=runs), groups=())
    return Evidence(facts=facts, stored=stored)


def _run(
    name: str,
    curves: Mapping[str, Sequence[float]],
    results: Mapping[str, float],
    given: Mapping[str, Any],
) -> Run:
    group, _, last = name.rpartition("/")
    seeded = bool(group) and last.isdigit()
    epochs = given.get("epochs")
    scalars = {}
    for tag, values in curves.items():
        steps = list(given.get("steps", range(1, len(values) + 1)))[: len(values)]
        scalars[tag] = _series(name, tag, steps, values)
    return Run(
        id=name,
        group=group if seeded else name,
        seed=int(last) if seeded else None,
        layout="plain",
        config=given.get("configs", {}).get(name, {}),
        scalars=scalars,
        results=tuple(
            Result(tag=tag, value=value, path=f"{name}/results.json", **_told(tag, [value]))
            for tag, value in results.items()
        ),
        clock=_clock(given.get("steps", epochs), epochs) if epochs else None,
    )


def _series(name: str, tag: str, steps: Sequence[int], values: Sequence[float]) -> Series:
    return Series(
        tag=tag,
        steps=np.array(steps, dtype=np.int64),
        values=np.array(values, dtype=np.float64),
        wall_times=np.arange(len(values), dtype=np.float64),
        path=f"{name}/log.csv",
        **_told(tag, values),
    )


def _told(tag: str, values: Sequence[float]) -> dict[str, str]:
    metric, split = split_tag(tag, SPLIT_NAMES)
    unit = ("percent" if max(values) > 1 else "fraction") if is_share(metric) else ""
    return {"metric": metric, "split": split, "unit": unit}


def _clock(steps: Sequence[int], epochs: Sequence[float]) -> Clock:
    return Clock(
        unit="epoch" if list(steps) == list(epochs) else "step",
        steps=np.array(steps, dtype=np.int64),
        epochs=np.array(epochs, dtype=np.float64),
    )


def _stored(values: Any, keys: tuple[str, ...] = ()) -> Iterator[Stored]:
    if isinstance(values, dict):
        for key, value in values.items():
            yield from _stored(value, (*keys, str(key)))
    elif isinstance(values, list):
        for index, value in enumerate(values):
            yield from _stored(value, (*keys, str(index)))
    else:
        yield Stored(path="results.json", keys=keys, value=values)


def reviewed(folder: Path, text: str, evidence: Evidence, name: str = "report.md") -> Review:
    """Return what a check says of a report."""
    return review(read(folder, name, text), evidence)


def told(review: Review) -> list[str]:
    """Return the numbers that errors and warnings stand at, as they are printed."""
    return [_printed(one) for one in review.verdicts if one.level in {"error", "warning"}]


def _printed(one: Verdict) -> str:
    return one.number.printed.text if one.number is not None else one.quote
