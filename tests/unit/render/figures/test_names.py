"""Names in figures: what the font lacks is written as the pages write it."""

import pytest
from fakes import drawn
from fakes.spelling import drawable

from reportgen.records.document import Chart, Figure, Level, Line, Panel
from reportgen.render import clean
from reportgen.render.figures import draw_figures


def draw(name: str) -> bytes:
    """Return a figure that holds one name."""
    line = Line(label="", group="", group_index=0, member=0, x=(1.0, 2.0), y=(1.0, 2.0))
    level = Level(y=1.5, label=name)
    panel = Panel(title="", x_label="", y_label="", lines=(line,), levels=(level,))
    chart = Chart(kind="curves", panels=(panel,))
    return draw_figures([Figure(id="f", caption=(), chart=chart, alt="")])["f"]


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
    printed = drawable(clean(name), "typst")
    assert printed in [word.text for word in drawn.words(draw(name))]
    assert draw(name) == draw(printed)


def test_a_long_name_loses_its_middle_and_stays_on_the_sheet():
    svg = draw("\u65e5" * 400)
    assert all(drawn.sheet(svg).holds(word) for word in drawn.words(svg))
    assert any("…" in word.text for word in drawn.words(svg))
