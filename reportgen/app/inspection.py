"""Show what a log, checkpoint, adapter or configuration holds, or a folder of logs at a glance."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.app.counting import describe_adapter_at, describe_model_at
from reportgen.app.reading import LogOptions, is_there, silent
from reportgen.records.errors import EvidenceError, UsageError, other_than
from reportgen.records.source import count_fates, natural_key
from reportgen.records.study import AdapterPlan, ModelPlan, Study

if TYPE_CHECKING:
    from reportgen.read.logs import LoadedTree
    from reportgen.records.facts import AdapterFacts, ModelFacts
    from reportgen.records.run import Problem, Result, Run, Runs, Series


# Show what one log, checkpoint, adapter, configuration or folder holds.

# What the Trainer calls the file of its settings.
SETTINGS = "training_args.bin"


def inspect(
    path: str | Path,
    *,
    base: str | Path | None = None,
    total: int | None = None,
    study: str | Path | None = None,
    loader: str = "own",
    address: str = "",
) -> dict[str, Any]:
    """Return what `path` holds, as plain values ready for JSON.

    Args:
        path: A log, a folder, a `config.json`, a checkpoint or an adapter; or the URL of one in an
            object store.
        base: Configuration or checkpoint of an adapter's base model.
        total: A stated number of parameters, to be explained.
        study: Study file that says how the logs are to be read.
        loader: What reads event files: `"own"`, `"loop"` or `"tbparse"`.
        address: Of a Dask scheduler, whose workers see the logs by the same path and read them.

    Returns:
        `kind`, `path` and `problems`; for the Trainer's `training_args.bin` its `settings`; for
        logs `runs`, `grid`, `tags`, `files` and `decisions`, as in
        `docs/reference/inspect.schema.json`; else
        `total_parameters`, `trainable_parameters` and `stored_parameters` (adapters: what was
        counted by formula, and what the file beside the configuration holds), `scopes` and `terms`,
        and `explanation` of a stated total. What is said of a checkpoint is also a tensor manifest
        (`format`, `tensors`), to hand in for the file.

    Raises:
        EvidenceError: There is no such path, or nothing here can read it.

    Example:
        >>> found = inspect("inputs/roberta-small-fr/model/config.json")
        >>> found["kind"], found["scopes"]["weights"]
        ('config', 22807552)
    """
    from reportgen.app.remote import at_hand, named_as

    stated = Path(study) if study else None
    with at_hand(path, study=stated) as here:
        logs = LogOptions(digests=False, loader=loader, address=address)
        found = _inspect(here, Path(base) if base else None, total, stated, logs)
    return {**found, "path": named_as(found["path"])}


def _inspect(
    path: Path, base: Path | None, total: int | None, study: Path | None, logs: LogOptions
) -> dict[str, Any]:
    from reportgen.read.weights import CHECKPOINTS

    if not is_there(path):
        raise EvidenceError(f"no such file or folder: {path}", remedy=other_than(path))
    if path.is_file() and path.name == SETTINGS:
        _refuse_of_models(f"{path} holds settings, which have", base, total)
        return _inspect_settings(path)
    patterns = [pattern for entry in CHECKPOINTS.values() for pattern in entry.match]
    if path.is_file() and any(fnmatch(path.name, pattern) for pattern in patterns):
        return _inspect_counts(path, base, total)
    tree, runs, filled = _read(path, study, logs)
    counted = None if runs.runs else _counted_in(path)
    if counted is not None:
        return _inspect_counts(counted, base, total)
    if not runs.runs and not runs.all_problems():
        raise _nothing_here(path, runs)
    _refuse_of_models(f"{path} holds logs, which have", base, total)
    return _describe_logs(path, tree, runs, filled)


def _nothing_here(path: Path, runs: Runs) -> EvidenceError:
    from reportgen.app.reading import lacks_of

    told = lacks_of(runs)
    return EvidenceError(
        f"nothing here reads {path}{told and ': '}{told}",
        remedy="give TensorBoard event files, trainer_state.json, a fairseq log, metrics.csv, "
        "config.json, adapter_config.json, a checkpoint, or a folder that holds them",
    )


def _refuse_of_models(what: str, base: Path | None, total: int | None) -> None:
    """Refuse what is said of a model alone, where something else is looked into."""
    if base is not None:
        raise UsageError(f"{what} no base model", remedy="leave --base out")
    if total is not None:
        raise UsageError(
            f"{what} no parameters to count",
            remedy="leave --total out, or name a config.json, a checkpoint or an adapter",
        )


def _counted_in(folder: Path) -> Path | None:
    """Return the file of a folder that tells most of what it holds; None without one."""
    from reportgen.records.source import CHECKPOINT_NAMES

    names = ("adapter_config.json", "config.json", *CHECKPOINT_NAMES)
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _read(path: Path, study: Path | None, logs: LogOptions) -> tuple[LoadedTree, Runs, Study]:
    from reportgen.app.analysis import assemble_originals, read_originals, read_plan
    from reportgen.app.reruns import add_reruns, stores_of

    declared = read_plan(study)
    stores = stores_of(path, study.parent if study else None, declared)
    tree = read_originals(path, silent, logs, tables=declared.tables)
    runs, filled = assemble_originals(tree, path, declared)
    return tree, *add_reruns(stores, runs, filled, declared=declared)


def _describe_logs(path: Path, tree: LoadedTree, runs: Runs, study: Study) -> dict[str, Any]:
    from reportgen.read.study import describe_decision

    return {
        "kind": "logs",
        "path": str(path),
        "runs": describe_runs(runs),
        "grid": describe_grid(runs, study),
        "tags": describe_tags(runs),
        "files": describe_files(tree, runs),
        "fates": count_fates(tree.fates),
        "decisions": [
            describe_decision(decision)
            for decision in study.decisions
            # Of no run nothing is inferred; what lies beside it may still be found.
            if runs.runs or decision.key.startswith(("adapter.", "model."))
        ],
        "problems": [_problem(problem) for problem in runs.all_problems()],
    }


def _inspect_settings(path: Path) -> dict[str, Any]:
    from reportgen.read.logs import load_training_args

    (log,) = load_training_args(path, path.name)
    return {
        "kind": "settings",
        "path": str(path),
        "settings": dict(log.config),
        "problems": [_problem(problem) for problem in log.problems],
    }


_TOLD = ("path", "message", "remedy", "offset", "level")


def _problem(problem: Problem) -> dict[str, Any]:
    return {name: getattr(problem, name) for name in _TOLD}


def _inspect_counts(path: Path, base: Path | None, total: int | None) -> dict[str, Any]:
    from reportgen.parameters import inspection
    from reportgen.read.weights import kind_of

    kind = {"adapter": "adapter", "config_json": "config"}.get(
        kind_of(path, path.name), "checkpoint"
    )
    facts: AdapterFacts | ModelFacts
    if kind == "adapter":
        facts = describe_adapter_at(AdapterPlan(config=path.name), path.parent, base=base)
        problems = facts.lint
    else:
        model = ModelPlan(config=path.name) if kind == "config" else ModelPlan(checkpoint=path.name)
        facts = describe_model_at(model, path.parent)
        problems = facts.problems
    return {
        "kind": kind,
        "path": str(path),
        **inspection(facts),
        **_explanation(facts, total),
        **_manifest(facts),
        "problems": [_problem(problem) for problem in problems],
    }


def _explanation(facts: AdapterFacts | ModelFacts, total: int | None) -> dict[str, Any]:
    """Return which scope a stated total equals, or which terms make the difference."""
    if total is None:
        return {}
    from dataclasses import asdict

    from reportgen.parameters import explain

    if facts.ledger is None:
        raise EvidenceError(
            "there is no ledger to hold the total against",
            remedy="name the base model of the adapter with --base",
        )
    base = getattr(facts, "base", None)
    found = explain(base.ledger, total, [facts.ledger]) if base else explain(facts.ledger, total)
    return {
        "explanation": {
            "total": total,
            "text": found.text,
            "scopes": [scope.name for scope in found.scopes],
            "missing": [asdict(piece) for piece in found.missing],
            "extra": [asdict(piece) for piece in found.extra],
        }
    }


def _manifest(facts: AdapterFacts | ModelFacts) -> dict[str, Any]:
    """Return the names and shapes of a checkpoint in the form that `read_manifest` takes."""
    from reportgen.records.facts import ModelFacts

    checkpoint = facts.checkpoint if isinstance(facts, ModelFacts) else None
    if checkpoint is None:
        return {}
    from reportgen.read.weights import write_manifest

    found: dict[str, Any] = json.loads(write_manifest(checkpoint))
    return found


# A folder of logs at a glance: its runs, its grid, its tags, its files.


def describe_runs(runs: Runs) -> list[dict[str, Any]]:
    """Return each run with its tags, its number of points and its last step."""
    return [
        {
            **{name: getattr(run, name) for name in ("id", "group", "seed", "layout")},
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
    from reportgen.records.run import missing_seeds

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
    import numpy as np

    from reportgen.records.run import Series

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
