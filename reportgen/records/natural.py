"""The order in which people list names with numbers in them."""

from __future__ import annotations

import re

_NUMBERS = re.compile(r"(\d+(?:\.\d+)?e[-+_]?\d{1,3}(?![\w.])|(?<![\d.])\d+\.\d+(?![\d.])|\d+)")
"""Numbers in a name: `5e-5`, `3e_4` (where a name has no minus), `0.25`, `1000`."""

NaturalKey = tuple[tuple[int, float, str], ...]


def natural_key(text: str) -> NaturalKey:
    """Return a sort key that orders numbers inside a text by value.

    Example:
        >>> sorted(["step_500", "step_5000", "step_1000"], key=natural_key)
        ['step_500', 'step_1000', 'step_5000']
        >>> sorted(["lr_1e-4", "lr_5e-5", "lr_0.001", "lr_2e_4"], key=natural_key)
        ['lr_5e-5', 'lr_1e-4', 'lr_2e_4', 'lr_0.001']
    """
    return tuple(
        # As a float, hundreds of digits are infinite; `int` would refuse to read them.
        (0, float(part.replace("e_", "e-")), part) if index % 2 else (1, 0, part)
        for index, part in enumerate(_NUMBERS.split(text))
        if part
    )
