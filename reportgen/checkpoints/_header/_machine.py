"""A stack machine for pickles that has nothing to call.

What makes a pickle dangerous is that its machine may call anything it can name. Here a global
is a label, a call is a record of who would have been called with what, and the state that an
object would have taken is kept beside it. Nothing is hashed that the file chose, nothing is
allocated on the word of a length, and every limit is counted.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, TypeAlias

from reportgen.checkpoints._header._fault import refusal
from reportgen.checkpoints._header._section import Stream

MOST_OPCODES = 3_000_000
# After so many opcodes the limits of time and memory are looked at.
BATCH = 1024
STOP = b"."
MOST_SECONDS = 20.0
# What the machine may keep, in bytes, as the table of opcodes estimates it.
MOST_KEPT = 112 * 2**20
LARGEST_PICKLE = 256 * 2**20
# Text longer than this is passed over; no name of a tensor is as long.
LONGEST_KEPT = 2**20
LONGEST_LINE = 4096
MOST_NAMES = 1000
LONGEST_SPELLED = 100
MOST_PARTS = 8
PIECE = 2**20
TOO_LONG = "holds a pickle too long to be a checkpoint's"


Handlers: TypeAlias = "Mapping[bytes, tuple[Callable[[Machine], None], int]]"


class Name(str):
    """The dotted name of something that a loader would import; only ever a label."""

    __slots__ = ()


class Table(list[Any]):
    """A mapping as keys and values in turn, so that no key of a stranger is ever hashed."""

    __slots__ = ()

    def texts(self) -> dict[str, Any]:
        """Return what stands under textual or whole-numbered keys; the last one wins.

        Example:
            >>> Table(["a", 1, 2, None, ("no", "text"), 3]).texts()
            {'a': 1, '2': None}
        """
        pairs = zip(self[::2], self[1::2], strict=False)
        return {str(key): value for key, value in pairs if _is_simple(key)}

    def others(self) -> Iterator[tuple[str, Any]]:
        """Yield what stands under every other key, the key as Python would write it.

        Example:
            >>> [*Table(["a", 1, ("no", 2), 3, None, 4]).others()]
            [("('no', 2)", 3), ('None', 4)]
        """
        for key, value in zip(self[::2], self[1::2], strict=False):
            if not _is_simple(key):
                yield _spell(key), value


# These three are plain classes: a file makes thousands of them, and dataclasses cost every start
# of the program a millisecond each.
class Record:
    """A call that was not made.

    Attributes:
        callee: What would have been called: a Name, or what another record stands for.
        arguments: With what.
        state: What BUILD would have handed to the object, or None.
        items: What would have been stored in it by key, or None.
        elements: What would have been appended to it, or None.
    """

    __slots__ = ("arguments", "callee", "elements", "items", "state")

    def __init__(
        self,
        callee: Any,
        arguments: Any = (),
        state: Any = None,
        items: Table | None = None,
    ) -> None:
        self.callee = callee
        self.arguments = arguments
        self.state = state
        self.items = items
        self.elements: list[Any] | None = None


class Persistent:
    """A persistent id: a tuple that points to bytes outside the pickle."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts


class Skipped:
    """Text or bytes too long to keep."""

    __slots__ = ("length",)

    def __init__(self, length: int) -> None:
        self.length = length


