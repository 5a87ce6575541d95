"""Which report and which evidence belong to each submission."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportgen.api.submissions import find_submissions
from reportgen.errors import EvidenceError, UsageError

NONE: dict[str, str | None] = dict.fromkeys(("runs", "study", "checkpoint", "adapter", "base"))


def write(folder: Path, *names: str) -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", encoding="utf-8")


def names_of(found):
    return {one.name: one.report and one.report.name for one in found}


def test_a_file_is_one_submission(tmp_path):
    write(tmp_path, "report.md")
    [one] = find_submissions([tmp_path / "report.md"], NONE)
    assert (one.name, one.report) == ("report", tmp_path / "report.md")
    assert not one.evidence


def test_each_folder_with_a_report_is_one_and_an_empty_one_says_so(tmp_path):
    write(tmp_path, "ada/report.pdf", "ada/report.tex", "bob/sub/main.ipynb", "eve/code.py")
    found = find_submissions([tmp_path], NONE)
    assert names_of(found) == {"ada": "report.pdf", "bob": "main.ipynb", "eve": None}
    assert "holds no report" in found[2].fault


def test_reports_side_by_side_are_one_each_and_two_endings_are_one(tmp_path):
    write(tmp_path, "ada.md", "ada.pdf", "bob.tex", "README.md", "notes.csv")
    assert names_of(find_submissions([tmp_path], NONE)) == {"ada": "ada.pdf", "bob": "bob.tex"}


def test_the_file_called_report_is_preferred(tmp_path):
    write(tmp_path, "ada/appendix.pdf", "ada/my_report.pdf", "bob/a.md")
    assert names_of(find_submissions([tmp_path], NONE))["ada"] == "my_report.pdf"


def test_evidence_by_name_by_folder_shared_and_own(tmp_path):
    write(tmp_path, "class/ada/report.md", "class/bob/report.md", "class/bob/logs/x")
    write(tmp_path, "evidence/ada/x", "named/bob-logs/x")
    folder = [tmp_path / "class"]

    def runs(text):
        found = find_submissions(folder, NONE | {"runs": text})
        return {one.name: one.evidence.runs for one in found}

    shared = tmp_path / "evidence"
    assert runs(str(shared)) == {"ada": shared / "ada", "bob": shared}
    named = str(tmp_path / "named" / "{name}-logs")
    assert runs(named)["bob"] == tmp_path / "named" / "bob-logs"
    assert runs(None) == {"ada": None, "bob": tmp_path / "class" / "bob" / "logs"}


def test_a_single_report_takes_the_folder_as_it_is_given(tmp_path):
    write(tmp_path, "report.md", "logs/report/x")
    [one] = find_submissions([tmp_path / "report.md"], NONE | {"runs": str(tmp_path / "logs")})
    assert one.evidence.runs == tmp_path / "logs"


def test_a_study_of_its_own_is_found(tmp_path):
    write(tmp_path, "ada/report.md", "ada/study.toml", "ada/logs/x")
    [one] = find_submissions([tmp_path], NONE)
    assert one.evidence.study == tmp_path / "ada" / "study.toml"
    assert one.evidence.runs is None


def test_two_of_one_name_and_nothing_at_all_are_refused(tmp_path):
    write(tmp_path, "a/report.md", "b/report.md", "c/code.py")
    with pytest.raises(UsageError, match="two submissions are called 'report'"):
        find_submissions([tmp_path / "a" / "report.md", tmp_path / "b" / "report.md"], NONE)
    with pytest.raises(EvidenceError, match="no report in"):
        find_submissions([tmp_path / "c"], NONE)
    with pytest.raises(EvidenceError, match="no such report"):
        find_submissions([tmp_path / "nowhere.md"], NONE)
