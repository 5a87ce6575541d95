"""One way in for every written report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.read.documents import READERS
from reportgen.read.documents._source import Limits
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Block, Line, Manuscript
from reportgen.records.record import replace
from reportgen.records.source import Problem

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_PRINTED = frozenset({"code", "output"})
_LONGEST = 5_000
"""Characters of a block; whoever looks for what a number belongs to looks through its block."""
_ENDS = (".", "!", "?", ":", ";")


def with_enough(manuscript: Manuscript, limits: Limits) -> Manuscript:
    """Return a report with no more numbers than are checked, and a problem for what is left out.

    Listings and what programs printed have as much room again: a log of training that somebody
    pasted takes none from the text.

    Example:
        >>> lines = [Line(text="Seeds 1, 2 and 3", number=1), Line(text="reach 80.5", number=2)]
        >>> block = Block(type="paragraph", lines=tuple(lines))
        >>> report = Manuscript(path="a.md", format="markdown", sha256="", blocks=(block,))
        >>> cut = with_enough(report, Limits(numbers=3))
        >>> cut.blocks[0].text, cut.problems[0].message.partition(":")[0]
        ('Seeds 1, 2 and 3', 'holds more than 3 numbers')
    """
    kept: list[Block] = []
    problems: list[Problem] = []
    left = {False: limits.numbers, True: limits.numbers}
    for block in manuscript.blocks:
        printed = block.type in _PRINTED
        if left[printed] < 0:
            continue
        taken, count = _first(block.lines, left[printed])
        left[printed] -= count
        whole = left[printed] >= 0
        if taken:
            kept.append(block if whole else _shortened(block, taken))
        if not whole:
            last = taken[-1] if taken else (kept[-1].lines[-1] if kept else None)
            problems.append(_told(manuscript.path, last, limits, printed=printed))
            if not printed:
                break
    blocks = tuple(part for block in kept for part in _parts(block))
    if not problems and len(blocks) == len(kept):
        return manuscript
    return replace(manuscript, blocks=blocks, problems=(*manuscript.problems, *problems))


def _parts(block: Block) -> Iterator[Block]:
    """Yield a block, or where it is endless, its parts; a table is whole, for it has one head."""
    if block.type == "table" or sum(len(line.text) for line in block.lines) <= _LONGEST:
        yield block
        return
    lines = block.lines
    while lines:
        end = _reach(lines)
        yield replace(block, lines=lines[:end])
        lines = lines[end:]


def _reach(lines: Sequence[Line]) -> int:
    """Return how many lines make a part: up to the end of a sentence, where there is one."""
    size = sentence = 0
    for index, line in enumerate(lines):
        size += len(line.text) + 1
        if index and size > _LONGEST:
            return sentence or index
        if line.text.rstrip().endswith(_ENDS):
            sentence = index + 1
    return len(lines)


def _first(lines: Sequence[Line], room: int) -> tuple[Sequence[Line], int]:
    """Return the lines that there is room for, and how many numbers they hold; more, if any is."""
    count = 0
    for index, line in enumerate(lines):
        count += len(_NUMBER.findall(line.text))
        if count > room:
            return lines[:index], count
    return lines, count


def _shortened(block: Block, lines: Sequence[Line]) -> Block:
    """Return a block of its first lines; a row that runs on behind them is left out."""
    there = {id(line) for line in lines}
    rows = []
    for row in block.rows:
        if not all(id(cell.line) in there for cell in row):
            break
        rows.append(row)
    return replace(block, lines=tuple(lines), rows=tuple(rows), head=min(block.head, len(rows)))


def _told(path: str, last: Line | None, limits: Limits, *, printed: bool) -> Problem:
    where = f"what stands behind {last.place()}" if last else "what stands there"
    what = "holds"
    if printed:
        what, where = "prints or lists", "the rest of its listings and outputs"
    return Problem(
        path=path,
        message=f"{what} more than {limits.numbers:,} numbers: {where} was not read, and so is "
        "not checked",
        remedy="leave long logs out of it, or check its parts one by one",
    )


DEFAULTS = Limits()


def read_document(path: Path, limits: Limits = DEFAULTS) -> Manuscript:
    r"""Read a report with the reader that its name calls for; what begins as a PDF is one.

    Args:
        path: The report.
        limits: How much of it is read.

    Raises:
        EvidenceError: It is missing, damaged, or of a kind that is not read.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "report.md")
        ...     _ = path.write_text("# Results\n\nThe accuracy is **79.9 %**.\n")
        ...     manuscript = read_document(path)
        >>> [(block.type, block.text) for block in manuscript.blocks]
        [('heading', 'Results'), ('paragraph', 'The accuracy is 79.9 %.')]
    """
    manuscript: Manuscript = READERS.load(format_of(path))(path, limits)
    return with_enough(manuscript, limits)


def format_of(path: Path) -> str:
    """Return the name of the format of a report.

    Raises:
        EvidenceError: No reader answers to its name.
    """
    try:
        with path.open("rb") as file:
            begins = file.read(1024)
    except (OSError, ValueError):
        # The reader says what is the matter with the file.
        begins = b""
    if begins.lstrip().startswith(b"%PDF-"):
        return "pdf"
    for name, entry in READERS.items():
        if any(fnmatchcase(path.name.lower(), pattern) for pattern in entry.match):
            return name
    known = ", ".join(pattern for entry in READERS.values() for pattern in entry.match)
    raise EvidenceError(
        f"{path} is of a format that no reader answers to",
        remedy=f"reports that are read: {known}",
    )
