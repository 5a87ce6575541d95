"""Tables that say what the letters of formulas mean, and what their values are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.checking.numbers._gated import Pattern, gated
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._claiming import claim_in_cell
from reportgen.claims._passages import Passage
from reportgen.claims._plain import plain
from reportgen.claims._setting_keys import MODEL
from reportgen.claims._setting_tables import named_by_cell
from reportgen.records.claim import Claim, Setting
from reportgen.records.manuscript import Cell

_SYMBOL = gated(r"symbols?|notations?|letters?|variables?|symboles?|lettres?", re.IGNORECASE)
_MEANING = gated(
    r"meanings?|descriptions?|definitions?|what\s.*|signification|définitions?", re.IGNORECASE
)
_VALUE = gated(r"(?:our\s)?values?|valeurs?|size|here", re.IGNORECASE)
_SURE = 0.85


def symbols_in_table(passage: Passage) -> Iterator[Claim]:
    """Yield a claim for every letter that a table gives a meaning and a value."""
    rows, head = passage.block.rows, passage.block.head
    if not 0 < head < len(rows):
        return
    titles = [plain(cell.text).text.strip() for cell in rows[head - 1]]
    symbol, meaning, value = (_column(titles, p) for p in (_SYMBOL, _MEANING, _VALUE))
    if symbol is None or meaning is None or value is None:
        return
    for index, row in enumerate(rows[head:], head):
        if max(symbol, meaning, value) < len(row):
            words = plain(row[meaning].text).text.strip()
            yield from _of_row(passage, (index, value), row[value], row[symbol].text, words)


def _column(titles: Sequence[str], pattern: Pattern) -> int | None:
    return next((n for n, title in enumerate(titles) if pattern.fullmatch(title)), None)


def _of_row(
    passage: Passage, position: tuple[int, int], cell: Cell, symbol: str, meaning: str
) -> Iterator[Claim]:
    read = plain(cell.text)
    numbers = find_numbers(read.text, passage.style)
    if len(numbers) != 1 or not symbol or not meaning:
        return
    start, end = read.span(numbers[0].start, numbers[0].end)
    number = replace(numbers[0], start=start, end=end)
    key = named_by_cell(meaning, adapter=passage.adapter)
    yield claim_in_cell(
        passage,
        cell,
        position,
        kind="hyperparameter",
        number=number,
        content=Setting(name=symbol, key=key.name if key else "", value=number.value, scope=MODEL),
        confidence=_SURE,
        hints={"where": meaning, "meaning": meaning},
        quote=f"{meaning} | {cell.text}",
    )
