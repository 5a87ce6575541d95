"""Texts and tables as HTML, and the evidence to which every number is a link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from types import SimpleNamespace

from reportgen.languages import language_of, message, retell, speaking
from reportgen.records.document import Indent, Mark, Number, Table, TableColumn, TableRow, Text
from reportgen.records.formula import Expression
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.record import record
from reportgen.render._escape import escape_html, escape_name, escape_words
from reportgen.render._formulas import print_mathml
from reportgen.render._inline import InlinePrinter, PlainPrinter, Raw
from reportgen.render._numbering import Labels, anchor_of
from reportgen.render._spelling import MISSING, print_number
from reportgen.render._tables import split_decimal
from reportgen.render.json import Json, number_value, strict


class HtmlPrinter(InlinePrinter):
    """Spells texts as HTML and collects the evidence of the numbers it meets.

    Attributes:
        evidence: What the numbers printed so far rest on.
        cited: Key of each reference to the anchors where it has been cited so far.
    """

    emphasis = "<em>%s</em>"
    strong = "<strong>%s</strong>"
    reference = '<a class="ref" href="#%(anchor)s">%(text)s</a>'

    def __init__(
        self, labels: Labels, lang: str = "en", evidence: EvidenceList | None = None
    ) -> None:
        super().__init__(labels, lang)
        self.evidence = evidence or EvidenceList(lang=lang)
        self.cited: dict[str, list[str]] = {}

    def _words(self, text: str) -> str:
        """Spell plain words; a percent sign stays on the line of its number."""
        return escape_words(text).replace(" %", "&#8239;%")

    def _number(self, number: Number) -> str:
        """Spell a number as a link to its evidence; the first one of an id bears it."""
        # The second of two numbers with one id cannot bear the same id in the page.
        identity = "" if number.id in self.evidence else f' id="{number_anchor(number.id)}"'
        printed = print_number(number, self.lang)
        kind, told = "num", ""
        if isinstance(number.quantity, Missing):
            reason = escape_html(self.evidence.say(number.quantity.reason))
            kind, told = "num missing", f' title="{reason}"'
        anchor = self.evidence.add(number, printed)
        return f'<a class="{kind}"{identity} href="#{anchor}"{told}>{escape_html(printed)}</a>'

    def _math(self, expression: Expression) -> str:
        return print_mathml(expression, self.lang)

    def _cite(self, key: str) -> str:
        """Spell a citation as a link, to which its reference leads back."""
        places = self.cited.setdefault(key, [])
        places.append(f"cite:{anchor_of(key)}:{len(places) + 1}")
        target = f'id="{places[-1]}" href="#{reference_anchor(key)}"'
        return f'<a class="ref" {target}>[{self.labels.cite(key)}]</a>'

    def _code(self, text: str) -> str:
        return f"<code>{escape_name(text)}</code>"

    def _link(self, content: str, url: str, behind: str) -> str:
        """Spell words as a link; the address is printed with them on paper alone."""
        paper = f' data-address="{escape_html(behind)}"' if behind else ""
        return f'<a href="{escape_html(url)}" rel="noreferrer"{paper}>{content}</a>'

    def _indent(self, depth: int) -> str:
        """Spell depth as em spaces; tables indent whole cells instead."""
        return "&emsp;" * depth

    def _mark(self, mark: Mark) -> str:
        """Spell a sign that is read aloud by its meaning."""
        meaning = escape_html(mark.meaning)
        said = f'role="img" aria-label="{meaning}" title="{meaning}"'
        return f'<span class="mark" {said}>{escape_html(mark.sign)}</span>'


def reference_anchor(key: str) -> str:
    """Return the id of a reference's element."""
    return f"ref:{anchor_of(key)}"


# --- tables ---------------------------------------------------------------------------

LONG = 100
"""A table of more rows has a window of its own, in which it scrolls below its head."""

_SPREAD = "\u00b1"
_FORMULA = re.compile(r"<math .*</math>")


@record(kw_only=False)
class _Cell:
    """A cell of a decimal column: texts before, at and after the sign of spread, and a mark.

    Beside the texts before and after it stand their parts, None where they are no numbers.
    """

    head: Text
    sign: Text
    tail: Text
    mark: Text
    left: tuple[str, str] | None
    right: tuple[str, str] | None


@record
class _Shape:
    """The longest of each part in a column; what a cell lacks of it is filled up."""

    fraction: str = ""
    sign: str = ""
    whole: str = ""
    rest: str = ""
    mark: str = ""


def print_table(table: Table, printer: HtmlPrinter, name: str) -> Raw:
    """Return the `<table>` element.

    Args:
        table: The table.
        printer: Spells the cells.
        name: Id of the element that names the table.
    """
    plain = PlainPrinter(printer.labels, printer.lang)
    columns = [_column(table, index, printer, plain) for index in range(len(table.columns))]
    printed = frozenset(table.excerpt.rows) if table.excerpt else range(len(table.rows))
    rows = "".join(
        _row(table, index, columns, printed=index in printed) for index in range(len(table.rows))
    )
    head = _head(table.columns, printer)
    return Raw(
        f'<table aria-labelledby="{name}"><thead>{head}</thead><tbody>{rows}</tbody></table>'
    )


