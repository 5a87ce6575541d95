"""How a figure looks: sizes in points, colours, dashes, markers, and what text may be drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reportgen.records.record import record

MM = 72 / 25.4
SINGLE_WIDTH = 132 * MM  # one panel
PAIR_WIDTH = 160 * MM  # two panels side by side
TEXT_SIZE = 8.0
LINE_HEIGHT = 10.5
LABEL_CHARACTERS = 28

INK = "#222222"
FRAME = "#555555"
GRID = "#dddddd"
FAINT = "#8a8a8a"

# Okabe and Ito's colours. The order puts neighbours far apart in luminance (87, 163, 0, 106
# of 255), so that the first groups differ in grey print even before the dashes are seen.
COLOURS = ("#0072b2", "#e69f00", "#000000", "#009e73", "#cc79a7", "#d55e00", "#56b4e9")
DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (4.5, 2.0),
    (1.2, 1.6),
    (6.0, 1.8, 1.2, 1.8),
    (9.0, 2.2),
    (3.0, 1.2, 1.0, 1.2, 1.0, 1.2),
    (2.4, 3.0),
)
MARKERS = ("circle", "square", "triangle", "cross", "diamond", "plus", "down")
_LIGHTENING = (0.0, 0.16, 0.32)
_DARKENING = (0.0, 0.18, 0.36)
_CONTRAST = 4.55


@record
class Stroke:
    """Look of one line: the group decides colour and dash, the member shade and marker."""

    colour: str
    dashes: tuple[float, ...]
    marker: str


def stroke(group_index: int, member: int = 0) -> Stroke:
    """Return the look of a member of a group."""
    base = COLOURS[group_index % len(COLOURS)]
    turn = group_index // len(COLOURS)
    return Stroke(
        colour=_shade(base, member),
        dashes=DASHES[(group_index + turn) % len(DASHES)],
        marker=MARKERS[member % len(MARKERS)],
    )


def readable(colour: str) -> str:
    """Return a colour as dark as words on white paper need it: a contrast of 4.5.

    Example:
        >>> readable("#0072b2"), readable("#e69f00")
        ('#0072b2', '#9a6b00')
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    while 1.05 / (_luminance(parts) + 0.05) < _CONTRAST:
        parts = [round(part * 0.98) for part in parts]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _luminance(parts: Sequence[int]) -> float:
    """Return the relative luminance of red, green and blue, as WCAG 2.2 defines it."""
    shares = [part / 255 for part in parts]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _shade(colour: str, member: int) -> str:
    """Move a colour towards white (dark colours) or black (light ones), a step a member."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    light = 0.299 * red + 0.587 * green + 0.114 * blue > 130
    steps, target = (_DARKENING, 0) if light else (_LIGHTENING, 255)
    share = steps[member % len(steps)]
    mixed = (round(part + (target - part) * share) for part in (red, green, blue))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def shorten(text: str, limit: int = LABEL_CHARACTERS) -> str:
    """Cut the middle out of a text that is longer than `limit` characters.

    Both ends stay, because names of runs often differ only at one of them.

    Example:
        >>> shorten("RoBERTa_small_fr_random_ms8_mu3125_lr1e-05", 20)
        'RoBERTa_sm…5_lr1e-05'
    """
    if len(text) <= limit:
        return text
    head, tail = limit // 2, limit - 1 - limit // 2
    return text[:head] + "…" + (text[-tail:] if tail else "")


def thin(values: Sequence[float], most: int) -> list[int]:
    """Return the places of the points that a picture can show, in order, at most `most`.

    A longer curve keeps its two ends, and of each stretch the first gap, the lowest and the
    highest point.

    Missing: A value that is not finite is a gap.

    Example:
        >>> thin([0.5, 0.7, 0.6], 500)
        [0, 1, 2]
        >>> kept = thin([0.0] * 700 + [9.0] + [0.0] * 700, 500)
        >>> len(kept) <= 500, 700 in kept, kept[0], kept[-1]
        (True, True, 0, 1400)
    """
    count = len(values)
    if count <= most:
        return list(range(count))
    stretches = (most - 2) // 3
    kept = {0, count - 1}
    for i in range(stretches):
        places = range(i * count // stretches, (i + 1) * count // stretches)
        known = [place for place in places if math.isfinite(values[place])]
        if len(known) < len(places):
            kept.add(next(place for place in places if not math.isfinite(values[place])))
        if known:
            kept |= {min(known, key=values.__getitem__), max(known, key=values.__getitem__)}
    return sorted(kept)
