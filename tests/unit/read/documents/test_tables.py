import pytest
from fakes.manuscript_text import lines_of, table

from reportgen.read.documents._tables import (
    count_heads,
    heads_above,
    is_mark,
    is_value,
    rectangular,
    repeat,
    tab_rows,
    table_block,
)
from reportgen.records.manuscript import Cell, Line

LINE = Line(text="", number=1)


def rows_of(*rows):
    return [tuple(Cell(text=text.strip(), line=LINE) for text in row.split("|")) for row in rows]


@pytest.mark.parametrize(
    "text",
    [
        *("80", "79.9%", "−0.5", "+7.00", "1,125", "1e-05", "$80.6 \\pm 0.7$", "(0.25)", "~ 80"),
        *("80.63 ± 0.68", "22.8M", "2.08 GiB", "3/5", "5 min", "0,79", ".5", "≈ 10 %", "**80**"),
        "±1.69",
    ],
)
def test_values_are_told(text):
    assert is_value(text)


@pytest.mark.parametrize(
    "text", ["", "Seed 1", "accuracy", "4 identical layers", "T5", "—", "n/a", "d_model", "F1"]
)
def test_words_are_no_values(text):
    assert not is_value(text)


@pytest.mark.parametrize("text", ["-", "—", "n/a", "N/A", "NaN", "✓", "$-$"])
def test_marks_of_missing_values_are_told(text):
    assert is_mark(text)


@pytest.mark.parametrize(
    ("rows", "heads"),
    [
        (["Model | Acc", "A | 80", "B | 70"], 1),
        (["A | 80", "B | 70"], 0),
        ([" | Performance | ", " | Mean | Std", "Pretrained | | ", "Epoch 1 | 70.4 | 1.92"], 2),
        (["Model | Acc", "Pretrained | ", "A | 80"], 1),
        (["Epoch | 1 | 2 | 3", "Train | 0.5 | 0.6 | 0.7"], 1),
        (["Epoch | 1 | 2 | 3", "Best | 2 | 4 | 6"], 0),
        (["Key | Value | Meaning", "task | text | words", "r | 16 | rank"], 1),
        (["Key | Value", "task | text", "bias | none"], 1),
        (["Model | Acc", "A | n/a", "B | 70"], 1),
        (["Pretrained | ", "A | 80"], 0),
        (["Alone | text"], 0),
    ],
)
def test_heads_are_the_rows_above_the_values(rows, heads):
    assert count_heads(rows_of(*rows)) == heads


def test_a_row_below_a_cell_over_several_columns_is_a_head():
    wide = (Cell(text="Model", line=LINE), *repeat(Cell(text="Accuracy", line=LINE), 2))
    rows = [wide, *rows_of("name | valid | test", "A | 80 | 79")]

    assert heads_above(rows, 1) == 2
    assert count_heads(rows) == 2


def test_a_repeated_cell_counts_once():
    assert [cell.span for cell in repeat(Cell(text="80", line=LINE), 3)] == [3, 0, 0]


def test_rows_are_filled_to_one_length():
    rows = rectangular(rows_of("a", "b | 1 | 2"))

    assert [[cell.text for cell in row] for row in rows] == [["a", "", ""], ["b", "1", "2"]]


def test_one_endless_row_does_not_fill_all_others():
    endless = rows_of("|".join(["1"] * 5000))

    rows = rectangular([*endless, *rows_of("a") * 5000])

    assert len(rows) == 5001
    assert len({len(row) for row in rows}) == 1
    assert len(rows[0]) <= 100


def test_columns_behind_the_last_text_are_left_out():
    block = table_block([LINE], rows_of("Model | Acc | ", "A | 80 | "))

    assert table(block) == ["Model | Acc", "A | 80"]


def test_cells_between_tabs_know_where_they_stand():
    lines = lines_of("Seed\tAcc\n0\t 80.5 \n1\t")

    rows = tab_rows(lines)

    assert [[cell.text for cell in row] for row in rows] == [
        ["Seed", "Acc"],
        ["0", "80.5"],
        ["1", ""],
    ]
    assert rows[1][1].place().column == 4
    assert rows[1][1].place().end_column == 8


def test_heads_without_the_empty_corner_are_moved_over_their_columns():
    lines = lines_of("Mean\tStd\nEpoch 1\t70.4\t1.92\nEpoch 2\t75.4\t1.08")

    block = table_block(lines, tab_rows(lines))

    assert table(block) == [" | Mean | Std", "Epoch 1 | 70.4 | 1.92", "Epoch 2 | 75.4 | 1.08"]
    assert block.head == 1
