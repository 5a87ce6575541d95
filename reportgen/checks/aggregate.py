"""A mean or a spread against the logged values under every definition, or the printed ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from reportgen.checks._aggregates import (
    logged_changes,
    logged_readings,
    logged_samples,
    printed_causes,
    printed_changes,
    printed_readings,
)
from reportgen.checks._ladder import compare, unbound
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._lost_runs import is_within, lost_seeds, reach
from reportgen.checks._own_rows import nameless_rows
from reportgen.checks._printed_runs import Shown, listings, seeds_of
from reportgen.checks._quartiles import QUARTILES
from reportgen.checks._samples import Sample, pooled
from reportgen.checks._subjects import Subject, bound_numbers, counts_from_zero, subject_of
from reportgen.checks._together import placed, why_open
from reportgen.checks._weigh import Change, quieter, units_of, weigh
from reportgen.claims._some_seeds import is_meant
from reportgen.claims.together import EVERY_RUN
from reportgen.records.claim import CONFIDENT, Claim
from reportgen.records.finding import Case, Finding
from reportgen.records.run import Run

RULE = "aggregate"
KINDS = ("aggregate_mean", "aggregate_std", "aggregate_other", "metric_value")
NAMES = frozenset(("mean", "std", "se", "interval", "min", "max", "median", "width")) | QUARTILES
NEXT_TO_IT = 2
"""Blocks between the values of single runs and what is said of them."""


def check(case: Case) -> Iterator[Finding]:
    """Hold every mean and spread against the logs, else against the runs printed beside it."""
    book = logbook_of(case)
    for claim, meaning, printed in bound_numbers(case, *KINDS):
        if meaning.aggregate in NAMES and not meaning.against:
            if book is None:
                yield from _from_report(case, Shown(claim=claim, meaning=meaning, printed=printed))
                continue
            whose = placed(book, claim, meaning)
            finding = _of_any_split(case, book, Shown(claim=claim, meaning=whose, printed=printed))
            yield finding
            if finding.verdict != "disagrees":
                about = Shown(claim=claim, meaning=meaning, printed=printed)
                yield from _from_own_table(case, about)
    for about, values in nameless_rows(case):
        yield from _from_listed(about, values)


def _of_any_split(case: Case, book: Logbook, about: Shown) -> Finding:
    """Return the verdict on an aggregate of all runs, which may be of any split if none is said."""
    finding = _from_logs(case, book, about)
    open_ended = about.claim.hints.get("over") == EVERY_RUN or about.meaning.aggregate in QUARTILES
    if about.meaning.split or not open_ended or finding.verdict != "disagrees":
        return finding
    metric = book.metric(about.meaning.metric)
    splits = dict.fromkeys(s for group in book.groups() for s in book.splits(group, metric))
    others = (
        _from_logs(case, book, replace(about, meaning=replace(about.meaning, split=split)))
        for split in splits
    )
    return next((f for f in others if f.verdict not in {"disagrees", "not checkable"}), finding)


def _from_logs(case: Case, book: Logbook, about: Shown) -> Finding:
    claim, meaning = about.claim, about.meaning
    zero = counts_from_zero(case)
    subject = subject_of(book, meaning, one_run=False)
    reason = subject.reason or why_open(book, claim, meaning)
    if reason:
        return unbound(RULE, claim, reason)
    named = partial(_is_named, case, book, claim) if claim.hints.get("runs") else None
    found = logged_samples(book, subject, meaning, zero=zero, named=named)
    if claim.hints.get("over") == EVERY_RUN and len(subject.groups) > 1:
        found = pooled(found, subject.groups)
    readings = tuple(logged_readings(book, about, found))
    if not readings:
        return unbound(RULE, claim, _nothing(book, subject, found, about))
    nearest = next(iter(_complete(case, about)), ())
    finding = weigh(
        RULE,
        claim,
        readings,
        changes=chain(
            printed_causes(about, nearest) if nearest else (),
            logged_changes(book, about, subject, found, zero=zero),
        ),
        loudest=_loudest(subject, about),
        within_slack="warning",
    )
    finding, absent = _with_lost(case, book, about, found, finding)
    absent = absent or _absent(case, book, subject, about)
    if not any(sample.whole for sample in found):
        absent = absent or _nothing(book, subject, (), about)
    if meaning.aggregate == "interval" and len(subject.groups) > 1:
        absent = "it is not said whose interval it is"
    if meaning.selection == "first":
        absent = "runs may begin before their first logged value"
    if finding.verdict == "disagrees" and absent:
        return unbound(RULE, claim, absent)
    return finding


def _with_lost(
    case: Case, book: Logbook, about: Shown, found: Sequence[Sample], finding: Finding
) -> tuple[Finding, str]:
    """Return a finding as loud as it is where the logs lack runs, and why it may be none at all."""
    meant = about.claim.hints.get("runs", "")
    loudest = "error"
    for sample in found:
        groups = dict.fromkeys(book.group_of(point.run) for point in sample.points)
        lost = {group: lost_seeds(case, book, group, about.meaning) for group in groups}
        if not any(is_meant(meant, seed) for seeds in lost.values() for seed in seeds):
            continue
        for unit in units_of(about.claim, sample.points[0].unit):
            ends = reach(book, sample, about.meaning, unit)
            if ends is None or is_within(about.printed, ends):
                group, seeds = next((g, seeds) for g, seeds in lost.items() if seeds)
                named = ", ".join(map(str, seeds))
                return finding, f"the logs lack {book.study.label(group)}, seed {named}"
        loudest = "warning"
    return replace(finding, level=quieter(finding.level, loudest)), ""


def _is_named(case: Case, book: Logbook, claim: Claim, run: Run) -> bool:
    """Say whether a run is one of those that an aggregate is said of by their seeds."""
    numbering = case.seeds.get(book.group_of(run), {})
    written = next((told for told, seed in numbering.items() if seed == run.seed), run.seed)
    return is_meant(claim.hints.get("runs", ""), written)


def _loudest(subject: Subject, about: Shown) -> str:
    """Return how loud a disagreement with the logs may be.

    Where no split is said the reported one is meant, but not for sure; intervals are made in
    more ways than can be tried, and quartiles in many.
    """
    if about.meaning.aggregate == "interval":
        return "note"
    sure = len(subject.groups) == 1 and about.meaning.split
    if about.meaning.aggregate in QUARTILES:
        return "warning"
    return subject.loudest if sure else "warning"


def _nothing(book: Logbook, subject: Subject, found: Sequence[Sample], about: Shown) -> str:
    label = book.study.label(subject.groups[0])
    if found:
        return f"one run of {label} has no {about.meaning.aggregate}"
    at = about.meaning
    when = f" at step {at.step}" if at.step is not None else ""
    when = f" at epoch {at.epoch:g}" if at.epoch is not None else when
    return f"not every run of {label} has a {subject.splits[0]} {subject.metric}{when}"


def _absent(case: Case, book: Logbook, subject: Subject, about: Shown) -> str:
    """Say which runs of the report the logs lack; empty where they lack none."""
    for group in subject.groups:
        runs = book.runs(group)
        label = book.study.label(group)
        said = about.meaning.n or len(seeds_of(case, about.meaning))
        # `The six runs` may be those of all groups.
        if said > len(runs) and said != sum(len(book.runs(name)) for name in book.groups()):
            return f"the logs have {len(runs)} of {said} runs of {label}"
    return ""


def _complete(case: Case, about: Shown) -> Iterator[tuple[Shown, ...]]:
    """Yield the printed sets of runs that may be all that an aggregate is of."""
    seeds = len(seeds_of(case, about.meaning))
    for values in listings(case, about):
        if len(values) >= seeds and about.meaning.n in {None, len(values)}:
            yield values


def _from_own_table(case: Case, about: Shown) -> Iterator[Finding]:
    """Yield that the runs in an aggregate's own table give another one, whatever the logs have."""
    if about.claim.table is None:
        return
    for values in _complete(case, about):
        if values[0].claim.table == about.claim.table:
            finding = next(_from_listed(about, values), None)
            if finding is not None and finding.verdict == "disagrees":
                yield replace(finding, level=quieter(finding.level, "warning"))
        return


