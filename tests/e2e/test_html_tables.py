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


def cell(content, name):
    """Return a cell: a text as it is, a number by its value, or a text that is indented."""
    if isinstance(content, str):
        return (content,)
    if "indent" in content:
        return (Indent(content["indent"]), content["text"])
    return (number(name, **content),)


def number(name, value, style="plain", decimals=None):
    quantity = Missing(reason="none") if value is None else Quantity(value=value)
    return Number(id=name, quantity=quantity, style=style, decimals=decimals)


def table(rows, titles=("name", "value"), kinds=()):
    columns = tuple(
        TableColumn(title=(title,), align="decimal" if i else "left")
        for i, title in enumerate(titles)
    )
    cells = tuple(
        TableRow(cells=tuple(cell(c, f"n{at}") for c in row), kind=kind)
        for at, (row, kind) in enumerate(zip(rows, kinds or ["body"] * len(rows), strict=True))
    )
    return Table(id="t", caption=("Caption.",), columns=columns, rows=cells)


@pytest.mark.parametrize("row", ROWS["sorted"], ids=lambda row: row["it"])
def test_a_table_is_sorted_by_a_click_on_a_head(browser, write_page, row):
    told = {name: row[name] for name in ("titles", "kinds") if name in row}
    browser.open(write_page(table(row["rows"], **told)))
    for pressed, *seen in row["clicks"]:
        if pressed is not None:
            press(browser, pressed)
        for index, *expected in seen:
            if index == "said":
                assert browser.run(STATUS) == expected[0]
            elif index == "order":
                order = browser.run(f"{HEAD}.map((th) => th.getAttribute('aria-sort'))")
                assert order == expected
            else:
                assert column(browser, index) == expected


@pytest.mark.parametrize(
    ("lang", "printed", "expected"),
    [(lang, *row) for lang in ("en", "fr") for row in ROWS["printed"][lang]],
)
def test_printed_numbers_are_read_by_the_marks_of_their_language(
    browser, write_page, lang, printed, expected
):
    rows = [(f"r{i}", text) for i, text in enumerate(printed)]
    browser.open(write_page(table(rows), lang=lang))
    press(browser, 1)
    assert column(browser, 1) == list(expected)


def test_a_head_is_pressed_by_key_and_says_its_order(browser, write_page):
    browser.open(write_page(table([("a", "2"), ("b", "1")])))
    browser.run("document.querySelectorAll('.sort')[1].focus()")
    browser.key("Enter")
    assert column(browser, 1) == ["1", "2"]
    browser.key(" ")
    assert column(browser, 1) == ["2", "1"]


def test_numbers_of_a_sorted_table_still_open(browser, write_page):
    browser.open(write_page(table([("a", {"value": 2.0}), ("b", {"value": 1.0})])))
    press(browser, 1)
    browser.click("#n\\:n1")
    assert "n1" in browser.run("document.getElementById('rg:trace').innerText")


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
    ("page", "typed"), [(page, typed) for page in ROWS["found"] for typed in page["typed"]]
)
def test_a_number_is_found_however_it_is_typed(browser, write_page, page, typed):
    numbers = tuple(number(f"n{i}", *given) for i, given in enumerate(page["numbers"]))
    browser.open(write_page(Paragraph(text=numbers), lang=page["lang"]))
    assert find(browser, typed) == page["typed"][typed]


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
