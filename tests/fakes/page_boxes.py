"""Where the words of a PDF stand on its pages, read back by another program."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
_WORD = re.compile(
    r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>'
)
POINTS = 72 / 25.4


def words_outside(pdf: Path, area: tuple[float, float, float, float]) -> list[str]:
    """Return the words that reach out of an area, each with its page and its box.

    Args:
        pdf: The file.
        area: Left, top, right and bottom margin in points; the number of a page stands below.
    """
    left, top, right, bottom = area
    shown = subprocess.run(["pdftotext", "-bbox", pdf, "-"], capture_output=True, check=True)
    outside = []
    for number, (width, height, body) in enumerate(_PAGE.findall(shown.stdout.decode()), start=1):
        for *box, word in _WORD.findall(body):
            x0, y0, x1, y1 = map(float, box)
            if word == str(number) and y0 > float(height) - bottom:
                continue
            if x0 < left or x1 > float(width) - right or y0 < top or y1 > float(height) - bottom:
                outside.append(f"page {number}: {word!r} at {x0}, {y0} to {x1}, {y1}")
    return outside
