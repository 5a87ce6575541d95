"""Groups with long names: the page stays as wide as the window, and nothing is cut."""

import pytest
from fakes.curves_page import DRAWING, explored_figures

from reportgen.records.document import Number, Paragraph, Section
from reportgen.records.quantity import Quantity

NAME = "q2_pg_pendulum_discount0.99_smallbatch_gae0.98_InvertedPendulum-v4_and_more"
BEYOND = """[...document.querySelectorAll('body *')]
    .filter((e) => !e.closest('.scroll, svg') && e.checkVisibility())
    .filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
    .map((e) => e.tagName + '.' + e.className)"""


@pytest.mark.parametrize("width", [1200, 700, 500, 320])
def test_the_page_is_as_wide_as_the_window(browser, write_page, width):
    figures = explored_figures({"a": NAME, "b": NAME + "_b"})
    own = Section(id="own", title=f"{NAME} against {NAME}_b", blocks=(Paragraph(text=(NAME,)),))
    page = write_page(*figures, own, drawings={f.id: DRAWING for f in figures}, title=NAME * 2)
    browser.open(page, width=width)
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run(BEYOND) == []
    browser.run("document.querySelector('.contents details')?.setAttribute('open', '')")
    contents = "document.querySelector('.contents')"
    assert browser.run(f"{contents}.scrollWidth - {contents}.clientWidth") <= 0
    assert browser.run("document.documentElement.scrollWidth") <= width


def number(name, value, decimals):
    return Number(id=name, quantity=Quantity(value=value), decimals=decimals)


@pytest.mark.parametrize(
    ("lang", "abstract", "body", "proposed"),
    [
        ("en", (), (), ""),
        ("en", ("Of ", number("n", 3.0, 0), ", ", number("a", 76.5, 1)), (), "76.5"),
        ("fr", ("Sur ", number("a", 76.5, 1)), (), "76,5"),
        ("en", (), (number("n", 3.0, 0), " and ", number("b", 12.25, 2)), "12.25"),
        ("en", ("Of ", number("n", 3.0, 0)), (), "3"),
    ],
)
def test_the_box_proposes_a_number_that_the_page_prints(
    browser, write_page, lang, abstract, body, proposed
):
    page = write_page(Paragraph(text=("Words. ", *body)), abstract=abstract, lang=lang)
    browser.open(page)
    assert browser.run("document.getElementById('rg:find').placeholder") == proposed
