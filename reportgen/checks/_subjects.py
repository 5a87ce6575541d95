"""The runs of the logs that a claim speaks of, or why there are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from reportgen.checking.numbers._beginnings import fold
from reportgen.checking.numbers._kept import kept_of
from reportgen.checks._choices import TRAINERS_MEAN, choices
from reportgen.checks._logged import Logbook
from reportgen.checks._once import once
from reportgen.claims._labels import group_key
from reportgen.records.claim import Claim, Meaning, Printed
from reportgen.records.finding import Case
from reportgen.records.run import Run

LARGEST = 40
"""Digits before or behind the point that a value of a metric may have."""
_BLANKS = str.maketrans("_-", "  ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a claim speaks of, in terms of the logs.

    Attributes:
        metric: As logged.
        splits: Splits that may be meant, the likeliest first.
        groups: Groups that may be meant.
        runs: Runs that may be meant, of all these groups.
        loudest: `"warning"` where the metric goes by another name in the logs.
        reason: Why nothing can be looked up; empty where something can.
    """

    metric: str = ""
    splits: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    runs: tuple[Run, ...] = ()
    loudest: str = "error"
    reason: str = ""


def subject_of(book: Logbook, meaning: Meaning, *, one_run: bool = True) -> Subject:
    """Return what a claim speaks of.

    Args:
        book: The logs.
        meaning: Of the claim, its labels solved.
        one_run: Whether a single run is meant where a seed is said.
    """
    metric = book.metric(meaning.metric)
    if not metric:
        return Subject(reason=f"no run logged {meaning.metric or 'a metric'}")
    if meaning.group and not meaning.run_group:
        return Subject(reason=f"no runs in the logs are called “{meaning.group}”")
    groups = (meaning.run_group,) if meaning.run_group else book.groups()
    seed = meaning.run_seed if one_run and not meaning.run else None
    if one_run and meaning.seed is not None and seed is None and not meaning.run:
        return Subject(reason=f"no run in the logs is number {meaning.seed} of the report")
    runs = tuple(
        run
        for group in groups
        for run in book.runs(group, seed)
        if not one_run or meaning.run in {"", run.id}
    )
    if not runs:
        which = f", seed {seed}" if seed is not None else ""
        return Subject(reason=f"no logs of {', '.join(groups) or 'any group'}{which}")
    logged = tuple(dict.fromkeys(s for group in groups for s in book.splits(group, metric)))
    splits = tuple(s for s in logged if meaning.split in {"", s})
    if not splits:
        on = f" on {meaning.split}" if meaning.split else ""
        return Subject(reason=f"{_called(book, groups)} never logged {metric}{on}")
    loudest = "error" if meaning.metric in {"", metric} else "warning"
    timed = meaning.epoch is not None or meaning.step is not None
    if (metric, splits[0]) == ("loss", "train") and not timed and _may_be_a_mean(runs):
        loudest = "note"
    return Subject(metric=metric, splits=splits, groups=groups, runs=runs, loudest=loudest)


def _may_be_a_mean(runs: tuple[Run, ...]) -> bool:
    """Say whether a Trainer printed mean losses of whole trainings that its logs lack."""
    return any(run.layout == "hf_trainer" and TRAINERS_MEAN not in run.scalars for run in runs)


def group_called(case: Case, book: Logbook, label: str) -> str:
    """Return the group of the logs that a label means: as it was solved, else by its words."""
    if label in case.groups:
        return case.groups[label]
    called = {name: {name, book.study.label(name)} for name in book.groups()}
    names = [name for name, labels in called.items() if label in labels]
    key = group_key(label)
    if not names and key:
        names = [name for name, labels in called.items() if key in map(group_key, labels)]
    return names[0] if len(names) == 1 else ""


def groups_named(book: Logbook, words: str) -> tuple[str, ...]:
    """Return the groups of the logs whose names or labels some words spell.

    Args:
        book: The logs.
        words: A sentence, or a part of one.
    """
    said = _flat(words)
    # There may be a thousand groups, few of them in a sentence: a pattern for those alone.
    return tuple(
        group
        for group, names in _flat_names(book)
        if any(flat in said and _is_spelt(name, words) for name, flat in names)
    )


@kept_of
def _flat_names(book: Logbook) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return every group with its name and label, each beside its flat spelling."""
    names = {group: dict.fromkeys((group, book.study.label(group))) for group in book.groups()}
    return tuple(
        (group, tuple((name, _flat(name)) for name in both if name))
        for group, both in names.items()
    )


def _flat(text: str) -> str:
    return fold(text).translate(_BLANKS)


def _is_spelt(name: str, words: str) -> bool:
    spelled = r"[\s_-]".join(map(re.escape, re.split(r"[\s_-]", name)))
    return bool(re.search(rf"(?<![\w-]){spelled}(?![\w-])", words, re.IGNORECASE))


def is_logged(case: Case, book: Logbook, meaning: Meaning) -> bool:
    """Say whether the logs have anything to hold a value of a run against."""
    subject = subject_of(book, meaning)
    if subject.reason:
        return False
    zero = counts_from_zero(case)
    return any(
        choices(book, run, subject.metric, split, meaning, zero=zero)
        for run in subject.runs
        for split in subject.splits
    )


def _called(book: Logbook, groups: tuple[str, ...]) -> str:
    if len(groups) == 1:
        return f"the runs of {book.study.label(groups[0])}"
    return "the runs"


@once
def bound_numbers(case: Case, *kinds: str) -> tuple[tuple[Claim, Meaning, Printed], ...]:
    """Return every claim of these kinds that prints a number of a metric."""
    return tuple(_bound(case, kinds))


def _bound(case: Case, kinds: tuple[str, ...]) -> Iterator[tuple[Claim, Meaning, Printed]]:
    for claim in case.claims:
        meaning, printed = claim.content, claim.printed
        if claim.kind not in kinds or not isinstance(meaning, Meaning) or printed is None:
            continue
        if abs(printed.value.adjusted()) <= LARGEST and abs(printed.decimals) <= LARGEST:
            yield claim, meaning, printed


@once
def steps_of_every_run(case: Case) -> tuple[int, ...]:
    """Return the steps that the report calls the best of all runs at once.

    Whether they are is another claim; the values beside them were read there.
    """
    meanings = (meaning for _, meaning, _ in bound_numbers(case, "best_step"))
    return tuple(
        dict.fromkeys(
            m.step for m in meanings if m.step is not None and m.seed is None and not m.group
        )
    )


def meant_by(meaning: Meaning, every: tuple[int, ...]) -> tuple[Meaning, ...]:
    """Return what a value may mean: itself, and the same at a step that is best of every run."""
    best = meaning.selection == "best" and meaning.step is None
    return (meaning, *(replace(meaning, step=step) for step in every if best))


@once
def counts_from_zero(case: Case) -> bool:
    """Say whether the report numbers its epochs from 0, as some programs do."""
    epochs = {
        claim.content.epoch
        for claim in case.claims
        if isinstance(claim.content, Meaning) and claim.content.epoch is not None
    }
    return 0 in epochs
