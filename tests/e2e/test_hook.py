"""The hook for pre-commit: its definition, and what it does with changed files.

pre-commit itself is not a dependency of the tests; `pre-commit try-repo` runs the same by hand.
"""

import re
import shlex
import shutil

import pytest
import yaml
from fakes.command import reportgen
from fakes.rows import rows_beside

from reportgen.read.documents import READERS

ROWS = rows_beside(__file__)


@pytest.fixture(scope="module")
def hook(project):
    (only,) = yaml.safe_load((project / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return only


@pytest.fixture
def commit(hook, tmp_path):
    """Run the hook as pre-commit does: entry, arguments, then the changed files it is for."""

    def run(changed, *arguments):
        wanted, left = re.compile(hook["files"]), re.compile(hook["exclude"])
        files = [name for name in changed if wanted.search(name) and not left.search(name)]
        program, *entry = shlex.split(hook["entry"])
        assert program == "reportgen"
        return files and reportgen(*entry, *arguments, *files, cwd=tmp_path)

    return run


def test_it_is_defined_with_what_pre_commit_asks_for(hook):
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert (hook["id"], hook["language"]) == ("reportgen-check", "python")
    assert "args" not in hook
    assert hook["require_serial"] is True


@pytest.mark.parametrize(("path", "meant"), ROWS["it_is_for_reports"])
def test_it_is_for_reports(hook, path, meant):
    wanted = bool(re.search(hook["files"], path) and not re.search(hook["exclude"], path))
    assert wanted is meant


def test_it_is_for_every_kind_of_document_that_is_read(hook):
    patterns = [pattern for entry in READERS.values() for pattern in entry.match]
    assert patterns
    for pattern in patterns:
        assert re.search(hook["files"], f"paper/{pattern.replace('*', 'one')}"), pattern


def test_it_does_nothing_without_reports_and_passes_over_those_without_evidence(commit, tmp_path):
    assert commit(["a.py", "README.md"]) == []
    (tmp_path / "a.md").write_text("2 × 3 = 7\n", encoding="utf-8")
    done = commit(["a.md"])
    assert (done.code, done.out) == (0, "")
    assert done.err == "passed over, with nothing to hold them against: a.md\n"


def test_reports_with_evidence_are_checked(commit, tmp_path, project):
    shutil.copytree(project / "inputs" / "tiny-grid" / "logs", tmp_path / "logs")
    for folder in ("one/x", "two/x"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "index.md").write_text("2 × 3 = 6\n", encoding="utf-8")
    done = commit(["one/x/index.md", "two/x/index.md"], "--runs", "logs")
    assert (done.code, "passed over" in done.err) == (0, False), done.err
    (tmp_path / "beside.md").write_text("2 × 3 = 7\n", encoding="utf-8")
    done = commit(["beside.md"])
    assert done.code == 1
    assert "beside.md:1:" in done.out
