"""Words and sections of the author's own, from the study file to every format."""

import json
import re
import shutil
from pathlib import Path

import pytest
from fakes.command import reportgen
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)

STUDY = ROWS["study"]


@pytest.fixture
def home(tmp_path: Path, project: Path, small_lab: Path) -> Path:
    shutil.copytree(small_lab, tmp_path / "logs")
    (tmp_path / "study.toml").write_text(f'[runs]\npath = "logs"\n{STUDY}', encoding="utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "discussion.md").write_text("SECOND THOUGHTS\n", encoding="utf-8")
    page = (project / "docs" / "how-to" / "own-words.md").read_text("utf-8")
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "my_section.py").write_text(program, encoding="utf-8")
    return tmp_path


def build(home: Path, formats: str = "md,json"):
    return reportgen("build", "study.toml", "--out", "out", "--format", formats, cwd=home)


def test_words_and_sections_stand_where_they_are_put_in_every_format(home):
    done = build(home, "pdf,tex,typ,md,html,json")
    assert done.code == 0, done.err
    report = json.loads((home / "out" / "report.json").read_text("utf-8"))
    titles = [s["id"] for s in report["sections"] if "." not in s["number"]]
    at = titles.index("results")
    assert titles[at + 1 : at + 3] == ["discussion", "apart"]
    numbers = {n["id"]: n for n in report["numbers"]}
    repeated = numbers["prose.1.abstract.logs.value0"]
    original = numbers["abstract.logs.value0"]
    assert repeated["printed"] == original["printed"]
    assert repeated["evidence"] == original["evidence"]
    assert numbers["apart.logs"]["evidence"]
    assert len(numbers) == len(report["numbers"])
    for name in ("report.tex", "report.typ", "report.md", "report.html"):
        text = (home / "out" / name).read_text("utf-8")
        for words in ("OWN WORDS", "SECOND THOUGHTS", "How far seeds lie apart"):
            assert words in text, (name, words)


def test_a_changed_file_is_built_anew(home):
    assert build(home).code == 0
    for name, old, new in (
        ("notes/discussion.md", "SECOND", "THIRD"),
        ("my_section.py", "How far", "FOURTH"),
    ):
        path = home / name
        path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
        assert build(home).code == 0
        assert new in (home / "out" / "report.md").read_text("utf-8")


def test_an_unknown_id_is_told_with_file_line_and_the_nearest(home):
    (home / "notes" / "discussion.md").write_text("a\n\nb {{ number:abstract.logs.valeu0 }}\n")
    done = build(home)
    assert done.code == 2
    assert "notes/discussion.md:3: no number is called 'abstract.logs.valeu0'" in done.err
    assert "'abstract.logs.value0'" in done.err
    assert not (home / "out").exists() or not list((home / "out").iterdir())


def test_an_unknown_section_is_told_with_the_nearest(home):
    study = home / "study.toml"
    study.write_text(study.read_text().replace('section = "results"', 'section = "reslts"'))
    done = build(home)
    assert done.code == 2
    assert "no section is called 'reslts'; did you mean 'results'?" in done.err


def test_a_section_that_this_report_lacks_is_a_warning(home):
    study = home / "study.toml"
    study.write_text(study.read_text().replace('section = "results"', 'section = "lora"'))
    done = build(home)
    assert done.code == 0
    assert "this report has no section 'lora'" in done.err
    assert "OWN WORDS" not in (home / "out" / "report.md").read_text("utf-8")


def test_check_never_runs_a_program(home):
    assert build(home).code == 0
    (home / "my_section.py").write_text("open('ran', 'w')\n")
    done = reportgen("check", "out/report.md", "--study", "study.toml", cwd=home)
    assert done.code == 0, done.out
    assert not (home / "ran").exists()
