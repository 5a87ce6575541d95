"""The series that a statement speaks of: from the logs, else from the report's own tables.

Both give the same thing, values with their moments, so that a check is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from reportgen.checks._known import Known, Moment, lower_is_better, mean_of, std_of
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._logged_runs import known_of_logs
from reportgen.checks._printed_values import (
    known_of_report,
    main_metric_of_report,
    matching_labels,
)
from reportgen.records.claim import Meaning
from reportgen.records.finding import Case

CLOCKS = ("epoch", "step")


@dataclass(frozen=True, kw_only=True)
class Room:
    """One kind of evidence of a case.

    Attributes:
        case: The case.
        book: The logs; None where the report itself is the evidence.
        printed: Where they are not: the values that the report prints.
        program: Only runs of this layout are meant; empty means any.
        clock: `"step"` where every evaluation is a moment of its own, and not the ends of epochs.
        sentence: The sentence in question, as it is written.
        clause: The part of it in question.
    """

    case: Case
    book: Logbook | None = None
    printed: tuple[Known, ...] = ()
    program: str = ""
    clock: str = ""
    sentence: str = ""
    clause: str = ""
    _kept: dict[tuple[str, str, str], tuple[Known, ...]] = field(default_factory=dict)

    @property
    def logged(self) -> bool:
        """Whether the values are those of the logs."""
        return self.book is not None

    def metrics(self, name: str) -> tuple[str, ...]:
        """Return the metrics that a word stands for; nothing said means the main one."""
        if self.book is not None:
            return tuple(filter(None, (self.book.metric(name),)))
        main = name or main_metric_of_report(self.case)
        found = dict.fromkeys(k.metric for k in self.printed)
        return tuple(m for m in found if m == main or (name and main in m.split("_")))

    def splits(self, metric: str, split: str) -> tuple[str, ...]:
        """Return the splits that may be meant, the likeliest first."""
        if split:
            return (split,)
        plan = self.case.facts.study.metric if self.case.facts is not None else None
        first = (plan.report_on, plan.select_on) if plan is not None else ("test", "validation")
        train = ("train",) if lower_is_better(metric) else ()
        return tuple(dict.fromkeys((*first, "test", "validation", *train, "")))

    def groups(self) -> tuple[str, ...]:
        """Return every group of the evidence."""
        if self.book is not None and self.case.facts is not None:
            layouts = {group.name: group.layout for group in self.case.facts.groups}
            groups = self.book.groups()
            return tuple(g for g in groups if layouts.get(g, "").startswith(self.program))
        return tuple(dict.fromkeys(known.group for known in self.printed))

    def named(self, label: str, solved: str = "") -> tuple[str, ...]:
        """Return the groups that a label means: one, or several spellings of it in a report."""
        groups = self.groups()
        if not self.logged:
            return matching_labels(label, groups) if label else ()
        solved = solved or self.case.groups.get(label, "")
        return (solved,) if solved in groups else ()

    def values(self, metric: str, split: str, group: str) -> tuple[Known, ...]:
        """Return every value of a metric on a split in a group."""
        key = (metric, split, group)
        if key not in self._kept:
            if self.book is not None and self.case.facts is not None:
                found = known_of_logs(self.book, self.case.facts, metric, split, group)
                self._kept[key] = tuple(map(_by_step, found)) if self.clock else found
            else:
                self._kept[key] = tuple(
                    known
                    for known in self.printed
                    if (known.metric, known.split, known.group) == key
                )
        return self._kept[key]

    def lower_wins(self, metric: str) -> bool:
        """Say whether small values of a metric are the good ones, as the study says if it does."""
        return self.book.lower(metric) if self.book is not None else lower_is_better(metric)

    def seed_of(self, meaning: Meaning, group: str) -> int | None:
        """Return the seed of the evidence that a meaning names."""
        if meaning.seed is None or not self.logged:
            return meaning.seed
        if meaning.run_seed is not None:
            return meaning.run_seed
        known = self.case.seeds.get(group, {})
        if meaning.seed in known or self.book is None:
            return known.get(meaning.seed, meaning.seed)
        found = self.seeds_of(meaning, group)
        return meaning.seed if meaning.seed in found or not found else found[0]

    def run_of(self, meaning: Meaning) -> str:
        """Return the id of the single run that a meaning names, or nothing."""
        return meaning.run if self.logged else ""

    def seeds_of(self, meaning: Meaning, group: str, *, counted: bool = False) -> tuple[int, ...]:
        """Return every seed that a meaning may name.

        `The third run` is the third of the seeds 42, 43 and 44; where a report numbers no seeds,
        `the first run` is seed 0 or seed 1.
        """
        known = self.case.seeds.get(group, {})
        named = meaning.run_seed is not None or meaning.seed in known
        if meaning.seed is None or self.book is None or (named and not counted):
            seed = self.seed_of(meaning, group)
            return () if seed is None else (seed,)
        logged = [run.seed for run in self.book.runs(group)]
        placed = logged[meaning.seed - 1 : meaning.seed] if meaning.seed > 0 else []
        same = [self.seed_of(meaning, group)] if named else [s for s in logged if s == meaning.seed]
        return tuple(sorted({seed for seed in (*same, *placed) if seed is not None}))


def _by_step(known: Known) -> Known:
    """Return a value with its step for its moment, whatever epoch it closes."""
    if known.moment[0] != "epoch" or not known.evidence or known.evidence[0].step is None:
        return known
    step = known.evidence[0].step
    return replace(known, moment=("step", Decimal(step)), where=f"step {step}")


def has_more_steps(room: Room) -> bool:
    """Say whether runs were evaluated at other moments than the ends of epochs, too."""
    facts = room.case.facts
    if facts is None or room.book is None:
        return False
    plan = facts.study.metric
    return any(
        len({known.moment[0] for known in found if known.moment[0] in CLOCKS}) > 1
        for group in room.groups()
        for split in dict.fromkeys((plan.select_on, plan.report_on))
        for found in [room.values(plan.name, split, group)]
    )


def rooms(case: Case) -> tuple[Room, ...]:
    """Return the evidence of a case, the strongest first."""
    printed = Room(case=case, printed=known_of_report(case))
    book = logbook_of(case)
    return (printed,) if book is None else (Room(case=case, book=book), printed)


def singles(values: Iterable[Known]) -> tuple[Known, ...]:
    """Return the values of single runs."""
    return tuple(known for known in values if not known.aggregate)


def by_moment(values: Iterable[Known]) -> dict[Moment, tuple[Known, ...]]:
    """Return moment to values; epochs and steps in order, chosen moments behind them."""
    found: dict[Moment, list[Known]] = {}
    for known in values:
        found.setdefault(known.moment, []).append(known)
    order = {clock: place for place, clock in enumerate((*CLOCKS, "best", "last", "oracle"))}
    keys = sorted(found, key=lambda moment: (order.get(moment[0], 9), moment[1]))
    return {moment: tuple(found[moment]) for moment in keys}


def means(values: Iterable[Known]) -> tuple[Known, ...]:
    """Return the mean of a group at every moment: as it is printed, else of all its runs."""
    return _summary(values, "mean", mean_of)


def means_of_some(values: Iterable[Known]) -> tuple[Known, ...]:
    """Return the mean of those runs that have a value at a moment, at every moment.

    Nothing where every run has a value at each: `means` are the same then.
    """
    kept = singles(values)
    runs = {(known.run, known.seed) for known in kept}
    moments = by_moment(kept).values()
    if all(len(members) == len(runs) for members in moments):
        return ()
    return tuple(_joined(m, "mean", mean_of([known.value for known in m])) for m in moments)


def stds(values: Iterable[Known]) -> tuple[Known, ...]:
    """Return the standard deviation over the runs at every moment, printed or computed."""
    return _summary(values, "std", std_of)


def widths(values: Iterable[Known]) -> tuple[Known, ...]:
    """Return the highest less the lowest run at every moment, in the logs alone."""
    return _summary(values, "width", _width_of)


def _width_of(values: Sequence[Decimal]) -> Decimal | None:
    return max(values) - min(values) if len(values) > 1 else None


def _summary(
    values: Iterable[Known],
    aggregate: str,
    summarise: Callable[[list[Decimal]], Decimal | None],
) -> tuple[Known, ...]:
    kept = tuple(values)
    runs = {(known.run, known.seed) for known in singles(kept)}
    found: list[Known] = []
    for members in by_moment(kept).values():
        printed = [known for known in members if known.aggregate == aggregate]
        if printed:
            found.append(printed[0])
            continue
        alone = singles(members)
        if len(alone) < len(runs) or not alone:
            continue
        value = summarise([known.value for known in alone])
        if value is not None:
            found.append(_joined(alone, aggregate, value))
    return tuple(found)


def _joined(members: tuple[Known, ...], aggregate: str, value: Decimal) -> Known:
    return replace(
        members[0],
        value=value,
        aggregate=aggregate,
        slack=max(known.slack for known in members),
        seed=None,
        run="",
        n=len(members),
        evidence=tuple(e for known in members for e in known.evidence),
    )


def differences(first: Iterable[Known], second: Iterable[Known]) -> tuple[Known, ...]:
    """Return first minus second at every moment that both have, one value a moment each."""
    others = {known.moment: known for known in second}
    return tuple(
        replace(
            known,
            value=known.value - other.value,
            slack=known.slack + other.slack,
            aggregate="difference",
            evidence=(*known.evidence, *other.evidence),
        )
        for known in first
        if (other := others.get(known.moment)) is not None
    )


def courses(values: Iterable[Known]) -> tuple[tuple[Known, ...], ...]:
    """Return the course of every run (or of a summary) over time, in order.

    Of a run with both, the ends of epochs are its course.
    """
    found: dict[tuple[str, int | None, str], list[Known]] = {}
    for known in values:
        if known.moment[0] in CLOCKS:
            found.setdefault((known.run, known.seed, known.aggregate), []).append(known)
    courses: list[tuple[Known, ...]] = []
    for members in found.values():
        for clock in CLOCKS:
            own = [known for known in members if known.moment[0] == clock]
            course = tuple(sorted(own, key=lambda known: known.moment[1]))
            if len(course) > 1:
                courses += [course] if _is_whole(course) else []
                break
    return tuple(courses)


def _is_whole(course: tuple[Known, ...]) -> bool:
    """Say whether a course has no holes: a report may print single moments of a run.

    A moment twice is no course either: something else tells its values apart.
    """
    if not course[0].slack:
        return True
    gaps = {after.moment[1] - before.moment[1] for before, after in pairwise(course)}
    return len(gaps) == 1 and 0 not in gaps and (course[0].moment[0] != "epoch" or gaps == {1})
