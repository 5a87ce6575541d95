"""What is written of a class, and what is refused before any work is done."""

import json
from pathlib import Path

import pytest

from reportgen.app.checking import Checked
from reportgen.app.showing import ShowOptions, plan_formats, show
from reportgen.app.submissions import Submission
from reportgen.records.errors import EvidenceError, StudyError
from reportgen.records.manuscript import Manuscript
from reportgen.records.verdict import Review


def checked(name: str) -> Checked:
    report = Manuscript(path=f"{name}/report.md", format="markdown", sha256="", blocks=())
    submission = Submission(name=name, report=Path(report.path))
    return Checked(submission=submission, review=Review(manuscript=report))


def written(folder: Path, *names: str) -> set[str]:
    options = ShowOptions(out=folder, formats=("json",))
    shown = show([checked(name) for name in names], options, whole_class=True)
    return {path.relative_to(folder).as_posix() for path in shown.written}


def test_a_submission_may_be_called_as_the_files_of_the_class(tmp_path):
    assert written(tmp_path, "class.csv", "CLASS.HTML", "class.csv_", "ada") == {
        *("class.csv", "class.html", "ada/findings.json"),
        *("class.csv__/findings.json", "CLASS.HTML_/findings.json", "class.csv_/findings.json"),
    }


def test_reports_that_are_named_one_by_one_share_the_files(tmp_path):
    options = ShowOptions(out=tmp_path, formats=("json", "junit"))
    shown = show([checked("a"), checked("b")], options, whole_class=False)
    assert {path.name for path in shown.written} == {"findings.json", "findings.junit.xml"}
    content = json.loads((tmp_path / "findings.json").read_bytes())
    assert [one["report"]["path"] for one in content["submissions"]] == [
        "a/report.md",
        "b/report.md",
    ]


def test_a_rubric_that_cannot_be_used_is_refused_before_the_work(tmp_path):
    rubric = tmp_path / "rubric.toml"
    with pytest.raises(EvidenceError, match="no rubric file"):
        plan_formats(ShowOptions(rubric=rubric))
    rubric.write_text("[[line]]\npoints = 1\n", encoding="utf-8")
    with pytest.raises(StudyError, match="needs an id"):
        plan_formats(ShowOptions(rubric=rubric))
