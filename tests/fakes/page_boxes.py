"""Where the words of a PDF stand on its pages, read back by another program."""

import html
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
_WORD = re.compile(
    r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>'
)
_HIDDEN = 0.4
_BRACE = "\u23df"
"""A brace below a formula, whose font has room for it in a box as high as the formula."""


@dataclass(frozen=True)
class WordsOfPage:
    """Words and their boxes (left, top, right, bottom), in points from the upper left corner."""

    number: int
    width: float
    height: float
    words: list[str]
    boxes: np.ndarray

    def outside(self, left: float, top: float, right: float, bottom: float) -> list[str]:
        """Return the words that reach into the margins; the page's number may."""
        found = []
        for word, (x0, y0, x1, y1) in zip(self.words, self.boxes, strict=True):
            if word == str(self.number) and y0 > self.height - bottom:
                continue
            if x0 < left or y0 < top or x1 > self.width - right or y1 > self.height - bottom:
                found.append(f"page {self.number}: {word!r} at {x0}, {y0} to {x1}, {y1}")
        return found

    def collisions(self) -> list[str]:
        """Return the pairs of words that are printed on top of each other."""
        boxes = self.boxes
        if len(boxes) < 2:
            return []
        low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
        high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
        shared = np.prod(np.clip(high - low, 0, None), axis=2)
        areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
        hidden = shared > _HIDDEN * np.minimum(areas[:, None], areas[None, :]) + 0.01
        pairs = np.argwhere(np.triu(hidden, 1))
        return [
            f"page {self.number}: {self.words[a]!r} on {self.words[b]!r}"
            for a, b in pairs
            if _BRACE not in {self.words[a], self.words[b]}
        ]


def words_of(pdf: Path) -> list[WordsOfPage]:
    """Read every word of every page."""
    shown = subprocess.run(["pdftotext", "-bbox", pdf, "-"], capture_output=True, check=True)
    pages = []
    for number, found in enumerate(_PAGE.findall(shown.stdout.decode()), start=1):
        width, height, body = found
        words = _WORD.findall(body)
        boxes = np.array([[float(edge) for edge in word[:4]] for word in words]).reshape(-1, 4)
        texts = [html.unescape(word[4]) for word in words]
        pages.append(WordsOfPage(number, float(width), float(height), texts, boxes))
    return pages
