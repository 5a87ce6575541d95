"""One file of evidence: its bytes, its hash, its JSON or YAML, and what is wrong with it."""

from __future__ import annotations

import io
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from reportgen.records.record import field, record
from reportgen.records.run import Log, Problem, Source

# Opening one file of evidence: its bytes, its hash, and what is wrong with it as a whole.

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


# YAML of strangers: read event by event, so that nothing in it is made and nothing explodes.
#
# `yaml.load` puts a file together in C without a limit, where some 300,000 brackets end the
# process, and reads `1e-05` as a text, `1:30` as 90 and `no` as false.

BYTES = 1 << 22
"""Settings that take more than this are no settings."""

DEPTH = 50
NODES = 100_000

OPAQUE = object()
"""Stands where a file holds an object of Python, which is not made."""

_OBJECT = "tag:yaml.org,2002:python/object"
_ORDERED = "tag:yaml.org,2002:python/object/apply:collections.OrderedDict"
"""A mapping, written as the list of its pairs."""
_NAME = "tag:yaml.org,2002:python/name:"
_TEXT = "tag:yaml.org,2002:str"
_INTEGER = re.compile(r"[-+]?\d{1,18}")
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_WORDS: dict[str, object] = {
    "true": True, "false": False, "null": None, "~": None, "": None,
    ".inf": float("inf"), "+.inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan"),
}  # fmt: skip


class YamlError(ValueError):
    """A text that is no YAML, or more of it than any settings need."""


def read_yaml(content: bytes) -> object:
    r"""Return what the first document holds: mappings, lists, texts, numbers, truth values.

    Anchors are followed, so that one value may stand in several places. A tag that would make
    an object of Python makes nothing; one that names a class or function gives its name.

    Raises:
        YamlError: It cannot be parsed, or is larger or deeper than any settings.

    Example:
        >>> read_yaml(b"lr: 1e-05\nmodel: {layers: [4, 2], act: !!python/name:torch.relu ''}")
        {'lr': 1e-05, 'model': {'layers': [4, 2], 'act': 'torch.relu'}}
    """
    import yaml

    if len(content) > BYTES:
        raise YamlError(f"larger than {BYTES} bytes; not read")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder()
    try:
        for count, event in enumerate(yaml.parse(content, Loader=loader)):
            if count > NODES:
                raise YamlError(f"more than {NODES} values; not read")
            if isinstance(event, yaml.DocumentEndEvent):
                break
            builder.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        reason = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise YamlError(f"not valid YAML: {where}{reason}") from error
    return builder.found


