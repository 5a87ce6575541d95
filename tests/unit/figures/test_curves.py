"""Curves: what is on the page, read back from the SVG with matplotlib's own text outlines."""

import html
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import get_data_path
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from reportgen.figures._style import COLOURS, shorten, stroke
from reportgen.figures.bands import draw as draw_bands
from reportgen.figures.curves import draw
from reportgen.figures.dots import draw as draw_dots
from reportgen.languages import speaking
from reportgen.records.document import Band, Chart, Dot, Line, Panel

NAN = float("nan")
SVG = "{http://www.w3.org/2000/svg}"
FONT = FontProperties(fname=f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf", size=8)


def parse(svg):
    return ET.fromstring(svg)  # noqa: S314 - our own picture


def line(values, *, group=0, member=0, label="", smoothed=(), xs=None, alone=False):
    return Line(
        label=label or f"seed {member}",
        group="" if alone else f"group {group}",  # without a name there is no legend
        group_index=group,
        member=member,
        x=tuple(xs if xs is not None else range(1, len(values) + 1)),
        y=tuple(values),
        smoothed=tuple(smoothed),
    )


def chart(*panels, kind="curves", **fields):
    made = (
        panel
        if isinstance(panel, Panel)
        else Panel(title="Test", x_label="epoch", y_label="accuracy (%)", lines=tuple(panel))
        for panel in panels
    )
    return Chart(kind=kind, panels=tuple(made), **fields)


def size(svg):
    return tuple(map(float, re.search(rb'viewBox="0 0 (\S+) (\S+)"', svg).groups()))


def boxes(svg):
    """Return (text, left, top, right, bottom) of the ink of every text on the sheet."""
    found = []
    for text, x, y in re.findall(
        r"<!-- (.*?) -->\s*<g [^>]*?transform=\"translate\((\S+) (\S+)\)", svg.decode()
    ):
        text = html.unescape(text)  # noqa: PLW2901 - as it was before the XML
        outline, _ = text_to_path.get_text_path(FONT, text, ismath=False)
        scale = 8 / text_to_path.FONT_SCALE
        left, right = (f(v[0] for v in outline) * scale for f in (min, max))
        low, high = (f(v[1] for v in outline) * scale for f in (min, max))
        found.append((text, float(x) + left, float(y) - high, float(x) + right, float(y) - low))
    return found


def texts(svg):
    return [box[0] for box in boxes(svg)]


def overlaps(boxes_):
    return [
        (a[0], b[0])
        for a, b in combinations(boxes_, 2)
        if min(a[3], b[3]) > max(a[1], b[1]) and min(a[4], b[4]) > max(a[2], b[2])
    ]


def outside(svg):
    width, height = size(svg)
    return [
        box[0]
        for box in boxes(svg)
        if box[1] < -0.5 or box[3] > width + 0.5 or box[2] < -0.5 or box[4] > height + 0.5
    ]


def stroked(svg, colour):
    """Return every stroked path of a colour in drawing order, without the keys of labels."""
    return [
        node
        for node in parse(svg).iter(f"{SVG}path")
        if f"stroke: {colour}" in node.get("style", "")
        and "stroke-width" in node.get("style")
        and not is_key(node.get("d"))
    ]


def is_key(d):
    """Tell whether a path is the piece of a line in front of a direct label."""
    ends = [tuple(map(float, p.split()[:2])) for p in re.split(r"[ML]", d)[1:]]
    level = len(ends) == 2 and ends[0][1] == ends[1][1]
    return level and abs(ends[1][0] - ends[0][0] - 16.0) < 0.02


def paths(svg, colour):
    """Return the `d` of every stroked path of a colour, in drawing order."""
    return [node.get("d") for node in stroked(svg, colour)]


def test_six_runs_have_six_looks_and_six_labels():
    lines = [
        line([50 + 5 * g + m, 60 + 9 * g + 2 * m], group=g, member=m)
        for g in (0, 1)
        for m in range(3)
    ]
    svg = draw(chart(lines))
    looks = {stroke(g, m) for g in (0, 1) for m in range(3)}
    assert len(looks) == 6
    assert len({(look.dashes, look.marker) for look in looks}) == 6  # without any colour
    shown = [text for text in texts(svg) if "seed" in text]
    assert sorted(shown) == [f"group {g}, seed {m}" for g in (0, 1) for m in range(3)]


def test_lines_of_two_groups_with_one_seed_are_told_apart_beside_and_below():
    for name, beside in (("mlp", True), ("a name that is too long to stand beside", False)):
        lines = [
            replace(line([2.0, 1.0 + g], group=g, member=2), group=f"{name}{g}") for g in (0, 1)
        ]
        svg = draw(chart(lines, lines))
        shown = [text for text in texts(svg) if "seed" in text]
        names = [f"{name}{g}, seed 2" for g in (0, 1)]
        assert sorted(shown) == sorted(names * 2 if beside else names)
        assert not overlaps(boxes(svg))
        assert not outside(svg)


def test_other_seeds_of_two_groups_need_no_group_in_their_label():
    shown = texts(draw(chart([line([2.0, 1.0 + g], group=g, member=g) for g in (0, 1)])))
    assert {"seed 0", "seed 1", "group 0", "group 1"} <= set(shown)


def test_the_first_groups_differ_in_grey_print():
    greys = []
    for colour in COLOURS[:4]:
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        greys.append(0.299 * red + 0.587 * green + 0.114 * blue)
    assert min(abs(a - b) for a, b in combinations(greys[:3], 2)) > 60
    assert len({stroke(g).dashes for g in range(7)}) == 7
    assert min(abs(a - b) for a, b in combinations(greys, 2)) > 15


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.floats(-1e6, 1e6) | st.sampled_from([0.0, 79.9, 80.0, 80.1]), min_size=1, max_size=8
    ),
    st.booleans(),
)
def test_labels_never_touch_or_leave_the_sheet(ends, two_panels):
    lines = [line([0.0, end], group=i % 3, member=i) for i, end in enumerate(ends)]
    svg = draw(chart(*([lines] * (1 + two_panels))))
    assert not overlaps(boxes(svg))
    assert not outside(svg)


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=300), st.text(max_size=300))
def test_hostile_labels_are_drawn_as_they_stand_and_stay_on_the_sheet(label, title):
    lines = [line([1.0, 2.0], label=label), line([2.0, 1.0], member=1, label=label[::-1])]
    panel = Panel(title=title, x_label=title, y_label=title, lines=tuple(lines))
    svg = draw(chart(panel, panel))
    parse(svg)
    assert len(svg) < 400_000


