"""Axes of values: logarithmic where one run would flatten all others, and nowhere else."""

import math

import pytest

from reportgen.records.document import Band, Chart, Figure, Line, Panel, Paragraph
from reportgen.report._curve_axes import with_axes
from reportgen.report._curve_panels import smooth_panel
from reportgen.stats import smooth_values


def line(*values):
    steps = tuple(float(i) for i in range(len(values)))
    return Line(label="seed 0", group="a", group_index=0, member=0, x=steps, y=values)


def figure(*panels):
    return Figure(
        id="f", caption=("Loss.",), chart=Chart(kind="curves", panels=tuple(panels)), alt=""
    )


def panel(*lines, bands=()):
    return Panel(title="", x_label="step", y_label="loss", lines=lines, bands=bands)


CALM = panel(line(2.0, 1.0, 0.5), line(2.1, 1.1, 0.6))
ASTRAY = panel(line(2.0, 1.0, 0.5), line(2.0, 3.0, 4e6))


def test_a_run_that_diverges_makes_its_axis_logarithmic_and_the_caption_says_so():
    (block,) = with_axes([figure(ASTRAY)])
    assert block.chart.panels[0].logarithmic
    assert block.caption[-1] == "The axis of values is logarithmic: some lie far above the rest."


def test_of_two_panels_one_may_stay_straight():
    (block,) = with_axes([figure(CALM, ASTRAY)])
    assert [p.logarithmic for p in block.chart.panels] == [False, True]
    assert "where its marks are powers of ten" in block.caption[-1]


def test_means_count_as_lines_do():
    band = Band(group="a", group_index=0, label="a", x=(1.0, 2.0, 3.0), mean=(1.0, 2.0, 1e5))
    (block,) = with_axes([figure(panel(bands=(band,)))])
    assert block.chart.panels[0].logarithmic


@pytest.mark.parametrize(
    "values",
    [
        (50.0, 80.0, 90.0),
        (-1.0, 1.0, 1e9),
        (0.0, 1.0, 1e9),
        (1.0, 1.0, 999.0),
        (math.nan, math.nan),
        (math.inf, 1.0, 2.0),
    ],
)
def test_other_axes_stay_as_they_are(values):
    made = figure(panel(line(*values)))
    assert with_axes([made]) == [made]


def test_what_is_no_figure_of_curves_is_left_alone():
    blocks = [Paragraph(text=("text",)), figure(), figure(panel())]
    assert with_axes(blocks) == blocks


def test_on_a_logarithmic_axis_the_logarithms_are_smoothed_and_the_caption_says_so():
    falling = panel(line(*(10.0**-n for n in range(12))))
    assert with_axes([figure(falling)])[0].chart.panels[0].logarithmic
    smoothed = smooth_panel(falling, 0.6)
    exponents = [math.log10(value) for value in smoothed.lines[0].smoothed]
    assert exponents == pytest.approx(smooth_values([-float(n) for n in range(12)], 0.6))
    (shown,) = with_axes([figure(smoothed)])
    assert shown.caption[-1].endswith("On it the logarithms of the values are smoothed.")
    assert "smoothed" not in "".join(with_axes([figure(falling)])[0].caption)


def test_on_a_straight_axis_the_values_are_smoothed():
    smoothed = smooth_panel(CALM, 0.6).lines[0].smoothed
    assert smoothed == smooth_values(CALM.lines[0].y, 0.6)


def test_what_is_no_number_passes_through_the_smoothing_of_logarithms():
    gone = line(*(10.0**-n for n in range(11)), math.inf, math.nan)
    values = smooth_panel(panel(gone), 0.6).lines[0].smoothed
    assert values[11] == math.inf
    assert math.isnan(values[12])
