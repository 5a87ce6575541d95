"""A best step against the steps with the best logged value, ties and all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.checks._ladder import compare, unbound
from reportgen.checks._logged import Best, Logbook, logbook_of
from reportgen.checks._mean_moments import means_of
from reportgen.checks._subjects import Subject, bound_numbers, counts_from_zero, subject_of
from reportgen.checks._weigh import Change, Reading, spell, weigh
from reportgen.records.claim import Claim, Meaning
from reportgen.records.finding import Case, Finding
from reportgen.records.run import Run

RULE = "best_step"
_EACH = gated(
    r"\b(?:each|every|all|both|always|any|chaque|chacune?|tou(?:s|te|tes)|toujours)\b",
    re.IGNORECASE,
)
_PEAK = gated(
    r"\b(?:accuracy|f1|score|auc|exactitude)\b(?:\s[^\s.;,]+){0,8}?\s(?:peaks|peaked|culmine)\b"
    r"|\b(?:peaks|peaked|culmine)\b(?:\s[^\s.;,]+){0,6}?\s(?:with|at|avec|à)\s"
    r"(?:[^\s.;]+\s){0,3}?(?:accuracy|f1|score|auc|exactitude)\b",
    re.IGNORECASE,
)
_LOSS = gated(r"\b(?:loss\w*|perte\w*|entropy|entropie|early[\s-]stopp\w+)\b", re.IGNORECASE)
_MOST_LISTED = 4


def check(case: Case) -> Iterator[Finding]:
    """Hold every best step or best epoch against the logs."""
    book = logbook_of(case)
    if book is None:
        return
    zero = counts_from_zero(case)
    claims = tuple(bound_numbers(case, RULE))
    for claim, meaning, _ in claims:
        if twin := _said_again(claim, meaning, [other for other, _, _ in claims], book):
            yield unbound(RULE, claim, twin)
            continue
        subject = subject_of(book, meaning)
        if subject.reason:
            yield unbound(RULE, claim, subject.reason)
            continue
        counted = _Counted(book, claim, meaning, zero=zero)
        yield _check(counted, subject)


def _said_again(claim: Claim, meaning: Meaning, claims: Sequence[Claim], book: Logbook) -> str:
    """Say that an epoch is the step that the same words give: one of the two is enough."""
    length = book.study.steps_per_epoch
    if meaning.epoch is None or meaning.step is not None or not length:
        return ""
    for other in claims:
        same = other.block == claim.block and other.quote == claim.quote
        content = other.content
        if same and isinstance(content, Meaning) and content.step == meaning.epoch * length:
            return f"it is step {content.step}, which the same words give"
    return ""


class _Counted:
    """What a claim's number counts, steps or epochs, and how the logs number them."""

    def __init__(self, book: Logbook, claim: Claim, meaning: Meaning, *, zero: bool) -> None:
        self.book = book
        self.claim = claim
        self.meaning = meaning
        self.zero = zero
        value = claim.printed.value if claim.printed is not None else None
        as_step = meaning.step is not None and value == meaning.step
        as_epoch = meaning.epoch is not None and value == Decimal(str(meaning.epoch))
        self.epoch = as_epoch and not as_step
        self.word = "epoch" if self.epoch else "step"

    def numbers(self, best: Best) -> tuple[Decimal, ...]:
        """Return how the best point may be numbered; nothing where its epoch is not known."""
        if not self.epoch:
            return (Decimal(best.point.step),)
        curve = self.book.curve(best.point.run, best.point.series.metric, best.point.series.split)
        epoch = self.book.epoch_of(best.point)
        # Trainers log epochs with two decimals, and a report may have computed them.
        exact = Decimal(str(epoch)) if epoch is not None else Decimal(0)
        found = [] if epoch is None else [round(exact, 2), exact]
        own = curve is not None and curve.counts_from_zero
        if found and (self.zero or own):
            # Who reads the number of an epoch off such a program counts as it does.
            found.append(found[0] - 1)
        if curve is not None and [p.step for p in curve.points[:2]] == [0, 1]:
            found.append(Decimal(best.point.step))
        return tuple(dict.fromkeys(found))

    def readings(self, bests: Iterator[Best]) -> Iterator[Reading]:
        """Yield every legal reading of a run's best step."""
        for best in bests:
            for number in self.numbers(best):
                yield Reading(
                    value=number,
                    what=f"{self.book.where(best.point)} ({best.words})",
                    evidence=(best.point.evidence,),
                    says=self.says(best, number),
                )

    def says(self, best: Best, number: Decimal) -> str:
        """Say where the logs have their best value; every tie is named."""
        run = best.point.run
        seed = f"/seed {run.seed}" if run.seed is not None else ""
        name = self.book.study.label(self.book.group_of(run)) + seed
        value = spell(best.point.value)
        if self.epoch or len(best.ties) == 1:
            at = f"{self.word} {spell(number)}"
        else:
            listed = [str(step) for step in best.ties[:_MOST_LISTED]]
            more = len(best.ties) - len(listed)
            at = f"steps {', '.join(listed)}" + (f" and {more} more" if more else "")
        return f"the logs have the {best.rule} of {name} at {at} ({value})"