@pytest.mark.parametrize(
    "label",
    [
        "$\\alpha_{1}$",
        "a_b^c \\frac{}{",
        "x" * 300,
        "W" * 300,
        "日本語",
        "\x00\x1b[0m",
        "-->",
        "&lt;<b>",
    ],
)
def test_hostile_labels_keep_apart(label):
    lines = [line([1.0, 2.0], label=label), line([2.0, 2.0], member=1, label=label)]
    svg = draw(chart(lines, lines))
    assert not outside(svg)
    parse(svg)


def test_dollar_signs_are_not_mathematics():
    assert "$x$" in texts(draw(chart([line([1.0, 2.0], label="$x$")])))


def test_long_names_lose_their_middle():
    name = "RoBERTa_small_fr_random_ms8_mu3125_lr1e-05_me5"
    assert len(shorten(name)) == 28
    assert shorten(name).startswith("RoBERTa_small_")
    assert shorten(name).endswith("1e-05_me5")
    assert shorten("short") == "short"


def test_a_gap_is_a_gap():
    whole = paths(draw(chart([line([1.0, 2.0, 3.0, 4.0], alone=True)])), "#0072b2")
    assert [d.count("M") for d in whole] == [1]
    assert [d.count("L") for d in whole] == [3]
    for hole in (NAN, math.inf, -math.inf):
        broken = paths(draw(chart([line([1.0, 2.0, hole, 3.0, 4.0], alone=True)])), "#0072b2")
        assert [d.count("L") for d in broken] == [1, 1]


