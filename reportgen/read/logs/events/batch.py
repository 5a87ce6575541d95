"""An event file in bulk: records of known kinds together, the others by the plain reader."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from reportgen.read.logs.events._event import (
    FOOTER,
    HEADER,
    SCALARS,
    VALUE_KINDS,
    Content,
    Event,
    Point,
    Points,
    is_sound,
)
from reportgen.read.logs.events._frames import (
    MOST_FAULTS,
    TABLES,
    Chain,
    Checksums,
    Sizes,
    UnsureError,
    Windows,
    find_frames,
    unmask,
)
from reportgen.read.logs.wire import (
    BYTES,
    DAMAGED,
    FIXED32,
    FIXED64,
    VARINT,
    Fault,
    WireError,
    read_varint,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


# The records of a window as columns: step, wall time, value, and what tells tags apart.
#
# Where in a record of one kind the value lies is learnt from one of them.

_AS_FLOAT, _AS_INT = Struct("<f"), Struct("<I")
_AS_DOUBLE, _AS_LONG = Struct("<d"), Struct("<Q")


def bits_of(value: float, *, wide: bool) -> int:
    """Return the bits of one value, in double precision or single.

    Example:
        >>> hex(bits_of(1.0, wide=False))
        '0x3f800000'
    """
    packer, reader = (_AS_DOUBLE, _AS_LONG) if wide else (_AS_FLOAT, _AS_INT)
    return int(reader.unpack(packer.pack(value))[0])


_WIDTHS = {FIXED64: 8, FIXED32: 4}
_FLOATS = {1: (5, 4), 2: (6, 8)}
"""Data types of tensors to the field of their own that holds a value, and its bytes; other types,
which hardly any program writes, are left to the plain reader."""

_PLAIN = ([(1, FIXED64), (2, VARINT), (5, BYTES)], [(1, FIXED64), (5, BYTES)])
"""Fields of an event that holds nothing but a summary; a step of 0 is not written."""

_WALL_TIME, _STEP, _SUMMARY, _VALUE, _TAG = 0x09, 0x10, 0x2A, 0x0A, 0x0A
"""First bytes of the fields of an event, of its summary, and of a value."""

_OTHERS = {number << 3 | BYTES: kind for number, kind in VALUE_KINDS.items()}

Field = tuple[int, int, int, int]


class Spot(NamedTuple):
    """Where a value lies, and how it is written.

    Attributes:
        from_end: Bytes from its first one to the payload's end.
        width: Its bytes: a number of single precision, or double.
    """

    from_end: int
    width: int


def find_spot(payload: bytes) -> Spot | None:
    """Return where the only value of an event lies, None where that is not plain to see.

    The event must be wall time, then step or none, then a summary of one value, and nothing
    else; the value a `simple_value`, or a tensor whose number lies there as in memory.
    """
    try:
        body = _value_of(payload)
        if body is None:
            return None
        places = [_place(payload, part) for part in _parts(payload, *body) if part[0] in (2, 8)]
    except (WireError, IndexError):
        return None
    if len(places) != 1 or places[0] is None:
        return None
    begin, width = places[0]
    return Spot(len(payload) - begin, width)


def find_other(payload: bytes) -> tuple[str, str] | None:
    """Return tag and kind of the only value of an event that is an image, a histogram or a sound.

    None for every other event, and where anything follows the value that may say more of its tag.
    """
    try:
        if payload[0] != _WALL_TIME:
            return None
        position = read_varint(payload, 10)[1] if payload[9] == _STEP else 9
        for field in (_SUMMARY, _VALUE):
            length, begin = read_varint(payload, position + 1)
            if payload[position] != field or begin + length != len(payload):
                return None
            position = begin
        length, begin = read_varint(payload, position + 1)
        tag, behind = payload[begin : begin + length], begin + length
        kind = _OTHERS.get(payload[behind]) if payload[position] == _TAG else None
        length, begin = read_varint(payload, behind + 1)
        ends = begin + length == len(payload)
        return (tag.decode(), kind) if kind and ends else None
    except (WireError, IndexError, UnicodeDecodeError):
        return None


def _value_of(payload: bytes) -> tuple[int, int] | None:
    """Return where the only value of a plain event begins and ends."""
    parts = list(_parts(payload, 0, len(payload)))
    if [part[:2] for part in parts] not in _PLAIN:
        return None
    values = list(_parts(payload, *parts[-1][2:]))
    return values[0][2:] if [part[:2] for part in values] == [(1, BYTES)] else None


def _place(payload: bytes, part: Field) -> tuple[int, int] | None:
    """Return begin and width of the number in a value's field 2 or 8."""
    number, wire, begin, end = part
    if number == 2:
        return (begin, 4) if wire == FIXED32 else None
    inner = list(_parts(payload, begin, end))
    kinds = [payload[at] for n, w, at, _ in inner if (n, w) == (1, VARINT)]
    stored = [part for part in inner if part[0] > 3]
    if len(kinds) != 1 or kinds[0] not in _FLOATS or len(stored) != 1:
        return None
    field, width = _FLOATS[kinds[0]]
    number, _, begin, end = stored[0]
    return (begin, width) if number in (4, field) and end - begin == width else None


