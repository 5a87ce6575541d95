"""What is worked out once for many rows, looked up by what it was worked out of."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

Member = TypeVar("Member")
Result = TypeVar("Result")

_MOST = 8
_FORGET: list[Callable[[], None]] = []


def once(
    function: Callable[[tuple[Member, ...]], Result],
) -> Callable[[tuple[Member, ...]], Result]:
    """Return a function that works out once a report what it tells of a tuple.

    Every row of a table asks for the ids and the decimals of all groups, and gets what the first
    row got.

    Args:
        function: One whose result depends on nothing but the tuple, and is not changed.

    Example:
        >>> @once
        ... def longest(words: tuple[str, ...]) -> int:
        ...     print("looks")
        ...     return max(map(len, words))
        >>> words = ("one", "three")
        >>> longest(words), longest(words)
        looks
        (5, 5)
        >>> forget()
        >>> longest(words)
        looks
        5
    """
    remembering = lru_cache(maxsize=_MOST)(lambda same: function(same.members))
    _FORGET.append(remembering.cache_clear)

    @wraps(function)
    def remembered(members: tuple[Member, ...]) -> Result:
        return remembering(_Same(members))

    return remembered


def forget() -> None:
    """Let go of all that was worked out, so that runs do not outlive their report."""
    for clear in _FORGET:
        clear()


class _Same(Generic[Member]):
    """A tuple as a key of a cache: equal to that very tuple alone.

    To compare or to hash the groups themselves, one after the other, would take longer
    with each row more. The tuple is held, so its identity is nobody else's while it is a key.

    Example:
        >>> groups = ("a", "b")
        >>> _Same(groups) == _Same(groups), _Same(groups) == _Same(tuple(list(groups)))
        (True, False)
    """

    __slots__ = ("members",)

    def __init__(self, members: tuple[Member, ...]) -> None:
        self.members = members

    def __hash__(self) -> int:
        return id(self.members)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.members is other.members
