"""The HTML page in a real browser: numbers tell where they come from, and nothing else runs."""

import base64
import gzip
import hashlib
import json
import re

import pytest

from reportgen.records.document import Number, Paragraph, Table, TableColumn, TableRow
from reportgen.records.quantity import Evidence, Missing, Quantity

PANEL = "document.getElementById('rg:trace')"
OPEN = f"!{PANEL}.hidden"
TOLD = f"{PANEL}.hidden ? '' : {PANEL}.innerText"
FOCUS = "document.activeElement.id"
MEAN = "#n\\:glance\\.pretrained\\.mean"
STD = "#n\\:glance\\.pretrained\\.std"


def told(browser):
    return browser.run(TOLD)


@pytest.fixture(scope="module")
def page(built):
    return built / "report.html"


# --- alone ----------------------------------------------------------------------------


def test_the_page_asks_for_nothing_and_the_console_stays_empty(browser, page):
    browser.open(page)
    assert browser.asked == [page.as_uri()]
    assert browser.said == []


def test_the_page_is_small(page):
    assert len(page.read_bytes()) < 750_000


def test_a_script_and_a_style_that_somebody_slips_in_do_nothing(browser, page, tmp_path):
    slipped = (
        "<script>document.body.id = 'owned'</script>"
        "<style>body { color: rgb(1, 2, 3) !important }</style>"
        "<img src='http://127.0.0.1:9/x.png' onerror='document.body.id = 1'></main>"
    )
    path = tmp_path / "report.html"
    path.write_text(page.read_text().replace("</main>", slipped))
    browser.open(path)
    assert browser.run("document.body.id") == ""
    assert browser.run("getComputedStyle(document.body).color") != "rgb(1, 2, 3)"
    assert sum("Content Security Policy" in said for said in browser.said) >= 3
    browser.said.clear()


# --- numbers --------------------------------------------------------------------------


def test_pointing_at_a_number_shows_value_method_formula_and_points(browser, page, lab):
    browser.open(page)
    assert told(browser) == ""
    browser.hover(MEAN)
    browser.wait(OPEN)
    shown = told(browser)
    formula = "(0.814 + 0.804 + 0.801) / 3"
    point = "accuracy, step 1125: 81.4"
    for words in ("80.63", "0.80633333333333 fraction", formula, "over 3 runs", point):
        assert words in shown
    path = re.search(r"sentence_prediction/\S+/0/test/\S+", shown)[0]
    assert hashlib.sha256((lab / "logs" / path).read_bytes()).hexdigest() in shown
    browser.point(2, 2)
    browser.wait(f"{PANEL}.hidden")


def test_every_point_that_a_panel_names_has_the_checksum_of_its_file(browser, page, report):
    browser.open(page)
    sums = {file["path"]: file["sha256"] for file in report["files"]}
    shown = browser.run(
        "Object.fromEntries([...document.querySelectorAll('.evidence tr[id^=\"f:\"]')]"
        ".map((row) => [row.cells[1].textContent, row.cells[3].textContent]))"
    )
    assert shown == {path: sums.get(path, "") for path in shown}
    assert sum(map(bool, shown.values())) > 30


def test_a_click_holds_the_panel_and_escape_gives_the_focus_back(browser, page):
    browser.open(page)
    browser.click(MEAN)
    assert browser.run(FOCUS) == "rg:trace"
    browser.point(2, 2)
    browser.run("new Promise((go) => setTimeout(go, 400))")
    assert "0.80633333333333" in told(browser)
    browser.key("Escape")
    assert told(browser) == ""
    assert browser.run(FOCUS) == "n:glance.pretrained.mean"
    browser.click(MEAN)
    browser.click(STD)
    assert "sample standard deviation" in told(browser)
    browser.press(5, 5)
    assert told(browser) == ""


@pytest.mark.parametrize("key", ["Enter", " "])
def test_numbers_open_by_key_and_say_so_to_those_who_listen(browser, page, key):
    browser.open(page)
    browser.run(f"document.querySelector('{MEAN.replace(chr(92), chr(92) * 2)}').focus()")
    browser.key(key)
    assert "over 3 runs" in told(browser)
    described = browser.run(
        "(() => { const n = document.getElementById('n:glance.pretrained.mean');"
        " return ['role', 'aria-haspopup', 'aria-expanded', 'aria-controls']"
        ".map((name) => n.getAttribute(name)); })()"
    )
    assert described == ["button", "dialog", "true", "rg:trace"]
    named = browser.run(f"[{PANEL}.getAttribute('role'), {PANEL}.getAttribute('aria-label')]")
    assert named == ["dialog", "Evidence of 80.63"]


def test_the_tab_key_reaches_numbers_and_what_they_are_is_spoken(browser, page):
    browser.open(page)
    browser.run("document.querySelector('main').focus()")
    browser.key("Tab")
    assert browser.run(FOCUS) == "n:glance.parameters.weights"
    browser.wait(OPEN)
    assert "22,807,552" in browser.run("document.querySelector('[role=status]').textContent")


def test_a_link_with_the_id_of_a_number_opens_it(browser, page):
    for fragment in ("#number=glance.pretrained.mean", "#n:glance.pretrained.mean"):
        browser.open(page, fragment)
        assert "0.80633333333333" in told(browser)


def test_ids_that_no_link_can_hold_are_found_as_they_are(browser, write_page):
    number = Number(id="a/b c", quantity=Quantity(value=1.5, method="made up"))
    browser.open(write_page(Paragraph(text=(number,))), "#number=a%2Fb%20c")
    assert "made up" in told(browser)
    assert "a/b c" in told(browser)


