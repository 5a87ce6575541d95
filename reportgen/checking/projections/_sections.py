"""Which headings a claim stands under."""

from __future__ import annotations

from reportgen.records.manuscript import Manuscript


def headings_above(manuscript: Manuscript) -> tuple[tuple[str, ...], ...]:
    """Return, for each block, the headings it stands under: the nearest first.

    Behind the nearest come those that hold it, by their levels. A heading stands under itself.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> def block(type, text, level=0):
        ...     return Block(type=type, lines=(Line(text=text, number=1),), level=level)
        >>> blocks = (block("heading", "Task 3", 1), block("heading", "Seeds", 2),
        ...           block("paragraph", "79.9"))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=blocks)
        >>> headings_above(report)[2]
        ('Seeds', 'Task 3')
    """
    above: list[tuple[int, str]] = []
    found = []
    for block in manuscript.blocks:
        if block.type == "heading":
            above = [(level, text) for level, text in above if level < block.level]
            above.append((block.level, " ".join(block.text.split())))
        found.append(tuple(text for _, text in reversed(above)))
    return tuple(found)
