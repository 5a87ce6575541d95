"""On which split a tag was measured: by folders and prefixes, by its program, by the study."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import filter as matching
from fnmatch import fnmatchcase, translate
from typing import NamedTuple

import numpy as np

from reportgen.records.record import replace
from reportgen.records.run import SPLITS, Log, Problem, Run, Series
from reportgen.records.study import Decision, Study
from reportgen.runs._layout import Draft, Names, leaf, parent
from reportgen.runs._names import (
    SPLIT_NAMES,
    is_evaluated,
    is_result,
    meant_label,
    metric_name,
    split_tag,
)
from reportgen.runs._words import decided, problem, table_of_words, told, words
from reportgen.runs.series import Scalars

_SEPARATOR = re.compile(r"[/_ .\-]")
_EVAL = words("names", "evaluated")
_DEV = words("splits", "validation") - _EVAL
_VALIDATED = re.compile(r"^val(?:idation)?[_/]")
_TEST = words("splits", "test")
_OWN_WORD = frozenset({"hf_trainer", "keras", "fairseq", "fairseq_console"})
"""Layouts of programs that have a word of their own for each split."""


def split_names_of(layout: str, logs: Sequence[Log], study: Study) -> dict[str, str]:
    """Return folder or prefix to split, for the logs of one layout.

    `eval` beside a development set and without a test set is the test set, as in speech
    recognition; else it is taken for the validation split.
    """
    names = dict(SPLIT_NAMES)
    if layout not in _OWN_WORD:
        there = {leaf(parent(log.source.path)).lower() for log in logs}
        for tag in {tag.lower() for log in logs for tag in log.series}:
            parts = _SEPARATOR.split(tag)
            there.update((parts[0], parts[-1], *tag.split("/")[1:-1]))
        if there & _DEV and not there & _TEST:
            names.update(dict.fromkeys(there & _EVAL, "test"))
    return {**names, **study.split_names}


def used_names(runs: Sequence[Run]) -> Mapping[str, str]:
    """Return the folders and prefixes that named a split in these runs."""
    used: dict[str, str] = {}
    # Runs log the same tags, mostly: each is taken apart once, in the order of the runs.
    tags = dict.fromkeys((key, s.split) for run in runs for key, s in run.scalars.items())
    for key, split in tags:
        if split in SPLITS:
            found = set(_SEPARATOR.split(key.lower())) & set(SPLIT_NAMES)
            fitting = {word for word in found if SPLIT_NAMES[word] == split}
            moved = found & _EVAL if split == "test" else set()
            used.update(dict.fromkeys(fitting or moved, split))
    return dict(sorted(used.items()))


def split_decisions(study: Study, metric: str, runs: Sequence[Run]) -> list[Decision]:
    """Return on which splits names and tags were taken to be measured, and what is asked."""
    used = used_names(runs)
    own = {run.layout for run in runs} <= _OWN_WORD
    return [
        *(
            _name_decision(name, split, set(used), own_word=own)
            for name, split in used.items()
            if name != split and name not in study.split_names
        ),
        *_program_decisions(study, runs),
        *_unsaid_decisions(study, runs),
        *_tag_decisions(study, metric, runs),
    ]


def _name_decision(name: str, split: str, used: set[str], *, own_word: bool) -> Decision:
    """Return what a folder or prefix was taken for, where its name is not the split's own."""
    key, beside = f"splits.names.{name}", ", ".join(sorted(used & _TEST))
    if name not in _EVAL:
        return decided(key, split, told("found_name"))
    if split == "test":
        reason = told("eval_beside", name=name, beside=", ".join(sorted(used & _DEV)))
        return decided(key, split, reason, ("validation",), asks=True)
    if own_word:
        return decided(key, split, told("eval_of_program"), ("test",))
    if beside:
        return decided(key, split, told("found_beside", beside=beside))
    return decided(key, split, told("eval_alone", name=name), ("test",), asks=True)


# --- tags of which a program documents what they are measured on --------------------------


class ProgramTag(NamedTuple):
    """Tags of one program: a row of `words.ini`, where the columns are explained."""

    tag: str
    program: str
    split: str = ""
    prefix: str = ""
    beside: str = ""


PROGRAM_TAGS = tuple(
    ProgramTag(tag, *(word.strip("-") for word in row.split()))
    for tag, row in table_of_words()["program_tags"].items()
)
_ANY = re.compile("|".join(translate(row.tag) for row in PROGRAM_TAGS))


def documented_tags(scalars: Scalars) -> dict[str, ProgramTag]:
    """Return key to row of the series whose tags known programs document."""
    tags = {series.tag for series in scalars.values()}
    if not any(_ANY.match(tag.strip()) for tag in tags):
        return {}
    rows = [row for row in PROGRAM_TAGS if not row.beside or matching(tags, row.beside)]
    found = {
        key: next((row for row in rows if fnmatchcase(series.tag.strip(), row.tag)), None)
        for key, series in scalars.items()
    }
    return {key: row for key, row in found.items() if row is not None}