def _parts(payload: bytes, position: int, end: int) -> Iterator[Field]:
    """Yield (field number, wire type, begin, end) of the fields of a message."""
    while position < end:
        key, position = read_varint(payload, position)
        wire = key & 7
        if wire == VARINT:
            begin, stop = position, read_varint(payload, position)[1]
        elif wire == BYTES:
            length, begin = read_varint(payload, position)
            stop = begin + length
        elif wire in _WIDTHS:
            begin, stop = position, position + _WIDTHS[wire]
        else:
            raise WireError(f"wire type {wire}")
        if stop > end:
            raise WireError("a field runs past its message")
        yield key >> 3, wire, begin, stop
        position = stop


SHORTEST, LONGEST = 20, 1024
"""Payloads of other lengths hold no scalar, or one with a tag of unusual length."""

Words: TypeAlias = "NDArray[np.uint64]"

_ENDS = np.uint64(0x0080808080808080)
"""The bit that is clear in a varint's last byte, of the seven bytes of a step that lie in the same
word as its field's first byte: those of steps below 2 ** 49."""


class Rows:
    """Records whose lengths a scalar may have, decoded as far as all scalars are alike.

    Args:
        window: What they lie in.
        places: Where their headers begin.
        lengths: Bytes of their payloads, from `SHORTEST` to `LONGEST`.

    Attributes:
        steps: Their steps.
        walls: Bits of their wall times.
        plain: Whether the step could be read here.

    Shape: everything has one entry a record.
    """

    def __init__(self, window: Windows, places: Columns, lengths: Columns) -> None:
        self._words = window.words
        TABLES.reach(int(lengths.max()))
        self._ends = places + lengths
        self._ends += HEADER
        # Three words at once: the last bytes of the header, the wall time, and what is behind it.
        spans = window.spans[places + (HEADER - 7)].view(np.uint64).reshape(-1, 3)
        self.walls: Words = spans[:, 1].copy()
        after = spans[:, 2]
        has_step = (after & np.uint64(0xFF)) == np.uint64(_STEP)
        after = after >> np.uint64(8)
        stop = ~after & _ENDS
        self.plain = stop != 0
        # All bits below the lowest one of `stop`: those of the varint.
        below = (stop - np.uint64(1)) & ~stop
        if not has_step.all():
            self.plain |= ~has_step
            below *= has_step
        varint = after & below
        used = (int(varint.max()).bit_length() + 7) // 8
        self.steps = _decode_steps(varint, used)
        # A key tells lengths apart, and how many bytes a step has.
        self._shape = lengths.view(np.uint64) << np.uint64(8)
        self._shape |= np.bitwise_count(below)
        self._shape <<= np.uint64(40)
        self._changes = _changes(self.walls, varint, used, lengths)

    def keys(self, spot: Spot, number: int, which: Columns | None = None) -> tuple[Words, Words]:
        """Return the key of each record whose value lies at a spot, and the bits of that value.

        Args:
            spot: Where the value lies.
            number: Number of the spot, below 256; it is part of the key.
            which: Which records; all of them without it.
        """
        some = slice(None) if which is None else which
        ends = self._ends[some]
        tails = self._words[ends - 4]
        bits = tails if spot.from_end == 4 else self._words[np.maximum(ends - spot.from_end, 0)]
        if spot.width < 8:
            bits = bits & np.uint64((1 << 8 * spot.width) - 1)
        tails >>= np.uint64(32)
        key = unmask(tails.astype(np.uint32))
        key ^= self._changes[some]
        pairs = bits.view(np.uint16).reshape(-1, 4)
        for i in range(0, spot.width, 2):
            key ^= TABLES.pairs(spot.from_end - 1 - i).take(pairs[:, i >> 1])
        found = self._shape[some] | key
        found |= np.uint64(number << 32)
        return found, bits


