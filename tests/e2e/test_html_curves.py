"""Curves on the page: what they name was logged, and they zoom, switch and speak by every means."""

import re
from itertools import pairwise

import numpy as np
import pytest
from fakes.curves_page import DRAWING, LOGGED, diverged_figure, explored_figures, long_figure

RAW = "#raw .axes"
SAID = "document.querySelector('[role=status]').textContent"
TIP = "(({ hidden, innerText }) => hidden ? '' : innerText)(document.querySelector('#raw .tip'))"
TICKS = "[...document.querySelectorAll('#raw .tick.middle')].map((t) => Number(t.textContent))"


@pytest.fixture
def curves(browser, write_page):
    figures = explored_figures()
    browser.open(write_page(*figures, drawings={f.id: DRAWING for f in figures}))
    return browser


def focus(browser, selector=RAW):
    browser.run(f"document.querySelector('{selector}').focus()")


def pressed(browser, figure):
    buttons = f"[...document.querySelectorAll('#{figure} [aria-pressed=true]')]"
    return browser.run(f"{buttons}.map((b) => b.getAttribute('aria-label') || b.textContent)")


def toggle(browser, figure, name):
    browser.run(
        f"[...document.querySelectorAll('#{figure} [aria-pressed]')].find((b) =>"
        f" (b.getAttribute('aria-label') || b.textContent) === {name!r}).click()"
    )


def lines(browser, figure):
    return browser.run(f"document.querySelectorAll('#{figure} .stage .line').length")


# --- what is named was logged ---------------------------------------------------------


@pytest.mark.slow
def test_every_value_that_a_curve_names_is_the_value_in_the_logs(browser, built, lab):
    from tbparse import SummaryReader

    browser.open(built / "report.html")
    named = set()
    toggle(browser, "results\\\\.figure", "Mean ± std")
    for panel, split in ((2, "valid"), (3, "test")):
        focus(browser, f"#results\\\\.figure .axes:nth-child({panel})")
        there_and_back = [*["ArrowRight"] * 4, "ArrowDown", *["ArrowLeft"] * 4, "ArrowDown"]
        for key in ("ArrowRight", *there_and_back * 3):
            browser.key(key)
            said = browser.run(SAID)
            found = re.fullmatch(r"(.*), seed (\d), epoch \d, step (\d+): (\S+)", said)
            named.add((split, found[1], int(found[2]), int(found[3]), float(found[4])))
    groups = {"RoBERTa_small_fr_ms8": "pre-trained",
              "RoBERTa_small_fr_random_ms8": "random start"}  # fmt: skip
    logged = set()
    for folder in (lab / "logs" / "sentence_prediction" / "books").glob("*/*/*"):
        run, seed, split = folder.parts[-3:]
        if split in {"valid", "test"}:
            frame = SummaryReader(str(folder)).scalars
            group = groups[run.rpartition("_mu")[0]]
            points = frame[frame.tag == "accuracy"][["step", "value"]].to_numpy().tolist()
            logged |= {(split, group, int(seed), int(step), value) for step, value in points}
    # Event files hold 32 bits: 81.4 is logged as 81.4000015, and named by its shortest digits.
    assert {(*key, float(np.float32(value))) for *key, value in named} == logged
    assert len(named) == 2 * 6 * 5


def test_pointing_names_run_step_and_value(curves):
    x, y = curves.centre("#raw .stage svg")
    curves.point(x, y)
    tip = curves.run(TIP)
    where, first = [line for line in tip.splitlines() if line][:2]
    epoch = int(re.fullmatch(r"epoch (\d), step \d0", where)[1])
    name, _, value = first.rpartition(" ")
    group, seed = re.fullmatch(r"group (.), seed (\d)", name.strip()).groups()
    assert float(value) == LOGGED[group, int(seed)][epoch - 1]
    heights = (
        "[...document.querySelectorAll('.swatch')].map((s) => s.getBoundingClientRect().height)"
    )
    assert max(curves.run(heights)) < 20
    curves.point(2, 2)
    assert curves.run(TIP) == ""


def test_a_gap_is_drawn_as_a_gap_and_named_as_one(curves):
    toggle(curves, "raw", "group a")
    paths = "[...document.querySelectorAll('#raw .line')].map((l) => l.getAttribute('d'))"
    (path,) = curves.run(paths)
    assert path.count("M") == 2
    focus(curves)
    for _ in range(3):
        curves.key("ArrowRight")
    assert curves.run(SAID) == "group b, seed 0, epoch 3, step 30: —"


