"""Read an event file in bulk, window after window."""

from __future__ import annotations

import threading

from reportgen.read.logs._bulk._windows import Fill, Windows
from reportgen.read.logs._bulk.batch import Batch
from reportgen.read.logs._bulk.frames import Framer
from reportgen.read.logs._bulk.known import Known
from reportgen.read.logs._bulk.points import Points
from reportgen.read.logs._bulk.rhythm import Chain
from reportgen.read.logs._content import Content

MOST = 1 << 14
"""Records of a batch: its columns fit into the cache of a core."""


_OWN = threading.local()
"""Files of one program have records of the same kinds: what a thread has learnt, it keeps."""


def read_in_bulk(
    fill: Fill, begin: int = 0, content: Content | None = None
) -> tuple[Content, Points]:
    """Read the bytes of an event file.

    Args:
        fill: Reads what comes next into a buffer, and returns how many bytes.
        begin: Offset of the first byte.
        content: What the file holds before; what comes is added to it.

    Returns:
        What the file holds, and its points.

    Raises:
        UnsureError: The file needs the plain reader.
    """
    window, framer, known = Windows(fill, begin), Framer(), _learnt_so_far()
    content, points = content or Content(), Points(known.tags)
    used = need = 0
    while window.advance(used, need):
        frames = framer.frame(window)
        for first in range(0, len(frames.places), MOST):
            some = slice(first, first + MOST)
            records = Chain(frames.places[some], frames.lengths[some])
            Batch(window, records, known, content, points).read()
        points.sort()
        used, need = frames.used, frames.need
    content.faults += framer.faults
    content.faults.sort(key=lambda fault: fault.offset)
    return content, points


def _learnt_so_far() -> Known:
    known: Known | None = getattr(_OWN, "known", None)
    if known is None or known.is_full:
        known = _OWN.known = Known()
    return known
