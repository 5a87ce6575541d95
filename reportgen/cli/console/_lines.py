"""Lines that fit a terminal: tables, wrapped sentences, names cut in the middle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category


class Heading(str):
    """A line that a terminal may show in bold."""

    __slots__ = ()


class Alert(str):
    """A line that a terminal may show in colour: a warning, or a question."""

    __slots__ = ()


def plain(text: str) -> str:
    r"""Return a text with its control characters spelled out.

    Names come from strangers' folders; printed raw they could recolour or rewrite a terminal.
    Spaces stay, for numbers are printed with narrow ones and those that break no line.

    Example:
        >>> plain("a\x1b[31mb"), plain("é 日"), plain("8.33\xa0GiB") == "8.33\xa0GiB"
        ('a\\x1b[31mb', 'é 日', True)
    """
    return "".join(c if c.isprintable() or category(c) == "Zs" else repr(c)[1:-1] for c in text)


def table_lines(
    head: Sequence[str], rows: Sequence[Sequence[str]], alignment: str
) -> Iterator[str]:
    """Yield a table in columns, `l` or `r` a column.

    Example:
        >>> list(table_lines(("run", "n"), [("a", "10")], "lr"))
        ['run   n', 'a    10']
    """
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = (
            f"{cell:>{width}}" if side == "r" else f"{cell:<{width}}"
            for cell, width, side in zip(row, widths, alignment, strict=True)
        )
        yield "  ".join(cells).rstrip()


def fitted_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], alignment: str, width: int | None
) -> Iterator[str]:
    """Yield a table without its empty columns, its names cut to fit a width, else folded.

    Args:
        head: Titles.
        rows: Cells; what is escaped in print counts as it will be printed.
        alignment: `l` or `r` a column; the first ones may be cut, the others never.
        width: Columns of the terminal; None cuts nothing.

    Example:
        >>> rows = [("a_long_long_long_name", "", "10")]
        >>> list(fitted_table(("tag", "NaN", "n"), rows, "lrr", 18))
        ['tag              n', 'a_long_…g_name  10']
    """
    kept = [i for i in range(len(head)) if any(row[i] for row in rows)]
    cells = [[plain(row[i]) for i in kept] for row in rows]
    titles = [head[i] for i in kept]
    sides = "".join(alignment[i] for i in kept)
    if width is None:
        yield from table_lines(titles, cells, sides)
        return
    room = _rooms([titles, *cells], sides, width)
    if _wide(room) > width:
        yield from _folded_table(titles, cells, sides, width)
        return
    cells = [[shorten(t, n) for t, n in zip(row, room, strict=True)] for row in cells]
    yield from table_lines(titles, cells, sides)


def _wide(room: Sequence[int]) -> int:
    return sum(room) + 2 * (len(room) - 1)


def _folded_table(
    titles: Sequence[str], cells: Sequence[Sequence[str]], sides: str, width: int
) -> Iterator[str]:
    """Yield a table of several lines a row: columns that find no room stand below, indented."""
    # Two names side by side: what a row is about stands in one line.
    most = [(width - 2) // 2 if side == "l" else width - _INDENT for side in sides]
    rows = [[shorten(t, n) for t, n in zip(row, most, strict=True)] for row in (titles, *cells)]
    pieces: list[list[int]] = [[]]
    for i in range(len(titles)):
        here = [*pieces[-1], i]
        room = width - (_INDENT if len(pieces) > 1 else 0)
        if pieces[-1] and _wide([max(len(row[j]) for row in rows) for j in here]) > room:
            pieces.append([i])
        else:
            pieces[-1] = here
    blocks = []
    for number, piece in enumerate(pieces):
        indent = " " * (_INDENT if number else 0)
        part = [[row[i] for i in piece] for row in rows]
        lines = table_lines(part[0], part[1:], "".join(sides[i] for i in piece))
        blocks.append([f"{indent}{line}".rstrip() for line in lines])
    for lines_of_row in zip(*blocks, strict=True):
        yield from filter(None, lines_of_row)


_INDENT = 4
"""How far the lines of a folded row stand below its first."""

_LEAST = 14
"""Columns that a name in a table is never cut below."""


def _rooms(rows: Sequence[Sequence[str]], sides: str, width: int) -> list[int]:
    """Return how wide each column may be: the widest of names gives way first."""
    room = [max(len(row[i]) for row in rows) for i in range(len(sides))]
    names = [i for i, side in enumerate(sides) if side == "l"]
    over = _wide(room) - width
    while over > 0 and names and max(room[i] for i in names) > _LEAST:
        widest = max(names, key=lambda i: room[i])
        room[widest] -= 1
        over -= 1
    return room


def cut(text: str, most: int) -> str:
    """Return a sentence cut at its end to so many characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def shorten(text: str, room: int) -> str:
    """Return a text cut in its middle to so many characters: names differ at both ends.

    Example:
        >>> shorten("pendulum_default_InvertedPendulum-v4", 20)
        'pendulum_d…ndulum-v4'
        >>> shorten("short", 20)
        'short'
    """
    if len(text) <= room:
        return text
    head = (room + 1) // 2
    return f"{text[:head]}…{text[len(text) - (room - head - 1) :]}".rstrip()


def wrapped(text: str, width: int | None, *, first: str = "", rest: str = "") -> Iterator[str]:
    """Yield a sentence in lines of a width; a long path is not broken.

    Args:
        text: The sentence.
        width: Columns of the terminal; None leaves it on one line.
        first: What the first line begins with.
        rest: What the others begin with.

    Example:
        >>> list(wrapped("one two three", 9, first="- ", rest="  "))
        ['- one two', '  three']
    """
    if width is None:
        yield f"{first}{text}"
        return
    import textwrap

    yield from textwrap.wrap(
        text, max(width, 30) if width > 20 else width, initial_indent=first,
        subsequent_indent=rest, break_long_words=False, break_on_hyphens=False,
    ) or [first]  # fmt: skip


def common_prefix(names: Iterable[str], separators: str) -> str:
    """Return what several names begin with, up to and with a separator; empty for one name.

    Example:
        >>> common_prefix(["logs/a/0", "logs/ab/1"], "/"), common_prefix(["logs/a"], "/")
        ('logs/', '')
    """
    unique = sorted(set(names))
    if len(unique) < 2:
        return ""
    first, last = unique[0], unique[-1]
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), None)
    same = min(len(first), len(last)) if same is None else same
    end = max(first.rfind(mark, 0, same) for mark in separators) + 1
    return first[:end]


def counted(count: int, noun: str) -> str:
    """Return a number of things in words.

    Example:
        >>> counted(1, "run"), counted(1200, "run")
        ('1 run', '1,200 runs')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def several(names: Sequence[str], most: int | None) -> str:
    """Return names with commas; of many the first, and how many more there are.

    Example:
        >>> several(["a", "b"], 3), several(["a", "b", "c", "d", "e"], 3)
        ('a, b', 'a, b, c and 2 more')
    """
    if most is None or len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"
