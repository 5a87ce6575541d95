"""The data of the page's curves: each series once, as logged, in the colours of the drawings."""

import json
import math
import random
import re

from fakes.curves_page import DRAWING, LOGGED, diverged_figure, explored_figures, long_figure
from fakes.html_tree import parse

from reportgen.records.document import Chart, Figure, Line, Panel, Report, Section
from reportgen.render import RenderContext, packaged_templates, render
from reportgen.render.figures import stroke

MOST = 500
"""Points of a curve that the page keeps."""


def island(page, name):
    (node,) = [n for n in parse(page) if n.attributes.get("id") == f"rg:{name}"]
    return json.loads(node.text())


def charts(*figures):
    section = Section(id="s", title="S", blocks=figures)
    report = Report(title="T", sections=(section,))
    page = render(report, "html", {figure.id: DRAWING for figure in figures})["report.html"]
    return island(page, "charts")


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


def test_a_long_curve_is_thinned_and_says_how_long_it_was():
    figure = long_figure()
    content = charts(figure)
    (line,) = content["axes"][0]["lines"]
    x, y = content["series"][line["x"]], content["series"][line["y"]]
    assert line["points"] == 5000
    assert len(x) == len(y) <= MOST
    assert (x[0], x[-1], max(y)) == (0, 4999, 99)
    logged = figure.chart.panels[0].lines[0].y
    assert all(value == logged[int(step)] for step, value in zip(x, y, strict=True))


def test_thinning_keeps_ends_order_and_extremes():
    draw = random.Random(5)
    odd = [math.nan, math.inf, 1e300, -1e300, 0.0]
    lines = tuple(
        Line(label=f"{i}", group=f"{i}", group_index=i, member=0, y=tuple(values),
             x=tuple(map(float, range(len(values)))))
        for i, values in enumerate(
            [draw.choice([*odd, draw.random()]) for _ in range(draw.randint(501, 3000))]
            for _ in range(30)
        )
    )  # fmt: skip
    panel = Panel(title="", x_label="", y_label="", lines=lines)
    chart = Chart(kind="curves", panels=(panel,))
    content = charts(Figure(id="f", caption=(), alt="", chart=chart))
    for line, kept in zip(lines, content["axes"][0]["lines"], strict=True):
        x, y = content["series"][kept["x"]], content["series"][kept["y"]]
        assert len(x) <= MOST
        assert x == sorted(set(x))
        assert (x[0], x[-1]) == (0, len(line.y) - 1)
        finite = [value for value in line.y if math.isfinite(value)]
        shown = [value for value in y if value is not None]
        assert (min(shown), max(shown)) == (min(finite), max(finite))


def test_colours_dashes_and_marks_are_those_of_the_drawings():
    lines = tuple(
        Line(label="", group=f"{g}", group_index=g, member=m, x=(1.0,), y=(g + m / 10,))
        for g in range(16)
        for m in range(9)
    )
    panel = Panel(title="", x_label="", y_label="", lines=lines)
    figure = Figure(id="f", caption=(), alt="", chart=Chart(kind="curves", panels=(panel,)))
    for line, kept in zip(lines, charts(figure)["axes"][0]["lines"], strict=True):
        drawn, look = stroke(line.group_index, line.member), kept["look"]
        assert (look["colour"], look["mark"]) == (drawn.colour, drawn.marker)
        assert tuple(map(float, look["dashes"].split())) == drawn.dashes


def test_every_word_of_the_page_is_used_and_every_word_used_is_there():
    folder = packaged_templates() / "html"
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*.*")}
    both = "\n".join(texts.values())
    used = set(re.findall(r"\bwords\.(\w+)", both)) | set(re.findall(r'spell\("(\w+)"', both))
    page = render(Report(title="T", sections=()), "html", {}, RenderContext())["report.html"]
    known = set(island(page, "words"))
    # Words that are looked up by a name which the script has in a list.
    named = {word for word in known if re.search(rf'"{word}"|\b{word}: ', both)}
    # A served page has words of its own besides.
    served = re.findall(r"\bwords\.(\w+)", texts["live.js"] + texts["waiting.j2"])
    assert used <= known | set(served)
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
