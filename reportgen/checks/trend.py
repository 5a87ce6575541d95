"""What is said to rise, fall, vary, settle or overfit does so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._amounts import changes, fits
from reportgen.checks._bounded import groups_said
from reportgen.checks._courses import falls, rises, settles, since_its_best, turns, varies
from reportgen.checks._divergence import DIVERGED, check_divergence, state_of
from reportgen.checks._known import Known, shown
from reportgen.checks._margins import TIE, Reading, denied, settle
from reportgen.checks._not_finite import failed, has_nan
from reportgen.checks._sentences import check_sentences, groups_of, room_of, sentences, slots_of
from reportgen.checks._series import Room
from reportgen.checks._shares import least, share_reading
from reportgen.checks._subject_courses import Course, run_courses, subject_courses
from reportgen.checks._told_ends import told_ends
from reportgen.checks._windows import segments
from reportgen.records.claim import Printed, Statement
from reportgen.records.finding import Case, Finding

_DIRECTED = frozenset({"rises", "falls", "improves", "worsens"})
_ABOUT = Decimal("0.1")
"""Share of a difference by which `about 10 points` may miss it."""
_PREDICATES = _DIRECTED | {"moves", "varies", "converges", "plateaus", "overfits"}


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding on every sentence about the course of values."""
    yield from check_sentences(case, "trend", _PREDICATES, _read, crisp=_is_crisp)
    for claim, statement in sentences(case, frozenset({"gains"})):
        yield settle("trend", claim, [_gained(statement)], logged=False)
    for claim, statement in sentences(case, frozenset({"diverges"})):
        yield check_divergence(room_of(case, claim), claim, statement)


def _is_crisp(statement: Statement) -> bool:
    """Say whether a sentence names its series and speaks of every step of it, or of one moment."""
    if statement.predicate not in _DIRECTED | {"moves"}:
        return False
    moment = any(subject.epoch is not None for subject in statement.subjects)
    whole = "epochs" in statement.over or moment or len(statement.amounts) == 2
    return whole and all(subject.group for subject in statement.subjects)


def _read(room: Room, statement: Statement) -> tuple[Reading, ...]:
    found = tuple(_readings(room, statement))
    return denied(found) if statement.denied else found


def _readings(room: Room, statement: Statement) -> Iterator[Reading]:
    subject = statement.subjects[0]
    said = groups_said(room, subject)
    for slot in slots_of(room, subject):
        groups = said if len(said) == 1 else groups_of(room, subject)
        if statement.share is not None:
            yield from _share(room, statement, slot)
        elif "seeds" in statement.over:
            runs = [c for g in groups for c in run_courses(room, subject, g, slot)]
            readings = [r for course in runs for r in _of_course(room, statement, course)]
            if readings:
                yield least(readings)
        else:
            yield from _of_groups(room, statement, slot, groups)


def _of_groups(
    room: Room, statement: Statement, slot: tuple[str, str], groups: Sequence[str]
) -> Iterator[Reading]:
    """Yield the readings of each group; what is said of all of them holds for the least."""
    found: dict[str, list[Reading]] = {}
    subject = statement.subjects[0]
    for group in groups:
        for course in subject_courses(room, subject, group, slot):
            for reading in _of_course(room, statement, course):
                kind = course[0].aggregate or f"run {course[0].seed}"
                found.setdefault(kind, []).append(reading)
    for same in found.values():
        if subject.group or len(groups) == 1 or not statement.every:
            yield from same
        elif len(same) == len(groups):
            yield least(same)


def _share(room: Room, statement: Statement, slot: tuple[str, str]) -> Iterator[Reading]:
    """Yield whether it holds for as many runs as it is said, and for those that are named."""
    subject = replace(statement.subjects[0], seed=None)
    runs = [c for g in groups_of(room, subject) for c in run_courses(room, subject, g, slot)]
    readings = [r for course in runs for r in _of_course(room, statement, course)]
    if len(readings) != len(runs) or statement.share is None:
        return
    name = f"every run, {slot[1]} {slot[0]}"
    # Of a run with NaN nobody can say that it improves at every evaluation, nor that it does not.
    lost = [has_nan(room, course[0], slot) for course in runs]
    cut = [failed(r) if nan else r for r, nan in zip(readings, lost, strict=True)]
    for counted in (readings, cut) if any(lost) else (readings,):
        reading = share_reading(counted, statement.share, name)
        if reading is not None:
            yield least([reading, *_named(room, statement, slot)])


def _named(room: Room, statement: Statement, slot: tuple[str, str]) -> Iterator[Reading]:
    """Yield whether it holds for each run that is named."""
    for one in statement.subjects:
        for group in groups_of(room, one) if one.seed is not None else ():
            for course in run_courses(room, one, group, slot):
                yield from _of_course(room, statement, course)


