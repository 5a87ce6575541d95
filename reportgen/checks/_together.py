"""Whose runs a number is of that is said of several at once, where names of the logs tell it."""

from __future__ import annotations

from dataclasses import replace

from reportgen.checks._logged import Logbook
from reportgen.checks._subjects import groups_named
from reportgen.claims.together import EVERY_RUN, ONE_GROUP, RATIO, RELATIVE, VARIES
from reportgen.records.claim import Claim, Meaning

_COMPARED, _OF_ONE = frozenset({RELATIVE, RATIO}), frozenset({ONE_GROUP, VARIES})


def placed(book: Logbook, claim: Claim, meaning: Meaning) -> Meaning:
    """Return a meaning with the group, or the two, that the words of its sentence name.

    A group may be called by a common word (`ridge`), which no text alone tells from others.

    Args:
        book: The logs.
        claim: Whose sentence it is.
        meaning: Of the claim.
    """
    over = claim.hints.get("over", "")
    if over in _COMPARED and not meaning.run_group:
        named = groups_named(book, claim.hints.get("sentence", ""))
        if len(named) == 2:
            first, second = named
            return replace(
                meaning, group=first, run_group=first, against=second, run_against=second
            )
    if over in {EVERY_RUN, ONE_GROUP} and not meaning.group:
        named = groups_named(book, claim.hints.get("lead", ""))
        if len(named) == 1:
            return replace(meaning, group=named[0], run_group=named[0])
    return meaning


def why_open(book: Logbook, claim: Claim, meaning: Meaning) -> str:
    """Return why it is not known whose runs a number is of, as a clause, or nothing.

    Args:
        book: The logs.
        claim: As for `placed`.
        meaning: As `placed` returned it.
    """
    over = claim.hints.get("over", "")
    if over in _COMPARED and not (meaning.run_group and meaning.run_against):
        return "which two groups it compares is not sure"
    alone = bool(meaning.group) or len(book.groups()) == 1
    several = len(groups_named(book, claim.hints.get("lead", ""))) > 1
    if (over in _OF_ONE and not alone) or (over == EVERY_RUN and several):
        return "of which group it is said is not sure"
    return ""
