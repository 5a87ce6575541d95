"""Values of one sentence, row or column follow one choice of the best step.

`The best validation step` leaves open whether the metric or the loss chose it, and either is legal.
Values that stand together and need a different choice each are of two kinds of best steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.checks._aggregates import logged_readings, logged_samples
from reportgen.checks._beside import sentence_of
from reportgen.checks._choices import choices
from reportgen.checks._ladder import compare, sentence
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._printed_runs import Shown, shown
from reportgen.checks._subjects import Subject, counts_from_zero, subject_of
from reportgen.checks._weigh import rounding_of, units_of
from reportgen.claims._mentions import mentions
from reportgen.records.claim import CONFIDENT
from reportgen.records.finding import Case, Expected, Finding

RULE = "one_choice"
MOST = 400
"""Values at best steps that are looked at; a larger table is made by a program."""
_KINDS = ("metric_value", "aggregate_mean", "aggregate_std")
_AGGREGATES = frozenset({"", "mean", "std"})
_ALIKE = gated(
    r"\b(?:both|each|all|every|respectively|(?:tous|toutes)(?:\s(?:les\s)?deux)?|les\sdeux|chacune?|chaque"
    r"|respectivement)\b",
    re.IGNORECASE,
)
"""Words that say of every value of a sentence what stands beside one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """A value with the metrics whose best step gives it."""

    about: Shown
    by: frozenset[str]


def check(case: Case) -> Iterator[Finding]:
    """Warn of each value whose best step is chosen otherwise than those of the values beside it."""
    book = logbook_of(case)
    if book is None:
        return
    told: set[str] = set()
    known: dict[str, frozenset[str]] = {}
    for together in _together(case, book):
        metrics = _choosing(book, together[0])
        if len(metrics) < 2 or len(known) > MOST:
            continue
        for about in together:
            if about.claim.id not in known:
                known[about.claim.id] = frozenset(
                    by for by in metrics if _is_given(case, book, about, by)
                )
        found = [_Chosen(about=one, by=known[one.claim.id]) for one in together]
        for finding in _odd(book, metrics, [one for one in found if one.by]):
            if finding.claim.id not in told:
                told.add(finding.claim.id)
                yield finding


def _together(case: Case, book: Logbook) -> Iterator[tuple[Shown, ...]]:
    """Yield the values of a metric at best steps that stand in a sentence, a row or a column."""
    places: dict[tuple[object, ...], list[Shown]] = {}
    for about in shown(case, *_KINDS):
        meaning, claim = about.meaning, about.claim
        if claim.block >= len(case.manuscript.blocks):
            continue
        timed = meaning.step is not None or meaning.epoch is not None or meaning.chosen_by
        named = meaning.run_group and meaning.split == book.study.metric.report_on
        if timed or not named or meaning.against or meaning.aggregate not in _AGGREGATES:
            continue
        what = (meaning.metric, meaning.split)
        if claim.table is None:
            start, end = sentence_of(case, claim.block, claim.start)
            places.setdefault(("sentence", claim.block, start, end, *what), []).append(about)
        else:
            for axis, index in (("row", claim.row), ("column", claim.column)):
                places.setdefault((axis, claim.block, index, *what), []).append(about)
    for place, members in places.items():
        chosen = [about for about in members if about.meaning.selection == "best"]
        if place[0] == "sentence" and chosen and _ALIKE.search(_words(case, chosen[0])):
            chosen = [about for about in members if about.meaning.selection in {"", "best"}]
        if len(chosen) > 1 and not any(_names_another(case, about) for about in chosen):
            yield tuple(chosen)


def _words(case: Case, about: Shown) -> str:
    """Return what is said around a value: its sentence, or its row, column and caption."""
    claim = about.claim
    if claim.table is None:
        start, end = sentence_of(case, claim.block, claim.start)
        return case.manuscript.blocks[claim.block].text[start:end]
    return ". ".join(claim.hints.get(name, "") for name in ("caption", "column", "row"))


