"""From what an engine says to the template, the block and the value behind it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import TemplateError
from reportgen.records.document import (
    BLOCK_KINDS,
    Block,
    Bullets,
    Code,
    Figure,
    Listing,
    Mark,
    Paragraph,
    References,
    Report,
    Section,
    Table,
    Text,
    inlines,
    walk,
)
from reportgen.render._inline import items_of
from reportgen.render._limits import LIMITS, SearchEndedError, SourceError
from reportgen.render._templates import packaged_templates, shorten


def values_of(block: Block | Report) -> Iterator[tuple[str, str]]:
    """Yield every text of a block (not of its children) with its name.

    Example:
        >>> from reportgen.records.document import TableRow
        >>> row = TableRow(cells=(("50% done",), (Code("a_b"),)))
        >>> dict(values_of(Table(id="t", caption=("C",), columns=(), rows=(row,))))["caption"]
        'C'
        >>> [n for n, _ in values_of(Table(id="t", caption=(), columns=(), rows=(row,)))]
        ['id', 'rows[0].cells[0]', 'rows[0].cells[1]']
    """
    match block:
        case Report():
            yield "title", block.title
            yield from (("authors", author) for author in block.authors)
            yield from _named("abstract", block.abstract)
            return
        case Section():
            yield "title", block.title
        case Paragraph():
            yield from _named("text", block.text)
        case Bullets():
            yield from _of_list(block)
        case Table():
            yield from _of_table(block)
            return
        case Figure():
            yield "alt", block.alt
            yield from _named("caption", block.caption)
        case Listing():
            yield from _named("caption", block.caption)
            yield from (("text", line) for line in block.text.split("\n"))
        case References():
            for index, entry in enumerate(block.entries):
                yield f"entries[{index}].url", entry.url
                yield from _named(f"entries[{index}].text", entry.text)
    yield "id", block.id


def _of_list(block: Bullets, within: str = "") -> Iterator[tuple[str, str]]:
    for index, (item, below) in enumerate(items_of(block)):
        name = f"{within}items[{index}]"
        yield from _named(name, item)
        for number, inner in enumerate(below):
            yield from _of_list(inner, f"{name}.inner[{number}].")


def _of_table(table: Table) -> Iterator[tuple[str, str]]:
    yield "id", table.id
    yield from _named("caption", table.caption)
    for index, column in enumerate(table.columns):
        yield from _named(f"columns[{index}].title", column.title)
    for number, row in enumerate(table.rows):
        for index, cell in enumerate(row.cells):
            yield from _named(f"rows[{number}].cells[{index}]", cell)
    for index, note in enumerate(table.notes):
        yield from _named(f"notes[{index}]", note)


def _named(name: str, text: Text) -> Iterator[tuple[str, str]]:
    for node in inlines(text):
        if isinstance(node, str):
            yield name, node
        elif isinstance(node, Code):
            yield name, node.text
        elif isinstance(node, Mark):
            yield name, node.sign


# --- suspects -------------------------------------------------------------------------

RAW = re.compile(r"\|\s*raw\b")
TAG = re.compile(r"<%.*?%>", re.DOTALL)
_LITERAL = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_SPECIAL = {"latex": "%&_#{}\\^~$", "typst": "#$*_[]<>@\\`"}
_COMMENT = {"latex": "%", "typst": "//"}


@dataclass(frozen=True, slots=True)
class Suspect:
    """A text that stands in the source as nothing spelled it.

    Attributes:
        told: What it is, as the letter says it.
        line: Index of its line in the source.
        pattern: Finds it in that line.
        mended: What stands there without the fault.
        template_line: Line of the template that holds it, from 1; 0 for a value.
    """

    told: str
    line: int
    pattern: re.Pattern[str]
    mended: str
    template_line: int = 0

    def mend(self, text: str) -> str:
        """Return the line with this text mended."""
        return self.mended.join(self.pattern.split(text))


def unescaped_values(
    engine: str, escape: Callable[[str], str], lines: Sequence[str], at: range, of: Block | Report
) -> Iterator[Suspect]:
    """Yield the values of a block that stand in its lines as they are, though they hold signs.

    Args:
        engine: `latex` or `typst`.
        escape: Spells a plain string in the format.
        lines: The source.
        at: Indices of the block's lines.
        of: The block, or the report itself.
    """
    seen = set()
    for name, value in values_of(of):
        signs = dict.fromkeys(c for c in value if c in _SPECIAL[engine])
        if not signs or escape(value) == value or value in seen:
            continue
        seen.add(value)
        # Not where it is the text of a string literal, as in Typst.
        bare = re.compile(rf'(?<!"){re.escape(value)}')
        told = f"{name} = {shorten(value)!r} contains unescaped {' '.join(signs)}"
        for index in at:
            text = lines[index]
            if bare.search(text) and not text.lstrip().startswith(_COMMENT[engine]):
                yield Suspect(told, index, bare, escape(value))


def raw_literals(
    template: Sequence[str], packaged: Sequence[str], lines: Sequence[str], at: range
) -> Iterator[Suspect]:
    """Yield the string literals that a template prints with `|raw`, where the source has them.

    Mended is the line without them: what such a text should have been, nobody knows.

    Args:
        template: Lines of the template.
        packaged: Lines of the packaged one, whose literals are no suspects.
        lines: The source.
        at: Indices of the lines that the template made.
    """
    whole, known, end = "\n".join(template), "\n".join(packaged), 0
    for tag in TAG.finditer(whole):
        before, end = whole[end : tag.start()].rpartition("\n")[2], tag.end()
        if not RAW.search(tag[0]) or tag[0] in known:
            continue
        after = TAG.split(whole[end:].partition("\n")[0])[0]
        for found in _LITERAL.finditer(tag[0]):
            text = _literal_text(found[0])
            # A tag without a printed value is a block or a `set`: its neighbours say nothing.
            around = (before, after) if tag[0].startswith("<%=") else ("", "")
            pattern = _between(text, *around)
            number = whole.count("\n", 0, tag.start() + found.start()) + 1
            told = f"{shorten(text)!r} of the template's own"
            for index in at if text.strip() else ():
                if pattern.search(lines[index]):
                    yield Suspect(told, index, pattern, "", number)


def _between(text: str, before: str, after: str) -> re.Pattern[str]:
    """Return what finds a text between its neighbours in the template."""
    ahead = f"(?<={re.escape(before)})" if before.strip() else ""
    behind = f"(?={re.escape(after)})" if after.strip() else ""
    return re.compile(f"{ahead}{re.escape(text)}{behind}")


def _literal_text(literal: str) -> str:
    """Return the text of a literal; of one over several lines, of which no line holds all, none."""
    try:
        text = ast.literal_eval(literal)
    except (SyntaxError, ValueError):
        return ""
    return text if isinstance(text, str) and "\n" not in text else ""


# --- blame ----------------------------------------------------------------------------

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
