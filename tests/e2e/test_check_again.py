"""A second check of what has not changed is shown from the cache."""

import hashlib
import json
from pathlib import Path

import pytest
from fakes.command import Finished, reportgen

WRONG = "We have 2 * 3 = 7 of them. The best validation accuracy is 0.84 at step 200.\n"
MARK = "told from the cache"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "work" / "logs" / "a").mkdir(parents=True)
    (tmp_path / "work" / "report.md").write_text(WRONG)
    log = "step,validation/accuracy\n100,0.78\n200,0.84\n300,0.81\n"
    (tmp_path / "work" / "logs" / "a" / "metrics.csv").write_text(log)
    return tmp_path / "work"


def check(home: Path, *options: str) -> Finished:
    cache = str(home.parent / "cache")
    command = ("check", "report.md", "--runs", "logs", *options)
    return reportgen(*command, cwd=home, REPORTGEN_CACHE=cache)


def entries(home: Path) -> list[Path]:
    folder = home.parent / "cache" / "checks"
    return sorted(folder.iterdir()) if folder.is_dir() else []


def mark(entry: Path) -> None:
    """Change what is kept, as its own program would have written it."""
    index = json.loads((entry / "index.json").read_bytes().partition(b"\n")[2])
    for name, (blob, _) in index["files"].items():
        (entry / blob).write_text(MARK)
        index["files"][name] = (blob, hashlib.sha256(MARK.encode()).hexdigest())
    text = json.dumps(index).encode()
    digest = hashlib.sha256(text).hexdigest().encode()
    (entry / "index.json").write_bytes(digest + b"\n" + text)


def test_what_has_not_changed_is_shown_again_with_its_exit_code(home: Path) -> None:
    first = check(home)
    [entry] = entries(home)
    again = check(home)
    assert (again.code, again.out) == (first.code, first.out)
    assert first.code == 1
    mark(entry)
    assert (check(home).code, check(home).out) == (1, MARK)
