r"""The files of a LaTeX report as one stream of lines: `\input` followed, comments cut off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from reportgen.read.documents._cut import column_of, cut, replaced
from reportgen.read.documents._source import Limits, Text, read_text
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Block, Line
from reportgen.records.record import field, record, replace
from reportgen.records.source import Problem

_COMMENT = re.compile(r"\\(?:verb|lstinline)\*?([^A-Za-z\s*{\[]).{0,500}?\1|\\.|%")
_INPUT = re.compile(
    r"\\(?:input|include|subfile|subfileinclude|loadglsentries)\s?\{\s?([^{}\\]{1,300}?)\s?\}"
    r"|\\input\s{1,3}([^\s{}\\%]{1,300})"
    r"|\\(?:sub)?(?:import|inputfrom|includefrom)\*?\s?\{([^{}\\]{0,300})\}\s?\{([^{}\\]{1,300})\}"
)
_DEFINES = re.compile(r"\\(?:re|provide)?(?:newcommand|def)\b|\\DeclareRobustCommand\b")
_LISTING = re.compile(
    r"\\begin\s?\{(verbatim\*?|Verbatim\*?|BVerbatim|LVerbatim|lstlisting|minted|alltt|pyverbatim"
    r"|comment|filecontents\*?)\}"
)
_UNSEEN = frozenset({"comment", "filecontents", "filecontents*"})
_BEGIN_DOCUMENT = re.compile(r"\\begin\s?\{document\}")
_END_DOCUMENT = re.compile(r"\\end\s?\{document\}|\\endinput\b")

Piece = Line | Block

MARK = "\ue000"
"""Stands for a listing among the lines; from Unicode's private area."""


