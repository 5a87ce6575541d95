"""Headings between blocks as sections inside each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reportgen.records.document import Block, Section


@dataclass(slots=True)
class Heading:
    """A heading between blocks, before it is known what stands below it."""

    level: int
    title: str


def nested(found: list[Block | Heading], prefix: str) -> tuple[Block, ...]:
    """Put what follows a heading into a section, and deeper headings into that."""
    numbers = iter(range(1, len(found) + 1))
    return _below(found, 0, lambda: f"{prefix}.section{next(numbers)}")


def _below(found: list[Block | Heading], level: int, name: Callable[[], str]) -> tuple[Block, ...]:
    blocks: list[Block] = []
    while found:
        first = found[0]
        if not isinstance(first, Heading):
            blocks.append(first)
            found.pop(0)
        elif first.level > level:
            found.pop(0)
            own = name()
            inside = _below(found, first.level, name)
            blocks.append(Section(id=own, title=first.title, blocks=inside))
        else:
            break
    return tuple(blocks)
