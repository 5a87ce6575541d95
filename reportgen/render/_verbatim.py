"""Verbatim text for formats whose lines may be as long as they like."""

from __future__ import annotations

import re

_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")


def verbatim_lines(text: str) -> list[str]:
    r"""Return the lines of a listing without control characters; tabs become spaces.

    Example:
        >>> verbatim_lines("a:\n\tb\x00\r\n")
        ['a:', '    b']
    """
    return [_HIDDEN.sub("", line.expandtabs(4)) for line in text.splitlines()]
