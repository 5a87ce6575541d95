"""What the README promises is there: targets, commands, files."""

import re
from pathlib import Path

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_first_screen_is_short_and_has_the_two_promised_commands() -> None:
    assert len(README.splitlines()) <= 60
    for command in ("build --runs logs/ --out out/mine.pdf", "check report.pdf --runs logs/"):
        assert f".venv/bin/reportgen {command}" in README


def test_every_test_that_targets_and_ci_name_is_there(project):
    places = (project / "Makefile", *project.glob(".ci/*"), *project.glob(".github/workflows/*"))
    kinds = "|".join(path.name for path in (project / "tests").iterdir() if path.is_dir())
    named = [
        name
        for path in places
        if path.is_file()
        for name in re.findall(rf"\b((?:{kinds})/[\w/]+\.py)", path.read_text(encoding="utf-8"))
    ]
    assert len(named) > 10
    assert [name for name in named if not (project / "tests" / name).is_file()] == []
