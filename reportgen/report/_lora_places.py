"""Where else the configuration of an adapter lies."""

from __future__ import annotations

from reportgen.languages import say
from reportgen.records.document import Block, Code, Paragraph
from reportgen.records.facts import AdapterFacts
from reportgen.report._quotes import listed

MOST_PLACES = 3
"""Other places of an adapter that are named."""


def places(adapter: AdapterFacts) -> list[Block]:
    """Say where else the same configuration lies; nothing where it lies in one place."""
    others = [path for path in adapter.places if path != adapter.config.source.path]
    if not others:
        return []
    shown = listed(((Code(path),) for path in others[:MOST_PLACES]), ", ")
    rest = len(others) - MOST_PLACES
    where = say("{shown} and {n} more", shown=shown, n=str(rest)) if rest > 0 else shown
    text = say(
        "The configuration is the same in {n} places: also in {where}.",
        n=str(len(adapter.places)),
        where=where,
    )
    return [Paragraph(text=text)]
