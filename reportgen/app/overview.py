"""A folder of logs at a glance: its runs, its grid, its tags, its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from reportgen.records.run import Result, Run, Runs, Series, missing_seeds
from reportgen.records.source import natural_key
from reportgen.records.study import Study

if TYPE_CHECKING:
    from reportgen.read.logs import LoadedTree


def describe_runs(runs: Runs) -> list[dict[str, Any]]:
    """Return each run with its tags, its number of points and its last step."""
    return [
        {
            "id": run.id,
            "group": run.group,
            "seed": run.seed,
            "layout": run.layout,
            "tags": sorted({*run.scalars, *(result.tag for result in run.results)}),
            "points": _points(run),
            "last_step": _last_step(run),
        }
        for run in runs
    ]


def _points(run: Run) -> int:
    return sum(len(series) for series in run.scalars.values())


def _last_step(run: Run) -> int | None:
    return max((int(s.steps[-1]) for s in run.scalars.values() if len(s)), default=None)


def describe_grid(runs: Runs, study: Study) -> dict[str, Any]:
    """Return every group with its cells: the seeds that were found and those that should be there.

    `seeds` are those of all groups; `groups` have `group`, `layout`, `cells` (`seed`, `state`,
    `runs`, `points`, `last_step`) and `without_seed`, the runs whose seed nobody knows.
    """
    expected = {plan.name: plan.seeds for plan in study.groups}
    by_group = runs.groups()
    names = dict.fromkeys([*expected, *by_group])
    rows = [_row(name, expected.get(name, ()), by_group.get(name, ())) for name in names]
    seeds = sorted({cell["seed"] for row in rows for cell in row["cells"]})
    return {"seeds": seeds, "groups": rows}


def _row(name: str, expected: Sequence[int], runs: Sequence[Run]) -> dict[str, Any]:
    known = (run.seed for run in runs if run.seed is not None)
    seeds = sorted({*missing_seeds(expected, runs), *known})
    layouts = dict.fromkeys(run.layout for run in runs)
    cells = []
    for seed in seeds:
        cell = _cell([run for run in runs if run.seed == seed])
        state = {0: "missing", 1: "found"}.get(len(cell["runs"]), "claimed more than once")
        cells.append({"seed": seed, "state": state, **cell})
    return {
        "group": name,
        "layout": ", ".join(layouts),
        "cells": cells,
        "without_seed": _cell([run for run in runs if run.seed is None]),
    }


def _cell(runs: Sequence[Run]) -> dict[str, Any]:
    points = [_points(run) for run in runs]
    last = [step for run in runs if (step := _last_step(run)) is not None]
    return {
        "runs": [run.id for run in runs],
        "points": [min(points, default=0), max(points, default=0)],
        "last_step": max(last, default=None),
    }


def describe_tags(runs: Runs) -> list[dict[str, Any]]:
    """Return every tag with what it measures, and what of it all runs together hold.

    What was measured once, after training, is one point without a step.
    """
    having: dict[str, list[tuple[str, Series | Result]]] = {}
    for run in runs:
        told: dict[str, Series | Result] = {one.tag: one for one in run.results}
        for key, one in {**told, **run.scalars}.items():
            having.setdefault(key, []).append((run.id, one))
    everyone = [run.id for run in runs]
    return [_tag(key, found, everyone) for key, found in sorted(having.items())]


def _tag(
    key: str, found: Sequence[tuple[str, Series | Result]], everyone: Sequence[str]
) -> dict[str, Any]:
    series = [one for _, one in found if isinstance(one, Series)]
    own = {run for run, _ in found}
    units = sorted({one.unit for _, one in found})
    return {
        "tag": key,
        "metric": _only({one.metric for _, one in found}),
        "split": _only({one.split for _, one in found}),
        "unit": units[0] if len(units) == 1 else "mixed",
        "runs": len(found),
        "absent_in": [run for run in everyone if run not in own],
        "points": sum(len(one) if isinstance(one, Series) else 1 for _, one in found),
        "first_step": min((int(one.steps[0]) for one in series if len(one)), default=None),
        "last_step": max((int(one.steps[-1]) for one in series if len(one)), default=None),
        "nan": sum(int(np.isnan(one.values).sum()) for one in series),
        "infinite": sum(int(np.isinf(one.values).sum()) for one in series),
    }


def _only(names: set[str]) -> str:
    return next(iter(names)) if len(names) == 1 else ""


def describe_files(tree: LoadedTree, runs: Runs) -> list[dict[str, Any]]:
    """Return every file: its fate, what read it, what it gave, and what was passed over in it.

    `kind` is the loader's name, empty where none answers; `read` is false for what no loader
    read, for copies of another file, and for what turned out to be no log; `run` is the run that
    its points went to, None where there is none; `skipped` counts records that hold no scalar.
    """
    owners = {source.path: run.id for run in runs for source in run.sources}
    read = {log.source.path for log in tree.logs}
    skipped: dict[str, Counter[str]] = {}
    for log in tree.logs:
        skipped.setdefault(log.source.path, Counter()).update(log.skipped)
    return [
        {
            "path": fate.path,
            "fate": fate.kind,
            "why": fate.why,
            "kind": fate.source,
            "read": fate.path in read,
            "size": fate.size if fate.path in read else None,
            "runs": fate.runs,
            "points": fate.points,
            "lost": fate.lost,
            "run": owners.get(fate.path),
            "skipped": dict(skipped.get(fate.path, {})),
            "files": fate.files,
        }
        for fate in sorted(tree.fates, key=lambda fate: natural_key(fate.path))
    ]
