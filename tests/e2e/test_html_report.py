"""The page of a report: answers first, appendices folded, words found, light or dark, narrow."""

import pytest
from fakes.readback import pdf_text

FOLDED = "[...document.querySelectorAll('details.folded')]"
TOLD = "document.querySelector('.find .told').textContent"
SEEN = "document.querySelector('.found')?.textContent"


@pytest.fixture
def page(browser, built):
    browser.open(built / "report.html")
    return browser


def find(page, words):
    page.run("document.getElementById('rg:find').focus()")
    page.run("document.getElementById('rg:find').value = ''")
    page.write(words)
    page.key("Enter")


def test_answers_stand_before_everything_else(page):
    order = page.run(
        "[...document.querySelectorAll('main h1, main .glance, main h2')]"
        ".slice(0, 4).map((e) => e.className || e.tagName)"
    )
    assert order == ["H1", "glance", "H2", "H2"]
    answers = page.run("document.querySelector('.glance').innerText")
    for answer in ("22,807,552", "80.63 ± 0.68", "73.63 ± 0.46", "1,572,864"):
        assert answer in answers


def test_an_appendix_opens_by_its_link_and_by_a_number_inside(page, built):
    assert page.run(f"{FOLDED}.length") > 4
    assert page.run(f"{FOLDED}.filter((one) => one.open).length") == 0
    page.click(".contents a[href='#statistics']")
    opened = f"{FOLDED}.filter((one) => one.open).map((one) => one.querySelector('h2').id)"
    page.wait(f"{opened}.length")
    assert page.run(opened) == ["statistics"]
    page.open(built / "report.html", "#settings")
    assert page.run(opened) == ["settings"]


def test_paper_has_the_appendices_and_the_window_folds_them_again(page, tmp_path):
    path = tmp_path / "paper.pdf"
    path.write_bytes(page.paper())
    assert "predict_results.json" in pdf_text(path)  # of the files that were used
    page.wait(f"{FOLDED}.every((one) => !one.open)")


def test_without_a_script_paper_has_the_appendices_too(browser, built):
    browser.scripts(allowed=False)
    browser.open(built / "report.html")
    browser.media("print")
    assert browser.run(f"{FOLDED}.every((one) => !one.open)")
    assert browser.run("document.getElementById('statistics.groups').checkVisibility()")


def test_words_are_found_where_they_stand_and_what_is_folded_opens(page):
    find(page, "oracle chooses each step")
    assert "oracle chooses each step" in page.run(SEEN)
    assert page.run("document.querySelector('.found').checkVisibility()")
    find(page, "22,807,552")
    first = page.run(TOLD)
    page.key("Enter")
    assert page.run(TOLD) != first
    assert "22,807,552" in page.run(SEEN)
    find(page, "no such words")
    assert page.run(SEEN) is None
    assert page.run(TOLD)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_are_switched_by_a_button(browser, built, scheme):
    browser.media(prefers_color_scheme=scheme)
    browser.open(built / "report.html")
    colour = "getComputedStyle(document.body).backgroundColor"
    before = browser.run(colour)
    browser.click("#rg\\:tools button")
    assert browser.run(colour) != before
    browser.click("#rg\\:tools button")
    assert browser.run(colour) == before


def test_the_other_formats_are_one_link_away(page, built):
    links = page.run("[...document.querySelectorAll('#rg\\\\:tools a')].map((a) => a.href)")
    names = {link.rpartition("/")[2] for link in links}
    assert {"report.pdf", "report.md", "report.tex", "report.json"} <= names
    assert all((built / name).is_file() for name in names)


def test_the_title_comes_before_the_search_in_one_column_and_beside_it_in_two(browser, built):
    box = "document.querySelector('{}').getBoundingClientRect()"
    title, search = box.format("h1"), box.format(".find")
    for width, order in ((400, f"{title}.bottom < {search}.top"),
                         (1280, f"{search}.right < {title}.left")):  # fmt: skip
        browser.open(built / "report.html", width=width)
        assert browser.run(order)
        assert browser.run("document.documentElement.scrollWidth") <= width