def _from_report(case: Case, about: Shown) -> Iterator[Finding]:
    """Recompute an aggregate from the runs that the report prints."""
    for values in _complete(case, about):
        found = tuple(_from_listed(about, values))
        if found:
            yield from found
            return


def _from_listed(about: Shown, values: Sequence[Shown]) -> Iterator[Finding]:
    """Yield the verdict on an aggregate of printed runs, where one can be made of them."""
    readings = tuple(printed_readings(about, values))
    if readings:
        changes = printed_changes(about, values)
        yield weigh(
            RULE,
            about.claim,
            readings,
            changes=changes,
            loudest=_loudest_alone(about, values, changes),
            within_slack="none",
        )


def _loudest_alone(about: Shown, values: Sequence[Shown], changes: Sequence[Change]) -> str:
    """Return how loud a disagreement with the values beside it may be.

    It is an aggregate's own where it is that of these values in another unit. Any other one
    may be due to a value, or to more runs than are printed.
    """
    if about.meaning.aggregate == "interval":
        return "note"
    away = abs(values[0].claim.block - about.claim.block)
    if away > NEXT_TO_IT or any(value.claim.confidence < CONFIDENT for value in values):
        return "warning"
    explained = any(
        change.unit and compare(about.printed, change.value).startswith("agrees")
        for change in changes
    )
    return "error" if explained else "warning"
