"""Axes that follow most runs: what diverges is cut and named, and nothing else is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportgen.languages import speaking
from reportgen.records.document import Band, Chart, Figure, Line, Panel
from reportgen.report._curve_axes import with_axes

STEPS = (1.0, 2.0, 3.0, 4.0, 5.0)
CALM = np.array([[6.4, 5.1, 4.2, 3.6, 3.2], [6.5, 5.0, 4.1, 3.5, 3.1], [6.3, 5.2, 4.3, 3.7, 3.0]])
ASTRAY = [6.4, 5.0, 9.0, 120.0, 618.0]


def line(member, values, smoothed=()):
    return Line(
        label=f"seed {member}",
        group="mlp",
        group_index=0,
        member=member,
        x=STEPS,
        y=tuple(values),
        smoothed=tuple(smoothed),
    )


def panel(*lines, bands=(), y_label="MAE", title="Test"):
    return Panel(title=title, x_label="epoch", y_label=y_label, lines=lines, bands=bands)


def figures(*panels):
    made = [
        Figure(id=str(i), caption=("MAE.",), chart=Chart(kind="curves", panels=(p,)), alt="all")
        for i, p in enumerate(panels)
    ]
    return [(f.chart.panels[0], "".join(f.caption), f.alt) for f in with_axes(made)]


def calm():
    return [line(i, row) for i, row in enumerate(CALM)]


def test_the_axis_follows_the_other_runs_and_the_caption_names_the_one_beyond():
    ((shown, caption, alt),) = figures(panel(*calm(), line(3, ASTRAY)))
    # The others span 3.0 to 6.5; a quarter of that is left on either side.
    low, high = CALM.min() - 0.25 * np.ptp(CALM), CALM.max() + 0.25 * np.ptp(CALM)
    seen = [value for one in shown.lines for value in one.y if math.isfinite(value)]
    assert low <= min(seen)
    assert max(seen) <= high
    assert [math.isnan(value) for value in shown.lines[3].y] == [False, False, True, True, True]
    assert [one.y for one in shown.lines[:3]] == [tuple(row) for row in CALM]
    assert caption.endswith(
        "The axis of values follows the other runs: what of mlp, seed 3 lies beyond it is not "
        "drawn."
    )
    assert alt == "all"


def test_a_run_that_falls_far_below_is_cut_too():
    rewards = [line(i, -row) for i, row in enumerate(CALM)]
    ((shown, caption, _),) = figures(panel(*rewards, line(3, [-value for value in ASTRAY])))
    assert math.isnan(shown.lines[3].y[-1])
    assert "mlp, seed 3" in caption


def test_bands_of_the_same_axes_keep_to_them():
    band = Band(
        group="mlp",
        group_index=0,
        label="mlp",
        x=STEPS,
        mean=(6.4, 5.1, 5.4, 32.7, 156.8),
        low=(6.3, 5.0, 1.9, -25.0, -150.0),
        high=(6.5, 5.2, 8.9, 90.0, 464.0),
    )
    other = Band(group="b", group_index=1, label="b", x=STEPS, mean=(5.0, 4.0, 3.5, 3.2, 3.1))
    first, second = figures(panel(*calm(), line(3, ASTRAY)), panel(bands=(band, other)))
    low, high = 3.0 - 0.25 * 3.5, 6.5 + 0.25 * 3.5
    kept = second[0].bands[0]
    assert [math.isnan(value) for value in kept.mean] == [False, False, False, True, True]
    assert kept.low[2] == pytest.approx(low)
    assert kept.high[2] == pytest.approx(high)
    assert second[0].bands[1] is other
    assert "what of mlp lies beyond" in second[1]
    assert first[1] != second[1]
    ((alone, _, _),) = figures(panel(bands=(band, other)))
    assert alone.bands == (band, other)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(calm, id="calm"),
        pytest.param(lambda: [*calm()[:2], line(3, ASTRAY)], id="too few"),
        pytest.param(lambda: [*calm()[:2], line(2, ASTRAY), line(3, ASTRAY)], id="half of them"),
        pytest.param(lambda: [*calm(), line(3, [6.4, 5, 9, 12, 20])], id="not so far"),
        pytest.param(lambda: [*calm(), line(3, [618.0] * 5)], id="it would vanish"),
    ],
)
def test_other_axes_show_everything(lines):
    made = lines()
    ((shown, caption, _),) = figures(panel(*made))
    assert shown.lines == tuple(made)
    assert caption == "MAE."


def test_percent_shows_everything():
    ((shown, caption, _),) = figures(panel(*calm(), line(3, ASTRAY), y_label="accuracy (%)"))
    assert math.isfinite(shown.lines[3].y[-1])
    assert caption == "MAE."


def test_the_limits_are_of_the_figure_before_and_no_other():
    band = Band(group="b", group_index=1, label="b", x=STEPS, mean=(9.0, 80.0, 3.5, 3.2, 3.1))
    shown = figures(panel(*calm(), line(3, ASTRAY)), panel(*calm()), panel(bands=(band,)))
    assert shown[2][0].bands == (band,)


def test_french():
    with speaking("fr"):
        ((_, caption, _),) = figures(panel(*calm(), line(3, ASTRAY)))
    assert caption.endswith(
        "L’axe des valeurs suit les autres exécutions\u202f: ce qui, pour mlp, seed 3, se trouve "
        "au-delà n’est pas tracé."
    )
