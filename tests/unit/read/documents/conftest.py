"""A reader of pages that a test writes itself."""

import pytest
from fakes.pdf import pdf

from reportgen.read.documents import Limits, read_document
from reportgen.records.manuscript import Manuscript


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a page or several, or a whole file."""

    def read(*contents: bytes, limits: Limits | None = None, **options) -> Manuscript:
        path = tmp_path / "report.pdf"
        path.write_bytes(pdf(*contents, **options))
        return read_document(path, limits or Limits())

    return read
