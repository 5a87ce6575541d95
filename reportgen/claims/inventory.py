"""What a report counts of its evidence: runs behind a row, files, logged points, examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._claiming import claim_at, claim_in_cell
from reportgen.claims._passages import Passage, passages
from reportgen.claims._plain import plain
from reportgen.records.claim import Claim, Counted, Printed
from reportgen.records.manuscript import Cell, Manuscript

RUNS, FILES, POINTS, UPDATES = "runs of a row", "files", "points", "updates"
BYTES, EXAMPLES = "bytes", "examples"
_OF_COLUMN = {
    RUNS: r"n|(?:#|number\sof|no\.\sof|nb\.?(?:\sof)?|nombre\sd[e'])\s?(?:runs?|seeds?|graines?)",
    FILES: r"(?:#\s?|number\sof\s)?(?:log\s|event\s)?files|(?:nombre\sde\s)?fichiers",
    POINTS: r"(?:#\s?|number\sof\s)?(?:logged\s|scalar\s|data\s)?points",
    UPDATES: r"(?:#\s?|number\sof\s)?(?:optimi[sz]er\s)?updates|optimi[sz]er\ssteps|mises\sà\sjour",
    BYTES: r"(?:size\s(?:in\s|\())?(?:bytes|octets)\)?",
}
_COLUMN = {what: re.compile(words, re.IGNORECASE) for what, words in _OF_COLUMN.items()}
_SEED = re.compile(r"(?:random\s)?seed|graine", re.IGNORECASE)
_IN_TEXT = {
    FILES: re.compile(r"\s(?:(?:log\s|event\s)?files|fichiers)\b"),
    POINTS: re.compile(
        r"\s(?:(?:logged|scalar)\s(?:scalar\s)?(?:values|points)|valeurs\sscalaires\sjournalisées)\b"
    ),
}
_OF_ITS = re.compile(r"\b(?:its|their|of|ses|leurs|sur|des)\s(?:the\s|les\s)?$", re.IGNORECASE)
"""Before the values of one run or of one tag: `40 of its 160 logged values`."""
_NAMED = re.compile(r"(?:^|[.;]\s)\s*(?P<name>[^.;:]{2,120}):\s[nN]\s?=\s?$", re.MULTILINE)
_FAR = 160
"""Characters before a number among which a name stands: a line may hold 40,000 numbers."""
_SPLIT = re.compile(
    r"\b(?:(?P<train>train(?:ing)?|entraînement|apprentissage)|(?P<validation>valid(?:ation)?|dev)|(?P<test>test))\s?:?\s$",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[,;]?\s(?:and\s|et\s)?\w+\s?:?\s")
_SIZES = re.compile(
    r"\b(?:examples|samples|sentences|reviews|sizes?\b.{0,20}\bsplits?|splits?\b.{0,20}\bsizes?"
    r"|exemples|tailles?\b.{0,20}\bpartitions?)\b",
    re.IGNORECASE,
)
_ROW_NAME, _WHOLE = 0.7, 10**12


def find(manuscript: Manuscript) -> tuple[Claim, ...]:
    """Return the numbers of runs, files, points, updates, bytes and examples of a report.

    A column counts what its head alone says (`n`, `Files`, `Updates`); the row says of what.

    Args:
        manuscript: The report.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "Split sizes: train 1,800, validation 200 and test 2,000."
        >>> block = Block(type="item", lines=(Line(text=text, number=1),))
        >>> report = Manuscript(path="", format="markdown", sha256="", blocks=(block,))
        >>> [(claim.content.key, claim.printed.text) for claim in find(report)]
        [('train_examples', '1,800'), ('validation_examples', '200'), ('test_examples', '2,000')]
    """
    found: list[Claim] = []
    for passage in passages(manuscript):
        if passage.block.type == "table":
            found += _of_table(passage)
        elif passage.block.type not in {"code", "output", "heading"}:
            found += sorted(_of_text(passage), key=lambda claim: claim.start)
    return tuple(found)


def _of_table(passage: Passage) -> Iterator[Claim]:
    """Yield what the columns of a table count, with the name of each row."""
    block = passage.block
    heads = block.rows[block.head - 1] if 0 < block.head <= len(block.rows) else ()
    titles = [plain(cell.text).text.strip() for cell in heads]
    kinds = [_kind(title) if place else "" for place, title in enumerate(titles)]
    if not any(kinds):
        return
    seeds = next((place for place, title in enumerate(titles) if _SEED.fullmatch(title)), None)
    for index, row in enumerate(block.rows[block.head :], block.head):
        for column, (kind, cell) in enumerate(zip(kinds, row, strict=False)):
            number = _only_number(passage, cell) if kind and cell.span else None
            if number is None:
                continue
            hints = _row_hints(block.rows, index, seeds)
            if hints:
                yield claim_in_cell(
                    passage,
                    cell,
                    (index, column),
                    kind="count",
                    number=number,
                    content=Counted(what=kind),
                    confidence=_ROW_NAME,
                    hints=hints,
                    quote=f"{hints['row']} | {titles[column]} {cell.text}",
                )


def _kind(title: str) -> str:
    return next((what for what, words in _COLUMN.items() if words.fullmatch(title)), "")


def _only_number(passage: Passage, cell: Cell) -> Printed | None:
    """Return the whole number that a cell is and nothing else."""
    numbers = find_numbers(cell.text, passage.style)
    if len(numbers) != 1 or numbers[0].word or numbers[0].unit:
        return None
    number = numbers[0]
    bare = number.text == cell.text.strip(" $*")
    whole = number.value == number.value.to_integral_value() and 0 <= number.value < _WHOLE
    return number if bare and whole else None


def _row_hints(
    rows: Sequence[Sequence[Cell]], index: int, seeds: int | None
) -> dict[str, str] | None:
    """Return the name of a row, its other words and its seed; a name may run over lines."""
    row = rows[index]
    name = row[0].text
    for later in rows[index + 1 :]:
        if not later[0].text or any(cell.text for cell in later[1:]):
            break
        name += f" {later[0].text}"
    if not name.strip():
        return None
    words = [cell.text for cell in row[1:] if any(char.isalpha() for char in cell.text)]
    hints = {"where": name, "row": name}
    hints |= {"labels": " | ".join(words)} if words else {}
    return hints | ({"seed": row[seeds].text} if seeds is not None and seeds < len(row) else {})


def _of_text(passage: Passage) -> Iterator[Claim]:
    """Yield what sentences count: files, points, runs of a group, examples of each split."""
    text = passage.plain.text
    sizes = [n for n in passage.numbers if _is_whole(n) and _split_of(text, n)]
    for number in passage.numbers:
        if not _is_whole(number):
            continue
        named = _NAMED.search(text, max(0, number.start - _FAR), number.start)
        what = next((w for w, words in _IN_TEXT.items() if words.match(text, number.end)), "")
        content, hints = Counted(what=what), {"where": what}
        if named:
            name = named["name"].strip()
            content, hints = Counted(what=RUNS), {"where": "n", "row": name}
        elif number in sizes and _are_sizes(passage, number, sizes):
            split = _split_of(text, number)
            content = Counted(what=EXAMPLES, key=f"{split}_examples")
            hints = {"where": f"{split} examples", "split": split}
        elif not what or _OF_ITS.search(text, max(0, number.start - _FAR), number.start):
            continue
        yield claim_at(
            passage,
            number.start,
            number.end,
            kind="count",
            content=content,
            number=number,
            confidence=_ROW_NAME,
            hints=hints,
        )


def _is_whole(number: Printed) -> bool:
    return (
        not number.word
        and not number.unit
        and number.value == number.value.to_integral_value()
        and 1 <= number.value < _WHOLE
    )


def _split_of(text: str, number: Printed) -> str:
    """Return the split whose name stands right before a number."""
    match = _SPLIT.search(text[max(0, number.start - 16) : number.start])
    return str(match.lastgroup) if match else ""


def _are_sizes(passage: Passage, number: Printed, sizes: Sequence[Printed]) -> bool:
    """Say whether a number stands in a list of numbers of examples, one a split."""
    text, (start, end) = passage.plain.text, passage.sentence(number.start)
    pairs = [(one, other) for one, other in pairwise(sizes) if number in (one, other)]
    listed = any(_JOINT.fullmatch(text[one.end : other.start]) for one, other in pairs)
    # The words may be the head of an item: `Split sizes. train 1,800, test 2,000.`
    return listed and bool(_SIZES.search(text[max(0, start - 40) : end]))
