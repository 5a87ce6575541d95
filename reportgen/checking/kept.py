"""What is made of evidence once, for all reports that are held against it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from reportgen.records.facts import Facts
from reportgen.records.verdict import Evidence, Stored

__all__ = ["per_evidence"]

_MOST = 4
_T = TypeVar("_T")


def per_evidence(make: Callable[[Evidence], _T]) -> Callable[[Evidence], _T]:
    """Return a function that makes something of evidence once for each of the last few.

    Example:
        >>> count = per_evidence(lambda evidence: [len(evidence.stored)])
        >>> evidence = Evidence()
        >>> count(evidence) is count(evidence)
        True
    """
    made: list[tuple[Facts | None, tuple[Stored, ...], _T]] = []

    @wraps(make)
    def kept(evidence: Evidence) -> _T:
        for facts, stored, found in made:
            if facts is evidence.facts and stored is evidence.stored:
                return found
        found = make(evidence)
        made.append((evidence.facts, evidence.stored, found))
        del made[:-_MOST]
        return found

    return kept
