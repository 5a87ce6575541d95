"""Hugging Face Trainer: event files under `runs/`, trainer states, result files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from reportgen.records.record import replace
from reportgen.records.run import Log, Problem, Series
from reportgen.runs._layout import Draft, Layout, Names, Place, leaf, parent
from reportgen.runs._names import result_key, trainer_tag
from reportgen.runs._words import problem, told
from reportgen.runs.series import join, last_step, point_of, result_of

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
    own = {place(log) for log in logs if log.source.kind in _STATES or _is_trainers(log)}
    kinds = {*_STATES, "tfevents"}
    return [log for log in logs if log.source.kind in kinds and place(log) in own]


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


def place(log: Log) -> Place:
    """Return the Trainer's output folder: without `runs/<date>_<host>` and `checkpoint-N`."""
    parts = parent(log.source.path).split("/")
    if _SESSION.fullmatch(parts[-1]):
        parts.pop()
    if parts and _EVENT_FOLDER.fullmatch(parts[-1]):
        parts.pop()
        if parts and parts[-1] in {"runs", "logs"}:
            parts.pop()
    if parts and _CHECKPOINT.fullmatch(parts[-1]):
        parts.pop()
    return Place(run="/".join(parts))


def finish(draft: Draft, late: Sequence[Log], names: Names) -> None:
    """Put the numbers of result files at the step whose weights they measure."""
    results: dict[str, Series] = {}
    for log in late:
        for tag, value in log.results.items():
            metric, split = trainer_tag(result_key(tag, names), names)
            results.setdefault(tag, point_of(tag, value, metric, split, log.source.path))
    pairs = _pairs(draft, results, names)
    step, reason = _find_step(draft, pairs)
    last = last_step(draft.scalars)
    added = []
    for tag, series in results.items():
        measured = tag.startswith(_MEASURED)
        if step is None and measured:
            draft.config.setdefault(tag, float(series.values[0]))
            draft.results.append(result_of(series, tag))
            continue
        at = last if step is None or not measured else step
        there = draft.scalars.get(tag)
        logged = [one for name, one, _ in pairs if name == tag]
        if any(at in one.steps for one in logged) or (there is not None and at in there.steps):
            continue
        if there is not None and not measured:
            continue
        point = replace(series, steps=np.array([at]))
        draft.scalars[tag] = point if there is None else join(point, there)
        added.append(tag)
    draft.problems.extend(_problems(late[0].source.path, step, reason, pairs, added))


def _problems(
    path: str, step: int | None, reason: str, pairs: Sequence[_Pair], added: Sequence[str]
) -> list[Problem]:
    """Say where results were put, and which contradict what was logged there."""
    if step is None:
        return [problem("step_unknown", path, reason=reason)]
    against = [tag for tag, series, value in pairs if not _agrees(series, step, value)]
    found = []
    if against:
        found.append(problem("other_values", path, step=step, tags=", ".join(against[:3])))
    if reason and any(tag.startswith(_MEASURED) for tag in added):
        found.append(problem("step_taken", path, step=step, reason=reason))
    return found


def _pairs(draft: Draft, results: Mapping[str, Series], names: Names) -> list[_Pair]:
    """Return each result beside the series that logged the same metric on the same split."""
    found = []
    for tag, series in results.items():
        prefix, _, rest = tag.partition("/")
        if trainer_tag(tag, names)[0] in {"", "epoch"}:
            continue
        also = {"eval": ("eval",), "test": ("test", "predict"), "predict": ("predict", "test")}
        logged = (draft.scalars.get(f"{name}/{rest}") for name in also.get(prefix, ()))
        found += [(tag, one, float(series.values[0])) for one in logged if one is not None]
    return found


def _find_step(draft: Draft, pairs: Sequence[_Pair]) -> tuple[int | None, str]:
    """Return the step whose weights a result file measures, None where it is open, and why."""
    last = last_step(draft.scalars)
    found = _CHECKPOINT.search(leaf(str(draft.config.get("best_model_checkpoint", ""))))
    best = int(found[1]) if found else draft.config.get("best_global_step")
    of_eval = [pair for pair in pairs if pair[0].startswith("eval/")]
    for some in (pairs, of_eval, [pair for pair in pairs if pair not in of_eval]):
        steps = {int(step) for _, series, _ in some for step in series.steps}
        same = [n for n in steps if all(_agrees(series, n, value) for _, series, value in some)]
        if same:
            tags = ", ".join(dict.fromkeys(tag for tag, _, _ in some[:3]))
            step = max(same, key=lambda n: (n == best, n))
            return step, told("same_evaluation", tags=tags)
    loaded = draft.config.get("load_best_model_at_end")
    if isinstance(best, int) and best > 0 and loaded is True:
        return best, told("best_loaded")
    if not last:
        return 0, ""  # a run of results alone, or they are of one that another program logged
    if pairs:
        return None, told("none_the_same")
    # The Trainer loads the best weights at the end only where its state names them
    # (`_inner_training_loop` in transformers/trainer.py).
    if draft.config.get("best_model_checkpoint") == "":
        return last, told("no_best_kept")
    if loaded is False or not any(tag.startswith(_MEASURED) for tag in draft.scalars):
        return last, told("last_one")
    return None, told("weights_unknown")


def _agrees(series: Series, step: int, value: float) -> bool:
    """Tell whether a series has this value at this step, within single precision."""
    at = np.flatnonzero(series.steps == step)
    return len(at) == 0 or bool(np.isclose(float(series.values[at[0]]), value, rtol=1e-6, atol=0))


LAYOUT = Layout(
    name="hf_trainer",
    recognise=recognise,
    place=place,
    label=lambda _, tag, names: trainer_tag(tag, names),
    # Result files state no step.
    is_late=lambda log: log.source.kind == "hf_results",
    finish=finish,
)
