import io

import pytest

from reportgen.read.logs._bulk.reader import read_in_bulk


@pytest.fixture
def read():
    """Return what bulk reading makes of bytes: content, and series by tag."""

    def from_bytes(content):
        found, points = read_in_bulk(io.BytesIO(content).readinto)
        return found, points.series("x")

    return from_bytes