def _names_another(case: Case, about: Shown) -> bool:
    """Say whether the words around a value name another metric, which may have chosen its step."""
    words = _words(case, about)
    claim = about.claim
    if claim.table is not None and claim.row is not None:
        cells = case.manuscript.blocks[claim.block].rows[claim.row : claim.row + 1]
        words = ". ".join((words, *(cell.text for row in cells for cell in row)))
    named = {m.value for m in mentions(words, head=claim.table is not None) if m.slot == "metric"}
    return bool(named - {about.meaning.metric})


def _choosing(book: Logbook, about: Shown) -> tuple[str, ...]:
    """Return the metrics that every run logged where best steps are chosen, the study's first."""
    plan = book.study.metric
    runs = [run for group in book.groups() for run in book.runs(group)]
    names = dict.fromkeys((plan.name, book.metric(about.meaning.metric), "loss"))
    return tuple(
        name
        for name in names
        if name and all(book.curve(run, name, plan.select_on) is not None for run in runs)
    )


def _is_given(case: Case, book: Logbook, about: Shown, by: str) -> bool:
    """Say whether a value is that of the best step by a metric, within rounding and truncation."""
    meaning = replace(about.meaning, selection="best", chosen_by=by)
    one_run = not meaning.aggregate
    subject = subject_of(book, meaning, one_run=one_run)
    if subject.reason or (one_run and len(subject.runs) != 1):
        return False
    chosen = replace(about, meaning=meaning)
    found = _of_run if one_run else _of_runs
    return any(
        compare(about.printed, value) != "disagrees"
        or abs(value - about.printed.value) <= slack + about.printed.half_unit
        for value, slack in found(case, book, chosen, subject)
    )


def _of_run(
    case: Case, book: Logbook, about: Shown, subject: Subject
) -> Iterator[tuple[Decimal, Decimal]]:
    (run,), metric, split = subject.runs, subject.metric, subject.splits[0]
    curve = book.curve(run, metric, split)
    decimals = curve.decimals if curve is not None else None
    for choice in choices(book, run, metric, split, about.meaning, zero=counts_from_zero(case)):
        for unit in units_of(about.claim, choice.point.unit):
            slack = rounding_of(decimals, choice.point.unit, unit)
            yield choice.point.in_unit(unit), slack


def _of_runs(
    case: Case, book: Logbook, about: Shown, subject: Subject
) -> Iterator[tuple[Decimal, Decimal]]:
    found = logged_samples(book, subject, about.meaning, zero=counts_from_zero(case))
    for reading in logged_readings(book, about, found):
        yield reading.value, reading.slack


def _odd(book: Logbook, metrics: Sequence[str], found: Sequence[_Chosen]) -> Iterator[Finding]:
    """Yield the values that the likeliest choice of all does not give, where none gives all."""
    if len(found) < 2 or frozenset.intersection(*(one.by for one in found)):
        return
    likeliest = max(metrics, key=lambda by: sum(by in one.by for one in found))
    usual = next(one for one in found if likeliest in one.by)
    for one in found:
        if likeliest not in one.by:
            other = next(by for by in metrics if by in one.by)
            says = (
                f"it is the value at the {_rule(book, other)}, and {usual.about.printed.text} "
                f"({usual.about.claim.place}) the one at the {_rule(book, likeliest)}: no one "
                "choice of the best step gives both"
            )
            sure = min(one.about.claim.confidence, usual.about.claim.confidence) >= CONFIDENT
            yield Finding(
                rule=RULE,
                level="warning" if sure else "note",
                verdict="disagrees",
                claim=one.about.claim,
                message=sentence(one.about.claim, says),
                expected=Expected(definition=f"the {_rule(book, likeliest)} for both"),
            )


def _rule(book: Logbook, metric: str) -> str:
    ahead = "lowest" if book.lower(metric) else "highest"
    return f"{ahead} {book.study.metric.select_on} {metric}".strip()
