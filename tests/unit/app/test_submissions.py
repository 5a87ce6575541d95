"""Which report and which evidence belong to each submission."""

import os
import shutil
import zipfile
from pathlib import Path

import pytest
from fakes.rows import rows_beside

from reportgen.app.submissions import find_submissions
from reportgen.records.errors import EvidenceError, UsageError

ROWS = rows_beside(__file__)

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


@pytest.mark.parametrize(
    ("files", "found"), ROWS["each_folder_with_a_report_is_one_and_so_is_each_file"]
)
def test_each_folder_with_a_report_is_one_and_so_is_each_file(files, found, tmp_path):
    write(tmp_path, *files)
    submissions = find_submissions([tmp_path], NONE)
    assert names_of(submissions) == found
    assert all("holds no report" in one.fault for one in submissions if one.report is None)


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


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    write(tmp_path, "a/report.md", "b/report.md", "x/a/report.md", "y/report.tex", "y/report.md")
    pair = [tmp_path / "a" / "report.md", tmp_path / "b" / "report.md"]
    assert [one.name for one in find_submissions(pair, NONE)] == ["a", "b"]
    three = [*pair, tmp_path / "x" / "a" / "report.md"]
    assert [one.name for one in find_submissions(three, NONE)] == [f"{tmp_path.name}/a", "b", "x/a"]
    beside = [tmp_path / "y" / "report.tex", tmp_path / "y" / "report.md"]
    assert len({one.name for one in find_submissions(beside, NONE)}) == 2


def test_two_submissions_of_a_class_cannot_have_one_name(tmp_path):
    write(tmp_path, "one/a/report.md", "two/a/report.md")
    with pytest.raises(UsageError, match="two submissions are called 'a'"):
        find_submissions([tmp_path / "one", tmp_path / "two"], NONE)


def test_a_report_that_is_named_twice_is_checked_once(tmp_path):
    write(tmp_path, "class/ada/report.md", "class/bob/report.md")
    home = tmp_path / "class"
    assert len(find_submissions([home, home], NONE)) == 2
    twice = [home / "ada" / "report.md", home / "bob" / ".." / "ada" / "report.md"]
    [one] = find_submissions(twice, NONE)
    assert one.name == "report"


def test_a_link_that_leads_out_of_a_submission_is_no_report(tmp_path):
    write(tmp_path, "secret.md", "class/ada/report.md", "class/eve/notes.csv")
    (tmp_path / "class" / "eve" / "report.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "class" / "ada" / "main.md").symlink_to("report.md")
    ada, eve = find_submissions([tmp_path / "class"], NONE)
    assert ada.report is not None
    assert eve.report is None
    assert "report.md is a link that leads out of" in eve.fault
    [named] = find_submissions([tmp_path / "class" / "eve" / "report.md"], NONE)
    assert named.report is not None


def test_an_archive_is_not_unpacked_and_is_named(tmp_path):
    """Names in it that lead out, bombs and links do nothing: nobody looks inside."""
    for name in ("ann", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
    (tmp_path / "class/ann/report.md").write_text("# Lab")
    with zipfile.ZipFile(tmp_path / "class/carl.ZIP", "w") as archive:
        archive.writestr("../../bob/report.md", "# Not Bob's")
        link = zipfile.ZipInfo("report.md")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    shutil.copy(tmp_path / "class/carl.ZIP", tmp_path / "class/bob/lab.zip")
    shutil.copy(tmp_path / "class/carl.ZIP", tmp_path / "class/ann.zip")
    shutil.copy(tmp_path / "class/carl.ZIP", tmp_path / "class/logs.zip")
    before = sorted(tmp_path.rglob("*"))
    found = {one.name: one for one in find_submissions([tmp_path / "class"], NONE)}
    assert list(found) == ["ann", "bob", "carl.ZIP"]
    assert "lab.zip is an archive: unpack it" in found["bob"].fault
    assert "carl.ZIP is an archive: unpack it" in found["carl.ZIP"].fault
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_is_a_link_is_a_submission(tmp_path):
    write(tmp_path, "store/1234/report.md", "class/bob/report.md")
    (tmp_path / "class" / "ada").symlink_to(tmp_path / "store" / "1234")
    found = find_submissions([tmp_path / "class"], NONE)
    assert names_of(found) == {"ada": "report.md", "bob": "report.md"}


def test_a_folder_that_cannot_be_looked_into_costs_no_other_its_check(tmp_path, monkeypatch):
    write(tmp_path, "ada/report.md", "eve/report.md")
    is_file = Path.is_file

    def refused(path: Path) -> bool:
        if path.parent.name == "eve":
            raise PermissionError(13, "Permission denied", str(path))
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", refused)
    ada, eve = find_submissions([tmp_path], NONE)
    assert ada.report is not None
    assert "Permission denied" in eve.fault


def test_evidence_that_is_not_there_is_refused_before_the_work(tmp_path):
    write(tmp_path, "ada/report.md", "bob/report.md")
    with pytest.raises(EvidenceError, match="nowhere"):
        find_submissions([tmp_path], NONE | {"runs": str(tmp_path / "nowhere")})
    named = NONE | {"runs": str(tmp_path / "nowhere" / "{name}")}
    assert len(find_submissions([tmp_path], named)) == 2


def test_nothing_at_all_is_refused(tmp_path):
    write(tmp_path, "c/code.py")
    with pytest.raises(EvidenceError, match="no report in"):
        find_submissions([tmp_path / "c"], NONE)
    with pytest.raises(EvidenceError, match="no such report"):
        find_submissions([tmp_path / "nowhere.md"], NONE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_pipe_is_no_report_and_holds_nobody_up(tmp_path):
    write(tmp_path, "ada/report.md")
    os.mkfifo(tmp_path / "report.md")
    (tmp_path / "bob").mkdir()
    os.mkfifo(tmp_path / "bob" / "report.md")
    assert names_of(find_submissions([tmp_path], NONE)) == {"ada": "report.md", "bob": None}
    with pytest.raises(EvidenceError, match="neither a file nor a folder"):
        find_submissions([tmp_path / "report.md"], NONE)
