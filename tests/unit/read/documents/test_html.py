"""Pages of HTML, and formulas in them."""

import pytest
from fakes.manuscript_text import at, read, shown, table, table_of
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)


def blocks(folder, body):
    return shown(read(folder, "report.html", f"<html><body>{body}</body></html>").blocks)


@pytest.mark.parametrize(("body", "seen"), ROWS["what_a_reader_sees_of_a_page"])
def test_what_a_reader_sees_of_a_page(body, seen, tmp_path):
    assert [text for _, text in blocks(tmp_path, body)] == seen


@pytest.mark.parametrize(("tree", "seen"), ROWS["formulas_are_spelled_as_in_latex"])
def test_formulas_are_spelled_as_in_latex(tree, seen, tmp_path):
    body = f"<p>so <math>{tree}</math> is</p><math display='block'>{tree}</math>"

    assert blocks(tmp_path, body) == [("paragraph", f"so ${seen}$ is"), ("equation", seen)]


def test_kinds_and_levels_are_told(tmp_path):
    body = (
        "<h1>Lab</h1><h3>Results</h3><ol><li>a<ol><li>b</li></ol></li></ol>"
        "<figure><img src=x><figcaption>Figure 1: c</figcaption></figure>"
        '<pre><code class="language-python">x = 3</code></pre>'
    )

    found = read(tmp_path, "report.htm", body).blocks

    assert [(b.type, b.level, b.text) for b in found] == [
        ("heading", 1, "Lab"),
        ("heading", 3, "Results"),
        ("item", 1, "a"),
        ("item", 2, "b"),
        ("caption", 0, "Figure 1: c"),
        ("code", 0, "x = 3"),
    ]


def test_the_caption_of_a_figure_inside_another_is_that_of_its_own_tables(tmp_path):
    tables = [f"<table><tr><th>run<th>loss<tr><td>{name}<td>0.5</table>" for name in "abc"]
    body = (
        f"<figure><figure>{tables[0]}<figcaption>Inner</figcaption></figure>{tables[1]}"
        "<figure><img src=x><figcaption>Picture</figcaption></figure>"
        f"{tables[2]}<figcaption>Outer</figcaption></figure>"
    )

    found = read(tmp_path, "report.html", body).blocks

    assert [b.caption for b in found if b.type == "table"] == ["Inner", "Outer", "Outer"]


def test_tables_keep_what_spans_their_heads_and_their_caption(tmp_path):
    body = (
        "<figure><figcaption>Accuracy of runs</figcaption><table><thead>\n"
        "<tr><th rowspan=2>Model<th colspan=2>Acc</tr><tr><th>valid<th>test</tr></thead>\n"
        "<tbody><tr><td>A<td><b>80</b>.1<td>79.5</tbody></table></figure>"
    )

    found = read(tmp_path, "report.html", body)
    block = table_of(found)

    assert table(block) == ["Model | Acc<2> | Acc<0>", "Model<0> | valid | test", "A | 80.1 | 79.5"]
    assert (block.head, block.caption) == (2, "Accuracy of runs")
    assert at(found, "79.5")[0][1] == 3


def test_a_cell_over_rows_at_the_end_of_a_row_is_carried_and_spans_have_an_end(tmp_path):
    body = "<table><tr><td>A<td rowspan=2>80<tr><td>B</table><table><tr><td colspan=99999>9</table>"

    one, other = read(tmp_path, "report.html", body).blocks

    assert table(one) == ["A | 80", "B | 80<0>"]
    assert len(other.rows[0]) <= 100


def test_a_table_inside_a_cell_is_a_table(tmp_path):
    body = "<table><tr><td>Left<td><table><tr><td>A<td>80</table>Right</table>"

    assert [table(b) for b in read(tmp_path, "report.html", body).blocks] == [
        ["A | 80"],
        ["Left | Right"],
    ]


def test_numbers_of_a_built_page_have_their_ids(tmp_path):
    found = read(tmp_path, "report.html", '<p>It is <a class="num" id="n:best.mean">79.9</a>%.')

    assert [(n.id, n.text, n.place.column) for n in found.named] == [("best.mean", "79.9", 42)]


def test_what_hides_the_rest_of_a_page_is_named(tmp_path):
    found = read(tmp_path, "report.html", "<p>One 5.</p><nav><p>Two 6.</p>")

    assert shown(found.blocks) == [("paragraph", "One 5.")]
    assert "opens a <nav> that is never closed" in found.problems[0].message
