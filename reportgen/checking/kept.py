"""What is made of evidence once, for all reports that are held against it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from reportgen.records.facts import Facts
from reportgen.records.verdict import Evidence, Stored

__all__ = ["Kept", "per_evidence"]

_MOST = 4
_T = TypeVar("_T")
_Key = TypeVar("_Key")


class Kept(dict[_Key, _T]):
    """What was made for each key; all of it is dropped before it is too much.

    Example:
        >>> kept = Kept(2)
        >>> for word in ("a", "b", "c"):
        ...     kept[word] = word.upper()
        >>> kept
        {'c': 'C'}
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: _Key, value: _T) -> None:
        if len(self) >= self.most:
            self.clear()
        super().__setitem__(key, value)

    def made(self, key: _Key, make: Callable[[], _T]) -> _T:
        """Return what was made for a key, or make it."""
        try:
            return self[key]
        except KeyError:
            value = self[key] = make()
            return value


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
