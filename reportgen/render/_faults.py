"""What an engine says is the matter with a source, before it is known whose doing it is."""

from __future__ import annotations

from reportgen.errors import EngineError


class SourceError(EngineError):
    """An engine refused a source, or met a limit while it set it.

    Args:
        message: The engine's words, with the block where it is known.
        remedy: What the user can do about it.
        reason: The engine's words alone.
        engine: `latex` or `typst`.
        line: Line of the source, from 1; None where the engine named none.
        limited: A limit on time, memory or file size was met.
        took: Seconds the run took that failed.
    """

    def __init__(
        self,
        message: str,
        *,
        remedy: str,
        reason: str,
        engine: str,
        line: int | None = None,
        limited: bool = False,
        took: float = 0.0,
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.reason = reason
        self.engine = engine
        self.line = line
        self.limited = limited
        self.took = took
