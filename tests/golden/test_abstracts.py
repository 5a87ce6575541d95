"""What reports say first, of labs that nobody here made: title, abstract and the claims.

`make golden` writes the rows anew; the difference is then read like prose. A lab that is not
there is left out.
"""

import os
from pathlib import Path

import pytest
import yaml
from fakes import made_runs
from fakes.pinned import ANEW, shared
from fakes.rows import rows_of

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.records.document import Paragraph, Strong
from reportgen.report import compose_report

FILE = Path(__file__).resolve().parent / "abstracts.yaml"
ROWS = rows_of(FILE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["lab"])
def test_the_abstract_is_one_that_the_owner_of_the_runs_signs(row):
    said = first_words(shared(row["lab"]))
    if os.environ.get("REPORTGEN_GOLDEN"):
        row.update(said)
        rows = yaml.safe_dump(ROWS, allow_unicode=True, sort_keys=False, width=98)
        FILE.write_text(rows, encoding="utf-8")
    assert said == {key: row.get(key) for key in said}, ANEW


def first_words(folder):
    """Title, abstract and the head of each finding of the report on a folder of logs."""
    report = compose_report(analyse(BuildOptions(out=Path("report.md"), runs=folder)), metadata={})
    body = [section for section in report.sections if not section.appendix]
    claims = [
        made_runs.words(block.text[:1])
        for section in body
        for block in section.blocks
        if isinstance(block, Paragraph) and block.text and isinstance(block.text[0], Strong)
    ]
    return {"title": report.title, "abstract": made_runs.words(report.abstract), "claims": claims}
