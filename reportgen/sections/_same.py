"""What is worked out once for many rows, looked up by what it was worked out of."""

from __future__ import annotations

from typing import Generic, TypeVar

Member = TypeVar("Member")


class Same(Generic[Member]):
    """A tuple as a key of a cache: equal to that very tuple alone.

    Every row of a table asks for the ids and the decimals of all groups, and gets what the first
    row got. To compare or to hash the groups themselves, one after the other, would take longer
    with each row more. The tuple is held, so its identity is nobody else's while it is a key.

    Example:
        >>> groups = ("a", "b")
        >>> Same(groups) == Same(groups), Same(groups) == Same(tuple(list(groups)))
        (True, False)
    """

    __slots__ = ("members",)

    def __init__(self, members: tuple[Member, ...]) -> None:
        self.members = members

    def __hash__(self) -> int:
        return id(self.members)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.members is other.members
