"""What is read of a report as a whole, once: its decimals, its tables and their labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from reportgen.checking.numbers._digits import NumberStyle, number_style
from reportgen.checking.numbers._kept import kept_of
from reportgen.claims._context import contexts
from reportgen.claims._heads import means_nothing
from reportgen.claims._neutral_words import NEUTRAL
from reportgen.claims._run_names import spans_of_names
from reportgen.claims._table import Table, read_table
from reportgen.claims._tables import labels_of
from reportgen.records.manuscript import Manuscript

LONGEST_LABEL = 80
_SHORTEST = 3
"""Letters of a group's name that is known wherever it stands."""
_TELLING = re.compile(r"(?=.*[^\W\d_]{2}).*\w[_./-]\w")
"""A name of the logs that is no common word and no number: `lora-r8`, neither `r8` nor `1e-3`."""


@kept_of
def style_of(manuscript: Manuscript) -> NumberStyle:
    """Return how a report writes decimals."""
    return number_style("\n".join(block.text for block in manuscript.blocks))


@kept_of
def tables_of(manuscript: Manuscript) -> Mapping[int, Table]:
    """Return a report's tables with their heads read, each by the index of its block."""
    around, style = contexts(manuscript), style_of(manuscript)
    return MappingProxyType(
        {
            index: read_table(index, block, around[index], style)
            for index, block in enumerate(manuscript.blocks)
            if block.type == "table" and block.rows
        }
    )


@kept_of
def labels_in(manuscript: Manuscript) -> tuple[str, ...]:
    """Return the labels of groups that tables of results use, and names of the logs in the text."""
    tables = tables_of(manuscript).values()
    labels = [label for table in tables for label in labels_of(table)]
    named = (*_names(manuscript), *_groups(manuscript))
    return tuple(dict.fromkeys(label for label in (*labels, *named) if label))


def _groups(manuscript: Manuscript) -> Iterator[str]:
    """Yield the groups of the logs that the text names, but those that may be any word."""
    text = "\n".join(block.text for block in manuscript.blocks)
    for name in sorted(manuscript.group_names):
        # Of a thousand groups a report names some: only for those a pattern is made.
        if (
            len(name) < _SHORTEST
            or name not in text
            or name.casefold() in NEUTRAL
            or not means_nothing(name)
        ):
            continue
        pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        if pattern.search(text):
            yield name


def _names(manuscript: Manuscript) -> Iterator[str]:
    """Yield what is called as in the logs: no table may have the group that a sentence is about."""
    for block in manuscript.blocks:
        text = block.text
        for start, end in spans_of_names(text, manuscript.run_names):
            if _TELLING.match(text, start, end):
                yield text[start:end]


def known_labels(manuscript: Manuscript) -> tuple[str, ...]:
    """Return those of the labels that a sentence may repeat: short ones, and names in one word."""
    return tuple(
        label
        for label in labels_in(manuscript)
        if len(label) <= LONGEST_LABEL or not any(map(str.isspace, label))
    )
