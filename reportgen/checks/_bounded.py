"""Of which groups, runs and moments a bound is said: `at step 1000, all A runs are above 40 %`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.checking.numbers._gated import gated
from reportgen.checks._known import Known
from reportgen.checks._pairs import moment_of
from reportgen.checks._series import CLOCKS, Room
from reportgen.checks._subjects import groups_named
from reportgen.claims._some_seeds import excluded, only, some
from reportgen.records.claim import Meaning, Statement

_SIDE = r"(?:above|over|below|under|between|at|with|in|au|en|sous|entre)"
_STARTS = gated(
    rf"\b(?:starts?|started|begins?|began)\s(?:(?:off|out)\s)?{_SIDE}\b"
    r"|\b(?:at|in)\sthe\s(?:very\s)?(?:start|beginning)\b|\binitially\b|\bau\s(?:tout\s)?début\b"
    rf"|\b(?:commence|débute)(?:nt)?\s{_SIDE}\b",
    re.IGNORECASE,
)
_ENDS = gated(
    rf"\b(?:end|finish)(?:s|es|ed)?\s(?:(?:off|up)\s)?{_SIDE}\b|\bat\sthe\s(?:very\s)?end\b"
    r"|\b(?:at|in|after)\sthe\s(?:last|final)\s(?:step|epoch|evaluation)\b|\bà\sla\sfin\b"
    rf"|\b(?:finissent|finit|terminent?)\s(?:{_SIDE}|avec)\b|\bconverge[sd]?\s(?:below|under|above)\b",
    re.IGNORECASE,
)
_BY = gated(
    r"\b(?:by|within|before)\s(?:the\s)?(?:(?:step|epoch)\b|(?:\w+\s)?[\d,.]+(?:st|nd|rd|th)?\s(?:step|epoch))",
    re.IGNORECASE,
)
_A_MOMENT = gated(
    r"\b(?:steps?|epochs?|pas|époques?)\s\d|\b(?:first|last)\s(?:\w+\s)?(?:[\d,.]+|few)\s(?:steps|epochs)\b",
    re.IGNORECASE,
)
"""A moment, or a part of the training, that was not read as one."""


def groups_said(room: Room, subject: Meaning) -> tuple[str, ...]:
    """Return the groups of the logs that a sentence calls by name, where its claim has none.

    Those of the claim's own part count first; nothing is returned where none is called.

    Args:
        room: The evidence, with the words in question.
        subject: What the claim is said of.
    """
    if subject.group or room.book is None:
        return ()
    for words in (room.clause, room.sentence):
        found = groups_named(room.book, words)
        if found:
            return found
    return ()


def runs_said(
    room: Room, subject: Meaning, group: str, values: Sequence[Known]
) -> tuple[Known, ...]:
    """Return the values of the runs that a sentence speaks of: not of those that it leaves out.

    Nothing is returned where it picks some runs without saying which.
    """
    span = (room.sentence, 0, len(room.sentence))
    numbers = room.case.seeds.get(group, {})
    gone = excluded(*span)
    if gone is not None:
        left = {numbers.get(seed, seed) for seed in gone.seeds}
        return tuple(known for known in values if known.seed not in left)
    if some(*span):
        return ()
    kept = {numbers.get(seed, seed) for seed in only(room.clause, 0, len(room.clause))}
    if not kept:
        kept = {seed for seed in (room.seed_of(subject, group),) if seed is not None}
    return tuple(known for known in values if not kept or known.seed in kept)


def at_moment_said(
    room: Room, statement: Statement, values: Sequence[Known]
) -> tuple[str, tuple[Known, ...]] | None:
    """Return one value of each run at the moment that a sentence names, and what they are called.

    No values where a run has none then, or where several moments are named. None where the
    sentence names no moment.

    Args:
        room: The evidence, with the words in question.
        statement: The sentence.
        values: Of single runs, inside its window.
    """
    timed = [known for known in values if known.moment[0] in CLOCKS]
    if statement.window != (None, None):
        reached = statement.window[0] is None and _BY.search(room.clause)
        if not reached or "epochs" in statement.over or statement.predicate == "between":
            return None
        what, chosen = "of each run at its best up to there", _bests(statement, timed)
    else:
        found = _at(room, statement.subjects[0], values, timed)
        if found is None:
            return None
        what, chosen = found
    if room.book is None and room.case.facts is not None:
        return "", ()  # What the logs lack is not held against what is said of it.
    runs = {known.run for known in values}
    return what, chosen if {known.run for known in chosen} == runs else ()


def _at(
    room: Room, subject: Meaning, values: Sequence[Known], timed: Sequence[Known]
) -> tuple[str, tuple[Known, ...]] | None:
    moment = moment_of(subject, room)
    if moment is not None:
        step = subject.step if subject.epoch is None else None
        chosen = tuple(k for k in timed if k.moment == moment or _is_at(k, step))
        return f"of each run at {moment[0]} {moment[1]:f}", chosen
    if _A_MOMENT.search(room.clause):
        return "", ()
    if _STARTS.search(room.clause):
        return "of each run at its first evaluation", _firsts(timed)
    if _ENDS.search(room.clause):
        return "of each run at the last step", tuple(k for k in values if k.moment[0] == "last")
    return None


def _is_at(known: Known, step: int | None) -> bool:
    return step is not None and any(evidence.step == step for evidence in known.evidence)


def _firsts(timed: Sequence[Known]) -> tuple[Known, ...]:
    found: dict[str, Known] = {}
    for known in sorted(timed, key=lambda known: known.moment[1]):
        found.setdefault(known.run, known)
    return tuple(found.values())


def _bests(statement: Statement, timed: Sequence[Known]) -> tuple[Known, ...]:
    """Return the value of each run that comes nearest to the far side of a bound."""
    sign = 1 if statement.predicate == "above" else -1
    found: dict[str, Known] = {}
    for known in sorted(timed, key=lambda known: sign * known.value):
        found[known.run] = known
    return tuple(found.values())
