r"""A stack machine for pickles that has nothing to call.

What makes a pickle dangerous is that its machine may call anything it can name. Here a global
is a label, a call is a record of who would have been called with what, and the state that an
object would have taken is kept beside it. Nothing is hashed that the file chose, nothing is
allocated on the word of a length, and every limit is counted.

Python's own `pickletools.genops` reads as many bytes as a length says, and importing it takes
longer than most checkpoints take here; a test holds the table below against its table.

Source: opcodes of the pickle protocols 0 to 5, Python's `pickletools`. Extension codes, buffers
outside the stream and textual persistent ids are left out: no checkpoint needs them.
"""

from __future__ import annotations

import io
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NoReturn

from reportgen.read.weights._files import refusal

MOST_OPCODES = 12_000_000
# After so many opcodes the limits of time and memory are looked at.
BATCH = 1024
STOP = b"."
MOST_SECONDS = 20.0
# What may be kept, in bytes as the table of opcodes estimates them: so many for each byte of the
# pickle and some more, and never more than a header of 200,000 tensors needs.
MOST_KEPT, KEPT_A_BYTE, SPARE = 256 * 2**20, 32, 32 * 2**20
LARGEST_PICKLE = 256 * 2**20
# Text longer than this is passed over; no name of a tensor is as long.
LONGEST_KEPT = 2**20
LONGEST_LINE = 4096
LONGEST_NUMBER = 1024
LONGEST_SPELLED = 100
MOST_NAMES = 1000
MOST_PARTS = 8
PIECE = 2**20
TOO_LONG = "holds a pickle too long to be a checkpoint's"
CUT = "is cut short inside its pickle"
BUFFER = 2**16
# A pickle no longer than this is held in memory, and read the faster for it.
SMALL = 2**20
# Bytes of a slot, a place in the memo, a number, a text, a container, and a record.
SLOT, PLACE, NUMBER, TEXT, OBJECT, RECORD = 9, 128, 40, 60, 104, 112


class Name(str):
    """The dotted name of something that a loader would import; only ever a label."""

    __slots__ = ()


# What a record of a pointer to bytes outside the pickle has as its callee: no name has no dot.
POINTER = Name("pointer")
SKIPPED = Name("skipped")


class Table(list[Any]):
    """A mapping as keys and values in turn, so that no key of a stranger is ever hashed."""

    __slots__ = ()

    def texts(self) -> dict[str, Any]:
        """Return what stands under textual or whole-numbered keys; the last one wins."""
        pairs = zip(self[::2], self[1::2], strict=False)
        return {str(key): value for key, value in pairs if _is_simple(key)}

    def others(self) -> Iterator[tuple[str, Any]]:
        """Yield what stands under every other key, the key as Python would write it."""
        for key, value in zip(self[::2], self[1::2], strict=False):
            if not _is_simple(key):
                yield _spell(key), value


# A plain class: a file makes thousands of them.
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
        self, callee: Any, arguments: Any = (), state: Any = None, items: Table | None = None
    ) -> None:
        self.callee = callee
        self.arguments = arguments
        self.state = state
        self.items = items
        self.elements: list[Any] | None = None


def read_pickle(stream: BinaryIO, size: int, name: str) -> Pickle:
    r"""Read one pickle of at most `size` bytes; the stream is left behind its last one."""
    found = Pickle(stream, size, name)
    try:
        found.run()
        found.value = found.stack.pop()
    except (IndexError, KeyError, TypeError, ValueError, struct.error) as error:
        raise refusal(name, f"holds a malformed pickle ({type(error).__name__})") from None
    found.memo.clear()
    found.apart.clear()
    return found


