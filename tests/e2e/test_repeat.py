"""The same input gives the same bytes, and unchanged input gives them at once."""

import shutil
from pathlib import Path

import pytest
from fakes.command import reportgen
from fakes.killed import digests

from reportgen.app import build


@pytest.mark.parametrize(
    "engine", ["typst", pytest.param("latex", marks=[pytest.mark.latex, pytest.mark.wide])]
)
def test_the_same_input_in_two_folders_gives_the_same_bytes(lab, tmp_path, engine, request):
    before = request.getfixturevalue("built" if engine == "typst" else "built_latex")
    home = tmp_path / "another" / "deeper"
    shutil.copytree(lab, home / "lab")
    build = ("build", "lab/study.toml", "--out", "out/", "--engine", engine)
    done = reportgen(*build, cwd=home, TZ="Asia/Tokyo")
    assert done.code == 0, done.err
    assert digests(home / "out") == digests(before)


def test_unchanged_input_is_not_built_again_and_what_was_deleted_is_restored(small_lab, tmp_path):
    build = ("build", "--runs", small_lab, "--out", "out/report.pdf")
    first = reportgen(*build, cwd=tmp_path)
    times = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("*")}
    second = reportgen(*build, cwd=tmp_path)
    assert "wrote out/report.pdf" in first.out
    assert "unchanged out/report.pdf" in second.out
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("*")} == times
    assert first.out.replace("wrote", "unchanged") == second.out
    whole = digests(tmp_path / "out")
    (tmp_path / "out" / "report.pdf").unlink()
    (tmp_path / "out" / "report.md").write_text("edited")
    reportgen(*build, cwd=tmp_path)
    assert digests(tmp_path / "out") == whole


def _append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def _eject(lab: Path) -> None:
    (lab / "templates" / "html").mkdir(parents=True)
    (lab / "templates" / "html" / "report.j2").write_text("own", encoding="utf-8")


CHANGES = {
    "a new point in a log": lambda lab: _append(next(lab.rglob("valid/events*"))),
    "a file taken away": lambda lab: next(lab.rglob("test/events*")).unlink(),
    "the study": lambda lab: _replace(lab / "study.toml", "smoothing = 0.6", "smoothing = 0.5"),
    "the model": lambda lab: _replace(lab / "model" / "config.json", "32000", "32001"),
    "the project's templates": _eject,
}


def test_a_build_is_made_again_where_something_has_changed_and_only_there(
    lab, tmp_path, monkeypatch
):
    shutil.copytree(lab, tmp_path / "lab")
    monkeypatch.setenv("REPORTGEN_CACHE", str(tmp_path / "cache"))

    def reused(**options) -> bool:
        study = tmp_path / "lab" / "study.toml"
        return build(study, out=tmp_path / "report.json", **options).unchanged

    assert not reused(cache=None)
    assert not (tmp_path / "cache").exists()
    assert not reused()
    assert not reused(cache=None)
    assert not reused(settings={"ddof": 0})
    assert reused()
    for name, change in CHANGES.items():
        change(tmp_path / "lab")
        assert not reused(), name
    assert reused()