def _decode_steps(varint: Words, used: int) -> Columns:
    """Join the seven bits of each byte of a varint."""
    steps = varint & np.uint64(0x7F)
    for i in range(1, used):
        steps |= (varint >> np.uint64(i)) & np.uint64(0x7F << 7 * i)
    return steps.view(np.int64)


def _changes(walls: Words, varint: Words, used: int, lengths: Columns) -> Checksums:
    """Return what wall time and step add to each record's checksum."""
    # A byte at place p of the payload is followed by `length - 1 - p` others.
    rows = lengths << 8
    octets = walls.view(np.uint8).reshape(-1, 8)
    top = walls >> np.uint64(40)
    if (top == top[0]).all():
        # The first bytes of a clock stay the same for days: one look-up a length, not a record.
        found = _of_constant(int(top[0]), 6, int(lengths.max()))[lengths]
        looked_up = range(5)
    else:
        found = np.zeros(len(walls), dtype=np.uint32)
        looked_up = range(8)
    for i in looked_up:
        found ^= TABLES.shifted(2 + i)[rows + octets[:, i]]
    octets = varint.view(np.uint8).reshape(-1, 8)
    for i in range(used):
        found ^= TABLES.shifted(11 + i)[rows + octets[:, i]]
    return found


def _of_constant(three: int, place: int, longest: int) -> Checksums:
    """Return what three bytes from a place on add to the checksum, by the payload's length."""
    found = np.zeros(longest + 1, dtype=np.uint32)
    for i in range(3):
        first = place + i + 1
        byte = three >> 8 * i & 255
        found[first:] ^= TABLES.column(byte, range(longest + 1 - first))
    return found


Keys: TypeAlias = "NDArray[np.uint64]"
Columns: TypeAlias = "NDArray[np.int64]"

SPOTS = 64
"""Spots that are told apart; records whose values lie elsewhere are read one by one."""

KEYS = 1 << 16
"""Keys that are told apart."""

NOBODY = -1
"""The column of a key that has not been learnt."""


