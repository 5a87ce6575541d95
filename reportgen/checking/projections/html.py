"""Verdicts as one page that loads nothing: the report's text, each number marked by its outcome."""

from __future__ import annotations

import base64
import csv
import hashlib
import html
import io
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from reportgen import __version__
from reportgen.checking.projections._records import (
    Record,
    Rendering,
    Row,
    by_need,
    headline,
    make_records,
    point_words,
    running_text,
    status,
    tally,
    untraced_share,
    words,
)
from reportgen.checking.projections.grading import points, score
from reportgen.records.manuscript import Block, Cell
from reportgen.records.rows import read_data
from reportgen.records.source import shorten
from reportgen.records.verdict import Review

# The text of a report as HTML, every number in it a link to what was found.

_TONES = {
    "error": "contradicted",
    "warning": "may be contradicted",
    "note": "worth a look",
    "traced": "traced",
    "untraced": "untraced",
}
_DEEPEST = 6
_LONGEST_TITLE = 300


@lru_cache(4096)
def escape(text: str) -> str:
    """Return words on one line as HTML, safe in content and in quoted attributes.

    Example:
        >>> escape('<b a="1">')
        '&lt;b a=&quot;1&quot;&gt;'
    """
    return html.escape(words(text))


class ReportWriter:
    """Writes the blocks of one report.

    Args:
        record: The report with its verdicts.
        prefix: Of every anchor.
        level: Of the page's heading that the text stands under.
    """

    def __init__(self, record: Record, prefix: str, level: int) -> None:
        self.manuscript = record.manuscript
        self.prefix = prefix
        self.level = level
        self.written: set[str] = set()
        self._rows: dict[int, list[Row]] = {}
        for row in record.rows:
            self._rows.setdefault(row.stretch.block, []).append(row)
        blocks = self.manuscript.blocks
        self._captions = {block.text.strip() for block in blocks if block.type == "caption"}

    def blocks(self) -> Iterator[str]:
        """Yield the blocks in reading order; items of one list stand together."""
        inside = False
        for index, block in enumerate(self.manuscript.blocks):
            if inside != (block.type == "item"):
                yield "<ul>" if not inside else "</ul>"
                inside = not inside
            yield self.block(block, self._rows.get(index, ()))
        if inside:
            yield "</ul>"

    def block(self, block: Block, rows: Sequence[Row]) -> str:
        """Return one block; signs for what its text does not show stand behind it."""
        if block.type == "table" and block.rows:
            inner = "".join(self.table(block, rows))
        else:
            inner = self.marked(block.text, [row for row in rows if row.stretch.row is None])
        left = self.lost(rows)
        return self.framed(block, inner, f' <span class="left">{left}</span>' if left else "")

    def lost(self, rows: Sequence[Row]) -> str:
        """Return signs for rows that are not marked yet, for links to lead to."""
        return "".join(self.anchor(row, "◆") for row in rows if row.id not in self.written)

    def framed(self, block: Block, inner: str, left: str) -> str:
        """Return marked text in the element of its block."""
        line = block.lines[0].number if block.lines else 0
        at = f' data-line="{line}" dir="auto"'
        match block.type:
            case "heading":
                depth = min(_DEEPEST, self.level + max(1, block.level))
                return f"<h{depth}{at}>{inner}{left}</h{depth}>"
            case "item":
                return f'<li class="depth{min(3, max(1, block.level))}"{at}>{inner}{left}</li>'
            case "table" if block.rows:
                return f'<div class="scroll"{at} tabindex="0">{inner}</table></div>{left}'
            case "code" | "output" | "table":
                return f'<pre class="{block.type}"{at} tabindex="0">{inner}</pre>{left}'
            case "equation":
                return f'<p class="equation"{at}><code>{inner}</code>{left}</p>'
            case "caption" | "reference":
                return f'<p class="{block.type}"{at}>{inner}{left}</p>'
        return f"<p{at}>{inner}{left}</p>"

    def table(self, block: Block, rows: Sequence[Row]) -> Iterator[str]:
        """Yield caption and rows of a table."""
        if block.caption and block.caption.strip() not in self._captions:
            yield f'<p class="caption">{escape(block.caption)}</p>'
        marks: dict[tuple[int | None, int | None], list[Row]] = {}
        for one in rows:
            marks.setdefault((one.stretch.row, one.stretch.column), []).append(one)
        yield "<table>"
        for number, row in enumerate(block.rows):
            if number == 0 and block.head:
                yield "<thead>"
            if number == block.head:
                yield "</thead><tbody>" if block.head else "<tbody>"
            tag = "th" if number < block.head else "td"
            cells = [(cell, marks.get((number, column), ())) for column, cell in enumerate(row)]
            yield f"<tr>{''.join(self.cells(cells, tag))}</tr>"
        yield "</thead>" if block.head >= len(block.rows) else "</tbody>"

    def cells(self, cells: Sequence[tuple[Cell, Sequence[Row]]], tag: str) -> Iterator[str]:
        """Yield the cells of a row; those that a wider one reaches over are part of it."""
        covered = 0
        for cell, rows in cells:
            if covered and cell.span == 0:
                covered -= 1
                continue
            covered = max(0, cell.span - 1)
            wide = f' colspan="{cell.span}"' if cell.span > 1 else ""
            again = ' class="again"' if cell.span == 0 else ""
            yield f"<{tag}{wide}{again}>{self.marked(cell.text, rows)}</{tag}>"

    def marked(self, text: str, rows: Sequence[Row]) -> str:
        """Return a text whose numbers and statements are links."""
        return "".join(
            self.anchor(row, piece) if row and piece.strip() else html.escape(running_text(piece))
            for piece, row in _pieces(text, rows)
        )

    def anchor(self, row: Row, text: str) -> str:
        """Return a link to what was found; the first one of a row is what links lead to.

        What claims nothing is no link, for there is nothing more to say of it.
        """
        first = "" if row.id in self.written else f' id="{self.prefix}{row.id}"'
        self.written.add(row.id)
        shown = html.escape(running_text(text))
        form = "sentence" if row.printed is None else "number"
        classes = f"mark {form} t-{row.tone} v-{row.outcome}"
        if row.outcome == "no_claim":
            why = f"claims nothing: {row.reason}" if row.reason else "claims nothing"
            return f'<span class="{classes}"{first} title="{escape(why)}">{shown}</span>'
        said = f'<span class="unseen"> ({_TONES[row.tone]})</span>' if first else ""
        title, leads = escape(shorten(_title(row), _LONGEST_TITLE)), f"#{self.prefix}{row.id}e"
        return f'<a class="{classes}"{first} href="{leads}" title="{title}">{shown}{said}</a>'


