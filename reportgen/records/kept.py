"""What a process that builds again has made already, and what it had to make anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Made = TypeVar("Made")


class Kept:
    """The last result of each piece of work, with what it was made of.

    Work is done in rounds. A piece that a round did not ask for is forgotten at its end, so that
    what is kept never grows beyond one round.

    Attributes:
        redone: Names of the pieces that this round had to make, in order.

    Example:
        >>> kept = Kept()
        >>> kept.once("square", 3, lambda: 9), kept.once("square", 3, lambda: 0), kept.redone
        (9, 9, ['square'])
        >>> kept.once("square", 4, lambda: 16)
        16
    """

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, Any]] = {}
        self._asked: set[str] = set()
        self.redone: list[str] = []

    def begin(self) -> None:
        """Begin a round."""
        self._asked.clear()
        self.redone = []

    def end(self) -> None:
        """End a round that came to its end: forget what it did not ask for."""
        for name in self._made.keys() - self._asked:
            del self._made[name]

    def once(self, name: str, key: object, make: Callable[[], Made]) -> Made:
        """Return what `make` makes, or what it made last time if the key is still the same.

        Args:
            name: What is made; unique.
            key: Everything that decides what is made; compared with `==`.
            make: Makes it. What it raises is passed on, and nothing is kept.
        """
        known: Made | None = self.find(name, key)
        if known is not None:
            return known
        made = make()
        self.keep(name, key, made)
        return made

    def find(self, name: str, key: object) -> Any:
        """Return what was kept under a name and an equal key, else None."""
        self._asked.add(name)
        before = self._made.get(name)
        return before[1] if before is not None and before[0] == key else None

    def keep(self, name: str, key: object, made: object) -> None:
        """Keep what was made in this round."""
        self._asked.add(name)
        self._made[name] = (key, made)
        self.redone.append(name)
