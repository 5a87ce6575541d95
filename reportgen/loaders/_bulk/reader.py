"""Read an event file in bulk, window after window."""

from __future__ import annotations

from reportgen.loaders._bulk._windows import Fill, Windows
from reportgen.loaders._bulk.batch import Batch
from reportgen.loaders._bulk.frames import Framer
from reportgen.loaders._bulk.known import Known
from reportgen.loaders._bulk.points import Points
from reportgen.loaders._content import Content

MOST = 1 << 14
"""Records of a batch: its columns fit into the cache of a core."""


def read_in_bulk(fill: Fill) -> tuple[Content, Points]:
    """Read the bytes of an event file.

    Args:
        fill: Reads what comes next into a buffer, and returns how many bytes.

    Returns:
        What the file holds, and its points.

    Raises:
        UnsureError: The file needs the plain reader.
    """
    window, framer, known = Windows(fill), Framer(), Known()
    content, points = Content(), Points()
    used = need = 0
    while window.advance(used, need):
        frames = framer.frame(window)
        for begin in range(0, len(frames.places), MOST):
            places = frames.places[begin : begin + MOST]
            Batch(window, places, known, content, points).read()
        points.sort()
        used, need = frames.used, frames.need
    content.faults += framer.faults
    content.faults.sort(key=lambda fault: fault.offset)
    return content, points
