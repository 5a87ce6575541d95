"""The language of a report, from the command line."""

import json

from fakes.command import reportgen


def test_the_command_line_chooses_the_language(project, tmp_path):
    logs = project / "inputs" / "tiny-reviews-hf"
    done = reportgen("build", "--runs", logs, "--lang", "fr", "--out", "r.md", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "**Résumé.**" in (tmp_path / "r.md").read_text("utf-8")
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["lang"] == "fr"


def test_a_language_that_nobody_speaks_is_refused(project, tmp_path):
    logs = project / "inputs" / "tiny-reviews-hf"
    done = reportgen("build", "--runs", logs, "--lang", "tlh", "--out", "r.md", cwd=tmp_path)
    assert done.code == 2
    assert "en" in done.err
    assert not (tmp_path / "r.md").exists()
