"""The author's own words and sections, put where the study file says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportgen.records.document import Block, Paragraph, Section


def after(sections: Sequence[Section], own: Section, name: str) -> tuple[Section, ...]:
    """Return sections with one more behind the one of a name; else behind them all.

    Example:
        >>> a, b, c = (Section(id=name, title=name, blocks=()) for name in "abc")
        >>> [s.id for s in after((a, b), c, "a")], [s.id for s in after((a, b), c, "")]
        (['a', 'c', 'b'], ['a', 'b', 'c'])
    """
    at = next((i + 1 for i, section in enumerate(sections) if section.id == name), len(sections))
    return (*sections[:at], own, *sections[at:])


def with_words(section: Section, words: tuple[Block, ...], position: str) -> Section:
    """Return a section with words before or after what it holds, or in place of its intro.

    The intro is every paragraph before the first block that is none.
    """
    blocks = section.blocks
    if position == "after":
        return replace(section, blocks=(*blocks, *words))
    if position == "replace-intro":
        first = next((i for i, b in enumerate(blocks) if not isinstance(b, Paragraph)), len(blocks))
        blocks = blocks[first:]
    return replace(section, blocks=(*words, *blocks))
