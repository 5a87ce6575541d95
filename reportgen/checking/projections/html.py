"""Verdicts as one page that loads nothing: the report's text, each number marked by its outcome."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence

from reportgen import __version__
from reportgen.checking.projections._class import class_rows, class_table
from reportgen.checking.projections._html_report import ReportWriter, escape
from reportgen.checking.projections._records import (
    Record,
    Rendering,
    Row,
    headline,
    make_records,
    tally,
)
from reportgen.checking.projections._words import point_words
from reportgen.records.rows import read_data
from reportgen.records.source import shorten
from reportgen.records.verdict import Review

_LONGEST_LABEL = 70
_LONGEST_SHOWN = 40
_FILTERS = {
    "contradicted": "Contradicted",
    "untraced": "Untraced",
    "traced": "Traced",
    "no_claim": "No claim",
}


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
    anchors = [f"r{index}" for index in range(1, len(records) + 1)]
    title = f"{len(records)} report{'' if len(records) == 1 else 's'}"
    table = class_table(class_rows(records, options), anchors)
    return _page(title, records, "".join(_class(title, records, anchors, table)))


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
        f"<span>{label} {sum(one.totals[name] for one in records)}</span></label>"
        for name, label in _FILTERS.items()
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


def _class(
    title: str, records: Sequence[Record], anchors: Sequence[str], table: str
) -> Iterator[str]:
    yield f'<header><h1>{title}</h1></header>\n<main class="whole" id="text">{table}\n'
    for record, anchor in zip(records, anchors, strict=True):
        yield (
            f'<details class="submission" id="{anchor}"><summary><h2>{escape(record.name)}</h2> '
            f'<span class="place">{escape(record.path)}</span></summary>\n'
        )
        yield from _report(record, f"{anchor}-", 2)
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
