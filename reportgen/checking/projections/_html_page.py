"""The pages of findings: of one report, and of a class."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import resources

from reportgen import __version__
from reportgen.checking.projections._class_rows import class_rows
from reportgen.checking.projections._coverage import coverage, tally
from reportgen.checking.projections._html_class import class_table
from reportgen.checking.projections._html_entry import about, entry, to_read
from reportgen.checking.projections._html_marks import VERDICTS, make_marks, verdict_class
from reportgen.checking.projections._html_text import TextWriter, escape
from reportgen.checking.projections._record import Record, make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.finding import Judgement

_FILTERS = {
    "disagrees": "Disagrees",
    "borderline": "Borderline",
    "agrees": "Agrees",
    "open": "Not checkable",
}


def report_page(judgement: Judgement, options: Rendering) -> str:
    """Return the page of one report: its text, what was found, the evidence."""
    [record] = make_records([judgement], options)
    return _page(record.path, [record], "".join(_report(record, judgement, "", 1)))


def class_page(judgements: Sequence[Judgement], options: Rendering) -> str:
    """Return the page of a class: a table of the submissions, and each report folded away."""
    records = make_records(judgements, options)
    count = len(records)
    title = f"{count} report{'' if count == 1 else 's'}"
    return _page(title, records, "".join(_class(title, records, judgements, options)))


def _page(title: str, records: Sequence[Record], body: str) -> str:
    style, script = _asset("_page.css"), _asset("_page.js")
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
    return (
        resources.files("reportgen.checking.projections").joinpath(name).read_text(encoding="utf-8")
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _filter(records: Sequence[Record]) -> str:
    decided = (verdict_class(row) for one in records for row in one.rows if row.decisive)
    counts = Counter(decided)
    boxes = "".join(
        f'<label class="t-{name}"><input type="checkbox" id="show-{name}" checked> '
        f"<span>{_FILTERS[name]} {counts[name]}</span></label>"
        for name in VERDICTS
    )
    return f'<fieldset class="filter"><legend>Show what</legend>{boxes}</fieldset>\n'


def _report(record: Record, judgement: Judgement, prefix: str, level: int) -> Iterator[str]:
    """Yield the page of one report, its headings from a level on."""
    marks = make_marks(judgement, record, prefix)
    inner = f"h{level + 1}"
    if level == 1:
        yield f"<header><h1>{escape(record.path)}</h1>"
    told = "".join(f"<p>{escape(sentence)}</p>" for sentence in coverage(record))
    yield f'<div class="coverage">{"" if record.fault else f"<p>{tally(record)}.</p>"}{told}</div>'
    yield "</header>\n" if level == 1 else "\n"
    if record.fault:
        return
    yield '<div class="page">\n'
    yield f'<nav aria-label="Worth a look"><{inner}>Worth a look</{inner}>{to_read(marks)}</nav>\n'
    anchor = ' id="text"' if level == 1 else ""
    yield f'<main{anchor}>\n<section class="text" aria-label="The report">\n'
    writer = TextWriter(judgement.manuscript, marks, level)
    yield "\n".join(writer.blocks())
    # A claim whose block is not there still has a place to be linked from.
    lost = [mark for mark in marks if mark.id not in writer.written]
    if lost:
        yield f'<p class="left">{"".join(writer.anchor(mark, "◆") for mark in lost)}</p>'
    yield f'\n</section>\n<section class="entries"><{inner}>What was found</{inner}>\n'
    yield "\n".join(entry(mark) for mark in marks)
    yield f'\n</section>\n<section class="about">{about(record, level + 1)}</section>\n'
    yield "</main>\n</div>\n"


def _class(
    title: str, records: Sequence[Record], judgements: Sequence[Judgement], options: Rendering
) -> Iterator[str]:
    anchors = [f"r{index}" for index in range(1, len(records) + 1)]
    yield f"<header><h1>{title}</h1></header>\n"
    yield f'<div class="whole" id="text">{class_table(class_rows(judgements, options), anchors)}\n'
    for record, judgement, anchor in zip(records, judgements, anchors, strict=True):
        yield (
            f'<details class="submission" id="{anchor}"><summary><h2>{escape(record.name)}</h2> '
            f'<span class="place">{escape(record.path)}</span></summary>\n'
        )
        yield from _report(record, judgement, f"{anchor}-", 2)
        yield "</details>\n"
    yield "</div>\n"
