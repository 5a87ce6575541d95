"""The packed table of families is what its text files say, and small enough for a wheel."""

import json
import subprocess
import sys

import pytest

MOST_BYTES = 300_000


@pytest.fixture
def families(project):
    return project / "tools" / "families"


def test_the_packed_table_is_made_from_the_text_files(project, families, monkeypatch):
    monkeypatch.syspath_prepend(project)
    from tools.families.pack import packed

    table = project / "reportgen" / "parameters" / "families.zip"
    assert packed(families / "types") == table.read_bytes()
    assert table.stat().st_size <= MOST_BYTES


def test_a_text_file_is_spelled_in_one_way(project, families, monkeypatch):
    monkeypatch.syspath_prepend(project)
    from tools.families.pack import text_of

    for path in sorted((families / "types").glob("*.json"))[::8]:
        text = path.read_text(encoding="utf-8")
        assert text_of(json.loads(text)) == text, path.name


@pytest.mark.wide
def test_types_derived_again_say_the_same(project):
    command = [sys.executable, "-m", "tools.families", "check", "--sample", "3"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
