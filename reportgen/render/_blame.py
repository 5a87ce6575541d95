"""From what an engine says to the template, the block and the value behind it.

An engine knows lines of a generated source, and of some faults not even that: an unescaped `%`
in a caption swallows the rest of the file. Comment lines in the source say where each block
begins; where no line is known, it is the first block of a template of the user's, before all one
with a value that stands in the source as nothing spelled it. Such values are named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.records.document import BLOCK_KINDS, Block, Code, Mark, Report, Text, inlines, walk
from reportgen.records.document import texts as texts_of
from reportgen.records.errors import TemplateError
from reportgen.render._context import packaged_templates
from reportgen.render._limits import SourceError
from reportgen.render._templates import shorten

_MARKER = re.compile(r"(?:%%|// )rg (\S+) (\S+)")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_VARIABLE = re.compile(r"unknown variable: (\S+)")
_RAW = re.compile(r"\|\s*raw\b")
_TAG = re.compile(r"<%.*?%>", re.DOTALL)
_SPECIAL = {"latex": "%&_#{}\\^~$", "typst": "#$*_[]<>@\\`"}
_COMMENT = {"latex": "%", "typst": "//"}
_TAKE_BACK = "mend the template, or remove it to get the packaged one back"
_DROP_RAW = "the template prints this text with |raw; drop |raw, or mend the text"
_LOOK = "look into the templates that were changed"
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _Piece:
    """The lines of a source that one template made for one block, or for the report."""

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
    """

    engine: str
    main: str
    lines: Sequence[str]
    folders: tuple[Path, ...]
    escape: Callable[[str], str]

    def path(self, template: str) -> tuple[str, bool]:
        """Return where a template lies, and whether it is the user's."""
        for folder in self.folders:
            if (path := folder / self.engine / template).is_file():
                return str(path), True
        return str(packaged_templates() / self.engine / template), False


def blame(fault: SourceError, scene: Scene, report: Report) -> TemplateError:
    """Return the letter on a fault of a source that templates of the user's had a part in."""
    program = "pdflatex" if scene.engine == "latex" else "typst"
    message = fault.reason if fault.limited else f"{fault.reason} ({program})"
    piece = _guilty(fault, scene, _cut(scene.lines, report))
    if piece is None:
        details = {"output": scene.main}
        return TemplateError(message, remedy=_LOOK, stage=scene.engine, details=details)
    path, own = scene.path(piece.template)
    template, raw = _read(path), _raw_lines(scene, piece)
    # Without |raw, no template can print a value as it stands.
    values = list(_unescaped(scene, piece))[:_SHOWN] if raw else []
    at = (fault.line or 0) - 1
    line = values[0][1] if values else at if piece.start <= at < piece.stop else piece.start
    of_template = _template_line(template, raw, fault, scene.lines[line])
    remedy = fault.remedy if fault.limited else _TAKE_BACK
    if values or (raw and of_template - 1 in raw):
        remedy = _DROP_RAW
    elif not own:
        remedy = f"{_LOOK}; {_TAKE_BACK}"
    details = {
        "block": piece.block,
        "template": f"{path}:{of_template}" if of_template else path,
        "value": "; ".join(told for told, _ in values),
        "output": f"{scene.main}:{line + 1}",
    }
    return TemplateError(message, remedy=remedy, stage=scene.engine, details=details)


def _cut(lines: Sequence[str], report: Report) -> list[_Piece]:
    """Return the pieces of a source in order; what stands before the first block is `report.j2`."""
    marks = [(i, m[1], m[2]) for i, line in enumerate(lines) if (m := _MARKER.match(line))]
    blocks = list(walk(report.sections))
    names = [block.id or BLOCK_KINDS[type(block)] for block in blocks]
    pieces = [_Piece("report", "report.j2", 0, marks[0][0] if marks else len(lines), report)]
    stops = [*(mark[0] for mark in marks[1:]), len(lines)]
    for number, ((start, name, template), stop) in enumerate(zip(marks, stops, strict=True)):
        record: Block | Report = report
        if len(marks) == len(blocks):
            record = blocks[number]
        elif name in names:
            record = blocks[names.index(name)]
        pieces.append(_Piece(name, template, start, stop, record))
    return pieces


