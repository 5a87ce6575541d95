"""Reading reports of strangers in a process of its own, which may run out of its limits or die.

PDFium is a large library in C++, and a PDF can be made to keep it busy for ever, to take all
memory, or worse. So a report of a class is read by a child: it has a limit on memory, is killed
when its time is over, and when it dies the next report gets a new one. One child reads many
reports, because its start takes longer than most of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

import reportgen
from reportgen.errors import EvidenceError
from reportgen.read.documents._source import Limits
from reportgen.records.manuscript import BLOCK_TYPES, Block, Cell, Line, Manuscript
from reportgen.records.source import Problem, printable

_T = TypeVar("_T")

_LARGEST = 2**40
"""No line, column, page or offset of a file that is read is larger."""


def dump_manuscript(manuscript: Manuscript) -> bytes:
    """Return a manuscript as JSON; a line that several blocks and cells share is sent once."""
    known: dict[int, int] = {}
    lines: list[list[Any]] = []

    def number_of(line: Line) -> int:
        index = known.setdefault(id(line), len(lines))
        if index == len(lines):
            runs = _runs(line.columns)
            lines.append([line.text, line.number, line.page, line.file, runs])
        return index

    blocks = [
        [
            block.type,
            [number_of(line) for line in block.lines],
            [[[c.text, number_of(c.line), c.start, c.span] for c in row] for row in block.rows],
            [block.head, block.level, block.caption],
        ]
        for block in manuscript.blocks
    ]
    problems = [[p.path, p.message, p.remedy, p.offset, p.level] for p in manuscript.problems]
    told = {
        "format": manuscript.format,
        "sha256": manuscript.sha256,
        "pages": manuscript.pages,
        "lines": lines,
        "blocks": blocks,
        "problems": problems,
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def load_manuscript(content: bytes, path: str) -> Manuscript:
    """Return the manuscript that another process sent.

    Args:
        content: What `dump_manuscript` returned there.
        path: What the file is called; the other process is not asked.

    Raises:
        ValueError: It is no manuscript.

    Example:
        >>> line = Line(text="r = 16", number=1)
        >>> block = Block(type="paragraph", lines=(line,))
        >>> sent = Manuscript(path="a.md", format="plain", sha256="0", blocks=(block,))
        >>> load_manuscript(dump_manuscript(sent), "a.md") == sent
        True
        >>> load_manuscript(b'{"lines": 3}', "a.md")
        Traceback (most recent call last):
        ...
        ValueError: what the reader sent is no manuscript
    """
    try:
        told = json.loads(content)
        lines = [_line(*parts) for parts in _list(told["lines"])]
        problems = (_problem(*parts) for parts in _list(told["problems"]))
        return Manuscript(
            path=path,
            format=_text(told["format"]),
            sha256=_text(told["sha256"]),
            blocks=tuple(_block(lines, *parts) for parts in _list(told["blocks"])),
            pages=_whole(told["pages"]),
            problems=tuple(problems),
        )
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as fault:
        raise ValueError("what the reader sent is no manuscript") from fault


def _line(text: Any, number: Any, page: Any, file: Any, runs: Any) -> Line:
    columns: list[int] = []
    for start, count in _list(runs):
        # Ranges of a forged message could be longer than any memory.
        if len(columns) + _whole(count) > len(_text(text)):
            raise ValueError("more columns than characters")
        columns += range(_whole(start), _whole(start) + count)
    line = Line(text=_text(text), number=_whole(number), page=_optional(page), file=_text(file))
    return replace(line, columns=tuple(columns)) if columns else line


def _block(lines: Sequence[Line], kind: Any, own: Any, rows: Any, told: Any) -> Block:
    def cell(text: Any, line: Any, start: Any, span: Any) -> Cell:
        at = lines[_whole(line)]
        return Cell(text=_text(text), line=at, start=_whole(start), span=_whole(span))

    head, level, caption = told
    return Block(
        type=_one_of(BLOCK_TYPES, kind),
        lines=tuple(lines[_whole(i)] for i in _list(own)),
        rows=tuple(tuple(cell(*parts) for parts in _list(row)) for row in _list(rows)),
        head=_whole(head),
        level=_whole(level),
        caption=_text(caption),
    )


def _problem(path: Any, message: Any, remedy: Any, offset: Any, level: Any) -> Problem:
    path, message, remedy = map(_text, (path, message, remedy))
    level = _one_of(("warning", "note"), level)
    return Problem(path=path, message=message, remedy=remedy, offset=_optional(offset), level=level)


def _one_of(names: Sequence[str], value: Any) -> str:
    if value not in names:
        raise ValueError("no name that is known")
    return str(value)


def _optional(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _list(value: Any) -> list[Any]:
    return _checked(value, list)


def _text(value: Any) -> str:
    return _checked(value, str)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not 0 <= _checked(value, int) <= _LARGEST:
        raise ValueError("no number of a place")
    return int(value)


def _checked(value: Any, kind: type[_T]) -> _T:
    if not isinstance(value, kind):
        raise TypeError(f"no {kind.__name__}")
    return value


def _runs(columns: Iterable[int]) -> list[list[int]]:
    """Return columns as runs: where each begins, and how many follow it one by one."""
    runs = []
    for _, group in groupby(enumerate(columns), key=lambda pair: pair[1] - pair[0]):
        members = [column for _, column in group]
        runs.append([members[0], len(members)])
    return runs


MEMORY = 1024 * 2**20
"""Bytes of address space for the reading of one report."""

OUTPUT = 64 * 2**20
"""Bytes of the longest manuscript that is taken back."""

_START_S = 60.0
_GRACE_S = 1.0

READS = 500
"""Reports that one child reads: a library that leaks does not do so for ever."""

PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from reportgen.read.documents import serve
serve(int(sys.argv[2]), int(sys.argv[3]))
"""
_KEPT = ("SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


class GuardedReader:
    """Reads reports in a child process, for as long as the `with` block lasts.

    Where the system knows no limit on memory (Windows, macOS in part), time and output are
    limited all the same. Threads may share a reader; they take turns.

    Args:
        limits: How much of a report is read, and how many seconds that may take.
        memory: Bytes of address space of the child.
        output: Bytes of the longest manuscript.
        reads: Reports that one child reads.
        program: What the child runs.

    Attributes:
        process: The child, where one runs.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder, GuardedReader() as reader:
        ...     path = Path(folder, "report.md")
        ...     _ = path.write_text("The accuracy is 79.9 %.")
        ...     reader.read(path).blocks[0].text
        'The accuracy is 79.9 %.'
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        memory: int = MEMORY,
        output: int = OUTPUT,
        reads: int = READS,
        program: str = PROGRAM,
    ) -> None:
        self._limits = limits or Limits()
        self._memory = memory
        self._output = output
        self._most, self._program = reads, program
        self.process: subprocess.Popen[bytes] | None = None
        self._reads = 0
        self._turn = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child."""
        with self._turn:
            self._end()

    def read(self, path: Path) -> Manuscript:
        """Read a report as `read_document` does.

        Raises:
            EvidenceError: As there; also when reading took too much time or memory, or ended
                the process.
        """
        with self._turn:
            if self._reads >= self._most:
                self._end()
            answer = self._ask(path)
            self._reads += 1
            return self._taken(answer, path)

    def attached(self, path: Path, name: str) -> bytes:
        """Return a file that is attached to a PDF, as `attached_file` does.

        Raises:
            EvidenceError: As there; also when that took too much time or memory.
        """
        with self._turn:
            answer = self._ask(path, attached=name)
            head = b'{"attached":'
            if answer.startswith(head):
                return answer[len(head) : -1]
            raise self._reason(answer, path)

    def _ask(self, path: Path, **more: str) -> bytes:
        """Return the child's answer to one request."""
        child = self.process or self._start()
        request = {"path": str(path.absolute()), "limits": asdict(self._limits), **more}
        answer, late = _exchange(
            child, json.dumps(request).encode() + b"\n", self._limits.seconds, self._output + 32
        )
        if answer is None:
            self._end()
            why = f"it took more than {self._limits.seconds:g} s" if late else self._death(child)
            raise _refused(path, why)
        return answer

    def _taken(self, answer: bytes, path: Path) -> Manuscript:
        """Return the manuscript in an answer; what the child says is not trusted."""
        head = b'{"manuscript":'
        if not answer.startswith(head):
            raise self._reason(answer, path)
        try:
            return load_manuscript(answer[len(head) : -1], str(path))
        except (ValueError, RecursionError, AttributeError, TypeError) as fault:
            self._end()
            raise _refused(path, "its reader sent no manuscript") from fault

    def _reason(self, answer: bytes, path: Path) -> EvidenceError:
        """Return why an answer is not what was asked for."""
        try:
            told = json.loads(answer)
            refused = [str(words) for words in told.get("refused", ())]
        except (ValueError, RecursionError, AttributeError, TypeError):
            self._end()
            return _refused(path, "its reader sent no manuscript")
        if len(refused) == 2:
            message, remedy = (printable(words)[:1_000] for words in refused)
            return EvidenceError(message.replace(str(path.absolute()), str(path)), remedy=remedy)
        if told.get("memory"):
            # What is left of its memory is in pieces.
            self._end()
            return _refused(path, f"it needs more than {self._memory // 2**20:,} MB of memory")
        if told.get("long"):
            return _refused(path, f"its text takes more than {self._output // 2**20:,} MB")
        return _refused(path, printable(f"its reader failed with {told.get('fault')}")[:400])

    def _start(self) -> subprocess.Popen[bytes]:
        root = str(Path(reportgen.__file__).absolute().parent.parent)
        path = json.dumps([root, *(entry for entry in sys.path if entry and entry != root)])
        command = [sys.executable, "-I", "-S", "-B", "-c", self._program]
        child = subprocess.Popen(  # noqa: S603 - a command of our own
            [*command, path, str(self._memory), str(self._output)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
            start_new_session=True,
        )
        self.process, self._reads = child, 0
        ready, _ = _exchange(child, b"", _START_S, 32)
        if ready != b'"ready"':
            self._end()
            raise EvidenceError(
                "the process that reads reports could not be started",
                remedy=f"see whether {sys.executable} can import reportgen, and memory is left",
            )
        return child

    def _end(self) -> None:
        """End the child, if there is one, and wait for it."""
        child, self.process = self.process, None
        if child is None:
            return
        for pipe in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                _open(pipe).close()
        try:
            child.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _death(self, child: subprocess.Popen[bytes]) -> str:
        """Return how a child ended that was not asked to."""
        code = child.returncode
        if code >= 0:
            return f"its reader ended with exit code {code}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        memory = f"{self._memory // 2**20:,} MB"
        return f"its reader was ended by {name}, as by damaged files and by those over {memory}"


def read_guarded(path: Path, limits: Limits | None = None) -> Manuscript:
    """Read one report in a process of its own.

    Raises:
        EvidenceError: It cannot be read within the limits.
    """
    with GuardedReader(limits) as reader:
        return reader.read(path)


def _refused(path: Path, reason: str) -> EvidenceError:
    return EvidenceError(
        f"{path} could not be read: {reason}",
        remedy="open it in a viewer and save it again, or hand in its source",
    )


def _exchange(
    child: subprocess.Popen[bytes], request: bytes, seconds: float, longest: int
) -> tuple[bytes | None, bool]:
    """Send a request, and return the answer and whether the child was killed for its time.

    A timer kills the child: on every system, that ends a read of its pipe.
    """
    late = threading.Event()

    def kill() -> None:
        late.set()
        child.kill()

    timer = threading.Timer(seconds, kill)
    timer.start()
    try:
        answer = _answered(child, request, longest)
    except OSError:
        answer = None
    finally:
        timer.cancel()
    return answer, answer is None and late.is_set()


def _answered(child: subprocess.Popen[bytes], request: bytes, longest: int) -> bytes | None:
    """Return an answer, or None where the child died or sent something else."""
    stdin, stdout = _open(child.stdin), _open(child.stdout)
    if request:
        stdin.write(request)
        stdin.flush()
    head = stdout.read(8)
    length = int.from_bytes(head, "big")
    if len(head) < 8 or length > longest:
        child.kill()
        return None
    answer = stdout.read(length)
    return answer if len(answer) == length else None


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe of a child that was started with pipes."""
    if pipe is None:  # pragma: no cover - Popen was asked for one
        raise OSError("no pipe")
    return pipe
