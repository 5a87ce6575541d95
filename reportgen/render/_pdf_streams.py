"""Streams of a finished PDF: ends that a strict reader could take for something else."""

from __future__ import annotations

import re
from bisect import bisect_left

_ENTRY = re.compile(rb"(\d{10}) (\d{5}) ([nf])(\s\s)")
_LENGTH = re.compile(rb"/Length (\d+)(?!\d| \d+ R)")


def part_ends(pdf: bytes) -> bytes:
    r"""Return a PDF in which no stream's last byte can be taken for the end of its line.

    PDF/A asks that the stated length is what lies between `stream` and the end of the line before
    `endstream`. A stream that happens to end in a carriage return before a line feed seems one
    byte shorter than it is; a second carriage return leaves no doubt.

    Args:
        pdf: A file with one plain table of cross-references, as the embedded engine writes it; any
            other is returned as it is.

    Example:
        >>> part_ends(b"no table")
        b'no table'
    """
    start = pdf.rfind(b"\nstartxref\n")
    stated = re.compile(rb"\nstartxref\n(\d+)").match(pdf, start) if start > 0 else None
    table = int(stated[1]) if stated else -1
    if stated is None or pdf[table : table + 5] != b"xref\n":
        return pdf
    entries = list(_ENTRY.finditer(pdf, table, start))
    places = sorted(int(entry[1]) for entry in entries if entry[3] == b"n")
    doubtful = [
        end
        for place, following in zip(places, [*places[1:], table], strict=True)
        if (end := _doubtful_end(pdf, place, following))
    ]
    if not doubtful:
        return pdf
    out = bytearray()
    before = 0
    for end in doubtful:
        out += pdf[before:end] + b"\r"
        before = end
    out += pdf[before:table]
    return bytes(out) + _moved(pdf[table:start], doubtful) + _tail(pdf, start, table, doubtful)


def _doubtful_end(pdf: bytes, place: int, following: int) -> int:
    """Return where the stream of an object ends, if it ends in doubt; else 0."""
    opened = pdf.find(b"stream\n", place, following)
    stated = _LENGTH.search(pdf, place, opened) if opened > 0 else None
    if stated is None:
        return 0
    end = opened + 7 + int(stated[1])
    return end if pdf[end - 1 : end + 10] == b"\r\nendstream" else 0


def _moved(table: bytes, ends: list[int]) -> bytes:
    """Return the table of cross-references with every place behind what was put in."""

    def move(entry: re.Match[bytes]) -> bytes:
        place = int(entry[1])
        shifted = place + (bisect_left(ends, place) if entry[3] == b"n" else 0)
        return b"%010d %s %s%s" % (shifted, entry[2], entry[3], entry[4])

    return _ENTRY.sub(move, table)


def _tail(pdf: bytes, start: int, table: int, ends: list[int]) -> bytes:
    return pdf[start:].replace(b"%d" % table, b"%d" % (table + len(ends)), 1)
