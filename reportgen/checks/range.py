"""Values lie between the numbers that are given for them, ends included and with slack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._bounded import at_moment_said, groups_said, runs_said
from reportgen.checks._known import Known, is_ratio, shown
from reportgen.checks._margins import TIE, Reading, denied, tolerance_of
from reportgen.checks._sentences import check_sentences, groups_of, slots_of
from reportgen.checks._series import CLOCKS, Room, by_moment, means, singles, stds
from reportgen.checks._shares import least
from reportgen.checks._windows import within
from reportgen.records.claim import Meaning, Printed, Statement
from reportgen.records.finding import Case, Finding

_PREDICATES = frozenset({"between", "spans", "above", "below"})
_SUMMARIES = {"mean": (means, "on average"), "std": (stds, "of the standard deviation")}
_NOT_SURE = "which runs and which steps are meant is not sure, or the logs lack them"
_LOOSE = Decimal("0.25")
"""Share of a range's width that its ends may be rounded by, where words leave it open."""


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding on every range and bound."""
    yield from check_sentences(
        case, "range", _PREDICATES, _read, crisp=_is_crisp, open_by=_NOT_SURE
    )


def _is_crisp(statement: Statement) -> bool:
    return bool(statement.over) and all(s.group and s.metric for s in statement.subjects)


def _read(room: Room, statement: Statement) -> tuple[Reading, ...]:
    found = tuple(_readings(room, statement))
    return denied(found) if statement.denied else found


def _readings(room: Room, statement: Statement) -> Iterator[Reading]:
    """Yield whether the values of each choice that may be meant lie inside."""
    (subject,) = statement.subjects
    called = groups_said(room, subject)
    if len(called) == 1:
        subject = replace(subject, group=called[0], run_group=called[0])
    percent = any(number.unit == "percent" for number in statement.amounts)
    for metric, split in slots_of(room, subject):
        if percent and not subject.metric and not is_ratio(metric):
            continue  # `never below 70 %` is said of no loss.
        found: dict[str, list[Reading]] = {}
        together: dict[str, list[Known]] = {}
        groups = called or groups_of(room, subject)
        for group in groups:
            values = room.values(metric, split, group)
            told = _with_lost(room, group, statement)
            for name, kept in _choices(room, subject, group, values, statement):
                together.setdefault(name, []).extend(kept)
                reading = _inside(told, kept, f"{split} {metric} {name}".strip())
                found.setdefault(name, []).append(reading)
        for name, same in found.items():
            if statement.predicate == "spans" and not subject.group:
                one = _inside(statement, together[name], f"{split} {metric} {name}".strip())
                yield from (*(r for r in same if r.charity > 0), one)
                yield from _containing(statement, together[name], one)
            elif subject.group and not room.logged and "epochs" in statement.over:
                yield least(same)  # What a report prints under other spellings of its name counts.
            elif subject.group or not statement.every:
                yield from same
            elif len(same) == len(groups):
                yield least(same)


def _containing(statement: Statement, values: Sequence[Known], exact: Reading) -> Iterator[Reading]:
    """Yield that the values of all groups lie inside of a range that reaches further than they.

    Nobody says of whom it is, and so it is no more than doubtful.
    """
    loose = _inside(replace(statement, predicate="between"), values, exact.name)
    if loose.charity > 0 >= exact.charity:
        yield replace(exact, margin=Decimal(0), slack=Decimal(0))


def _with_lost(room: Room, group: str, statement: Statement) -> Statement:
    """Return what is said of a group: its ends may be those of runs that the logs lack."""
    lost = room.book is not None and room.book.missing(group)
    if lost and statement.predicate == "spans":
        return replace(statement, predicate="between")
    return statement


def _choices(
    room: Room, subject: Meaning, group: str, values: Sequence[Known], statement: Statement
) -> Iterator[tuple[str, tuple[Known, ...]]]:
    """Yield the values that a range may be of: at the best step, at the end, everywhere.

    What is said of every epoch is said of all values, and of nothing less.
    """
    values = within(room, statement, values)
    kept = runs_said(room, subject, group, singles(values))
    what = "of each run"
    if subject.aggregate in _SUMMARIES and subject.seed is None and "seeds" not in statement.over:
        # What is said of a mean is said of no single run.
        summary, what = _SUMMARIES[subject.aggregate]
        kept = summary(values if len(kept) == len(singles(values)) else kept)
        if subject.aggregate == "std" and kept and _is_fraction(kept[0].metric, statement):
            return  # `Between 0.3 and 0.8` may be points as well.
    named = at_moment_said(room, statement, kept)
    if named is not None:
        if named[1]:
            yield named[0].replace("of each run", what), named[1]
        return
    everywhere = tuple(k for k in kept if k.moment[0] in CLOCKS)
    if "epochs" in statement.over and everywhere:
        yield "at every step" if what == "of each run" else f"{what} at every step", everywhere
        return
    sources = [(kept, what)]
    # What is said of every seed is said of no mean.
    averaged = statement.predicate != "between" and "seeds" not in statement.over
    if what == "of each run" and (statement.vague or averaged):
        # One mean lies between two numbers, but it makes no range.
        sources.append((means(values), "on average"))
    for summarised, told in sources:
        yield from _at_its_moments(statement, summarised, told)
    curve = tuple(k for k in means(values) if k.moment[0] in CLOCKS)
    of_each = {"seeds", "runs"} & set(statement.over)
    if what == "of each run" and not of_each and statement.window != (None, None) and curve[1:]:
        yield "on average at every step", curve  # Several means make a range.


def _at_its_moments(
    statement: Statement, values: Sequence[Known], what: str
) -> Iterator[tuple[str, tuple[Known, ...]]]:
    """Yield values at each chosen moment, at the end of their course, and all along it."""
    moments = by_moment(values)
    chosen = [(m, some) for m, some in moments.items() if m[0] not in CLOCKS]
    yield from ((f"{what} at {some[0].where}", some) for _, some in chosen)
    late = [some for m, some in moments.items() if m[0] in CLOCKS]
    for count in (2, 3):
        end = tuple(known for some in late[-count:] for known in some)
        if len(late) > count:
            yield f"{what} at the last {count} evaluations", end
    if late:
        yield f"{what} at every step", tuple(known for some in late for known in some)
    begin, end_of_window = statement.window
    if late and begin is not None and begin >= 0 and end_of_window is None:
        # `After the first epoch` is all that follows, or where that epoch ends.
        yield f"{what} at {late[0][0].where}", tuple(late[0])


def _inside(statement: Statement, values: Sequence[Known], name: str) -> Reading:
    low, high = _ends(statement, values[0].metric)
    loose = _slack(statement, values[0].metric)
    lowest, highest = (pick(values, key=lambda known: known.value) for pick in (min, max))
    margins = []
    if low is not None:
        margins.append((lowest.value - low, lowest))
    if high is not None:
        margins.append((high - highest.value, highest))
    if statement.predicate == "spans":
        # Its ends are values; cut off and not rounded, they are off by a unit.
        margins = [(-abs(margin), known) for margin, known in margins]
        loose *= 2
    margin, known = min(margins, key=lambda pair: pair[0])
    ends = f"{shown(lowest.value)} to {shown(highest.value)}"
    told = f"values from {ends}" if lowest.value != highest.value else f"{shown(lowest.value)}"
    return Reading(
        name=name,
        margin=margin or TIE,
        slack=known.slack + loose,
        tolerance=tolerance_of(values),
        witness=f"{told} ({name})",
        evidence=(*lowest.evidence, *highest.evidence),
    )


def _ends(statement: Statement, metric: str) -> tuple[Decimal | None, Decimal | None]:
    """Return the ends of a range in percent for ratios, None for an open one."""
    numbers = [_value(number, metric, statement) for number in statement.amounts]
    if statement.predicate in {"between", "spans"}:
        return numbers[0], numbers[1]
    return (numbers[0], None) if statement.predicate == "above" else (None, numbers[0])


def _is_fraction(metric: str, statement: Statement) -> bool:
    whole = any(number.unit or abs(number.value) > 1 for number in statement.amounts)
    return is_ratio(metric) and not whole


def _value(number: Printed, metric: str, statement: Statement) -> Decimal:
    return number.value.scaleb(2) if _is_fraction(metric, statement) else number.value


def _slack(statement: Statement, metric: str) -> Decimal:
    """Return how far outside of the printed ends a value may lie.

    It is their rounding, and more where words such as `about` or `plateau` leave them open.
    """
    scale = 2 if _is_fraction(metric, statement) else 0
    half = max(number.half_unit for number in statement.amounts).scaleb(scale)
    loose = statement.vague or any(number.approximate for number in statement.amounts)
    if not loose or len(statement.amounts) < 2:
        return half
    low, high = _ends(statement, metric)
    width = (high - low) if low is not None and high is not None else Decimal(0)
    return max(half, _LOOSE * width)
