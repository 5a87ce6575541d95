"""The columns of a LaTeX table: only the signs that are set between them matter here."""

from __future__ import annotations

from reportgen.read.documents._cut import strip
from reportgen.read.documents._tex_inline import Inline
from reportgen.records.manuscript import Line

_MOST_COLUMNS = 200
_WITH_ARGUMENT = frozenset("pmbPMBw")


def separators(inline: Inline, start: int, end: int) -> dict[int, Line]:
    r"""Return the texts set between columns, by the column behind them: `r@{\,$\pm$\,}l`.

    Args:
        inline: What renders them.
        start: Where the description of the columns begins.
        end: Where it ends.
    """
    text = inline.stream.text
    found: dict[int, Line] = {}
    column, at = 0, start
    while at < end and column < _MOST_COLUMNS:
        char = text[at]
        at += 1
        if char in "@!" and (group := inline.stream.group(at)):
            lines = inline.render(group[0], group[1]).lines()
            sign = strip(lines[0]) if lines else None
            if sign is not None and sign.text and column:
                spaced = sign.text if sign.text == "." else f" {sign.text} "
                found[column] = Line(text=spaced, number=sign.number, file=sign.file)
            at = group[2]
        elif char in "><*" or char in _WITH_ARGUMENT:
            group = inline.stream.group(at)
            repeats = text[group[0] : group[1]].strip() if group and char == "*" else ""
            at = group[2] if group else at
            if repeats.isascii() and repeats.isdigit() and (body := inline.stream.group(at)):
                # A repeated description holds no sign worth having; only its width counts.
                letters = sum(c.isalpha() for c in text[body[0] : body[1]])
                column += min(int(repeats[:3]), _MOST_COLUMNS) * max(letters, 1)
                at = body[2]
            elif char in _WITH_ARGUMENT:
                column += 1
        elif char == "[":
            option = inline.stream.option(at - 1)
            at = option[2] if option else at
        elif char.isalpha():
            column += 1
    return found
