"""Limits on time, memory and file size for a child that runs what a stranger wrote."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from reportgen.render._faults import SourceError

ENGINE_SECONDS = 40
"""Longest time that an engine may take for one run over a source."""
SEARCH_ENDS = 60
"""Seconds from the start of a run that failed to the end of the search for its culprit."""
_TRIAL_SECONDS = 10
_LOOP_SECONDS = 4
_LEAST = 0.1


class SearchEndedError(Exception):
    """The time of a search is over, or a trial told nothing in its own."""


@dataclass(frozen=True, slots=True)
class Search:
    """The clock of a search for what an engine refuses.

    Attributes:
        ends: When it ends, in seconds of the monotonic clock.
        reason: The engine's words on the whole source.
        limited: They tell of a limit; so does a trial, then, that holds the culprit.
    """

    ends: float
    reason: str
    limited: bool

    @classmethod
    def behind(cls, fault: SourceError) -> Search:
        """Return the clock of a search that begins now, behind the run that failed."""
        ends = time.monotonic() + SEARCH_ENDS - fault.took
        return cls(ends, fault.reason, fault.limited)

    def seconds(self) -> float:
        """Return how long the next trial may take.

        Raises:
            SearchEndedError: The time is over.
        """
        left = self.ends - time.monotonic()
        if left < _LEAST:
            raise SearchEndedError
        return min(_LOOP_SECONDS if self.limited else _TRIAL_SECONDS, left)

    def met_limit(self, seconds: float) -> bool:
        """Return that a trial failed which met a limit after `seconds`.

        Raises:
            SearchEndedError: The limit says nothing: none was met before, or it was cut short.
        """
        if self.limited and seconds >= _LOOP_SECONDS:
            return True
        raise SearchEndedError


def child_limits(
    *, seconds: float, file_bytes: int, memory_bytes: int = 0
) -> Callable[[], None] | None:
    """Return what sets the limits in a child before it starts; None where the system cannot.

    Args:
        seconds: Time that whoever starts the child gives it; processor time is limited a little
            above, so that the clock outside, which can say what happened, is the first.
        file_bytes: Size of any file it writes.
        memory_bytes: Address space; 0 sets no limit.
    """
    try:
        import resource
    except ImportError:
        return None
    processor = int(seconds) + 5

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        if memory_bytes:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))

    return limit