def _check(counted: _Counted, subject: Subject) -> Finding:
    claim = counted.claim
    runs = {run.id: tuple(counted.readings(_bests(counted, subject, run))) for run in subject.runs}
    if not all(runs.values()):
        bare = next(run for run, found in runs.items() if not found)
        return unbound(RULE, claim, f"no best {counted.word} of {bare} is known from its logs")
    one = len(subject.runs) == 1
    # `of each run` over a table says that every row is of one.
    told = (text for name, text in claim.hints.items() if name != "caption" or claim.table is None)
    each = _EACH.search(" ".join((claim.quote, *told)))
    if not one and _is_mean(counted) and (counted.meaning.aggregate or not each):
        single = () if counted.meaning.aggregate else runs.values()
        readings = [*_means(counted, subject), *(r for found in single for r in found)]
        return _weigh(counted, subject, readings, loudest="warning")
    if one or not each:
        readings = [reading for found in runs.values() for reading in found]
        return _weigh(counted, subject, readings, loudest=subject.loudest if one else "warning")
    # What is said of each run must hold for each, of at least one of the groups meant.
    # A seed may be named beside it: then only some runs of a group are meant.
    meant = {
        group: [run.id for run in counted.book.runs(group) if run.id in runs]
        for group in subject.groups
    }
    misses = {
        group: [name for name in names if not _holds(counted, runs[name])]
        for group, names in meant.items()
        if names
    }
    group = min(misses, key=lambda name: len(misses[name]))
    if not misses[group]:
        return _weigh(counted, subject, runs[meant[group][0]], loudest=subject.loudest)
    return _weigh(counted, subject, runs[misses[group][0]], loudest=subject.loudest)


def _is_mean(counted: _Counted) -> bool:
    """Say whether a number of several runs is a mean: `7.4 ± 0.9`, or half an epoch."""
    printed = counted.claim.printed
    return counted.meaning.aggregate == "mean" or (printed is not None and printed.decimals > 0)


def _means(counted: _Counted, subject: Subject) -> Iterator[Reading]:
    """Yield the means over the best moments of the runs of each group, by rule and tie rule."""
    for group in subject.groups:
        runs = [run for run in counted.book.runs(group) if run in subject.runs]
        by_rule: dict[str, dict[str, list[Best]]] = {}
        for run in runs:
            for best in _bests(counted, subject, run):
                by_rule.setdefault(best.rule, {}).setdefault(run.id, []).append(best)
        for rule, found in by_rule.items():
            if len(found) == len(runs):
                yield from _means_by(counted, group, rule, list(found.values()))