class Known:
    """Keys with the columns that their records' points belong to.

    Attributes:
        spots: Where values lie, in the order in which that was learnt.
        tags: Tags of the keys; that of a column is at half its number.
    """

    def __init__(self) -> None:
        self.spots: list[Spot] = []
        self.tags: list[str] = []
        self._numbers: dict[str, int] = {}
        self._learnt: dict[int, int] = {}
        # No key is zero.
        self._keys: Keys = np.zeros(1, dtype=np.uint64)
        self._columns: Columns = np.full(1, NOBODY)

    def has(self, tag: str) -> bool:
        """Tell whether a tag has columns."""
        return tag in self._numbers

    def column(self, tag: str, *, is_wide: bool) -> int:
        """Return the column of a tag's values of one width; a new tag gets the next two."""
        found = self._numbers.get(tag)
        if found is None:
            found = self._numbers[tag] = len(self.tags)
            self.tags.append(tag)
        return 2 * found + is_wide

    def number_of(self, spot: Spot) -> int | None:
        """Return the number of a spot; a new one gets the next, None where there are too many."""
        if spot not in self.spots:
            if len(self.spots) == SPOTS:
                return None
            self.spots.append(spot)
        return self.spots.index(spot)

    @property
    def is_full(self) -> bool:
        """Whether no more keys can be learnt."""
        return len(self._learnt) >= KEYS or len(self.tags) >= KEYS

    def learn(self, key: int, column: int) -> None:
        """Remember what the records of a key are; no key is zero."""
        self._learnt[key] = column

    def find(self, keys: Keys) -> Columns:
        """Return the column of each key, or `NOBODY`."""
        if len(self._keys) <= len(self._learnt):
            known = np.array([0, *self._learnt], dtype=np.uint64)
            order = np.argsort(known)
            self._keys = known[order]
            self._columns = np.array([NOBODY, *self._learnt.values()], dtype=np.int64)[order]
        places = self._keys.searchsorted(keys, "right") - 1
        found: Columns = self._columns[places]
        found[self._keys[places] != keys] = NOBODY
        return found


Bits: TypeAlias = "NDArray[np.uint64]"


class Part(NamedTuple):
    """Points of one window.

    Attributes:
        columns: Two for each tag: its number twice, and one more where values are double.
        steps: Steps.
        walls: Bits of the wall times.
        bits: Bits of the values, of single precision or double.

    Shape: all have one length; the order is that of the file.
    """

    columns: NDArray[np.int64]
    steps: NDArray[np.int64]
    walls: Bits
    bits: Bits

    @classmethod
    def of(
        cls, columns: Sequence[int], steps: Sequence[int], walls: Sequence[int], bits: Sequence[int]
    ) -> Part:
        """Make a part of numbers."""
        return cls(
            np.array(columns, dtype=np.int64),
            np.array(steps, dtype=np.int64),
            np.array(walls, dtype=np.uint64),
            np.array(bits, dtype=np.uint64),
        )

    def some(self, which: slice | NDArray[np.int64]) -> Part:
        """Return the points at these places."""
        return Part._make(one[which] for one in self)


def join(parts: Sequence[Part]) -> Part:
    """Return the points of all parts, one behind the other."""
    if len(parts) == 1:
        return parts[0]
    return Part._make(map(np.concatenate, zip(*parts, strict=True)))


LOOSE_PIECES = 1 << 16
"""Pieces of tags after which those of each tag are joined: each takes room of its own."""


class Collected:
    """The points of a file, a piece a tag and window.

    Values are single precision where that is enough; the whole tag is double where it is not.

    Args:
        tags: Tag of each pair of columns; it may grow while points are added.
    """

    def __init__(self, tags: Sequence[str]) -> None:
        self._tags = tags
        self._pieces: dict[int, list[Points]] = {}
        self._loose = 0
        self._unsorted: list[Part] = []

    @property
    def tag_count(self) -> int:
        """Tags that have been given points so far."""
        return len(self._pieces)

    def add(self, part: Part) -> None:
        """Append points; they go to their tags when `sort` is called."""
        self._unsorted.append(part)

    def sort(self) -> None:
        """Give the points added so far to their tags."""
        if not self._unsorted:
            return
        part = join(self._unsorted)
        self._unsorted = []
        counts = _promote(part)
        # Few tags sort faster as small numbers: by counting, not by comparing.
        order = np.argsort(part.columns.astype(np.min_scalar_type(len(counts))), kind="stable")
        ends = np.cumsum(counts)
        present = np.flatnonzero(counts)
        # In the order in which tags come in the file.
        for column in present[np.argsort(order[ends[present] - counts[present]])].tolist():
            own = order[ends[column] - counts[column] : ends[column]]
            values = _values(part.bits[own], is_wide=bool(column & 1))
            piece = Points(part.steps[own], values, part.walls[own].view(np.float64))
            self._pieces.setdefault(column >> 1, []).append(piece)
        self._loose += len(present)
        if self._loose > LOOSE_PIECES:
            self._pieces = {number: [Points.joined(own)] for number, own in self._pieces.items()}
            self._loose = 0

    def purge(self, step: int) -> None:
        """Forget the points of every tag from `step` on, as a writer that starts there asks."""
        self.sort()
        for number, pieces in self._pieces.items():
            self._pieces[number] = [one.some(one.steps < step) for one in pieces]

    def take(self) -> dict[str, Points]:
        """Return the points of every tag that has any, and be empty."""
        self.sort()
        found: dict[str, Points] = {}
        for number in list(self._pieces):
            points = Points.joined(self._pieces.pop(number))
            if len(points.steps):
                found[self._tags[number]] = points
        return found


