"""The directory of a zip archive as PyTorch writes it, and nothing that could be read two ways.

Two readers that disagree about an archive are how a file passes one and harms the other. So
there is one archive, from the first byte to the last; no name stands twice; no entry overlaps
another; and what the directory says of an entry its own header says too.

Source: .ZIP File Format Specification (APPNOTE) 6.3.10, sections 4.3.7, 4.3.12 to 4.3.16, 4.5.3.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO, NoReturn

from reportgen.checkpoints._header._fault import refusal

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
SIGNS = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07")


@dataclass(slots=True)
class ZipEntry:
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


def read_directory(file: BinaryIO, size: int, name: str) -> dict[str, ZipEntry]:
    """Return the entries of an archive by name.

    Args:
        file: Open for reading.
        size: Bytes of the file.
        name: What messages call it.

    Raises:
        EvidenceError: The archive is cut, or could be read in two ways.
    """
    return _Archive(file, size, name).entries()


def check_crc(file: BinaryIO, entry: ZipEntry, name: str) -> None:
    """Check the bytes of one entry; PyTorch may be told to compute no sum, and then writes 0.

    Raises:
        EvidenceError: The sum does not agree.
    """
    file.seek(entry.begin)
    left, crc = entry.size, 0
    while left and (piece := file.read(min(left, PIECE))):
        left -= len(piece)
        crc = zlib.crc32(piece, crc)
    if entry.crc and crc != entry.crc:
        raise refusal(name, f"is damaged: the checksum of {entry.name[:120]} does not agree")


class _Archive:
    def __init__(self, file: BinaryIO, size: int, name: str) -> None:
        self.file = file
        self.size = size
        self.name = name

    def fail(self, what: str) -> NoReturn:
        raise refusal(self.name, what)

    def read(self, at: int, length: int) -> bytes:
        if not 0 <= at <= at + length <= self.size:
            self.fail("is cut short: its directory points outside the file")
        self.file.seek(at)
        return self.file.read(length)

    def entries(self) -> dict[str, ZipEntry]:
        count, begin, length = self._locate()
        if length > LARGEST_DIRECTORY or count > MOST_ENTRIES:
            self.fail(f"claims a directory of {count} entries in {length} bytes")
        directory = self.read(begin, length)
        found: dict[str, ZipEntry] = {}
        at = 0
        for _ in range(count):
            entry, at = self._entry(directory, at)
            if entry.name in found:
                self.fail(f"holds two entries called {entry.name[:120]}")
            found[entry.name] = entry
        if at != length:
            self.fail("has a directory longer than its entries")
        self._check_places(sorted(found.values(), key=lambda entry: entry.header), begin)
        return found

    def _locate(self) -> tuple[int, int, int]:
        """Return number of entries, offset and length of the directory."""
        at = self.size - END.size
        if at < 0:
            self.fail("is cut short: it has no directory")
        sign, disk, first, here, count, length, begin, comment = END.unpack(self.read(at, END.size))
        if sign != SIGNS[2] or comment:
            self.fail("is cut short, or followed by something else: its directory has no end")
        if disk or first or here != count:
            self.fail("is one part of several")
        end = at
        if at >= LOCATOR.size and self.read(at - LOCATOR.size, 4) == SIGNS[4]:
            _, _, end, _ = LOCATOR.unpack(self.read(at - LOCATOR.size, LOCATOR.size))
            record = END64.unpack(self.read(end, END64.size))
            if record[0] != SIGNS[3] or end + 12 + record[1] != at - LOCATOR.size:
                self.fail("has a damaged 64-bit directory")
            wide = record[7:]
            short = (count, length, begin)
            if any(b not in {a, 0xFFFF, IN_ZIP64} for a, b in zip(wide, short, strict=True)):
                self.fail("has two directories that disagree")
            count, length, begin = wide
        if begin + length != end:
            self.fail("has bytes between its directory and its end, or a second archive")
        return count, begin, length

    def _entry(self, directory: bytes, at: int) -> tuple[ZipEntry, int]:
        fixed = directory[at : at + CENTRAL.size]
        if len(fixed) < CENTRAL.size or fixed[:4] != SIGNS[1]:
            self.fail("has a damaged directory")
        parts = CENTRAL.unpack(fixed)
        flags, method, crc, packed, size = parts[3], parts[4], *parts[7:10]
        named, extra, comment, header = *parts[10:13], parts[16]
        at += CENTRAL.size
        raw = directory[at : at + named]
        wide = (size, packed, header)
        size, packed, header = self._widen(wide, directory[at + named : at + named + extra])
        label = raw.decode("utf-8", "replace")
        squeezed = bool(method or packed != size or flags & ENCRYPTED)
        begin = self._check_local(header, raw, (flags, method, crc, packed, size))
        entry = ZipEntry(label, header, begin, packed, crc, squeezed)
        return entry, at + named + extra + comment

    def _widen(self, short: tuple[int, int, int], extra: bytes) -> tuple[int, int, int]:
        """Take from the zip64 field what does not fit in 32 bits, in the order it stands."""
        at, wide = 0, b""
        while at + FIELD.size <= len(extra):
            tag, length = FIELD.unpack_from(extra, at)
            if tag == 1:
                wide = extra[at + FIELD.size : at + FIELD.size + length]
            at += FIELD.size + length
        found: list[int] = []
        for value in short:
            if value == IN_ZIP64:
                if len(wide) < 8:
                    self.fail("has a damaged 64-bit entry")
                found.append(int.from_bytes(wide[:8], "little"))
                wide = wide[8:]
            else:
                found.append(value)
        return found[0], found[1], found[2]

    def _check_local(self, header: int, raw: bytes, central: tuple[int, int, int, int, int]) -> int:
        """Compare an entry's own header with the directory; return where its content begins."""
        flags, method, *sums = central
        local = self.read(header, LOCAL.size + len(raw))
        parts = LOCAL.unpack_from(local)
        label = raw.decode("utf-8", "replace")[:120]
        same = parts[2:4] == (flags, method) and parts[9] == len(raw)
        if parts[0] != SIGNS[0] or not same or local[LOCAL.size :] != raw:
            self.fail(f"describes {label} in two ways")
        stated = list(parts[6:9])
        later = flags & SIZES_FOLLOW and stated == [0, 0, 0]
        wide = stated[0] == sums[0] and stated[1:] == [IN_ZIP64, IN_ZIP64]
        if not later and not wide and stated != sums:
            self.fail(f"gives {label} two sizes or two checksums")
        return header + LOCAL.size + len(raw) + int(parts[10])

    def _check_places(self, entries: list[ZipEntry], end: int) -> None:
        if not entries or entries[0].header:
            self.fail("has bytes before its first entry, or a second archive")
        ends = [entry.begin + entry.size for entry in entries]
        for entry, stop, (_, following) in zip(
            entries, ends, pairwise([*(e.header for e in entries), end]), strict=True
        ):
            if stop > following:
                self.fail(f"lets {entry.name[:120]} reach into what follows it")
