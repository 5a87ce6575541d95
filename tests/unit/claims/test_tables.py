"""How a table is read before its values are bound: heads, labels, groups of rows."""

from __future__ import annotations

from decimal import Decimal

import pytest

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.claims._cells import parts_of
from reportgen.claims._column_roles import holds_value
from reportgen.claims._grid import read_grid
from reportgen.records.manuscript import Block, Cell, Line


def table(*rows, head=1, caption=""):
    lines, cells = [], []
    for number, row in enumerate(rows, 1):
        line = Line(text=" | ".join(row), number=number)
        starts = [sum(len(c) + 3 for c in row[:i]) for i in range(len(row))]
        lines.append(line)
        cells.append(
            tuple(Cell(text=c, line=line, start=s) for c, s in zip(row, starts, strict=True))
        )
    return Block(type="table", lines=tuple(lines), rows=tuple(cells), head=head, caption=caption)


def test_two_rows_of_heads_are_found_where_the_reader_saw_one():
    grid = read_grid(
        table(("", "Performance", ""), ("", "Average Accuracy", "Std"), ("A1", "70.4", "1.92"))
    )
    assert [tuple(h.text for h in heads) for heads in grid.columns] == [
        (),
        ("Average Accuracy", "Performance"),
        ("Std",),
    ]
    assert len(grid.rows) == 1


def test_rows_that_stand_alone_head_those_below():
    grid = read_grid(
        table(("", "Acc"), ("Pretrained", ""), ("Epoch 1", "70"), ("Random", ""), ("Epoch 1", "50"))
    )
    assert [(row.section.label, row.number) for row in grid.rows] == [
        ("Pretrained", 1),
        ("Random", 2),
    ]


def test_merged_labels_count_for_the_rows_below_and_for_their_summary():
    grid = read_grid(
        table(
            ("Group", "Seed", "Test"),
            ("Adam", "0", "81"),
            ("", "1", "80"),
            ("Mean ± std", "", "80.5 ± 0.7"),
            ("SGD", "0", "71"),
        )
    )
    labels = [[h.label for h in row.labels] for row in grid.rows]
    assert labels == [["Adam"], ["Adam"], [""], ["SGD"]]
    assert [row.inherited for row in grid.rows] == ["", "", "Adam", ""]
    assert [row.counted.get("seed") for row in grid.rows] == [0, 1, None, 0]


def test_a_mean_over_groups_is_of_none_of_them():
    grid = read_grid(table(("Model", "Test"), ("Adam", "81"), ("SGD", "71"), ("Average", "76")))
    assert grid.rows[-1].inherited == ""


def test_bare_numbers_over_columns_get_their_meaning_from_the_corner():
    grid = read_grid(table(("Epoch", "1", "2"), ("Adam", "70", "75")))
    assert [heads[0].one("epoch") for heads in grid.columns[1:]] == ["1", "2"]
    grid = read_grid(table(("Learning rate", "1e-4", "3e-4"), ("Adam", "70", "75")))
    assert [heads[0].label for heads in grid.columns[1:]] == [
        "Learning rate=1e-4",
        "Learning rate=3e-4",
    ]
    grid = read_grid(
        table(("", "1", "2"), ("Adam", "70", "75")), around="accuracy after each epoch"
    )
    assert [heads[0].one("epoch") for heads in grid.columns[1:]] == ["1", "2"]


def test_steps_of_a_row_are_read_with_thousands():
    grid = read_grid(table(("Step", "Loss"), ("1,125", "0.41")))
    assert grid.rows[0].counted == {"step": Decimal(1125)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("80.63 ± 0.68", [("80.63", "value"), ("0.68", "spread")]),
        ("± 1.69", [("1.69", "spread")]),
        ("81.5 (79.9)", [("81.5", "value"), ("79.9", "bracket")]),
        ("+5.76 to +8.24", [("+5.76", "low"), ("+8.24", "high")]),
        ("80.1 [79.2, 81.0]", [("80.1", "value"), ("79.2", "low"), ("81.0", "high")]),
        ("81.5 / 79.9", [("81.5", "value"), ("79.9", "value")]),
        ("81.4 (seed 2)", [("81.4", "value")]),
        ("–", []),
    ],
)
def test_what_the_numbers_of_a_cell_are(text, expected):
    parts = parts_of(text, NumberStyle())
    assert [(part.number.text, part.role) for part in parts] == expected


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("81.5%", True),
        ("Seed 0", False),
        ("512 weights each", False),
        ("n/a", False),
        ("-0.3", True),
    ],
)
def test_which_cells_hold_values(text, holds):
    assert holds_value(text) is holds


def test_heads_that_run_over_two_lines_are_one():
    grid = read_grid(
        table(
            ("", "", "", "Best", "95%", ""),
            ("Group", "Split", "n", "step", "interval", "Last step"),
            ("Adam", "test", "0", "—", "—", "55.26 (n = 1)"),
            head=0,
        )
    )
    assert [heads[0].text for heads in grid.columns] == [
        *("Group", "Split", "n", "Best step", "95% interval", "Last step")
    ]
    assert [row.index for row in grid.rows] == [2]
    assert grid.roles[2] == "other"


def test_a_summary_of_runs_that_have_names_is_of_their_group():
    grid = read_grid(
        table(
            ("Group", "Run", "Test"),
            ("Adam", "version_1", "—"),
            ("", "version_2", "81"),
            ("", "version_3", "80"),
            ("Mean ± std", "", "80.5 ± 0.7"),
            ("SGD", "version_4", "71"),
            ("Mean ± std", "", "71 ± 0"),
        )
    )
    labels = [[h.label for h in row.labels] for row in grid.rows]
    assert labels[:2] == [["Adam", "version_2"], ["Adam", "version_3"]]
    assert [row.inherited for row in grid.rows] == ["", "", "Adam", "", ""]
    assert not any(labels[2])