def _pieces(text: str, rows: Sequence[Row]) -> Iterator[tuple[str, Row | None]]:
    """Yield a text cut up, each piece with the innermost row on it."""
    if not rows:
        if text:
            yield text, None
        return
    owner: list[Row | None] = [None] * len(text)
    # Longer ones first: what lies inside is painted over them.
    for row in sorted(rows, key=lambda one: one.stretch.start - one.stretch.end):
        start, end = row.stretch.start, min(row.stretch.end, len(text))
        if 0 <= start < end:
            owner[start:end] = [row] * (end - start)
    ends = {end for row in rows for end in (row.stretch.start, row.stretch.end)}
    start = 0
    for position in (*sorted(end for end in ends if 0 < end < len(text)), len(text)):
        if start < position and (position == len(text) or owner[position] is not owner[start]):
            yield text[start:position], owner[start]
            start = position


def _title(row: Row) -> str:
    """Return what a mark says where no script shows it."""
    told = row.told if row.outcome == "contradicted" else row.message or row.reason
    evidence = "; ".join(map(point_words, row.evidence))
    return f"{_TONES[row.tone]}: {told or evidence or row.rule}"


# A class at a glance: as CSV for a spreadsheet, and as the table of its page.

_LONGEST = 900
_LONGEST_TOP = 300
_TOP = 3
# What a spreadsheet takes for the start of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = (
    *("name", "status", "errors", "warnings", "notes"),
    *("numbers", "traced", "contradicted", "untraced", "no_claim", "untraced_share"),
    *("score", "max_score", "top_findings", "path"),
)
_COUNTED = ("errors", "warnings", "traced", "contradicted", "untraced", "no_claim")