@record(kw_only=False, frozen=False)
class TexFiles:
    r"""A report with the files it brings in.

    Attributes:
        folder: Folder of the report; nothing above it is read.
        limits: How much is read.
        problems: Files that could not be followed.
        pieces: Lines without comments, and listings, in reading order.
        count: Files brought in so far.
        characters: Characters read so far.
        full: Whether the report is longer than what is read.
        begun: Whether the document has begun, so that a missing file is missed in it.
        text: The report's own file.
    """

    folder: Path
    limits: Limits
    problems: list[Problem] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    count: int = 0
    characters: int = 0
    full: bool = False
    begun: bool = False

    def read(self, path: Path) -> Text:
        """Read the report and all it brings in."""
        text = read_text(path, self.limits)
        self.problems.extend(text.problems)
        self._take(text.lines, str(path), (str(path.resolve()),))
        return text

    def _take(self, lines: Sequence[Line], name: str, above: tuple[str, ...]) -> None:
        """Take the lines of one file."""
        at = 0
        while at < len(lines) and not self._is_full(name):
            line = lines[at]
            found = _LISTING.search(line.text)
            before = _COMMENT.finditer(line.text[: found.start()]) if found else ()
            if found and all(sign[0] != "%" for sign in before):
                at = self._take_listing(lines, at, found)
                continue
            at += 1
            bare = uncommented(line)
            if bare is None:
                continue
            self.characters += len(bare.text) + 1
            self.begun = self.begun or _is_begin(bare)
            ended = _END_DOCUMENT.search(bare.text)
            self._follow(cut(bare, 0, ended.start()) if ended else bare, name, above)
            if ended:
                return

    def _is_full(self, name: str) -> bool:
        if self.characters <= self.limits.characters and len(self.pieces) <= self.limits.lines:
            return False
        if not self.full:
            self.tell(
                name,
                "and the files it brings in are longer than what is read; the rest is not checked",
                "check its chapters one by one",
            )
        self.full = True
        return True

    def _take_listing(self, lines: Sequence[Line], at: int, found: re.Match[str]) -> int:
        """Take a listing as it stands; return the index behind it."""
        close = f"\\end{{{found[1]}}}"
        before, first = cut(lines[at], 0, found.start()), cut(lines[at], found.end())
        if before.text.strip():
            self.pieces.append(before)
        kept: list[Line] = []
        i = at
        while i < len(lines):
            line = first if i == at else lines[i]
            end = line.text.find(close)
            kept.append(line if end < 0 else cut(line, 0, end))
            if end >= 0:
                break
            i += 1
        options = kept[0].text.strip()
        if not options or options[0] in "[{":
            kept[0] = cut(kept[0], 0, 0)
        shown = tuple(line for line in kept if line.text.strip())
        if shown and found[1] not in _UNSEEN:
            self.pieces.append(Block(type="code", lines=shown))
        self.characters += sum(len(line.text) for line in shown)
        return i + 1

    def _follow(self, line: Line, name: str, above: tuple[str, ...]) -> None:
        """Take a line, and in place of each command that brings in a file, that file."""
        start = 0
        for found in () if _DEFINES.search(line.text) else _INPUT.finditer(line.text):
            self.pieces.append(cut(line, start, found.start()))
            start = found.end()
            wanted = found[1] or found[2] or f"{found[3]}/{found[4]}".lstrip("/")
            self._include(wanted, line, name, above)
        self.pieces.append(cut(line, start) if start else line)

    def _include(self, wanted: str, line: Line, name: str, above: tuple[str, ...]) -> None:
        where = f"line {line.number} brings in {wanted!r}, which"
        self.count += 1
        if self.count > self.limits.includes:
            if self.count == self.limits.includes + 1:
                self.tell(name, f"{where} is one of too many", "bring in fewer files")
            return
        path = self._find(wanted, line.file)
        if path is None:
            inside = "look for it below the report's folder"
            self.tell(
                name,
                f"{where} was not found there",
                inside,
                level="warning" if self.begun else "note",
            )
            return
        if not path.resolve().is_relative_to(self.folder.resolve()):
            self.tell(name, f"{where} lies outside the report's folder", "put it beside the report")
            return
        key = str(path.resolve())
        if key in above:
            self.tell(name, f"{where} brings in itself", "take the command out")
        elif len(above) > self.limits.depth:
            self.tell(name, f"{where} lies too deep", "bring it in from the report itself")
        else:
            self._read_below(path, (*above, key), name, where)

    def _read_below(self, path: Path, above: tuple[str, ...], name: str, where: str) -> None:
        below = path.resolve().relative_to(self.folder.resolve()).as_posix()
        try:
            text = read_text(path, self.limits, file=below)
        except EvidenceError as error:
            if path.stat().st_size:
                self.tell(name, f"{where} cannot be read: {error.message}", error.remedy)
            return
        self.problems.extend(text.problems)
        # A chapter that can be set alone has a preamble of its own.
        begins = next((i for i, line in enumerate(text.lines) if _is_begin(line)), -1)
        self._take(text.lines[begins + 1 :], below, above)

    def _find(self, wanted: str, inside: str) -> Path | None:
        """Return the file that a command names: from the report's folder, or its own file's."""
        for folder in dict.fromkeys((self.folder, self.folder / Path(inside).parent)):
            for name in (f"{wanted}.tex", wanted):
                try:
                    if (folder / name).is_file():
                        return folder / name
                except (OSError, ValueError):
                    continue
        return None

    def tell(self, name: str, message: str, remedy: str, level: str = "warning") -> None:
        """Name a problem, at most a hundred."""
        if len(self.problems) < 100:
            self.problems.append(Problem(path=name, message=message, remedy=remedy, level=level))


def _is_begin(line: Line) -> bool:
    return _BEGIN_DOCUMENT.search(line.text) is not None


def uncommented(line: Line) -> Line | None:
    r"""Return a line without its comment; None where it holds nothing else.

    Example:
        >>> uncommented(Line(text=r"80 \% % not 81", number=1)).text
        '80 \\% '
    """
    if "%" not in line.text:
        return line
    for found in _COMMENT.finditer(line.text):
        if found[0] == "%":
            rest = cut(line, 0, found.start())
            return rest if rest.text.strip() else None
    return line


def with_marks(pieces: Sequence[Piece]) -> tuple[list[Line], dict[int, Block]]:
    """Return the lines, one with a mark for each listing, and the listings by their line."""
    lines: list[Line] = []
    listings: dict[int, Block] = {}
    for piece in pieces:
        if isinstance(piece, Block):
            first = piece.lines[0]
            listings[len(lines)] = piece
            lines.append(replace(first, text=MARK, columns=(column_of(first, 0),)))
        elif MARK in piece.text:
            lines.append(replaced(piece, re.compile(MARK), lambda _: " "))
        else:
            lines.append(piece)
    return lines, listings
