"""What each opcode of a pickle does on the machine that calls nothing.

Source: opcodes of the pickle protocols 0 to 5, Python's `pickletools`. Extension codes, buffers
outside the stream and textual persistent ids are left out: no checkpoint needs them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reportgen.checkpoints._header._machine import (
    Handlers,
    Machine,
    Persistent,
    Record,
    Skipped,
    Table,
)
from reportgen.checkpoints._header._section import Stream

LONGEST_NUMBER = 1024


@dataclass(frozen=True, slots=True)
class Unpickled:
    """What a pickle would have become.

    Attributes:
        value: Plain values, tables and records.
        names: What a loader would have imported, in the order of the file.
        persistent: Every pointer to bytes outside the pickle.
    """

    value: Any
    names: tuple[str, ...]
    persistent: tuple[Persistent, ...]


def read_pickle(stream: Stream, name: str) -> Unpickled:
    r"""Read one pickle: what it stands for and the names it wants imported.

    Args:
        stream: Stands at the pickle's first byte; afterwards behind its last.
        name: What messages call the file.

    Raises:
        EvidenceError: The pickle is cut, malformed or too long.

    Example:
        >>> import io
        >>> found = read_pickle(io.BytesIO(b"cos\nsystem\n(S'ls'\ntR."), "model.pt")
        >>> found.value.callee, found.value.arguments, found.names
        ('os.system', ('ls',), ('os.system',))
    """
    machine = Machine(stream, name)
    value = machine.run(HANDLERS)
    return Unpickled(value, tuple(machine.names), tuple(machine.persistent))


def _number(form: str) -> Callable[[Machine], int]:
    packing = struct.Struct(form)
    size, unpack = packing.size, packing.unpack

    def number(machine: Machine) -> int:
        found: int = unpack(machine.read(size))[0]
        return found

    return number


def _byte(machine: Machine) -> int:
    return machine.read(1)[0]


BYTE = _byte
INT, WORD, LONG = (_number(form) for form in ("<i", "<I", "<Q"))


def _constant(value: object) -> Callable[[Machine], None]:
    return lambda machine: machine.stack.append(value)


def _unicode(width: Callable[[Machine], int], encoding: str) -> Callable[[Machine], None]:
    def handle(machine: Machine) -> None:
        found = machine.text(width(machine))
        text = found if isinstance(found, Skipped) else found.decode(encoding, "replace")
        machine.stack.append(text)

    return handle


def _bytes(width: Callable[[Machine], int]) -> Callable[[Machine], None]:
    return lambda machine: machine.stack.append(machine.text(width(machine)))


def _put(width: Callable[[Machine], int]) -> Callable[[Machine], None]:
    def handle(machine: Machine) -> None:
        machine.memo[width(machine)] = machine.stack[-1]

    return handle


def _get(width: Callable[[Machine], int]) -> Callable[[Machine], None]:
    return lambda machine: machine.stack.append(machine.memo[width(machine)])


# Three of four opcodes of a file of PyTorch note, fetch or push a number; these do it in one call.


def _put_packed(form: str) -> Callable[[Machine], None]:
    packing = struct.Struct(form)
    size, unpack = packing.size, packing.unpack

    def handle(machine: Machine) -> None:
        machine.memo[unpack(machine.read(size))[0]] = machine.stack[-1]

    return handle


def _push_packed(form: str) -> Callable[[Machine], None]:
    packing = struct.Struct(form)
    size, unpack = packing.size, packing.unpack

    def handle(machine: Machine) -> None:
        machine.stack.append(unpack(machine.read(size))[0])

    return handle


def _get_byte(machine: Machine) -> None:
    machine.stack.append(machine.memo[machine.read(1)[0]])


def _written(machine: Machine) -> int:
    return int(machine.line()[:20])


def _memoize(machine: Machine) -> None:
    machine.memo[len(machine.memo)] = machine.stack[-1]


def _mark(machine: Machine) -> None:
    machine.marks.append(len(machine.stack))


def _tuple(machine: Machine) -> None:
    machine.stack.append(tuple(machine.pop_mark()))


def _short_tuple(size: int) -> Callable[[Machine], None]:
    def handle(machine: Machine) -> None:
        found = tuple(machine.stack[-size:])
        if len(found) < size:
            raise IndexError
        machine.stack[-size:] = [found]

    return handle


def _call(machine: Machine) -> None:
    arguments = machine.stack.pop()
    machine.stack[-1] = Record(machine.stack[-1], arguments)


def _call_with_keys(machine: Machine) -> None:
    machine.stack.pop()
    _call(machine)


def _instance(machine: Machine) -> None:
    label = machine.label(f"{machine.line()}.{machine.line()}")
    machine.stack.append(Record(label, tuple(machine.pop_mark())))


def _object(machine: Machine) -> None:
    callee, *arguments = machine.pop_mark()
    machine.stack.append(Record(callee, tuple(arguments)))


def _build(machine: Machine) -> None:
    state = machine.stack.pop()
    target = machine.stack[-1]
    if isinstance(target, Record):
        target.state = state


def _global(machine: Machine) -> None:
    machine.stack.append(machine.label(f"{machine.line()}.{machine.line()}"))


def _stack_global(machine: Machine) -> None:
    name, module = machine.stack.pop(), machine.stack.pop()
    known = isinstance(name, str) and isinstance(module, str)
    machine.stack.append(machine.label(f"{module}.{name}" if known else "a computed name"))


def _persistent(machine: Machine) -> None:
    parts = machine.stack.pop()
    if type(parts) is not tuple or not parts:
        machine.fail("points outside its pickle in a way that PyTorch does not")
    machine.persistent.append(Persistent(parts))
    machine.stack.append(machine.persistent[-1])


def _table_of(machine: Machine, target: object) -> Table:
    if isinstance(target, Record):
        target.items = Table() if target.items is None else target.items
        return target.items
    if not isinstance(target, Table):
        machine.fail("holds a pickle that stores by key in what is no mapping")
    return target


def _list_of(machine: Machine, target: object) -> list[Any]:
    if isinstance(target, Record):
        target.elements = [] if target.elements is None else target.elements
        return target.elements
    if not isinstance(target, list) or isinstance(target, Table):
        machine.fail("holds a pickle that appends to what is no list")
    return target


def _set_item(machine: Machine) -> None:
    value, key = machine.stack.pop(), machine.stack.pop()
    _table_of(machine, machine.stack[-1]).extend((key, value))


def _set_items(machine: Machine) -> None:
    pairs = _pairs(machine)
    _table_of(machine, machine.stack[-1]).extend(pairs)


def _pairs(machine: Machine) -> Table:
    found = Table(machine.pop_mark())
    if len(found) % 2:
        raise IndexError
    return found


def _append(machine: Machine) -> None:
    value = machine.stack.pop()
    _list_of(machine, machine.stack[-1]).append(value)


def _append_all(machine: Machine) -> None:
    values = machine.pop_mark()
    _list_of(machine, machine.stack[-1]).extend(values)


def _float(machine: Machine) -> None:
    machine.stack.append(struct.unpack(">d", machine.take(8))[0])


def _long(width: Callable[[Machine], int]) -> Callable[[Machine], None]:
    def handle(machine: Machine) -> None:
        length = width(machine)
        if length > LONGEST_NUMBER:
            machine.fail("holds a number of more digits than any size has")
        machine.stack.append(int.from_bytes(machine.take(length), "little", signed=True))

    return handle


def _written_int(machine: Machine) -> int:
    text = machine.line()
    words = {"00": False, "01": True}
    return words[text] if text in words else int(text.removesuffix("L")[:100])


def _drop(machine: Machine) -> None:
    machine.stack.pop()


def _drop_mark(machine: Machine) -> None:
    machine.pop_mark()


def _push(make: Callable[[Machine], object]) -> Callable[[Machine], None]:
    return lambda machine: machine.stack.append(make(machine))


def _ignore(length: int) -> Callable[[Machine], None]:
    def handle(machine: Machine) -> None:
        machine.take(length)

    return handle


def _quoted(machine: Machine) -> str:
    return machine.line().strip("'\"")


# What a plain value, a container and an entry of the memo may come to keep, in bytes.
PLAIN, OBJECT, NOTED = 24, 104, 128
HANDLERS: Handlers = {
    b"\x80": (_ignore(1), 0),
    b"\x95": (_ignore(8), 0),
    b"N": (_constant(None), PLAIN),
    b"\x88": (_constant(value=True), PLAIN),
    b"\x89": (_constant(value=False), PLAIN),
    b"K": (_push_packed("<B"), PLAIN),
    b"M": (_push_packed("<H"), 48),
    b"J": (_push_packed("<i"), OBJECT),
    b"I": (_push(_written_int), OBJECT),
    b"L": (_push(_written_int), OBJECT),
    b"\x8a": (_long(BYTE), OBJECT),
    b"\x8b": (_long(INT), OBJECT),
    b"F": (_push(lambda machine: float(machine.line())), 48),
    b"G": (_float, 48),
    b"X": (_unicode(WORD, "utf-8"), 72),
    b"\x8c": (_unicode(BYTE, "utf-8"), 72),
    b"\x8d": (_unicode(LONG, "utf-8"), 72),
    b"U": (_unicode(BYTE, "latin-1"), 72),
    b"T": (_unicode(INT, "latin-1"), 72),
    b"S": (_push(_quoted), 160),
    b"V": (_push(Machine.line), 160),
    b"C": (_bytes(BYTE), 72),
    b"B": (_bytes(WORD), 72),
    b"\x8e": (_bytes(LONG), 72),
    b"\x96": (_bytes(LONG), 72),
    b"(": (_mark, 48),
    b"0": (_drop, 0),
    b"1": (_drop_mark, 0),
    b"2": (_push(lambda machine: machine.stack[-1]), PLAIN),
    b"t": (_tuple, OBJECT),
    b")": (_constant(()), PLAIN),
    b"\x85": (_short_tuple(1), OBJECT),
    b"\x86": (_short_tuple(2), OBJECT),
    b"\x87": (_short_tuple(3), OBJECT),
    b"]": (_push(lambda _: []), OBJECT),
    b"l": (_push(Machine.pop_mark), OBJECT),
    b"a": (_append, PLAIN),
    b"e": (_append_all, PLAIN),
    b"}": (_push(lambda _: Table()), OBJECT),
    b"d": (_push(_pairs), OBJECT),
    b"s": (_set_item, 2 * PLAIN),
    b"u": (_set_items, PLAIN),
    # A set is read as the list of what is in it.
    b"\x8f": (_push(lambda _: []), OBJECT),
    b"\x90": (_append_all, PLAIN),
    b"\x91": (_push(Machine.pop_mark), OBJECT),
    b"q": (_put_packed("<B"), NOTED),
    b"r": (_put_packed("<I"), NOTED),
    b"p": (_put(_written), NOTED),
    b"\x94": (_memoize, NOTED),
    b"h": (_get_byte, PLAIN),
    b"j": (_get(WORD), PLAIN),
    b"g": (_get(_written), PLAIN),
    b"c": (_global, 240),
    b"\x93": (_stack_global, 240),
    b"R": (_call, 2 * OBJECT),
    b"\x81": (_call, 2 * OBJECT),
    b"\x92": (_call_with_keys, 2 * OBJECT),
    b"i": (_instance, 3 * OBJECT),
    b"o": (_object, 2 * OBJECT),
    b"b": (_build, 0),
    b"Q": (_persistent, OBJECT),
}
