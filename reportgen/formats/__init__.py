"""Formats: a report as LaTeX, Typst, Markdown, HTML, JSON, and as PDF by two engines."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

FORMATS = Registry(
    "format",
    {
        "card": Entry(
            "reportgen.formats.card:render", "a model card of the Hugging Face Hub", ("README.md",)
        ),
        "docx": Entry("reportgen.formats.docx:render", "a document of Word", ("*.docx",)),
        "html": Entry("reportgen.formats.html:render", "one file, no network", ("*.html",)),
        "json": Entry(
            "reportgen.formats.json:render", "every number with its evidence", ("*.json",)
        ),
        "latex": Entry("reportgen.formats.latex:render", "LaTeX source and figures", ("*.tex",)),
        "markdown": Entry("reportgen.formats.markdown:render", "GitHub Markdown", ("*.md",)),
        "pdf": Entry(
            "reportgen.formats.pdf:render", "finished pages, by typst or pdflatex", ("*.pdf",)
        ),
        "typst": Entry("reportgen.formats.typst:render", "Typst source and figures", ("*.typ",)),
    },
)
