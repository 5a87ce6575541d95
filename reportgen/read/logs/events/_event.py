"""One record after another: the plain reader, and what an event carries."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from struct import Struct, error
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from google_crc32c import value as crc32c

from reportgen.read.logs.wire import (
    CUT_OFF,
    DAMAGED,
    Fault,
    Record,
    WireError,
    as_bytes,
    as_double,
    as_float,
    as_int,
    as_text,
    read_fields,
    read_varint,
    signed,
    values_of,
)
from reportgen.records.record import field, record

if TYPE_CHECKING:
    from numpy.typing import NDArray


# One event of an event file: its step, its time, its values, and what becomes of them.


class _Kind(NamedTuple):
    """How one data type is stored: in `tensor_content`, and in a field of its own."""

    packed: str
    field: int
    wide: bool
    bits: int = 64


# Source: `tensorflow/core/framework/types.proto` and `tensor.proto`. A value that single
# precision cannot hold in full makes its series a double one.
KINDS = {
    1: _Kind("<f", 5, wide=False),
    2: _Kind("<d", 6, wide=True),
    3: _Kind("<i", 7, wide=True, bits=32),
    4: _Kind("<B", 7, wide=True),
    5: _Kind("<h", 7, wide=True, bits=32),
    6: _Kind("<b", 7, wide=True, bits=32),
    9: _Kind("<q", 10, wide=True),
    10: _Kind("<?", 11, wide=True),
    14: _Kind("bfloat16", 13, wide=False),
    17: _Kind("<H", 7, wide=True),
    19: _Kind("<e", 13, wide=False),
    22: _Kind("<I", 16, wide=True),
    23: _Kind("<Q", 17, wide=True),
}
_STRING, _STRING_FIELD, _HALF_FIELD = 7, 8, 13


class Tensor(NamedTuple):
    """What a tensor holds of use: its only number, which may need double precision, or its text."""

    number: float | None = None
    wide: bool = False
    text: str | None = None


def read_tensor(buffer: bytes) -> Tensor:
    """Decode a TensorProto with one number, or with strings; all others come back empty."""
    kind_number, elements = 0, 1
    content = b""
    stored: dict[int, list[bytes | int]] = {}
    for number, _, value in read_fields(buffer):
        if number == 1:
            kind_number = as_int(value)
        elif number == 2:
            elements = _count_elements(as_bytes(value))
        elif number == 4:
            content = as_bytes(value)
        else:
            stored.setdefault(number, []).append(value)
    if kind_number == _STRING:
        lines = [as_bytes(v) for v in stored.get(_STRING_FIELD, [])]
        return Tensor(text="\n".join(line.decode("utf-8", "replace") for line in lines))
    kind = KINDS.get(kind_number)
    if kind is None or elements != 1:
        return Tensor()
    number_value = _unpack(kind, content) if content else _first(kind, stored.get(kind.field, []))
    return Tensor(number=number_value, wide=kind.wide)


def _count_elements(shape: bytes) -> int:
    sizes = []
    for number, _, value in read_fields(shape):
        if number == 2:
            size = [signed(as_int(one)) for one in values_of(value, 1)]
            sizes.append(size[0] if size else 0)
        elif number == 3 and value:
            return -1
    return math.prod(sizes)


def _unpack(kind: _Kind, content: bytes) -> float:
    if kind.packed == "bfloat16":
        kind, content = KINDS[1], b"\0\0" + content
    try:
        return float(Struct(kind.packed).unpack(content)[0])
    except error as reason:
        raise WireError(str(reason)) from reason


def _first(kind: _Kind, values: list[bytes | int]) -> float:
    """Return the first number of a repeated field, packed or not; none stored means zero."""
    if not values:
        return 0.0
    value = values[0]
    if kind.field in (5, 6):
        width = 4 if kind.field == 5 else 8
        return _unpack(kind, as_bytes(value)[:width])
    number = value if isinstance(value, int) else read_varint(value, 0)[0]
    if kind.field == _HALF_FIELD:
        return _unpack(kind, (number & 0xFFFF).to_bytes(2, "little"))
    return float(signed(number, kind.bits) if kind.packed[-1].islower() else number)


SCALARS, HPARAMS = "scalars", "hparams"
_SESSION_START = 1
_EVENT_KINDS = {4: "graph", 6: "log message", 8: "run metadata", 9: "graph"}
VALUE_KINDS = {4: "image", 5: "histogram", 6: "audio"}
_PLUGIN_KINDS = {"images": "image", "histograms": "histogram", "graphs": "graph"}


@record(frozen=False)
class Value:
    """One tagged value.

    Attributes:
        plugin: Plug-in named with the value; writers may name it on a tag's first value only.
        payload: Content of the plug-in's metadata (hyperparameters are written there).
        number: The scalar, or None.
        wide: The scalar needs double precision.
        text: The text, or None.
        kind: What it is where it is neither (`image`, `histogram`, `audio`, `tensor`), or empty.
    """

    tag: str = ""
    plugin: str = ""
    payload: bytes = b""
    number: float | None = None
    wide: bool = False
    text: str | None = None
    kind: str = ""


@record(frozen=False)
class Event:
    """One event.

    Attributes:
        starts_session: A writer began at `step`; what lies from there on is void.
        kind: What it carries in place of values (`graph`), or empty.
    """

    step: int = 0
    wall_time: float = 0.0
    starts_session: bool = False
    kind: str = ""
    values: list[Value] = field(default_factory=list)


def read_event(payload: bytes) -> Event:
    """Decode an Event; graphs, images, histograms and sound carry nothing for a report.

    Raises:
        WireError: The payload is no Event.
    """
    event = Event()
    for number, _, value in read_fields(payload):
        if number == 1:
            event.wall_time = as_double(value)
        elif number == 2:
            event.step = signed(as_int(value))
        elif number == 5:
            event.values.extend(_read_value(as_bytes(one)) for one in values_of(value, 1))
        elif number == 7:
            event.starts_session = _SESSION_START in values_of(value, 1)
        elif number in _EVENT_KINDS:
            event.kind = _EVENT_KINDS[number]
    return event


def _read_value(buffer: bytes) -> Value:
    found = Value()
    for number, _, value in read_fields(buffer):
        if number == 1:
            found.tag = as_text(value)
        elif number == 2:
            found.number = as_float(value)
        elif number == 8:
            tensor = read_tensor(as_bytes(value))
            found.number, found.wide, found.text = tensor
            found.kind = "tensor" if tensor.number is None and tensor.text is None else ""
        elif number in VALUE_KINDS:
            found.kind = VALUE_KINDS[number]
        elif number == 9:
            _read_metadata(as_bytes(value), found)
    return found


def _read_metadata(buffer: bytes, found: Value) -> None:
    for value in values_of(buffer, 1):
        for inner, _, part in read_fields(as_bytes(value)):
            if inner == 1:
                found.plugin = as_text(part)
            elif inner == 2:
                found.payload = as_bytes(part)


def kind_of(plugin: str) -> str:
    """Return what the values of a plug-in are called where they are counted."""
    return _PLUGIN_KINDS.get(plugin, plugin)


def read_hyperparameters(payload: bytes) -> Mapping[str, object]:
    """Decode the hyperparameters that `add_hparams` writes when a session starts.

    Source: `tensorboard/plugins/hparams/plugin_data.proto`, `SessionStartInfo`.
    """
    found: dict[str, object] = {}
    for session in values_of(payload, 3):
        for entry in values_of(session, 1):
            parts = {n: v for n, _, v in read_fields(as_bytes(entry))}
            if 1 in parts and 2 in parts:
                found[as_text(parts[1])] = _read_struct_value(as_bytes(parts[2]))
    return found


def _read_struct_value(buffer: bytes) -> object:
    for number, _, value in read_fields(buffer):
        if number == 2:
            return as_double(value)
        if number == 3:
            return as_text(value)
        if number == 4:
            return bool(value)
    return None


class Points(NamedTuple):
    """The points of one tag, in the order in which they were written.

    Attributes:
        steps: int64.
        values: float32, or float64 where one needs it.
        wall_times: float64.

    Shape: all have one length.
    """

    steps: NDArray[Any]
    values: NDArray[Any]
    wall_times: NDArray[Any]

    def some(self, which: Any) -> Points:
        """Return the points at these places."""
        return Points(*(one[which] for one in self))

    @classmethod
    def joined(cls, pieces: Sequence[Points]) -> Points:
        """Return the points of all pieces, in double precision where one of them is."""
        if len(pieces) == 1:
            return pieces[0]
        return cls(*map(np.concatenate, zip(*pieces, strict=True)))


class Point(NamedTuple):
    """A number of one tag at one step, and whether it needs double precision."""

    tag: str
    number: float
    is_wide: bool


@record(frozen=False, kw_only=False)
class Content:
    """What has been read so far, points left out.

    Attributes:
        records: Sound records.
        texts: Tag to the text written last.
        config: Hyperparameters.
        starts: Steps from which on a writer said that everything before is void.
        plugins: Tag to the plug-in that its values belong to, where that was ever another one.
        skipped: Kind of record to how many were passed over.
        unreadable: Tag to how many of its hyperparameters cannot be decoded.
        faults: Bytes that hold no sound record, in no order.
    """

    records: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    config: dict[str, object] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    plugins: dict[str, str] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def read(self, offset: int, payload: bytes) -> Event | None:
        """Decode the payload of a sound record; None, and a fault, where it is no event."""
        try:
            return read_event(payload)
        except WireError as error:
            reason = f"the record is no event ({error})"
            self.faults.append(Fault(offset=offset, end=offset + len(payload), reason=reason))
            return None

    def pass_over(self, tag: str, kind: str) -> bool:
        """Count a record that holds one value of a kind; False where its tag has a plug-in."""
        if tag in self.plugins:
            return False
        self.records += 1
        self.skipped[kind] += 1
        return True

    def take(self, event: Event) -> list[Point]:
        """Keep what an event holds, and return the points among its values."""
        self.records += 1
        if event.starts_session:
            self.starts.append(event.step)
        if event.kind:
            self.skipped[event.kind] += 1
        found = []
        for value in event.values:
            # TensorFlow names the plug-in on the first value of a tag only; that of scalars is
            # every tag's that was given none.
            if value.plugin and (value.plugin != SCALARS or value.tag in self.plugins):
                self.plugins[value.tag] = value.plugin
            plugin = self.plugins.get(value.tag, SCALARS)
            if plugin == SCALARS and value.number is not None:
                found.append(Point(value.tag, value.number, value.wide))
            else:
                self._take_other(value, plugin)
        return found

    def _take_other(self, value: Value, plugin: str) -> None:
        if plugin == HPARAMS:
            self._take_hyperparameters(value)
        elif value.text is not None:
            self.texts[value.tag] = value.text
        else:
            kind = value.kind if plugin == SCALARS else kind_of(plugin)
            self.skipped[kind or "empty value"] += 1

    def _take_hyperparameters(self, value: Value) -> None:
        try:
            self.config.update(read_hyperparameters(value.payload))
        except WireError:
            self.unreadable[value.tag] += 1


# The plain way to read an event file: one record after another, each decoded by itself.
#
# It knows every form of record. Reading in bulk is many times faster on what it knows, hands the
# rest to this one, and has it as its partner in the tests. A record is framed by its length, a
# checksum of that, and a checksum of its payload.
#
# Source: the TFRecord format, `tensorflow/core/lib/io/record_writer.h`.

HEADER = 12
FOOTER = 4
OVERHEAD = HEADER + FOOTER
RECORD_LIMIT = 1 << 28
"""No event is longer than this; a length that says so is damage."""

DAMAGED_LENGTH = "the record's length is damaged"

_HEADER = Struct("<QI")
_CHECKSUM = Struct("<I")
_NOT_ZERO = re.compile(rb"[^\0]")


def mask(checksum: int) -> int:
    """Return the masked form in which the format stores a CRC-32C.

    Source: `tensorflow/core/lib/hash/crc32c.h`, `Mask`.

    Example:
        >>> hex(mask(0))
        '0xa282ead8'
    """
    return (((checksum >> 15) | (checksum << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def is_sound(body: bytes) -> bool:
    """Tell whether a payload is what the checksum behind it says."""
    return bool(_CHECKSUM.unpack(body[-FOOTER:])[0] == mask(crc32c(body[:-FOOTER])))


def read_length(head: bytes) -> int | None:
    """Return the length in a header, None where it is short or damaged."""
    if len(head) < HEADER:
        return None
    length, checksum = _HEADER.unpack(head)
    sound = length <= RECORD_LIMIT and checksum == mask(crc32c(head[:8]))
    return int(length) if sound else None


class Records:
    """The records of a stream: the part of it that is in memory, and a position in it.

    Args:
        chunks: What comes, in pieces of any length.
        begin: Offset of the first byte.
    """

    def __init__(self, chunks: Iterable[bytes], begin: int = 0) -> None:
        self._chunks = iter(chunks)
        self._buffer = b""
        self._start = begin
        self._position = 0

    def read(self) -> Iterator[Record | Fault]:
        """Yield every sound record and every stretch that holds none.

        After damage the reading goes on at the next header whose checksum holds, so that one
        bad record costs one record. Memory is bounded by the longest record.
        """
        while self.fill(1):
            if not self.fill(HEADER):
                yield self.skip(CUT_OFF)
                return
            length = self.length()
            if length is None:
                yield self.skip(DAMAGED_LENGTH)
                continue
            whole = HEADER + length + FOOTER
            if not self.fill(whole):
                yield self.skip(CUT_OFF, begin=HEADER)
                continue
            body = self.cut(HEADER, whole)
            if is_sound(body):
                yield Record(offset=self.offset, payload=body[:-FOOTER])
                self._position += whole
            else:
                yield self.drop(whole)

    def rest(self) -> bytes:
        """Return what is in memory from the position on."""
        return self._buffer[self._position :]

    @property
    def offset(self) -> int:
        return self._start + self._position

    def fill(self, count: int) -> bool:
        """Bring `count` bytes from the position on into memory; False at the stream's end."""
        missing = count - (len(self._buffer) - self._position)
        if missing <= 0:
            return True
        parts = [self._buffer[self._position :]]
        while missing > 0 and (chunk := next(self._chunks, None)) is not None:
            parts.append(chunk)
            missing -= len(chunk)
        self._start += self._position
        self._position = 0
        self._buffer = b"".join(parts)
        return missing <= 0

    def cut(self, begin: int, end: int) -> bytes:
        return self._buffer[self._position + begin : self._position + end]

    def length(self, at: int = 0) -> int | None:
        """Return the length in the header at `at`, None where no sound header stands."""
        if not self.fill(at + HEADER):
            return None
        return read_length(self.cut(at, at + HEADER))

    def drop(self, whole: int) -> Fault:
        """Leave out a record whose payload is damaged, up to the next sound header."""
        if not self.fill(whole + 1) or self.length(whole) is not None:
            fault = Fault(offset=self.offset, end=self.offset + whole, reason=DAMAGED)
            self._position += whole
            return fault
        # Bytes are missing or too many: the next header is not where it should be.
        return self.skip(DAMAGED, begin=HEADER)

    def skip(self, reason: str, begin: int = 1) -> Fault:
        """Go to the next sound header at or after `begin`, or to the stream's end."""
        offset = self.offset
        if not self.fill(HEADER):
            begin = len(self._buffer) - self._position
        self._position = min(self._position + begin, len(self._buffer))
        while self.fill(HEADER):
            candidate = self._candidate()
            if candidate is None:
                self._position = len(self._buffer) - (HEADER - 1)
                continue
            self._position = candidate
            if self.length() is not None:
                # More follows: what looked cut off is damaged.
                reason = DAMAGED if reason == CUT_OFF else reason
                return Fault(offset=offset, end=self.offset, reason=reason)
            self._position += 1
        self._position = len(self._buffer)
        return Fault(offset=offset, end=self.offset, reason=reason)

    def _candidate(self) -> int | None:
        """Return where the next header could stand: the high half of its length is zero."""
        place = self._buffer.find(b"\0\0\0\0", self._position + 4)
        last = len(self._buffer) - HEADER
        if place < 0 or place - 4 > last:
            return None
        candidate = place - 4
        if any(self._buffer[candidate : candidate + HEADER]):
            return candidate
        # Twelve zero bytes are no header (their checksum is not zero): leave the run of zeros.
        end = _NOT_ZERO.search(self._buffer, candidate)
        after = (end.start() if end else len(self._buffer)) - (HEADER - 1)
        return after if after <= last else None


