"""Finder of tests of two means: t, degrees of freedom, p."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._claiming import claim_at, claim_in_cell
from reportgen.claims._context import Context, contexts
from reportgen.claims._heads import Head, read_text
from reportgen.claims._passages import Passage, passages
from reportgen.claims._plain import plain
from reportgen.claims._table import read_table
from reportgen.claims._table_words import subtracted_groups
from reportgen.claims._test_words import DEGREES, FLOOR, P, is_about_a_test, kind_of, kind_of_label
from reportgen.claims._whole import known_labels
from reportgen.records.claim import Claim, Meaning, Printed
from reportgen.records.manuscript import Cell, Manuscript

KIND = "test_statistic"
_SURE, _OPEN = 0.9, 0.6
"""How sure a claim is that names its two groups, and one that does not."""


def find(manuscript: Manuscript) -> tuple[Claim, ...]:
    """Return what a report says that tests of two groups give, in reading order.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "A paired t-test of BERT against the LSTM gives t(2) = 16.38, p = 0.0037."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> [(c.content.aggregate, c.printed.text, c.content.against) for c in find(report)]
        [('degrees', '2', 'LSTM'), ('t', '16.38', 'LSTM'), ('p', '0.0037', 'LSTM')]
    """
    spoken = [p for p in passages(manuscript) if _may_speak(p)]
    if not spoken:
        return ()
    known = known_labels(manuscript)
    around = contexts(manuscript, known)
    found: list[Claim] = []
    for passage in spoken:
        context = around[passage.index]
        make = _in_table if passage.block.type == "table" else _in_text
        found += make(passage, context, known)
    return tuple(found)


def _may_speak(passage: Passage) -> bool:
    block = passage.block
    if block.type == "table":
        labels = [cell.text for row in block.rows for cell in row[:1]]
        labels += [cell.text for row in block.rows[: max(block.head, 1)] for cell in row]
        kinds = {kind_of_label(text) for text in labels} - {""}
        # A column called `t` or `p` alone may be anything.
        about = is_about_a_test(" ".join((block.caption, *filter(kind_of_label, labels))))
        return len(kinds) > 1 or (bool(kinds) and about)
    spoken = block.type not in {"heading", "code", "output", "equation"}
    return spoken and bool(passage.numbers) and is_about_a_test(passage.plain.text)


def _in_text(passage: Passage, context: Context, known: Sequence[str]) -> Iterator[Claim]:
    text = passage.plain.text
    for number in passage.numbers:
        start, end = passage.sentence(number.start)
        kind, sign = kind_of(text, number.start, number.end)
        spoken = kind and is_about_a_test(text[start:end])
        if not spoken or not _is_possible(kind, number):
            continue
        groups = _groups([read_text(text[start:end], known), *context.leads, *context.headings])
        yield claim_at(
            passage,
            number.start,
            number.end,
            kind=KIND,
            number=number,
            content=_meaning(kind, groups, context),
            confidence=_SURE if groups[0] else _OPEN,
            hints=_hints(context, " ".join(text[start:end].split()), sign),
        )


def _in_table(passage: Passage, context: Context, known: Sequence[str]) -> Iterator[Claim]:
    block = passage.block
    table = replace(read_table(passage.index, block, context, passage.style), known=tuple(known))
    groups = subtracted_groups(table) or _groups([context.caption, *context.headings])
    head = block.rows[block.head - 1] if 0 < block.head <= len(block.rows) else ()
    over = [kind_of_label(plain(cell.text).text) for cell in head]
    for index, row in enumerate(block.rows):
        if index < block.head or not row:
            continue
        before = kind_of_label(plain(row[0].text).text)
        for column, cell in enumerate(row):
            kind = before or (over[column] if column < len(over) else "")
            number = _number(passage, cell) if column and kind else None
            if number is not None and _is_possible(kind, number):
                yield claim_in_cell(
                    passage,
                    cell,
                    (index, column),
                    kind=KIND,
                    number=number,
                    content=_meaning(kind, groups, context),
                    confidence=_SURE if groups[0] else _OPEN,
                    hints=_hints(context, "", _sign(cell.text)),
                    quote=" | ".join(c.text for c in row if c.span),
                )


def _number(passage: Passage, cell: Cell) -> Printed | None:
    """Return the only number of a cell."""
    numbers = find_numbers(cell.text, passage.style)
    return numbers[0] if len(numbers) == 1 else None


def _is_possible(kind: str, number: Printed) -> bool:
    """Say whether a number can be what it is called: a p lies between 0 and 1."""
    if kind in {P, FLOOR}:
        return not number.unit and 0 <= number.value <= 1
    return not number.unit and (kind != DEGREES or number.value > 0)


def _sign(text: str) -> str:
    bare = text.strip(" $*")
    return bare[0] if bare[:1] in {"<", ">", "≤", "≥"} else ""


def _groups(heads: Sequence[Head]) -> tuple[str, str]:
    """Return the two groups that the nearest of several texts names."""
    for head in heads:
        values = head.values("group")
        if len(values) == 2:
            return values[0], values[1]
    return "", ""


def _meaning(kind: str, groups: tuple[str, str], context: Context) -> Meaning:
    metric = next((h.one("metric") for h, _ in context.layers() if h.one("metric")), "")
    split = next((h.one("split") for h, _ in context.layers() if h.one("split")), "")
    return Meaning(metric=metric, split=split, group=groups[0], against=groups[1], aggregate=kind)


def _hints(context: Context, sentence: str, sign: str) -> dict[str, str]:
    hints = {"where": context.where, "sentence": sentence, "sign": sign}
    return {key: value for key, value in hints.items() if value}
