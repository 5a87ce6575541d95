"""Which pages hold paragraphs, and not tables and figures alone."""

from collections.abc import Iterator, Sequence

from reportgen.records.document import Figure, Report, Table, texts, walk

_TOGETHER = 4
"""So many words in a row are those of a paragraph, where no caption has them."""


def pages_with_paragraphs(report: Report, pages: Sequence[str]) -> list[bool]:
    """Say of each page, told as its text, whether words of a paragraph or a list stand there."""
    paragraphs: set[str] = set()
    captions: set[str] = set()
    for block in walk(report.sections):
        kept = captions if isinstance(block, Figure | Table) else paragraphs
        for text in texts(block):
            for part in text:
                kept.update(_rows(part) if isinstance(part, str) else ())
    wanted = paragraphs - captions
    return [not wanted.isdisjoint(_rows(page)) for page in pages]


def _rows(text: str) -> Iterator[str]:
    words = text.split()
    for first in range(len(words) - _TOGETHER + 1):
        yield " ".join(words[first : first + _TOGETHER])