def _earned(held: Record, options: Rendering) -> Decimal | None:
    """Return the points of a report; None without a rubric, and where nothing is scored."""
    scored = [line.earned for line in score(held, options.rubric)] if options.rubric else []
    known = [one for one in scored if one is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(scored) else None


def _top(held: Record) -> list[str]:
    """Return why a report was not read, its remark, and messages of its loudest findings."""
    loud = (*held.of_level("error"), *held.of_level("warning"))
    return [told for told in (held.fault, held.remark, *(row.told for row in loud[:_TOP])) if told]


def class_csv(reviews: Sequence[Review], options: Rendering) -> str:
    r"""Return the class as CSV: a row a submission, those first that need a person most.

    First what could not be checked, then by errors, warnings and the share of numbers that stand
    nowhere. Points are empty without a rubric and where nothing is scored, which is not zero. A
    cell that a spreadsheet would take for a formula begins with an apostrophe.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="ana.md", format="markdown", sha256="", blocks=())
        >>> class_csv([Review(manuscript=report)], Rendering()).splitlines()[1]
        'ana,nothing traced,0,0,0,0,0,0,0,0,0.00,,,,ana.md'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    records = make_records(reviews, options)
    for held in map(records.__getitem__, by_need(records)):
        earned = _earned(held, options)
        most = options.rubric.points if options.rubric and earned is not None else None
        cells = (
            *(held.name, status(held), *(held.totals[name] for name in COLUMNS[2:10])),
            f"{untraced_share(held):.2f}",
            *("" if one is None else points(one) for one in (earned, most)),
            *(shorten(" | ".join(_top(held)), _LONGEST), held.path),
        )
        writer.writerow([_cell(str(one)) for one in cells])
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _class_table(records: Sequence[Record], options: Rendering) -> str:
    """Return the class as a table of the page, each name a link to its report."""
    earned = [_earned(held, options) for held in records]
    scored = any(one is not None for one in earned)
    heads = [*map(_words, _COUNTED), *["Score"] * scored]
    head = (
        '<th scope="col">Submission</th><th scope="col">Status</th>'
        + "".join(f'<th scope="col" class="count-head">{name}</th>' for name in heads)
        + '<th scope="col">To read first</th>'
    )
    most = options.rubric.points if scored and options.rubric else None
    rows = (_table_row(records[i], f"r{i + 1}", earned[i], most) for i in by_need(records))
    return (
        '<div class="scroll" tabindex="0"><table class="class"><thead><tr>'
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _table_row(held: Record, anchor: str, earned: Decimal | None, most: Decimal | None) -> str:
    said, top = status(held), _top(held)
    tone = said if said in {"error", "warning", "note", "traced"} else "untraced"
    cells = [
        f'<th scope="row"><a href="#{anchor}">{escape(held.name)}</a></th>',
        f'<td class="t-{tone}"><span class="badge">{escape(said)}</span></td>',
        *(f'<td class="count" data-sort="{n}">{n}</td>' for n in map(held.totals.get, _COUNTED)),
    ]
    if most is not None:
        told = "not graded" if earned is None else f"{points(earned)} of {points(most)}"
        sort = -1 if earned is None else earned
        cells.append(f'<td class="count" data-sort="{sort}">{told}</td>')
    loud = escape(shorten(top[0], _LONGEST_TOP)) if top else ""
    cells.append(f'<td class="loud"><span>{loud}</span></td>')
    return f"<tr>{''.join(cells)}</tr>"


_LONGEST_LABEL = 70
_LONGEST_SHOWN = 40
_FILTERS = ("contradicted", "untraced", "traced", "no_claim")


def render(reviews: Sequence[Review], options: Rendering) -> str:
    """Return one HTML page.

    Of a report: its text with every number marked, and what was found at each, with evidence and
    cause. Several reports make the page of a class: a table first, then each report folded away.
    The page needs no script to be read and filtered; the script shows what was found beside a
    number that is pointed at, clicked or focused, and sorts the table. A content security policy
    keeps the page from loading or running anything else.
    """
    if len(reviews) != 1:
        return class_html(reviews, options)
    [record] = make_records(reviews, options)
    return _page(record.path, [record], "".join(_report(record, "", 1)))


def class_html(reviews: Sequence[Review], options: Rendering) -> str:
    """Return the class as one page: a table to sort, and each report behind its name.

    Example:
        >>> "<h1>0 reports</h1>" in class_html([], Rendering())
        True
    """
    records = make_records(reviews, options)
    title = f"{len(records)} report{'' if len(records) == 1 else 's'}"
    table = _class_table(records, options)
    return _page(title, records, "".join(_class(title, records, table)))


def _page(title: str, records: Sequence[Record], body: str) -> str:
    style = read_data("reportgen.records", "look.css") + _asset("_page.css")
    script = _asset("_page.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="generator" content="reportgen {__version__}">\n'
        f"<title>{escape(title)} – reportgen check</title>\n<style>{style}</style>\n</head>\n"
        f'<body>\n<a class="skip" href="#text">Skip to the report</a>\n{_filter(records)}{body}\n'
        f"<footer><p>Written by reportgen {__version__}. This page is one file and loads "
        f"nothing.</p></footer>\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _asset(name: str) -> str:
    return read_data("reportgen.checking.projections", name)


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _filter(records: Sequence[Record]) -> str:
    boxes = "".join(
        f'<label class="t-{name}"><input type="checkbox" id="show-{name}" checked> '
        f"<span>{_words(name)} {sum(one.totals[name] for one in records)}</span></label>"
        for name in _FILTERS
    )
    return f'<section class="filter" aria-label="Show what"><b>Show</b>{boxes}</section>\n'


def _report(record: Record, prefix: str, level: int) -> Iterator[str]:
    """Yield the page of one report, its headings from a level on."""
    inner, first = f"h{level + 1}", ' id="text"' if level == 1 else ""
    remark = f'<p class="remark">{escape(record.remark)}</p>' if record.remark else ""
    counts = "" if record.fault else f"<p>{tally(record)}.</p>"
    told = f'<p class="told">{escape(headline(record))}</p>'
    told = f'<div class="coverage">{remark}{told}{counts}</div>\n'
    yield f"<header><h1>{escape(record.path)}</h1>{told}</header>\n<main>" if first else told
    if not record.fault:
        items, name = _to_read(record, prefix), escape(f"Worth a look: {record.path}")
        yield '<div class="page">\n'
        yield f'<nav aria-label="{name}"><{inner}>Worth a look</{inner}>{items}</nav>\n'
        yield f'<div class="column">\n<section class="text"{first}>\n'
        writer = ReportWriter(record, prefix, level)
        yield "\n".join(writer.blocks())
        # What stands in no block still has a place to be linked from.
        if lost := writer.lost(record.rows):
            yield f'<p class="left">{lost}</p>'
        yield f'\n</section>\n<section class="entries"><{inner}>What was found</{inner}>\n'
        for outcome in ("contradicted", "untraced", "traced"):
            yield "".join(f"{_entry(row, prefix)}\n" for row in record.of_outcome(outcome))
        yield f'</section>\n<section class="about">{_about(record, level + 1)}</section>\n'
        yield "</div>\n</div>\n"
    yield "</main>\n" if first else ""


def _class(title: str, records: Sequence[Record], table: str) -> Iterator[str]:
    yield f'<header><h1>{title}</h1></header>\n<main class="whole" id="text">{table}\n'
    for number, one in enumerate(records, 1):
        yield (
            f'<details class="submission" id="r{number}"><summary><h2>{escape(one.name)}</h2> '
            f'<span class="place">{escape(one.path)}</span></summary>\n'
        )
        yield from _report(one, f"r{number}-", 2)
        yield "</details>\n"
    yield "</main>\n"


def _entry(row: Row, prefix: str) -> str:
    """Return everything that was found of a number or statement, as one article."""
    label = escape(shorten(row.quote or row.shown, _LONGEST_LABEL))
    place = escape(row.spot.inside)
    word = row.outcome if row.level in {"none", "note"} else f"{row.level}: {row.outcome}"
    rule = f' <code class="rule">{escape(row.rule)}</code>' if row.rule else ""
    classes, mark = f"entry t-{row.tone} v-{row.outcome}", f"{prefix}{row.id}"
    link = f'<a href="#{mark}" dir="auto">{label}</a> <span class="place">{place}</span>'
    parts = [
        f'<article class="{classes}" id="{mark}e" aria-label="{place}"><p class="quote">{link}</p>',
        f'<p class="head"><strong class="badge">{escape(word)}</strong>{rule}</p>',
    ]
    if row.message:
        parts.append(f'<p class="message" dir="auto">{escape(row.message)}</p>')
    if row.cause and row.cause not in row.message:
        parts.append(f'<p class="cause">Likely cause: {escape(row.cause)}</p>')
    parts += _facts(row)
    if row.evidence:
        points = "".join(f"<li>{escape(point_words(point))}</li>" for point in row.evidence)
        parts.append(f'<ul class="evidence">{points}</ul>')
    return "".join([*parts, "</article>"])


def _facts(row: Row) -> Iterator[str]:
    bound = row.outcome == "contradicted" and row.bindings
    pairs = (
        ("Printed", row.printed),
        ("Expected", row.expected),
        ("Bound by", ", ".join(row.bindings) if bound else ""),
        ("Reason", row.reason),
    )
    told = [f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in pairs if value]
    if told:
        yield f"<dl>{''.join(told)}</dl>"


def _to_read(record: Record, prefix: str) -> str:
    """Return the list of what is worth a look, the loudest first, as links into the text."""
    items = [
        _item(row, prefix)
        for level in ("error", "warning", "note")
        for row in record.of_level(level)
    ]
    return f"<ol>{''.join(items)}</ol>" if items else "<p>Nothing.</p>"


def _item(row: Row, prefix: str) -> str:
    shown = row.quote if row.printed is None else row.printed
    return (
        f'<li class="t-{row.level} v-{row.outcome}"><a href="#{prefix}{row.id}">'
        f'<span class="place">{escape(row.spot.inside)}</span> '
        f"<b>{escape(shorten(shown, _LONGEST_SHOWN))}</b> "
        f'<span class="rule">{escape(row.rule)}</span></a></li>'
    )


def _about(record: Record, level: int) -> str:
    """Return the evidence, what was inferred, and what could not be read, under headings."""
    evidence = [
        f'<code title="SHA-256 {escape(digest)}">{escape(path)}</code>'
        + (f": {escape(', '.join(tags))}" if tags else "")
        for _, path, digest, tags in record.evidence
    ]
    assumed = [
        f"{escape(f'{what}: {value}')} ({escape(why)})" for what, value, why in record.assumed
    ]
    problems = [
        f"<code>{escape(path)}</code>: {escape(message)}"
        + (f"; {escape(remedy)}" if remedy else "")
        for path, message, remedy, _ in record.problems
    ]
    lists = (
        ("Evidence", evidence),
        ("Inferred, not stated", assumed),
        ("Could not be read", problems),
    )
    return "".join(
        f"<h{level}>{title}</h{level}><ul>{''.join(f'<li>{one}</li>' for one in items)}</ul>"
        for title, items in lists
        if items
    )
