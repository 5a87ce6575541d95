"""The road of every check of sentences: claims of its predicates, rooms of evidence, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reportgen.checks._beside import sentence_of
from reportgen.checks._ladder import unbound
from reportgen.checks._margins import Reading, settle
from reportgen.checks._series import Room, has_more_steps, rooms
from reportgen.checks._subject_courses import is_of_a_gap
from reportgen.checks._subjects import counts_from_zero
from reportgen.claims._labels import group_key
from reportgen.claims._mentions import mentions
from reportgen.records.claim import Claim, Meaning, Statement
from reportgen.records.finding import Case, Finding

_NO_SERIES = "the logs have no series that it speaks of"
_MOST_EVALUATIONS = 50
"""Of an epoch with more evaluations the end alone is meant."""
Read = Callable[[Room, Statement], Sequence[Reading]]


def check_sentences(
    case: Case,
    rule: str,
    predicates: frozenset[str],
    read: Read,
    *,
    crisp: Callable[[Statement], bool],
    open_by: str = "",
) -> Iterator[Finding]:
    """Yield the finding on every sentence with one of the predicates.

    The strongest evidence that has a reading decides; the next is asked only where it has none.

    Args:
        case: The case.
        rule: Name of the check.
        predicates: Those that the check answers for.
        read: Returns the legal readings of a statement, none where the evidence has nothing.
        crisp: Whether a statement leaves no room, so that logs against it are an error.
        open_by: Why the logs may have nothing for it, though they have its series.
    """
    evidence = rooms(case)
    uneven = has_more_steps(evidence[0])
    for claim, statement in sentences(case, predicates):
        own = [_with_words(room, case, claim) for room in evidence]
        found = ((room, _read(read, room, statement, uneven=uneven)) for room in own)
        room, readings = next(((r, some) for r, some in found if some), (own[0], ()))
        if not readings:
            why = why_open(own[0], statement)
            yield unbound(rule, claim, (open_by if why == _NO_SERIES else "") or why)
            continue
        sure = crisp(statement) and _numbering_is_known(room, statement)
        yield settle(rule, claim, readings, logged=room.logged, crisp=sure)


def room_of(case: Case, claim: Claim) -> Room:
    """Return the strongest evidence of a case, with the words of a claim."""
    return _with_words(rooms(case)[0], case, claim)


def _with_words(room: Room, case: Case, claim: Claim) -> Room:
    sentence, clause = _words(case, claim)
    return replace(room, program=_program(claim), sentence=sentence, clause=clause)


def _read(read: Read, room: Room, statement: Statement, *, uneven: bool) -> tuple[Reading, ...]:
    """Return the readings of a statement, by the ends of epochs and by every evaluation."""
    found = tuple(read(room, statement))
    for logged in _as_logged(room, statement):
        found = (*found, *read(room, logged))
    timed = statement.clock == "epoch" and statement.window != (None, None)
    if not room.logged or not uneven or timed:
        return found
    by_step = replace(room, clock="step", _kept={})
    if not any(s.epoch for s in statement.subjects):
        return (*found, *read(by_step, statement))
    return (*found, *(r for one in _at_steps(room, statement) for r in read(by_step, one)))


def _as_logged(room: Room, statement: Statement) -> Iterator[Statement]:
    """Yield a statement whose epochs are numbered as the logs number theirs, where that is from 0.

    Who reads them off the logs counts as they do, whatever else the report does.
    """
    book = room.book
    if book is None or counts_from_zero(room.case) or not _is_logged_from_zero(room, statement):
        return
    subjects = tuple(
        s if s.epoch is None else replace(s, epoch=s.epoch + 1) for s in statement.subjects
    )
    first, last = (
        end + 1 if end is not None and end >= 0 and statement.clock == "epoch" else end
        for end in statement.window
    )
    if (subjects, (first, last)) != (statement.subjects, statement.window):
        yield replace(statement, subjects=subjects, window=(first, last))


def _is_logged_from_zero(room: Room, statement: Statement) -> bool:
    book = room.book
    if book is None:
        return False
    for metric in room.metrics(statement.subjects[0].metric)[:1]:
        for group in book.groups():
            for split in book.splits(group, metric):
                curves = (book.curve(run, metric, split) for run in book.runs(group)[:1])
                if any(curve is not None and curve.counts_from_zero for curve in curves):
                    return True
    return False


def _at_steps(room: Room, statement: Statement) -> Iterator[Statement]:
    """Yield what is said of an epoch as said of each evaluation in it, where there are several."""
    facts = room.case.facts
    told = {s.epoch for s in statement.subjects if s.epoch is not None}
    if facts is None or len(told) != 1:
        return
    shift = 1 if counts_from_zero(room.case) else 0
    epoch = told.pop() + shift
    rows = [[row.step for row in g.epochs if row.epoch == epoch] for g in facts.groups]
    for step in sorted({s for own in rows if 1 < len(own) <= _MOST_EVALUATIONS for s in own}):
        subjects = tuple(
            s if s.epoch is None else replace(s, epoch=None, step=step) for s in statement.subjects
        )
        yield replace(statement, subjects=subjects)


def sentences(case: Case, predicates: frozenset[str]) -> Iterator[tuple[Claim, Statement]]:
    """Yield the claims whose content is a statement with one of the predicates."""
    for claim in case.claims:
        content = claim.content
        if isinstance(content, Statement) and content.predicate in predicates and not claim.reason:
            yield claim, content


def _numbering_is_known(room: Room, statement: Statement) -> bool:
    """Say whether every seed that a statement names was found in the logs, and not assumed."""
    return all(
        subject.seed is None
        or subject.run_seed is not None
        or any(subject.seed in room.case.seeds.get(g, {}) for g in groups_of(room, subject))
        for subject in statement.subjects
    )


def _words(case: Case, claim: Claim) -> tuple[str, str]:
    """Return the sentence of a claim, and the part of it that the claim was read from."""
    if claim.block >= len(case.manuscript.blocks):
        return "", ""
    text = case.manuscript.blocks[claim.block].text
    return text[slice(*sentence_of(case, claim.block, claim.start))], text[claim.start : claim.end]


def _program(claim: Claim) -> str:
    """Return the layout of the runs that the section of a sentence is about, or nothing."""
    said = mentions(claim.hints.get("framework", ""), head=True)
    return next((mention.value for mention in said if mention.slot == "framework"), "")


def why_open(room: Room, statement: Statement) -> str:
    """Return why no evidence speaks of a statement."""
    subjects = statement.subjects
    if room.logged and not room.groups():
        return "the logs have no runs of the program that its section is about"
    if not room.logged:
        return "no logs were given, and the report prints no values that decide it"
    for subject in subjects:
        for label, solved in (
            (subject.group, subject.run_group),
            (subject.against, subject.run_against),
        ):
            if label and not room.named(label, solved):
                return f"no runs in the logs are called “{label}”"
        if not room.metrics(subject.metric):
            return f"no run logged {subject.metric or 'a metric'}"
    if statement.subjects[0].aggregate not in {"difference", "std"} and is_of_a_gap(room):
        return "which two means its gap is between is not sure"
    return _NO_SERIES


def groups_of(room: Room, subject: Meaning) -> tuple[str, ...]:
    """Return the groups that a subject means: every one where none is said."""
    if not subject.group:
        return room.groups()
    return room.named(subject.group, subject.run_group)


def other_groups(room: Room, group: str) -> tuple[str, ...]:
    """Return the groups that are not another spelling of this one."""
    if room.logged:
        return tuple(other for other in room.groups() if other != group)
    key = group_key(group)
    return tuple(other for other in room.groups() if group_key(other) != key)


def slots_of(room: Room, subject: Meaning) -> Iterator[tuple[str, str]]:
    """Yield the metrics and splits that a subject may mean, the likeliest first."""
    for metric in room.metrics(subject.metric):
        for split in room.splits(metric, subject.split):
            yield metric, split
