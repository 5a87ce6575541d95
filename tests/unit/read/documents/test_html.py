"""Pages of HTML, and formulas in them."""

import pytest
from fakes.manuscript_text import at, read, says, shown, table
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)


def blocks(folder, body):
    return shown(read(folder, "report.html", f"<html><body>{body}</body></html>").blocks)


@pytest.mark.parametrize("row", ROWS["blocks"], ids=lambda row: row["it"])
def test_what_is_read_as_blocks(row, tmp_path):
    found = read(tmp_path, "report.html", row["text"])
    assert [says(block) for block in found.blocks] == row["says"]
    for text, places in row.get("at", {}).items():
        assert [list(place[1:]) for place in at(found, text)] == places


@pytest.mark.parametrize(("body", "seen"), ROWS["what_a_reader_sees_of_a_page"])
def test_what_a_reader_sees_of_a_page(body, seen, tmp_path):
    assert [text for _, text in blocks(tmp_path, body)] == seen


@pytest.mark.parametrize(("tree", "seen"), ROWS["formulas_are_spelled_as_in_latex"])
def test_formulas_are_spelled_as_in_latex(tree, seen, tmp_path):
    body = f"<p>so <math>{tree}</math> is</p><math display='block'>{tree}</math>"
    assert blocks(tmp_path, body) == [("paragraph", f"so ${seen}$ is"), ("equation", seen)]


def test_a_cell_over_rows_at_the_end_of_a_row_is_carried_and_spans_have_an_end(tmp_path):
    body = "<table><tr><td>A<td rowspan=2>80<tr><td>B</table><table><tr><td colspan=99999>9</table>"
    one, other = read(tmp_path, "report.html", body).blocks
    assert table(one) == ["A | 80", "B | 80<0>"]
    assert len(other.rows[0]) <= 100


def test_numbers_of_a_built_page_have_their_ids(tmp_path):
    found = read(tmp_path, "report.html", '<p>It is <a class="num" id="n:best.mean">79.9</a>%.')
    assert [(n.id, n.text, n.place.column) for n in found.named] == [("best.mean", "79.9", 42)]


def test_what_hides_the_rest_of_a_page_is_named(tmp_path):
    found = read(tmp_path, "report.html", "<p>One 5.</p><nav><p>Two 6.</p>")
    assert shown(found.blocks) == [("paragraph", "One 5.")]
    assert "opens a <nav> that is never closed" in found.problems[0].message
