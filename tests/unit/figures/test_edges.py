"""The ends of an axis: no label of a tick is cut by the edge of the drawing."""

from __future__ import annotations

import re

import pytest
from fakes import drawn
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.figures.bands import draw as draw_bands
from reportgen.figures.curves import draw
from reportgen.figures.dots import draw as draw_dots
from reportgen.languages import speaking
from reportgen.records.document import Band, Chart, Dot, Line, Panel

_PRINTS = 0.1
"""What may lie beyond the edge, in points: the rounding of places."""


def beyond(svg: bytes) -> list[str]:
    """Return the words whose ink does not lie on the sheet."""
    found = re.search(rb'viewBox="0 0 (\S+) (\S+)"', svg)
    assert found
    width = float(found[1])
    return [
        word.text
        for word in drawn.words(svg)
        if word.left < -_PRINTS or word.right > width + _PRINTS
    ]


def panel_of(x, y, *, ticks=(), kind="lines", axis="step"):
    if kind == "bands":
        band = Band(group="a group", group_index=0, label="a group", x=x, mean=y)
        return Panel(title="Test", x_label=axis, y_label="loss", bands=(band,), x_ticks=ticks)
    # Labels below leave the lines no room on their right, which the last tick needs.
    lines = tuple(
        Line(
            label=f"a run with a long name {k}",
            group="a group",
            group_index=0,
            member=k,
            x=x,
            y=y,
        )
        for k in range(2)
    )
    return Panel(title="Test", x_label=axis, y_label="loss", lines=lines, x_ticks=ticks)


@pytest.mark.parametrize("panels", [1, 2])
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("last", [1176.0, 1200.0, 99999.0, 1e6, 123456789.0])
def test_the_last_tick_of_the_last_panel_is_whole(panels, language, last):
    panel = panel_of((98.0, last), (1.0, 2.0))
    with speaking(language):
        svg = draw(Chart(kind="curves", panels=(panel,) * panels))
    assert beyond(svg) == []


def test_the_label_that_was_cut_is_drawn():
    panel = panel_of((98.0, 1176.0), (1.0, 2.0))
    with speaking("fr"):
        svg = draw(Chart(kind="curves", panels=(panel, panel)))
    shown = [" ".join(word.text.split()) for word in drawn.words(svg)]
    assert shown.count("1 200") == 2


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.floats(-1e7, 1e7), st.floats(-1e7, 1e7)),
    st.sampled_from([(), (1.0, 1e6), (-123456.0,), (123456.0, 234567.0)]),
    st.sampled_from(["lines", "bands"]),
    st.sampled_from(["en", "fr"]),
    st.integers(1, 2),
)
def test_no_tick_is_cut_whatever_the_ends(x, ticks, kind, language, panels):
    panel = panel_of(x, (0.0, 1.0), ticks=ticks, kind=kind)
    drawing = draw if kind == "lines" else draw_bands
    with speaking(language):
        svg = drawing(Chart(kind="curves", panels=(panel,) * panels))
    assert beyond(svg) == []


@settings(max_examples=40, deadline=None)
@given(st.floats(-1e7, 1e7), st.floats(-1e7, 1e7))
def test_nor_one_below_rows_of_dots(low, high):
    dots = tuple(Dot(label=name, group_index=k, values=(low, high)) for k, name in enumerate("ab"))
    panel = Panel(title="", x_label="loss", y_label="", dots=dots)
    assert beyond(draw_dots(Chart(kind="dots", panels=(panel,)))) == []