class Pickle:
    """A pickle, and the machine that reads it.

    Attributes:
        value: Plain values, tables and records.
        names: What a loader would have imported, in the order of the file.
        pointers: Every record of a pointer to bytes outside the pickle.
    """

    def __init__(self, stream: BinaryIO, size: int, name: str) -> None:
        self.value: Any = None
        self.names: dict[str, Name] = {}
        self.pointers: list[Record] = []
        self.stream = stream
        self.name = name
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: list[Any] = []
        # What was noted at a place that does not follow the last.
        self.apart: dict[int, Any] = {}
        self.kept = 0
        self.most = min(MOST_KEPT, SPARE + KEPT_A_BYTE * size)
        self.room = LARGEST_PICKLE

    def run(self) -> None:
        """Do what each opcode says, up to the one that ends the pickle."""
        read, find = self.stream.read, OPCODES.get
        begun = time.process_time()
        for _ in range(MOST_OPCODES // BATCH):
            kept = 0
            for _ in range(BATCH):
                code = read(1)
                row = find(code)
                if row is None:
                    if code == STOP:
                        return
                    needless = f"the opcode 0x{code.hex()}, which no checkpoint needs"
                    self._fail(f"holds a pickle with {needless}" if code else CUT)
                act, unpack, size, value, cost = row
                kept += cost
                act(self, unpack(read(size))[0] if size else value)
            self.kept += kept
            held = self.kept + SLOT * len(self.stack) + NUMBER * len(self.marks)
            if held > self.most or time.process_time() - begun > MOST_SECONDS:
                break
        self._fail(TOO_LONG)

    def _fail(self, what: str) -> NoReturn:
        raise refusal(self.name, what)

    def take(self, length: int) -> bytes:
        """Return the next bytes; refuse the file where there are not as many."""
        self.room -= length
        self.kept += length
        if self.kept > self.most:
            self._fail(TOO_LONG)
        found = self.stream.read(length) if 0 <= length <= LONGEST_KEPT and self.room > 0 else b""
        if len(found) < length or length < 0:
            self._fail(CUT)
        return found

    def line(self) -> str:
        """Return the next line without its end."""
        found = self.stream.readline(LONGEST_LINE)
        if not found.endswith(b"\n"):
            self._fail(CUT)
        self.room -= len(found)
        self.kept += len(found)
        return found[:-1].decode("utf-8", "replace")

    def number(self) -> int:
        """Return the number that the next line holds in digits."""
        text = self.line()
        words = {"00": False, "01": True}
        return words[text] if text in words else int(text.removesuffix("L")[:100])

    def text(self, length: int, encoding: str) -> None:
        """Push a text, or a record that one too long stood here."""
        if length <= LONGEST_KEPT:
            found = self.take(length)
            self.stack.append(found.decode(encoding, "replace") if encoding else found)
            return
        while length > 0 and self.room > 0:
            piece = min(length, PIECE)
            length -= len(self.take(piece))
            self.kept -= piece
        self.stack.append(Record(SKIPPED))

    def pop_mark(self) -> list[Any]:
        """Return and remove all above the last mark."""
        begin = self.marks.pop()
        found = self.stack[begin:]
        del self.stack[begin:]
        self.kept += SLOT * len(found)
        return found

    def pop_pairs(self) -> Table:
        """Return and remove all above the last mark, as keys and values."""
        pairs = Table(self.pop_mark())
        if len(pairs) % 2:
            raise ValueError
        return pairs

    def label(self, text: str) -> Name:
        """Return a name as a label, and remember that the file wants it."""
        known = self.names.get(text) or Name(text)
        if len(self.names) < MOST_NAMES:
            self.names[text] = known
        return known

    def written_name(self) -> Name:
        """Return the name that the next two lines hold."""
        return self.label(f"{self.line()}.{self.line()}")

    def pop_two(self) -> list[Any]:
        """Return and remove the two values on top, the lower first."""
        upper = self.stack.pop()
        return [self.stack.pop(), upper]

    def pushed_name(self) -> Name:
        """Return the name whose two parts were pushed."""
        module, name = self.pop_two()
        known = isinstance(name, str) and isinstance(module, str)
        return self.label(f"{module}.{name}" if known else "a computed name")

    def push(self, value: object) -> None:
        """Push a value."""
        self.stack.append(value)

    def put(self, place: int) -> None:
        """Note the value on top under a number."""
        memo = self.memo
        if place == len(memo) and not self.apart:
            memo.append(self.stack[-1])
        elif 0 <= place < len(memo):
            memo[place] = self.stack[-1]
        else:
            self.kept += PLACE
            self.apart[place] = self.stack[-1]

    def get(self, place: int) -> None:
        """Push the value under a number."""
        memo = self.memo
        self.stack.append(memo[place] if 0 <= place < len(memo) else self.apart[place])

    def mark(self, _: object) -> None:
        """Note the height of the stack."""
        self.marks.append(len(self.stack))

    def join(self, size: int) -> None:
        """Push a tuple of the values on top."""
        stack = self.stack
        found = tuple(stack[-size:])
        if len(found) < size:
            raise IndexError
        del stack[len(stack) - size + 1 :]
        stack[-1] = found

    def long(self, length: int) -> None:
        """Push a number of so many bytes."""
        if length > LONGEST_NUMBER:
            self._fail("holds a number of more digits than any size has")
        self.stack.append(int.from_bytes(self.take(length), "little", signed=True))

    def append(self, several: list[Any]) -> None:
        """Append to the list on top."""
        target = self.stack[-1]
        if isinstance(target, Record):
            target.elements = [] if target.elements is None else target.elements
            target = target.elements
        if not isinstance(target, list) or isinstance(target, Table):
            self._fail("holds a pickle that appends to what is no list")
        target.extend(several)

    def store(self, pairs: list[Any]) -> None:
        """Store by key in the mapping on top."""
        target = self.stack[-1]
        if isinstance(target, Record):
            target.items = Table() if target.items is None else target.items
            target = target.items
        if not isinstance(target, Table):
            self._fail("holds a pickle that stores by key in what is no mapping")
        target.extend(pairs)

    def call(self, passed_over: int) -> None:
        """Record a call in the place of its callee and its arguments."""
        stack = self.stack
        del stack[len(stack) - passed_over :]
        arguments = stack.pop()
        stack[-1] = Record(stack[-1], arguments)

    def call_marked(self) -> Record:
        """Return the call of what lies above the last mark."""
        callee, *arguments = self.pop_mark()
        return Record(callee, tuple(arguments))

    def build(self, _: object) -> None:
        """Keep a state beside the record that would have taken it."""
        state = self.stack.pop()
        if isinstance(self.stack[-1], Record):
            self.stack[-1].state = state

    def point(self, _: object) -> None:
        """Record a pointer to bytes outside the pickle."""
        parts = self.stack.pop()
        if type(parts) is not tuple or not parts:
            self._fail("points outside its pickle in a way that PyTorch does not")
        self.pointers.append(Record(POINTER, parts))
        self.stack.append(self.pointers[-1])


Act = Callable[[Pickle, Any], object]
# What an opcode does, and how the number behind it is read: with what, from how many bytes; what
# it is given where there is none; and how many bytes it may come to keep beside slots and texts.
Row = tuple[Act, Callable[[bytes], tuple[Any, ...]], int, object, int]


def _row(act: Act, form: str, cost: int, given: object = None) -> Row:
    packing = struct.Struct(form)
    return act, packing.unpack, packing.size, given, cost


def _text(form: str, encoding: str) -> Row:
    return _row(lambda machine, length: machine.text(length, encoding), form, TEXT)


def _pushed(make: Callable[[Pickle], object], cost: int) -> Row:
    return _row(lambda machine, _: machine.stack.append(make(machine)), "", cost)


def _popped(act: Callable[[Pickle], object], cost: int = 0) -> Row:
    return _row(lambda machine, _: act(machine), "", cost)


OPCODES = {
    b"\x80": _row(lambda *_: None, "<B", 0),
    b"\x95": _row(lambda *_: None, "<Q", 0),
    b"N": _row(Pickle.push, "", 0, given=None),
    b"\x88": _row(Pickle.push, "", 0, given=True),
    b"\x89": _row(Pickle.push, "", 0, given=False),
    b")": _row(Pickle.push, "", 0, given=()),
    b"K": _row(Pickle.push, "<B", 0),
    b"M": _row(Pickle.push, "<H", NUMBER),
    b"J": _row(Pickle.push, "<i", NUMBER),
    b"G": _row(Pickle.push, ">d", NUMBER),
    b"\x8a": _row(Pickle.long, "<B", NUMBER),
    b"\x8b": _row(Pickle.long, "<i", NUMBER),
    b"I": _pushed(Pickle.number, NUMBER),
    b"L": _pushed(Pickle.number, NUMBER),
    b"F": _pushed(lambda machine: float(machine.line()), NUMBER),
    b"S": _pushed(lambda machine: machine.line().strip("'\""), TEXT),
    b"V": _pushed(Pickle.line, TEXT),
    b"X": _text("<I", "utf-8"),
    b"\x8c": _text("<B", "utf-8"),
    b"\x8d": _text("<Q", "utf-8"),
    b"U": _text("<B", "latin-1"),
    b"T": _text("<i", "latin-1"),
    b"C": _text("<B", ""),
    b"B": _text("<I", ""),
    b"\x8e": _text("<Q", ""),
    b"\x96": _text("<Q", ""),
    b"q": _row(Pickle.put, "<B", SLOT),
    b"r": _row(Pickle.put, "<I", SLOT),
    b"p": _popped(lambda machine: machine.put(machine.number()), SLOT),
    b"\x94": _popped(lambda machine: machine.put(len(machine.memo) + len(machine.apart)), SLOT),
    b"h": _row(Pickle.get, "<B", 0),
    b"j": _row(Pickle.get, "<I", 0),
    b"g": _popped(lambda machine: machine.get(machine.number())),
    b"(": _row(Pickle.mark, "", 0),
    b"0": _popped(lambda machine: machine.stack.pop()),
    b"1": _popped(Pickle.pop_mark),
    b"2": _pushed(lambda machine: machine.stack[-1], 0),
    b"t": _pushed(lambda machine: tuple(machine.pop_mark()), OBJECT),
    b"\x85": _row(Pickle.join, "", OBJECT, given=1),
    b"\x86": _row(Pickle.join, "", OBJECT, given=2),
    b"\x87": _row(Pickle.join, "", OBJECT, given=3),
    b"]": _pushed(lambda _: [], OBJECT),
    b"l": _pushed(Pickle.pop_mark, OBJECT),
    b"a": _popped(lambda machine: machine.append([machine.stack.pop()]), SLOT),
    b"e": _popped(lambda machine: machine.append(machine.pop_mark())),
    b"}": _pushed(lambda _: Table(), OBJECT),
    b"d": _pushed(Pickle.pop_pairs, OBJECT),
    b"s": _popped(lambda machine: machine.store(machine.pop_two()), 2 * SLOT),
    b"u": _popped(lambda machine: machine.store(machine.pop_pairs())),
    # A set is read as the list of what is in it.
    b"\x8f": _pushed(lambda _: [], OBJECT),
    b"\x90": _popped(lambda machine: machine.append(machine.pop_mark())),
    b"\x91": _pushed(Pickle.pop_mark, OBJECT),
    b"c": _pushed(Pickle.written_name, TEXT),
    b"\x93": _pushed(Pickle.pushed_name, TEXT),
    b"R": _row(Pickle.call, "", RECORD, given=0),
    b"\x81": _row(Pickle.call, "", RECORD, given=0),
    b"\x92": _row(Pickle.call, "", RECORD, given=1),
    b"i": _pushed(
        lambda machine: Record(machine.written_name(), tuple(machine.pop_mark())), 3 * OBJECT
    ),
    b"o": _pushed(Pickle.call_marked, 2 * OBJECT),
    b"b": _row(Pickle.build, "", 0),
    b"Q": _row(Pickle.point, "", RECORD),
}


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


class _Section(io.RawIOBase):
    def __init__(self, file: BinaryIO, begin: int, length: int) -> None:
        self._file = file
        self._at = begin
        self._end = begin + length

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._file.seek(self._at)
        piece = self._file.read(min(len(buffer), self._end - self._at))
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


def open_section(file: BinaryIO, begin: int, length: int) -> BinaryIO:
    """Return a stream over a stretch of a file, which tells its place in the file."""
    return io.BufferedReader(_Section(file, begin, length), BUFFER)


def open_stretch(file: BinaryIO, begin: int, length: int) -> BinaryIO:
    """Return a stream over a stretch of a file, in memory where it is short."""
    if length > SMALL:
        return open_section(file, begin, length)
    file.seek(begin)
    return io.BytesIO(file.read(length))
