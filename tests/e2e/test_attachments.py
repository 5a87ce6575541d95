"""What `reportgen build` attaches to its PDF is what it writes beside it."""

import io

import pypdf
import pytest
from fakes.pdf import lines, pdf
from fakes.pdf_standards import faults

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.render import metrics_csv


@pytest.fixture(scope="module")
def reader(built):
    return pypdf.PdfReader(io.BytesIO((built / "report.pdf").read_bytes()))


def test_the_numbers_are_attached_as_they_are_written(built, reader, lab):
    assert reader.attachments["report.json"] == [(built / "report.json").read_bytes()]
    facts = analyse(BuildOptions(study=lab / "study.toml", out=built, cache=None))
    assert reader.attachments["metrics.csv"] == [metrics_csv(facts)]


def test_an_attachment_says_what_it_is_to_the_report(reader):
    files = [item.get_object() for item in reader.trailer["/Root"]["/AF"]]
    assert {(item["/UF"], item["/AFRelationship"]) for item in files} == {
        ("report.json", "/Data"),
        ("metrics.csv", "/Data"),
        ("files.digests.csv", "/Data"),
    }
    kinds = {item["/UF"]: item["/EF"]["/F"].get_object()["/Subtype"] for item in files}
    tables = dict.fromkeys(("metrics.csv", "files.digests.csv"), "/text/csv")
    assert kinds == {"report.json": "/application/json", **tables}


def test_the_finished_file_meets_both_standards(built):
    content = (built / "report.pdf").read_bytes()
    assert faults(content, "3a") == []
    assert faults(content, "ua1") == []


def test_the_judge_tells_a_file_that_meets_neither():
    assert faults(pdf(lines("words")), "3a")
    assert faults(pdf(lines("words")), "ua1")
