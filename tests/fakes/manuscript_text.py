"""Lines and blocks as the readers of reports hand them on, for tests."""

from collections.abc import Iterable
from pathlib import Path

from reportgen.read.documents import Limits, read_document
from reportgen.records.manuscript import Block, Manuscript


def read(folder: Path, name: str, text: str | bytes, **limits: int) -> Manuscript:
    """Write a report into a folder and read it."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_document(path, Limits(**limits))


def shown(blocks: Iterable[Block]) -> list[tuple[str, str]]:
    """Return type and text of blocks; of a table the text is its rows."""
    return [
        (block.type, "\n".join(table(block)) if block.type == "table" else block.text)
        for block in blocks
    ]


def table(block: Block) -> list[str]:
    """Return the rows of a table, with `<n>` behind a cell that spans other than one column."""
    return [
        " | ".join(cell.text + (f"<{cell.span}>" if cell.span != 1 else "") for cell in row)
        for row in block.rows
    ]


def says(block: Block) -> dict[str, object]:
    """Return a block as the rows spell it: `⏎` ends a line of it."""
    number = block.level or block.head
    kind = f"{block.type} {number}" if number else block.type
    found: dict[str, object] = {
        kind: table(block) if block.rows else block.text.replace("\n", " ⏎ ")
    }
    return {**found, "of": block.caption} if block.caption else found


def table_of(manuscript: Manuscript) -> Block:
    """Return the only table of a report."""
    (found,) = [block for block in manuscript.blocks if block.type == "table"]
    return found


def at(manuscript: Manuscript, needle: str) -> list[tuple[str, int, int, int]]:
    """Return file, line, first and end column of every place where a text stands in a block."""
    places = []
    for block in manuscript.blocks:
        for line in block.lines:
            start = line.text.find(needle)
            while start >= 0:
                place = line.place(start, start + len(needle))
                places.append((place.file, place.line, place.column, place.end_column))
                start = line.text.find(needle, start + 1)
    return places