def _head(columns: tuple[TableColumn, ...], printer: HtmlPrinter) -> str:
    groups = [(text, list(run)) for text, run in groupby(columns, key=lambda c: c.group)]
    if not any(text for text, _ in groups):
        return f"<tr>{''.join(_title(column, printer) for column in columns)}</tr>"
    upper, lower = "", ""
    for text, members in groups:
        if text:
            spelled = printer.print_text(text)
            upper += (
                f'<th scope="colgroup" colspan="{len(members)}" class="over">'
                f"<span>{spelled}</span></th>"
            )
            lower += "".join(_title(column, printer) for column in members)
        else:
            upper += "".join(_title(column, printer, ' rowspan="2"') for column in members)
    return f"<tr>{upper}</tr><tr>{lower}</tr>"


def _title(column: TableColumn, printer: HtmlPrinter, span: str = "") -> str:
    spelled = printer.print_text(column.title)
    return f'<th scope="col"{span} class="{_classes(column)}">{spelled}</th>'


def _classes(column: TableColumn) -> str:
    return f"{column.align} wide" if column.wide else column.align


def _row(table: Table, index: int, columns: list[list[str]], *, printed: bool) -> str:
    """Return a row; on paper, those that are not chosen for the excerpt are left out."""
    row: TableRow = table.rows[index]
    spelled = [column[index] for column in columns]
    head = 1 if len(spelled) > 1 and _FORMULA.fullmatch(spelled[0]) else 0
    cells = "".join(
        _cell(text, column, heads=position == head)
        for position, (text, column) in enumerate(zip(spelled, table.columns, strict=True))
    )
    classes = [row.kind] if row.kind != "body" else []
    classes += [] if printed else ["unprinted"]
    return f'<tr class="{" ".join(classes)}">{cells}</tr>' if classes else f"<tr>{cells}</tr>"


def _cell(text: str, column: TableColumn, *, heads: bool) -> str:
    """Return one cell; the first in words names its row for those who listen."""
    if heads and text and column.align == "left":
        return f'<th scope="row" class="{_classes(column)}">{text}</th>'
    return f'<td class="{_classes(column)}">{text}</td>'


def _column(table: Table, index: int, printer: HtmlPrinter, plain: PlainPrinter) -> list[str]:
    texts = [row.cells[index] for row in table.rows]
    if table.columns[index].align != "decimal":
        return [_spell(text, printer) for text in texts]
    cells = [_split(text, plain) for text in texts]
    shape = _shape(cells, plain)
    return [_aligned(cell, shape, printer) for cell in cells]


def _spell(text: Text, printer: HtmlPrinter) -> str:
    """Spell a cell; the lines of an indented one are all indented."""
    match text:
        case (Indent(depth), *rest) if depth:
            words = printer.print_text(tuple(rest))
            return f'<span class="deep" data-depth="{depth}">{words}</span>'
    return printer.print_text(text)


def _split(text: Text, plain: PlainPrinter) -> _Cell:
    """Split a cell at the string that holds the sign of spread, and before the mark at its end."""
    end = len(text) - (1 if text and isinstance(text[-1], Mark) else 0)
    text, mark = text[:end], text[end:]
    at = next((i for i, n in enumerate(text) if isinstance(n, str) and _SPREAD in n), end)
    head, sign, tail = text[:at], text[at : at + 1], text[at + 1 :]
    return _Cell(head, sign, tail, mark, _parts(head, plain), _parts(tail, plain))


def _shape(cells: list[_Cell], plain: PlainPrinter) -> _Shape:
    heads = [cell.left for cell in cells]
    tails = [cell.right for cell in cells if cell.sign]
    signs = [str(plain.print_text(cell.sign)) for cell in cells if cell.sign]
    return _Shape(
        fraction=max((part[1] for part in heads if part), key=len, default=""),
        sign=max(signs, key=len, default=""),
        whole=max((part[0] for part in tails if part), key=len, default=""),
        rest=max((part[1] for part in tails if part), key=len, default=""),
        mark=max((str(plain.print_text(cell.mark)) for cell in cells), key=len, default=""),
    )


def _parts(text: Text, plain: PlainPrinter) -> tuple[str, str] | None:
    """Return what stands before and from the decimal mark on; None where it is no number."""
    shown = plain.print_text(text).strip()
    if shown == MISSING:
        return shown, ""
    halves = split_decimal(shown, plain.lang) or ()
    return halves[0] if len(halves) == 1 else None


def _aligned(cell: _Cell, shape: _Shape, printer: HtmlPrinter) -> str:
    head, tail = cell.left, cell.right
    spelled = printer.print_text(cell.head)
    mark = printer.print_text(cell.mark)
    if head is None:
        return spelled + printer.print_text((*cell.sign, *cell.tail)) + mark
    lacking = shape.fraction[len(head[1]) :]
    unmarked = "" if mark else shape.mark
    if not cell.sign:
        return f"{spelled}{mark}{_pad(lacking + shape.sign + shape.whole + shape.rest + unmarked)}"
    before, after = "", ""
    if tail is not None:
        before = _pad(shape.whole[len(tail[0]) :])
        after = _pad(shape.rest[len(tail[1]) :])
    sign, spread = printer.print_text(cell.sign), printer.print_text(cell.tail)
    end = f"{mark}{after}{_pad(unmarked)}"
    return f"{spelled}{_pad(lacking)}{sign}{before}{spread}{end}"


