"""The page for everybody: axe-core's rules, keys alone, light and dark, wide and narrow."""

from itertools import pairwise
from pathlib import Path

import pytest
from fakes.axe import violations
from fakes.curves_page import DRAWING, explored_figures
from fakes.sample_figures import make_figures
from fakes.sample_report import make_report

from reportgen.render import render

FOCUS = "document.activeElement"


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Path:
    """A page with every kind of block, small enough to be looked at from all sides."""
    report = make_report()
    pages = render(report, "html", make_figures())
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_bytes(pages["report.html"])
    return path


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (380, "dark"),
        pytest.param(1400, "light", marks=pytest.mark.wide),
        pytest.param(1400, "dark", marks=pytest.mark.wide),
        pytest.param(380, "light", marks=pytest.mark.wide),
    ],
)
def test_axe_finds_nothing_with_everything_open(browser, axe, sample, scheme, width):
    browser.media(prefers_color_scheme=scheme)
    browser.open(sample, width=width)
    browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    browser.click("main a.num")
    browser.click(".trace .pin")
    browser.click("main td a.num")
    assert browser.run("!document.getElementById('rg:trace').hidden")
    assert violations(browser, axe) == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
def test_axe_finds_nothing_where_curves_are_explored(browser, axe, write_page, scheme):
    figures = explored_figures()
    browser.media(prefers_color_scheme=scheme)
    browser.open(write_page(*figures, drawings={f.id: DRAWING for f in figures}))
    browser.click(".stage svg")
    for button in (2, 1):
        browser.click(f".chart .bar > button:nth-child({button})")
    browser.run("document.querySelector('.zoom button:last-child').click()")
    assert browser.run("document.querySelectorAll('.values td').length") > 3
    assert violations(browser, axe) == []


@pytest.mark.slow
def test_axe_finds_nothing_in_the_sample_report(browser, axe, built):
    browser.open(built / "report.html")
    assert violations(browser, axe) == []


@pytest.mark.parametrize("script", [True, False])
def test_headings_go_down_one_level_at_a_time(browser, sample, script):
    browser.scripts(allowed=script)
    browser.open(sample)
    levels = browser.run(
        "[...document.querySelectorAll('main h1, main h2, main h3, main h4, main h5, main h6')]"
        ".map((h) => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_tab_key_goes_through_the_page_and_every_stop_is_seen(browser, built):
    browser.open(built / "report.html")
    stops = []
    for _ in range(60):
        browser.key("Tab")
        stops.append(browser.run(
            f"(() => {{ const e = {FOCUS}; const s = getComputedStyle(e);"
            " return [e.tagName, e.id || e.className || e.textContent.slice(0, 20),"
            " e.checkVisibility(), s.outlineStyle !== 'none']; })()"
        ))  # fmt: skip
    assert stops[0][1] == "skip"
    assert stops[1][1] == "rg:find"
    assert [stop for stop in stops if not (stop[2] and stop[3])] == []
    assert "n:glance.pretrained.mean" in {stop[1] for stop in stops}


def test_the_skip_link_leads_past_the_contents(browser, built):
    browser.open(built / "report.html")
    browser.key("Tab")
    browser.key("Enter")
    assert browser.run(f"{FOCUS}.id") == "rg:report"


@pytest.mark.parametrize("width", [1400, 800, 380])
def test_the_page_is_never_wider_than_the_window(browser, built, width):
    browser.open(built / "report.html", width=width)
    assert browser.run("document.documentElement.scrollWidth") <= width


def test_contents_stand_beside_the_text_on_a_wide_screen_and_mark_where_one_is(browser, built):
    browser.open(built / "report.html", width=1400)
    beside = "document.querySelector('.contents').getBoundingClientRect()"
    assert browser.run(
        f"{beside}.right < document.querySelector('h1').getBoundingClientRect().left"
    )
    browser.run("document.getElementById('results').scrollIntoView({ behavior: 'instant' })")
    browser.wait("document.querySelector('.contents a[aria-current]')?.hash === '#results'")
    assert browser.run(f"Math.round({beside}.top)") == 0


def test_nothing_moves_by_itself(browser, built):
    browser.open(built / "report.html")
    moving = browser.run(
        "[document.documentElement, ...document.querySelectorAll('body *')].filter((e) => {"
        " const s = getComputedStyle(e); return s.scrollBehavior !== 'auto' ||"
        " s.animationName !== 'none' || s.transitionDuration !== '0s'; }).length"
    )
    assert moving == 0


def test_every_row_and_column_of_a_table_is_named(browser, built):
    browser.open(built / "report.html")
    bare = browser.run("[...document.querySelectorAll('main th:not([scope])')].length")
    unnamed = browser.run(
        "[...document.querySelectorAll('main figure table')].filter((t) =>"
        " !document.getElementById(t.getAttribute('aria-labelledby'))?.textContent.trim()).length"
    )
    assert (bare, unnamed) == (0, 0)
    formulas = "[...document.querySelectorAll('math')].filter((m) => !m.getAttribute('alttext'))"
    assert browser.run(f"{formulas}.length") == 0
