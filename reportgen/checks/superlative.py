"""What is called the best, the highest or the lowest is so: a moment, or a group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._amounts import fits
from reportgen.checks._known import Known, shown
from reportgen.checks._margins import TIE, Reading, denied, tolerance_of
from reportgen.checks._not_finite import ends_in_nan, failed
from reportgen.checks._pairs import comparisons, moment_of, relation
from reportgen.checks._sentences import check_sentences, groups_of, other_groups, slots_of
from reportgen.checks._series import CLOCKS, Room, by_moment, singles
from reportgen.checks._shares import least, share_reading
from reportgen.checks._sides import side
from reportgen.checks._spread_results import of_results
from reportgen.checks._subject_courses import run_courses, subject_courses
from reportgen.claims._labels import group_key
from reportgen.records.claim import Meaning, Printed, Statement
from reportgen.records.finding import Case, Finding

_PREDICATES = frozenset({"highest", "lowest", "best", "worst"})
_NAMED = {"highest": "max", "lowest": "min"}


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding on every superlative.

    A sentence whose step is a claim of its own carries no second error.
    """
    for finding in check_sentences(case, "superlative", _PREDICATES, _read, crisp=_is_crisp):
        whole = finding.claim
        twice = finding.level == "error" and any(
            claim.kind == "best_step"
            and claim.block == whole.block
            and whole.start <= claim.start < whole.end
            for claim in case.claims
        )
        yield replace(finding, level="warning") if twice else finding


def _is_crisp(statement: Statement) -> bool:
    """Say whether a superlative names its moment or speaks of every run, and whose it is."""
    subjects = statement.subjects
    named = all(_has_moment(subject) for subject in subjects)
    whole = bool(statement.over) or statement.share is not None
    return (named or whole) and all(subject.group or whole for subject in subjects)


def _has_moment(subject: Meaning) -> bool:
    return subject.epoch is not None or subject.step is not None or subject.selection == "last"


def _read(room: Room, statement: Statement) -> tuple[Reading, ...]:
    subject = statement.subjects[0]
    if _may_be_a_name(room, statement.predicate, subject.metric):
        return ()
    if _is_ranked(statement):
        found = tuple(_ranked(room, statement))
    elif _has_moment(subject):
        found = tuple(_of_moment(room, statement))
    else:
        found = tuple((_of_group if subject.seed is None else _of_seed)(room, statement))
    return denied(found) if statement.denied else found


def _is_ranked(statement: Statement) -> bool:
    """Say whether a group is called the best of several at a moment that is named."""
    if len(statement.subjects) != 2 or statement.share is not None:
        return False
    subject, among = statement.subjects
    return subject.seed is None and not among.group and _has_moment(among)


def _ranked(room: Room, statement: Statement) -> Iterator[Reading]:
    """Yield whether a group is the best of several at a moment.

    Where it is said to reach the moment, that may be the best one of its own. Else its own best
    moment makes nothing true, but leaves open what is meant; of the last one nobody says that.
    """
    subject, among = statement.subjects
    mine = _when(subject, among)
    ranks = tuple(_of_group(room, statement))
    yield from ranks
    alone = not any(_rivals(room, group) for group in groups_of(room, subject))
    if alone or _has_moment(subject):
        yield from _of_moment(room, replace(statement, subjects=(mine,)))
    elif among.selection != "last" and ranks and not statement.denied:
        mine = replace(mine, aggregate=mine.aggregate or "mean")
        for reading in _of_moment(room, replace(statement, subjects=(mine,)), early=True):
            yield replace(reading, margin=min(reading.margin, Decimal(0)), slack=Decimal(0))


def _when(subject: Meaning, among: Meaning) -> Meaning:
    """Return a subject at the moment at which it is held against the others."""
    return replace(subject, epoch=among.epoch, step=among.step, selection=among.selection)


