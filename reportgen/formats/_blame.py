"""From what an engine says to the template, the block and the value behind it.

An engine knows lines of a generated source, and of some faults not even that: an unescaped `%`
in a caption swallows the rest of the file. Comment lines in the source say where each block
begins; where no line is known, prefixes of the source are tried until the first block that
fails is found, and then its values, each spelled as it should be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import TemplateError
from reportgen.formats._environment import packaged_templates
from reportgen.formats._faults import SourceError
from reportgen.formats._template_faults import shorten
from reportgen.formats._values import values_of
from reportgen.records.document import BLOCK_KINDS, Block, Report, walk

_MARKER = re.compile(r"(?:%%|// )rg (\S+) (\S+)")
_RAW = re.compile(r"\|\s*raw\b")
_TAG = re.compile(r"<%.*?%>", re.DOTALL)
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_SPECIAL = {"latex": "%&_#{}\\^~$", "typst": "#$*_[]<>@\\`"}
_COMMENT = {"latex": "%", "typst": "//"}
_END = {"latex": "\n\\end{document}\n", "typst": "\n"}
_TAKE_BACK = "mend the template, or remove it to get the packaged one back"
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """The lines of a source that one template made for one block.

    Attributes:
        block: Id or kind of the block; `report` before the first.
        template: Name of the template.
        start: Index of its first line.
        stop: Index behind its last.
        record: The block, or the report itself.
    """

    block: str
    template: str
    start: int
    stop: int
    record: Block | Report


@dataclass(frozen=True, slots=True)
class Suspect:
    """A value that stands in the source without the spelling of its format."""

    name: str
    value: str
    characters: str
    line: int


@dataclass(frozen=True, slots=True)
class Scene:
    """What is looked into.

    Attributes:
        engine: `latex` or `typst`.
        main: Name of the source.
        lines: Its lines.
        folders: Template folders of the user's, the first one first.
        escape: Spells a plain string in the format.
        fails: Says whether the engine refuses a source.
    """

    engine: str
    main: str
    lines: Sequence[str]
    folders: tuple[Path, ...]
    escape: Callable[[str], str]
    fails: Callable[[str], bool]

    def prefix(self, piece: Piece, replaced: Sequence[Suspect] = ()) -> str:
        """Return the source up to the end of a piece, some values in their right spelling."""
        lines = list(self.lines[: piece.stop])
        for suspect in replaced:
            pieces = _bare(suspect.value).split(lines[suspect.line])
            lines[suspect.line] = self.escape(suspect.value).join(pieces)
        return "\n".join(lines) + _END[self.engine]

    def path(self, template: str) -> tuple[str, bool]:
        """Return where a template lies, and whether it is the user's."""
        for folder in self.folders:
            if (path := folder / self.engine / template).is_file():
                return str(path), True
        return str(packaged_templates() / self.engine / template), False


def blame(fault: SourceError, scene: Scene, report: Report) -> TemplateError:
    """Return the letter on a fault of a source that templates of the user's had a part in."""
    pieces = cut(scene.lines, report)
    piece = _guilty(fault, scene, pieces)
    suspects = _suspects(scene, piece)
    named = _first_guilty(scene, piece, suspects)
    line = named[0].line if named else _line(fault, piece)
    path, own = scene.path(piece.template)
    template_line, raw = _template_line(path, fault, scene, line, bool(named))
    details = {
        "block": piece.block,
        "template": f"{path}:{template_line}" if template_line else path,
        "value": "; ".join(_told(suspect) for suspect in named[:_SHOWN]),
        "output": f"{scene.main}:{line + 1}",
    }
    program = "pdflatex" if fault.engine == "latex" else "typst"
    limited = fault.reason.startswith(program)
    hint = fault.remedy if limited else _TAKE_BACK
    if named and raw:
        hint = "the template prints this value with |raw; drop |raw"
    return TemplateError(
        fault.reason if limited else f"{fault.reason} ({program})",
        remedy=hint if own or named else f"look into the templates that were changed; {_TAKE_BACK}",
        stage=fault.engine,
        details=details,
    )


