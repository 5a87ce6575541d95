"""The records of one window: those of known kinds together, the others one by one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportgen.read.logs._bulk._windows import Windows
from reportgen.read.logs._bulk.forms import as_stored, bits_of, is_wide
from reportgen.read.logs._bulk.known import NOBODY, Known
from reportgen.read.logs._bulk.points import Part, Points, join
from reportgen.read.logs._bulk.rhythm import Chain
from reportgen.read.logs._bulk.rows import LONGEST, SHORTEST, Rows
from reportgen.read.logs._bulk.spots import Spot, find_other, find_spot
from reportgen.read.logs._bulk.unsure import UnsureError
from reportgen.read.logs._content import Content, Point
from reportgen.read.logs._event import SCALARS, Event
from reportgen.read.logs._faults import DAMAGED, Fault
from reportgen.read.logs._framing import FOOTER, HEADER, is_sound

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

Bits = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class Single(NamedTuple):
    """A point of a record that was decoded by itself; wall time and value are bits."""

    rank: int
    column: int
    step: int
    wall: int
    bits: int


class Batch:
    """Reads the records of a window.

    Args:
        window: What they lie in.
        records: Where they begin, in order, and their lengths; at least one.
        known: What has been learnt so far, and learns more.
        content: Takes what is no point.
        points: Takes the points.
    """

    def __init__(
        self, window: Windows, records: Chain, known: Known, content: Content, points: Points
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
                self._columns, self._bits = columns, as_stored(bits, spot.packed)
                if not self._usable.all():
                    self._columns[~self._usable] = NOBODY
                left = np.flatnonzero(columns == NOBODY)
            else:
                hit = (columns != NOBODY) & self._usable[left]
                self._columns[left[hit]] = columns[hit]
                self._bits[left[hit]] = as_stored(bits[hit], spot.packed)
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
            self._singles.append(Single(rank, column, event.step, wall, bits))

    def _learn(self, point: Point, payload: bytes, left: _Left) -> bool:
        """Take every record that differs from the first left in step, time and value alone."""
        rank = int(left.ranks[0])
        spot = find_spot(payload) if self._usable[rank] and not self._known.is_full else None
        number = self._known.number_of(spot) if spot else None
        # A tag that is not UTF-8 cannot be compared later.
        if spot is None or number is None or point.tag.encode() not in payload:
            return False
        keys, bits = left.under(spot, number)
        stored = int(as_stored(bits[:1], spot.packed)[0])
        if not _agree(stored, point):
            return False
        key = int(keys[0])
        alike = keys == keys[0]
        alike &= self._usable[left.ranks]
        column = self._known.column(point.tag, is_wide=is_wide(spot.packed))
        self._known.learn(key, column)
        self._columns[left.ranks[alike]] = column
        self._bits[left.ranks[alike]] = as_stored(bits[alike], spot.packed)
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
