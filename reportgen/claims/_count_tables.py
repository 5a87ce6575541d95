"""Tables of counts: parameters of models or of parts, examples of splits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._claiming import claim_in_cell
from reportgen.claims._count_columns import COUNT, DIFFERENCE, PARAMETERS, is_sum, read_columns
from reportgen.claims._count_parameters import LEAST, SHARE, Surroundings
from reportgen.claims._count_scopes import PARTS_NAMED, named, scope_words
from reportgen.claims._count_words import THINGS
from reportgen.claims._cues import model_in
from reportgen.claims._plain import plain
from reportgen.claims._setting_keys import condensed
from reportgen.records.claim import Claim, Counted, Printed
from reportgen.records.manuscript import Cell

_SHARE = gated(r"%|percent|share|ratio|fraction|proportion", re.IGNORECASE)
_SCALE = re.compile(
    r"\(\s?(?:in\s)?(?P<scale>[MBK]|millions?|billions?)\s?\)|\bin (?P<word>millions?)"
)
_OTHER_SIZE = gated(
    r"\b(?:width|layers?|heads?|rank|dims?|dimensions?|channels|largeur|couches|têtes)\b",
    re.IGNORECASE,
)
"""In a cell of counts: what is counted there is no parameter (`4 layers, width 1280`)."""
_SPLITS = {
    **dict.fromkeys(("train", "training", "trainset", "trainingset", "entraînement"), "train"),
    **dict.fromkeys(("validation", "valid", "dev", "val", "validationset"), "validation"),
    **dict.fromkeys(("test", "testset"), "test"),
}
_POWERS = {"K": 3, "M": 6, "B": 9, "million": 6, "millions": 6, "billion": 9, "billions": 9}


def tables_of_counts(around: Surroundings) -> Iterator[Claim]:
    """Yield a claim for every cell of a table that counts parameters or examples."""
    block = around.passage.block
    read = read_columns(block)
    told = bool(PARAMETERS.search(block.caption))
    for number, row in enumerate(block.rows):
        if number < block.head or not row:
            continue
        label = plain(row[0].text).text
        for column, cell in enumerate(row):
            if not column:
                continue
            title = read.titles[column] if column < len(read.titles) else ""
            kind = read.kinds[column] if column < len(read.kinds) else ""
            position, names = (number, column), (label, title)
            if read.ledger and kind:
                yield from _of_part(around, cell, position, names, kind)
            elif PARAMETERS.search(title) or (
                (PARAMETERS.search(label) or told) and (not title or not _is_other(title))
            ):
                yield from _parameters(around, cell, position, names)
            else:
                yield from _examples(around, cell, position, names)


def _of_part(
    around: Surroundings, cell: Cell, position: tuple[int, int], names: tuple[str, str], kind: str
) -> Iterator[Claim]:
    """Yield the count of a part of a model, what its file holds of it, or their difference."""
    label, title = names
    number = _read(around, cell)
    if number is None or number.unit or number.value != number.value.to_integral_value():
        return
    parts = () if is_sum(label) else named(label, PARTS_NAMED)
    hints = {"where": label.strip() or title.strip(), "group": label.strip(), **model_in(label)}
    hints |= {"ledger": kind} | ({"part": ", ".join(parts)} if parts else {})
    words = (*scope_words(label), *around.excluded, *parts)
    yield claim_in_cell(
        around.passage,
        cell,
        position,
        kind="param_count",
        number=number,
        content=Counted(
            what="difference of parameters" if kind == DIFFERENCE else "parameters",
            scope=tuple(dict.fromkeys(words)),
        ),
        confidence=0.6,
        hints=hints,
        quote=f"{label} | {cell.text}",
    )


def _is_other(title: str) -> bool:
    """Say whether a column's title names something else than a count."""
    return not COUNT.search(title) and len(title.split()) < 4 and title.strip() != ""


def _read(around: Surroundings, cell: Cell) -> Printed | None:
    """Return the only number of a cell, with its place in the cell."""
    read = plain(cell.text)
    numbers = find_numbers(read.text, around.passage.style)
    if len(numbers) != 1 or _OTHER_SIZE.search(read.text):
        return None
    start, end = read.span(numbers[0].start, numbers[0].end)
    return replace(numbers[0], start=start, end=end)


def _parameters(
    around: Surroundings, cell: Cell, position: tuple[int, int], names: tuple[str, str]
) -> Iterator[Claim]:
    label, title = names
    number = _read(around, cell)
    if number is None:
        return
    scale = _SCALE.search(title)
    power = _POWERS.get((scale["scale"] or scale["word"]) if scale else "", 0)
    if power and number.value < 10**5:
        number = replace(number, value=number.value.scaleb(power), decimals=number.decimals - power)
    said = f"{label} {title}"
    share = number.unit == "percent" or (_SHARE.search(title) and number.value <= 100)
    if share and "trainable" not in scope_words(said):
        return
    if not share and (number.value < LEAST or number.unit):
        return
    parts = () if "total" in scope_words(label) else named(label, PARTS_NAMED)
    words = (*scope_words(said), *around.excluded, *parts)
    hints = {"where": label.strip() or title.strip(), "group": label.strip(), **model_in(label)}
    if parts:
        hints["part"] = ", ".join(parts)
    yield claim_in_cell(
        around.passage,
        cell,
        position,
        kind="param_count",
        number=replace(number, unit="percent") if share else number,
        content=Counted(
            what=SHARE if share else "parameters",
            scope=tuple(dict.fromkeys(words)),
        ),
        # A row may be another model than the one that is checked.
        confidence=0.6,
        hints=hints,
        quote=f"{label} | {cell.text}",
    )


def _examples(
    around: Surroundings, cell: Cell, position: tuple[int, int], names: tuple[str, str]
) -> Iterator[Claim]:
    label, title = names
    split = _SPLITS.get(condensed(label)) or _SPLITS.get(condensed(title))
    other = title if _SPLITS.get(condensed(label)) else label
    thing = THINGS.get(condensed(other))
    sized = thing is not None and thing.what == "examples"
    if not split or not (sized or COUNT.search(other)):
        return
    number = _read(around, cell)
    if number is None or number.unit or number.value != number.value.to_integral_value():
        return
    yield claim_in_cell(
        around.passage,
        cell,
        position,
        kind="count",
        number=number,
        content=Counted(what="examples", key=f"{split}_examples"),
        confidence=0.8,
        hints={"where": f"{label} | {title}", "split": split},
        quote=f"{label} | {cell.text}",
    )