def _pad(characters: str) -> str:
    return f'<span class="pad" data-pad="{characters}"></span>' if characters else ""


# --- evidence -------------------------------------------------------------------------


_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_UNITS = {
    "fraction": message("fraction"),
    "percent": message("percent"),
    "count": message("count"),
    "step": message("step"),
    "epoch": message("epoch"),
    "bytes": message("bytes"),
    "seconds": message("seconds"),
    "bits": message("bits"),
}


class EvidenceList:
    """Collects what the numbers of one page rest on, in the order in which they are met.

    Args:
        files: What the report says of the files it read (`metadata["files"]`).
        lang: Language of the page, in which methods and reasons are said.
    """

    def __init__(self, files: object = (), lang: str = "en") -> None:
        self._lang = lang
        listed = files if isinstance(files, Iterable) else ()
        self._known = {one.get("path"): one for one in listed if isinstance(one, Mapping)}
        self._numbers: dict[str, dict[str, object]] = {}
        self._sources: dict[tuple[Evidence, ...], int] = {}
        self._files: dict[str, int] = {}

    def __contains__(self, identifier: str) -> bool:
        return identifier in self._numbers

    def add(self, number: Number, printed: str) -> str:
        """Return the anchor of a number's entry, which is made where there is none yet."""
        entry = self._numbers.get(number.id)
        if entry is None:
            entry = {
                "anchor": Raw(f"e:{len(self._numbers) + 1}"),
                "target": Raw(number_anchor(number.id)),
                "id": number.id if number.id != anchor_of(number.id) else "",
                "printed": printed,
                **self._describe(number.quantity),
            }
            self._numbers[number.id] = entry
        return str(entry["anchor"])

    def variables(self) -> dict[str, object]:
        """Return what the template of the evidence prints; files come last, all are numbered.

        Of thousands a template asks for attributes, which it looks up before keys.
        """
        sources = [
            SimpleNamespace(number=number, points=[self._point(point) for point in points])
            for points, number in self._sources.items()
        ]
        files = [
            {"number": number, "path": Raw(escape_name(path)), **self._file(path)}
            for path, number in self._files.items()
        ]
        numbers = [SimpleNamespace(**entry) for entry in self._numbers.values()]
        return {"numbers": numbers, "sources": sources, "files": files}

    def _describe(self, quantity: Quantity | Missing) -> dict[str, object]:
        if isinstance(quantity, Missing):
            empty = dict.fromkeys(("value", "unit", "formula", "n", "ddof", "source"), "")
            return {**empty, "method": "", "reason": self._words(quantity.reason)}
        return {
            "value": self._mark(number_value(quantity.value)),
            "unit": self.say(_UNITS.get(quantity.unit, quantity.unit)),
            "method": self._words(quantity.method),
            "formula": Raw(escape_words(self._mark(quantity.formula))),
            "n": "" if quantity.n is None else quantity.n,
            "ddof": "" if quantity.ddof is None else quantity.ddof,
            "reason": "",
            "source": self._source(quantity.sources),
        }

    def _source(self, points: tuple[Evidence, ...]) -> int | str:
        if not points:
            return ""
        for point in points:
            self._files.setdefault(point.path, len(self._files) + 1)
        return self._sources.setdefault(points, len(self._sources) + 1)

    def _point(self, point: Evidence) -> SimpleNamespace:
        value = strict(point.value)
        return SimpleNamespace(
            file=self._files[point.path],
            tag=Raw(escape_name(point.tag)),
            step=Raw("" if point.step is None else point.step),
            value="" if value is None else Raw(escape_words(self._logged(value))),
        )

    def say(self, words: str) -> str:
        """Return words in the language of the page; names stay as they are."""
        with speaking(self._lang):
            return retell(words)

    def _words(self, words: str) -> Raw:
        return Raw(escape_words(self.say(words)))

    def _logged(self, value: Json) -> str:
        return value if isinstance(value, str) else self._mark(value)

    def _mark(self, value: Json) -> str:
        """Return a value or a formula with the decimal mark of the page."""
        return _POINT.sub(language_of(self._lang).decimal_mark, str(value))

    def _file(self, path: str) -> dict[str, object]:
        """Return what the report says of a file; what is not as expected is left out."""
        known = self._known.get(path, {})
        size, digest = known.get("size"), str(known.get("sha256") or "")
        size = str(size) if isinstance(size, int) else ""
        return {"sha256": Raw(escape_html(digest)), "size": size}


def number_anchor(identifier: str) -> str:
    """Return the id of a number's element; a colon keeps it apart from those of blocks."""
    return f"n:{anchor_of(identifier)}"
