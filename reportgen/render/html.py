"""One HTML file that loads nothing: text, formulas, figures, and the evidence of each number."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Mapping
from itertools import islice

import jinja2

from reportgen import __version__
from reportgen.records.document import (
    BLOCK_KINDS,
    Block,
    Bullets,
    EquationGroup,
    Figure,
    Listing,
    Paragraph,
    Reference,
    References,
    Report,
    Section,
    Table,
    Text,
)
from reportgen.records.document import numbers as numbers_of
from reportgen.render._context import RenderContext
from reportgen.render._escape import embed_json, escape_html, escape_listing
from reportgen.render._formulas import print_mathml_group
from reportgen.render._html_charts import charts_json
from reportgen.render._html_evidence import EvidenceList
from reportgen.render._html_figure import Drawings
from reportgen.render._html_table import LONG, HtmlPrinter, print_table, reference_anchor
from reportgen.render._html_words import page_words, policy_hash
from reportgen.render._inline import Raw, items_of
from reportgen.render._limits import LIMITS
from reportgen.render._numbering import Labels
from reportgen.render._spelling import spell_date
from reportgen.render._templates import (
    make_environment,
    render_block,
    render_report,
    render_template,
)
from reportgen.render.json import render as render_json

_DEEPEST_HEADING = 6
_CONTENTS_DEPTH = 2
_MOST_NUMBERS = 10_000  # no report of more numbers is as small as that, so none is written to see


def render(
    report: Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
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
    known = sum(1 for _ in islice(numbers_of(report), _MOST_NUMBERS + 1))
    carried = (
        b"".join(render_json(report, labels, figures, context).values())
        if known <= _MOST_NUMBERS
        else b""
    )
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


class _Writer:
    """Renders blocks with their templates, from the innermost outwards."""

    def __init__(
        self,
        report: Report,
        labels: Labels,
        figures: Mapping[str, bytes],
        context: RenderContext,
    ) -> None:
        self.labels = labels
        self.figures = figures
        self.stem, self.siblings = context.stem, context.siblings
        self.lang = report.lang
        self.evidence = EvidenceList(report.metadata.get("files", ()), report.lang)
        self.printer = HtmlPrinter(labels, report.lang, self.evidence)
        self.drawings = Drawings()
        self.drawn: dict[str, Figure] = {}
        self.environment: jinja2.Environment = make_environment(
            "html", escape_html, context.template_dirs, braces=True
        )

    def write(self, report: Report, numbers: bytes) -> str:
        """Return the whole page; `numbers` is report.json, or nothing where that is too large."""
        script, style = self.asset("report.js"), self.asset("report.css")
        words = page_words(report.lang)
        variables = {
            "lang": report.lang,
            "title": report.title,
            "authors": report.authors,
            "date": report.date,
            "day": spell_date(report.date, report.lang),
            "abstract": self.printer.print_text(report.abstract),
            "occasion": report.occasion,
            "glance": [
                {
                    "question": self.printer.print_text(one.question),
                    "text": self.printer.print_text(one.text),
                    "where": self.printer.print_text(one.where),
                }
                for one in report.glance
            ],
            "contents": [self.entry(s, 1) for s in report.sections],
            "blocks": [self.block(section, 2) for section in report.sections],
            "glyphs": self.drawings.sheet(),
            "style": style,
            "style_hash": policy_hash(style),
            "script": script,
            "script_hash": policy_hash(script),
            "charts": Raw(embed_json(charts_json(self.drawn))),
            "words": words,
            "wording": Raw(embed_json(dict(words))),
            "evidence": self.evidence.variables(),
            "json": {"name": f"{self.stem}.json", "data": _carried(numbers)},
            "version": __version__,
            "siblings": [
                {"kind": kind, "name": f"{self.stem}.{ending}"}
                for ending, kind in _KINDS.items()
                if ending in self.siblings
            ],
        }
        return render_report(self.environment, variables)

    def asset(self, name: str) -> Raw:
        """Return the style sheet or the script; both can be overridden like any template."""
        return render_template(self.environment.get_template(name), name, {})

    def entry(self, section: Section, depth: int) -> dict[str, object]:
        """Return one line of the table of contents with those below it."""
        inner = [b for b in section.blocks if isinstance(b, Section) and depth < _CONTENTS_DEPTH]
        label = self.labels.label(section.id)
        return {
            "number": label.number,
            "title": section.title,
            "anchor": label.anchor,
            "entries": [self.entry(child, depth + 1) for child in inner],
        }

    def block(self, block: Block, level: int) -> Raw:
        """Return one block, rendered."""
        kind = BLOCK_KINDS[type(block)]
        return render_block(self.environment, kind, block.id, self.variables(block, level))

    def variables(self, block: Block, level: int) -> dict[str, object]:
        """Return what the template of a block may print; every value is spelled already."""
        spell = self.printer.print_text
        match block:
            case Section():
                return {
                    **self.label(block),
                    "level": min(level, _DEEPEST_HEADING),
                    "title": block.title,
                    "folded": block.appendix,
                    "blocks": [self.block(child, level + 1) for child in block.blocks],
                }
            case Paragraph():
                return {"text": spell(block.text)}
            case Bullets():
                items = [self.item(item, below, level) for item, below in items_of(block)]
                return {"start": block.start, "items": items}
            case EquationGroup():
                return {**self.label(block), "math": Raw(print_mathml_group(block, self.lang))}
            case Table():
                label = self.label(block, block.caption)
                table = print_table(block, self.printer, f"{label['anchor']}:name")
                return {
                    **label,
                    "table": table,
                    "long": len(block.rows) > LONG,
                    "excerpt": spell(block.excerpt.note) if block.excerpt else "",
                    "notes": [spell(note) for note in block.notes],
                }
            case Figure():
                return {**self.label(block, block.caption), "figure": self.figure(block)}
            case Listing():
                text = Raw(escape_listing(block.text))
                return {**self.label(block, block.caption), "text": text}
            case References():
                entries = [self.reference(entry) for entry in block.entries]
                return {"entries": entries, "words": page_words(self.lang)}

    def item(self, text: Text, below: tuple[Bullets, ...], level: int) -> Raw:
        """Return an item of a list with the lists below it."""
        inner = [self.block(each, level) for each in below]
        return Raw("\n".join([self.printer.print_text(text), *inner]))

    def label(
        self, block: Section | EquationGroup | Table | Figure | Listing, caption: Text = ()
    ) -> dict[str, object]:
        """Return number, name, anchor and caption of a numbered block."""
        label = self.labels.label(block.id)
        return {
            "number": label.number,
            "name": label.text,
            "anchor": Raw(label.anchor),
            "caption": self.printer.print_text(caption),
        }

    def figure(self, figure: Figure) -> Raw:
        """Return a drawing as part of the page."""
        label = self.labels.label(figure.id)
        self.drawn[label.anchor] = figure
        return self.drawings.inline(self.figures[figure.id], label.anchor, label.text, figure.alt)

    def reference(self, entry: Reference) -> dict[str, object]:
        """Return one reference; only an address of the web becomes a link."""
        return {
            "number": self.labels.cite(entry.key),
            "anchor": reference_anchor(entry.key),
            "text": self.printer.print_text(entry.text),
            "url": entry.url if re.match(r"https?://", entry.url) else "",
            "places": self.printer.cited.get(entry.key, ()),
        }


def _carried(content: bytes) -> Raw:
    """Return a file as the page carries it, or nothing where it would make the page too large."""
    packed = gzip.compress(content, mtime=0) if content else b""
    return Raw(base64.b64encode(packed).decode() if len(packed) <= LIMITS.carried_bytes else "")
