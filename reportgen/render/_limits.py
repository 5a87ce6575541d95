"""Limits on engines and templates, and what an engine says is the matter with a source."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from reportgen.records.errors import EngineError

_MARKER = re.compile(r"(?:%%|// )rg (\S+) (\S+)")
_PROGRAMS = {"latex": "pdflatex", "typst": "typst"}
LOOP = "look for an endless loop in the templates"


class SourceError(EngineError):
    """An engine refused a source, or met a limit while it set it.

    Args:
        engine: `latex` or `typst`.
        reason: The engine's words alone.
        remedy: What the user can do about it.
        source: What was set; the block of the line is told.
        line: Line of the source, from 1; None where the engine named none.
        limited: A limit on time, memory or file size was met.
        took: Seconds the run took that failed.
    """

    def __init__(
        self,
        engine: str,
        reason: str,
        *,
        remedy: str = LOOP,
        source: bytes = b"",
        line: int | None = None,
        limited: bool = False,
        took: float = 0.0,
    ) -> None:
        message = reason if limited else f"{_PROGRAMS[engine]}: {reason}"
        if line is not None and not limited:
            before = source.decode().split("\n")[:line]
            marks = [mark for text in before if (mark := _MARKER.match(text))]
            block = f" (block {marks[-1][1]}, template {marks[-1][2]})" if marks else ""
            message += f" at line {line}{block}"
        super().__init__(message, remedy=remedy)
        self.reason = reason
        self.engine = engine
        self.line = line
        self.limited = limited
        self.took = took


# --- the limits -----------------------------------------------------------------------


@dataclass(slots=True)
class Limits:
    """What a template, an engine and a page may take.

    Attributes:
        engine_seconds: Of an engine, for one run over a source.
        engine_file_bytes: Size of any file that an engine writes.
        engine_memory_bytes: Memory of an engine that sets what a stranger wrote.
        search_seconds: From the start of a run that failed to the end of the search for the
            culprit.
        loop_seconds: Of one loop of a stranger's template.
        carried_bytes: Of report.json, compressed, that an HTML page carries itself.
    """

    engine_seconds: float = 40
    engine_file_bytes: int = 200 * 2**20
    engine_memory_bytes: int = 4 * 2**30
    search_seconds: float = 60
    loop_seconds: float = 20
    carried_bytes: int = 150_000


LIMITS = Limits()
_TRIAL_SECONDS = 10
_LOOP_SECONDS = 4
_LEAST = 0.1
_ABSENT = "does not exist in the document"


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
        ends = time.monotonic() + LIMITS.search_seconds - fault.took
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


@contextmanager
def trials(
    files: Mapping[str, bytes],
    main: str,
    search: Search,
    run: Callable[[Path, bytes, float], object],
) -> Iterator[Callable[[str], bool]]:
    """Yield what tells whether an engine refuses a source.

    Args:
        files: Relative path to content.
        main: The path whose content is tried.
        search: The clock of all trials together; what is yielded raises `SearchEndedError`.
        run: Sets a source at a path within some seconds, or raises a `SourceError`.
    """
    with build_folder(files) as folder:

        def fails(source: str) -> bool:
            (folder / main).write_bytes(source.encode())
            seconds = search.seconds()
            try:
                run(folder / main, source.encode(), seconds)
            except SourceError as fault:
                # What a text refers to may stand behind the part that is tried.
                if _ABSENT in fault.reason and _ABSENT not in search.reason:
                    return False
                late = fault.limited and fault.took >= seconds
                return search.met_limit(seconds) if late else True
            return False

        yield fails


@contextmanager
def build_folder(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Lend a fresh folder that holds files, and nothing else.

    Raises:
        EngineError: A path leads out of the folder.
    """
    with tempfile.TemporaryDirectory(prefix="reportgen-") as temporary:
        folder = Path(temporary)
        for name, content in files.items():
            path = folder / name
            if not path.resolve().is_relative_to(folder.resolve()):
                raise EngineError(f"the path {name!r} leads out of the build folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield folder


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