class Machine:
    """The stack machine; `run` reads one pickle from where the stream stands.

    Args:
        stream: Where the opcodes come from.
        name: What messages call the file.
    """

    def __init__(self, stream: Stream, name: str) -> None:
        self.stream = stream
        self.read = stream.read
        self.name = name
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self.names: dict[str, None] = {}
        self.persistent: list[Persistent] = []
        self.kept = 0
        self.room = LARGEST_PICKLE

    def run(self, handlers: Handlers) -> Any:
        """Return what the pickle stands for, made of plain values, records and labels.

        Args:
            handlers: Opcode to what it does and how many bytes it may come to keep.

        Raises:
            EvidenceError: The pickle is cut, malformed, too long, or uses what no checkpoint
                needs (extension codes, buffers outside the stream, textual persistent ids).
        """
        try:
            self._loop(handlers)
            return self.stack.pop()
        except (IndexError, KeyError, TypeError, ValueError, struct.error) as error:
            raise refusal(self.name, f"holds a malformed pickle ({type(error).__name__})") from None

    def _loop(self, handlers: Handlers) -> None:
        read, find = self.read, handlers.get
        begun = time.monotonic()
        for _ in range(MOST_OPCODES // BATCH):
            kept = 0
            for _ in range(BATCH):
                code = read(1)
                entry = find(code)
                if entry is None:
                    if code == STOP:
                        return
                    self._refuse_opcode(code)
                handle, cost = entry
                kept += cost
                handle(self)
            self.kept += kept
            if self.kept > MOST_KEPT or time.monotonic() - begun > MOST_SECONDS:
                break
        self.fail(TOO_LONG)

    def _refuse_opcode(self, code: bytes) -> NoReturn:
        if not code:
            self.fail("is cut short inside its pickle")
        self.fail(f"holds a pickle with the opcode 0x{code.hex()}, which no checkpoint needs")

    def fail(self, what: str) -> NoReturn:
        """Refuse the file."""
        raise refusal(self.name, what)

    def take(self, length: int) -> bytes:
        """Return the next bytes.

        Raises:
            EvidenceError: There are not as many.
        """
        self.room -= length
        found = self.read(length) if 0 <= length <= LONGEST_KEPT and self.room > 0 else b""
        if len(found) < length or length < 0:
            self.fail("is cut short inside its pickle")
        return found

    def line(self) -> str:
        """Return the next line without its end."""
        found = self.stream.readline(LONGEST_LINE)
        if not found.endswith(b"\n"):
            self.fail("is cut short inside its pickle")
        self.room -= len(found)
        return found[:-1].decode("utf-8", "replace")

    def text(self, length: int) -> bytes | Skipped:
        """Return the next bytes, or only their length where there are too many."""
        if length <= LONGEST_KEPT:
            self.kept += length
            if self.kept > MOST_KEPT:
                self.fail(TOO_LONG)
            return self.take(length)
        left = length
        while left > 0 and self.room > 0:
            left -= len(self.take(min(left, PIECE)))
        return Skipped(length)

    def pop_mark(self) -> list[Any]:
        """Return and remove all above the last mark."""
        begin = self.marks.pop()
        found = self.stack[begin:]
        del self.stack[begin:]
        return found

    def label(self, text: str) -> Name:
        """Return a name as a label, and remember that the file wants it."""
        if len(self.names) < MOST_NAMES:
            self.names.setdefault(text[:200])
        return Name(text)


def _is_simple(key: object) -> bool:
    if isinstance(key, int):
        return not isinstance(key, bool) and -(2**63) <= key < 2**64
    return isinstance(key, str)


def _spell(key: object, depth: int = 3) -> str:
    """Write a stranger's key, in a length and depth that are limited."""
    if isinstance(key, str | bytes):
        return repr(key[:LONGEST_SPELLED])
    if isinstance(key, bool | float) or key is None:
        return repr(key)
    if isinstance(key, int):
        # Python refuses to write thousands of digits, but in hexadecimal.
        small = -(2**63) <= key < 2**64
        return repr(key) if small else hex(key)[:LONGEST_SPELLED]
    if isinstance(key, tuple) and depth:
        inner = ", ".join(_spell(part, depth - 1) for part in key[:MOST_PARTS])
        return f"({inner}{',' if len(key) == 1 else ''})"[:LONGEST_SPELLED]
    return f"<{key.callee if isinstance(key, Record) else type(key).__name__}>"[:LONGEST_SPELLED]
