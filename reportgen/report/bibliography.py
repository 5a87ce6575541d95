"""Every work a section may cite, by key; the report prints only what it cites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from reportgen.languages import tell
from reportgen.records.document import (
    Block,
    Cite,
    Reference,
    References,
    Section,
    inlines,
    texts,
    walk,
)
from reportgen.records.rows import read_rows


@cache
def works() -> Mapping[str, Reference]:
    """Return every work that a report may cite, by key."""
    rows = read_rows("reportgen.report", "works.ini")
    return {
        key: Reference(key=key, text=(row["text"],), url=row.get("url", ""))
        for key, row in rows.items()
        if key
    }


def cite_works(blocks: tuple[Block, ...]) -> References | None:
    """Return the bibliography of what `blocks` cite, in order of first citation.

    Raises:
        KeyError: A section cites a key that no work has.
    """
    cited = tuple(works()[key] for key in dict.fromkeys(_keys(blocks)))
    return References(entries=cited) if cited else None


def _keys(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in walk(blocks):
        for text in texts(block):
            yield from (node.key for node in inlines(text) if isinstance(node, Cite))


def references_section(body: tuple[Block, ...], appendix: tuple[Block, ...] = ()) -> Section | None:
    """Return the section of what is cited, or None where nothing is.

    It is the last one of the body, or of the appendix where only that cites.
    """
    references = cite_works((*body, *appendix))
    if references is None:
        return None
    return Section(
        id="references-section",
        title=tell("References"),
        blocks=(references,),
        appendix=not any(_keys(body)),
    )
