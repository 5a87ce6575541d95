"""A report in French: its words and its commas, on the pages that are set."""

import re

from fakes.command import reportgen
from fakes.readback import pdf_text


def test_the_pages_are_in_french(small_lab, tmp_path):
    asked = ("--lang", "fr", "--out", "report.pdf")
    done = reportgen("build", "--runs", small_lab, *asked, cwd=tmp_path)
    assert done.code == 0, done.err
    text = " ".join(pdf_text(tmp_path / "report.pdf").split())
    assert re.search(r"Tableau 1\b", text)
    assert "Table 1" not in text
    assert re.search(r"\b6\d,\d\d\b", text)
    assert not re.search(r"\b6\d\.\d\d\b", text)
