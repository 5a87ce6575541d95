"""The page in French, in a real browser: its words, evidence and curves with its marks."""

import json
import math
import re

import pytest
from fakes.curves_page import DRAWING, explored_figures
from fakes.html_tree import parse

from reportgen.records.document import Number, Paragraph, Report
from reportgen.records.quantity import Evidence, Quantity
from reportgen.render import render


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


@pytest.fixture
def write(write_page):
    return lambda *blocks, **front: write_page(*blocks, lang="fr", **front)


def test_every_word_of_the_page_is_french(browser, write):
    browser.open(write(Paragraph(text=(mean(),))))
    text = browser.run("document.body.innerText")
    for said in ("Sommaire", "Chercher mots ou nombres", "D’où viennent les nombres", "À emporter"):
        assert said in text
    words = page_words("fr")
    same = {word for word, text in page_words("en").items() if words[word] == text}
    assert same <= {"sha256", "runs", "ddof", "csv", "evidence_sources", "source"}
    assert browser.run("document.documentElement.lang") == "fr"


def test_the_panel_of_a_number_speaks_french(browser, write):
    browser.open(write(Paragraph(text=(mean(),))), "#number=mean")
    shown = browser.run(f"{PANEL}.innerText")
    for said in ("Valeur", "Méthode", "Formule", "0,80633333333333", "(0,814 + 0,804 + 0,801) / 3"):
        assert said in shown
    assert "accuracy, pas 1125\u00a0: 81,4" in shown
    assert browser.run(f"{PANEL}.getAttribute('aria-label')") == "Provenance de 80,63"


def test_ticks_and_values_in_view_have_a_comma(browser, write):
    figures = explored_figures()
    browser.open(write(*figures, drawings={f.id: DRAWING for f in figures}))
    for _ in range(2):
        browser.run("document.querySelector('#raw .zoom button').click()")
    ticks = browser.run("[...document.querySelectorAll('#raw .tick')].map((t) => t.textContent)")
    assert any("," in tick for tick in ticks)
    assert not any("." in tick for tick in ticks)
    browser.run("document.querySelector('#raw .zoom button:last-child').click()")
    browser.run("document.querySelector('#raw .zoom button:nth-child(2)').click()")
    cells = browser.run("[...document.querySelectorAll('#raw .values td')].map((t) => t.innerText)")
    assert cells
    assert not [cell for cell in cells if re.search(r"\d\.\d", cell)]
