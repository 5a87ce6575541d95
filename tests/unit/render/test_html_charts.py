"""The data of the page's curves: each series once, as logged, in the colours of the drawings."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
from fakes.curves_page import LOGGED, diverged_figure, explored_figures, long_figure
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.document import Chart, Dot, Figure, Panel
from reportgen.render._environment import packaged_templates
from reportgen.render._html_charts import charts_json
from reportgen.render._html_live import live_words
from reportgen.render._html_look import look_of
from reportgen.render._html_path import compact_path
from reportgen.render._html_thin import MOST_POINTS, keep_points
from reportgen.render._html_words import page_words
from reportgen.render.figures._style import stroke


def charts(*figures):
    return charts_json({figure.id: figure for figure in figures})


def test_figures_of_the_same_runs_share_axes_and_series():
    content = charts(*explored_figures())
    assert {name: plan["axes"] for name, plan in content["figures"].items()} == {
        "raw": [0], "smoothed": [0], "bands": [0]
    }  # fmt: skip
    assert [plan["on"] for plan in content["figures"].values()] == [
        ["raw"], ["raw", "smoothed"], ["band"]
    ]  # fmt: skip
    (axes,) = content["axes"]
    assert (len(axes["lines"]), len(axes["bands"])) == (3, 1)
    texts = [json.dumps(array) for array in content["series"]]
    assert len(texts) == len(set(texts))


def test_values_far_apart_have_a_logarithmic_axis_as_on_paper():
    assert charts(diverged_figure())["axes"][0]["log"]
    assert not charts(*explored_figures())["axes"][0]["log"]


def test_values_are_those_of_the_record_and_a_gap_is_null():
    content = charts(*explored_figures())
    series = content["series"]
    lines = content["axes"][0]["lines"]
    drawn = [series[line["y"]] for line in lines]
    assert drawn == [[None if math.isnan(v) else v for v in values] for values in LOGGED.values()]
    assert {tuple(series[line["steps"]]) for line in lines} == {(10, 20, 30, 40)}


def test_other_groups_and_other_axes_are_kept_apart():
    raw, *_ = explored_figures()
    (panel,) = raw.chart.panels
    others = tuple(replace(line, group_index=5) for line in panel.lines)
    stranger = replace(
        raw, id="o", chart=Chart(kind="curves", panels=(replace(panel, lines=others),))
    )
    loss = replace(
        raw, id="l", chart=Chart(kind="curves", panels=(replace(panel, y_label="loss"),))
    )
    content = charts(raw, stranger, loss)
    assert [plan["axes"] for plan in content["figures"].values()] == [[0], [1], [2]]


def test_figures_without_curves_are_left_to_their_drawings():
    dots = Panel(
        title="", x_label="", y_label="", dots=(Dot(label="a", group_index=0, values=(1,)),)
    )
    empty = Panel(title="", x_label="", y_label="")
    figures = [
        Figure(id=kind, caption=(), alt="", chart=Chart(kind=kind, panels=(panel,)))
        for kind, panel in (("dots", dots), ("curves", empty))
    ]
    assert charts(*figures)["figures"] == {}


def test_a_long_curve_is_thinned_and_says_how_long_it_was():
    figure = long_figure()
    content = charts(figure)
    (line,) = content["axes"][0]["lines"]
    x, y = content["series"][line["x"]], content["series"][line["y"]]
    assert line["points"] == 5000
    assert len(x) == len(y) <= MOST_POINTS
    assert (x[0], x[-1], max(y)) == (0, 4999, 99)
    logged = figure.chart.panels[0].lines[0].y
    assert all(value == logged[int(step)] for step, value in zip(x, y, strict=True))


@given(st.lists(st.floats(), min_size=1, max_size=40), st.integers(501, 3000))
def test_thinning_keeps_ends_order_and_extremes(pattern, count):
    values = [pattern[i % len(pattern)] for i in range(count)]
    kept = keep_points(values)
    assert len(kept) <= MOST_POINTS
    assert kept == sorted(set(kept))
    assert (kept[0], kept[-1]) == (0, len(values) - 1)
    finite = [v for v in values[1:-1] if math.isfinite(v)]
    if finite:
        shown = [values[k] for k in kept if math.isfinite(values[k])]
        assert min(shown) <= min(finite)
        assert max(shown) >= max(finite)


def test_colours_dashes_and_marks_are_those_of_the_drawings():
    for group in range(16):
        for member in range(9):
            drawn, look = stroke(group, member), look_of(group, member)
            assert (look["colour"], look["mark"]) == (drawn.colour, drawn.marker)
            assert tuple(map(float, str(look["dashes"]).split())) == drawn.dashes


@given(
    st.lists(
        st.lists(st.tuples(*[st.integers(-9999, 99999)] * 2), min_size=2, max_size=6), min_size=1
    ),
    st.booleans(),
)
def test_a_compact_path_goes_through_the_same_points(lines, closed):
    spelled = " ".join(
        " ".join(
            f"{'L' if i else 'M'} {x / 1000:g} {y / 1000:.3f}" for i, (x, y) in enumerate(line)
        )
        + (" z" if closed else "")
        for line in lines
    )
    here, points, letter, start = np.zeros(2), [], "m", np.zeros(2)
    for piece in re.findall(r"[mlz]|[^mlz]+", compact_path(spelled)):
        if piece in "mlz":
            letter = piece
            here = start if piece == "z" else here
            continue
        numbers = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", piece)]
        for i, moved in enumerate(zip(numbers[::2], numbers[1::2], strict=True)):
            here = here + np.array(moved)
            start = here if letter == "m" and not i else start
            points.append(here)
    expected = np.array([point for line in lines for point in line]) / 1000
    assert np.allclose(np.array(points), expected, atol=1e-9)


def test_every_word_of_the_page_is_used_and_every_word_used_is_there():
    folder = packaged_templates() / "html"
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*.*")}
    both = "\n".join(texts.values())
    used = set(re.findall(r"\bwords\.(\w+)", both)) | set(re.findall(r'spell\("(\w+)"', both))
    known = set(page_words("en"))
    # Words that are looked up by a name which the script has in a list.
    named = {word for word in known if re.search(rf'"{word}"|\b{word}: ', both)}
    # A served page has words of its own besides.
    assert used <= known | set(live_words("en"))
    assert known <= used | named


def test_no_words_stand_in_the_script_itself():
    folder = packaged_templates() / "html"
    for path in folder.glob("*.js"):
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        sentences = re.findall(r'"[A-Z][a-z]+ [a-z]+[^"]*"|`[A-Z][a-z]+ [a-z]+[^`]*`', code)
        assert sentences == [], path.name
        assert "innerHTML" not in code
        assert "insertAdjacentHTML" not in code
        assert len(path.read_text(encoding="utf-8").splitlines()) < 400
