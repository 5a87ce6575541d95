"""Limits on engines and templates, and what an engine says is the matter with a source."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from reportgen.records.errors import EngineError
from reportgen.records.record import record

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


# --- the limits -----------------------------------------------------------------------


@record(kw_only=False, frozen=False)
class Limits:
    """What a template, an engine and a page may take.

    Attributes:
        engine_seconds: Of an engine, for one run over a source.
        engine_file_bytes: Size of any file that an engine writes.
        engine_memory_bytes: Memory of an engine that sets what a stranger wrote.
        loop_seconds: Processor time of one loop of a stranger's template.
        carried_bytes: Of report.json, compressed, that an HTML page carries itself.
    """

    engine_seconds: float = 40
    engine_file_bytes: int = 200 * 2**20
    engine_memory_bytes: int = 4 * 2**30
    loop_seconds: float = 20
    carried_bytes: int = 150_000


LIMITS = Limits()


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
