"""LaTeX as one stream: its files, and text whose characters know where they come from."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from reportgen.read.documents._cut import column_of, cut, replaced
from reportgen.read.documents._read import Limits, Text, read_text
from reportgen.read.documents._vocabulary import BUILT_IN
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Block, Line
from reportgen.records.record import field, record, replace
from reportgen.records.source import Problem

# Text whose characters know where they come from, with brackets and environments matched.

_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_ENVIRONMENT = re.compile(r"\\\\|\\(begin|end)\s{0,3}\{([^{}\\]{1,60})\}")
_BLANKS = re.compile(r"[ \t]{0,200}\n?[ \t]{0,200}")


Group = tuple[int, int, int]
"""Start and end of what stands in brackets, and the position behind these."""


@record(kw_only=False)
class Origin:
    """The lines of a report, put behind each other.

    Attributes:
        lines: All of them.
        starts: Where each begins in the joined text.
        places: Of each character of it, in order: whoever takes these over is compared at once.
    """

    lines: Sequence[Line]
    starts: Sequence[int]
    places: Sequence[int]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Origin:
        """Put lines behind each other."""
        starts, at = [], 0
        for line in lines:
            starts.append(at)
            at += len(line.text) + 1
        return cls(lines, starts, [*range(at - 1)])

    def text(self) -> str:
        """Return the joined text."""
        return "\n".join(line.text for line in self.lines)

    def index(self, at: int) -> int:
        """Return which line a character stands in."""
        return max(0, bisect_right(self.starts, at) - 1)


@dataclass(frozen=True)
class Stream:
    """A text of which each character knows its place in the joined lines.

    Attributes:
        text: The characters.
        places: Where each comes from.
    """

    text: str
    places: Sequence[int]

    @cached_property
    def braces(self) -> dict[int, int]:
        """Where each opening brace is closed."""
        pairs: dict[int, int] = {}
        open_ones: list[int] = []
        for found in _BRACES.finditer(self.text):
            if found[0] == "{":
                open_ones.append(found.start())
            elif found[0] == "}" and open_ones:
                pairs[open_ones.pop()] = found.start()
        return pairs

    @cached_property
    def environments(self) -> dict[int, tuple[int, int]]:
        r"""Where the `\\end` of each `\\begin` begins and ends."""
        pairs: dict[int, tuple[int, int]] = {}
        open_ones: dict[str, list[int]] = {}
        for found in _ENVIRONMENT.finditer(self.text):
            if found[1] == "begin":
                open_ones.setdefault(found[2], []).append(found.start())
            elif found[1] == "end" and open_ones.get(found[2]):
                pairs[open_ones[found[2]].pop()] = found.span()
        return pairs

    def skip_blanks(self, at: int) -> int:
        """Return where the next character stands that is no blank; a blank line stops it."""
        found = _BLANKS.match(self.text, at)
        return found.end() if found else at

    def group(self, at: int) -> Group | None:
        """Return a `{group}` that begins at or behind `at`."""
        start = self.skip_blanks(at)
        end = self.braces.get(start)
        return None if end is None else (start + 1, end, end + 1)

    def behind_option(self, at: int) -> int:
        """Return the position behind an `[option]` that begins right at `at`, else `at`."""
        option = self.option(at) if self.text.startswith("[", at) else None
        return option[2] if option else at

    def option(self, at: int) -> Group | None:
        """Return the same of an `[option]`; braces in it may hold brackets."""
        start = self.skip_blanks(at)
        if not self.text.startswith("[", start):
            return None
        i, stop = start + 1, min(len(self.text), start + 2000)
        while i < stop:
            char = self.text[i]
            if char == "]":
                return start + 1, i, i + 1
            if char == "\\":
                i += 1
            elif char == "{":
                i = self.braces.get(i, stop)
            i += 1
        return None

    def token(self, at: int) -> Group | None:
        """Return the same of an argument: a group, else a command or one character."""
        found = self.group(at)
        if found is not None:
            return found
        start = self.skip_blanks(at)
        command = re.compile(r"\\[A-Za-z@]{1,60}|\\.|[^{}\s]", re.DOTALL).match(self.text, start)
        return (command.start(), command.end(), command.end()) if command else None


@record(kw_only=False, frozen=False)
class Ink:
    """Clean text that is being written, with the place of each character."""

    origin: Origin
    parts: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def keep(self, stream: Stream, start: int, end: int) -> None:
        """Take over a piece of a stream."""
        if start < end:
            self.parts.append(stream.text[start:end])
            self.places.extend(stream.places[start:end])

    def put(self, text: str, place: int) -> None:
        """Write a text that stands for a character of the report."""
        if text:
            self.parts.append(text)
            self.places.extend([place] * len(text))

    def last(self) -> str:
        """Return the character written last, or an empty text."""
        return self.parts[-1][-1:] if self.parts else ""

    def extend(self, other: Ink) -> None:
        """Take over what was written elsewhere."""
        self.parts.extend(other.parts)
        self.places.extend(other.places)

    def text(self) -> str:
        """Return what was written."""
        return "".join(self.parts)

    def lines(self) -> list[Line]:
        """Return what was written as lines of the report, blanks run together."""
        found: list[Line] = []
        text = self.text()
        start = 0
        while start < len(text):
            index = self.origin.index(self.places[start])
            end = self._end(text, start, index)
            line = self._line(text, start, end, index)
            if line.text:
                found.append(line)
            start = max(end, start + 1)
        return found

    def _end(self, text: str, start: int, index: int) -> int:
        """Return where what was written of one line of the source ends."""
        starts = self.origin.starts
        low, high = starts[index], starts[index + 1] if index + 1 < len(starts) else math.inf
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        places = self.places[start:end]
        if self._as_written(places) and places[-1] < high:
            return end
        outside = (at for at, place in enumerate(places, start) if not low <= place < high)
        return next(outside, end)

    def _as_written(self, places: Sequence[int]) -> bool:
        """Say whether characters stand in the report as they do here."""
        return bool(places) and places == self.origin.places[places[0] : places[0] + len(places)]

    def _line(self, text: str, start: int, end: int, index: int) -> Line:
        source, shift = self.origin.lines[index], self.origin.starts[index]
        written, places = text[start:end].replace("\t", " "), self.places[start:end]
        if "  " in written:
            doubled = {found.start() + 1 for found in _DOUBLED.finditer(written)}
            places = [place for at, place in enumerate(places) if at not in doubled]
            written = "".join(char for at, char in enumerate(written) if at not in doubled)
        shown = written.strip()
        lead = written.find(shown)
        places = places[lead : lead + len(shown)]
        if self._as_written(places) and places[0] == shift and not source.columns:
            return replace(source, text=shown)
        size = len(source.text)
        columns = tuple([column_of(source, min(place - shift, size)) for place in places])
        identity = columns == tuple(range(1, len(columns) + 1))
        return replace(source, text=shown, columns=() if identity else columns)


_NOWHERE = Origin((), (), ())
_DOUBLED = re.compile(" (?= )")
_COMMAND = re.compile(r"\\(?:([A-Za-z@]{1,60})\*?|.)", re.DOTALL)
_DEFINING = frozenset(
    {"newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "DeclareMathOperator"}
)
_DOCUMENT_COMMANDS = frozenset(
    f"{verb}DocumentCommand" for verb in ("New", "Renew", "Provide", "Declare")
)
_ENVIRONMENTS = frozenset({"newenvironment", "renewenvironment"})
_PARAMETER = re.compile(r"#([1-9])")
_CONDITION = re.compile(r"\\(fi|else|if[a-z]{0,20})(?![A-Za-z])")
# A command that measures lengths sets space; nothing of it is on the page.
_LAYOUT = re.compile(
    r"\\(?:ifdim|ifnum|dimexpr|numexpr|advance|hrule|vskip|hskip|kern)(?![A-Za-z])"
)
_DEF_PARAMETERS = re.compile(r"(?:#[1-9]){0,9}(?=\{)")


@record(kw_only=False)
class Macro:
    """One command of the author.

    Attributes:
        arguments: How many it takes.
        default: Text of its first one where that is optional, else None.
        body: What it stands for.
    """

    arguments: int
    default: str | None
    body: str


_UNITS = {
    # The option, the number and the unit of siunitx, numprint.
    **dict.fromkeys(("num", "tablenum", "numprint", "np", "si", "unit"), Macro(2, "", "#2")),
    **dict.fromkeys(("SI", "qty"), Macro(3, "", r"#2\,#3")),
    **dict.fromkeys(("SIrange", "qtyrange"), Macro(4, "", r"#2--#3\,#4")),
    "numrange": Macro(3, "", "#2--#3"),
}


@record(kw_only=False, frozen=False)
class Expander:
    """Puts commands in; knows those defined so far.

    Attributes:
        limits: How many, and how deep.
        macros: Name to command.
        count: Commands put in so far.
        size: Characters written so far.
        exhausted: Whether a limit was met.
        endless: Whether a condition was met that nothing closes.
    """

    limits: Limits
    macros: dict[str, Macro] = field(default_factory=lambda: dict(_UNITS))
    count: int = 0
    size: int = 0
    exhausted: bool = False
    endless: bool = False

    def expand(self, stream: Stream, depth: int = 0) -> Stream:
        """Return a stream in which the author's commands are replaced by what they stand for."""
        ink, at = Ink(_NOWHERE), 0
        for found in _COMMAND.finditer(stream.text):
            if found.start() < at or found[1] is None:
                continue
            end, replaced = self._meet(stream, found, depth)
            if end is None:
                continue
            ink.keep(stream, at, found.start())
            if replaced is not None:
                ink.keep(replaced, 0, len(replaced.text))
                self.size += len(replaced.text)
            at = end
        if not at:
            return stream
        ink.keep(stream, at, len(stream.text))
        return Stream(ink.text(), ink.places)

    def _meet(
        self, stream: Stream, found: re.Match[str], depth: int
    ) -> tuple[int | None, Stream | None]:
        """Return the position behind a command and what stands for it, or None to leave it."""
        name = found[1]
        if name == "iffalse":
            end = found.end() if self.endless else _behind_condition(stream, found.end())
            # Once one is never closed, none is looked for again.
            self.endless = end == found.end()
            return end, None
        if name in _DEFINING:
            return self._define(stream, found.end(), name), None
        if name in _DOCUMENT_COMMANDS:
            return self._define_document(stream, found.end()), None
        if name in {"def", "gdef", "edef", "xdef"}:
            return self._define_primitive(stream, found.end()), None
        if name == "let":
            return self._let(stream, found.end()), None
        if name in _ENVIRONMENTS:
            return _behind_environment(stream, found.end()), None
        macro = self.macros.get(name)
        if macro is None:
            return None, None
        # A star that the pattern took belongs to what follows the author's command.
        return self._use(stream, macro, found.start(), found.start() + 1 + len(name), depth)

    def _define(self, stream: Stream, at: int, name: str) -> int:
        target = stream.token(at)
        if target is None:
            return at
        at = target[2]
        count, default = 0, None
        if option := stream.option(at):
            digits = stream.text[option[0] : option[1]].strip()
            count = int(digits) if digits.isascii() and digits.isdigit() else 0
            at = option[2]
            if option := stream.option(at):
                default, at = stream.text[option[0] : option[1]], option[2]
        body = stream.token(at)
        if body is None:
            return at
        text = stream.text[body[0] : body[1]]
        if name == "DeclareMathOperator":
            text = f"\\operatorname{{{text}}}"
        self._learn(stream.text[target[0] : target[1]], Macro(min(count, 9), default, text))
        return body[2]

    def _define_document(self, stream: Stream, at: int) -> int:
        groups = []
        for _ in range(3):
            found = stream.token(at)
            if found is None:
                return at
            groups.append(stream.text[found[0] : found[1]])
            at = found[2]
        if set(groups[1].split()) <= {"m"}:
            self._learn(groups[0], Macro(min(len(groups[1].split()), 9), None, groups[2]))
        return at

    def _define_primitive(self, stream: Stream, at: int) -> int:
        target = stream.token(at)
        parameters = _DEF_PARAMETERS.match(stream.text, target[2]) if target else None
        body = stream.group(parameters.end()) if parameters else None
        if target is None or parameters is None or body is None:
            return at
        macro = Macro(len(parameters[0]) // 2, None, stream.text[body[0] : body[1]])
        self._learn(stream.text[target[0] : target[1]], macro)
        return body[2]

    def _let(self, stream: Stream, at: int) -> int:
        new = stream.token(at)
        if new is None:
            return at
        sign = stream.skip_blanks(new[2])
        old = stream.token(sign + stream.text.startswith("=", sign))
        if old is None:
            return at
        self._learn(stream.text[new[0] : new[1]], Macro(0, None, stream.text[old[0] : old[1]]))
        return old[2]

    def _learn(self, name: str, macro: Macro) -> None:
        bare = name.strip().lstrip("\\")
        if _LAYOUT.search(macro.body):
            macro = Macro(macro.arguments, macro.default, "")
        # What the reader itself understands keeps its meaning, however it is set.
        if bare.isascii() and bare.isalpha() and bare not in BUILT_IN and f"\\{bare}" != macro.body:
            self.macros[bare] = macro

    def _use(
        self, stream: Stream, macro: Macro, start: int, at: int, depth: int
    ) -> tuple[int | None, Stream | None]:
        limits = self.limits
        spent = self.count >= limits.expansions or self.size > limits.characters
        if spent or depth >= limits.depth:
            self.exhausted = True
            return at, None
        self.count += 1
        arguments: list[Stream] = []
        place = stream.places[start]
        for number in range(macro.arguments):
            if number == 0 and macro.default is not None:
                option = stream.option(at)
                if option is None:
                    arguments.append(Stream(macro.default, [place] * len(macro.default)))
                    continue
            else:
                option = stream.token(at)
            if option is None:
                return None, None
            first, last, at = option
            arguments.append(Stream(stream.text[first:last], stream.places[first:last]))
        return at, self.expand(_filled(macro.body, arguments, place), depth + 1)


def _filled(body: str, arguments: Sequence[Stream], place: int) -> Stream:
    """Return the body of a command with its arguments; they keep their places."""
    ink, at = Ink(_NOWHERE), 0
    for found in _PARAMETER.finditer(body):
        number = int(found[1]) - 1
        if number < len(arguments):
            ink.put(body[at : found.start()], place)
            ink.keep(arguments[number], 0, len(arguments[number].text))
            at = found.end()
    ink.put(body[at:], place)
    return Stream(ink.text(), ink.places)


def _behind_environment(stream: Stream, at: int) -> int:
    r"""Return the position behind a `\newenvironment`, which is not put in."""
    name = stream.group(at)
    if name is None:
        return at
    at = name[2]
    while option := stream.option(at):
        at = option[2]
    for _ in range(2):
        if group := stream.group(at):
            at = group[2]
    return at


def _behind_condition(stream: Stream, at: int) -> int:
    r"""Return the position behind the `\else` or `\fi` of a condition that does not hold."""
    depth = 1
    for found in _CONDITION.finditer(stream.text, at):
        if found[1] == "fi":
            depth -= 1
        elif found[1] == "else":
            depth -= depth == 1
        else:
            depth += 1
        if depth == 0:
            return found.end()
    return at


# The files of a LaTeX report as one stream of lines: `\input` followed, comments cut off.

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
