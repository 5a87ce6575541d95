r"""Numbers that carry the id they have in the report they were built in.

A report built as LaTeX prints every number as `\rgnum{id}{79.9}`, which leaves the number alone
on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.read.documents._tex_inline import Inline
from reportgen.read.documents._tex_stream import Ink, Origin, Stream
from reportgen.records.manuscript import Named, Place

_NAMED = re.compile(r"\\rgnum(?![A-Za-z@])")


def named_numbers(stream: Stream, origin: Origin, start: int = 0) -> Iterator[Named]:
    r"""Yield the named numbers of a report, each with what its reader sees.

    Args:
        stream: The report, the author's commands put in.
        origin: Its lines.
        start: Where the document begins.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> lines = [Line(text=r"It is \rgnum{best.mean}{\textbf{79.9}\%}.", number=7)]
        >>> text = lines[0].text
        >>> [n] = named_numbers(Stream(text, range(len(text))), Origin.of(lines))
        >>> n.id, n.text, n.place.line, n.place.column
        ('best.mean', '79.9%', 7, 33)
    """
    for found in _NAMED.finditer(stream.text, start):
        name = stream.group(found.end())
        shown = stream.group(name[2]) if name else None
        if name is None or shown is None:
            continue
        ink = Inline(stream, origin).render(shown[0], shown[1])
        yield Named(
            id=stream.text[name[0] : name[1]].strip(),
            text=" ".join(ink.text().split()),
            place=_place(ink) or _place_of(origin, stream.places[found.start()]),
        )


def _place(ink: Ink) -> Place | None:
    """Return where the first line of a piece stands, or None where it shows nothing."""
    lines = ink.lines()
    return lines[0].place() if lines else None


def _place_of(origin: Origin, at: int) -> Place:
    index = origin.index(at)
    column = at - origin.starts[index]
    return origin.lines[index].place(column, column + 1)
