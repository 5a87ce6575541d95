import re

from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents._cut import (
    Draft,
    cell_of,
    column_of,
    concat,
    cut,
    indent_of,
    joined,
    replaced,
    strip,
)
from reportgen.records.manuscript import Line

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=40)


def line(text, number=1, columns=()):
    return Line(text=text, number=number, columns=columns)


@given(TEXTS, st.integers(0, 45), st.integers(0, 45))
def test_a_piece_of_a_line_keeps_every_place(text, start, end):
    piece = cut(line(text), start, end)

    assert piece.text == text[start : max(start, end)]
    for i, char in enumerate(piece.text):
        assert text[piece.place(i, i + 1).column - 1] == char


@given(TEXTS, st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_a_piece_of_a_piece_keeps_every_place(text, start, end, inner):
    piece = cut(cut(line(text), start), inner, inner + end)

    for i, char in enumerate(piece.text):
        assert text[piece.place(i, i + 1).column - 1] == char


@given(TEXTS)
def test_stripping_takes_blanks_alone(text):
    stripped = strip(line(text))

    assert stripped.text == text.strip()
    for i, char in enumerate(stripped.text):
        assert text[stripped.place(i, i + 1).column - 1] == char


@given(TEXTS, st.sampled_from(["a", "--", "\\d", "[aeiou]+", " "]))
def test_what_replaces_a_text_stands_where_the_text_began(text, pattern):
    done = replaced(line(text), re.compile(pattern), lambda _: "<>")

    assert done.text == re.sub(pattern, "<>", text)
    kept = done.columns or tuple(range(1, len(done.text) + 1))
    assert len(kept) == len(done.text)
    assert list(kept) == sorted(kept)


def test_a_line_that_nothing_changed_needs_no_columns():
    draft = Draft(line("80.5 %"))
    draft.keep(0, 6)

    assert draft.line().columns == ()


def test_an_emptied_line_has_a_place():
    draft = Draft(line("**", 4))

    assert draft.line().place().line == 4


def test_pieces_of_one_line_are_joined_with_a_sign_between():
    row = line("| a | 80 |", 5)
    both = concat([cut(row, 2, 3), cut(row, 6, 8)], " | ")

    assert both.text == "a | 80"
    assert both.place(4, 6).column == 7


def test_a_cell_over_two_lines_stands_where_its_number_is():
    both = joined([line("accuracy of", 3), line("80.5 %", 4)])

    assert both.text == "accuracy of 80.5 %"
    assert (both.number, both.place(12, 16).column, both.place(12, 16).end_column) == (4, 1, 5)


def test_a_cell_has_no_blanks_at_its_ends():
    cell = cell_of(line("a |  80.5  | b"), 3, 11)

    assert (cell.text, cell.start, cell.place().column) == ("80.5", 5, 6)


def test_the_column_behind_a_line_goes_on_counting():
    assert column_of(line("ab", columns=(4, 7)), 2) == 8
    assert column_of(line("ab"), 2) == 3


def test_tabs_set_in_to_the_next_stop():
    assert [indent_of(text) for text in ("a", "  a", "\ta", " \ta", "\u00a0a")] == [0, 2, 4, 4, 1]
