"""Written reports as blocks of clean text, one reader a format.

`read_document` reads a report with the reader that its name calls for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Entry, Registry, lazy_names

READERS = Registry(
    "report format",
    {
        "markdown": Entry(
            "reportgen.read.documents._markdown:read_markdown",
            "Markdown, also GitHub's and Quarto's",
            ("*.md", "*.markdown", "*.qmd", "*.rmd"),
        ),
        "latex": Entry(
            "reportgen.read.documents.latex:read_latex", "LaTeX with its \\input files", ("*.tex",)
        ),
        "pdf": Entry("reportgen.read.documents.pdf:read_pdf", "the text of a PDF", ("*.pdf",)),
        "notebook": Entry(
            "reportgen.read.documents.notebook:read_notebook",
            "a Jupyter notebook: its text and its outputs",
            ("*.ipynb",),
        ),
        "docx": Entry(
            "reportgen.read.documents.docx:read_docx",
            "a document of Word; needs the extra docx",
            ("*.docx",),
        ),
        "html": Entry(
            "reportgen.read.documents._html:read_html",
            "pages of HTML: our own reports and simple ones",
            ("*.html", "*.htm"),
        ),
        "plain": Entry(
            "reportgen.read.documents._markdown:read_plain",
            "plain text, with Markdown's marks or without",
            ("*.txt",),
        ),
    },
)

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.read.documents._pdf_library import attached_file
    from reportgen.read.documents._read import Limits, format_of, read_document

__getattr__ = lazy_names(__name__)