def _may_be_a_name(room: Room, predicate: str, metric: str) -> bool:
    """Say whether `the minimum return` may be the metric that the logs call `min_return`."""
    name = f"{_NAMED.get(predicate, '')}_{metric}"
    return room.book is not None and room.book.metric(name) == name


def _is_high(statement: Statement, *, lower_wins: bool) -> bool:
    if statement.predicate in {"best", "worst"}:
        return (statement.predicate == "best") != lower_wins
    return statement.predicate == "highest"


# --- moments --------------------------------------------------------------------------


def _of_moment(room: Room, statement: Statement, *, early: bool = False) -> Iterator[Reading]:
    """Yield whether a moment is the best one of a course; if `early`, where it does not end it."""
    subject = statement.subjects[0]
    runs = statement.share is not None or bool({"seeds", "runs"} & set(statement.over))
    for metric, split in slots_of(room, subject):
        high = _is_high(statement, lower_wins=room.lower_wins(metric))
        if runs:
            yield from _over_runs(room, statement, (metric, split), high=high)
            continue
        for group in groups_of(room, subject):
            for course in subject_courses(room, subject, group, (metric, split)):
                if early and moment_of(subject, room) == course[-1].moment:
                    continue
                yield from _peak(room, subject, course, statement.amounts, high=high)


def _over_runs(
    room: Room, statement: Statement, slot: tuple[str, str], *, high: bool
) -> Iterator[Reading]:
    """Yield whether the moment is the best one of every run, or of as many as it is said."""
    found: list[Reading] = []
    cut: list[Reading] = []
    for subject in statement.subjects:
        for group in groups_of(room, subject):
            for course in run_courses(room, subject, group, slot):
                one = tuple(_peak(room, subject, course, (), high=high))
                found += one
                lost = subject.selection == "last" and ends_in_nan(room, course[0], slot)
                cut += [failed(reading) for reading in one] if lost else one
    name = f"every run, {slot[1]} {slot[0]}".strip()
    # The last step of a run that ends in NaN is the last finite one, or no best one at all.
    for readings in filter(None, (found, cut if cut != found else ())):
        share = statement.share
        whole = share_reading(readings, share, name) if share is not None else least(readings)
        if whole is not None:
            yield whole


def _peak(
    room: Room,
    subject: Meaning,
    course: Sequence[Known],
    amounts: tuple[Printed, ...],
    *,
    high: bool,
) -> Iterator[Reading]:
    """Yield whether a course has its extreme at the moment, and the amount printed beside it."""
    moment = moment_of(subject, room)
    at = course[-1] if moment is None else next((k for k in course if k.moment == moment), None)
    others = [known for known in course if known is not at]
    if at is None or not others:
        return
    sign = 1 if high else -1
    rival = max(others, key=lambda known: sign * known.value)
    margin = sign * (at.value - rival.value) or TIE
    reading = Reading(
        name=f"{_called(at)} at each {at.moment[0]}",
        margin=margin,
        # What is printed alike is no wider: a unit of the printed amount is a tie.
        slack=at.slack + rival.slack + sum(2 * number.half_unit for number in amounts[:1]),
        tolerance=tolerance_of(course),
        witness=f"{shown(at.value)} at {at.where} and {shown(rival.value)} at {rival.where} "
        f"({_called(at)})",
        evidence=(*at.evidence, *rival.evidence),
    )
    if amounts and reading.charity + reading.tolerance > 0:
        fit = fits(amounts[0], at)
        told = f"{shown(at.value)} at {at.where} ({_called(at)})"
        reading = replace(reading, margin=fit, slack=Decimal(0), tolerance=Decimal(0), witness=told)
    yield reading


def _called(known: Known) -> str:
    """Return what a value is called in a message."""
    what = {
        "std": "standard deviation of ",
        "mean": "mean ",
        "difference": "difference of the mean ",
    }
    run = f"{known.group}/seed {known.seed}, " if known.seed is not None else f"{known.group}, "
    return f"{run}{what.get(known.aggregate, '')}{known.split} {known.metric}".replace("  ", " ")