def test_a_pinned_panel_stays_beside_another(browser, page):
    browser.open(page)
    browser.click(MEAN)
    browser.click(".trace .pin")
    assert told(browser) == ""
    browser.click(STD)
    cards = "[...document.querySelectorAll('.pinned .card')].map((c) => c.innerText)"
    (card,) = browser.run(cards)
    assert "(0.814 + 0.804 + 0.801) / 3" in card
    assert "sample standard deviation" in told(browser)
    browser.key("Escape")
    browser.click(".card .close")
    assert browser.run(cards) == []
    assert browser.run(FOCUS) == "n:glance.pretrained.mean"


def test_value_id_and_link_can_be_copied(browser, page):
    browser.send("Browser.grantPermissions", permissions=["clipboardReadWrite"])
    browser.open(page)
    browser.click(MEAN)
    copied = []
    for child in (1, 2, 3):
        browser.click(f".trace .actions button:nth-child({child})")
        browser.wait("document.querySelector('[role=status]').textContent.startsWith('Copied')")
        copied.append(browser.run("document.querySelector('[role=status]').textContent"))
        browser.run("document.querySelector('[role=status]').textContent = ''")
    assert copied == [
        "Copied: 0.80633333333333",
        "Copied: glance.pretrained.mean",
        f"Copied: {page.as_uri()}#number=glance.pretrained.mean",
    ]


def test_a_missing_number_gives_its_reason(browser, write_page):
    absent = Number(id="absent", quantity=Missing(reason="the run was never evaluated"))
    browser.open(write_page(Paragraph(text=(absent,))), "#number=absent")
    assert "the run was never evaluated" in told(browser)
    assert browser.said == []


def test_a_table_is_one_stop_of_the_tab_key_and_arrows_walk_in_it(browser, write_page):
    cells = [Number(id=f"c{i}", quantity=Quantity(value=i)) for i in range(4)]
    rows = tuple(TableRow(cells=((a,), (b,))) for a, b in (cells[:2], cells[2:]))
    columns = (TableColumn(title=("a",)), TableColumn(title=("b",), align="decimal"))
    browser.open(write_page(Table(id="t", caption=("Four.",), columns=columns, rows=rows)))
    stops = "[0, 1, 2, 3].map((i) => document.getElementById(`n:c${i}`).tabIndex)"
    assert browser.run(stops) == [0, -1, -1, -1]
    browser.run("document.getElementById('n:c0').focus()")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        browser.key(key)
    assert browser.run(FOCUS) == "n:c1"
    assert browser.run(stops) == [-1, 0, -1, -1]


def test_names_of_strangers_stay_text_in_the_panel(browser, write_page):
    name = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
    source = Evidence(path=name, tag=name, step=1, value=name)
    quantity = Quantity(value=1, method=name, formula=name, unit=name, sources=(source,))
    browser.open(write_page(Paragraph(text=(Number(id=name, quantity=quantity),))))
    browser.click("a.num")
    assert told(browser).count("<img src=x") >= 5
    browser.click(".trace .pin")
    assert browser.run("document.images.length") == 0
    assert browser.run("document.scripts.length") == 3
    assert browser.said == []


# --- without a script, on paper, to take away -------------------------------------------


def test_without_a_script_everything_can_be_read_and_numbers_link_to_their_evidence(browser, page):
    browser.scripts(allowed=False)
    browser.open(page)
    seen = "document.querySelector({}).checkVisibility()"
    for selector in (".evidence tbody tr", "#rg\\:numbers th", ".drawing > svg", ".contents li"):
        assert browser.run(seen.format(json.dumps(selector)))
    assert browser.run("document.querySelectorAll('.chart, .sort, .find').length") == 0
    browser.click(MEAN)
    row = browser.run("document.querySelector(':target').innerText")
    assert "(0.814 + 0.804 + 0.801) / 3" in row
    source = browser.run("document.querySelector(':target td:last-child a').hash")
    # What is far from the window has no layout yet, and so no inner text.
    points = browser.run(f"document.getElementById({json.dumps(source[1:])}).textContent")
    assert "accuracy, step 1125: 81.4" in points


def test_on_paper_there_is_the_report_and_nothing_to_press(browser, page, tmp_path):
    from pypdf import PdfReader

    browser.open(page)
    browser.media("print")
    seen = "[...document.querySelectorAll('{}')].filter((e) => e.checkVisibility()).length"
    for selector in ("nav", ".chart", ".find", ".evidence", ".back", "footer"):
        assert browser.run(seen.format(selector)) == 0
    drawings = browser.run("document.querySelectorAll('.drawing').length")
    assert browser.run(seen.format(".drawing > svg")) == drawings > 5
    paper = tmp_path / "report.pdf"
    paper.write_bytes(browser.paper())
    pages = PdfReader(paper).pages
    size = [round(float(side) / 72 * 25.4) for side in pages[0].mediabox[2:]]
    assert size == [210, 297]
    assert "80.63" in pages[0].extract_text()


def test_report_json_lies_in_the_page(browser, page):
    browser.open(page)
    data = browser.run("document.querySelector('a[download]').href").partition("base64,")[2]
    packed = gzip.decompress(base64.b64decode(data))
    assert packed == (page.parent / "report.json").read_bytes()


def test_the_numbers_can_be_saved_as_a_table(browser, page, report, tmp_path):
    browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.open(page)
    browser.click(".downloads button")
    saved = tmp_path / "numbers.csv"
    for _ in range(100):
        if saved.exists():
            break
        browser.run("new Promise((go) => setTimeout(go, 50))")
    lines = saved.read_text().splitlines()
    assert lines[0] == "id,printed,value,method,formula,n,ddof"
    assert len(lines) == 1 + len({number["id"] for number in report["numbers"]})
