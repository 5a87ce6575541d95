"""Splits that a study states for single tags, and tags that leave their split open."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np

from reportgen.languages import message, noun_later
from reportgen.records.run import Problem, Run, Series
from reportgen.records.study import Decision, Study
from reportgen.runs._kinds import is_evaluated, is_result
from reportgen.runs._layout import Draft
from reportgen.runs._names import SPLIT_NAMES, split_tag
from reportgen.runs._program_tags import ProgramTag, program_tag, rows_of

KEY = "splits.tags"


def unsaid_splits(labelled: Mapping[str, Series]) -> dict[str, str]:
    """Return the splits of tags that name none, by what stands beside them in their log.

    Beside `val_loss`, `loss` is of training, as Keras calls the two. Where the losses of both
    name their splits, a result beside them that is measured when the validation loss is, and
    that no other tag repeats, is of validation: programs that write `train_loss, val_loss, miou`
    return it from the function that validates.

    Args:
        labelled: All series of a log, each with the metric and split that its tag names.
    """
    tags = {one.tag for one in labelled.values()}
    found = {
        key: "train" for key, one in labelled.items() if not one.split and f"val_{one.tag}" in tags
    }
    losses = {one.split: one for one in labelled.values() if one.metric == "loss"}
    validated = losses.get("validation")
    if validated is None or "train" not in losses:
        return found
    named = {one.metric for one in labelled.values() if one.split}
    return found | {
        key: "validation"
        for key, one in labelled.items()
        if key not in found
        and not one.split
        and one.metric not in named
        and is_evaluated(one.metric)
        and np.array_equal(one.steps, validated.steps)
    }


def unsaid_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    """Tell which results were taken for those of validation though their tags name no split."""
    names = {**SPLIT_NAMES, **study.split_names}
    tags = dict.fromkeys(
        series.tag
        for run in runs
        for key, series in run.scalars.items()
        if series.split == "validation"
        and not split_tag(key, names)[1]
        and is_evaluated(series.metric)
        and is_result(series.metric)
        and run.find("loss", "validation") is not None
        and program_tag(series.tag, rows_of({one.tag for one in run.scalars.values()})) is None
        and not _statement_for(key, series, study.split_tags)
    )
    reason = message("names no split; it is measured when the validation loss is")
    return [
        Decision(
            key=f"{KEY}.{tag}", value="validation", reason=reason, alternatives=("test", "train")
        )
        for tag in sorted(tags)
    ]


def state_splits(drafts: Sequence[Draft], stated: Mapping[str, str]) -> list[Problem]:
    """Give each tag that the study names its split; what the runs hold is changed.

    A tag goes by its own name before any pattern, and by the first of several patterns.

    Returns:
        A problem for each name or pattern that no tag has, with the nearest one there is.
    """
    used: set[str] = set()
    logged: set[str] = set()
    for draft in drafts:
        for key, series in draft.scalars.items():
            logged |= {key, series.tag}
            name = _statement_for(key, series, stated)
            if name:
                used.add(name)
                draft.scalars[key] = replace(series, split=stated[name])
    return [_unused(name, logged) for name in stated if name not in used]


def _statement_for(key: str, series: Series, stated: Mapping[str, str]) -> str:
    """Return the name or pattern that speaks of a tag, with its folder or alone."""
    names = (key, series.tag)
    own = next((name for name in names if name in stated), "")
    return own or next((p for p in stated if any(fnmatchcase(n, p) for n in names)), "")


def _unused(name: str, logged: set[str]) -> Problem:
    near = difflib.get_close_matches(name, sorted(logged), n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return Problem(
        path=".",
        message=f"{KEY} names {name!r}, and no run logged such a tag{hint}",
        remedy="write the tag as `reportgen inspect` shows it; * and ? as in a shell",
    )


def program_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    """Say of tags that name no split, and whose program documents it, which one was taken.

    What is counted in training chooses no step, and is not told.
    """
    found: dict[str, ProgramTag] = {}
    for run in runs:
        rows = rows_of({series.tag for series in run.scalars.values()})
        for key, series in run.scalars.items():
            row = program_tag(series.tag, rows)
            told = row and row.split not in {"", "train"}
            if row and told and not _statement_for(key, series, study.split_tags):
                found[row.tag] = row
    return [
        Decision(
            key=f"{KEY}.{row.tag}",
            value=row.split,
            reason=message(
                "{program} computes these on its {split} split, which no tag says",
                program=row.program,
                split=noun_later(row.split),
            ),
        )
        for _, row in sorted(found.items())
    ]


def tag_decisions(study: Study, metric: str, runs: Sequence[Run]) -> list[Decision]:
    """Ask of which split a metric is that decides, where no tag of it names one."""
    found = [s for run in runs for s in run.scalars.values() if s.metric == metric and len(s)]
    if not metric or any(series.split for series in found):
        return []
    tags = Counter(series.tag for series in found)
    if not tags or tags.most_common(1)[0][0] in study.split_tags:
        return []
    tag = tags.most_common(1)[0][0]
    reason = message(
        "{tag} names no split, and is taken for none: its values are reported as they were "
        "logged, and no step is chosen with them",
        tag=tag,
    )
    return [
        Decision(
            key=f"{KEY}.{tag}",
            value="",
            reason=reason,
            alternatives=("validation", "test", "train"),
            asks=True,
        )
    ]
