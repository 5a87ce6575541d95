"""What came of one change of a report that follows its inputs, in a line or two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportgen.cli.console._lines import Alert

if TYPE_CHECKING:
    from reportgen.app import Round


def round_lines(round_: Round, clock: str, *, writes: bool = True) -> Iterator[str]:
    """Yield what a round did; of faults, which have letters of their own, what becomes of them.

    Args:
        round_: What came of a change.
        clock: The time of day.
        writes: Whether files are written; else the report is in the browser alone.
    """
    outcome = round_.outcome
    if round_.state == "waiting" and round_.fault is not None:
        yield f"{clock} waiting for the first point: {round_.fault.message}"
    elif round_.state == "failed":
        yield Alert(f"{clock} the last good report stays; it is built again when something changes")
    elif outcome is not None:
        done = redone_words(round_.redone)
        written = len(outcome.written)
        files = "nothing new to write" if not written else f"{_count(written, 'file')} written"
        files = files if writes else "the page is up to date"
        yield f"{clock} {files} in {round_.seconds:.1f} s; redone: {done}"


def redone_words(redone: tuple[str, ...]) -> str:
    """Return what was redone, counted by kind.

    Example:
        >>> redone_words(("log a/events", "log b/events", "figure curves", "report.html"))
        '2 logs, 1 figure, report.html'
        >>> redone_words(())
        'nothing'
    """
    logs = sum(name.startswith("log ") for name in redone)
    figures = sum(name.startswith("figure ") for name in redone)
    parts = [_count(logs, "log")] * bool(logs) + [_count(figures, "figure")] * bool(figures)
    parts += [name for name in redone if not name.startswith(("log ", "figure "))]
    return ", ".join(parts) or "nothing"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