# --- groups ---------------------------------------------------------------------------


def _of_group(room: Room, statement: Statement) -> Iterator[Reading]:
    """Yield whether a group lies above (or below) every other one that the report speaks of."""
    subject, among = statement.subjects[0], statement.subjects[-1]
    subject = _when(subject, among)
    for group in groups_of(room, subject) if subject.group else ():
        rivals = _rivals(room, group)
        for metric, split in slots_of(room, subject):
            high = _is_high(statement, lower_wins=room.lower_wins(metric))
            found: dict[str, dict[frozenset[str], Reading]] = {}
            ours = side(room, subject, group, metric, split)
            for rival in rivals:
                key = frozenset({rival}) if room.logged else group_key(rival)
                theirs = side(room, replace(subject, seed=None), rival, metric, split)
                for comparison in of_results(room, statement, comparisons(room, ours, theirs)):
                    if _is_meant(comparison.level, statement):
                        every = bool(statement.over)
                        reading = relation(comparison, higher=high, every=every)
                        found.setdefault(reading.name, {})[key] = reading
            whole = len({frozenset({r}) if room.logged else group_key(r) for r in rivals})
            yield from (least([*m.values()]) for m in found.values() if 0 < len(m) == whole)


def _rivals(room: Room, group: str) -> tuple[str, ...]:
    """Return the other groups that the report speaks of; all others where it names none.

    Those of another task are none: nothing is the best of several tasks.
    """
    tasks = {g.name: g.task for g in room.case.facts.groups} if room.case.facts else {}
    others = tuple(o for o in other_groups(room, group) if tasks.get(o) == tasks.get(group))
    named = set(room.case.groups.values())
    spoken = tuple(other for other in others if other in named)
    return spoken if room.logged and spoken else others


def _is_meant(level: str, statement: Statement) -> bool:
    if statement.subjects[0].aggregate == "std":
        return level == "std"
    return level == "run" if "runs" in statement.over else level in {"mean", "seed"}


def _of_seed(room: Room, statement: Statement) -> Iterator[Reading]:
    """Yield whether one run of a group is its best, at any moment that may be meant."""
    subject = statement.subjects[0]
    for metric, split in slots_of(room, subject):
        sign = 1 if _is_high(statement, lower_wins=room.lower_wins(metric)) else -1
        for group in groups_of(room, subject):
            for seed in room.seeds_of(subject, group, counted=statement.vague):
                found: list[Reading] = []
                for members in _moments(room, statement, (group, metric, split)):
                    own = [known for known in members if known.seed == seed]
                    rest = [known for known in members if known.seed != seed]
                    if len(own) == 1 and rest:
                        rival = max(rest, key=lambda known: sign * known.value)
                        found.append(_first_of(own[0], rival, sign))
                yield from [least(found)] if found and "epochs" in statement.over else found


def _moments(
    room: Room, statement: Statement, where: tuple[str, str, str]
) -> Iterator[tuple[Known, ...]]:
    """Yield the values of all runs at the moments that a seed's rank may be told of."""
    group, metric, split = where
    among = statement.subjects[1] if len(statement.subjects) > 1 else Meaning()
    values = side(room, replace(among, seed=None), group, metric, split).values(room)
    clocked = any(known.moment[0] in CLOCKS for known in values)
    for moment, members in by_moment(singles(values)).items():
        if "epochs" not in statement.over or not clocked or moment[0] in CLOCKS:
            yield members


def _first_of(own: Known, rival: Known, sign: int) -> Reading:
    return Reading(
        name=f"{own.split} {own.metric} of all runs at {own.where}".strip(),
        margin=sign * (own.value - rival.value) or TIE,
        slack=own.slack + rival.slack,
        tolerance=tolerance_of((own, rival)),
        witness=f"{shown(own.value)} for {_called(own)} and {shown(rival.value)} for "
        f"{_called(rival)}, at {own.where}",
        evidence=(*own.evidence, *rival.evidence),
    )
