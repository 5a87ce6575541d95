"""Numbers that carry their id: each to the claim of the same digits, or to one of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._whole import style_of
from reportgen.records.claim import Claim, Printed
from reportgen.records.manuscript import Block, Manuscript, Named, Place


def with_names(manuscript: Manuscript, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims of a report, each that is of a named number with its id.

    A named number that is nobody's claim becomes one of kind `number`: its id says what it is.
    What a reader sees as no number (`n/a`, a dash) is a claim without a printed number.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> line = Line(text="We took 3 seeds.", number=4)
        >>> report = Manuscript(path="r.tex", format="latex", sha256="",
        ...                     blocks=(Block(type="paragraph", lines=(line,)),),
        ...                     named=(Named(id="n", text="3", place=line.place(8, 9)),))
        >>> [(claim.id, claim.named, claim.quote) for claim in with_names(report, ())]
        [('n1', 'n', '3')]
    """
    kept, style = list(claims), style_of(manuscript)
    by_line: dict[tuple[str, int], list[int]] = {}
    for index, claim in enumerate(kept):
        if claim.printed is not None:
            by_line.setdefault((claim.place.file, claim.place.line), []).append(index)
    added = []
    for number, named in enumerate(manuscript.named, start=1):
        shown = find_numbers(named.text, style)
        printed = shown[0] if shown else None
        near = by_line.get((named.place.file, named.place.line), ())
        own = next((i for i in near if _is_of(kept[i], named, printed)), None)
        if own is not None:
            kept[own] = replace(kept[own], named=named.id)
        else:
            added += [
                _own_claim(f"n{number}", block, named, printed)
                for block in _blocks_at(manuscript.blocks, named.place)
            ]
    return tuple(sorted([*kept, *added], key=lambda claim: (claim.block, claim.place.line)))


def _is_of(claim: Claim, named: Named, printed: Printed | None) -> bool:
    """Say whether a claim is of the number that a piece of the source names."""
    if claim.named or printed is None or claim.printed is None:
        return False
    inside = (
        named.place.column <= claim.place.column
        and claim.place.end_column <= named.place.end_column
    )
    return inside and claim.printed.value == printed.value


def _blocks_at(blocks: Sequence[Block], place: Place) -> Iterator[int]:
    """Yield the first block that holds a place; what no block holds is on no page."""
    for index, block in enumerate(blocks):
        for line in block.lines:
            here = line.place()
            if (line.file, line.number) == (place.file, place.line) and (
                here.column <= place.column < max(here.end_column, here.column + 1)
            ):
                yield index
                return


def _own_claim(identifier: str, block: int, named: Named, printed: Printed | None) -> Claim:
    return Claim(
        id=identifier,
        kind="number",
        quote=named.text[:200],
        place=named.place,
        block=block,
        printed=printed,
        named=named.id,
    )
