"""Tables of thousands of rows: whole on the page, in a window of their own; an excerpt on paper."""

import pytest
from fakes.axe import violations

from reportgen.records.document import Excerpt, Number, Table, TableColumn, TableRow
from reportgen.records.quantity import Quantity

ROWS, LEAST = 400, 101  # of so many it has a window of its own
SHOWN = "[...document.querySelectorAll('figure.table tbody tr')].filter((r) => r.checkVisibility())"
WINDOW = "document.querySelector('figure.table .scroll')"


def long_table(count: int) -> Table:
    """Return a table whose second column falls from row to row; paper gets the ends."""
    rows = tuple(
        TableRow(
            cells=(
                (f"run {i}",),
                (Number(id=f"n{i}", quantity=Quantity(value=float(count - i)), decimals=1),),
            )
        )
        for i in range(count)
    )
    columns = (TableColumn(title=("Run",)), TableColumn(title=("Value",), align="decimal"))
    excerpt = Excerpt(rows=(0, count - 1), note=("Printed are both ends.",))
    return Table(id="t", caption=("Caption.",), columns=columns, rows=rows, excerpt=excerpt)


@pytest.fixture
def page(write_page):
    return write_page(long_table(ROWS))


@pytest.mark.parametrize("script", [True, False])
def test_every_row_is_there_and_the_window_is_no_higher_than_the_screen(browser, page, script):
    browser.scripts(allowed=script)
    browser.open(page)
    assert browser.run(f"{SHOWN}.length") == ROWS
    assert browser.run(f"{WINDOW}.clientHeight < innerHeight")
    assert browser.run(f"{WINDOW}.scrollHeight > 3 * innerHeight")
    assert browser.run("!document.querySelector('.note.paper').checkVisibility()")


def test_a_link_into_the_table_leads_to_its_row_below_the_head(browser, page):
    browser.open(page)
    browser.run("location.hash = document.querySelectorAll('figure.table a.num')[300].id")
    seen = (
        "document.querySelectorAll('figure.table tbody tr')[300].getBoundingClientRect().top >="
        " document.querySelector('figure.table thead').getBoundingClientRect().bottom - 1"
    )
    browser.wait(f"{WINDOW}.scrollTop > 1000")
    assert browser.run(seen)


def test_all_rows_are_sorted(browser, page):
    browser.open(page)
    browser.click("figure.table thead th:nth-child(2) .sort")
    first = "document.querySelector('figure.table tbody tr').cells[0].textContent.trim()"
    assert browser.run(first) == f"run {ROWS - 1}"


def test_paper_gets_the_excerpt_and_says_so(browser, page):
    browser.media("print")
    browser.open(page)
    assert browser.run(f"{SHOWN}.length") == 2
    assert browser.run("document.querySelector('.note.paper').checkVisibility()")


@pytest.mark.parametrize("width", [pytest.param(1400, marks=pytest.mark.wide), 380])
def test_axe_finds_nothing(browser, axe, write_page, width):
    browser.open(write_page(long_table(LEAST)), width=width)
    assert browser.run(f"{WINDOW}.scrollHeight > {WINDOW}.clientHeight")
    assert violations(browser, axe) == []
