"""Render: a report as LaTeX, Typst, Markdown, HTML, JSON, Word, and as PDF by two engines.

`render` gives the files of one format, `render_bundle` those of several with the finished pages;
`reportgen.render.figures` draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Registry, lazy_names

FORMATS = Registry(
    "format",
    __name__,
    """
pdf pdf:render_pdf finished pages, by typst or pdflatex | *.pdf
latex latex:render LaTeX source and figures | *.tex
markdown markdown:render GitHub Markdown | *.md
html html:render one file, no network | *.html
json json:render every number with its evidence | *.json
docx docx:render a document of Word | *.docx
card markdown:render_card a model card of the Hugging Face Hub | README.md
typst typst:render Typst source and figures | *.typ
""",
    group="reportgen.formats",
)
ENDINGS = {
    entry.match[0].removeprefix("*.") if entry.match[0].startswith("*.") else name: name
    for name, entry in FORMATS.items()
}
"""What `--format` calls a format to its name: the ending of its files, where it has one."""

if TYPE_CHECKING:
    from reportgen.render._bundle import Bundle, Rounds, render, render_bundle
    from reportgen.render._context import Page, RenderContext, Theme, find_theme, packaged_templates
    from reportgen.render._csv_tables import CSV_COLUMNS, metrics_csv
    from reportgen.render._escape import clean, clean_prose, escape_markdown
    from reportgen.render._limits import LIMITS
    from reportgen.render._numbering import Labels, anchor_of, resolve
    from reportgen.render._pages import live_page, waiting_page
    from reportgen.render._spelling import print_number, spell_date, split_power
    from reportgen.render._templates import forget_templates
    from reportgen.render.docx import bookmark_of
    from reportgen.render.json import facts_metadata, report_json
    from reportgen.render.pdf import (
        Compiled,
        choose_engine,
        compile_latex,
        compile_typst,
        render_pdf,
        svg_to_pdf,
        svg_to_png,
    )

__getattr__ = lazy_names(__name__)
