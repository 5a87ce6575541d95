"""Figures of every shape: no word on another, and groups told apart without colour, or by it."""

import math
import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from fakes import drawn
from fakes.rows import rows_beside

from reportgen.records.document import Band, Chart, Dot, Figure, Line, Panel
from reportgen.render.figures import COLOURS, draw_figures, stroke

ROWS = rows_beside(__file__)
NAN = float("nan")
LONG = "roberta-small-fr-cased-with-extra-vocabulary-lr1e-05-warmup-06-"

# How light that reaches an eye without red or green cones is seen, on linear RGB.
# Source: Machado, Oliveira and Fernandes 2009, doi:10.1109/TVCG.2009.113, severity 1.0.
BLIND = ROWS["blind"]


def values(seed, epochs, scale=1.0):
    made = random.Random(seed)
    return tuple(
        scale * (50 + 30 * (1 - math.exp(-(k + 1) / (3 + seed % 4))) - seed + made.gauss(0, 1))
        for k in range(epochs)
    )


def line(group, member=0, *, epochs=12, name="", scale=1.0):
    return Line(
        label=name or f"group {group} seed {member}",
        group=name or f"group {group}",
        group_index=group,
        member=member,
        x=tuple(range(1, epochs + 1)),
        y=values(10 * group + member, epochs, scale),
    )


def band(group, *, epochs=12, name=""):
    mean = values(group, epochs)
    return Band(
        group=name or f"group {group}",
        group_index=group,
        label=name or f"group {group} (n = 3)",
        x=tuple(range(1, epochs + 1)),
        mean=mean,
        low=tuple(v - 2 for v in mean),
        high=tuple(v + 2 for v in mean),
    )


def dot(group, count, *, name=""):
    found = tuple(values(group + k, 1)[0] for k in range(count))
    mean = sum(found) / count if count else None
    return Dot(label=name or f"group {group}", group_index=group, values=found, mean=mean)


def panel(title="Validation", **shown):
    return Panel(title=title, x_label="epoch", y_label="accuracy (%)", **shown)


def curves(*lines, panels=1):
    titles = ("Validation", "Test")[:panels]
    return Chart(kind="curves", panels=tuple(panel(t, lines=tuple(lines)) for t in titles))


def bands(*shown, panels=1):
    titles = ("Validation", "Test")[:panels]
    return Chart(kind="curves", panels=tuple(panel(t, bands=tuple(shown)) for t in titles))


def dots(*shown):
    return Chart(kind="dots", panels=(panel(dots=tuple(shown)),))


GAPS = replace(line(0), y=(50, NAN, 60, 61, NAN, NAN, 70, 71, 72, NAN, 74, NAN))
CASES = {
    "one run": curves(line(0)),
    "two runs, two panels": curves(line(0), line(1), panels=2),
    "two groups of three": curves(*(line(g, m) for g in range(2) for m in range(3)), panels=2),
    "four groups of three": curves(*(line(g, m) for g in range(4) for m in range(3)), panels=2),
    "twelve groups": curves(*(line(g) for g in range(12))),
    "thirty seeds": curves(*(line(0, m) for m in range(30))),
    "long names": curves(*(line(g, name=f"{LONG}{g}") for g in range(4)), panels=2),
    "gaps": curves(GAPS, replace(line(1), y=(NAN,) * 12), line(2)),
    "one epoch": curves(*(line(g, m, epochs=1) for g in range(2) for m in range(2))),
    "far apart": curves(line(0, scale=-31.0), line(1, scale=1e4)),
    "all equal": curves(*(replace(line(g), y=(80.0,) * 12) for g in range(6))),
    "band of one group": bands(band(0)),
    "bands of two groups": bands(band(0), band(1), panels=2),
    "bands of eight groups": bands(*(band(g) for g in range(8))),
    "bands of twelve groups": bands(*(band(g) for g in range(12))),
    "bands with long names": bands(*(band(g, name=f"{LONG}{g}") for g in range(3))),
    "bands of one epoch": bands(*(band(g, epochs=1) for g in range(3))),
    "dots of one value": dots(dot(0, 1)),
    "dots of twelve groups": dots(*(dot(g, 5) for g in range(12))),
    "dots of thirty seeds": dots(*(dot(g, 30, name=f"{LONG}{g}") for g in range(3))),
    "dots without a value": dots(dot(0, 0), dot(1, 3)),
}


def draw(chart):
    figure = Figure(id="f", caption=(), chart=chart, alt="")
    (svg,) = draw_figures([figure]).values()
    return svg


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_no_word_lies_on_another_or_leaves_the_sheet(name):
    svg = draw(CASES[name])
    words, sheet = drawn.words(svg), drawn.sheet(svg)
    assert drawn.overlapping(words) == []
    assert [word.text for word in words if not sheet.holds(word)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_words_are_dark_enough_on_white_paper(name):
    for word in drawn.words(draw(CASES[name])):
        assert drawn.contrast(word.colour, "#ffffff") >= 4.5


def grey(colour):
    return sum(
        share * int(colour[i : i + 2], 16) for share, i in ((0.299, 1), (0.587, 3), (0.114, 5))
    )


def test_any_two_members_differ_by_dash_marker_or_grey():
    looks = [stroke(g, m) for g in range(7) for m in range(7)]
    assert len({(look.dashes, look.marker) for look in looks}) == 49
    # Groups beyond the seventh take up dashes again, in another grey.
    for a, b in combinations(range(14), 2):
        one, other = stroke(a), stroke(b)
        assert one.dashes != other.dashes or abs(grey(one.colour) - grey(other.colour)) > 25


def lab(colour, seen):
    """Return a colour in CIE Lab, as it is seen without some cones."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    light = np.clip(np.array(BLIND[seen]) @ linear, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    share = np.array(to_xyz) @ light / [0.9505, 1.0, 1.089]
    bent = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])])


@pytest.mark.parametrize("seen", BLIND)
def test_colours_of_groups_keep_apart_for_every_eye(seen):
    far = {
        (a, b): float(np.linalg.norm(lab(a, seen) - lab(b, seen)))
        for a, b in combinations(COLOURS, 2)
    }
    # A difference of 2.3 is just noticed; the first four groups are far beyond that.
    assert min(far.values()) > 10, far
    assert min(d for pair, d in far.items() if set(pair) <= set(COLOURS[:4])) > 25
    assert all(np.linalg.norm(lab(c, seen) - lab("#ffffff", seen)) > 25 for c in COLOURS)
