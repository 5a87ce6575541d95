"""A report held against itself: its arithmetic, its columns, what it says twice."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from reportgen.checking.context import Claiming, read_table
from reportgen.checking.itself._arithmetic import check_arithmetic
from reportgen.checking.itself._columns import check_columns
from reportgen.checking.itself._sentences import check_repeats, check_sentences, sentences_of
from reportgen.checking.verdicts import one_each
from reportgen.records.manuscript import Manuscript
from reportgen.records.verdict import Verdict

__all__ = ["check_itself"]

_DEFINED = {
    "sample": re.compile(r"sample (?:std|standard|deviation)|ddof\s?=\s?1"),
    "population": re.compile(r"population (?:std|standard|deviation)|ddof\s?=\s?0|pstdev"),
}
"""How a report says, in small letters, which standard deviation it prints."""
_LESS_ONE = re.compile(r"n(?<=\bn)\s?[-−–]\s?1\b")


def check_itself(
    manuscript: Manuscript, numbers: Sequence[Claiming], settled: Container[str] = ()
) -> tuple[Verdict, ...]:
    """Return what a report says of its own numbers, one verdict a number that can be decided.

    Args:
        manuscript: The report.
        numbers: Its numbers.
        settled: Ids of numbers on which nothing more has to be said.

    Example:
        >>> from reportgen.checking.context import numbers_of
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "Four layers: 4 × 3 × 512 = 6144, with both 6144 + 512 = 6666."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> for one in check_itself(report, numbers_of(report)):
        ...     print(one.outcome, one.number.printed.text, one.expected)
        traced 6144
        contradicted 6666 6656
    """
    blocks = enumerate(manuscript.blocks)
    tables = [read_table(block, at) for at, block in blocks if block.type == "table" and block.rows]
    left = {one.number.id for one in numbers if one.number.id not in settled}
    sentences = [one for one in sentences_of(numbers) if one.is_of(left)]
    computed = check_arithmetic(manuscript, numbers, left)
    text = "\n".join(block.text for block in manuscript.blocks)
    small = text.lower()
    said = {name for name, pattern in _DEFINED.items() if pattern.search(small)}
    said |= {"sample"} if _LESS_ONE.search(text) else set()
    cells = check_columns(tables, numbers, left, said.pop() if len(said) == 1 else "")
    known = one_each((computed, cells, check_sentences(sentences)))
    return one_each((known, check_repeats(tables, numbers, sentences, known)))