# --- keys -----------------------------------------------------------------------------


def test_arrow_keys_walk_along_a_curve_and_across_to_the_next(curves):
    focus(curves)
    said = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"):
        curves.key(key)
        said.append(curves.run(SAID))
    assert said == [
        "group a, seed 0, epoch 1, step 10: 50",
        "group a, seed 0, epoch 2, step 20: 61.25",
        "group a, seed 1, epoch 2, step 20: 60",
        "group a, seed 0, epoch 2, step 20: 61.25",
        "group a, seed 0, epoch 1, step 10: 50",
    ]
    curves.key("Escape")
    assert curves.run(TIP) == ""


def test_plus_minus_shift_and_nought_zoom_move_and_reset(curves):
    focus(curves)
    full = curves.run(TICKS)
    assert full == [1, 2, 3, 4]
    curves.key("+")
    near = curves.run(TICKS)
    assert min(near) > 1
    assert max(near) < 4
    curves.key("ArrowRight", shift=True)
    assert max(curves.run(TICKS)) > max(near)
    curves.key("-")
    curves.key("0")
    assert curves.run(TICKS) == full


def test_walking_out_of_view_takes_the_view_along(curves):
    focus(curves)
    curves.key("ArrowRight")
    curves.key("+")
    curves.key("+")
    for _ in range(3):
        curves.key("ArrowRight")
    assert "epoch 4" in curves.run(TIP)
    assert max(curves.run(TICKS)) >= 3.5


# --- the pointer ----------------------------------------------------------------------


def test_a_drag_zooms_and_a_double_click_shows_everything(curves):
    x, y = curves.centre("#raw .stage svg")
    curves.drag((x - 60, y), (x + 60, y))
    near = curves.run(TICKS)
    assert near[-1] - near[0] < 2
    assert not curves.run("document.querySelector('#raw .zoom button:nth-child(3)').disabled")
    curves.press(x, y, times=2)
    assert curves.run(TICKS) == [1, 2, 3, 4]


def test_the_wheel_scrolls_the_page_until_the_chart_was_clicked(curves):
    x, y = curves.centre("#raw .stage svg")
    curves.point(x, y, "mouseWheel", deltaX=0, deltaY=-200)
    assert curves.run(TICKS) == [1, 2, 3, 4]
    x, y = curves.centre("#raw .stage svg")
    curves.press(x, y)
    curves.point(x, y, "mouseWheel", deltaX=0, deltaY=-200)
    curves.wait(f"Math.max(...{TICKS}) < 4")


def test_two_fingers_zoom(curves):
    x, y = curves.centre("#raw .stage svg")
    for kind, spread in (("touchStart", 30), ("touchMove", 60), ("touchMove", 90), ("touchEnd", 0)):
        points = [{"x": x + s * spread, "y": y, "id": i} for i, s in enumerate((-1, 1))]
        curves.send("Input.dispatchTouchEvent", type=kind, touchPoints=points if spread else [])
    near = curves.run(TICKS)
    assert near[-1] - near[0] < 2


def test_panels_of_a_figure_share_their_view(browser, built):
    browser.open(built / "report.html")
    figure = "document.getElementById('results.figure')"
    browser.run(f"{figure}.querySelector('.zoom button').click()")
    ends = browser.run(
        f"[...{figure}.querySelectorAll('.axes')].map((a) =>"
        " [...a.querySelectorAll('.tick.middle')].map((t) => t.textContent).join())"
    )
    assert len(ends) == 3
    assert len(set(ends)) == 1
    assert ends[0] != "1,2,3,4,5"


# --- switches -------------------------------------------------------------------------


def test_figures_of_the_same_runs_begin_as_drawn_and_can_show_all_of_it(curves):
    runs = ["group a", "group a, seed 0", "group a, seed 1", "group b"]
    assert pressed(curves, "raw") == ["As logged", *runs]
    assert pressed(curves, "smoothed") == ["As logged", "Smoothed", *runs]
    assert pressed(curves, "bands") == ["Mean ± std", *runs]
    assert [lines(curves, name) for name in ("raw", "smoothed", "bands")] == [3, 6, 1]
    assert curves.run("document.querySelectorAll('#raw .spread').length") == 0
    toggle(curves, "raw", "Mean ± std")
    toggle(curves, "raw", "Smoothed")
    assert lines(curves, "raw") == 7
    assert curves.run("document.querySelectorAll('#raw .spread').length") == 1
    assert lines(curves, "bands") == 1, "one figure's switches are not another's"


