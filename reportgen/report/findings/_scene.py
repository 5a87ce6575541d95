"""What every candidate looks at: the groups of the headline, their courses, and the words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from reportgen.languages import message, say, tell
from reportgen.records.document import Emphasis, Inline, Number, Text
from reportgen.records.facts import Comparison, EpochRow, Facts, GroupResult, RunResult, Summary
from reportgen.records.quantity import Quantity, Reading
from reportgen.records.record import record, replace
from reportgen.records.run import Run
from reportgen.report._focus import focus_of, naming_factors, ranked_by_task, settings_of
from reportgen.report._run_readings import MOST_NAMED, made, runs_of
from reportgen.report.names import group_key, short_name
from reportgen.report.numbers import (
    Printing,
    epoch_number,
    in_points,
    of_series,
    printing_of,
    step_number,
)
from reportgen.report.phrases import cell_words, in_words, joined, things
from reportgen.stats import (
    compare_pair,
    difference_of,
    epoch_of,
    families_of,
    finite_mask,
    reading_of,
    standard_error,
    summarise_values,
)

FEWEST = 4
"""Evaluations from which on a curve has a course."""
LEAST = 30
"""Points of a curve whose last tenth tells how much single values vary."""
MOST_GROUPS = 4
"""Groups that are followed one by one where none are compared."""
MOST_ROWS = 30
"""Evaluations of a curve that is followed from one to the next; a denser one is mostly noise."""
NEAR = 0.005
"""Part of a step by which the same evaluation of two runs may lie apart."""
MOST_IN_A_HEAD = 3
"""Groups that a claim names."""
LETTERS_IN_A_HEAD = 60
"""Letters that their names have together."""
Place: TypeAlias = Inline | Text | int
"""What may stand in a place of a message."""


def exceeds(value: float, limit: float) -> bool:
    """Return whether a value is greater than a limit, by more than arithmetic rounds.

    Example:
        >>> exceeds(0.3, 0.1 + 0.2), exceeds(0.1 + 0.2, 0.3), exceeds(0.31, 0.3)
        (False, False, True)
    """
    return value > limit and not math.isclose(value, limit)


@record(kw_only=False)
class Head:
    """A claim about one group, about few, and about so many that only their number is told."""

    one: str
    few: str
    many: str
    every: str


@record(kw_only=False)
class Moment:
    """One evaluation of a group, at which every one of its runs has a value."""

    row: EpochRow
    summary: Summary
    mean: Quantity

    @property
    def error(self) -> float | None:
        """Standard error of the mean; None for fewer than three runs."""
        return standard_error(self.summary)


@record(kw_only=False)
class Pair:
    """The two groups that are compared, the better one first.

    Attributes:
        first: The better group.
        second: The other one.
        comparison: The first less the second, or the other way round where lower is better.
        gap: The difference, which is not negative.
    """

    first: GroupResult
    second: GroupResult
    comparison: Comparison
    gap: Quantity

    @property
    def groups(self) -> tuple[GroupResult, GroupResult]:
        """Both."""
        return self.first, self.second

    @property
    def half(self) -> float:
        """Half width of the interval of the gap; the gap itself where there is none."""
        low, high = self.comparison.low, self.comparison.high
        if isinstance(low, Quantity) and isinstance(high, Quantity):
            return (high.value - low.value) / 2
        return self.gap.value

    @property
    def split(self) -> str:
        """The split that is reported of both."""
        return self.first.report_split


@record(kw_only=False)
class Scene:
    """The facts as candidates see them.

    Attributes:
        facts: Everything.
        sign: 1 where a higher value is better, −1 where a lower one is, 0 where nothing tells.
        pair: The groups of the headline comparison; None where there is none that is fair.
        groups: Groups the headline is about: those of the pair, else all, or the best of many.
        printing: How the values of those groups are printed.
        settings: What groups of a sweep are called whose table has no names, only settings.
    """

    facts: Facts
    sign: int
    pair: Pair | None
    groups: tuple[GroupResult, ...]
    printing: Printing
    settings: Mapping[str, str]

    def called(self, group: GroupResult) -> Inline:
        """Return what a group is called in a sentence: as the study says, else its short label."""
        if len(self.facts.runs) == 1 and not self.facts.study.short(group.name):
            return tell("the run")
        name = self.settings.get(group.name) or short_name(self.facts, group)
        return self.facts.study.short(group.name) or Emphasis((name,))

    def headed(self, head: Head, groups: Sequence[GroupResult], total: int, **more: Place) -> Text:
        """Return a claim about some groups: with their names where they are few."""
        if len(groups) == 1:
            return say(head.one, group=self.called(groups[0]), **more)
        length = sum(len(short_name(self.facts, group)) for group in groups)
        if len(groups) <= MOST_IN_A_HEAD and length <= LETTERS_IN_A_HEAD:
            named = joined([(self.called(group),) for group in groups])
            return say(head.few, groups=named, **more)
        pattern = head.every if len(groups) == total else head.many
        some, every = in_words(len(groups)), in_words(total)
        return say(pattern, some=some, all=every, things=self.things, **more)

    @property
    def one_of_many(self) -> Inline:
        """What the only group is called that the headline is about, where there are others."""
        several = len(self.groups) == 1 < len(self.known())
        return self.called(self.groups[0]) if several else ""

    @property
    def things(self) -> str:
        """What all groups are called together."""
        return things(self.facts.groups)

    def known(self) -> tuple[GroupResult, ...]:
        """Return the groups of the pair, else every one with a result that repeats no other."""
        if self.pair:
            return self.groups
        return tuple(g for g in self.facts.groups if g.report.n and not g.task.is_part)

    def when(self, identifier: str, run: Run, step: Quantity) -> Text:
        """Return a step of a run as the figure counts it: as an epoch where they are known."""
        epoch = epoch_of(run, self.facts.study, int(step.value))
        if not isinstance(epoch, Quantity):
            return say("step {step}", step=step_number(identifier, step))
        told = replace(epoch, sources=step.sources)
        return say("epoch {epoch}", epoch=epoch_number(identifier, told))

    def run(self, group: GroupResult, cell: RunResult) -> Text:
        """Return what a run is called: as its group, where it is alone there."""
        if len(group.cells) == 1:
            return (self.called(group),)
        return say("{run} of {group}", run=cell_words(group, cell), group=self.called(group))

    def named(self, texts: Sequence[Text]) -> Text:
        """Return an enumeration of at most six names, and how many more there are."""
        if len(texts) <= MOST_NAMED:
            return joined(texts)
        shown = joined(texts[: MOST_NAMED - 1])
        return say("{shown}; and {count} more", shown=shown, count=len(texts) - MOST_NAMED + 1)

    def key(self, candidate: str, group: GroupResult, what: str) -> str:
        """Return the id of a number of a group."""
        return f"findings.{candidate}.{group_key(self.facts, group)}.{what}"

    def bare(self, identifier: str, reading: Reading) -> Number:
        """Return a mean or a difference without a sign and a unit."""
        return self.printing.mean(identifier, reading)

    def value(self, identifier: str, reading: Reading) -> Text:
        """Return a mean with its percent sign, where it has one."""
        return (self.bare(identifier, reading), self.printing.sign)

    def amount(self, identifier: str, reading: Reading) -> Text:
        """Return a difference without its sign, with its unit."""
        return in_points(self.printing, self.bare(identifier, reading))

    def is_seen(self, *quantities: Quantity) -> bool:
        """Return whether the numbers differ as they are printed; one number, from zero."""
        shown = [self.printing.rounded(quantity) for quantity in quantities]
        return len(set(shown)) > 1 if len(shown) > 1 else bool(shown[0])

    def gain(self, better: Reading, worse: Reading, what: str) -> Reading:
        """Return by how much one value is better than another, by the direction of the metric."""
        first, second = (worse, better) if self.sign < 0 else (better, worse)
        return difference_of(first, second, what)

    def families(self) -> tuple[tuple[GroupResult, ...], ...]:
        """Return groups that may be ranked among each other, the best one first."""
        return tuple(tuple(family) for family in ranked_by_task(self.facts))

    def course(self, group: GroupResult, split: str) -> tuple[Moment, ...]:
        """Return the evaluations of a group on a split, without those that not all runs have."""
        rows = [row for row in group.epochs if split in row.splits]
        found = [
            (row, row.splits[split])
            for together in _near(rows, split, len(group.cells))
            for row in (together if len(together) == 1 else [self._one(group, together, split)])
        ]
        most = max((summary.n for _, summary in found), default=0)
        return tuple(
            Moment(row, summary, summary.mean)
            for row, summary in found
            if summary.n == most and isinstance(summary.mean, Quantity)
        )

    def _one(self, group: GroupResult, rows: Sequence[EpochRow], split: str) -> EpochRow:
        """Return rows at nearly the same step, each of other runs, as one evaluation."""
        study = self.facts.study
        found = [
            reading
            for cell in group.cells
            if cell.run is not None
            for row in rows
            if isinstance(
                reading := reading_of(cell.run, study.metric.name, split, row.step_of(cell.run)),
                Quantity,
            )
        ]
        summary = summarise_values(found, study.statistics)
        return EpochRow(epoch=0.0, step=rows[-1].step, splits={split: summary})

    def followed(self, group: GroupResult) -> tuple[Moment, ...]:
        """Return the course on the reporting split, or on that which chooses where it is longer.

        None of a course that is too dense to be followed.
        """
        splits = (group.report_split, self.facts.study.metric.select_on)
        course = max((self.course(group, split) for split in splits), key=len)
        return course if len(course) <= MOST_ROWS else ()

    def together(self, pair: Pair, split: str) -> tuple[tuple[Moment, Moment], ...]:
        """Return the evaluations that both groups of the pair have; none of dense courses."""
        first, second = (self.course(group, split) for group in pair.groups)
        if max(len(first), len(second)) > MOST_ROWS:
            return ()
        found = (
            (one, next((other for other in second if _meet(one.row, other.row)), None))
            for one in first
        )
        return tuple((one, other) for one, other in found if other is not None)


def scene_of(facts: Facts) -> Scene:
    """Return the facts as candidates see them."""
    # Of a direction that was guessed nothing is said: it may be the other one.
    sign = {"higher": 1, "lower": -1}.get(facts.selection.direction, 0)
    pair = _fair(facts, sign)
    groups = pair.groups if pair else _without_a_pair(facts)
    printing = _short(printing_of(facts.groups, *groups), pair, groups)
    return Scene(facts, sign, pair, groups, printing, _settings(facts))


def _settings(facts: Facts) -> dict[str, str]:
    """Return the factors of each group of a sweep in words, where they tell all of them apart."""
    focus = focus_of(facts)
    order = [group for group in focus.groups if group.report.n]
    factors = naming_factors(order) if focus.is_sweep else []
    return {group.name: settings_of(factors, group) for group in order} if factors else {}


def _without_a_pair(facts: Facts) -> tuple[GroupResult, ...]:
    """Return every group with a result; of many the best one, for the others are its contest."""
    known = [g for g in facts.groups if g.report.n and not g.task.is_part]
    if len(known) <= MOST_GROUPS:
        return tuple(known)
    return tuple(family[0] for family in ranked_by_task(facts)[:1])


def _fair(facts: Facts, sign: int) -> Pair | None:
    """Return the groups of the headline; None where they may not be subtracted."""
    if not facts.comparisons or not sign:
        return None
    names = (facts.comparisons[0].first, facts.comparisons[0].second)
    first, second = (facts.group(name) for name in names)
    asked = bool(facts.study.compare) and first.task == second.task and not first.task.is_part
    if not asked and len(families_of((first, second))) != 1:
        return None
    confidence = facts.study.statistics.confidence
    comparison = compare_pair(first, second, confidence=confidence)
    if isinstance(comparison.difference, Quantity) and comparison.difference.value < 0:
        first, second = second, first
        comparison = compare_pair(first, second, confidence=confidence)
    if not isinstance(comparison.difference, Quantity):
        return None
    if sign < 0:
        first, second = second, first
    return Pair(first, second, comparison, comparison.difference)


def _short(printing: Printing, pair: Pair | None, groups: Sequence[GroupResult]) -> Printing:
    """Return how numbers are printed in sentences: with no more digits than are read.

    A difference of a point or more needs one decimal of a percentage, plain values four digits.
    """
    if printing.style == "percent":
        small = pair is not None and pair.gap.value < 0.01
        most = printing.spread if small else 1
    else:
        means = [abs(g.report.mean.value) for g in groups if isinstance(g.report.mean, Quantity)]
        size = max(means, default=0.0)
        most = max(0, 3 - math.floor(math.log10(size))) if size > 0 else printing.spread
    return replace(
        printing, spread=min(printing.spread, most), value=min(printing.value, max(most, 1))
    )


def _meet(one: EpochRow, other: EpochRow) -> bool:
    """Return whether two rows are of one epoch or, where it is not known, of nearly one step."""
    if one.epoch or other.epoch:
        return one.epoch == other.epoch
    return abs(one.step - other.step) <= NEAR * max(one.step, other.step)


def _near(rows: Sequence[EpochRow], split: str, runs: int) -> list[list[EpochRow]]:
    """Return rows of other runs together that lie at nearly the same step: ends that differ."""
    found: list[list[EpochRow]] = []
    for row in rows:
        last = found[-1] if found else []
        count = sum(one.splits[split].n for one in (*last, row))
        if last and not row.epoch and _meet(last[0], row) and count <= runs:
            last.append(row)
        else:
            found.append([row])
    return found


def noise_of_ends(scene: Scene, order: Sequence[GroupResult]) -> Quantity | None:
    """Return how much the runs of the best group vary, or single runs at their reported ends."""
    spread = order[0].report.std
    if isinstance(spread, Quantity) or not scene.facts.selection.is_last:
        return spread if isinstance(spread, Quantity) and order[1].report.n == 1 else None
    found = []
    for group in order[:2]:
        for _, run in runs_of(group):
            series = run.find(scene.facts.study.metric.name, group.report_split)
            if series is None or len(series) < LEAST or not finite_mask(series).all():
                continue
            end = series.values[-(len(series) // 10) :].astype(float)
            scale = group.report.values[0] / end[-1] if end[-1] else 1.0
            words = message("standard deviation of the last tenth of a run")
            found.append(made(float(end.std()) * scale, words, (of_series(run, series),)))
    return max(found, key=lambda one: one.value, default=None)


# --- scores ---------------------------------------------------------------------------


CONCLUSION, CAVEAT, OTHER = "conclusion", "caveat", "other"
WEIGHTS = {CONCLUSION: 1.0, CAVEAT: 0.8, OTHER: 0.4}
"""A conclusion on the headline, a caveat on it, and what does not touch it."""


@record(kw_only=False)
class Draft:
    """What a candidate says where it holds, before its score is known.

    Attributes:
        about: Key of `WEIGHTS`.
        effect: Size of what was found.
        noise: Size that chance, or the resolution of the logs, gives the same quantity.
        head: The claim, with its full stop.
        sentences: One to three that show it; each can stand below another head of its subject.
            Empty ones are none.
        kind: `"conclusion"` or `"caveat"`; empty is that of `about`.
        rows: Evaluations whose means the sentences name.
    """

    about: str
    effect: float
    noise: float
    head: Text
    sentences: tuple[Text, ...]
    kind: str = ""
    rows: tuple[EpochRow, ...] = ()


@record
class Finding:
    """What is said of one subject.

    Attributes:
        id: Name of the candidate whose head it has (`crossing`).
        subject: What it is about (`speed`): there is one finding a subject.
        kind: `"conclusion"` or `"caveat"`.
        score: How much it matters, from 0 to 10.
        head: The claim, a sentence.
        sentences: One to three that show it; none repeats the head.
        rows: Evaluations whose means the sentences name: a table of the means shows them.
    """

    id: str
    subject: str
    kind: str
    score: float
    head: Text
    sentences: tuple[Text, ...]
    rows: tuple[EpochRow, ...] = ()
