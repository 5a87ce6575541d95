"""Written reports, one file a format; `read` answers by the file's name."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

MANUSCRIPTS = Registry(
    "report format",
    {
        "markdown": Entry(
            "reportgen.read.documents.markdown:read_markdown",
            "Markdown, also GitHub's and Quarto's",
            ("*.md", "*.markdown", "*.qmd", "*.Rmd"),
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
        "plain": Entry(
            "reportgen.read.documents.plain:read_plain",
            "plain text with aligned tables",
            ("*.txt",),
        ),
    },
)