def parse_yaml(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Return what YAML holds, or why it cannot be read."""
    try:
        return read_yaml(content), None
    except YamlError as error:
        return None, Problem(path=name, message=str(error), remedy="mend the file")


def doubts(content: bytes, unread: Iterable[str], name: str) -> Iterator[Problem]:
    r"""Say what settings do not tell: objects that were not made, and an end that may be missing.

    Example:
        >>> [problem.message for problem in doubts(b"seed: 3\nlr: 1", [], "hparams.yaml")]
        ['the last line has no line end: its value may be half of one']
    """
    for key in unread:
        yield Problem(path=name, message=f"{key!r} is an object of Python; not read", level="note")
    # Every program ends the line; what is closed by a mark of its own is whole without.
    if not content.endswith((b"\n", b"\r", b"}", b"]", b"'", b'"')):
        message = "the last line has no line end: its value may be half of one"
        remedy = "normal while the run begins; else copy the file again"
        yield Problem(path=name, message=message, remedy=remedy, offset=len(content), level="note")


def read_plain(text: str) -> object:
    """Read an unquoted value as YAML 1.2 does, where `1e-05` is a number and `no` a text.

    Example:
        >>> [read_plain(t) for t in ("3", "1e-05", "true", "no", "1:30", "~")]
        [3, 1e-05, True, 'no', '1:30', None]
    """
    lowered = text.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


@record(kw_only=False, frozen=False)
class _Open:
    """A mapping or list whose end has not come.

    Attributes:
        key: Of a mapping: the key whose value comes next, None where a key comes next.
    """

    value: dict[str, object] | list[object]
    opaque: bool
    key: str | None = None


@record(kw_only=False, frozen=False)
class _Builder:
    """Puts events together; a stack of its own, since a file may be deeper than Python's."""

    found: object = None
    open: list[_Open] = field(default_factory=list)
    anchors: dict[str, object] = field(default_factory=dict)
    merged: int = 0

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self._add(_scalar(event), event.anchor)
        elif kind == "AliasEvent":
            self._add(self.anchors.get(event.anchor), None)
        elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
            if len(self.open) >= DEPTH:
                raise YamlError(f"nested deeper than {DEPTH} levels; not read")
            value: dict[str, object] | list[object] = {} if kind[0] == "M" else []
            tag = str(event.tag or "")
            opaque = tag.startswith(_OBJECT) and tag != _ORDERED
            if event.anchor:
                self.anchors[event.anchor] = OPAQUE if opaque else value
            self.open.append(_Open(value, opaque))
        elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
            ended = self.open.pop()
            self._add(OPAQUE if ended.opaque else ended.value, None)

    def _add(self, value: object, anchor: str | None) -> None:
        if anchor:
            self.anchors[anchor] = value
        if not self.open:
            self.found = value
            return
        top = self.open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            top.key = _key(value)
        elif top.key == "<<":
            for one in value if isinstance(value, list) else [value]:
                self._merge(top.value, one)
            top.key = None
        else:
            top.value[top.key] = value
            top.key = None

    def _merge(self, into: dict[str, object], other: object) -> None:
        if not isinstance(other, dict) or other is into:
            raise YamlError("not valid YAML: what is merged is no other mapping")
        self.merged += 1 + len(other)
        if self.merged > NODES:
            raise YamlError(f"merges more than {NODES} values; not read")
        for key, value in other.items():
            into.setdefault(key, value)


def _key(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    is_text = not isinstance(value, dict | list) and value is not OPAQUE
    return str(value) if is_text else "(a key that is no text)"


def _scalar(event: Any) -> object:
    plain = event.style in (None, "")
    if event.tag:
        tag = str(event.tag)
        if tag.startswith(_NAME):
            return tag.removeprefix(_NAME)
        if tag.startswith(_OBJECT):
            return OPAQUE
        plain = (plain and tag != _TEXT) or tag.endswith((":int", ":float"))
    return read_plain(event.value) if plain else event.value


LEAVES = 10_000
"""Settings of one run; of more than these the rest is left out."""


def flatten(settings: object) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return nested settings under keys with dots, and the keys of what could not be read.

    A list of plain values stays a list.

    Example:
        >>> flatten({"optimizer": {"lr": 0.1, "betas": [0.9, 0.99]}, "seed": 3})
        ({'optimizer.lr': 0.1, 'optimizer.betas': [0.9, 0.99], 'seed': 3}, ())
    """
    found: dict[str, object] = {}
    unread: dict[str, None] = {}
    # One value may stand in many places, and even in itself.
    left = LEAVES

    def add(key: str, value: object, depth: int) -> None:
        nonlocal left
        left -= 1
        if left < 0 or depth > DEPTH or value is OPAQUE:
            unread[key if value is OPAQUE else key.partition(".")[0]] = None
        elif inside := _inside(value):
            for name, one in inside:
                add(f"{key}.{name}" if key else str(name), one, depth + 1)
        elif key:
            found[key] = value

    add("", settings, 0)
    return found, tuple(unread)


def _inside(value: object) -> Iterable[tuple[object, object]]:
    """Return what lies in a mapping, or in a list that holds more than plain values."""
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list) and any(
        isinstance(one, dict | list) or one is OPAQUE for one in value
    ):
        return [*enumerate(value)]
    return ()
