"""Whether two documents say and show the same, told sooner than either is written out."""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import fields

from reportgen.records.document import Band, Chart, Figure, Line, Panel, Report, Section

_OPENED = (Report, Section, Figure, Chart, Panel, Line, Band)
"""Records that hold long rows of numbers, or others that do."""


def state_of(record: object) -> str:
    """Return a text that is the same for two records that are written alike.

    Rows of numbers are told by a digest of their bytes, in which a NaN equals a NaN; everything
    else by its representation.

    Example:
        >>> from dataclasses import replace
        >>> line = Line(label="a", group="a", group_index=0, member=0, x=(1.0,), y=(0.5,))
        >>> state_of(line) == state_of(replace(line, y=(0.5,)))
        True
        >>> state_of(line) == state_of(replace(line, y=(0.25,)))
        False
    """
    if isinstance(record, tuple) and record:
        if set(map(type, record)) == {float}:
            return hashlib.sha256(array("d", record)).hexdigest()
        return f"({','.join(map(state_of, record))})"
    if isinstance(record, _OPENED):
        parts = tuple(getattr(record, field.name) for field in fields(record))
        return type(record).__name__ + state_of(parts)
    return repr(record)
