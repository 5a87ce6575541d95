"""What a folder or prefix called `eval` is, beside the others that were logged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reportgen.languages import message
from reportgen.records.run import SPLITS, Log, Run
from reportgen.records.study import Decision, Study
from reportgen.runs._layout import parent
from reportgen.runs._names import SPLIT_NAMES

_WORDS = re.compile(r"[/_ .\-]")
_DEV = frozenset({"dev", "val", "valid", "validation"})
_EVAL = frozenset({"eval", "evaluation"})
_TEST = frozenset({"test", "testing", "predict"})
_OWN_WORD = frozenset({"hf_trainer", "keras", "fairseq", "fairseq_console"})
"""Layouts of programs that have a word of their own for each split."""


def split_names_of(layout: str, logs: Sequence[Log], study: Study) -> dict[str, str]:
    """Return folder or prefix to split, for the logs of one layout.

    `eval` beside a development set and without a test set is the test set, as in speech
    recognition; else it is taken for the validation split.
    """
    names = dict(SPLIT_NAMES)
    if layout not in _OWN_WORD:
        words = _words_of(logs)
        if words & _DEV and not words & _TEST:
            names.update(dict.fromkeys(words & _EVAL, "test"))
    return {**names, **study.split_names}


def _words_of(logs: Sequence[Log]) -> set[str]:
    words = {parent(log.source.path).rpartition("/")[2].lower() for log in logs}
    for tag in {tag for log in logs for tag in log.series}:
        parts = _WORDS.split(tag.lower())
        words.update((parts[0], parts[-1], *tag.lower().split("/")[1:-1]))
    return words & set(SPLIT_NAMES)


def used_names(runs: Sequence[Run]) -> Mapping[str, str]:
    """Return the folders and prefixes that named a split in these runs."""
    used: dict[str, str] = {}
    # Runs log the same tags, mostly: each is taken apart once, in the order of the runs.
    tags = dict.fromkeys((key, s.split) for run in runs for key, s in run.scalars.items())
    for key, split in tags:
        if split in SPLITS:
            words = set(_WORDS.split(key.lower())) & set(SPLIT_NAMES)
            fitting = {w for w in words if SPLIT_NAMES[w] == split}
            moved = words & _EVAL if split == "test" else set()
            used.update(dict.fromkeys(fitting or moved, split))
    return dict(sorted(used.items()))


def split_decisions(study: Study, runs: Sequence[Run]) -> list[Decision]:
    """Return what each folder or prefix was taken for, where its name is not the split's own."""
    used = used_names(runs)
    own = {run.layout for run in runs} <= _OWN_WORD
    return [
        _decision(name, split, set(used), own_word=own)
        for name, split in used.items()
        if name != split and name not in study.split_names
    ]


def _decision(name: str, split: str, used: set[str], *, own_word: bool) -> Decision:
    key = f"splits.names.{name}"
    if name not in _EVAL:
        return Decision(
            key=key, value=split, reason=message("a folder or prefix found in the logs")
        )
    if split == "test":
        beside = ", ".join(sorted(used & _DEV))
        reason = message(
            "{name} lies beside {beside}, and nothing is called test: taken for the test set",
            name=name,
            beside=beside,
        )
        return Decision(
            key=key, value=split, reason=reason, alternatives=("validation",), asks=True
        )
    if own_word:
        reason = message(
            "its program calls what it evaluates in training so, whichever split that is"
        )
        return Decision(key=key, value=split, reason=reason, alternatives=("test",))
    if used & _TEST:
        reason = message(
            "a folder or prefix found in the logs, beside {beside}",
            beside=", ".join(sorted(used & _TEST)),
        )
        return Decision(key=key, value=split, reason=reason)
    reason = message(
        "{name} is usually the validation split, and nothing else here is a held-out one", name=name
    )
    return Decision(key=key, value=split, reason=reason, alternatives=("test",), asks=True)
