"""Curves and dots: what is on the sheet, read back from the SVG alone."""

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from fakes import drawn
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.records.document import Band, Chart, Dot, Figure, Level, Line, Panel, Ring
from reportgen.render.figures import draw_figures, stroke

NAN = float("nan")
PATH = "{http://www.w3.org/2000/svg}path"
USE = "{http://www.w3.org/2000/svg}use"
BLUE = "#0072b2"


def line(values, *, group=0, member=0, name="", **fields):
    return Line(
        label=name or f"seed {member}",
        group=name or f"group {group}",
        group_index=group,
        member=member,
        x=tuple(float(x) for x in range(1, len(values) + 1)),
        y=tuple(values),
        **fields,
    )


def panel(*lines, **fields):
    words = {"title": "Test", "x_label": "epoch", "y_label": "accuracy (%)", **fields}
    return Panel(lines=tuple(lines), **words)


def draw(*panels, kind="curves", lang="en"):
    figure = Figure(id="f", caption=(), chart=Chart(kind=kind, panels=panels), alt="")
    return draw_figures([figure], lang)["f"]


def paths(svg, colour):
    """Return the points of every stroked path of a colour, in stretches between gaps."""
    found = []
    for node in ET.fromstring(svg).iter(PATH):  # noqa: S314 - our own picture
        if f"stroke: {colour}" in node.get("style", "") and "C" not in node.get("d"):
            stretches = re.split("M", node.get("d"))[1:]
            points = [re.findall(r"(\S+) (\S+)", each.replace("L", "")) for each in stretches]
            found.append([[(float(x), float(y)) for x, y in each] for each in points])
    return found


def long_paths(svg, colour):
    """Return those paths that are no marker: wider than one."""
    return [
        each
        for each in paths(svg, colour)
        if max(x for s in each for x, _ in s) - min(x for s in each for x, _ in s) > 10
    ]


def texts(svg):
    return [word.text for word in drawn.words(svg)]


def marks(svg, colour):
    """Return the places of the markers of a colour."""
    return [
        (float(node.get("x")), float(node.get("y")))
        for node in ET.fromstring(svg).iter(USE)  # noqa: S314 - our own picture
        if re.search(rf"(fill|stroke): {colour}", node.get("style", "")) and node.get("x")
    ]


def is_readable(svg):
    words, sheet = drawn.words(svg), drawn.sheet(svg)
    return drawn.overlapping(words) == [] and all(sheet.holds(word) for word in words)


def test_every_run_mean_ring_and_level_is_there():
    runs = [line([50.0 + m, 60 + m, 70 + m], group=g, member=m) for g in (0, 1) for m in range(3)]
    bands = tuple(
        Band(group=f"group {g}", group_index=g, label="", x=(1, 2, 3), mean=(51, 61, 71),
             low=(50, 60, 70), high=(52, 62, 72))
        for g in (0, 1)
    )  # fmt: skip
    ring = Ring(group_index=0, x=2.0, y=60.0)
    svg = draw(panel(*runs, bands=bands, rings=(ring,), levels=(Level(y=40.0, label="chance"),)))
    drawn_lines = {g: long_paths(svg, stroke(g).colour) for g in (0, 1)}
    shades = {stroke(g, m).colour for g in (0, 1) for m in range(3)}
    assert sum(len(long_paths(svg, colour)) for colour in shades) == 3 * 2 + 2
    # The mean is drawn last, and the ring lies on the run that it belongs to.
    run = drawn_lines[0][0][0]
    assert pytest.approx(run[1], abs=0.01) in marks(svg, BLUE)
    assert {"group 0", "group 1", "chance", "Test", "epoch", "accuracy (%)"} <= set(texts(svg))
    assert svg.count(b"opacity: 0.15") == 2


@pytest.mark.parametrize("hole", [NAN, math.inf, -math.inf, 1e301])
def test_a_gap_is_a_gap_and_not_zero(hole):
    svg = draw(panel(line([71.0, 72.0, hole, 73.0, 74.0])))
    assert [len(stretch) for stretch in long_paths(svg, BLUE)[0]] == [2, 2]
    assert "0" not in texts(svg)


@pytest.mark.parametrize("lines", [(), (line([]),), (line([NAN, NAN]),)])
def test_a_panel_without_values_says_so(lines):
    assert "no values" in texts(draw(panel(*lines)))
    assert "no values" not in texts(draw(panel(line([1.0, 2.0]))))


def test_values_far_apart_and_above_zero_have_a_logarithmic_axis():
    svg = draw(panel(line([0.01, 1.0, 100.0]), y_label="loss"))
    ((_, low), (_, middle), (_, high)) = long_paths(svg, BLUE)[0][0]
    assert low - middle == pytest.approx(middle - high, rel=1e-3)
    assert {"0.01", "1", "100"} <= set(texts(svg))
    ((_, low), (_, middle), (_, high)) = long_paths(draw(panel(line([1.0, 2, 3]))), BLUE)[0][0]
    assert low - middle == pytest.approx(middle - high, rel=1e-3)


