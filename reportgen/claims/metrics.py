"""Finder of values of metrics, best steps, means and spreads."""

from __future__ import annotations

from dataclasses import replace

from reportgen.claims._context import contexts
from reportgen.claims._sentences import SPEAKING, Reader
from reportgen.claims._tables import claims_of
from reportgen.claims._whole import labels_in, style_of, tables_of
from reportgen.records.claim import Claim
from reportgen.records.manuscript import Manuscript


def find(manuscript: Manuscript) -> tuple[Claim, ...]:
    """Return every value of a metric, best step, mean, spread and difference, in order.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "The mean test accuracy of the pretrained model is 80.6 % (± 0.7 %)."
        >>> line = Line(text=text, number=3)
        >>> report = Manuscript(path="r.md", format="markdown", sha256="",
        ...                     blocks=(Block(type="paragraph", lines=(line,)),))
        >>> [(c.kind, c.printed.text, c.content.group, c.content.split) for c in find(report)]
        [('aggregate_mean', '80.6', 'pretrained model', 'test'),
         ('aggregate_std', '0.7', 'pretrained model', 'test')]
    """
    style, tables, known = style_of(manuscript), tables_of(manuscript), labels_in(manuscript)
    around = contexts(manuscript, known)
    found: list[Claim] = []
    order = 0
    for index, block in enumerate(manuscript.blocks):
        order = order + 1 if block.type == "item" else 0
        if index in tables:
            found += claims_of(replace(tables[index], context=around[index], known=known))
        elif block.type in SPEAKING:
            found += Reader(block, index, around[index], style, known, order).claims()
    return tuple(found)
