"""Names of the logs that the lines of a PDF break, at a sign of theirs or at none."""

from __future__ import annotations

import pytest

from reportgen.claims._broken_names import join_names, join_rows
from reportgen.records.manuscript import Cell, Line

NAMES = frozenset(
    {
        "default (rate 5e-5)",
        "q2_pg_cheetah_halfcheetah-v4",
        "run-1",
        "run-10",
        "continue-training",
        "seg/a-1",
    }
)


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        (["of q2_pg_cheetah_Half", "Cheetah-v4 and"], ["of q2_pg_cheetah_HalfCheetah-v4", "and"]),
        (
            ["of q2_pg_", "cheetah_Half", "Cheetah-v4."],
            ["of q2_pg_cheetah_HalfCheetah-v4.", "", ""],
        ),
        (["q2_pg_cheetah_HalfCheetah-", "v4 is"], ["q2_pg_cheetah_HalfCheetah-v4", "is"]),
        (["q2_pg_cheetah_HalfChee-", "tah-v4 is"], ["q2_pg_cheetah_HalfCheetah-v4", "is"]),
        (["(continue-", "training, 3)"], ["(continue-training,", "3)"]),
        (["a file of seg", "/a-1."], ["a file of seg/a-1.", ""]),
    ],
)
def test_a_name_stands_where_it_begins(broken, whole):
    assert join_names(broken, NAMES) == whole


@pytest.mark.parametrize(
    "lines",
    [
        ["the run-1", "0 others"],
        ["the run-1", "0.5 is its accuracy"],
        ["we continue", "training as before"],
        ["q2_pg_cheetah_Half and", "Cheetah-v4"],
        ["half of q2_pg_cheetah_Half", "a Cheetah-v4"],
    ],
)
def test_words_that_make_no_name_stay_where_they_are(lines):
    assert join_names(lines, NAMES) == lines


def rows_of(*rows):
    line = Line(text="", number=1)
    return tuple(tuple(Cell(text=text, line=line) for text in row) for row in rows)


def texts_of(rows):
    return [tuple(cell.text for cell in row) for row in rows]


def test_a_row_that_only_ends_names_belongs_to_the_row_above():
    rows = rows_of(
        ("q2_pg_cheetah_Half", "seg/", "73"),
        ("Cheetah-v4", "a-1", ""),
        ("q2_pg_cheetah_", "run-1", "74"),
        ("Half", "", ""),
        ("Cheetah-v4", "", ""),
        ("run-1", "", "75"),
        ("0 others", "", ""),
    )
    assert texts_of(join_rows(rows, NAMES)) == [
        ("q2_pg_cheetah_HalfCheetah-v4", "seg/a-1", "73"),
        ("q2_pg_cheetah_HalfCheetah-v4", "run-1", "74"),
        ("run-1", "", "75"),
        ("0 others", "", ""),
    ]


def test_heads_that_run_over_two_rows_are_one():
    rows = rows_of(("", "default", "q2_pg_cheetah_Half"), ("", "(rate 5e-5)", "Cheetah-v4"))
    assert texts_of(join_rows(rows, NAMES)) == [
        ("", "default (rate 5e-5)", "q2_pg_cheetah_HalfCheetah-v4")
    ]


def test_a_shorter_head_may_stand_in_the_lower_line_alone():
    rows = rows_of(("", "", "q2_pg_cheetah_Half"), ("", "run-1", "Cheetah-v4"))
    assert texts_of(join_rows(rows, NAMES, heads=True)) == [
        ("", "run-1", "q2_pg_cheetah_HalfCheetah-v4")
    ]
    assert join_rows(rows, NAMES) == rows


def test_a_row_with_anything_else_stays_a_row():
    rows = rows_of(("q2_pg_cheetah_Half", "73"), ("Cheetah-v4", "80"), ("Cheetah-v4", "a"))
    assert join_rows(rows, NAMES) == rows


def test_a_name_that_is_broken_within_a_cell_is_whole():
    rows = rows_of(("of q2_pg_cheetah_ HalfCheetah-v4 (2 runs)", "73"))
    assert texts_of(join_rows(rows, NAMES))[0][0] == "of q2_pg_cheetah_HalfCheetah-v4 (2 runs)"