def test_groups_and_runs_are_switched_by_themselves(curves):
    toggle(curves, "raw", "group a, seed 1")
    assert lines(curves, "raw") == 2
    toggle(curves, "raw", "group a")
    assert lines(curves, "raw") == 1
    assert pressed(curves, "raw") == ["As logged", "group b"]
    toggle(curves, "raw", "group a, seed 1")
    assert lines(curves, "raw") == 3, "a run that is asked for brings its group"
    toggle(curves, "raw", "As logged")
    assert "Nothing is switched on." in curves.run("document.querySelector('#raw svg').textContent")


def test_switches_are_buttons_for_keys_too(curves):
    curves.run("document.querySelector('#raw .legend button').focus()")
    curves.key(" ")
    assert "group a" not in pressed(curves, "raw")
    curves.key("Enter")
    assert "group a" in pressed(curves, "raw")


def test_the_axis_fits_what_is_in_view(curves):
    heights = "[...document.querySelectorAll('#raw .tick.end')].map((t) => Number(t.textContent))"
    assert min(curves.run(heights)) <= 45
    toggle(curves, "raw", "group b")
    assert min(curves.run(heights)) >= 50


def test_a_logarithmic_axis_gives_every_power_of_ten_the_same_room(browser, write_page):
    browser.open(write_page(diverged_figure(), drawings={"raw": DRAWING}))
    ticks = "[...document.querySelectorAll('#raw .tick.end')]"
    assert browser.run(f"{ticks}.map((t) => t.textContent)") == [
        *("1", "10", "100", "1,000", "10,000", "100,000")
    ]
    heights = browser.run(f"{ticks}.map((t) => Number(t.getAttribute('y')))")
    gaps = [below - above for below, above in pairwise(heights)]
    assert max(gaps) - min(gaps) < 0.01
    assert min(gaps) > 10
    # Without the run that went astray a straight axis shows more.
    toggle(browser, "raw", "net, seed 1")
    assert browser.run(f"{ticks}.map((t) => t.textContent)") == ["0.5", "1.0", "1.5", "2.0"]
    assert browser.said == []


# --- the rest -------------------------------------------------------------------------


def test_values_in_view_can_be_read_as_a_table(curves):
    toggle(curves, "raw", "Values")
    rows = (
        "[...document.querySelectorAll('#raw .values tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    found = curves.run(rows)
    assert len(found) == 12
    assert found[1] == ["Validation", "group a, seed 0", "2", "20", "61.25"]
    focus(curves)
    curves.key("+")
    assert len(curves.run(rows)) == 6


def test_a_long_curve_says_how_many_of_its_points_are_drawn_and_keeps_its_spike(
    browser, write_page
):
    browser.open(write_page(long_figure(), drawings={"long": DRAWING}))
    notes = browser.run("document.querySelector('.chart').innerText")
    assert re.search(r"Drawn are \d{3} of 5000 points", notes)
    heights = "[...document.querySelectorAll('.tick.end')].map((t) => Number(t.textContent))"
    assert max(browser.run(heights)) >= 80
    assert browser.said == []


def test_the_drawing_is_what_one_sees_without_a_script_and_on_paper(browser, write_page):
    figures = explored_figures()
    path = write_page(*figures, drawings={f.id: DRAWING for f in figures})
    seen = "document.querySelector('#raw > svg').checkVisibility()"
    browser.open(path)
    assert not browser.run(seen)
    browser.media("print")
    assert browser.run(seen)
    assert not browser.run("document.querySelector('#raw .chart').checkVisibility()")
    browser.media()
    browser.scripts(allowed=False)
    browser.open(path)
    assert browser.run(seen)


def test_names_of_strangers_stay_text_in_charts(browser, write_page):
    name = '"><img src=x onerror=alert(1)></script><script>alert(1)</script>'
    figures = explored_figures({"a": name})
    browser.open(write_page(*figures, drawings={f.id: DRAWING for f in figures}))
    focus(browser)
    browser.key("ArrowRight")
    toggle(browser, "raw", "Values")
    assert name in browser.run("document.querySelector('#raw .tip').textContent")
    assert name in browser.run("document.querySelector('#raw .values').textContent")
    assert browser.run("[document.images.length, document.scripts.length]") == [0, 3]
    assert browser.said == []