def _guilty(fault: SourceError, scene: Scene, pieces: Sequence[_Piece]) -> _Piece | None:
    """Return the piece whose fault it is: by the line, else one of a template of the user's."""
    found, before = None, pieces
    if fault.line is not None:
        before = [piece for piece in pieces if piece.start < fault.line] or pieces[:1]
        found = before[-1]
        # TeX may notice in one block what another one left open.
        if scene.engine != "latex" or scene.path(found.template)[1]:
            return found
    own = [piece for piece in before if scene.path(piece.template)[1]]
    told = (p for p in own if _raw_lines(scene, p) and any(_unescaped(scene, p)))
    return next(told, own[0] if own else found)


def _raw_lines(scene: Scene, piece: _Piece) -> list[int]:
    """Return the lines of a template, from 0, that print raw what the packaged one does not."""
    packaged = set(_read(str(packaged_templates() / scene.engine / piece.template)))
    lines = _read(scene.path(piece.template)[0])
    return [i for i, text in enumerate(lines) if _RAW.search(text) and text not in packaged]


def _unescaped(scene: Scene, piece: _Piece) -> Iterator[tuple[str, int]]:
    """Yield each value of a block that stands in its lines as it is, though it holds signs."""
    for value, name in {value: name for name, value in _values(piece.record)}.items():
        signs = dict.fromkeys(c for c in value if c in _SPECIAL[scene.engine])
        if not signs or scene.escape(value) == value:
            continue
        # Not where it is the text of a string literal, as in Typst.
        bare = re.compile(rf'(?<!"){re.escape(value)}')
        for index in range(piece.start, piece.stop):
            text = scene.lines[index]
            if bare.search(text) and not text.lstrip().startswith(_COMMENT[scene.engine]):
                yield f"{name}{shorten(value)!r} contains unescaped {' '.join(signs)}", index
                break


def _values(block: Block | Report) -> Iterator[tuple[str, str]]:
    """Yield every text of a block, not of its children, behind the name of its field."""
    for field in ("title", "alt", "text"):
        value = getattr(block, field, "")
        lines = value.split("\n") if isinstance(value, str) else ()
        yield from ((f"{field} = ", line) for line in lines)
    if isinstance(block, Report):
        yield from (("authors = ", author) for author in block.authors)
        yield from (("abstract = ", value) for value in _plain(block.abstract))
    else:
        yield from (("", value) for text in texts_of(block) for value in _plain(text))


def _plain(text: Text) -> Iterator[str]:
    for node in inlines(text):
        match node:
            case str():
                yield node
            case Code(words) | Mark(words):
                yield words


def _template_line(
    lines: Sequence[str], raw: Sequence[int], fault: SourceError, output: str
) -> int:
    """Return the line of a template that is the likeliest source, from 1; 0 for none.

    That is one with `|raw`, else one with the command or the variable that the engine names, else
    the one whose own text is most like the line of the output.
    """
    if raw:
        return max(raw, key=lambda i: _likeness(lines[i], output)) + 1
    commands = _COMMAND.findall(fault.reason) + _VARIABLE.findall(fault.reason)
    for index, text in enumerate(lines):
        if any(command in text for command in commands):
            return index + 1
    best = max(range(len(lines)), key=lambda i: _likeness(lines[i], output), default=-1)
    return best + 1 if best >= 0 and _likeness(lines[best], output) else 0


def _likeness(template: str, output: str) -> int:
    """Return how much of a template line's own text stands in a line of the output."""
    parts = [part.strip() for part in _TAG.split(template)]
    return sum(len(part) for part in parts if len(part) > 1 and part in output)


def _read(path: str) -> list[str]:
    """Return the lines of a template; none where it cannot be read."""
    try:
        return Path(path).read_text("utf-8", "replace").split("\n")
    except OSError:
        return []