def test_a_gap_is_not_zero():
    svg = draw(chart([line([70.0, NAN, 80.0])]))
    ticks = [float(t) for t in texts(svg) if re.fullmatch(r"\d+(\.\d+)?", t)]
    assert 0.0 not in ticks


def test_forty_runs_are_named_by_group():
    lines = [line([g + m / 10, g + m / 5], group=g, member=m) for g in range(4) for m in range(10)]
    svg = draw(chart(lines))
    shown = texts(svg)
    assert [t for t in shown if t.startswith(("group", "seed"))] == [f"group {g}" for g in range(4)]
    assert not overlaps(boxes(svg))


def test_groups_and_the_seeds_they_share_are_named_once_each_below():
    svg = draw(chart([line([1.0, m], group=m // 3, member=m % 3) for m in range(9)]))
    named = [box for box in boxes(svg) if box[0].startswith(("group", "seed"))]
    assert [box[0] for box in named] == [
        f"{what} {m}" for what in ("group", "seed") for m in (0, 1, 2)
    ]
    assert named[0][4] == pytest.approx(named[-1][4], abs=2.5)  # on one line
    assert not overlaps(boxes(svg))
    assert not outside(svg)


@pytest.mark.parametrize(
    "labels",
    [
        [f"seed {m}" for m in (0, 1, 2, 0, 1, 3, 0, 1, 2)],
        [f"seed {m}" for m in (0, 1, 2, 1, 0, 2, 0, 1, 2)],
        [f"seed {m}" for m in (0, 1, 1, 0, 1, 1, 0, 1, 1)],
    ],
)
def test_runs_of_other_seeds_are_named_one_by_one_below(labels):
    lines = [
        line([1.0, m], group=m // 3, member=m % 3, label=label) for m, label in enumerate(labels)
    ]
    svg = draw(chart(lines))
    named = [t for t in texts(svg) if t.startswith("group")]
    assert named == [f"group {m // 3}, {label}" for m, label in enumerate(labels)]
    assert not overlaps(boxes(svg))
    assert not outside(svg)


def test_raw_lies_faint_behind_smoothed():
    svg = draw(chart([line([1.0, 3.0, 2.0], smoothed=[1.0, 2.0, 2.1], alone=True)]))
    raw, smoothed = (node.get("style") for node in stroked(svg, "#0072b2"))
    assert "opacity: 0.35" in raw
    assert "opacity" not in smoothed


def test_a_single_point_is_a_marker_with_its_place_as_tick():
    panel = Panel(
        title="",
        x_label="epoch",
        y_label="",
        lines=(line([5.0], xs=[3], alone=True),),
        x_ticks=(3,),
    )
    svg = draw(chart(panel))
    assert "3" in texts(svg)
    assert paths(svg, "#0072b2") == []
    assert b"fill: #0072b2" in svg


@pytest.mark.parametrize("values", [None, [], [NAN, NAN]])
def test_an_empty_panel_says_so(values):
    lines = [] if values is None else [line(values)]
    assert "no data" in texts(draw(chart(lines)))
    assert "no data" not in texts(draw(chart([line([1.0, 2.0])])))


@pytest.mark.parametrize(
    "values", [[5.0, 5.0], [0.0, 0.0], [1e-300, 2e-300], [-1e299, 1e299], [1e8, 1e8 + 1]]
)
def test_odd_ranges_are_drawn(values):
    svg = draw(chart([line(values)]))
    assert b"nan" not in svg
    assert not overlaps(boxes(svg))


def test_a_thousand_points_keep_their_spike():
    values = [0.5] * 1000
    values[613] = 0.9
    (d,) = paths(draw(chart([line(values, alone=True)])), "#0072b2")
    points = [tuple(map(float, p.split()[:2])) for p in re.split(r"[ML]", d)[1:]]
    assert len(points) <= 500
    top = min(points, key=lambda point: point[1])
    left, right = points[0][0], points[-1][0]
    assert (top[0] - left) / (right - left) == pytest.approx(613 / 999, abs=1e-4)
    assert sum(point[1] < points[0][1] for point in points) == 1


def test_bands_are_filled_between_their_edges_and_single_runs_are_not():
    band = Band(
        group="a", group_index=0, label="a (n = 3)", x=(1, 2), mean=(5, 6), low=(4, 5), high=(6, 7)
    )
    alone = Band(group="b", group_index=1, label="b", x=(1, 2), mean=(2, 3))
    panel = Panel(title="", x_label="epoch", y_label="", bands=(band, alone))
    svg = draw_bands(chart(panel, kind="bands"))
    fills = re.findall(rb"fill: (#\w+); opacity: 0.16", svg)
    assert fills == [b"#0072b2"]
    assert {"a (n = 3)", "b"} <= set(texts(svg))


def test_long_names_of_bands_stand_below():
    band = Band(
        group="a", group_index=0, label="a long name of a group (n = 3)", x=(1, 2), mean=(5, 6)
    )
    panel = Panel(title="t", x_label="epoch", y_label="v", bands=(band,))
    svg = draw_bands(chart(panel, panel, kind="bands"))
    named = [box for box in boxes(svg) if box[0] == band.label]
    assert len(named) == 1
    assert named[0][2] > size(svg)[1] - 20


def test_dots_that_would_cover_each_other_are_stacked():
    dot = Dot(label="a", group_index=0, values=(73.9, 73.9, 73.1), mean=73.6, low=72.5, high=74.8)
    panel = Panel(title="", x_label="test accuracy (%)", y_label="", dots=(dot,))
    svg = draw_dots(chart(panel, kind="dots"))
    filled = [
        node.get("d")
        for node in parse(svg).iter(f"{SVG}path")
        if "fill: #0072b2" in node.get("style", "")
    ]
    starts = re.findall(r"M (\S+) (\S+)", filled[-1])
    assert len(set(starts)) == 3


def test_a_group_without_values_is_named_in_its_row():
    dots = (
        Dot(label="a", group_index=0, values=(1.0, 2.0)),
        Dot(label="b", group_index=1, values=()),
    )
    panel = Panel(title="", x_label="v", y_label="", dots=dots)
    assert "no value" in texts(draw_dots(chart(panel, kind="dots")))
    empty = Panel(title="", x_label="v", y_label="", dots=dots[1:])
    assert "no data" in texts(draw_dots(chart(empty, kind="dots")))


def test_names_of_rows_that_differ_in_their_middle_stay_different():
    names = [f"q2_pg_cartpole_{middle}_CartPole-v0" for middle in ("lb_rtg", "na_rtg", "lb_na")]
    dots = tuple(Dot(label=n, group_index=i, values=(1.0, 2.0)) for i, n in enumerate(names))
    panel = Panel(title="", x_label="v", y_label="", dots=dots)
    assert set(names) <= set(texts(draw_dots(chart(panel, kind="dots"))))


def test_many_rows_stay_on_one_page():
    dots = tuple(Dot(label=f"group {i}", group_index=i, values=(i, i + 1.0)) for i in range(30))
    panel = Panel(title="", x_label="v", y_label="", dots=dots)
    svg = draw_dots(chart(panel, kind="dots"))
    assert size(svg)[1] < 500
    assert not overlaps(boxes(svg))


def test_pictures_speak_the_language():
    dots = (
        Dot(label="a", group_index=0, values=(80.5, 81.25)),
        Dot(label="b", group_index=1, values=()),
    )
    rows = chart(Panel(title="", x_label="exactitude (%)", y_label="", dots=dots), kind="dots")
    with speaking("fr"):
        shown = texts(draw_dots(rows))
        empty = texts(draw(chart([line([NAN])])))
    assert {"aucune valeur", "80,6"} <= set(shown)
    assert not any("." in text for text in shown)
    assert "aucune donnée" in empty
    assert {"no value", "80.6"} <= set(texts(draw_dots(rows)))