_Row = tuple[int, float, float]
"""Step, value and wall time."""


def read_by_loop(
    chunks: Iterable[bytes], begin: int = 0, content: Content | None = None
) -> tuple[Content, dict[str, Points]]:
    """Return what an event file holds, and the points of each tag.

    Its bytes come in pieces of any length, from an offset on; what they hold is added to `content`.
    """
    content = content or Content()
    rows: dict[str, list[_Row]] = {}
    wide: set[str] = set()
    for piece in Records(chunks, begin).read():
        if isinstance(piece, Fault):
            content.faults.append(piece)
            continue
        event = content.read(piece.offset, piece.payload)
        if event is None:
            continue
        points = content.take(event)
        if event.starts_session:
            # A writer that starts again at a step asks to forget what lies from there on.
            rows = {tag: [row for row in its if row[0] < event.step] for tag, its in rows.items()}
        for point in points:
            rows.setdefault(point.tag, []).append((event.step, point.number, event.wall_time))
            if point.is_wide:
                wide.add(point.tag)
    # From Python 3.14 on a signalling NaN of a log is still one here; numpy would warn of it.
    with np.errstate(invalid="ignore"):
        return content, {tag: _points(its, is_wide=tag in wide) for tag, its in rows.items() if its}


def _points(rows: Sequence[_Row], *, is_wide: bool) -> Points:
    """Return points as columns; a tag with a value that single precision cannot hold is double."""
    steps, values, walls = zip(*rows, strict=True)
    width = np.float64 if is_wide else np.float32
    return Points(
        np.array(steps, dtype=np.int64),
        np.array(values, dtype=np.float64).astype(width, copy=False),
        np.array(walls, dtype=np.float64),
    )