def label_program_tags(drafts: Sequence[Draft]) -> None:
    """Give the tags of known programs their metric and split; what the runs hold is changed."""
    for draft in drafts:
        for key, row in documented_tags(draft.scalars).items():
            series = draft.scalars[key]
            own = metric_name(series.tag.strip())
            metric = row.prefix + (own if row.split else series.metric)
            draft.scalars[key] = replace(series, metric=metric, split=row.split or series.split)


# --- tags that leave their split open, and what a study states for single ones ------------

KEY = "splits.tags"


def unsaid_labels(labelled: Mapping[str, Series], names: Names) -> dict[str, tuple[str, str]]:
    """Return (metric, split) of tags whose own words do not tell it, by what stands beside them.

    A mean over an epoch is what it is the mean of, where nothing else is: `avg_val_loss`.
    Beside `val_loss`, `loss` is of training, as Keras calls the two, and Chainer. Where the losses
    of both name their splits, a result beside them that is measured when the validation loss is,
    and that no other tag repeats, is of validation: who writes `train_loss, val_loss, miou`
    returns it from the function that validates.
    """
    open_ones = {key: one for key, one in labelled.items() if not one.split}
    said = {(one.metric, one.split): one for one in labelled.values() if one.split}
    found: dict[str, tuple[str, str]] = {}
    for key, one in open_ones.items():
        label = meant_label(one.metric, names)
        if label[1] and label not in said:
            found[key] = label
            said[label] = one
    behind = {_VALIDATED.sub("", one.tag): one.metric for one in labelled.values() if one.split}
    found |= {k: (behind[s.tag], "train") for k, s in open_ones.items() if s.tag in behind}
    validated = said.get(("loss", "validation"))
    if validated is None or ("loss", "train") not in said:
        return found
    return found | {
        key: (one.metric, "validation")
        for key, one in open_ones.items()
        if key not in found
        and one.metric not in {metric for metric, _ in said}
        and is_evaluated(one.metric)
        and np.array_equal(one.steps, validated.steps)
    }


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
    problems = []
    for name in (name for name in stated if name not in used):
        import difflib

        near = difflib.get_close_matches(name, sorted(logged), n=1, cutoff=0.5)
        code, places = "no_such_tag", {"name": repr(name)}
        if near:
            code, places = "no_such_tag_but", {**places, "near": repr(near[0])}
        problems.append(problem(code, ".", **places))
    return problems


def _statement_for(key: str, series: Series, stated: Mapping[str, str]) -> str:
    """Return the name or pattern that speaks of a tag, with its folder or alone."""
    names = (key, series.tag)
    own = next((name for name in names if name in stated), "")
    return own or next((p for p in stated if any(fnmatchcase(n, p) for n in names)), "")


def _unsaid_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    """Tell which results were taken for those of validation though their tags name no split."""
    names = {**SPLIT_NAMES, **study.split_names}
    tags = {
        series.tag
        for run in runs
        if run.find("loss", "validation") is not None
        for documented in (documented_tags(run.scalars),)
        for key, series in run.scalars.items()
        if series.split == "validation"
        and is_evaluated(series.metric)
        and is_result(series.metric)
        and not (split_tag(key, names)[1] or meant_label(series.tag.lower(), names)[1])
        and key not in documented
        and not _statement_for(key, series, study.split_tags)
    }
    reason, others = told("names_no_split"), ("test", "train")
    return [decided(f"{KEY}.{tag}", "validation", reason, others) for tag in sorted(tags)]


def _program_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    """Say of tags that name no split which one their program documents, but that of training."""
    found = {
        row
        for run in runs
        for key, row in documented_tags(run.scalars).items()
        if row.split not in {"", "train"}
        and not _statement_for(key, run.scalars[key], study.split_tags)
    }
    return [
        decided(
            f"{KEY}.{row.tag}",
            row.split,
            told("split_of_program", program=row.program, split=row.split),
        )
        for row in sorted(found)
    ]


def _tag_decisions(study: Study, metric: str, runs: Sequence[Run]) -> list[Decision]:
    """Ask of which split a metric is that decides, where no tag of it names one."""
    found = [s for run in runs for s in run.scalars.values() if s.metric == metric and len(s)]
    if not metric or not found or any(series.split for series in found):
        return []
    tag = Counter(series.tag for series in found).most_common(1)[0][0]
    if tag in study.split_tags:
        return []
    others = ("validation", "test", "train")
    return [decided(f"{KEY}.{tag}", "", told("split_unknown", tag=tag), others, asks=True)]
