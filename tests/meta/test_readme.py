"""What the README promises is there: targets, commands, files."""

from __future__ import annotations

import re
from pathlib import Path

from fakes.command import reportgen

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def fenced(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_make_targets_exist(project):
    makefile = (project / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^make (\w+)", "\n".join(fenced("sh")), re.MULTILINE)
    assert targets == ["report", "test"]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_every_command_is_documented(project, tmp_path):
    usage = reportgen("--help", cwd=tmp_path).out
    commands = re.findall(r"^    (\w+) ", usage, re.MULTILINE)
    assert commands
    for command in commands:
        assert f"`reportgen {command}" in README, command


def test_the_files_it_promises_are_written(built):
    for name, about in re.findall(r"^\| `(report[\w.-]+)`(.*)", README, re.MULTILINE):
        assert "with `--format" in about or (built / name).is_file(), name
