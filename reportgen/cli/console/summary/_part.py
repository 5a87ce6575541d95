"""One part of the page, and the Markdown that all parts are made with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reportgen.languages import tell_count
from reportgen.render import clean, escape_markdown

SHOWN = 40
"""Rows of a kind that are listed before the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something that is shown as a whole or not at all.

    Attributes:
        name: What it is called where it is left out; words of ours.
        text: Markdown, with a line end behind it.
    """

    name: str
    text: str


def cell(text: object) -> str:
    r"""Return words on one line as Markdown that is only words.

    Example:
        >>> print(cell("a|b\n<c>"))
        a&#124;b &lt;c&gt;
    """
    return escape_markdown(one_line(str(text))).strip()


def one_line(text: str) -> str:
    """Return words on one line; half surrogates, which JSON may hold, are written out."""
    return clean(text.encode("utf-8", "backslashreplace").decode())


def pipe_table(head: Sequence[str], rows: Sequence[Sequence[object]], alignment: str) -> str:
    """Return a table; `alignment` holds `l` or `r` a column.

    Example:
        >>> print(pipe_table(["group", "n"], [["a", 3]], "lr"))
        | group | n |
        |:--|--:|
        | a | 3 |
    """
    ruler = "|".join(":--" if side == "l" else "--:" for side in alignment)
    lines = [" | ".join(map(cell, cells)) for cells in (head, *rows)]
    first, *others = (f"| {line} |" for line in lines)
    return "\n".join((first, f"|{ruler}|", *others))


def rest(count: int) -> str:
    """Return the sentence that counts rows that are not listed, or nothing."""
    if count <= SHOWN:
        return ""
    return "\n\n" + tell_count("And {count} more.", "And {count} more.", count - SHOWN)


def folded(title: str, text: str) -> str:
    """Return Markdown that opens when its title is selected."""
    return f"<details><summary>{cell(title)}</summary>\n\n{text}\n\n</details>"


def listed(content: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list of report.json; an older one may not have it."""
    return [entry for entry in content.get(name) or () if isinstance(entry, dict)]
