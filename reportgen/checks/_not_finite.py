"""Runs whose curves hold NaN or infinite values, of which a sentence may say what it likes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._known import Known
from reportgen.checks._logged import Curve
from reportgen.checks._margins import Reading
from reportgen.checks._series import Room


def failed(reading: Reading) -> Reading:
    """Return a reading that does not hold, whatever was rounded."""
    return replace(reading, margin=Decimal(-1), slack=Decimal(0), tolerance=Decimal(0))


def ends_in_nan(room: Room, known: Known, slot: tuple[str, str]) -> bool:
    """Say whether the last value that the run of a value logged is no finite one."""
    return any(not curve.ends_finite for curve in _curves(room, known, slot))


def has_nan(room: Room, known: Known, slot: tuple[str, str]) -> bool:
    """Say whether the run of a value logged any that is not finite."""
    return any(curve.dropped for curve in _curves(room, known, slot))


def _curves(room: Room, known: Known, slot: tuple[str, str]) -> Iterator[Curve]:
    """Yield the curve of the run of a value; none where the report itself is the evidence."""
    if room.book is not None:
        runs = (run for run in room.book.runs(known.group) if run.id == known.run)
        yield from filter(None, (room.book.curve(run, *slot) for run in runs))
