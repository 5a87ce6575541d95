"""Names in figures: what the font lacks is written as the pages write it."""

from __future__ import annotations

import pytest

from reportgen.render._escape import clean, code_point
from reportgen.render._escape_typst import drawable
from reportgen.render.figures._pen import Pen, fit, measure

WIDE = 1000.0


def drawn(text: str) -> str:
    """Return the source of a sheet that holds one text."""
    with Pen(300.0, 50.0) as pen:
        pen.text(10.0, 10.0, text)
        return pen.finish().decode()


@pytest.mark.parametrize(
    "name",
    [
        "größeres Netz \U0001f680",
        "\u65e5\u672c\u8a9e",
        "a\u202eb\u200bc\x07",
        "e\u0301te\u0301",
        "run \u2192 α\u20ac",
        "\ue000 \ud800",
        "\u05d0\u05d1 \u0645\u0631",
    ],
)
def test_a_name_is_drawn_as_the_pages_print_it(name):
    assert fit(name, WIDE) == drawable(clean(name))
    assert drawn(name) == drawn(drawable(clean(name)))


def test_names_of_as_many_unknown_characters_can_be_told_apart():
    assert drawn("\u65e5\u672c") != drawn("\u4e2d\u6587")


def test_a_code_point_is_measured_and_cut_as_it_is_drawn():
    assert measure("\u65e5") == measure(code_point("\u65e5")) > measure("U+65E5")
    assert measure(fit("\u65e5" * 40, 100.0)) <= 100.0
