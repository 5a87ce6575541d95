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
    r"""Read one pickle: what it stands for and the names it wants imported.

    Args:
        stream: Stands at the pickle's first byte; afterwards behind its last.
        size: Bytes that the pickle has at most.
        name: What messages call the file.

    Raises:
        EvidenceError: The pickle is cut, malformed, too long, or uses what no checkpoint needs.

    Example:
        >>> found = read_pickle(io.BytesIO(b"cos\nsystem\n(S'ls'\ntR."), 22, "model.pt")
        >>> found.value.callee, found.value.arguments, [*found.names]
        ('os.system', ('ls',), ['os.system'])
    """
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
        begun = time.monotonic()
        for _ in range(MOST_OPCODES // BATCH):
            kept = 0
            for _ in range(BATCH):
                code = read(1)
                row = find(code)
                if row is None:
                    if code == STOP:
                        return
                    self._refuse(code)
                act, unpack, size, value, cost = row
                kept += cost
                act(self, unpack(read(size))[0] if size else value)
            self.kept += kept
            held = self.kept + SLOT * len(self.stack) + NUMBER * len(self.marks)
            if held > self.most or time.monotonic() - begun > MOST_SECONDS:
                break
        self.fail(TOO_LONG)

    def _refuse(self, code: bytes) -> NoReturn:
        if not code:
            self.fail("is cut short inside its pickle")
        self.fail(f"holds a pickle with the opcode 0x{code.hex()}, which no checkpoint needs")

    def fail(self, what: str) -> NoReturn:
        """Refuse the file."""
        raise refusal(self.name, what)

    def take(self, length: int) -> bytes:
        """Return the next bytes; refuse the file where there are not as many."""
        self.room -= length
        self.kept += length
        if self.kept > self.most:
            self.fail(TOO_LONG)
        found = self.stream.read(length) if 0 <= length <= LONGEST_KEPT and self.room > 0 else b""
        if len(found) < length or length < 0:
            self.fail("is cut short inside its pickle")
        return found

    def line(self) -> str:
        """Return the next line without its end."""
        found = self.stream.readline(LONGEST_LINE)
        if not found.endswith(b"\n"):
            self.fail("is cut short inside its pickle")
        self.room -= len(found)
        self.kept += len(found)
        return found[:-1].decode("utf-8", "replace")

    def text(self, length: int, encoding: str = "utf-8") -> None:
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

    def label(self, text: str) -> Name:
        """Return a name as a label, and remember that the file wants it."""
        known = self.names.get(text) or Name(text)
        if len(self.names) < MOST_NAMES:
            self.names[text] = known
        return known


def _push(machine: Pickle, value: object) -> None:
    machine.stack.append(value)


def _put(machine: Pickle, place: int) -> None:
    memo = machine.memo
    if place == len(memo) and not machine.apart:
        memo.append(machine.stack[-1])
    elif 0 <= place < len(memo):
        memo[place] = machine.stack[-1]
    else:
        machine.kept += PLACE
        machine.apart[place] = machine.stack[-1]


def _get(machine: Pickle, place: int) -> None:
    memo = machine.memo
    machine.stack.append(memo[place] if 0 <= place < len(memo) else machine.apart[place])


def _memoize(machine: Pickle, _: object) -> None:
    _put(machine, len(machine.memo) + len(machine.apart))


def _put_written(machine: Pickle, _: object) -> None:
    _put(machine, _written(machine))


def _get_written(machine: Pickle, _: object) -> None:
    _get(machine, _written(machine))


def _mark(machine: Pickle, _: object) -> None:
    machine.marks.append(len(machine.stack))


def _pop_mark(machine: Pickle, _: object) -> None:
    machine.pop_mark()


def _pop(machine: Pickle, _: object) -> None:
    machine.stack.pop()


def _tuple(machine: Pickle, size: int) -> None:
    stack = machine.stack
    found = tuple(stack[-size:])
    if len(found) < size:
        raise IndexError
    del stack[len(stack) - size + 1 :]
    stack[-1] = found


def _long(machine: Pickle, length: int) -> None:
    if length > LONGEST_NUMBER:
        machine.fail("holds a number of more digits than any size has")
    machine.stack.append(int.from_bytes(machine.take(length), "little", signed=True))


def _written(machine: Pickle) -> int | bool:
    text = machine.line()
    words = {"00": False, "01": True}
    return words[text] if text in words else int(text.removesuffix("L")[:100])


def _pairs(machine: Pickle) -> Table:
    pairs = Table(machine.pop_mark())
    if len(pairs) % 2:
        raise ValueError
    return pairs


def _append(machine: Pickle, single: int) -> None:
    several = [machine.stack.pop()] if single else machine.pop_mark()
    target = machine.stack[-1]
    if isinstance(target, Record):
        target.elements = [] if target.elements is None else target.elements
        target = target.elements
    if not isinstance(target, list) or isinstance(target, Table):
        machine.fail("holds a pickle that appends to what is no list")
    target.extend(several)


def _store(machine: Pickle, pairs: list[Any]) -> None:
    target = machine.stack[-1]
    if isinstance(target, Record):
        target.items = Table() if target.items is None else target.items
        target = target.items
    if not isinstance(target, Table):
        machine.fail("holds a pickle that stores by key in what is no mapping")
    target.extend(pairs)


def _set_item(machine: Pickle, _: object) -> None:
    value, key = machine.stack.pop(), machine.stack.pop()
    _store(machine, [key, value])


def _set_items(machine: Pickle, _: object) -> None:
    _store(machine, _pairs(machine))


def _global(machine: Pickle) -> Name:
    return machine.label(f"{machine.line()}.{machine.line()}")


def _named(machine: Pickle) -> Name:
    name, module = machine.stack.pop(), machine.stack.pop()
    known = isinstance(name, str) and isinstance(module, str)
    return machine.label(f"{module}.{name}" if known else "a computed name")


def _call(machine: Pickle, passed_over: int) -> None:
    stack = machine.stack
    del stack[len(stack) - passed_over :]
    arguments = stack.pop()
    stack[-1] = Record(stack[-1], arguments)


def _instance(machine: Pickle) -> Record:
    callee, *arguments = machine.pop_mark()
    return Record(callee, tuple(arguments))


def _build(machine: Pickle, _: object) -> None:
    state = machine.stack.pop()
    target = machine.stack[-1]
    if isinstance(target, Record):
        target.state = state


def _point(machine: Pickle, _: object) -> None:
    parts = machine.stack.pop()
    if type(parts) is not tuple or not parts:
        machine.fail("points outside its pickle in a way that PyTorch does not")
    machine.pointers.append(Record(POINTER, parts))
    machine.stack.append(machine.pointers[-1])


Act = Callable[[Pickle, Any], object]
Row = tuple[Act, Callable[[bytes], tuple[Any, ...]], int, object, int]


def _row(act: Act, form: str, given: object, cost: int) -> Row:
    packing = struct.Struct(form)
    return act, packing.unpack, packing.size, given, cost


def _reads(encoding: str) -> Act:
    return lambda machine, length: machine.text(length, encoding)


def _pushes(make: Callable[[Pickle], object]) -> Act:
    return lambda machine, _: machine.stack.append(make(machine))


# Opcode to the bytes that its length takes and the encoding of the text behind it.
_TEXTS = {
    b"X": ("<I", "utf-8"),
    b"\x8c": ("<B", "utf-8"),
    b"\x8d": ("<Q", "utf-8"),
    b"U": ("<B", "latin-1"),
    b"T": ("<i", "latin-1"),
    b"C": ("<B", ""),
    b"B": ("<I", ""),
    b"\x8e": ("<Q", ""),
    b"\x96": ("<Q", ""),
}
# Opcode to what it does with the number behind it, the form of that, and how many bytes it may
# come to keep beside slots and texts.
_NUMBERED: dict[bytes, tuple[Act, str, int]] = {
    b"\x80": (lambda *_: None, "<B", 0),
    b"\x95": (lambda *_: None, "<Q", 0),
    b"K": (_push, "<B", 0),
    b"M": (_push, "<H", NUMBER),
    b"J": (_push, "<i", NUMBER),
    b"G": (_push, ">d", NUMBER),
    b"\x8a": (_long, "<B", NUMBER),
    b"\x8b": (_long, "<i", NUMBER),
    b"q": (_put, "<B", SLOT),
    b"r": (_put, "<I", SLOT),
    b"h": (_get, "<B", 0),
    b"j": (_get, "<I", 0),
    **{code: (_reads(encoding), form, TEXT) for code, (form, encoding) in _TEXTS.items()},
}
# Opcode to what it does by itself, what that is given, and how many bytes it may come to keep.
_BARE: dict[bytes, tuple[Act, object, int]] = {
    b"N": (_push, None, 0),
    b"\x88": (_push, True, 0),
    b"\x89": (_push, False, 0),
    b")": (_push, (), 0),
    b"\x85": (_tuple, 1, OBJECT),
    b"\x86": (_tuple, 2, OBJECT),
    b"\x87": (_tuple, 3, OBJECT),
    b"R": (_call, 0, RECORD),
    b"\x81": (_call, 0, RECORD),
    b"\x92": (_call, 1, RECORD),
    b"(": (_mark, None, 0),
    b"0": (_pop, None, 0),
    b"1": (_pop_mark, None, 0),
    b"a": (_append, 1, SLOT),
    b"e": (_append, 0, 0),
    b"s": (_set_item, None, 2 * SLOT),
    b"u": (_set_items, None, 0),
    b"b": (_build, None, 0),
    b"Q": (_point, None, RECORD),
    b"\x94": (_memoize, None, SLOT),
    b"p": (_put_written, None, SLOT),
    b"g": (_get_written, None, 0),
    # A set is read as the list of what is in it.
    b"\x90": (_append, 0, 0),
}
# Opcode to what it pushes, and how many bytes that may come to keep.
_PUSHED: dict[bytes, tuple[Callable[[Pickle], object], int]] = {
    b"I": (_written, NUMBER),
    b"L": (_written, NUMBER),
    b"F": (lambda machine: float(machine.line()), NUMBER),
    b"S": (lambda machine: machine.line().strip("'\""), TEXT),
    b"V": (Pickle.line, TEXT),
    b"2": (lambda machine: machine.stack[-1], 0),
    b"t": (lambda machine: tuple(machine.pop_mark()), OBJECT),
    b"]": (lambda _: [], OBJECT),
    b"\x8f": (lambda _: [], OBJECT),
    b"l": (Pickle.pop_mark, OBJECT),
    b"\x91": (Pickle.pop_mark, OBJECT),
    b"}": (lambda _: Table(), OBJECT),
    b"d": (_pairs, OBJECT),
    b"c": (_global, TEXT),
    b"\x93": (_named, TEXT),
    b"i": (lambda machine: Record(_global(machine), tuple(machine.pop_mark())), 3 * OBJECT),
    b"o": (_instance, 2 * OBJECT),
}
OPCODES = {
    **{code: _row(act, form, None, cost) for code, (act, form, cost) in _NUMBERED.items()},
    **{code: _row(act, "", given, cost) for code, (act, given, cost) in _BARE.items()},
    **{code: _row(_pushes(make), "", None, cost) for code, (make, cost) in _PUSHED.items()},
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
    """Return a stream over a stretch of a file, which tells its place in the file.

    Example:
        >>> stream = open_section(io.BytesIO(b"0123456789"), 2, 5)
        >>> stream.read(3), stream.tell(), stream.read(100)
        (b'234', 5, b'56')
    """
    return io.BufferedReader(_Section(file, begin, length), BUFFER)


def open_stretch(file: BinaryIO, begin: int, length: int) -> BinaryIO:
    """Return a stream over a stretch of a file, in memory where it is short."""
    if length > SMALL:
        return open_section(file, begin, length)
    file.seek(begin)
    return io.BytesIO(file.read(length))
