"""One HTML file that loads nothing: text, formulas, figures, and the evidence of each number."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping
from itertools import islice

from reportgen import __version__
from reportgen.records import document as doc
from reportgen.records.record import replace
from reportgen.render._context import RenderContext
from reportgen.render._escape import embed_json, escape_html, escape_listing
from reportgen.render._formulas import print_mathml_group
from reportgen.render._html_figure import Drawings, charts_json
from reportgen.render._html_table import (
    LONG,
    EvidenceList,
    HtmlPrinter,
    print_table,
    reference_anchor,
)
from reportgen.render._inline import Raw
from reportgen.render._limits import LIMITS
from reportgen.render._numbering import Labels
from reportgen.render._pages import TOP, PageWriter, page_words, policy_hash, shared_look
from reportgen.render._spelling import spell_date
from reportgen.render._templates import (
    render_report,
    render_template,
)
from reportgen.render.json import render as render_json

_CONTENTS_DEPTH = 2
_MOST_NUMBERS = 10_000  # no report of more numbers is as small as that, so none is written to see


def render(
    report: doc.Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Return the report as one HTML file.

    The page carries its style, its script, its figures and the evidence of every number; a
    content security policy keeps it from loading or running anything else.

    Returns:
        `<stem>.html`.

    Raises:
        TemplateError: A template of the user's cannot be rendered.
    """
    writer = _Writer(report, labels, figures, context)
    known = sum(1 for _ in islice(doc.numbers(report), _MOST_NUMBERS + 1))
    carried = b""
    if known <= _MOST_NUMBERS:
        carried = context.json or b"".join(render_json(report, labels, figures, context).values())
    page = writer.write(report, carried)
    return {f"{context.stem}.html": page.encode(errors="replace")}


_KINDS = {
    "pdf": "PDF",
    "docx": "Word",
    "md": "Markdown",
    "tex": "LaTeX",
    "json": "JSON",
}
"""Endings of the files beside the page that it leads to."""


class _Writer(PageWriter):
    """Renders a report as one page."""

    def __init__(
        self,
        report: doc.Report,
        labels: Labels,
        figures: Mapping[str, bytes],
        context: RenderContext,
    ) -> None:
        self.figures = figures
        self.evidence = EvidenceList(report.metadata.get("files", ()), report.lang)
        self.printer = HtmlPrinter(labels, report.lang, self.evidence)
        self.drawings = Drawings()
        self.drawn: dict[str, doc.Figure] = {}
        super().__init__("html", escape_html, self.printer, context)

    def write(self, report: doc.Report, content: bytes) -> str:
        """Return the whole page; `content` is report.json, or nothing where that is too large."""
        script, style = self.asset("report.js"), self.asset("report.css")
        words, stem = page_words(report.lang), self.context.stem
        lead, rest = _first_figure(report)
        variables = {
            "lead": self.block(lead, TOP) if lead else "",
            **self.front(rest),
            "lang": report.lang,
            "title": report.title,
            "date": report.date,
            "day": spell_date(report.date, report.lang),
            "contents": [self.entry(s, 1) for s in report.sections],
            "glyphs": self.drawings.sheet(),
            "style": style,
            "style_hash": policy_hash(style),
            "script": script,
            "script_hash": policy_hash(script),
            "charts": Raw(embed_json(charts_json(self.drawn))),
            "words": words,
            "wording": Raw(embed_json(dict(words))),
            "evidence": self.evidence.variables(),
            "json": {"name": f"{stem}.json", "data": _carried(content)},
            "version": __version__,
            "siblings": [
                {"kind": kind, "name": f"{stem}.{ending}"}
                for ending, kind in _KINDS.items()
                if ending in self.context.siblings
            ],
        }
        return render_report(self.environment, variables)

    def asset(self, name: str) -> Raw:
        """Return the style sheet or the script; both can be overridden like any template."""
        return render_template(self.environment.get_template(name), name, shared_look())

    def entry(self, section: doc.Section, depth: int) -> dict[str, object]:
        """Return one line of the table of contents with those below it."""
        inner = [
            b for b in section.blocks if isinstance(b, doc.Section) and depth < _CONTENTS_DEPTH
        ]
        label = self.labels.label(section.id)
        return {
            "number": label.number,
            "title": section.title,
            "anchor": label.anchor,
            "entries": [self.entry(child, depth + 1) for child in inner],
        }

    def section(self, section: doc.Section, level: int) -> dict[str, object]:
        return {"level": level, "title": section.title, "folded": section.appendix}

    def item(
        self,
        place: int,  # noqa: ARG002
        text: Raw,
        below: list[Raw],
        block: doc.Bullets,  # noqa: ARG002
    ) -> Raw:
        return Raw("\n".join([text, *below]))

    def equations(self, group: doc.EquationGroup) -> dict[str, object]:
        return {"math": Raw(print_mathml_group(group, self.lang))}

    def table(self, table: doc.Table) -> dict[str, object]:
        name = f"{self.labels.anchor(table.id)}:name"
        return {
            "table": print_table(table, self.printer, name),
            "long": len(table.rows) > LONG,
            "excerpt": self.line(table.excerpt.note) if table.excerpt else "",
        }

    def figure(self, figure: doc.Figure) -> dict[str, object]:
        label = self.labels.label(figure.id)
        self.drawn[label.anchor] = figure
        svg = self.figures[figure.id]
        return {"figure": self.drawings.inline(svg, label.anchor, label.text, figure.alt)}

    def listing(self, listing: doc.Listing) -> Raw:
        return Raw(escape_listing(listing.text))

    def variables(self, block: doc.Block, level: int) -> dict[str, object]:
        told = super().variables(block, level)
        return (
            told | {"words": page_words(self.lang)} if isinstance(block, doc.References) else told
        )

    def reference(self, entry: doc.Reference) -> dict[str, object]:
        anchor = reference_anchor(entry.key)
        places = self.printer.cited.get(entry.key, ())
        return {**super().reference(entry), "anchor": anchor, "places": places}


def _first_figure(report: doc.Report) -> tuple[doc.Figure | None, doc.Report]:
    """Return the first figure of the body, which opens the page, and the report without it."""
    for place, section in enumerate(report.sections):
        found = [block for block in section.blocks if isinstance(block, doc.Figure)]
        if section.appendix or not found:
            continue
        blocks = tuple(block for block in section.blocks if block is not found[0])
        before, after = report.sections[:place], report.sections[place + 1 :]
        sections = (*before, replace(section, blocks=blocks), *after)
        return found[0], replace(report, sections=sections)
    return None, report


def _carried(content: bytes) -> Raw:
    """Return a file as the page carries it, or nothing where it would make the page too large."""
    packed = gzip.compress(content, mtime=0) if content else b""
    return Raw(base64.b64encode(packed).decode() if len(packed) <= LIMITS.carried_bytes else "")
