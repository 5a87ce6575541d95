r"""LaTeX, with the files that `\input` and `\include` bring in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from reportgen.read.documents._blocks import caption_tables, split_blocks
from reportgen.read.documents._source import Limits
from reportgen.read.documents._tex_files import MARK, TexFiles, with_marks
from reportgen.read.documents._tex_inline import Inline, named
from reportgen.read.documents._tex_stream import Expander, Origin, Stream
from reportgen.read.documents._tex_tables import tex_table
from reportgen.read.documents._vocabulary import (
    ARGUMENTS,
    DRAWINGS,
    DROPPED,
    EQUATIONS,
    FLOATS,
    HEADINGS,
    KEPT,
    LISTS,
    TABLES,
)
from reportgen.records.manuscript import Block, Line, Manuscript, Named, Place
from reportgen.records.record import field, record

_BEGIN = re.compile(r"\\begin\s?\{document\}")


def read_latex(path: Path, limits: Limits) -> Manuscript:
    r"""Read a report in LaTeX: what `\begin{document}` opens, or all where nothing does.

    The author's own commands are put in, comments and the preamble are left out, and files
    that are brought in are read if they lie in the report's folder or below.

    Raises:
        EvidenceError: The file is missing, too large, or no text.
    """
    files = TexFiles(folder=path.parent, limits=limits)
    text = files.read(path)
    lines, listings = with_marks(files.pieces)
    origin = Origin.of(lines)
    joined = origin.text()
    expander = Expander(limits)
    stream = expander.expand(Stream(joined, range(len(joined))))
    if expander.exhausted:
        files.tell(
            text.path,
            "defines commands that use each other too deeply or too often; some were left out "
            "and not checked",
            "write these places out",
        )
    begin = _BEGIN.search(stream.text)
    start = begin.end() if begin else 0
    blocks = tex_blocks(stream, origin, listings, start, len(stream.text))
    return Manuscript(
        path=text.path,
        format="latex",
        sha256=text.sha256,
        blocks=split_blocks(blocks),
        problems=tuple(files.problems),
        named=tuple(named_numbers(stream, origin, start)),
    )


_TOKEN = re.compile(
    rf"\\(?:([A-Za-z@]{{1,60}})\*?|(.))|(\n[ \t]{{0,200}}\n\s{{0,200}})|(\$\$?)|({MARK})", re.DOTALL
)
_DISPLAY_END = re.compile(r"\\\]|\$\$|\n[ \t]{0,200}\n")
_MATH_END = re.compile(r"\\.|(\$)|\n[ \t]{0,200}\n", re.DOTALL)
_VERB = re.compile(r"([^A-Za-z\s*]).{0,2000}?\1", re.DOTALL)


def tex_blocks(
    stream: Stream, origin: Origin, listings: Mapping[int, Block], start: int, end: int
) -> list[Block]:
    """Return the blocks of a piece of LaTeX.

    Args:
        stream: The report, the author's commands put in.
        origin: Its lines.
        listings: Listings, by the line that holds their mark.
        start: Where the document begins.
        end: Where it ends.
    """
    walk = _Walk(Inline(stream, origin), listings, end, text_from=start)
    at = start
    while (found := _TOKEN.search(stream.text, at, end)) is not None:
        at = min(max(walk.meet(found), found.end()), end)
    walk.flush(end)
    return walk.blocks


@record(kw_only=False, frozen=False)
class _Walk:
    """Where the walk stands and what it has found.

    Attributes:
        inline: What renders text.
        listings: By the line that holds their mark.
        end: Where the document ends.
        text_from: Where the text begins that is not yet in a block.
        blocks: Those found.
        kind: What that text will be.
        label: Start and end of an item's own label.
        lists: Open lists.
        floats: Open tables and figures: environment, and how many blocks there were before.
        open_until: Up to where nothing closes a display equation, by what would.
    """

    inline: Inline
    listings: Mapping[int, Block]
    end: int
    text_from: int = 0
    blocks: list[Block] = field(default_factory=list)
    kind: str = "paragraph"
    label: tuple[int, int] | None = None
    lists: list[str] = field(default_factory=list)
    floats: list[tuple[str, int]] = field(default_factory=list)
    open_until: dict[str, int] = field(default_factory=dict)

    @property
    def stream(self) -> Stream:
        return self.inline.stream

    def meet(self, found: re.Match[str]) -> int:
        """Meet a token; return where the search goes on."""
        if found[1] is not None:
            return self._command(found[1], found)
        if found[2] is not None:
            return self._display(found, found.end(), "\\]") if found[2] == "[" else found.end()
        if found[3] is not None:
            self.flush(found.start())
            self.text_from = found.end()
            return found.end()
        if found[5] is not None:
            return self._listing(found)
        if found[4] == "$$":
            return self._display(found, found.end(), "$$")
        for close in _MATH_END.finditer(self.stream.text, found.end(), self.end):
            if close[1] or close[0][0] == "\n":
                return close.end() if close[1] else close.start()
        return found.end()

    def flush(self, upto: int) -> None:
        """Make a block of the text that was passed."""
        start, label = self.text_from, self.label
        self.text_from, self.label = upto, None
        ink = self.inline.render(start, upto)
        if label is not None:
            whole = self.inline.render(*label)
            ends = whole.text().rstrip()[-1:]
            place = self.stream.places[min(label[1], len(self.stream.places) - 1)]
            whole.put(" " if ends in {":", ".", "—", "–"} else ": ", place)
            whole.extend(ink)
            ink = whole
        self._add(self.kind, ink.lines(), len(self.lists) if self.kind == "item" else 0)
        self._notes()
        if self.kind == "item":
            self.kind = "paragraph"

    def _notes(self) -> None:
        """Make a paragraph of every footnote that was met."""
        for _ in range(20):
            if not self.inline.notes:
                return
            notes, self.inline.notes = self.inline.notes, []
            for start, end in notes:
                self._add("paragraph", self.inline.render(start, end).lines())

    def _add(self, kind: str, lines: Sequence[Line], level: int = 0) -> None:
        if any(char.isalnum() for line in lines for char in line.text):
            self.blocks.append(Block(type=kind, lines=tuple(lines), level=level))

    def _command(self, name: str, found: re.Match[str]) -> int:
        at = found.end()
        if name == "begin":
            return self._begin(found)
        if name == "end":
            return self._end(found)
        if name in HEADINGS:
            return self._heading(found, HEADINGS[name])
        if name in {"item", "bibitem"}:
            return self._item(name, found)
        if name in {"caption", "captionof"}:
            return self._caption(name, found)
        if name == "par":
            self.flush(found.start())
            self.text_from = at
        elif name in {"footnote", "footnotetext"}:
            return self.inline.skip(at, 1)
        elif name in DROPPED:
            return self.inline.skip(at, DROPPED[name])
        elif name in KEPT:
            return self.inline.skip(at, KEPT[name])
        elif name == "verb" and (literal := _VERB.match(self.stream.text, at)):
            return literal.end()
        return at

    def _listing(self, found: re.Match[str]) -> int:
        self.flush(found.start())
        self.text_from = found.end()
        block = self.listings.get(self.inline.origin.index(self.stream.places[found.start()]))
        if block is not None:
            self.blocks.append(block)
        return found.end()

    def _display(self, found: re.Match[str], at: int, close: str) -> int:
        if at < self.open_until.get(close, 0):
            return at
        stop = self.end
        for end in _DISPLAY_END.finditer(self.stream.text, at, self.end):
            if end[0] == close:
                self._equation(found.start(), at, end.start(), end.end())
                return end.end()
            if end[0][0] == "\n":
                stop = end.start()
                break
        # Nothing closes it in its paragraph: what follows is read as text.
        self.open_until[close] = stop
        return at

    def _equation(self, begin: int, start: int, end: int, behind: int) -> None:
        self.flush(begin)
        self._add("equation", self.inline.mathematics(start, end).lines())
        self.text_from = behind

    def _heading(self, found: re.Match[str], level: int) -> int:
        group = self.stream.group(self.inline.behind_options(found.end()))
        if group is None:
            return found.end()
        self.flush(found.start())
        self.kind = "paragraph"
        self._add("heading", self.inline.render(group[0], group[1]).lines(), level)
        self.text_from = group[2]
        return group[2]

    def _item(self, name: str, found: re.Match[str]) -> int:
        self.flush(found.start())
        at = found.end()
        if name == "bibitem":
            self.text_from = self.inline.skip(at, 1)
            return self.text_from
        self.kind = "item"
        option = self.stream.option(at)
        if option:
            self.label = (option[0], option[1])
        self.text_from = option[2] if option else at
        return self.text_from

    def _caption(self, name: str, found: re.Match[str]) -> int:
        at = self.inline.skip(found.end(), 1) if name == "captionof" else found.end()
        group = self.stream.group(self.inline.behind_options(at))
        if group is None:
            return at
        self.flush(found.start())
        self._add("caption", self.inline.render(group[0], group[1]).lines())
        self._notes()
        self.text_from = group[2]
        if not self.floats:
            caption_tables(self.blocks, max(0, len(self.blocks) - 2))
        return group[2]

    def _begin(self, found: re.Match[str]) -> int:
        group = self.stream.group(found.end())
        if group is None:
            return found.end()
        name = self.stream.text[group[0] : group[1]].strip()
        at = self.inline.skip(group[2], ARGUMENTS.get(name, 0))
        ends = self.stream.environments.get(found.start())
        stop = min(ends[0], self.end) if ends else self.end
        behind = min(ends[1], self.end) if ends else self.end
        if name in EQUATIONS and ends:
            self._equation(found.start(), at, stop, behind)
            return behind
        self.flush(found.start())
        self.text_from = at
        if name in TABLES and ends:
            self._table(name, group[2], stop)
            self.text_from = at = behind
        elif name in DRAWINGS and ends:
            self.text_from = at = behind
        elif name in FLOATS:
            self.floats.append((name, len(self.blocks)))
        elif name in LISTS:
            self.lists.append(name)
        elif name == "thebibliography":
            self.kind = "reference"
        return at

    def _table(self, name: str, start: int, end: int) -> None:
        table, captions = tex_table(self.inline, name, start, end)
        first = len(self.blocks)
        for caption in captions:
            self._add("caption", self.inline.render(*caption).lines())
        if table is not None:
            self.blocks.append(table)
        self._notes()
        if captions:
            caption_tables(self.blocks, first)

    def _end(self, found: re.Match[str]) -> int:
        group = self.stream.group(found.end())
        if group is None:
            return found.end()
        name = self.stream.text[group[0] : group[1]].strip()
        self.flush(found.start())
        self.text_from = group[2]
        if self.lists and self.lists[-1] == name:
            self.lists.pop()
            self.kind = "paragraph"
        elif self.floats and self.floats[-1][0] == name:
            caption_tables(self.blocks, self.floats.pop()[1])
        elif name == "thebibliography":
            self.kind = "paragraph"
        return group[2]


def named_numbers(stream: Stream, origin: Origin, start: int = 0) -> Iterator[Named]:
    r"""Yield the named numbers of a report, each with what its reader sees.

    Args:
        stream: The report, the author's commands put in.
        origin: Its lines.
        start: Where the document begins.

    Example:
        >>> from reportgen.records.manuscript import Line
        >>> lines = [Line(text=r"It is \rgnum{best.mean}{\textbf{79.9}\%}.", number=7)]
        >>> text = lines[0].text
        >>> [n] = named_numbers(Stream(text, range(len(text))), Origin.of(lines))
        >>> n.id, n.text, n.place.line, n.place.column
        ('best.mean', '79.9%', 7, 33)
    """
    for _, name, shown in named(stream, start, len(stream.text)):
        ink = Inline(stream, origin).render(shown[0], shown[1])
        lines = ink.lines()
        yield Named(
            id=stream.text[name[0] : name[1]].strip(),
            text=" ".join(ink.text().split()),
            place=lines[0].place() if lines else Place(line=1),
        )