def cut(lines: Sequence[str], report: Report) -> list[Piece]:
    """Return the pieces of a source in order; what stands before the first block is `report.j2`."""
    marks = [(i, m[1], m[2]) for i, line in enumerate(lines) if (m := _MARKER.match(line))]
    blocks = list(walk(report.sections))
    names = [block.id or BLOCK_KINDS[type(block)] for block in blocks]
    paired = len(marks) == len(blocks)
    pieces = [Piece("report", "report.j2", 0, marks[0][0] if marks else len(lines), report)]
    stops = [*(mark[0] for mark in marks[1:]), len(lines)]
    for number, ((start, name, template), stop) in enumerate(zip(marks, stops, strict=True)):
        record: Block | Report = report
        if paired:
            record = blocks[number]
        elif name in names:
            record = blocks[names.index(name)]
        pieces.append(Piece(name, template, start, stop, record))
    return pieces


def _guilty(fault: SourceError, scene: Scene, pieces: Sequence[Piece]) -> Piece:
    """Return the piece whose fault it is: by the line, else by trying prefixes."""
    if fault.line is not None:
        at = fault.line - 1
        found = next((p for p in reversed(pieces) if p.start <= at), pieces[0])
        own = scene.path(found.template)[1]
        # TeX may notice in one block what another one left open.
        if own or scene.engine != "latex":
            return found
    low, high = 0, len(pieces) - 1
    while low < high:
        middle = (low + high) // 2
        if scene.fails(scene.prefix(pieces[middle])):
            high = middle
        else:
            low = middle + 1
    return pieces[low]


def _suspects(scene: Scene, piece: Piece) -> list[Suspect]:
    """Return the values of a piece that stand in it unescaped, in the order of the lines."""
    special = _SPECIAL[scene.engine]
    found: dict[tuple[int, str], Suspect] = {}
    for name, value in values_of(piece.record):
        characters = "".join(dict.fromkeys(c for c in value if c in special))
        if not characters or scene.escape(value) == value:
            continue
        bare = _bare(value)
        for index in range(piece.start, piece.stop):
            line = scene.lines[index]
            if bare.search(line) and not line.lstrip().startswith(_COMMENT[scene.engine]):
                found.setdefault((index, value), Suspect(name, value, characters, index))
    return sorted(found.values(), key=lambda suspect: suspect.line)


def _bare(value: str) -> re.Pattern[str]:
    """Return what finds a value where it is not the text of a string literal, as in Typst."""
    return re.compile(rf'(?<!"){re.escape(value)}')


def _first_guilty(scene: Scene, piece: Piece, suspects: list[Suspect]) -> list[Suspect]:
    """Return the values without which the piece is accepted, the first of them first.

    With the first `n` values left as they are and the others spelled right, the piece fails
    from some `n` on: that value is the first that has to be mended.
    """
    if not suspects or scene.fails(scene.prefix(piece, suspects)):
        return []
    low, high = 1, len(suspects)
    while low < high:
        middle = (low + high) // 2
        if scene.fails(scene.prefix(piece, suspects[middle:])):
            high = middle
        else:
            low = middle + 1
    return suspects[low - 1 : low - 1 + _SHOWN]


def _line(fault: SourceError, piece: Piece) -> int:
    """Return the index of the line to look at: the engine's, if it lies in the piece."""
    at = (fault.line or 0) - 1
    return at if piece.start <= at < piece.stop else piece.start


def _told(suspect: Suspect) -> str:
    signs = " ".join(suspect.characters)
    return f"{suspect.name} = {shorten(suspect.value)!r} contains unescaped {signs}"


def _template_line(
    path: str, fault: SourceError, scene: Scene, line: int, named: bool
) -> tuple[int, bool]:
    """Return the line of a template that is the likeliest source, and whether it says `|raw`.

    That is one with `|raw` where a value is named, else one with the command that the engine
    names, else the one whose own text is most like the line of the output.
    """
    try:
        lines = Path(path).read_text("utf-8", "replace").split("\n")
    except OSError:
        return 0, False
    if named:
        raw = [i for i, text in enumerate(lines) if _RAW.search(text)]
        if raw:
            return max(raw, key=lambda i: _likeness(lines[i], scene.lines[line])) + 1, True
    commands = _COMMAND.findall(fault.reason)
    for index, text in enumerate(lines):
        if any(command in text for command in commands):
            return index + 1, False
    best = max(range(len(lines)), key=lambda i: _likeness(lines[i], scene.lines[line]))
    return (best + 1 if _likeness(lines[best], scene.lines[line]) else 0), False


def _likeness(template: str, output: str) -> int:
    """Return how much of a template line's own text stands in a line of the output."""
    parts = [part.strip() for part in _TAG.split(template)]
    return sum(len(part) for part in parts if len(part) > 1 and part in output)
