"""Formats: a report as LaTeX, Typst, Markdown, HTML, JSON, and as PDF by two engines."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

FORMATS = Registry(
    "format",
    {
        "card": Entry(
            "reportgen.render.card:render", "a model card of the Hugging Face Hub", ("README.md",)
        ),
        "docx": Entry("reportgen.render.docx:render", "a document of Word", ("*.docx",)),
        "html": Entry("reportgen.render.html:render", "one file, no network", ("*.html",)),
        "json": Entry(
            "reportgen.render.json:render", "every number with its evidence", ("*.json",)
        ),
        "latex": Entry("reportgen.render.latex:render", "LaTeX source and figures", ("*.tex",)),
        "markdown": Entry("reportgen.render.markdown:render", "GitHub Markdown", ("*.md",)),
        "pdf": Entry(
            "reportgen.render.pdf:render", "finished pages, by typst or pdflatex", ("*.pdf",)
        ),
        "typst": Entry("reportgen.render.typst:render", "Typst source and figures", ("*.typ",)),
    },
)
