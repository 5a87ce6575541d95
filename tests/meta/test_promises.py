"""Each promise of SECURITY.md names the tests that hold it, and each of them is there."""

import ast
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (PROJECT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| promise")
]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_table_is_read() -> None:
    assert len(ROWS) >= 20
    assert {len(row) for row in ROWS} == {3}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_promise_names_its_tests(row: list[str]) -> None:
    named = NAMED.findall(row[2])
    assert named, f"no test is named as `tests/file.py::test_name`: {row[2]}"
    assert NAMED.sub("", row[2]).strip(" ,;") == "", "there is something else beside the tests"
    for file, test in named:
        assert (PROJECT / file).is_file(), f"{file} is not there"
        assert test in names_in(PROJECT / file), f"{file} has no test called {test}"
        assert test.startswith("test_")
