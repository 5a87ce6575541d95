"""Written reports as blocks of clean text, one reader a format.

`read_document` reads a report with the reader that its name calls for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Registry, lazy_names

READERS = Registry(
    "report format",
    __name__,
    r"""
markdown _markdown:read_markdown Markdown, also GitHub's and Quarto's | *.md *.markdown *.qmd *.rmd
latex latex:read_latex LaTeX with its \input files | *.tex
pdf pdf:read_pdf the text of a PDF | *.pdf
notebook notebook:read_notebook a Jupyter notebook: its text and its outputs | *.ipynb
docx docx:read_docx a document of Word; needs the extra docx | *.docx
html _html:read_html pages of HTML: our own reports and simple ones | *.html *.htm
plain _markdown:read_plain plain text, with Markdown's marks or without | *.txt
""",
)

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.read.documents._pdf_library import attached_file
    from reportgen.read.documents._read import Limits, format_of, read_document

__getattr__ = lazy_names(__name__)
