"""Opening one file of evidence: its bytes, its hash, and what is wrong with it as a whole."""

from __future__ import annotations

import io
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from reportgen.records.run import Log, Problem, Source

CHUNK = 1 << 17
"""Bytes asked for at a time: so few that each piece takes the room of the one before."""

INFLATE_LIMIT = 1 << 32
"""A compressed log may grow to this many bytes; a bomb stops here."""

TEXT_LIMIT = 1 << 28
"""A JSON or YAML file larger than this is not a log of a training run."""

SETTLED = 2_000_000_000
"""Nanoseconds after which whatever is written to a file changes the time of its last change."""

UNREAD = "cannot be read: "
"""How the message of a problem begins that the system, and not the file, is the cause of."""

HEAD = 256
"""First bytes of a content that are kept: they tell what a file is that holds nothing."""

EMPTY = "the file is empty"
LFS_MARK = b"version https://git-lfs.github.com/spec/"
GZIP_MARK = b"\x1f\x8b"


class FileReader:
    """Yields a file's bytes chunk by chunk, inflated where needed, and hashes what it reads.

    Args:
        path: The file.
        hashed: Whether to hash; it takes longer than to read.

    Attributes:
        size: Bytes read so far, as they lie on disk; with those that were passed over.
        head: First bytes of the content, once it has been read.
        is_packed: Whether the content turned out to be compressed.
        problem: What stopped the reading before its end, or empty.
        remedy: What can be done about it.
    """

    def __init__(self, path: Path, *, hashed: bool = True) -> None:
        self.path = path
        self.size = 0
        self.head = b""
        self.problem = ""
        self.remedy = ""
        self.is_packed = False
        self._hash = _new_hash() if hashed else None

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes read so far; empty where none was asked for."""
        return self._hash.hexdigest() if self._hash else ""

    def chunks(self, begin: int = 0) -> Iterator[bytes]:
        """Yield the content; gzip is told by its first two bytes, whatever the name says."""
        for chunk in self._chunks(begin):
            self.head = self.head or chunk[:HEAD]
            yield chunk

    def _chunks(self, begin: int) -> Iterator[bytes]:
        try:
            raw = self._raw(begin)
            first = next(raw, b"")
            if not begin and first.startswith(GZIP_MARK):
                self.is_packed = True
                yield from self._inflate(first, raw)
            else:
                yield first
                yield from raw
        except OSError as error:
            self._fail(error)
            return
        if self.problem:
            # The hash is of the whole file, also where its content ended early.
            for _ in raw:
                pass

    def _fail(self, error: OSError) -> None:
        self.problem = f"{UNREAD}{error.strerror or error}"
        self.remedy = "restore the file, or its permissions"

    def _open(self) -> io.FileIO:
        # Opening a pipe waits for its writer, and a device never ends.
        if not stat.S_ISREG(self.path.stat().st_mode):
            raise OSError("not a regular file")
        return self.path.open("rb", buffering=0)

    def _raw(self, begin: int) -> Iterator[bytes]:
        with self._open() as stream:
            stream.seek(begin)
            self.size = begin
            while chunk := stream.read(CHUNK):
                self.size += len(chunk)
                if self._hash:
                    self._hash.update(chunk)
                yield chunk

    def _inflate(self, first: bytes, raw: Iterator[bytes]) -> Iterator[bytes]:
        engine = zlib.decompressobj(wbits=31)
        total, chunk, inside = 0, first, False
        while chunk or (chunk := next(raw, b"")):
            try:
                plain = engine.decompress(chunk, CHUNK)
            except zlib.error as error:
                self.problem = f"the compressed data are damaged ({error})"
                self.remedy = "copy the file again"
                return
            chunk, inside = engine.unconsumed_tail, not engine.eof
            if engine.eof:
                chunk, engine = engine.unused_data.lstrip(b"\0"), zlib.decompressobj(wbits=31)
            total += len(plain)
            if total > INFLATE_LIMIT:
                self.problem = f"the compressed data exceed {INFLATE_LIMIT} bytes"
                return
            yield plain
        if inside:
            self.problem, self.remedy = "the compressed data end early", "copy the file again"


def _new_hash() -> Any:
    import hashlib

    return hashlib.sha256()


def size_of(path: Path) -> int | None:
    """Return the bytes of a file on disk; None where they cannot be told."""
    try:
        return path.stat().st_size
    except OSError:
        return None


class State(NamedTuple):
    """What the file system says of a file; times are in nanoseconds."""

    device: int
    inode: int
    size: int
    modified: int
    status: int

    @property
    def changed(self) -> int:
        """When it was last changed."""
        return max(self.modified, self.status)


def state_of(path: Path) -> State:
    """Return the state of a file."""
    told = path.stat()
    return State(told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns)


def digest_of(path: Path, size: int) -> str:
    """Return the hex digest of a file's first bytes: those that were there when it was read."""
    found = _new_hash()
    with path.open("rb", buffering=0) as stream:
        while size > 0 and (chunk := stream.read(min(CHUNK, size))):
            found.update(chunk)
            size -= len(chunk)
    return str(found.hexdigest())


