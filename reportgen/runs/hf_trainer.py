"""Hugging Face Trainer: event files under `runs/`, trainer states, result files."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.records.run import Log, Problem, Result, Series
from reportgen.runs._layout import Draft, Layout, Names, Place, leaf, parent
from reportgen.runs._names import metric_name, result_key, split_tag

_EVENT_FOLDER = re.compile(r"[A-Z][a-z]{2}\d\d_\d\d-\d\d-\d\d_.+")
_SESSION = re.compile(r"\d{9,11}\.\d+")
_CHECKPOINT = re.compile(r"checkpoint-(\d+)")
_ARGUMENTS = "args/text_summary"
_OWN_TAGS = frozenset(
    {"train/train_runtime", "train/total_flos", "eval/samples_per_second", "train/grad_norm"}
)
_STATES = ("trainer_state", "hf_results", "training_args")
_PREFIXES = ("train", "eval", "test", "predict")
_MEASURED = ("eval/", "test/", "predict/")

_Pair = tuple[str, Series, float]
"""Tag of a result, a series of the same metric and split, the result."""


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take states, settings, results, and the event files of output folders with the like."""
    own = {
        _output_folder(parent(log.source.path))
        for log in logs
        if _is_state(log) or _is_trainers(log)
    }
    return [
        log
        for log in logs
        if _is_state(log)
        or (log.source.kind == "tfevents" and _output_folder(parent(log.source.path)) in own)
    ]


def _is_trainers(log: Log) -> bool:
    """Tell an event file of the Trainer by what is in it, wherever it lies.

    Its callback tells the epoch beside each number, and knows no other splits.

    Source: `transformers/integrations/integration_utils.py`, `TensorBoardCallback`.
    """
    if log.source.kind != "tfevents":
        return False
    if _ARGUMENTS in log.texts or any(tag in _OWN_TAGS for tag in log.series):
        return True
    prefixes = {tag.partition("/")[0] for tag in log.series}
    return "train/epoch" in log.series and prefixes <= set(_PREFIXES)


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
        for tag, value in log.results.items():
            results.setdefault(tag, _as_series(tag, value, log.source.path))
    pairs = _pairs(draft, results, names)
    step, reason = _find_step(draft, pairs)
    last = max((int(s.steps[-1]) for s in draft.scalars.values() if len(s)), default=0)
    added = []
    for tag, series in results.items():
        measured = tag.startswith(_MEASURED)
        if step is None and measured:
            draft.config.setdefault(tag, float(series.values[0]))
            metric, split = label("", result_key(tag, names), names)
            draft.results.append(
                Result(
                    tag=tag,
                    value=float(series.values[0]),
                    metric=metric,
                    split=split,
                    path=series.path,
                )
            )
            continue
        at = last if step is None or not measured else step
        there = draft.scalars.get(tag)
        logged = [one for name, one, _ in pairs if name == tag]
        if any(at in one.steps for one in logged) or (there is not None and at in there.steps):
            continue
        if there is not None and not measured:
            continue
        metric, split = label("", result_key(tag, names), names)
        point = replace(series, steps=np.array([at]), metric=metric, split=split)
        draft.scalars[tag] = point if there is None else _insert(there, point)
        added.append(tag)
    draft.problems.extend(_told(late[0].source.path, step, reason, pairs, added))


def _as_series(tag: str, value: float, path: str) -> Series:
    """Return a result as a series of one point, whose step is not known yet."""
    nowhere = np.array([math.nan])
    values = np.array([value])
    return Series(tag=tag, steps=np.array([-1]), values=values, wall_times=nowhere, path=path)


def _told(
    path: str, step: int | None, reason: str, pairs: Sequence[_Pair], added: Sequence[str]
) -> list[Problem]:
    """Say where results were put, and which contradict what was logged there."""
    if step is None:
        message = f"step unknown of the result files, which were measured after training: {reason}"
        return [Problem(path=path, message=message, level="note")]
    against = [tag for tag, series, value in pairs if not _agrees(series, step, value)]
    found = []
    if against:
        message = f"at step {step} other values of {', '.join(against[:3])} were logged"
        found.append(Problem(path=path, message=message))
    if reason and any(tag.startswith(_MEASURED) for tag in added):
        message = f"result files state no step; taken as step {step}: {reason}"
        found.append(Problem(path=path, message=message, level="note"))
    return found


def _pairs(draft: Draft, results: Mapping[str, Series], names: Names) -> list[_Pair]:
    """Return each result beside the series that logged the same metric on the same split."""
    found = []
    for tag, series in results.items():
        prefix, _, rest = tag.partition("/")
        if label("", tag, names)[0] in {"", "epoch"}:
            continue
        also = {"eval": ("eval",), "test": ("test", "predict"), "predict": ("predict", "test")}
        logged = (draft.scalars.get(f"{name}/{rest}") for name in also.get(prefix, ()))
        found += [(tag, one, float(series.values[0])) for one in logged if one is not None]
    return found


def _insert(series: Series, point: Series) -> Series:
    """Add one point to a series, in its place."""
    at = int(np.searchsorted(series.steps, point.steps[0]))
    return replace(
        series,
        steps=np.insert(series.steps, at, point.steps[0]),
        values=np.insert(series.values.astype(np.float64), at, point.values[0]),
        wall_times=np.insert(series.wall_times, at, point.wall_times[0]),
    )


def _find_step(draft: Draft, pairs: Sequence[_Pair]) -> tuple[int | None, str]:
    """Return the step whose weights a result file measures, None where it is open, and why."""
    last = max((int(s.steps[-1]) for s in draft.scalars.values() if len(s)), default=0)
    found = _CHECKPOINT.search(leaf(str(draft.config.get("best_model_checkpoint", ""))))
    best = int(found[1]) if found else draft.config.get("best_global_step")
    of_eval = [pair for pair in pairs if pair[0].startswith("eval/")]
    for some in (pairs, of_eval, [pair for pair in pairs if pair not in of_eval]):
        steps = {int(step) for _, series, _ in some for step in series.steps}
        same = [n for n in steps if all(_agrees(series, n, value) for _, series, value in some)]
        if same:
            tags = ", ".join(dict.fromkeys(tag for tag, _, _ in some[:3]))
            step = max(same, key=lambda n: (n == best, n))
            return step, f"its evaluation gave the same {tags}"
    loaded = draft.config.get("load_best_model_at_end")
    if isinstance(best, int) and best > 0 and loaded is True:
        return best, "the best checkpoint was loaded at the end"
    if not last:
        return 0, ""  # a run of results alone, or they are of one that another program logged
    if pairs:
        return None, "no logged evaluation gave the same values"
    # The Trainer loads the best weights at the end only where its state names them
    # (`_inner_training_loop` in transformers/trainer.py).
    if draft.config.get("best_model_checkpoint") == "":
        return last, "the last one, for no best checkpoint was kept track of"
    if loaded is False or not any(tag.startswith(_MEASURED) for tag in draft.scalars):
        return last, "the last one, where training ended"
    return None, "nothing tells whether the best or the last weights were measured"


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