def _means_by(
    counted: _Counted, group: str, rule: str, found: Sequence[Sequence[Best]]
) -> Iterator[Reading]:
    # From 1 or from 0, but all runs alike.
    for numbered in (max, min):
        options = [tuple(dict.fromkeys(numbered(counted.numbers(b)) for b in run)) for run in found]
        for value in means_of(options):
            of = f"{len(found)} runs of {counted.book.study.label(group)}"
            what = f"the mean of the best {counted.word}s of {of} ({rule})"
            evidence = tuple(run[0].point.evidence for run in found)
            says = f"the logs give {spell(value)}, {what}"
            yield Reading(value=value, what=what, evidence=evidence, says=says)


def _bests(counted: _Counted, subject: Subject, run: Run) -> Iterator[Best]:
    """Yield the best points that may be meant: of the split that is said, else of selection."""
    book, split = counted.book, counted.meaning.split
    if len(subject.runs) == 1 and _peaks(counted):
        # What peaks is the metric itself, on the split that is said, and not where a loss is least.
        plan = book.study.metric
        for one in dict.fromkeys((split,) if split else (plan.select_on, plan.report_on)):
            yield from book.extremes(run, subject.metric, one)
        return
    if split in {"train", book.study.metric.report_on} or counted.meaning.selection == "oracle":
        yield from book.extremes(run, subject.metric, split or book.study.metric.report_on)
    if split != "train":
        yield from book.bests(run, subject.metric)


def _peaks(counted: _Counted) -> bool:
    """Say whether a metric is named and said to peak, of which high values are the good ones."""
    metric, words = counted.meaning.metric, counted.claim.quote
    named = bool(metric) and not counted.book.lower(counted.book.metric(metric))
    return named and bool(_PEAK.search(words)) and not _LOSS.search(words)


def _holds(counted: _Counted, readings: tuple[Reading, ...]) -> bool:
    printed, exact = counted.claim.printed, _exact(counted, readings)
    return printed is not None and any(
        compare(printed, reading.value, exact=exact) != "disagrees" for reading in readings
    )


def _weigh(
    counted: _Counted, subject: Subject, readings: Sequence[Reading], loudest: str
) -> Finding:
    run = subject.runs[0]
    return weigh(
        RULE,
        counted.claim,
        readings,
        changes=_changes(counted, subject, run) if len(subject.runs) == 1 else (),
        loudest=loudest,
        exact=_exact(counted, readings),
    )


def _exact(counted: _Counted, readings: Sequence[Reading]) -> bool:
    """Say whether epochs are whole numbers, so that the one next to another is another."""
    return counted.epoch and all(reading.value == int(reading.value) for reading in readings)


def _changes(counted: _Counted, subject: Subject, run: Run) -> Iterator[Change]:
    """Yield what may explain another step: best on test, the last one, that of another seed."""
    book = counted.book
    for split in ("test", "validation", "train"):
        for best in book.extremes(run, subject.metric, split):
            for number in counted.numbers(best):
                yield Change(value=number, text=f"it has the {best.rule}")
    for other in book.runs(book.group_of(run)):
        if other is not run:
            for best in _bests(counted, subject, other):
                for number in counted.numbers(best):
                    yield Change(value=number, text=f"it is the best step of seed {other.seed}")
    yield from _other_numbers(counted, subject, run)


def _other_numbers(counted: _Counted, subject: Subject, run: Run) -> Iterator[Change]:
    """An epoch where a step is said, the other way round, or the end of the log."""
    book = counted.book
    for best in book.bests(run, subject.metric):
        epoch = book.epoch_of(best.point)
        if counted.epoch:
            text = "it is the number of the step"
            yield Change(value=Decimal(best.point.step), text=text, soft=True)
        elif epoch is not None:
            yield Change(value=Decimal(str(epoch)), text="it is the number of the epoch", soft=True)
    curves = [book.curve(run, subject.metric, split) for split in subject.splits]
    for last in [curve.last for curve in curves if curve is not None]:
        epoch = book.epoch_of(last)
        number = epoch if counted.epoch else last.step
        if number is not None:
            text = f"it is the last {counted.word} that was logged"
            yield Change(value=Decimal(str(number)), text=text)
