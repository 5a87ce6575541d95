"""From what an engine says to the template, the block and the value behind it.

An engine knows lines of a generated source, and of some faults not even that: an unescaped `%`
in a caption swallows the rest of the file. Comment lines in the source say where each block
begins; where no line is known, prefixes of the source are tried until the first block that
fails is found, and then its values, each spelled as it should be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import TemplateError
from reportgen.records.document import BLOCK_KINDS, Block, Report, walk
from reportgen.render._environment import packaged_templates
from reportgen.render._faults import SourceError
from reportgen.render._limits import LIMITS, SearchEndedError
from reportgen.render._suspects import RAW, TAG, Suspect, raw_literals, unescaped_values

_MARKER = re.compile(r"(?:%%|// )rg (\S+) (\S+)")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_VARIABLE = re.compile(r"unknown variable: (\S+)")
_END = {"latex": "\n\\end{document}\n", "typst": "\n"}
_TAKE_BACK = "mend the template, or remove it to get the packaged one back"
_OWN_RAW = "the template prints this text with |raw; mend it, or drop |raw"
_UNFOUND = (
    "the search for its block was ended after {:.0f} seconds; look into the templates "
    "that were changed, for an endless loop too"
)
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
class Scene:
    """What is looked into.

    Attributes:
        engine: `latex` or `typst`.
        main: Name of the source.
        lines: Its lines.
        folders: Template folders of the user's, the first one first.
        escape: Spells a plain string in the format.
        fails: Says whether the engine refuses a source; raises `SearchEndedError`.
    """

    engine: str
    main: str
    lines: Sequence[str]
    folders: tuple[Path, ...]
    escape: Callable[[str], str]
    fails: Callable[[str], bool]

    def prefix(self, piece: Piece, replaced: Sequence[Suspect] = ()) -> str:
        """Return the source up to the end of a piece, some texts mended."""
        lines = list(self.lines[: piece.stop])
        for suspect in replaced:
            lines[suspect.line] = suspect.mend(lines[suspect.line])
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
    try:
        piece = _guilty(fault, scene, pieces)
    except SearchEndedError:
        return _letter(fault, _UNFOUND.format(LIMITS.search_seconds), {"output": scene.main})
    path, own = scene.path(piece.template)
    template = _read(path)
    named = _first_guilty(scene, piece, template)
    line = named[0].line if named else _line(fault, piece)
    template_line, raw = _template_line(template, fault, scene, line, named)
    details = {
        "block": piece.block,
        "template": f"{path}:{template_line}" if template_line else path,
        "value": "; ".join(suspect.told for suspect in named),
        "output": f"{scene.main}:{line + 1}",
    }
    hint = fault.remedy if fault.limited else _TAKE_BACK
    if named and raw:
        own_text = bool(named[0].template_line)
        hint = _OWN_RAW if own_text else "the template prints this value with |raw; drop |raw"
    elif not own and not named:
        hint = f"look into the templates that were changed; {_TAKE_BACK}"
    return _letter(fault, hint, details)


def _letter(fault: SourceError, hint: str, details: Mapping[str, str]) -> TemplateError:
    program = "pdflatex" if fault.engine == "latex" else "typst"
    message = fault.reason if fault.limited else f"{fault.reason} ({program})"
    return TemplateError(message, remedy=hint, stage=fault.engine, details=details)


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


def _first_guilty(scene: Scene, piece: Piece, template: Sequence[str]) -> list[Suspect]:
    """Return the texts without which a piece is accepted, the first of them first."""
    at = range(piece.start, piece.stop)
    values = unescaped_values(scene.engine, scene.escape, scene.lines, at, piece.record)
    packaged = _read(str(packaged_templates() / scene.engine / piece.template))
    try:
        return _first_value(scene, piece, sorted(values, key=lambda suspect: suspect.line)) or (
            _literal(scene, piece, list(raw_literals(template, packaged, scene.lines, at)))
        )
    except SearchEndedError:
        return []


def _first_value(scene: Scene, piece: Piece, values: list[Suspect]) -> list[Suspect]:
    """Return the values from the first on that has to be mended.

    With the first `n` values left as they are and the others mended, the piece fails from some
    `n` on.
    """
    if not values or scene.fails(scene.prefix(piece, values)):
        return []
    low, high = 1, len(values)
    while low < high:
        middle = (low + high) // 2
        if scene.fails(scene.prefix(piece, values[middle:])):
            high = middle
        else:
            low = middle + 1
    return values[low - 1 : low - 1 + _SHOWN]


def _literal(scene: Scene, piece: Piece, literals: list[Suspect]) -> list[Suspect]:
    """Return where the first literal stands without which, everywhere, the piece is accepted."""
    for number in dict.fromkeys(suspect.template_line for suspect in literals):
        together = [suspect for suspect in literals if suspect.template_line == number]
        if not scene.fails(scene.prefix(piece, together)):
            return together[:1]
    return []


def _line(fault: SourceError, piece: Piece) -> int:
    """Return the index of the line to look at: the engine's, if it lies in the piece."""
    at = (fault.line or 0) - 1
    return at if piece.start <= at < piece.stop else piece.start


def _template_line(
    lines: Sequence[str], fault: SourceError, scene: Scene, line: int, named: Sequence[Suspect]
) -> tuple[int, bool]:
    """Return the line of a template that is the likeliest source, and whether it says `|raw`.

    That is the one that holds a text that is named, one with `|raw` where a value is, else one
    with the command or the variable that the engine names, else the one whose own text is most
    like the line of the output.
    """
    if named and named[0].template_line:
        return named[0].template_line, True
    raw = [i for i, text in enumerate(lines) if RAW.search(text)]
    if named and raw:
        return max(raw, key=lambda i: _likeness(lines[i], scene.lines[line])) + 1, True
    if not lines:
        return 0, False
    commands = _COMMAND.findall(fault.reason) + _VARIABLE.findall(fault.reason)
    for index, text in enumerate(lines):
        if any(command in text for command in commands):
            return index + 1, False
    best = max(range(len(lines)), key=lambda i: _likeness(lines[i], scene.lines[line]))
    return (best + 1 if _likeness(lines[best], scene.lines[line]) else 0), False


def _read(path: str) -> list[str]:
    """Return the lines of a template; none where it cannot be read."""
    try:
        return Path(path).read_text("utf-8", "replace").split("\n")
    except OSError:
        return []


def _likeness(template: str, output: str) -> int:
    """Return how much of a template line's own text stands in a line of the output."""
    parts = [part.strip() for part in TAG.split(template)]
    return sum(len(part) for part in parts if len(part) > 1 and part in output)