def _gained(statement: Statement) -> Reading:
    """Read whether two numbers differ by as much as is said; the three may be rounded apart."""
    first, last, amount = statement.amounts
    scale = 2 if max(first.value, last.value) <= 1 < amount.value else 0
    gap = abs(last.value - first.value).scaleb(scale)
    slack = (first.half_unit + last.half_unit).scaleb(scale) + amount.half_unit
    off = abs(gap - abs(amount.value))
    if amount.approximate in {"over", "under"}:
        off = (abs(amount.value) - gap) * (1 if amount.approximate == "over" else -1)
    return Reading(
        name="difference of the two numbers",
        margin=-off or TIE,
        slack=slack,
        tolerance=_ABOUT * gap if amount.approximate else Decimal(0),
        witness=f"{shown(gap)} points between {first.text} and {last.text}",
    )


# --- one course -----------------------------------------------------------------------


def _of_course(room: Room, statement: Statement, course: Course) -> Iterator[Reading]:
    lower = room.lower_wins(course[0].metric)
    name = _called(course)
    if statement.predicate == "overfits":
        yield from _overfits(statement, course, low=lower, name=name)
        return
    found = [
        reading
        for part in segments(room, statement, course)
        for reading in _of_part(room, statement, part, low=lower, name=name)
    ]
    if found and statement.share is not None:
        found = [max(found, key=lambda reading: reading.charity)]
    yield from found


def _of_part(
    room: Room, statement: Statement, course: Course, *, low: bool, name: str
) -> Iterator[Reading]:
    if statement.amounts and statement.predicate in _DIRECTED | {"moves"}:
        yield from _with_amounts(room, statement, course, low=low, name=name)
    elif statement.predicate in _DIRECTED:
        yield from _directed(statement, course, low=low, name=name)
    elif statement.predicate == "varies":
        yield from filter(None, (varies(course, name=name),))
    else:
        settled = settles(course, name=name)
        if settled is not None:
            yield _unless_diverged(room, statement, course, settled)
        if course[0].aggregate == "std":
            yield falls(course, every=False, name=name)


def _unless_diverged(room: Room, statement: Statement, course: Course, reading: Reading) -> Reading:
    """Return a reading that fails for a run that diverged, however flat its other values are."""
    if room.book is None or statement.predicate != "converges" or not course[0].run:
        return reading
    for run in room.book.runs(course[0].group):
        state, shows = state_of(room.book, run) if run.id == course[0].run else ("", "")
        if state == DIVERGED:
            return replace(failed(reading), witness=shows)
    return reading


def _directed(statement: Statement, course: Course, *, low: bool, name: str) -> Iterator[Reading]:
    """Yield whether a course goes up or down."""
    spread = course[0].aggregate in {"std", "difference"}
    predicate = statement.predicate
    down = predicate == "falls" or (
        predicate in {"improves", "worsens"} and (predicate == "improves") == (low or spread)
    )
    every = "epochs" in statement.over
    read = falls if down else rises
    whole = read(course, every=every, name=name)
    turned = since_its_best(course, low=down) if "end" in statement.over and not every else ()
    yield least([whole, read(turned, every=False, name=name)]) if turned else whole
    if statement.denied and not every:
        # What is not falling throughout may be said not to be falling.
        yield (falls if down else rises)(course, every=True, name=name)


def _with_amounts(
    room: Room, statement: Statement, course: Course, *, low: bool, name: str
) -> Iterator[Reading]:
    """Yield whether a course has the two values, or the difference, that are printed of it."""
    pairs = told_ends(room, statement, course)
    ends = [(_agreement(statement.amounts, pair), pair) for pair in pairs]
    margin, pair = max(ends, key=lambda end: end[0])
    first, last = pair
    words = (
        f"{shown(first.value)} at {first.where} and {shown(last.value)} at {last.where} ({name})"
    )
    evidence = (*first.evidence, *last.evidence)
    told = Reading(name=name, margin=margin, witness=words, evidence=evidence)
    if statement.predicate == "moves":
        yield told
        return
    whole, *denied_of = _directed(statement, course, low=low, name=name)
    yield from denied_of
    # `Rises from 60.3 to 67.6` may be said of two values that are not the ends of the course.
    told_alone = margin >= 0 and len(statement.amounts) > 1 and "epochs" not in statement.over
    read = next(_directed(statement, pair, low=low, name=name)) if told_alone else whole
    yield whole if _fails(read) else told


def _fails(reading: Reading) -> bool:
    return reading.charity + reading.tolerance < 0


def _agreement(amounts: Sequence[Printed], pair: tuple[Known, Known]) -> Decimal:
    """Return the margin by which two numbers are two values, or one is what lies between them."""
    if len(amounts) == 1:
        return changes(amounts[0], *pair)
    return min(map(fits, amounts, pair))


def _overfits(statement: Statement, course: Course, *, low: bool, name: str) -> Iterator[Reading]:
    epoch = statement.subjects[0].epoch
    if course[0].split == "train" or course[0].aggregate == "std":
        return
    at = None if epoch is None else Decimal(repr(float(epoch)))
    if at is not None and course[0].moment[0] != "epoch":
        return
    yield from filter(None, (turns(course, low=low, at=at, name=name),))


def _called(course: Course) -> str:
    known = course[0]
    what = {"std": "standard deviation of ", "mean": "mean ", "difference": "gap of the mean "}
    run = f"/seed {known.seed}" if known.seed is not None else ""
    words = f"{known.group}{run}, {what.get(known.aggregate, '')}{known.split} {known.metric}"
    return words.replace("  ", " ").strip()