def _values(bits: Bits, *, is_wide: bool) -> NDArray[Any]:
    return bits.view(np.float64) if is_wide else bits.astype(np.uint32).view(np.float32)


def _promote(part: Part) -> NDArray[np.int64]:
    """Make tags that come in both widths double, and return how often each column comes."""
    counts = np.bincount(part.columns)
    both = np.flatnonzero(counts[:-1:2] * counts[1::2]).tolist() if len(counts) > 1 else []
    for narrow in both:
        mine = part.columns == 2 * narrow
        single = _values(part.bits[mine], is_wide=False)
        part.bits[mine] = single.astype(np.float64).view(np.uint64)
        part.columns[mine] = 2 * narrow + 1
    return np.bincount(part.columns) if both else counts


STRIDE = 509
"""One of so many records of known keys has its tag compared; a prime, so that of tags that take
turns each has its own."""

FEW = 512
"""In a batch of at most so many records all tags are compared."""

MANY = 256
"""In a file of more tags they are as well: of 10,000 tags of one length two have one key in one
file of 86; of 256, in one of 130,000."""

ROUND = 512
"""Records that are decoded before what was learnt is tried on all others."""

Numbers: TypeAlias = "NDArray[np.int64]"


Single = tuple[int, int, int, int, int]
"""A point that was decoded by itself: rank, column, step, and bits of wall time and value."""


