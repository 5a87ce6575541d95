"""Names of the logs that a line's end broke: a PDF may break a long one at any character."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportgen.claims._run_names import names_of_groups, spans_of_names
from reportgen.records.facts import Facts
from reportgen.records.manuscript import Block, Cell, Line, Manuscript

SHORTEST = 6
"""Characters of a name; two words beside each other may well make a shorter one."""
_MOST_LINES = 4
"""A narrow column breaks a long name more than once."""
_GLUE = "-./_"
_LETTER = re.compile(r"[^\W\d_]")
Row = tuple[Cell, ...]


def with_whole_names(manuscript: Manuscript, facts: Facts | None) -> Manuscript:
    """Return a report in which each name of the logs stands in one line, or in one cell.

    Only pages of a PDF break words without a sign.

    Args:
        manuscript: The report.
        facts: What the logs give; None where no logs were read.
    """
    if manuscript.format != "pdf" or facts is None:
        return manuscript
    names = _names_in(facts)
    blocks = tuple(_with_whole_names(block, names) for block in manuscript.blocks)
    return replace(manuscript, blocks=blocks)


def _names_in(facts: Facts) -> frozenset[str]:
    """Return names of groups, runs and files, and each folder on their way, without capitals."""
    names = names_of_groups(facts)
    for run in facts.runs:
        names |= {run.id, *(source.path for source in run.sources)}
    parts = {part for name in names for part in name.split("/")}
    return frozenset(
        name.casefold() for name in names | parts if len(name) >= SHORTEST and _LETTER.search(name)
    )


def _with_whole_names(block: Block, names: frozenset[str]) -> Block:
    if block.type == "table":
        caption = join_names(block.caption.split(" "), names)
        heads = join_rows(block.rows[: block.head], names, heads=True)
        rows = join_rows(block.rows[block.head :], names)
        text = " ".join(filter(None, caption))
        return replace(block, caption=text, rows=(*heads, *rows), head=len(heads))
    texts = join_names([line.text for line in block.lines], names)
    if all(line.text == text for line, text in zip(block.lines, texts, strict=True)):
        return block
    pairs = zip(block.lines, texts, strict=True)
    return replace(block, lines=tuple(_with_text(line, text) for line, text in pairs if text))


def _with_text(line: Line, text: str) -> Line:
    return line if line.text == text else replace(line, text=text)


def join_names(texts: Sequence[str], names: frozenset[str]) -> list[str]:
    """Return lines in which a name that goes on in the next line stands in the first.

    Args:
        texts: Lines, as read; one of which nothing is left becomes empty.
        names: Without capitals.

    Example:
        >>> names = frozenset({"q2_pg_halfcheetah-v4"})
        >>> join_names(["the return of q2_pg_Half", "Cheetah-v4, which is -174,", "grew"], names)
        ['the return of q2_pg_HalfCheetah-v4,', 'which is -174,', 'grew']
        >>> join_names(["the run-1", "0 of run-10"], frozenset({"run-1", "run-10"}))
        ['the run-1', '0 of run-10']
    """
    out = list(texts)
    for first in range(len(out) - 1):
        lead, tail = _parted(out[first])
        joined = tail
        for last in range(first + 1, min(first + _MOST_LINES, len(out))):
            head, _, rest = out[last].lstrip().partition(" ")
            if not joined or not head:
                break
            name = _whole(joined, head, names)
            if name:
                out[first], out[last] = lead + name, rest.lstrip()
                out[first + 1 : last] = [""] * (last - first - 1)
                break
            if rest:
                break
            joined += head
    return out


def join_rows(
    rows: Sequence[Row], names: frozenset[str], *, heads: bool = False
) -> tuple[Row, ...]:
    """Return the rows of a table with the names whole that run over into rows of their own.

    Args:
        rows: Of cells, either heads or none.
        names: Without capitals.
        heads: Whether they are heads.
    """
    read = [tuple(_with_whole_words(cell, names) for cell in row) for row in rows]
    out: list[Row] = []
    at = 0
    while at < len(read):
        row, at = read[at], at + 1
        for more in range(1, _MOST_LINES):
            below = read[at : at + more]
            whole = _joined(row, below, names, heads=heads) if len(below) == more else None
            if whole is not None:
                row, at = whole, at + more
                break
        out.append(row)
    return tuple(out)


def _joined(row: Row, below: Sequence[Row], names: frozenset[str], *, heads: bool) -> Row | None:
    """Return a row with all that stands below it, None where that is no rest of names alone."""
    cells: list[Cell] = []
    joined = False
    for cell, *others in zip(row, *below, strict=True):
        rest = [one.text for one in others if one.text]
        whole = _with_rest(cell.text, rest, names) if rest else cell.text
        if rest and not cell.text and heads:
            # A shorter head stands in the lower line alone.
            cells.append(others[-1])
            continue
        if rest and not whole:
            return None
        joined |= bool(rest)
        again = not cell.span and not rest and bool(cells)
        cells.append(replace(cell, text=cells[-1].text if again else whole))
    return tuple(cells) if joined else None


def _with_rest(text: str, rest: Sequence[str], names: frozenset[str]) -> str:
    """Return the words of a cell with the rest of the name that they end in, or nothing."""
    spaced = " ".join([text, *rest])
    if spaced.casefold() in names:
        return spaced
    lead, tail = _parted(text)
    name = _whole(tail, "".join(rest), names) if tail else ""
    return lead + name if name else ""


def _with_whole_words(cell: Cell, names: frozenset[str]) -> Cell:
    if " " not in cell.text:
        return cell
    text = " ".join(filter(None, join_names(cell.text.split(" "), names)))
    return cell if text == cell.text else replace(cell, text=text)


def _parted(text: str) -> tuple[str, str]:
    """Return what stands before the last word of a line, and that word."""
    text = text.rstrip()
    start = text.rfind(" ") + 1
    return text[:start], text[start:]


def _whole(tail: str, head: str, names: frozenset[str]) -> str:
    """Return two halves as one word where a name goes from one into the other, or nothing."""
    if head[0] not in _GLUE and any(end == len(tail) for _, end in spans_of_names(tail, names)):
        return ""
    # The sign at the line's end may be the name's own, or that of the break.
    for half in (tail, tail[:-1]) if tail.endswith("-") else (tail,):
        text = half + head
        for start, end in spans_of_names(text, names):
            behind = text[end : end + 2]
            number = behind[:1] in {".", ","} and behind[1:].isdigit()
            if start < len(half) < end and not number:
                return text
    return ""