def test_on_a_logarithmic_axis_what_is_not_above_zero_is_a_gap():
    svg = draw(panel(line([1.0, 10.0, 0.0, -5.0, 10.0, 100.0]), logarithmic=True))
    assert [len(stretch) for stretch in long_paths(svg, BLUE)[0]] == [2, 2]
    sheet = drawn.sheet(svg)
    assert all(0 < y < sheet.bottom for s in long_paths(svg, BLUE)[0] for _, y in s)


def test_a_million_points_are_drawn_with_few_that_keep_spike_and_gap():
    values = np.sin(np.arange(1_000_000) / 1e5)
    values[613_000], values[200_000:300_000] = 9.0, NAN
    svg = draw(panel(line(values.tolist())))
    (stretches,) = long_paths(svg, BLUE)
    points = [point for stretch in stretches for point in stretch]
    assert len(points) <= 1202
    assert len(svg) < 100_000
    (left, _), (right, _) = points[0], points[-1]
    (x, _), below = sorted(points, key=lambda point: point[1])[:2]
    assert (x - left) / (right - left) == pytest.approx(0.613, abs=1e-3)
    assert [s[0][0] for s in stretches if len(s) > 9] == [
        pytest.approx(left + share * (right - left), abs=2) for share in (0, 0.3)
    ]
    assert below[1] > min(points, key=lambda point: point[1])[1] + 50


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(
    st.lists(
        st.floats(-1e7, 1e7) | st.sampled_from([0.0, 79.9, 80.0, 80.1]), min_size=1, max_size=14
    ),
    st.integers(1, 4),
    st.sampled_from([(), (1.0, 2.0), (1.0, 1e6), (-123456.0,)]),
    st.sampled_from(["en", "fr"]),
)
def test_names_and_numbers_never_touch_or_leave_the_sheet(ends, panels, ticks, lang):
    lines = [line([0.0, end], group=i % 9, member=i) for i, end in enumerate(ends)]
    assert is_readable(draw(*[panel(*lines, x_ticks=ticks)] * panels, lang=lang))


HOSTILE = ["$\\alpha_{1}$", "a_b^c \\frac{}{", "$", "W" * 300, "日本語", "\x00\x1b[0m", "-->",
           "&lt;<b>", "a\nb", " "]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("count", [2, 9])
def test_hostile_names_are_drawn_as_they_stand_and_stay_on_the_sheet(name, count):
    lines = [line([1.0, 2.0 + g], group=g, name=f"{name}{g}") for g in range(count)]
    shown = panel(*lines, title=name, x_label=name, y_label=name,
                  levels=(Level(y=1.5, label=name),))  # fmt: skip
    svg = draw(*[shown] * (1 if count == 2 else 3))
    ET.fromstring(svg)  # noqa: S314 - our own picture
    assert is_readable(svg)
    dots = tuple(Dot(label=name, group_index=g, values=(1.0, 2.0 + g)) for g in range(count))
    assert is_readable(draw(replace(panel(x_label=name), dots=dots), kind="dots"))


def test_dollar_signs_are_no_mathematics():
    svg = draw(panel(line([1.0, 2.0], name="$x$"), line([2.0, 1.0], group=1, name="$y_1$")))
    assert {"$x$", "$y_1$"} <= set(texts(svg))


@pytest.mark.parametrize(
    "values", [[5.0, 5.0], [0.0, 0.0], [1e-300, 2e-300], [-1e299, 1e299], [1e8, 1e8 + 1]]
)
def test_odd_ranges_are_drawn(values):
    svg = draw(panel(line(values)))
    assert b"nan" not in svg
    assert is_readable(svg)
    numbers = [text for text in texts(svg) if re.fullmatch(r"[−\d.,e+kMG]+", text)]
    assert len(numbers) - len(set(numbers)) <= 1  # an epoch may be a value


def test_dots_show_each_value_mean_and_interval():
    dots = (
        Dot(label="a", group_index=0, values=(73.9, 73.1, NAN), mean=73.5, low=72.5, high=74.8),
        Dot(label="b", group_index=1, values=()),
    )
    svg = draw(panel(dots=dots, x_label="test accuracy (%)", y_label=""), kind="dots")
    assert len(marks(svg, BLUE)) == 3
    assert len(long_paths(svg, BLUE)) == 1
    assert {"a", "b", "no value", "test accuracy (%)"} <= set(texts(svg))


def test_many_rows_of_dots_stay_on_one_page():
    dots = tuple(Dot(label=f"group {i}", group_index=i, values=(i, i + 1.0)) for i in range(30))
    svg = draw(panel(dots=dots, y_label=""), kind="dots")
    assert drawn.sheet(svg).bottom < 500
    assert is_readable(svg)
    assert {f"group {i}" for i in range(30)} <= set(texts(svg))