class Batch:
    """Reads the records of a window, at least one of them, by what is known and learns more."""

    def __init__(
        self, window: Windows, records: Chain, known: Known, content: Content, points: Collected
    ) -> None:
        self._window, self._known = window, known
        self._content, self._points = content, points
        places, lengths = self._places, self._lengths = records.places, records.lengths
        fits = (lengths >= SHORTEST) & (lengths <= LONGEST)
        self._rows: Rows | None = None
        self._usable = fits
        if fits.any():
            if not fits.all():
                # One that fits stands in for each record of another length, and is never used.
                stand_in = int(fits.argmax())
                places = np.where(fits, places, places[stand_in])
                lengths = np.where(fits, lengths, lengths[stand_in])
            self._rows = Rows(window, places, lengths)
            self._usable = self._rows.plain & fits
        self._columns = np.full(len(places), NOBODY)
        self._bits: Bits = np.zeros(len(places), dtype=np.uint64)
        self._singles: list[Single] = []
        self._purges: list[tuple[int, int]] = []

    def read(self) -> None:
        """Read all of them.

        Raises:
            UnsureError: Two tags have one key, or a tag changes its plug-in.
        """
        self._take_known(None)
        self._take_others()
        self._compare_tags()
        self._hand_over()

    def _take_known(self, left: Numbers | None) -> None:
        """Find the records whose keys have been learnt.

        Args:
            left: Which to look at; None for all, of which none has been found.
        """
        rows = self._rows
        if rows is None:
            return
        for number, spot in enumerate(self._known.spots):
            keys, bits = rows.keys(spot, number, left)
            columns = self._known.find(keys)
            if left is None:
                self._columns, self._bits = columns, bits
                if not self._usable.all():
                    self._columns[~self._usable] = NOBODY
                left = np.flatnonzero(columns == NOBODY)
            else:
                hit = (columns != NOBODY) & self._usable[left]
                self._columns[left[hit]] = columns[hit]
                self._bits[left[hit]] = bits[hit]
                left = left[~hit]
            if not len(left):
                break

    def _take_others(self) -> None:
        """Decode what is left, in order; what is learnt from a record takes all like it along."""
        left = np.flatnonzero(self._columns == NOBODY)
        while len(left):
            # Few at a time: what is learnt from them is soon learnt, and then holds for many.
            if self._study(_Left(self._rows, left[:ROUND])):
                self._take_known(left[ROUND:])
            left = left[ROUND:]
            left = left[self._columns[left] == NOBODY]
        self._content.records += int(np.count_nonzero(self._columns != NOBODY))

    def _study(self, left: _Left) -> bool:
        """Decode a few records; tell whether anything was learnt."""
        has_learnt = False
        while len(left.ranks):
            rank = int(left.ranks[0])
            payload = self._payload(rank)
            event = None if payload is None else self._read(rank, payload)
            if payload is None or event is None:
                left.drop()
                continue
            points = self._take(rank, event)
            if len(points) == 1 and self._learn(points[0], payload, left):
                # Counted with all others like it.
                self._content.records -= 1
                has_learnt = True
            else:
                self._keep(rank, event, points)
                left.drop()
        return has_learnt

    def _read(self, rank: int, payload: bytes) -> Event | None:
        """Decode a record; None where there is nothing to take from it."""
        other = find_other(payload)
        if other and self._content.pass_over(*other):
            return None
        return self._content.read(self._offset(rank), payload)

    def _take(self, rank: int, event: Event) -> list[Point]:
        """Keep what an event holds beside points, and return its points."""
        for value in event.values:
            if value.plugin not in ("", SCALARS) and self._known.has(value.tag):
                # Its records may have been taken for scalars.
                raise UnsureError(value.tag)
        if event.starts_session:
            self._purges.append((rank, event.step))
        return self._content.take(event)

    def _keep(self, rank: int, event: Event, points: list[Point]) -> None:
        """Keep the points of an event that stands for no other."""
        wall = bits_of(event.wall_time, wide=True)
        for point in points:
            bits = bits_of(point.number, wide=point.is_wide)
            column = self._known.column(point.tag, is_wide=point.is_wide)
            self._singles.append((rank, column, event.step, wall, bits))

    def _learn(self, point: Point, payload: bytes, left: _Left) -> bool:
        """Take every record that differs from the first left in step, time and value alone."""
        rank = int(left.ranks[0])
        spot = find_spot(payload) if self._usable[rank] and not self._known.is_full else None
        number = self._known.number_of(spot) if spot else None
        # A tag that is not UTF-8 cannot be compared later.
        if spot is None or number is None or point.tag.encode() not in payload:
            return False
        keys, bits = left.under(spot, number)
        if not _agree(int(bits[0]), point):
            return False
        key = int(keys[0])
        alike = keys == keys[0]
        alike &= self._usable[left.ranks]
        column = self._known.column(point.tag, is_wide=spot.width == 8)
        self._known.learn(key, column)
        self._columns[left.ranks[alike]] = column
        self._bits[left.ranks[alike]] = bits[alike]
        left.keep(~alike)
        return True

    def _compare_tags(self) -> None:
        """Compare the tags of some records with what their keys say."""
        exact = len(self._places) <= FEW or self._points.tag_count > MANY
        stride = 1 if exact else STRIDE
        sample = np.arange(self._window.start % stride, len(self._places), stride)
        for rank in sample[self._columns[sample] != NOBODY].tolist():
            place = int(self._places[rank]) + HEADER
            body = self._window.bytes_at(place, place + int(self._lengths[rank]) + FOOTER)
            tag = self._known.tags[int(self._columns[rank]) >> 1]
            # A damaged tag is known by its key all the same; a sound one that differs is not.
            if tag.encode() not in body and is_sound(body):
                raise UnsureError(tag)

    def _hand_over(self) -> None:
        """Give the points to their tags, in the order of the file."""
        ranks = np.flatnonzero(self._columns != NOBODY)
        part = Part.of((), (), (), ())
        if self._rows and len(ranks):
            rows, some = self._rows, slice(None) if len(ranks) == len(self._places) else ranks
            part = Part(self._columns[some], rows.steps[some], rows.walls[some], self._bits[some])
        if self._singles:
            places, *numbers = zip(*self._singles, strict=True)
            ranks = np.concatenate([ranks, np.array(places)])
            part = join([part, Part.of(*numbers)])
            order = np.argsort(ranks, kind="stable")
            ranks, part = ranks[order], part.some(order)
        for rank, step in self._purges:
            before = int(ranks.searchsorted(rank))
            self._points.add(part.some(slice(before)))
            self._points.purge(step)
            ranks, part = ranks[before:], part.some(slice(before, None))
        self._points.add(part)

    def _payload(self, rank: int) -> bytes | None:
        """Return the payload of a sound record; None, and a fault, of a damaged one."""
        begin = int(self._places[rank]) + HEADER
        end = begin + int(self._lengths[rank])
        body = self._window.bytes_at(begin, end + FOOTER)
        if is_sound(body):
            return body[:-FOOTER]
        offset = self._offset(rank)
        whole = HEADER + len(body)
        self._content.faults.append(Fault(offset=offset, end=offset + whole, reason=DAMAGED))
        return None

    def _offset(self, rank: int) -> int:
        return self._window.start + int(self._places[rank])


