"""Messages by code: each row of a table is said, and each code that is said has a row."""

import ast

import pytest

from reportgen.languages import MessageRows, speaking, tell
from reportgen.records.rows import parse_rows

PACKAGES = ("runs", "stats")
SAYS = {"told", "problem", "of_split", "counted", "remedy", "note", "joined"}


def said_in(folder):
    """The literals that are said as codes, and all texts that may be a code or begin one."""
    codes, texts = set(), set()
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                first = node.args[0] if node.args else None
                if name in SAYS and isinstance(first, ast.Constant):
                    codes.add(first.value)
    return codes, texts


@pytest.mark.parametrize("package", PACKAGES)
def test_codes_and_rows_are_the_same(project, package):
    folder = project / "reportgen" / package
    rows = {code.partition(".")[0] for code in MessageRows(f"reportgen.{package}").rows}
    codes, texts = said_in(folder)
    assert {code for code in codes if isinstance(code, str)} - set(rows) == set()
    begun = tuple(text for text in texts if text.endswith("_") and len(text) > 3)
    unsaid = [row for row in rows if not (texts & {row, row.removesuffix("_of_several")})]
    assert [row for row in unsaid if not row.startswith(begun)] == []


def test_a_row_is_said_in_the_language_that_speaks():
    rows = MessageRows("reportgen.stats")
    told = rows.of_split("never_logged", "loss", "test", run="a/0")
    assert told == "a/0 never logged loss on test"
    assert rows.of_split("never_logged", "loss", "", run="a/0") == "a/0 never logged loss"
    with speaking("fr"):
        assert "a/0" in tell(told)
        assert "never" not in tell(told)


@pytest.mark.parametrize("package", ["runs", "read/logs"])
def test_words_are_in_order_and_stand_once(project, package):
    text = (project / "reportgen" / package / "words.ini").read_text("utf-8")
    for section, rows in parse_rows(text).items():
        for name, row in rows.items():
            words = row.split()
            assert len(words) == len(set(words)) or section == "program_tags", name
            ordered = "order counts" not in text.partition(f"\n{name} = ")[0].rpartition("\n\n")[2]
            assert words == sorted(words) or not ordered or section == "program_tags", name
