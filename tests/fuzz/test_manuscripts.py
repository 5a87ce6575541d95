"""Hostile reports: blocks that hold together or a letter, soon; damaged ones are under fire."""

import json
import time

import pytest
from fakes.manuscript_files import write
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents import READERS, Limits, read_document
from reportgen.records.errors import ReportgenError

SIZE = 10_000
# Texts that make a careless reader look at everything again from everywhere.
ENDLESS = {
    "markdown": [
        *("<", "<!--\n", "[", "[](", "*a", "**a ", "`", "` `` ", "$a ", "$$\n", "\\[ ", "_a "),
        *("a | b\n", "- a | b\n", "aa  bb\n", "aa  bb  3\n\n", "a\tb\n", "- a\n", "= 1\n\n", ">"),
        *("a =\n$$x$$\n", "<table>", "<table><tr><td>1\n", "```\n", "    a\n\n", "&a", "~~", " "),
        *("Table 1: a\n", "# a\n", "---\n", "a = 1\n", "<a\n", "<sup>", "\\", "![a](", "<a "),
        "\\begin{align}\n",
    ],
    "latex": [
        *("{", "{}", "\\begin{tabular}{l}", "\\begin{itemize}\\item a ", "$", "$a ", "\\[ ", "a&"),
        *("\\footnote{", "\\texttt{", "\\foo[", "\\verb|", "%\n", "\\input{x}\n", "\\iffalse "),
        *("\\caption{", "\\item[a] ", "\\def\\a#1{#1}", "\\begin{verbatim}\n", "\\newcommand", "`"),
        *("\\newcommand{\\a}{\\a\\a}\\a", "\\'", "a\n\n", "\\begin{table}\\caption{a}", "\\( "),
    ],
    "plain": [
        *("a\n\f", "aa  bb  cc\n", "|", "----\n", "2\n= 3 x 4 (1)\n", "a  ", "group\na  1  2\n"),
        *("1 Aaa\n", "a = b\n+ c\n", "Table 1\n", "1\n\n", "• a\n", "+-+\n", "[1] a\n", "x = 1\n"),
    ],
    "html": [
        *("<", "<p>", "<b>", "<table>", "<td>", "<table><tr><td>", "<li>", "<ul><li>", "&a;", "&#"),
        *("<math>", "<math><mi>a", "<svg>", "<sup>1", "<!--", "<![CDATA[", "<a id='n:1'>", "<?"),
        *("<pre>a\n", "<figure>", "<p>a\n", "<h1>", "a<sup>1</sup>\n", "<script>", "<td a='"),
    ],
    "notebook": ["[", '{"cells":', '{"cells":[', "1"],
}


def check(path):
    """Read a report; what comes back must hold together."""
    try:
        found = read_document(path)
    except ReportgenError:
        return
    for block in found.blocks:
        assert block.lines
        assert len({len(row) for row in block.rows}) <= 1
        assert block.text.encode()
        for line in block.lines:
            assert len(line.columns) in {0, len(line.text)}
            assert line.place(0).line >= 1
        # A label that runs over two lines is one cell; it stands where its first word does.
        for cell in (cell for row in block.rows for cell in row):
            assert cell.line.text[cell.start :].startswith(cell.text.split(" ")[0])


@pytest.mark.parametrize(
    ("kind", "piece"), [(kind, piece) for kind, pieces in ENDLESS.items() for piece in pieces]
)
def test_an_endless_report_is_read_soon(kind, piece, tmp_path):
    path = write(tmp_path, kind, (piece * (SIZE // len(piece)) + "x").encode())
    start = time.process_time()

    check(path)

    # A reader that looks at everything again from everywhere would need many times as long.
    assert time.process_time() - start < 5


@pytest.mark.parametrize("kind", ["markdown", "plain"])
def test_one_endless_row_beside_many_rows_is_read_soon(kind, tmp_path):
    rows = "|" * 20_000 + "\n|-|\n" + "| a\n" * 10_000
    tabs = "\t" * 20_000 + "\n" + "a\tb\n" * 10_000
    start = time.process_time()

    for content in (rows, tabs):
        check(write(tmp_path, kind, content.encode()))

    assert time.process_time() - start < 10


def test_a_table_of_endless_spans_is_read_soon(tmp_path):
    row = "<tr><td colspan=9999 rowspan=9999>1</td></tr>"
    start = time.process_time()

    check(write(tmp_path, "markdown", f"<table>{row}{'<tr><td>2' * 3000}</table>".encode()))

    assert time.process_time() - start < 10


def test_every_output_of_a_notebook_is_bounded(tmp_path):
    outputs = [{"output_type": "stream", "text": "x 1\n" * 50_000}] * 6
    cell = {"cell_type": "code", "source": "x", "outputs": outputs}
    content = json.dumps({"cells": [cell]}).encode()

    found = READERS.load("notebook")(write(tmp_path, "notebook", content), Limits())

    assert sum(len(block.text) for block in found.blocks) <= 7 * Limits().output


@given(lines=st.lists(st.tuples(st.text(max_size=30), st.integers(1, 3)), max_size=30))
def test_any_lines_of_any_pages_come_to_blocks(lines, tmp_path_factory):
    text = "".join("\f" * (page == 3) + line + "\n" for line, page in lines)

    check(write(tmp_path_factory.mktemp("any"), "plain", text.encode("utf-8", "replace")))