class _Left:
    """The records that nothing is known of, and their keys under each spot asked for.

    Attributes:
        ranks: Their places in the batch, in order.
    """

    def __init__(self, rows: Rows | None, ranks: Numbers) -> None:
        self._rows = rows
        self._found: dict[int, tuple[Bits, Bits]] = {}
        self.ranks = ranks

    def under(self, spot: Spot, number: int) -> tuple[Bits, Bits]:
        """Return keys and values' bits."""
        if number not in self._found and self._rows:
            self._found[number] = self._rows.keys(spot, number, self.ranks)
        return self._found[number]

    def keep(self, which: NDArray[np.bool_] | slice) -> None:
        """Forget all others."""
        self.ranks = self.ranks[which]
        self._found = {n: (keys[which], bits[which]) for n, (keys, bits) in self._found.items()}

    def drop(self) -> None:
        """Forget the first."""
        self.keep(slice(1, None))


def _agree(stored: int, point: Point) -> bool:
    """Tell whether the bits at a spot are those of a point; of numbers that are none any are."""
    return stored == bits_of(point.number, wide=point.is_wide) or math.isnan(point.number)


_OWN = threading.local()
"""Files of one program have records of the same kinds: what a thread has learnt, it keeps."""


def read_in_bulk(
    chunks: Iterable[bytes], sizes: Sizes, begin: int = 0, content: Content | None = None
) -> tuple[Content, dict[str, Points]]:
    """Read the bytes of an event file.

    Returns:
        What the file holds, and the points of each tag.

    Raises:
        UnsureError: The file needs the plain reader.
    """
    window, known = Windows(chunks, sizes.window, begin), _learnt_so_far()
    content, points = content or Content(), Collected(known.tags)
    used = need = 0
    while window.advance(used, need):
        records, used, need, is_broken = find_frames(window)
        for first in range(0, len(records.places), sizes.batch):
            some = slice(first, first + sizes.batch)
            batch = Chain(records.places[some], records.lengths[some])
            Batch(window, batch, known, content, points).read()
        points.sort()
        if is_broken:
            if len(content.faults) >= MOST_FAULTS:
                raise UnsureError
            content.faults += window.pass_damage(used)
            used = 0
    content.faults.sort(key=lambda fault: fault.offset)
    return content, points.take()


def _learnt_so_far() -> Known:
    known: Known | None = getattr(_OWN, "known", None)
    if known is None or known.is_full:
        known = _OWN.known = Known()
    return known
