"""What is shown at the moment, for threads that wait for the next."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a browser is given.

    Attributes:
        files: Path below the root of the server, without a slash at its begin, to content; the
            empty path is the page itself.
        notice: What the page is told as it happens, ready for JSON.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    notice: Mapping[str, object] = field(default_factory=dict)


class Board:
    """One thread puts up what is shown, others wait until it is something else."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._number = 0
        self._shown = Shown()
        self._closed = False

    @property
    def shown(self) -> Shown:
        """What is shown now."""
        with self._changed:
            return self._shown

    @property
    def closed(self) -> bool:
        """Whether nothing more will be shown."""
        return self._closed

    def show(self, shown: Shown) -> None:
        """Put something up, and wake all who wait."""
        with self._changed:
            self._shown, self._number = shown, self._number + 1
            self._changed.notify_all()

    def close(self) -> None:
        """Send everybody home."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> tuple[int, Shown]:
        """Return what is shown with its number, as soon as that is not the number seen.

        Args:
            seen: Number of what was seen last; -1 for nothing.
            seconds: After so many it returns all the same.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._number != seen, seconds)
            return self._number, self._shown
