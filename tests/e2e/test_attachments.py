"""What `reportgen build` attaches to its PDF is what it writes beside it."""

import io
from pathlib import Path

import pypdf
import pytest
from fakes.pdf_standards import faults

from reportgen import app
from reportgen.app.analysis import analyse
from reportgen.render import metrics_csv

STUDY = Path(__file__).resolve().parents[2] / "inputs" / "roberta-small-fr" / "study.toml"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    options = app.BuildOptions(
        study=STUDY, out=out / "lab.pdf", cache=None, settings={"theme": "acl"}
    )
    assert app.build(options).exit_code == 0
    return out, pypdf.PdfReader(io.BytesIO((out / "lab.pdf").read_bytes()))


def test_the_numbers_are_attached_as_they_are_written(built):
    out, reader = built
    assert reader.attachments["report.json"] == [(out / "lab.json").read_bytes()]
    facts = analyse(app.BuildOptions(study=STUDY, out=out, cache=None))
    assert reader.attachments["metrics.csv"] == [metrics_csv(facts)]


def test_an_attachment_says_what_it_is_to_the_report(built):
    files = [item.get_object() for item in built[1].trailer["/Root"]["/AF"]]
    assert {(item["/UF"], item["/AFRelationship"]) for item in files} == {
        ("report.json", "/Data"),
        ("metrics.csv", "/Data"),
        ("files.digests.csv", "/Data"),
    }
    kinds = {item["/UF"]: item["/EF"]["/F"].get_object()["/Subtype"] for item in files}
    tables = dict.fromkeys(("metrics.csv", "files.digests.csv"), "/text/csv")
    assert kinds == {"report.json": "/application/json", **tables}


def test_the_finished_file_meets_both_standards(built):
    content = (built[0] / "lab.pdf").read_bytes()
    assert faults(content, "3a") == []
    assert faults(content, "ua1") == []


def test_the_judge_tells_a_file_that_meets_neither():
    from fakes.pdf import lines, pdf

    assert faults(pdf(lines("words")), "3a")
    assert faults(pdf(lines("words")), "ua1")
