"""Tables sorted and numbers found in a real browser, by mouse and by key."""

import pytest
from fakes.rows import rows_beside

from reportgen.records.document import (
    Indent,
    Number,
    Paragraph,
    Ref,
    Table,
    TableColumn,
    TableRow,
)
from reportgen.records.quantity import Missing, Quantity

ROWS = rows_beside(__file__)

HEAD = "[...document.querySelectorAll('figure.table thead tr:last-child th')]"
STATUS = "document.querySelector('[role=status]').textContent"


def column(browser, index):
    return browser.run(
        "[...document.querySelectorAll('figure.table tbody tr')]"
        f".map((row) => row.cells[{index}].textContent.trim())"
    )


def press(browser, index):
    browser.click(f"figure.table thead tr:last-child th:nth-child({index + 1}) .sort")


def order(browser):
    return browser.run(f"{HEAD}.map((th) => th.getAttribute('aria-sort'))")


def table(rows, titles=("name", "value"), kinds=()):
    columns = tuple(TableColumn(title=(t,), align="left" if not i else "decimal")
                    for i, t in enumerate(titles))  # fmt: skip
    cells = tuple(
        TableRow(cells=tuple(c if isinstance(c, tuple) else (c,) for c in row), kind=kind)
        for row, kind in zip(rows, kinds or ["body"] * len(rows), strict=True)
    )
    return Table(id="t", caption=("Caption.",), columns=columns, rows=cells)


def number(name, value, style="plain", decimals=None):
    quantity = Missing(reason="none") if value is None else Quantity(value=value)
    return Number(id=name, quantity=quantity, style=style, decimals=decimals)


def test_numbers_are_sorted_by_their_values_and_what_is_missing_comes_last(browser, write_page):
    values = [0.0912, None, 12345678, -3.5, 0.09119, 1e-9]
    rows = [(f"r{i}", number(f"n{i}", v)) for i, v in enumerate(values)]
    browser.open(write_page(table(rows)))
    assert order(browser) == ["none", "none"]
    press(browser, 1)
    assert column(browser, 0) == ["r3", "r5", "r4", "r0", "r2", "r1"]
    assert order(browser) == ["none", "ascending"]
    press(browser, 1)
    assert column(browser, 0) == ["r2", "r0", "r4", "r5", "r3", "r1"]
    assert order(browser) == ["none", "descending"]
    assert browser.run(STATUS) == "Table 1 by value: sorted downwards"
    press(browser, 1)
    assert column(browser, 0) == [f"r{i}" for i in range(6)]
    assert order(browser) == ["none", "none"]


@pytest.mark.parametrize(
    ("printed", "expected"), ROWS["printed_numbers_are_read_as_numbers_and_words_as_words"]
)
def test_printed_numbers_are_read_as_numbers_and_words_as_words(
    browser, write_page, printed, expected
):
    browser.open(write_page(table([(f"r{i}", text) for i, text in enumerate(printed)])))
    press(browser, 1)
    assert column(browser, 1) == list(expected)


def test_the_unrounded_value_decides_where_two_print_alike(browser, write_page):
    values = (0.80449, 0.80441, 0.80445)
    rows = [(f"r{i}", number(f"n{i}", v, "percent", 1)) for i, v in enumerate(values)]
    browser.open(write_page(table(rows)))
    press(browser, 1)
    assert column(browser, 0) == ["r1", "r2", "r0"]
    assert set(column(browser, 1)) == {"80.4"}


def test_equal_rows_keep_the_order_of_the_report_in_both_directions(browser, write_page):
    rows = [(f"r{i}", str(v)) for i, v in enumerate((2, 1, 2, 1))]
    browser.open(write_page(table(rows)))
    press(browser, 1)
    assert column(browser, 0) == ["r1", "r3", "r0", "r2"]
    press(browser, 1)
    assert column(browser, 0) == ["r0", "r2", "r1", "r3"]


def test_totals_means_and_heads_of_groups_stay_where_they_are(browser, write_page):
    rows = [("first group", "", ""), ("b", "x", "2"), ("a", "x", "1"), ("mean", "", "1.5"),
            ("d", "x", "9"), ("c", "x", "3"), ("sum", "", "15")]  # fmt: skip
    kinds = ["body", "body", "body", "summary", "body", "body", "total"]
    browser.open(write_page(table(rows, titles=("name", "kind", "value"), kinds=kinds)))
    press(browser, 2)
    assert column(browser, 0) == ["first group", "a", "b", "mean", "c", "d", "sum"]


