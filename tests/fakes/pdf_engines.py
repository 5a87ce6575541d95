"""What tests of finished pages share: the second engine, and the text of a PDF."""

import io
import os
import shutil
import unicodedata

import pypdf
import pytest


def require_pdflatex() -> None:
    """Skip where pdflatex is missing, unless the machine promised to have it."""
    if shutil.which("pdflatex"):
        return
    if os.environ.get("REPORTGEN_REQUIRE_LATEX") == "1":
        pytest.fail("REPORTGEN_REQUIRE_LATEX=1, but pdflatex is not installed")
    pytest.skip("pdflatex is not installed")


def pages(pdf: bytes) -> list[str]:
    """Return the text of every page."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]


def squeezed(text: str) -> str:
    """Return a text without white space, ligatures opened."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def complaints(compiled):
    """What an engine says of pages, but for the characters that no font here has."""
    return [one for one in compiled.warnings if "code points" not in one]
