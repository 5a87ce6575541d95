"""One way in for every written report: its bytes to lines that know their columns."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from stat import S_ISREG

from reportgen.read.documents import READERS
from reportgen.read.documents._cut import cut, replaced
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Block, Line, Manuscript
from reportgen.records.record import record, replace
from reportgen.records.source import Problem

# Bytes of a text file to lines that know their columns, whatever wrote them.


@record
class Limits:
    r"""Ends of patience; what lies behind them is left out and named as a problem.

    Attributes:
        bytes: Size of one file; a larger one is not opened.
        pages: Pages of a PDF.
        lines: Lines of clean text, all files together.
        characters: Characters of clean text, all files together.
        numbers: Numbers of the text; and as many of listings and what programs printed.
        line: Characters of one line.
        output: Characters of one output of a notebook.
        includes: Files that `\input` may bring in.
        depth: How deep `\input` and macros may lie inside each other.
        expansions: Macros of the author that are expanded.
        seconds: Processor time of a reader that hands the file to a library.

    Example:
        >>> Limits(pages=3).pages
        3
    """

    bytes: int = 64 * 2**20
    pages: int = 400
    lines: int = 50_000
    characters: int = 1_500_000
    numbers: int = 10_000
    line: int = 20_000
    output: int = 20_000
    includes: int = 200
    depth: int = 12
    expansions: int = 50_000
    seconds: float = 30.0


_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DATA_URI = re.compile(r"data:[\w.+-]{1,40}/[\w.+-]{1,80}(?:;[\w=.-]{1,40}){0,4};base64,[\w+/=%-]*")
# A program that took `\r`, `\t`, ... of a command for an escape wrote the control character.
_LOST = re.compile(
    r"\r(?=(?:m|ight|ightarrow|ho|angle|ceil|floor|ef|ule|vert|Vert)(?![a-z])|m\{)"
    r"|\t(?=(?:imes|extbf|extit|exttt|heta|ilde)(?![a-z])|ext\{)"
    r"|\x0c(?=rac(?![a-z]))"
    r"|\x08(?=(?:eta|ar|egin|f|oldsymbol|igl|igr|ig|mod|inom|ullet)(?![a-z]))"
    r"|\x07(?=(?:lpha|pprox|st)(?![a-z]))"
    r"|\x0b(?=(?:ec|arepsilon|dots|ert|arphi)(?![a-z]))"
)
_LETTER = {"\r": "r", "\t": "t", "\x0c": "f", "\x08": "b", "\x07": "a", "\x0b": "v"}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


@record
class Text:
    r"""A text file, decoded.

    Attributes:
        path: As the user named it.
        sha256: Hex digest of the file.
        lines: Its lines, without their ends; form feeds (`\f`) are kept.
        problems: What could not be read.
    """

    path: str
    sha256: str
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...] = ()


def read_bytes(path: Path, limits: Limits) -> bytes:
    """Return the content of a file that is not larger than allowed.

    Raises:
        EvidenceError: It is missing, no file, too large or cannot be read.
    """
    try:
        state = path.stat()
        found, size = S_ISREG(state.st_mode), state.st_size
        content = path.read_bytes() if found and size <= limits.bytes else b""
    except (FileNotFoundError, NotADirectoryError):
        raise EvidenceError(
            f"{path} does not exist", remedy="name the file of the written report"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise EvidenceError(
            f"{path} cannot be read: {reason}", remedy="check the file and its permissions"
        ) from error
    if not found:
        raise EvidenceError(f"{path} is no file", remedy="name the file of the written report")
    if size > limits.bytes:
        raise EvidenceError(
            f"{path} has {size:,} bytes, more than the {limits.bytes:,} that are read",
            remedy="take embedded images and outputs out of the report",
        )
    return content


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()


def read_text(path: Path, limits: Limits, *, file: str = "") -> Text:
    """Return the lines of a text file.

    UTF-8, UTF-16 and UTF-32 with or without their marks, else Windows-1252, which is named
    as a problem. Commands that lost their backslash to an escape get it back.

    Args:
        path: The file.
        limits: How much is read.
        file: What places in it call it; empty for the report itself.

    Raises:
        EvidenceError: It cannot be read, or is no text.
    """
    content = read_bytes(path, limits)
    name = str(path)
    if not content.strip(b"\x00 \t\r\n\x0c"):
        raise EvidenceError(f"{name} holds no text", remedy="check that the export was complete")
    text, problems = decode(content, name)
    lines = tuple(lines_of(text, limits, problems, path=name, file=file))
    return Text(path=name, sha256=digest(content), lines=lines, problems=tuple(problems))


def decode(content: bytes, name: str) -> tuple[str, list[Problem]]:
    """Return a file's text and what the matter was with its encoding.

    Raises:
        EvidenceError: It is no text.
    """
    marked = next((pair for pair in _BOMS if content.startswith(pair[0])), (b"", ""))
    if encoding := marked[1] or _without_mark(content):
        return _checked(content[len(marked[0]) :].decode(encoding, "replace"), name), []
    try:
        return _checked(content.decode("utf-8"), name), []
    except UnicodeDecodeError as error:
        fault = error.start
    lenient = content.decode("utf-8", "replace")
    damaged = lenient.count("\ufffd")
    right = sum(char > "\x7f" for char in lenient) - damaged
    if right > damaged:
        problem = Problem(
            path=name,
            message=f"has {damaged} bytes that are no UTF-8; each is read as one unknown character",
            remedy="save the report as UTF-8",
            offset=fault,
        )
        return _checked(lenient, name), [problem]
    problem = Problem(
        path=name,
        message="is not UTF-8; it was read as Windows-1252, the extended Latin-1",
        remedy="save the report as UTF-8 if letters with accents look strange",
        offset=fault,
        level="note",
    )
    try:
        return _checked(content.decode("cp1252"), name), [problem]
    except UnicodeDecodeError:
        return _checked(content.decode("latin-1"), name), [problem]


def _without_mark(content: bytes) -> str:
    """Return the UTF-16 that a file without a byte order mark is in, or an empty text."""
    head = content[:4096]
    odd, even = head[1::2].count(0), head[::2].count(0)
    half = len(head) // 2
    if half > 4 and odd > half * 0.7 and even < half * 0.1:
        return "utf-16-le"
    if half > 4 and even > half * 0.7 and odd < half * 0.1:
        return "utf-16-be"
    return ""


def _checked(text: str, name: str) -> str:
    """Return a text, unless so many of its characters are none that it cannot be one."""
    head = text[:20_000]
    strange = len(_CONTROL.findall(head)) + head.count("\ufffd")
    if strange > 20 and strange > len(head) // 10:
        raise EvidenceError(
            f"{name} is no text file: {strange} of its first {len(head):,} characters are "
            "control codes",
            remedy="give the Markdown, LaTeX, PDF, notebook or text file of the report",
        )
    return text


def lines_of(
    text: str, limits: Limits, problems: list[Problem], *, path: str, file: str = ""
) -> Iterator[Line]:
    r"""Yield the lines of a text; `problems` gets what was cut off.

    Lines end in `\n` or `\r\n`, and in `\r` where a file has more of these than of the others.
    """
    text = text.replace("\r\n", "\n")
    if text.count("\r") > text.count("\n"):
        text = text.replace("\r", "\n")
    seen = 0
    parts = text.split("\n")
    for number, part in enumerate(parts, 1):
        if number > limits.lines or seen > limits.characters:
            problems.append(
                Problem(
                    path=path,
                    message=f"is longer than what is read: its last {len(parts) - number + 1:,} "
                    "lines were left out and not checked",
                    remedy="check the parts of the report one by one",
                )
            )
            return
        line = mended(Line(text=part, number=number, file=file))
        if len(line.text) > limits.line:
            line = cut(line, 0, limits.line)
            problems.append(
                Problem(
                    path=path,
                    message=f"line {number} has {len(part):,} characters; those behind "
                    f"{limits.line:,} were left out and not checked",
                    remedy="break the line",
                )
            )
        seen += len(line.text)
        yield line


def mended(line: Line) -> Line:
    r"""Return a line without embedded images, and with the backslashes that escapes ate.

    Example:
        >>> mended(Line(text="$N_{\rm emb}$", number=1)).text == r"$N_{\rm emb}$"
        True
    """
    if "base64," in line.text:
        line = replaced(line, _DATA_URI, lambda _: "data:")
    if _CONTROL.search(line.text) or "\t" in line.text or "\r" in line.text or "\f" in line.text:
        line = replaced(line, _LOST, lambda found: "\\" + _LETTER[found[0]])
        text = _CONTROL.sub(" ", line.text).replace("\r", " ")
        line = Line(text=text, number=line.number, file=line.file, columns=line.columns)
    return line


# One way in for every written report.

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
    # Two numbers have a character between them: a report of few characters has not too many.
    most = sum(len(line.text) // 2 + 1 for block in manuscript.blocks for line in block.lines)
    few = most <= limits.numbers
    kept: list[Block] = [*manuscript.blocks] if few else []
    problems: list[Problem] = []
    left = {False: limits.numbers, True: limits.numbers}
    for block in () if few else manuscript.blocks:
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
