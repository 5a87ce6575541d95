"""Tables that list the parts of a model with their numbers of parameters, column by column."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reportgen.checking.numbers._gated import gated
from reportgen.claims._count_scopes import PARTS_NAMED, named
from reportgen.claims._plain import plain
from reportgen.records.manuscript import Block

PARAMETERS = gated(r"\b(?:param(?:eter)?s?|paramètres?|#\s?params?|weights)\b", re.IGNORECASE)
COUNT = re.compile(r"^\s?(?:#|count|number|total|nombre|size|taille)\b", re.IGNORECASE)
COUNTED, STORED, DIFFERENCE = "counted", "stored", "difference"
"""What the numbers of a column are: computed, those of the file, the one less the other."""
_STORED = gated(
    r"\b(?:stored|checkpoint|in\sthe\sfile|in\sfile|measured|actual|numel|torch|pytorch|fairseq"
    r"|by\s(?:code|program)|stockée?s?|mesurée?s?|réels?)\b",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"^\s?(?:diff(?:erence|\.)?|différence|écart|gap|delta|Δ)\s?$", re.IGNORECASE
)
_SUM = re.compile(r"^\W{0,3}(?:(?:grand\s)?total|sum|in\sall|somme|overall)\b", re.IGNORECASE)
_MODULE = gated(
    r"\b(?:encoder|decoder|layers?|blocks?|model|projections?|embeddings?|conv\w*|dense|linear|mlp"
    r"|heads?|classifier|pooler|encodeur|décodeur|couches?|plongements?|têtes?)\b",
    re.IGNORECASE,
)
_FEWEST_PARTS = 2


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a table of counts hold.

    Attributes:
        titles: The heads right over the columns, plain.
        kinds: `counted`, `stored`, `difference` or nothing, a column.
        ledger: Whether the rows are parts of one model, so that small numbers are counts too.
    """

    titles: tuple[str, ...]
    kinds: tuple[str, ...]
    ledger: bool


def read_columns(block: Block) -> Columns:
    """Return what the columns of a table hold.

    Example:
        >>> from reportgen.records.manuscript import Cell, Line
        >>> rows = (("Part", "Formula", "Count", "Stored"), ("norms", "2d", "1,024", "1,024"),
        ...         ("word embeddings", "Vd", "16,384", "16,384"))
        >>> line = Line(text="", number=1)
        >>> cells = tuple(tuple(Cell(text=t, line=line) for t in row) for row in rows)
        >>> read = read_columns(Block(type="table", lines=(line,), rows=cells, head=1,
        ...                           caption="Parameters of each part"))
        >>> read.kinds, read.ledger
        (('', '', 'counted', 'stored'), True)
    """
    heads = block.rows[block.head - 1] if 0 < block.head <= len(block.rows) else ()
    titles = tuple(plain(cell.text).text for cell in heads)
    told = bool(PARAMETERS.search(block.caption))
    kinds = tuple(_kind(title, told=told) if n else "" for n, title in enumerate(titles))
    labels = [plain(row[0].text).text for row in block.rows[block.head :] if row]
    parts = sum(bool(named(label, PARTS_NAMED) or _MODULE.search(label)) for label in labels)
    ledger = COUNTED in kinds and parts >= _FEWEST_PARTS and 2 * parts >= len(labels)
    return Columns(titles=titles, kinds=kinds, ledger=ledger)


def _kind(title: str, *, told: bool) -> str:
    if _DIFFERENCE.search(title):
        return DIFFERENCE
    if _STORED.search(title):
        return STORED
    counts = PARAMETERS.search(title) or (told and COUNT.search(title))
    return COUNTED if counts else ""


def is_sum(label: str) -> bool:
    """Say whether a row adds up those above it.

    Example:
        >>> is_sum("**Total**"), is_sum("Sum of all"), is_sum("Encoder")
        (True, True, False)
    """
    return bool(_SUM.search(label))
