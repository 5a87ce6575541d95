"""Markdown of the author's own to blocks of a report, with numbers and references in it.

What CommonMark calls HTML is text here, images are refused. A
placeholder stands for a number of the report, `{{ number:best_step.a.0.report_value }}`, or for
a table, figure or section, `{{ ref:results.table }}`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from reportgen.records.document import (
    Block,
    Bullets,
    Code,
    Emphasis,
    Inline,
    Link,
    Listing,
    Number,
    Paragraph,
    Ref,
    Section,
    Strong,
    Table,
    TableColumn,
    TableRow,
    Text,
    inlines,
)
from reportgen.records.errors import StudyError

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_CHARACTERS = 1_000_000
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*:\s*([^{}]*?)\s*\}\}")
_LEFT = re.compile(r"\{\{[^\n]{0,40}")
_MATH = re.compile(r"\$[^\s$](?:[^$\n]*[^\s$])?\$(?!\d)|\$\$.+?\$\$", re.DOTALL)
_CAPTION = "Table:"
_NEAR = 3
# LaTeX has lists in lists in lists in lists, and none below.
_DEEPEST_LIST = 4
_IDS = "ids stand in report.json; `reportgen explain NUMBER` tells them"
_FIGURES = (
    "a picture becomes a figure, with number, caption and words for those who cannot see it, in a "
    "[[section]] of yours: docs/how-to/own-figures.md"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a piece of Markdown comes from, and what it may speak of.

    Attributes:
        id: What ids of its blocks begin with; unique in the report.
        file: File in messages.
        line: Line of the file on which it begins.
        numbers: Numbers of the report by their ids.
        targets: Ids of what can be referred to.
        title: Caption of tables and listings without one.
    """

    id: str
    file: str
    line: int
    numbers: Mapping[str, Number]
    targets: frozenset[str]
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """Markdown, read.

    Attributes:
        blocks: In order; headings have become sections.
        warnings: What was passed on as something else, with its line.
    """

    blocks: tuple[Block, ...]
    warnings: tuple[str, ...] = ()


def read_prose(text: str, source: Source) -> Prose:
    """Turn Markdown into blocks of a report.

    Args:
        text: CommonMark, with tables.
        source: Where it comes from, and what it may speak of.

    Raises:
        StudyError: It names numbers or blocks that the report does not have, or shows images;
            every such place is listed with its line and the nearest ids.
    """
    if len(text) > MAX_CHARACTERS:
        raise StudyError(
            f"{source.file}:{source.line}: prose of {len(text):,} characters, more than the "
            f"{MAX_CHARACTERS:,} that are read",
            remedy="write a document of its own and cite it",
        )
    reader = _Reader(source)
    try:
        blocks = reader.blocks(_parser().parse(text.replace("\x00", "\ufffd")))
    except RecursionError:
        raise StudyError(
            f"{source.file}:{source.line}: marks inside marks, too deep to be read",
            remedy="write it in plain sentences",
        ) from None
    if reader.faults:
        listed = "\n".join(f"  {source.file}:{line}: {what}" for line, what, _ in reader.faults)
        count = len(reader.faults)
        raise StudyError(
            f"{source.file}: {count} {'place' if count == 1 else 'places'} in prose cannot be "
            f"printed\n{listed}",
            remedy="; ".join(dict.fromkeys(remedy for *_, remedy in reader.faults)),
        )
    return Prose(blocks=_nested(blocks, source.id), warnings=tuple(reader.warnings))


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Formats judge which address becomes a link; the others are printed.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    parser.inline.ruler.before("escape", "placeholder", _placeholder)
    return parser


def _placeholder(state: StateInline, silent: bool) -> bool:
    """Take `{{ kind:id }}` out of the text before emphasis is looked for in it."""
    found = _PLACEHOLDER.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        token = state.push("placeholder", "", 0)
        token.content, token.info = found[2], found[1]
    state.pos = found.end()
    return True


