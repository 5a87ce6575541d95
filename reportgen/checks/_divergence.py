"""Which runs of the logs diverged for sure, and which for sure did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from reportgen.checks._bounded import groups_said
from reportgen.checks._ladder import unbound
from reportgen.checks._logged import Curve, Logbook
from reportgen.checks._sentences import groups_of
from reportgen.checks._series import Room
from reportgen.checks._settled import settled
from reportgen.checks._weigh import spell
from reportgen.records.claim import Claim, Statement
from reportgen.records.finding import Finding
from reportgen.records.run import Run

RULE = "trend"
DIVERGED, FINE = "diverged", "fine"
_FAR = 10
"""So many times its first and its best value is an error of a run that diverged."""
_UNREST = Decimal("1.5")
"""So many times its first value an error may reach on the way in a run that did not."""
_SHORTEST = 2
_SIBLINGS = 40
"""Other runs that are looked at for a loss that is logged to the end."""


def state_of(book: Logbook, run: Run) -> tuple[str, str]:
    """Return whether a run diverged, and a curve that shows it; nothing where that is open.

    A run diverged that ends in NaN, or in an error that is ten times its first and its best, or
    whose loss ends while its other values and the losses of other runs go on: a table that is
    written with NaN as an empty cell holds no more of it. One
    did not whose errors all end below their first value, without NaN and without a peak, and
    whose other metrics all end nearer to their best value than to their first.

    Args:
        book: The logs.
        run: One of its runs.
    """
    curves = _curves(book, run)
    for curve in curves:
        if _is_astray(curve, lower=book.lower(curve.series.metric)):
            last = "NaN" if not curve.ends_finite else spell(curve.last.value)
            return DIVERGED, f"{_called(book, curve)} ending at {last}"
    silent = _fallen_silent(book, run, curves)
    if silent is not None:
        return DIVERGED, f"{_called(book, silent)} with no value after step {silent.last.step}"
    held = [c for c in curves if _is_fine(c, lower=book.lower(c.series.metric))]
    if curves and len(held) == len(curves):
        first, last = (spell(point.value) for point in (held[0].first, held[0].last))
        return FINE, f"{_called(book, held[0])} going from {first} to {last}"
    return "", ""


def _curves(book: Logbook, run: Run) -> list[Curve]:
    slots = {(s.metric, s.split) for s in run.scalars.values() if s.metric and s.split}
    return [curve for slot in sorted(slots) if (curve := book.curve(run, *slot)) is not None]


def _fallen_silent(book: Logbook, run: Run, curves: Sequence[Curve]) -> Curve | None:
    """Return a loss that ends before the values logged along with it, in this run alone."""
    for curve in curves:
        metric, split = curve.series.metric, curve.series.split
        if not metric.startswith("loss") or not _ends_before(curve, curves):
            continue
        others = [one for group in book.groups() for one in book.runs(group) if one is not run]
        theirs = [c for one in others if (c := book.curve(one, metric, split)) is not None]
        if theirs and not any(_ends_before(c, _curves(book, c.run)) for c in theirs[:_SIBLINGS]):
            return curve
    return None


def _ends_before(curve: Curve, curves: Iterable[Curve]) -> bool:
    """Say whether a curve ends while others that have its steps go on for some points."""
    steps = [one.series.steps for one in curves if one.at(curve.last.step) is not None]
    return any(int((own > curve.series.steps[-1]).sum()) >= _SHORTEST for own in steps)


def _called(book: Logbook, curve: Curve) -> str:
    run, series = curve.run, curve.series
    seed = f"/seed {run.seed}" if run.seed is not None else ""
    return f"{book.study.label(book.group_of(run))}{seed}, {series.split} {series.metric},"


def _is_astray(curve: Curve, *, lower: bool) -> bool:
    if not curve.ends_finite:
        return True
    best = min(point.value for point in curve.points)
    return lower and best > 0 and curve.last.value > _FAR * max(curve.first.value, best)


def _is_fine(curve: Curve, *, lower: bool) -> bool:
    if curve.dropped or len(curve) < _SHORTEST:
        return False
    values = [point.value for point in curve.points]
    first, last = values[0], values[-1]
    if lower:
        return last < first and max(values) <= _UNREST * abs(first)
    return last > first and max(values) - last < last - first


def check_divergence(room: Room, claim: Claim, statement: Statement) -> Finding:
    """Hold a sentence about runs that diverged against the logs.

    Args:
        room: The logs, with the words in question.
        claim: The sentence.
        statement: What it says.
    """
    book, share = room.book, statement.share
    if book is None:
        return unbound(RULE, claim, "no logs were given")
    named = list(_named(room, statement))
    wanted = FINE if not statement.denied else DIVERGED
    for run in named:
        state, shows = state_of(book, run)
        if state == wanted:
            return settled(RULE, claim, "disagrees", f"the logs have {shows}", loudest="warning")
    if share is None:
        return unbound(
            RULE, claim, "no run that it names is one of the logs, or what it did is open"
        )
    return _of_so_many(room, book, claim, statement, share)


def _of_so_many(
    room: Room, book: Logbook, claim: Claim, statement: Statement, share: tuple[int, int]
) -> Finding:
    """Hold a number of runs that diverged against the least and the most that can have."""
    subject = statement.subjects[0]
    groups = groups_said(room, subject) or groups_of(room, subject)
    states = [state_of(book, run) for group in groups for run in book.runs(group)]
    least = [shows for state, shows in states if state == DIVERGED]
    most = len(states) - sum(state == FINE for state, _ in states)
    some, every = share
    if every not in {0, len(states)}:
        return unbound(RULE, claim, f"the logs have {len(states)} runs that it may speak of")
    if some < len(least):
        says = f"the logs have {least[0]}"
        says += f", and {len(least) - 1} more runs that diverged" if len(least) > 1 else ""
        return settled(RULE, claim, "disagrees", says, loudest="warning")
    if some > most and (least or every):
        # Where no run diverged, the one that did may not have been kept.
        says = f"the logs have {most} runs that may have diverged"
        return settled(RULE, claim, "disagrees", says, loudest="warning")
    if some <= most:
        return settled(RULE, claim, "agrees", f"the logs have {len(least)} runs that diverged")
    return unbound(RULE, claim, "runs that diverged may not be among the logs")


def _named(room: Room, statement: Statement) -> Iterator[Run]:
    """Yield the runs of the logs that a sentence names by their seed."""
    if room.book is None:
        return
    for subject in statement.subjects:
        if subject.seed is None:
            continue
        groups = groups_said(room, subject) or groups_of(room, subject)
        if len(groups) != 1:
            continue
        seed = room.seed_of(subject, groups[0])
        yield from room.book.runs(groups[0], seed) if seed is not None else ()
