from fakes.manuscript_text import table

from reportgen.read.documents._spans import MOST_SPANNED, Spanned, spanned_table
from reportgen.records.manuscript import Line


def cell(text, columns=1, rows=1, line=1, at=1):
    columns_of = tuple(range(at, at + len(text)))
    return Spanned(
        line=Line(text=text, number=line, columns=columns_of), columns=columns, rows=rows
    )


def test_cells_of_one_line_come_to_one_line_of_the_block():
    block = spanned_table([[cell("A"), cell("80", at=5)], [cell("B", line=2), cell("70", line=2)]])

    assert [line.text for line in block.lines] == ["A | 80", "B | 70"]
    assert block.rows[0][1].place().column == 5


def test_cells_over_columns_and_rows_are_repeated_where_html_leaves_them_out():
    block = spanned_table(
        [
            [cell("Model", rows=2), cell("Acc", columns=2)],
            [cell("valid", line=2), cell("test", line=2)],
            [cell("A", line=3), cell("80", line=3), cell("79", line=3)],
        ]
    )

    assert table(block) == ["Model | Acc<2> | Acc<0>", "Model<0> | valid | test", "A | 80 | 79"]


def test_an_empty_cell_below_is_filled_where_latex_writes_it():
    block = spanned_table(
        [[cell("A", rows=2), cell("80")], [cell("", line=2), cell("79", line=2)]], held_open=True
    )

    assert table(block) == ["A | 80", "A<0> | 79"]


def test_a_written_cell_below_is_kept_where_latex_writes_it():
    block = spanned_table(
        [[cell("A", rows=2), cell("80")], [cell("B", line=2), cell("79", line=2)]], held_open=True
    )

    assert table(block) == ["A | 80", "B | 79"]


def test_a_cell_over_rows_at_the_end_of_a_row_is_carried():
    block = spanned_table([[cell("A"), cell("80", rows=2)], [cell("B", line=2)]])

    assert table(block) == ["A | 80", "B | 80<0>"]


def test_spans_have_an_end():
    block = spanned_table([[cell("A", columns=10**6, rows=10**6)], [cell("B", line=2)]])

    assert max(len(row) for row in block.rows) <= 2 * MOST_SPANNED


def test_a_table_without_text_is_none():
    assert spanned_table([[cell(""), cell("")]]) is None
    assert spanned_table([]) is None
