"""Numbers of things: parameters, layers, heads, shapes, seeds, runs, examples."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.claims._count_parameters import Surroundings, parameters_counted
from reportgen.claims._count_scopes import section_exclusions
from reportgen.claims._count_shape_cells import shapes_in_cells
from reportgen.claims._count_shapes import shapes_stated
from reportgen.claims._count_shares import shares_counted
from reportgen.claims._count_statements import statements_of_parts
from reportgen.claims._count_tables import tables_of_counts
from reportgen.claims._count_things import things_counted
from reportgen.claims._passages import passages
from reportgen.records.claim import Claim
from reportgen.records.manuscript import Manuscript


def find(manuscript: Manuscript) -> tuple[Claim, ...]:
    """Return what a report counts, and what it says of the parts that it counts.

    Args:
        manuscript: The report.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "The model has 12 layers and 110M parameters; we average over three seeds."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> report = Manuscript(path="", format="markdown", sha256="", blocks=(block,))
        >>> [(claim.kind, claim.content.what, claim.printed.text) for claim in find(report)]
        [('arch_count', 'layers', '12'), ('param_count', 'parameters', '110M'),
         ('count', 'seeds', 'three')]
    """
    read = tuple(passages(manuscript))
    sections = section_exclusions((p.section, p.plain.text) for p in read if p.block.type != "code")
    found: list[Claim] = []
    for place, passage in enumerate(read):
        around = Surroundings(read, place, sections.get(passage.section, ()))
        found += sorted(_claims(around), key=lambda claim: (claim.start, claim.end))
    return tuple(found)


def _claims(around: Surroundings) -> Iterator[Claim]:
    """Yield the claims of one passage; a number belongs to the first that reads it."""
    passage = around.passage
    if passage.block.type == "heading":
        return
    if passage.block.type == "table":
        yield from tables_of_counts(around)
        yield from shapes_in_cells(passage)
        return
    taken: set[int] = set()
    # Of what programs print, only counts of parameters are meant to be read.
    told = passage.block.type not in {"output", "code"}
    finders = (shapes_stated, statements_of_parts, things_counted, shares_counted) if told else ()
    for claim in (*parameters_counted(around), *(c for find in finders for c in find(passage))):
        if claim.printed is None or claim.printed.start not in taken:
            yield claim
        if claim.printed is not None:
            taken.add(claim.printed.start)
