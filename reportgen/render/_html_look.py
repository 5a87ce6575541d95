"""Colours, dashes and marks of the curves on the page: those of the drawings beside them."""

from __future__ import annotations

from reportgen.render._strict_json import Json

# The palette of the drawings; a test holds the two together, for neither floor sees the other.
_COLOURS = ("#0072b2", "#e69f00", "#000000", "#009e73", "#cc79a7", "#d55e00", "#56b4e9")
_DASHES = (
    "",
    "4.5 2",
    "1.2 1.6",
    "6 1.8 1.2 1.8",
    "9 2.2",
    "3 1.2 1 1.2 1 1.2",
    "2.4 3",
)
_MARKS = ("circle", "square", "triangle", "cross", "diamond", "plus", "down")
_SHADES = 3
_LIGHTER, _DARKER = 0.16, 0.18
_BRIGHT = 130  # of 255; brighter colours go darker from run to run, the others lighter


def look_of(group_index: int, member: int = 0) -> dict[str, Json]:
    """Return colour, dashes and mark of a member of a group.

    Example:
        >>> look_of(1)
        {'colour': '#e69f00', 'dashes': '4.5 2', 'mark': 'circle'}
    """
    turn = group_index // len(_COLOURS)
    return {
        "colour": _shade(_COLOURS[group_index % len(_COLOURS)], member % _SHADES),
        "dashes": _DASHES[(group_index + turn) % len(_DASHES)],
        "mark": _MARKS[member % len(_MARKS)],
    }


def _shade(colour: str, degree: int) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > _BRIGHT
    share, target = (degree * _DARKER, 0) if bright else (degree * _LIGHTER, 255)
    mixed = (round(part + (target - part) * share) for part in (red, green, blue))
    return "#" + "".join(f"{part:02x}" for part in mixed)
