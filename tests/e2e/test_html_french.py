"""The page in French, in a real browser: sorting, finding, evidence and curves with its marks."""

import json
import math
import re

import pytest
from fakes.axe import violations
from fakes.curves_page import DRAWING, explored_figures
from fakes.html_tree import parse
from fakes.rows import rows_beside

from reportgen.records.document import Number, Paragraph, Report, Table, TableColumn, TableRow
from reportgen.records.quantity import Evidence, Quantity
from reportgen.render import render

ROWS = rows_beside(__file__)


def page_words(lang):
    """Return the words that a page gives its script."""
    page = render(Report(title="T", sections=(), lang=lang), "html")["report.html"]
    (island,) = [node for node in parse(page) if node.attributes.get("id") == "rg:words"]
    return json.loads(island.text())


PANEL = "document.getElementById('rg:trace')"
SEEDS = (0.814, 0.804, 0.801)


def mean():
    """A number with a method, a formula and points, as a report has them."""
    sources = tuple(
        Evidence(path=f"{seed}/test", tag="accuracy", step=1125, value=logged)
        for seed, logged in enumerate((81.4, 80.4, 80.1))
    )
    quantity = Quantity(
        value=math.fsum(SEEDS) / 3,
        unit="fraction",
        n=3,
        method="made up",
        formula=f"({' + '.join(map(repr, SEEDS))}) / 3",
        sources=sources,
    )
    return Number(id="mean", quantity=quantity, style="percent", decimals=2)


def plain(name, value, style="plain", decimals=None):
    return Number(id=name, quantity=Quantity(value=value), style=style, decimals=decimals)


def table(rows):
    columns = (TableColumn(title=("nom",)), TableColumn(title=("valeur",), align="decimal"))
    cells = tuple(TableRow(cells=((name,), (value,))) for name, value in rows)
    return Table(id="t", caption=("Valeurs.",), columns=columns, rows=cells)


def names(browser):
    return browser.run(
        "[...document.querySelectorAll('figure.table tbody tr')]"
        ".map((row) => row.cells[0].textContent.trim())"
    )


def press(browser):
    browser.click("figure.table thead th:nth-child(2) .sort")


@pytest.fixture
def write(write_page):
    return lambda *blocks, **front: write_page(*blocks, lang="fr", **front)


@pytest.fixture
def curves(browser, write):
    figures = explored_figures()
    browser.open(write(*figures, drawings={f.id: DRAWING for f in figures}))
    return browser


# --- words ----------------------------------------------------------------------------


def test_every_word_of_the_page_is_french(browser, write):
    browser.open(write(Paragraph(text=(mean(),))))
    text = browser.run("document.body.innerText")
    for said in ("Sommaire", "Chercher mots ou nombres", "D’où viennent les nombres", "À emporter"):
        assert said in text
    words = page_words("fr")
    same = {word for word, text in page_words("en").items() if words[word] == text}
    assert same <= {"sha256", "runs", "ddof", "csv", "evidence_sources", "source"}
    assert browser.run("document.documentElement.lang") == "fr"


# --- sorting --------------------------------------------------------------------------


@pytest.mark.parametrize(("printed", "expected"), ROWS["printed_numbers_are_read_with_their_marks"])
def test_printed_numbers_are_read_with_their_marks(browser, write, printed, expected):
    browser.open(write(table([(text, text) for text in printed])))
    press(browser)
    assert names(browser) == list(expected)


# --- finding --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "found"), ROWS["a_number_is_found_by_the_comma_and_by_the_point"]
)
def test_a_number_is_found_by_the_comma_and_by_the_point(browser, write, typed, found):
    others = (plain("n", 8063, "count"), plain("m", -3.5))
    browser.open(write(Paragraph(text=(mean(), *others))))
    browser.run("document.getElementById('rg:find').focus()")
    browser.write(typed)
    browser.key("Enter")
    assert browser.run("document.querySelector('.found')?.textContent") == found
    assert browser.run("document.querySelector('.told').textContent") == "1 sur 1"
    assert browser.run("document.getElementById('rg:find').placeholder") == "80,63"


# --- evidence -------------------------------------------------------------------------


def test_the_panel_of_a_number_speaks_french(browser, write):
    browser.open(write(Paragraph(text=(mean(),))), "#number=mean")
    shown = browser.run(f"{PANEL}.innerText")
    for said in ("Valeur", "Méthode", "Formule", "0,80633333333333", "(0,814 + 0,804 + 0,801) / 3"):
        assert said in shown
    assert "accuracy, pas 1125\u00a0: 81,4" in shown
    assert browser.run(f"{PANEL}.getAttribute('aria-label')") == "Provenance de 80,63"


# --- curves ---------------------------------------------------------------------------


def test_ticks_and_values_in_view_have_a_comma(curves):
    for _ in range(2):
        curves.run("document.querySelector('#raw .zoom button').click()")
    ticks = curves.run("[...document.querySelectorAll('#raw .tick')].map((t) => t.textContent)")
    assert any("," in tick for tick in ticks)
    assert not any("." in tick for tick in ticks)
    curves.run("document.querySelector('#raw .zoom button:last-child').click()")
    curves.run("document.querySelector('#raw .zoom button:nth-child(2)').click()")
    cells = curves.run("[...document.querySelectorAll('#raw .values td')].map((t) => t.innerText)")
    assert cells
    assert not [cell for cell in cells if re.search(r"\d\.\d", cell)]


# --- for everybody --------------------------------------------------------------------


@pytest.mark.wide
def test_axe_finds_nothing_in_french(browser, axe, write):
    figures = explored_figures()
    blocks = (Paragraph(text=(mean(),)), table([("a", plain("a", 9.5)), ("b", plain("b", 1.25))]))
    browser.open(write(*blocks, *figures, drawings={f.id: DRAWING for f in figures}))
    browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    browser.click("main a.num")
    browser.click(".trace .pin")
    browser.click("main td a.num")
    assert violations(browser, axe) == []
