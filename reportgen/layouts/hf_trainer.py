"""Hugging Face Trainer: event files under `runs/`, trainer states, result files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.layouts._layout import Draft, Layout, Names, Place, leaf, parent
from reportgen.layouts._names import metric_name, split_tag
from reportgen.records.run import Log, Problem, Series

_EVENT_FOLDER = re.compile(r"[A-Z][a-z]{2}\d\d_\d\d-\d\d-\d\d_.+")
_SESSION = re.compile(r"\d{9,11}\.\d+")
_CHECKPOINT = re.compile(r"checkpoint-(\d+)")
_ARGUMENTS = "args/text_summary"
_OWN_TAGS = frozenset(
    {"train/train_runtime", "train/total_flos", "eval/samples_per_second", "train/grad_norm"}
)
_STATES = ("trainer_state", "hf_results")
_PREFIXES = ("train", "eval", "test", "predict")


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take states and results, and event files with the Trainer's folders, text or tags."""
    states = {_output_folder(parent(log.source.path)) for log in logs if _is_state(log)}
    return [
        log
        for log in logs
        if _is_state(log)
        or (
            log.source.kind == "tfevents"
            and (
                _ARGUMENTS in log.texts
                or any(tag in _OWN_TAGS for tag in log.series)
                or any(_EVENT_FOLDER.fullmatch(part) for part in log.source.path.split("/")[:-1])
                or _output_folder(parent(log.source.path)) in states
            )
        )
    ]


def _is_state(log: Log) -> bool:
    return log.source.kind in _STATES


def _output_folder(folder: str) -> str:
    """Return the Trainer's output folder: without `runs/<date>_<host>` and `checkpoint-N`."""
    parts = folder.split("/") if folder else []
    if parts and _SESSION.fullmatch(parts[-1]):
        parts.pop()
    if parts and _EVENT_FOLDER.fullmatch(parts[-1]):
        parts.pop()
        if parts and parts[-1] in {"runs", "logs"}:
            parts.pop()
    if parts and _CHECKPOINT.fullmatch(parts[-1]):
        parts.pop()
    return "/".join(parts)


def place(log: Log) -> Place:
    """Return the output folder."""
    return Place(run=_output_folder(parent(log.source.path)))


def label(_folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the tag's first part.

    What the Trainer logs once at the end under `train/train_*` sums a run up; it is kept and
    is no metric.
    """
    prefix, _, rest = tag.partition("/")
    if prefix not in _PREFIXES or not rest:
        return split_tag(tag, names)
    if prefix == "train" and rest.startswith("train_"):
        return "", names.get(prefix, "")
    return metric_name(rest), names.get(prefix, "")


def is_late(log: Log) -> bool:
    """Result files state no step."""
    return log.source.kind == "hf_results"


def finish(draft: Draft, late: Sequence[Log], names: Names) -> None:
    """Put the numbers of result files at the step whose weights they measure."""
    results: dict[str, Series] = {}
    for log in late:
        for tag, series in log.series.items():
            results.setdefault(tag, series)
    evaluated = {
        tag: float(series.values[0])
        for tag, series in results.items()
        if tag.startswith("eval/") and label("", tag, names)[0] not in {"", "epoch"}
    }
    step, reason = _find_step(draft, evaluated)
    added = []
    for tag, series in results.items():
        there = draft.scalars.get(tag)
        if there is not None and (step in there.steps or not tag.startswith(_PREFIXES[1:])):
            continue
        metric, split = label("", tag, names)
        point = replace(series, steps=np.array([step]), metric=metric, split=split)
        draft.scalars[tag] = point if there is None else _insert(there, point)
        added.append(tag)
    if any(tag.startswith(("eval/", "test/", "predict/")) for tag in added):
        draft.problems.append(
            Problem(
                path=late[0].source.path,
                message=f"result files state no step; taken as step {step}: {reason}",
                level="note",
            )
        )


def _insert(series: Series, point: Series) -> Series:
    """Add one point to a series, in its place."""
    at = int(np.searchsorted(series.steps, point.steps[0]))
    return replace(
        series,
        steps=np.insert(series.steps, at, point.steps[0]),
        values=np.insert(series.values.astype(np.float64), at, point.values[0]),
        wall_times=np.insert(series.wall_times, at, point.wall_times[0]),
    )


def _find_step(draft: Draft, evaluated: dict[str, float]) -> tuple[int, str]:
    """Return the step whose weights a result file measures, and why."""
    last = max((int(s.steps[-1]) for s in draft.scalars.values() if len(s)), default=0)
    shared = [tag for tag in evaluated if tag in draft.scalars]
    for step in sorted(_steps(draft, shared), reverse=True):
        if all(_agrees(draft.scalars[tag], step, evaluated[tag]) for tag in shared):
            return step, f"its evaluation gave the same {', '.join(shared[:3])}"
    best = _CHECKPOINT.search(leaf(str(draft.config.get("best_model_checkpoint", ""))))
    if best and draft.config.get("load_best_model_at_end") is True:
        return int(best[1]), "the best checkpoint was loaded at the end"
    if shared:
        return last, "the last one; no logged evaluation gave the same values"
    if not last:
        return 0, "nothing else of the run was logged"
    return last, "the last one, where training ended"


def _steps(draft: Draft, tags: Sequence[str]) -> set[int]:
    return {int(step) for tag in tags for step in draft.scalars[tag].steps}


def _agrees(series: Series, step: int, value: float) -> bool:
    """Tell whether a series has this value at this step, within single precision."""
    at = np.flatnonzero(series.steps == step)
    return len(at) == 0 or bool(np.isclose(float(series.values[at[0]]), value, rtol=1e-6, atol=0))


LAYOUT = Layout(
    name="hf_trainer",
    recognise=recognise,
    place=place,
    label=label,
    is_late=is_late,
    finish=finish,
)