@dataclass(slots=True)
class _Reader:
    """Where the reader stands, and what it met on the way."""

    source: Source
    faults: list[tuple[int, str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)
    count: int = 0

    def blocks(self, tokens: list[Token]) -> list[Block | _Heading]:
        """Return blocks and headings of a list of tokens, in order."""
        found: list[Block | _Heading] = []
        at = 0
        while at < len(tokens):
            end = _closing(tokens, at)
            found += self._block(tokens[at : end + 1], found)
            at = end + 1
        return found

    def _block(
        self, tokens: list[Token], before: list[Block | _Heading]
    ) -> Iterable[Block | _Heading]:
        first = tokens[0]
        match first.type:
            case "heading_open":
                title = "".join(_words(self._text(tokens[1])))
                return [_Heading(int(first.tag[1:]), title)]
            case "paragraph_open":
                return [Paragraph(text=self._text(tokens[1]))]
            case "bullet_list_open" | "ordered_list_open":
                return [self._list(tokens)]
            case "fence" | "code_block":
                return [self._listing(first)]
            case "table_open":
                return [self._table(tokens, before)]
            case "blockquote_open":
                return self.blocks(tokens[1:-1])
            case _:
                return []

    def _list(self, tokens: list[Token], depth: int = 1) -> Bullets:
        """Return a list with those below its items."""
        items: list[Text] = []
        inner: list[tuple[Bullets, ...]] = []
        at = 1
        while at < len(tokens) - 1:
            end = _closing(tokens, at)
            own, below = self._item(tokens[at + 1 : end], depth)
            deeper = [] if depth < _DEEPEST_LIST else [item for b in below for item in b.items]
            items += [own, *(("– ", *item) for item in deeper)]
            inner += [() if deeper else tuple(below), *[()] * len(deeper)]
            at = end + 1
        start = int(tokens[0].attrs.get("start", 1)) if tokens[0].tag == "ol" else None
        return Bullets(items=tuple(items), start=start, inner=tuple(inner) if any(inner) else ())

    def _item(self, tokens: list[Token], depth: int) -> tuple[Text, list[Bullets]]:
        """Return the words of an item, and the lists below it."""
        own: Text = ()
        inner: list[Bullets] = []
        at = 0
        while at < len(tokens):
            end = _closing(tokens, at)
            if tokens[at].type in {"bullet_list_open", "ordered_list_open"}:
                inner.append(self._list(tokens[at : end + 1], min(depth + 1, _DEEPEST_LIST)))
            elif tokens[at].type == "paragraph_open":
                own = (*own, *((" ",) if own else ()), *self._text(tokens[at + 1]))
            elif tokens[at].content:
                own = (*own, " ", Code(tokens[at].content.strip()))
            at = end + 1
        return own, inner

    def _listing(self, token: Token) -> Listing:
        language = token.info.strip().split(" ")[0]
        return Listing(
            id=self._next("listing"),
            caption=(self.source.title,),
            text=token.content.rstrip("\n"),
            language=language,
        )

    def _table(self, tokens: list[Token], before: list[Block | _Heading]) -> Table:
        """Return a table; a paragraph before it that begins `Table:` is its caption."""
        heads = list(_pairs(tokens, "th_open"))
        aligns = [_align(opening) for opening, _ in heads]
        columns = tuple(
            TableColumn(title=self._text(inside), align=align, wide=align == "left")
            for (_, inside), align in zip(heads, aligns, strict=True)
        )
        cells = [self._text(inside) for _, inside in _pairs(tokens, "td_open")]
        width = max(1, len(columns))
        rows = tuple(
            TableRow(cells=tuple(cells[at : at + width])) for at in range(0, len(cells), width)
        )
        caption: Text = (self.source.title,)
        last = before[-1] if before else None
        if isinstance(last, Paragraph) and last.text and str(last.text[0]).startswith(_CAPTION):
            first = str(last.text[0]).removeprefix(_CAPTION).lstrip()
            caption = (first, *last.text[1:])
            before.pop()
        return Table(id=self._next("table"), caption=caption, columns=columns, rows=rows)

    def _next(self, kind: str) -> str:
        self.count += 1
        return f"{self.source.id}.{kind}{self.count}"

    # --- inside a paragraph ---------------------------------------------------------------

    def _text(self, token: Token) -> Text:
        line = self.source.line + (token.map[0] if token.map else 0)
        nodes, _ = self._inlines(token.children or [], 0, line, "")
        return nodes

    def _inlines(
        self, tokens: list[Token], at: int, line: int, until: str
    ) -> tuple[Text, tuple[int, int]]:
        """Return nodes up to a closing token, and where the walk stands then."""
        nodes: list[Inline] = []
        while at < len(tokens) and tokens[at].type != until:
            token = tokens[at]
            if token.type in {"em_open", "strong_open", "link_open"}:
                closing = token.type.replace("open", "close")
                inner, (at, line) = self._inlines(tokens, at + 1, line, closing)
                nodes += _wrapped(token, inner)
            elif token.type in {"softbreak", "hardbreak"}:
                nodes.append(" ")
                line += 1
            else:
                nodes += self._inline(token, line)
            at += 1
        return _joined(nodes), (at, line)

    def _inline(self, token: Token, line: int) -> Iterable[Inline]:
        match token.type:
            case "text":
                return self._with_math(token.content, line)
            case "code_inline":
                return [Code(token.content)]
            case "placeholder":
                return self._filled(token.info, token.content, line)
            case "image":
                message = f"the image {token.attrs.get('src', '')!r}: words hold no pictures"
                self.faults.append((line, message, _FIGURES))
                return []
            case _:
                return [token.content] if token.content else []

    def _with_math(self, text: str, line: int) -> Iterable[Inline]:
        """Yield a text; mathematics in it is passed on as it is written."""
        for left in _LEFT.findall(text):
            self.warnings.append(
                f"{self.source.file}:{line}: {left!r} is printed as it is written: "
                "a number is {{ number:ID }}, a reference {{ ref:ID }}"
            )
        at = 0
        for found in _MATH.finditer(text):
            yield text[at : found.start()]
            yield Code(found[0].strip("$"))
            at = found.end()
            self.warnings.append(
                f"{self.source.file}:{line}: {found[0]} is printed as it is written, as code: "
                "prose has no mathematics"
            )
        yield text[at:]

    def _filled(self, kind: str, name: str, line: int) -> Iterable[Inline]:
        """Return what a placeholder stands for."""
        known: Mapping[str, Iterable[str]] = {
            "number": self.source.numbers,
            "ref": self.source.targets,
        }
        if kind not in known:
            what = f"{{{{ {kind}:{name} }}}}: a placeholder is number: or ref:"
            self.faults.append((line, what, _IDS))
        elif name not in known[kind]:
            what = "number" if kind == "number" else "table, figure or section"
            near = difflib.get_close_matches(name, list(known[kind]), n=_NEAR, cutoff=0.5)
            hint = f"; did you mean {', '.join(map(repr, near))}?" if near else ""
            self.faults.append((line, f"no {what} is called {name!r}{hint}", _IDS))
        elif kind == "ref":
            return [Ref(name)]
        else:
            return [self._number(self.source.numbers[name])]
        return []

    def _number(self, number: Number) -> Number:
        """Return a number of the report under an id of its own."""
        times = self.used[number.id] = self.used.get(number.id, 0) + 1
        name = f"{self.source.id}.{number.id}" + (f".{times}" if times > 1 else "")
        return replace(number, id=name)


def _closing(tokens: list[Token], at: int) -> int:
    """Return where the token closes that opens here."""
    if tokens[at].nesting != 1:
        return at
    level, closing = tokens[at].level, tokens[at].type.replace("_open", "_close")
    return next(
        i
        for i in range(at + 1, len(tokens))
        if tokens[i].type == closing and tokens[i].level == level
    )


def _pairs(tokens: list[Token], opening: str) -> Iterable[tuple[Token, Token]]:
    for at, token in enumerate(tokens):
        if token.type == opening:
            yield token, tokens[at + 1]


def _align(opening: Token) -> str:
    style = str(opening.attrs.get("style", ""))
    return next((side for side in ("right", "center") if side in style), "left")


def _wrapped(token: Token, inner: Text) -> Iterable[Inline]:
    if token.type == "em_open":
        return [Emphasis(inner)]
    if token.type == "strong_open":
        return [Strong(inner)]
    url = str(token.attrs.get("href", ""))
    if unquote("".join(_words(inner))) == unquote(url):
        return [Link((Code(url),), url)]
    if all(isinstance(node, str | Code | Emphasis | Strong) for node in inlines(inner)):
        return [Link(inner, url)]
    # Numbers and references are links themselves.
    return [*inner, " (", Link((Code(url),), url), ")"]


def _words(text: Text) -> Iterable[str]:
    """Yield the words of a text, without what only a page can show."""
    for node in text:
        if isinstance(node, str):
            yield node
        elif isinstance(node, Code):
            yield node.text
        elif isinstance(node, Emphasis | Strong | Link):
            yield from _words(node.content)


def _joined(nodes: list[Inline]) -> Text:
    """Put plain words that follow each other together."""
    found: list[Inline] = []
    for node in nodes:
        if isinstance(node, str) and found and isinstance(found[-1], str):
            found[-1] += node
        elif node != "":
            found.append(node)
    return tuple(found)


@dataclass(slots=True)
class _Heading:
    """A heading between blocks, before it is known what stands below it."""

    level: int
    title: str


def _nested(found: list[Block | _Heading], prefix: str) -> tuple[Block, ...]:
    """Put what follows a heading into a section, and deeper headings into that."""
    numbers = iter(range(1, len(found) + 1))
    return _below(found, 0, lambda: f"{prefix}.section{next(numbers)}")


def _below(found: list[Block | _Heading], level: int, name: Callable[[], str]) -> tuple[Block, ...]:
    blocks: list[Block] = []
    while found:
        first = found[0]
        if not isinstance(first, _Heading):
            blocks.append(first)
            found.pop(0)
        elif first.level > level:
            found.pop(0)
            own = name()
            inside = _below(found, first.level, name)
            blocks.append(Section(id=own, title=first.title, blocks=inside))
        else:
            break
    return tuple(blocks)
