"""Units of memory, and by how much what is printed in them differs from bytes."""

from __future__ import annotations

import re

_UNIT = re.compile(r"([KMGT]i?)(?:B|o|bytes|octets)", re.IGNORECASE)
_STEPS = {"k": 1, "m": 2, "g": 3, "t": 4}


def unit_in(text: str) -> str:
    r"""Return a unit of memory without the commands around it.

    Example:
        >>> unit_in(r"~\mathrm{GiB"), unit_in("MB"), unit_in("hours")
        ('GiB', 'MB', '')
    """
    match = _UNIT.search(text)
    return match[0] if match else ""


def scales_of(unit: str) -> tuple[int, ...]:
    """Return how many bytes a unit may stand for, the likeliest first; nothing for others.

    Many people write GB for 2 ** 30 bytes.

    Example:
        >>> scales_of("GiB"), scales_of("GB"), scales_of("h")
        ((1073741824,), (1000000000, 1073741824), ())
    """
    match = _UNIT.search(unit)
    if match is None:
        return ()
    step = _STEPS[match[1][0].lower()]
    binary = 1024**step
    return (binary,) if match[1].lower().endswith("i") else (1000**step, binary)
