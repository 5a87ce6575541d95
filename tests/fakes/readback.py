"""Read a finished report as text again, by other people's readers where there are any."""

import html.parser
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

NUMBER = re.compile(r"[+−-]?\d[\d,]*(?:\.\d+)?(?:[eE][+−-]?\d+)?")


def number_counts(text: str) -> Counter[str]:
    """Return how often each number stands in a text, in one spelling."""
    joined = text.replace("\u202f", "").replace("\u2009", "").replace("\u00a0", " ")
    found = NUMBER.findall(joined.replace("−", "-"))
    return Counter(n.lstrip("+-").rstrip(",").replace(",", "") for n in found)


def pdf_text(path: Path) -> str:
    """Return the text of a PDF as it stands on the pages, by poppler, else by pypdf."""
    if shutil.which("pdftotext"):
        command = ["pdftotext", "-layout", str(path), "-"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    from pypdf import PdfReader

    pages = (page.extract_text(extraction_mode="layout") for page in PdfReader(path).pages)
    return "\n".join(pages)


CELLS = {"td", "th", "tr", "p", "li", "div", "figcaption", "caption", "dt", "dd"}


class _Text(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.hidden += tag in {"script", "style", "svg"}
        if tag in CELLS:
            self.pieces.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in {"script", "style", "svg"}

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(data)


def html_text(source: str) -> str:
    """Return what a page shows: no scripts, no styles, no drawings."""
    reader = _Text()
    reader.feed(source)
    return "".join(reader.pieces)


def latex_text(source: str) -> str:
    """Return LaTeX source with its spellings of numbers undone, without comments."""
    body = source.split(r"\begin{document}", 1)[1].replace("{,}", ",")
    body = re.sub(r"(?m)^%.*$", "", body)
    body = re.sub(r"\\textbf\{([^{}]*)\}", r"\1", body)
    # A number in a decimal column stands in two halves, each with the width of its box.
    body = re.sub(r"\\decimal\{[^}]*\}\{([^}]*)\}\{[^}]*\}\{([^}]*)\}", r" \1\2 ", body)
    return body.replace(r"\ensuremath{-}", "-").replace(r"\,", "")


def markdown_text(source: str) -> str:
    """Return Markdown with its entities and escapes undone."""
    return html.unescape(source).replace("\\", "").replace("{,}", ",")
