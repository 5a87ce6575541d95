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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["it"])
def test_what_is_found(tmp_path, row):
    if row.get("pipes") and not hasattr(os, "mkfifo"):
        pytest.skip("pipes of POSIX")
    write(tmp_path, *row["files"])
    for name, target in row.get("links", {}).items():
        (tmp_path / name).symlink_to(target)
    for name in row.get("pipes", ()):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        os.mkfifo(tmp_path / name)
    for asked in row["asked"]:
        given = {key: str(tmp_path / path) for key, path in asked.get("given", {}).items()}
        paths = [tmp_path / name for name in asked["paths"]]
        if "error" in asked:
            with pytest.raises((EvidenceError, UsageError), match=asked["error"]):
                find_submissions(paths, NONE | given)
            continue
        found = find_submissions(paths, NONE | given)
        parent = f"{tmp_path.parent.as_posix()[1:]}/"
        here = {one.name.replace(parent, "").replace(tmp_path.name, "HERE"): one for one in found}
        reports = {name: one.report and one.report.name for name, one in here.items()}
        assert (len(found), reports) == (len(asked["found"]), asked["found"])
        for name, one in here.items():
            told = asked.get("faults", {}).get(name, "holds no report")
            assert told in one.fault if one.report is None else not one.fault
        for name, wanted in asked.get("evidence", {}).items():
            known = {key: getattr(here[name].evidence, key) for key in ("runs", "study")}
            assert {k: str(v.relative_to(tmp_path)) for k, v in known.items() if v} == wanted


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