def source_of(reader: FileReader, name: str, kind: str, points: int = 0) -> Source:
    """Describe a file that `reader` has read to its end."""
    return Source(path=name, kind=kind, size=reader.size, sha256=reader.sha256, points=points)


def find_defect(head: bytes, size: int, name: str) -> Problem | None:
    """Return what is wrong with a file judged by its first bytes: empty, or an LFS pointer."""
    if not size:
        return Problem(
            path=name,
            message=f"{EMPTY} (0 bytes)",
            remedy="copy it again, or remove it",
            offset=0,
        )
    if head.startswith(LFS_MARK):
        stated = re.search(rb"\nsize (\d+)", head)
        real = f" of {int(stated[1])} bytes" if stated else ""
        return Problem(
            path=name,
            message=f"a Git-LFS pointer; the file itself{real} was not downloaded",
            remedy="run `git lfs pull` in the repository it comes from",
            offset=0,
        )
    return None


def read_bounded(reader: FileReader, chunks: Iterable[bytes] | None = None) -> bytes:
    """Return a file's content; nothing, and a problem, where it is too large for a text."""
    parts: list[bytes] = []
    total = 0
    for chunk in reader.chunks() if chunks is None else chunks:
        total += len(chunk)
        if total <= TEXT_LIMIT:
            parts.append(chunk)
    if total > TEXT_LIMIT:
        reader.problem = f"larger than {TEXT_LIMIT} bytes; not read"
        return b""
    return b"".join(parts)


def reader_fault(reader: FileReader, name: str) -> Problem:
    """Return what stopped the reading as a problem."""
    return Problem(
        path=name, message=reader.problem, remedy=reader.remedy, offset=reader.size or None
    )


def find_fault(reader: FileReader, name: str) -> Problem | None:
    """Return what stopped the reading, or what the file's first bytes say is wrong with it."""
    if reader.problem:
        return reader_fault(reader, name)
    return find_defect(reader.head, reader.size, name)


def read_through(path: Path, name: str, kind: str) -> tuple[FileReader, Log]:
    """Read a file to its end, and return a log with its source and what is wrong with it."""
    reader = FileReader(path)
    for _ in reader.chunks():
        pass
    problem = find_fault(reader, name)
    return reader, Log(source=source_of(reader, name, kind), problems=(problem,) if problem else ())


def read_text(path: Path, name: str, kind: str, *, partly: bool = False) -> tuple[bytes, Log]:
    """Return a file's content and a log that holds its source and what is wrong with it.

    An empty content means that there is nothing to parse; the log then says why. Of compressed
    data that end early what is sound is returned only where a part is of use.
    """
    reader = FileReader(path)
    content = read_bounded(reader)
    source = source_of(reader, name, kind)
    problem = find_fault(reader, name)
    if problem is None and not content:
        problem = Problem(path=name, message="the compressed file holds nothing")
    if problem is not None:
        sound = content if partly and reader.is_packed else b""
        return sound, Log(source=source, problems=(problem,))
    return content, Log(source=source)


def read_json(path: Path, name: str, kind: str) -> tuple[dict[str, object], Log]:
    """Return a JSON object and its log; an empty object means the log says what is wrong."""
    content, log = read_text(path, name, kind)
    if not content:
        return {}, log
    parsed, problem = parse_json(content, name)
    if isinstance(parsed, dict):
        return parsed, log
    problem = problem or Problem(path=name, message="holds no JSON object")
    return {}, Log(source=log.source, problems=(problem,))


def unless_empty(log: Log) -> tuple[Log, ...]:
    """Return a log that says what is wrong with a file; none where the file is empty."""
    return () if log.problems[0].message.startswith(EMPTY) else (log,)


def parse_json(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Return what JSON holds, or where it stops being any and what can be done about it."""
    import json

    offset: int | None = None
    try:
        return json.loads(content), None
    except json.JSONDecodeError as error:
        # Python lets bytes through that stand for half a letter.
        before = error.doc[: error.pos].encode("utf-8", "surrogatepass")
        reason, offset = f"line {error.lineno}: {error.msg}", len(before)
    except (ValueError, RecursionError) as error:
        reason = str(error)
    message, remedy = f"not valid JSON: {reason}; not read", "copy the file again, or mend it"
    return None, Problem(path=name, message=message, remedy=remedy, offset=offset)
