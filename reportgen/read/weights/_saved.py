"""What `torch.save` writes: a zip archive since PyTorch 1.6, a stream of pickles before.

Source: `torch/serialization.py` (`_save`, `_legacy_save`, `_legacy_load`), PyTorch 0.4 to 2.13.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, NoReturn

from reportgen.read.weights._files import BYTES, refusal
from reportgen.read.weights._model import storage_of, table_of
from reportgen.read.weights._pickle import (
    LARGEST_PICKLE,
    Pickle,
    open_section,
    open_stretch,
    read_pickle,
)

ZIP = b"PK\x03\x04"
PICKLES = "data.pkl"
LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
LEGACY_PROTOCOL = 1001


@dataclass(frozen=True, slots=True)
class Storages:
    """Where the numbers of a file lie.

    Attributes:
        spans: Key of a storage to the offsets of its first byte and of the one behind its last.
        little: Whether the lowest byte of a number comes first.
        sums: Key of a storage to the checksum that the file states for it, where it does.
    """

    spans: Mapping[str, tuple[int, int]]
    little: bool = True
    sums: Mapping[str, int] = field(default_factory=dict)


def open_saved(file: BinaryIO, size: int, name: str) -> tuple[Pickle, Storages]:
    """Read the pickle of a file, and where each storage begins and ends in it."""
    head = file.read(len(ZIP))
    file.seek(0)
    return (_open_zip if head == ZIP else _open_stream)(file, size, name)


def _open_zip(file: BinaryIO, size: int, name: str) -> tuple[Pickle, Storages]:
    """Read the pickle of an archive, and the place of each storage in it."""
    archive = Archive(file, size, name)
    entries = archive.entries()
    pickles = [entry for entry in entries.values() if entry.name.rpartition("/")[2] == PICKLES]
    if len(pickles) != 1 or pickles[0].name.count("/") > 1:
        raise refusal(name, f"holds {len(pickles)} files called {PICKLES}; PyTorch writes one")
    entry = pickles[0]
    if entry.packed or entry.size > LARGEST_PICKLE:
        raise refusal(name, f"holds a {PICKLES} that is packed or too large")
    archive.check_crc(entry)
    top = entry.name.removesuffix(PICKLES)
    order = entries.get(f"{top}byteorder")
    little = order is None or open_section(file, order.begin, order.size).read(8) != b"big"
    folder = f"{top}data/"
    spans: dict[str, tuple[int, int]] = {}
    sums: dict[str, int] = {}
    # Taken off one by one: a large archive's entries need not lie in memory beside its pickle.
    while entries:
        label, one = entries.popitem()
        if label.startswith(folder) and not one.packed:
            key = label.removeprefix(folder)
            spans[key] = one.begin, one.begin + one.size
            if one.crc:
                sums[key] = one.crc
    held = read_pickle(open_stretch(file, entry.begin, entry.size), entry.size, name)
    return held, Storages(spans, little, sums)


def _open_stream(file: BinaryIO, size: int, name: str) -> tuple[Pickle, Storages]:
    """Read the pickles of the old stream, and the length before each storage behind them."""
    stream = open_section(file, 0, size)
    first = read_pickle(stream, size, name)
    if first.value != LEGACY_MAGIC:
        return first, Storages({})
    protocol, system, held, keys = (read_pickle(stream, size, name) for _ in range(4))
    if protocol.value != LEGACY_PROTOCOL:
        raise refusal(name, "is of a version of PyTorch's old format that is not known")
    little = table_of(system.value).get("little_endian") is not False
    widths = {s.key: BYTES[s.dtype] for s in map(storage_of, held.pointers) if s is not None}
    spans: dict[str, tuple[int, int]] = {}
    at = stream.tell()
    for key in keys.value if type(keys.value) is list else ():
        width = widths.get(key, 0) if isinstance(key, str) else 0
        file.seek(at)
        length = int.from_bytes(file.read(8), "little" if little else "big")
        at += 8 + length * width
        if at > size or not width:
            break
        spans[key] = (at - length * width, at)
    return held, Storages(spans, little)


# The directory of a zip archive as PyTorch writes it, and nothing that could be read two ways.
#
# Two readers that disagree about an archive are how a file passes one and harms the other. So
# there is one archive, from the first byte to the last; no name stands twice; no entry overlaps
# another; and what the directory says of an entry its own header says too.
#
# Source: .ZIP File Format Specification (APPNOTE) 6.3.10, sections 4.3.7, 4.3.12 to 4.3.16, 4.5.3.

LARGEST_DIRECTORY = 32 * 2**20
MOST_ENTRIES = 250_000
PIECE = 2**20
IN_ZIP64 = 0xFFFFFFFF
ENCRYPTED = 0x2041
SIZES_FOLLOW = 0x8
LOCAL = struct.Struct("<4s5H3I2H")
CENTRAL = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")
END64 = struct.Struct("<4sQ2H2I4Q")
LOCATOR = struct.Struct("<4sIQI")
FIELD = struct.Struct("<2H")
OF_LOCAL, OF_CENTRAL, OF_END, OF_END64, OF_LOCATOR = (
    b"PK" + sign for sign in (b"\x03\x04", b"\x01\x02", b"\x05\x06", b"\x06\x06", b"\x06\x07")
)


@dataclass(slots=True)
class Entry:
    """One stored file of an archive.

    Attributes:
        name: As the directory writes it.
        header: Offset of its local header.
        begin: Offset of its first byte.
        size: Bytes it takes in the archive.
        crc: CRC-32 of its content, or 0 where none was computed.
        packed: Whether it is compressed or encrypted; PyTorch packs the code of TorchScript,
            never tensors.
    """

    name: str
    header: int
    begin: int
    size: int
    crc: int
    packed: bool


class Archive:
    """A zip archive of so many bytes, read without unpacking it."""

    def __init__(self, file: BinaryIO, size: int, name: str) -> None:
        self.file = file
        self.size = size
        self.name = name

    def check_crc(self, entry: Entry) -> None:
        """Check the bytes of one entry, of which PyTorch may be told to compute no sum."""
        self.file.seek(entry.begin)
        left, crc = entry.size, 0
        while left and (piece := self.file.read(min(left, PIECE))):
            left -= len(piece)
            crc = zlib.crc32(piece, crc)
        if entry.crc and crc != entry.crc:
            self._fail(f"is damaged: the checksum of {entry.name[:120]} does not agree")

    def entries(self) -> dict[str, Entry]:
        """Return the entries by name."""
        count, begin, length = self._locate()
        if length > LARGEST_DIRECTORY or count > MOST_ENTRIES:
            self._fail(f"claims a directory of {count} entries in {length} bytes")
        directory = self._read(begin, length)
        found: dict[str, Entry] = {}
        at = 0
        for _ in range(count):
            entry, at = self._entry(directory, at)
            if entry.name in found:
                self._fail(f"holds two entries called {entry.name[:120]}")
            found[entry.name] = entry
        if at != length:
            self._fail("has a directory longer than its entries")
        self._check_places(sorted(found.values(), key=lambda entry: entry.header), begin)
        return found

    def _fail(self, what: str) -> NoReturn:
        raise refusal(self.name, what)

    def _read(self, at: int, length: int) -> bytes:
        if not 0 <= at <= at + length <= self.size:
            self._fail("is cut short: its directory points outside the file")
        self.file.seek(at)
        return self.file.read(length)

    def _locate(self) -> tuple[int, int, int]:
        """Return number of entries, offset and length of the directory."""
        at = self.size - END.size
        if at < 0:
            self._fail("is cut short: it has no directory")
        sign, *disks, here, count, length, begin, comment = END.unpack(self._read(at, END.size))
        if sign != OF_END or comment:
            self._fail("is cut short, or followed by something else: its directory has no end")
        if any(disks) or here != count:
            self._fail("is one part of several")
        end = at
        if at >= LOCATOR.size and self._read(at - LOCATOR.size, 4) == OF_LOCATOR:
            _, _, end, _ = LOCATOR.unpack(self._read(at - LOCATOR.size, LOCATOR.size))
            record = END64.unpack(self._read(end, END64.size))
            if record[0] != OF_END64 or end + 12 + record[1] != at - LOCATOR.size:
                self._fail("has a damaged 64-bit directory")
            wide = record[7:]
            short = (count, length, begin)
            if any(b not in {a, 0xFFFF, IN_ZIP64} for a, b in zip(wide, short, strict=True)):
                self._fail("has two directories that disagree")
            count, length, begin = wide
        if begin + length != end:
            self._fail("has bytes between its directory and its end, or a second archive")
        return count, begin, length

    def _entry(self, directory: bytes, at: int) -> tuple[Entry, int]:
        fixed = directory[at : at + CENTRAL.size]
        if len(fixed) < CENTRAL.size or fixed[:4] != OF_CENTRAL:
            self._fail("has a damaged directory")
        _, _, _, flags, method, _, _, *stated = CENTRAL.unpack(fixed)
        crc, packed, size, named, extra, comment, _, _, _, header = stated
        at += CENTRAL.size
        raw = directory[at : at + named]
        if IN_ZIP64 in {size, packed, header}:
            wide = directory[at + named : at + named + extra]
            size, packed, header = self._widen([size, packed, header], wide)
        label = raw.decode("utf-8", "replace")
        squeezed = bool(method or packed != size or flags & ENCRYPTED)
        begin = self._check_local(header, raw, (flags, method), (crc, packed, size))
        entry = Entry(label, header, begin, packed, crc, squeezed)
        return entry, at + named + extra + comment

    def _widen(self, short: list[int], extra: bytes) -> list[int]:
        """Take from the zip64 field what does not fit in 32 bits, in the order it stands."""
        at, wide = 0, b""
        while at + FIELD.size <= len(extra):
            tag, length = FIELD.unpack_from(extra, at)
            at += FIELD.size
            wide = extra[at : at + length] if tag == 1 else wide
            at += length
        for place, value in enumerate(short):
            if value == IN_ZIP64:
                if len(wide) < 8:
                    self._fail("has a damaged 64-bit entry")
                short[place], wide = int.from_bytes(wide[:8], "little"), wide[8:]
        return short

    def _check_local(
        self, header: int, raw: bytes, kind: tuple[int, int], sums: tuple[int, int, int]
    ) -> int:
        """Compare an entry's own header with the directory; return where its content begins."""
        local = self._read(header, LOCAL.size + len(raw))
        sign, _, *own_kind, _, _, crc, packed, size, named, extra = LOCAL.unpack_from(local)
        same = tuple(own_kind) == kind and named == len(raw)
        if sign != OF_LOCAL or not same or local[LOCAL.size :] != raw:
            self._fail(f"describes {raw.decode('utf-8', 'replace')[:120]} in two ways")
        own = (crc, packed, size)
        later = kind[0] & SIZES_FOLLOW and own == (0, 0, 0)
        if own != sums and not later and own != (sums[0], IN_ZIP64, IN_ZIP64):
            label = raw.decode("utf-8", "replace")[:120]
            self._fail(f"gives {label} two sizes or two checksums")
        return header + LOCAL.size + len(raw) + int(extra)

    def _check_places(self, entries: list[Entry], end: int) -> None:
        if not entries or entries[0].header:
            self._fail("has bytes before its first entry, or a second archive")
        following = [*(entry.header for entry in entries[1:]), end]
        for entry, stop in zip(entries, following, strict=True):
            if entry.begin + entry.size > stop:
                self._fail(f"lets {entry.name[:120]} reach into what follows it")
