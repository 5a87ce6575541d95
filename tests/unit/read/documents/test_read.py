from pathlib import Path

import pytest
from fakes.manuscript_text import read
from fakes.rows import rows_beside

from reportgen.read.documents import READERS, format_of
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)


@pytest.mark.parametrize(("name", "kind"), ROWS["the_name_tells_the_format"])
def test_the_name_tells_the_format(name, kind):
    assert format_of(Path(name)) == kind


def test_a_pdf_is_one_whatever_its_name(tmp_path):
    (tmp_path / "report.txt").write_bytes(b"%PDF-1.5\n")
    assert format_of(tmp_path / "report.txt") == "pdf"


def test_an_unknown_kind_is_named_with_those_that_are_read(tmp_path):
    with pytest.raises(EvidenceError, match=r"report\.odt is of a format that no reader") as caught:
        read(tmp_path, "report.odt", "x")
    for entry in READERS.values():
        assert entry.match[0] in caught.value.remedy
