"""Tables drawn with `|`, with or without rules: Markdown's, and those that programs print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from reportgen.read.documents._cut import cell_of
from reportgen.read.documents._tables import Row, is_value
from reportgen.records.manuscript import Line

_BARS = "|│┃║"
_RULE = re.compile(r"[\s|│┃║+:=\-─━═┼╪╬├┤╞╡╠╣┌┐└┘┬┴╒╕╘╛╤╧╔╗╚╝╦╩╟╢╫┏┓┗┛┳┻┡┩╇╋┯┷]{3,}")
_DRAWN = re.compile(r"[-─━═=]{2,}|:-+:?|-+:")


def is_rule(text: str) -> bool:
    """Say whether a line only draws a rule of a table.

    Example:
        >>> [is_rule(t) for t in ("| --- | :-: |", "+----+----+", "-----   ----", "| a |", "- 3")]
        [True, True, True, False, False]
    """
    return len(text) < 5000 and bool(_RULE.fullmatch(text)) and bool(_DRAWN.search(text))


def is_delimiter(text: str) -> bool:
    """Say whether a line is the rule that makes a Markdown table of the line above.

    Example:
        >>> is_delimiter("| :--- | ---: |"), is_delimiter("---"), is_delimiter("| a | - |")
        (True, False, False)
    """
    pieces = [text[a:b].strip() for a, b in pipe_intervals(text)]
    drawn = all(piece.strip(":") and not piece.strip(":").strip("-") for piece in pieces)
    return "|" in text and bool(pieces) and drawn and "-" in text


def pipe_intervals(text: str) -> list[tuple[int, int]]:
    r"""Return where the cells of a line begin and end; `\|` does not end one.

    Example:
        >>> pipe_intervals(r"| a | b \| c |")
        [(1, 4), (5, 13)]
    """
    body = text.rstrip()
    start = len(body) - len(body.lstrip())
    if body[start : start + 1] and body[start] in _BARS:
        start += 1
    found: list[tuple[int, int]] = []
    escaped = False
    for i in range(start, len(body)):
        if body[i] in _BARS and not escaped:
            found.append((start, i))
            start = i + 1
        escaped = body[i] == "\\" and not escaped
    if start < len(body):
        found.append((start, len(body)))
    return found


def is_pipe_row(text: str) -> bool:
    """Say whether a line may be a row: it begins with a bar, or has one inside."""
    body = text.strip()
    return body[:1] in {*_BARS} or any(bar in body for bar in _BARS)


def pipe_reach(texts: Sequence[str]) -> tuple[int, bool]:
    """Return how many of the first lines are drawn with bars, and whether they are a table.

    A table has a rule below its heads, or two rows and more that begin with a bar or have
    equal numbers of cells with values among them.
    """
    block = list(takewhile(lambda text: is_pipe_row(text) or is_rule(text), texts))
    rows = [found for text in block if not is_rule(text) and (found := pipe_intervals(text))]
    if len(rows) > 1 and not any(is_delimiter(text) for text in block[1:2]):
        opened = all(text.lstrip()[:1] in {*_BARS, "+"} or is_rule(text) for text in block)
        same = len({len(row) for row in rows}) == 1 and len(rows[0]) > 1
        values = any(is_value(t[a:b].strip()) for t in block for a, b in pipe_intervals(t)[1:])
        return len(block), opened or (same and values)
    return len(block), len(rows) > 1


def pipe_rows(lines: Sequence[Line]) -> tuple[Row, ...]:
    """Return the cells of a table's lines, without those that only draw rules."""
    return tuple(
        tuple(cell_of(line, a, b) for a, b in pipe_intervals(line.text))
        for line in lines
        if not is_rule(line.text) and pipe_intervals(line.text)
    )
