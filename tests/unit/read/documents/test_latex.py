from itertools import pairwise

import pytest
from fakes.manuscript_text import at, read, says, shown, table, table_of
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)


def latex(folder, body, preamble="", **limits):
    text = (
        f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    return read(folder, "main.tex", text, **limits)


def blocks(folder, body, preamble=""):
    return shown(latex(folder, body, preamble).blocks)


def tabular(folder, rows, columns="lcc"):
    body = f"\\begin{{tabular}}{{{columns}}}\n{rows}\n\\end{{tabular}}"
    return table_of(latex(folder, body))


@pytest.mark.parametrize("row", ROWS["blocks"], ids=lambda row: row["it"])
def test_what_is_read_as_blocks(row, tmp_path):
    found = latex(tmp_path, row["text"], row.get("preamble", ""))
    assert [says(block) for block in found.blocks] == row["says"]
    for text, places in row.get("at", {}).items():
        assert [list(place[1:]) for place in at(found, text)] == places


@pytest.mark.parametrize(("text", "seen"), ROWS["what_a_reader_sees_of_a_text"])
def test_what_a_reader_sees_of_a_text(text, seen, tmp_path):
    found = blocks(tmp_path, text)
    assert found == [("paragraph", seen)]


@pytest.mark.parametrize(("body", "lines"), ROWS["display_equations_keep_their_spelling"])
def test_display_equations_keep_their_spelling(body, lines, tmp_path):
    assert blocks(tmp_path, f"We get\n{body}\nwhich ends.") == [
        ("paragraph", "We get"),
        ("equation", "\n".join(lines)),
        ("paragraph", "which ends."),
    ]


def test_commands_that_never_end_are_cut_and_named(tmp_path):
    found = latex(tmp_path, "A \\x{3} B", "\\newcommand{\\x}[1]{\\x{#1#1}}")
    assert "too deeply or too often" in found.problems[0].message
    assert found.blocks[0].text.startswith("A")


def test_commands_that_multiply_are_cut(tmp_path):
    names = "abcdefghijkl"
    preamble = "\n".join(
        f"\\newcommand{{\\q{a}}}{{{f'{chr(92)}q{b}' * 10}}}" for a, b in pairwise(names)
    )
    found = latex(tmp_path, "A \\qa B", preamble + "\\newcommand{\\ql}{9}", expansions=2000)
    assert found.problems
    assert sum(len(b.text) for b in found.blocks) < 100_000


@pytest.mark.parametrize(("rows", "heads"), ROWS["heads_stand_above_the_first_rule_inside"])
def test_heads_stand_above_the_first_rule_inside(rows, heads, tmp_path):
    assert tabular(tmp_path, rows).head == heads


def test_escaped_ampersands_and_commands_with_them_are_no_columns(tmp_path):
    block = tabular(tmp_path, "A \\& B & $\\begin{matrix}1 & 2\\end{matrix}$ & {x & y} \\\\")
    assert len(block.rows[0]) == 3
    assert block.rows[0][0].text == "A & B"


@pytest.mark.parametrize(("name", "arguments"), ROWS["tables_of_every_package_are_read"])
def test_tables_of_every_package_are_read(name, arguments, tmp_path):
    body = f"\\begin{{{name}}}{arguments}\nM & Acc & F1 \\\\\nA & 80 & 79 \\\\\n\\end{{{name}}}"
    assert table(table_of(latex(tmp_path, body))) == ["M | Acc | F1", "A | 80 | 79"]


@pytest.mark.parametrize(
    "body", ["{" * 500, "}" * 500, "\\begin{a}" * 500, "\\footnote{" * 300, "$" * 501]
)
def test_what_is_never_closed_ends_with_the_report(body, tmp_path):
    latex(tmp_path, f"Text. {body}")