def test_the_name_of_a_group_stays_on_top_of_its_rows(browser, write_page):
    rows = [("one", "0", "5"), ("", "1", "4"), ("", "2", "6"), ("two", "0", "2"), ("", "1", "1")]
    browser.open(write_page(table(rows, titles=("group", "seed", "value"))))
    press(browser, 2)
    assert column(browser, 0) == ["one", "", "", "two", ""]
    assert column(browser, 2) == ["4", "5", "6", "1", "2"]
    for _ in range(2):
        press(browser, 2)
    assert column(browser, 0) == ["one", "", "", "two", ""]
    assert column(browser, 1) == ["0", "1", "2", "0", "1"]


def test_what_is_indented_stays_below_its_head(browser, write_page):
    outline = [(0, "model", 9), (1, "big", 6), (2, "x", 5), (2, "y", 1), (1, "small", 3)]
    rows = [((Indent(depth), name), str(value)) for depth, name, value in outline]
    browser.open(write_page(table(rows)))
    press(browser, 1)
    assert column(browser, 0) == ["model", "small", "big", "y", "x"]


def test_a_head_is_pressed_by_key_and_says_its_order(browser, write_page):
    browser.open(write_page(table([("a", "2"), ("b", "1")])))
    browser.run("document.querySelectorAll('.sort')[1].focus()")
    browser.key("Enter")
    assert column(browser, 1) == ["1", "2"]
    browser.key(" ")
    assert column(browser, 1) == ["2", "1"]


def test_numbers_of_a_sorted_table_still_open(browser, write_page):
    rows = [("a", number("n.a", 2.0)), ("b", number("n.b", 1.0))]
    browser.open(write_page(table(rows)))
    press(browser, 1)
    browser.click("#n\\:b".replace("n\\:b", "n\\:n\\.b"))
    assert "n.b" in browser.run("document.getElementById('rg:trace').innerText")


def test_every_table_of_the_sample_report_comes_back_to_its_order(browser, built):
    browser.open(built / "report.html")
    rows = "[...document.querySelectorAll('figure.table tbody')].map((t) => t.textContent)"
    before = browser.run(rows)
    heads = browser.run(
        "[...document.querySelectorAll('.sort')].map((b) => {"
        " b.click(); b.click(); b.click(); return 1; }).length"
    )
    assert heads > 50
    assert browser.run(rows) == before
    assert browser.said == []


# --- finding --------------------------------------------------------------------------


def find(browser, text):
    browser.run(
        "(() => { const f = document.getElementById('rg:find'); f.focus(); f.select(); })()"
    )
    browser.write(text)
    browser.key("Enter")
    shown = "['.found', '.told'].map((s) => document.querySelector(s)?.textContent)"
    return browser.run(shown)


def test_a_number_is_found_at_all_its_places_one_after_the_other(browser, built):
    browser.open(built / "report.html")
    found, said = find(browser, "80.63")
    assert found == "80.63"
    assert said.startswith("1 of ")
    count = int(said.rpartition(" ")[2])
    assert count == built.joinpath("report.html").read_text().partition('class="evidence"')[
        0
    ].count(">80.63<")
    tops = set()
    for _ in range(count):
        top = browser.run("document.querySelector('.found').getBoundingClientRect().top")
        assert 0 < top < 900
        tops.add(browser.run("document.querySelector('.found').id || Math.random()"))
        browser.key("Enter")
    assert len(tops) == count
    browser.click(".find .row button:nth-child(2)")
    assert browser.run("document.querySelector('.told').textContent").endswith(f"of {count}")


@pytest.mark.parametrize(
    ("typed", "found"), [("-3.5", "−3.5"), ("12345678", "12,345,678"), ("5.76", "+5.76")]
)
def test_a_number_is_found_however_it_is_typed(browser, write_page, typed, found):
    numbers = (
        number("a", -3.5), number("b", 12345678, "count"), number("c", 0.0576, "points", 2)
    )  # fmt: skip
    browser.open(write_page(Paragraph(text=numbers)))
    assert find(browser, typed) == [found, "1 of 1"]


def test_the_beginning_of_a_number_finds_it_and_a_stranger_is_not_found(browser, write_page):
    browser.open(write_page(Paragraph(text=(number("a", 80.63),))))
    assert find(browser, "80.") == ["80.63", "1 of 1"]
    assert find(browser, "7") == [None, "not in this report"]


def test_after_a_jump_a_button_leads_back(browser, write_page):
    far = tuple(Paragraph(text=(f"Line {i}.",)) for i in range(80))
    jump = Paragraph(text=("see ", Ref("t")))
    browser.open(write_page(jump, *far, table([("a", "2"), ("b", "1")])))
    assert browser.run("document.querySelector('.back').hidden")
    browser.click("p a.ref")
    browser.wait("window.scrollY > 1000")
    browser.click(".back")
    browser.wait("window.scrollY < 200")
    assert browser.run("document.activeElement.className") == "ref"
    assert browser.run("document.querySelector('.back').hidden")
