"""A page of Markdown for CI: what a report says, what was found in it, what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from reportgen.cli.console.summary._curves import curves
from reportgen.cli.console.summary._parts import (
    Part,
    cell,
    changes,
    findings,
    missing,
    results,
    status,
)
from reportgen.languages import speaking, tell

if TYPE_CHECKING:
    from reportgen.app import SummaryFacts

__all__ = ["summary_page"]

# In the order they are read, which is also the order they are kept in where room is short.
_PARTS: tuple[Callable[[SummaryFacts], Iterator[Part]], ...] = (
    status,
    results,
    findings,
    changes,
    missing,
    curves,
)


def summary_page(found: SummaryFacts, most: int) -> str:
    """Return the page in the language of the report.

    A part that has no room is left out as a whole, and the last sentence names it; what stands
    below it may still be there.

    Args:
        found: What `reportgen.app.summarise_report` returned.
        most: Most bytes of the page; from 1,024 on even the last sentence has room.
    """
    with speaking(found.report.lang):
        parts = [part for make in _PARTS for part in make(found)]
        return _fitted(parts, most)


def _fitted(parts: Sequence[Part], most: int) -> str:
    sizes = [len(part.text.encode()) + 1 for part in parts]
    if sum(sizes) <= most:
        return "\n".join(part.text for part in parts)
    room = most - len(_left_out(parts, most).encode())
    kept, left = [], []
    for part, size in zip(parts, sizes, strict=True):
        if size <= room:
            kept.append(part.text)
            room -= size
        else:
            left.append(part)
    return "\n".join([*kept, _left_out(left, most)])


def _left_out(parts: Sequence[Part], most: int) -> str:
    names = ", ".join(dict.fromkeys(part.name for part in parts))
    told = tell("Left out, as {limit} KiB have no room for it: {parts}.", limit=most // 1024,
                parts=names)  # fmt: skip
    return f"{cell(told)}\n"
