"""Names and paths in narrow columns: where their lines end."""

from __future__ import annotations

import re

from reportgen.render._escape import breakable, clean

INDENT = 2
_PIECES = re.compile(r"(?<=/)(?=[^/\s])|(?<=\s)(?=\S)")


def path_lines(text: str, room: int) -> tuple[str, ...]:
    """Break a name that is wider than its column, between the folders of a path where that can be.

    Args:
        text: The name.
        room: Characters of a line; a line that goes on is set `INDENT` characters in.

    Example:
        >>> path_lines("books/RoBERTa_small_lr1e-05/0/valid/events.out.1", 24)
        ('books/', 'RoBERTa_small_lr1e-05/', '0/valid/events.out.1')
    """
    text = clean(text)
    if len(text) <= room:
        return (text,)
    lines = [""]
    for piece in _pieces(text, room - INDENT):
        left = room - (INDENT if len(lines) > 1 else 0) - len(lines[-1])
        if lines[-1] and len(piece.rstrip()) > left:
            lines.append(piece)
        else:
            lines[-1] += piece
    return tuple(line.rstrip() for line in lines)


def _pieces(text: str, room: int) -> list[str]:
    """Split a path after its folders, and a folder's name only where it fits no line."""
    pieces: list[str] = []
    for piece in _PIECES.split(text):
        if len(piece.rstrip()) <= room:
            pieces.append(piece)
            continue
        for part in breakable(piece):
            step = max(room, 1)
            pieces += [part[i : i + step] for i in range(0, len(part), step)]
    return pieces
