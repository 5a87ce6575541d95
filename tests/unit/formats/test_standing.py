"""Placement of tables and figures: none may stand above one of a lower number."""

from __future__ import annotations

from reportgen.formats._page import Page
from reportgen.formats._standing import Standing
from reportgen.records.document import Figure, Paragraph, Table, TableRow

TABLE = Table(id="t", caption=(), columns=(), rows=())
FIGURE = Figure(id="f", caption=(), alt="", chart=None)
SHORT = Paragraph(text=("A sentence of one line.",))
LONG = Paragraph(text=("word " * 700,))


def placed(*blocks):
    """Return the placement of each; a pair says whether text follows and whether it is fixed."""
    standing, found = Standing(Page()), []
    for block, *known in blocks:
        if isinstance(block, Paragraph):
            standing.pass_by(block)
        else:
            floats, fixed = known
            found.append(standing.place(block, floats=floats, fixed=fixed))
    return found


def test_a_float_behind_one_that_stands_in_the_text_goes_to_the_bottom():
    assert placed((TABLE, False, False), (SHORT,), (TABLE, True, False)) == ["", "bottom"]
    assert placed((TABLE, True, True), (SHORT,), (TABLE, True, False)) == ["", "bottom"]


def test_what_follows_a_float_floats_too():
    assert placed((TABLE, True, False), (SHORT,), (TABLE, False, False)) == ["auto", "auto"]
    three = (TABLE, False, False), (TABLE, True, False), (TABLE, False, False)
    assert placed(*three) == ["", "bottom", "bottom"]


def test_half_a_page_of_text_keeps_two_apart():
    assert placed((TABLE, False, False), (LONG,), (TABLE, True, False)) == ["", "auto"]
    assert placed((TABLE, True, False), (LONG,), (TABLE, False, False)) == ["auto", ""]


def test_a_long_table_in_the_text_keeps_the_next_one_apart():
    row = TableRow(cells=())
    long = Table(id="t", caption=("word " * 60,), columns=(), rows=(row,) * 40)
    assert placed((long, False, False), (SHORT,), (TABLE, True, False)) == ["", "auto"]


def test_tables_and_figures_are_numbered_apart():
    assert placed((TABLE, False, False), (FIGURE, True, False)) == ["", "auto"]


def test_what_goes_on_over_pages_never_floats():
    assert placed((TABLE, True, False), (TABLE, True, True)) == ["auto", ""]
