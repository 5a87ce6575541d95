import pytest
from fakes.manuscript_text import lines_of
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents._pipes import (
    is_delimiter,
    is_rule,
    pipe_intervals,
    pipe_reach,
    pipe_rows,
)


@pytest.mark.parametrize(
    "text", ["|---|---|", "--- | ---", "| :-: |", "|:---|---:|", " | -- | - | ", "|-"]
)
def test_the_rule_below_heads_is_told(text):
    assert is_delimiter(text)


@pytest.mark.parametrize("text", ["---", "| a | b |", "| - a | - |", "", "| : | : |", "|||"])
def test_what_is_no_rule_below_heads_is_told(text):
    assert not is_delimiter(text)


@pytest.mark.parametrize("text", ["+---+----+", "+====+====+", "-----  ----", "├────┼────┤"])
def test_drawn_rules_are_told(text):
    assert is_rule(text)


@pytest.mark.parametrize("text", ["- 3", "a ---", "= 5", "--", "| 3 | -- |"])
def test_text_is_no_rule(text):
    assert not is_rule(text)


@given(st.lists(st.text("ab1 .\\*", max_size=6).filter(lambda t: not t.endswith("\\")), min_size=1))
def test_cells_come_back_from_the_row_they_were_set_in(cells):
    # A backslash escapes what follows it, so that no cell may end in one.
    row = "|" + "".join(f"{cell}|" for cell in cells)

    assert [row[a:b] for a, b in pipe_intervals(row)] == cells


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Model | Acc\n--- | ---\nA | 80\n\nB | 70", 3),
        ("| Model | Acc |\n| A | 80 |", 2),
        ("+---+----+\n| A | 80 |\n| B | 70 |\n+---+----+\ntext", 4),
        ("a | 80\nb | 70", 2),
        ("│ A │ 80 │\n├───┼────┤\n│ B │ 70 │", 3),
    ],
)
def test_tables_drawn_with_bars_are_found(text, size):
    assert pipe_reach(text.split("\n")) == (size, True)


@pytest.mark.parametrize("text", ["P(a|b) is\nP(b|a) of", "one | line", "a | b\nc | d | e"])
def test_bars_in_a_text_are_no_table(text):
    assert not pipe_reach(text.split("\n"))[1]


def test_rules_give_no_row():
    rows = pipe_rows(lines_of("+---+----+\n| A | 80 |\n+---+----+"))

    assert [[cell.text for cell in row] for row in rows] == [["A", "80"]]
    assert rows[0][1].place().column == 7
