"""Lines that fit a terminal: tables, wrapped sentences, names cut in the middle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from unicodedata import category

from reportgen.records.source import kind_of_message, names_in

if TYPE_CHECKING:
    from reportgen.app import Round


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


MOST_KINDS = 6
"""Kinds that have a line each; the report and `inspect` tell of every problem."""
MOST_PLACES = 3
LONGEST = 400
"""Letters of a line; the report and --json have the rest."""


def warning_lines(warnings: Sequence[str], notes: Sequence[str] = ()) -> Iterator[str]:
    """Yield one line a kind, with a count and the first places; warnings go before notes.

    Args:
        warnings: One line each, `place: what is the matter`.
        notes: The same, of what costs no number.

    Example:
        >>> told = [f"run{i}/log.csv: line {i} is cut off" for i in range(5)]
        >>> for line in warning_lines([*told, "no PDF was made"]):
        ...     print(line)
        warning: line 0 is cut off (5 places: run0/log.csv, run1/log.csv, run2/log.csv, …)
        warning: no PDF was made
    """
    alike: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for level, lines in (("warning", warnings), ("note", notes)):
        for line in dict.fromkeys(lines):
            place, colon, what = line.partition(": ")
            place, what = (place, what) if colon else ("", line)
            alike.setdefault((level, kind_of_message(what, place)), []).append((place, what))
    kinds = list(alike.items())
    shown = kinds if len(kinds) <= MOST_KINDS else kinds[: MOST_KINDS - 1]
    for (level, _), same in shown:
        yield f"{level}: {cut(plain(_told(same)), LONGEST)}"
    if rest := kinds[len(shown) :]:
        count = sum(len(same) for _, same in rest)
        yield f"  and {len(rest)} more kinds ({count:,} lines), which the report and --json list"


def _told(same: Sequence[tuple[str, str]]) -> str:
    place, what = same[0]
    if len(same) == 1:
        return f"{place}: {what}" if place else what
    places = list(dict.fromkeys(place for place, _ in same))
    first = ", ".join(places[:MOST_PLACES]) + (", …" if len(places) > MOST_PLACES else "")
    if len(places) == 1:
        others = [name for _, other in same[1:] for name in names_in(other) if name not in what]
        also = ", ".join(list(dict.fromkeys(others))[:MOST_PLACES])
        where = f"{place}: " if place else ""
        return f"{where}{what} ({len(same):,} times{f': also {also}' if also else ''})"
    times = "" if len(same) == len(places) else f"{len(same):,} times in "
    return f"{what} ({times}{len(places):,} places: {first})"


def round_lines(round_: Round, clock: str, *, writes: bool = True) -> Iterator[str]:
    """Yield what a round did; of faults, which have letters of their own, what becomes of them.

    Args:
        round_: What came of a change.
        clock: The time of day.
        writes: Whether files are written; else the report is in the browser alone.
    """
    outcome = round_.outcome
    if round_.state == "waiting" and round_.fault is not None:
        yield f"{clock} waiting for the first point: {round_.fault.message}"
    elif round_.state == "failed":
        yield Alert(f"{clock} the last good report stays; it is built again when something changes")
    elif outcome is not None:
        done = redone_words(round_.redone)
        written = len(outcome.written)
        files = "nothing new to write" if not written else f"{counted(written, 'file')} written"
        files = files if writes else "the page is up to date"
        yield f"{clock} {files} in {round_.seconds:.1f} s; redone: {done}"


def redone_words(redone: tuple[str, ...]) -> str:
    """Return what was redone, counted by kind.

    Example:
        >>> redone_words(("log a/events", "log b/events", "figure curves", "report.html"))
        '2 logs, 1 figure, report.html'
        >>> redone_words(())
        'nothing'
    """
    logs = sum(name.startswith("log ") for name in redone)
    figures = sum(name.startswith("figure ") for name in redone)
    parts = [counted(logs, "log")] * bool(logs) + [counted(figures, "figure")] * bool(figures)
    parts += [name for name in redone if not name.startswith(("log ", "figure "))]
    return ", ".join(parts) or "nothing"
