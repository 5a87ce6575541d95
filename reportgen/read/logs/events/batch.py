"""An event file in bulk: records of known kinds together, the others by the plain reader."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from reportgen.read.logs.events._event import (
    FOOTER,
    HEADER,
    SCALARS,
    Content,
    Event,
    Point,
    Points,
    is_sound,
)
from reportgen.read.logs.events._frames import (
    MOST_FAULTS,
    Chain,
    Sizes,
    UnsureError,
    Windows,
    find_frames,
)
from reportgen.read.logs.events._rows import (
    LONGEST,
    SHORTEST,
    Rows,
    Spot,
    bits_of,
    find_other,
    find_spot,
)
from reportgen.read.logs.wire import DAMAGED, Fault

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
