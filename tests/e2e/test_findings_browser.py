"""The page of findings in a real browser: it shows, filters and sorts, and runs nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest
from fakes.judgements import empty, every_verdict, hostile, unreadable

from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections.html import render

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
pytestmark = pytest.mark.skipif(not BROWSER, reason="no chromium to drive")

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run", "--enable-logging=stderr"),
    *("--disable-extensions", "--virtual-time-budget=3000", "--dump-dom"),
    "--window-size=500,800",
)
POLICY = '<meta http-equiv="Content-Security-Policy"'
HELPERS = """
const marks = [...document.querySelectorAll(".mark")];
const mark = (text) => marks.find((m) => m.firstChild.textContent === text);
const sheet = document.getElementById("sheet");
const shown = () => sheet.hidden ? "" : sheet.querySelector(".badge").textContent;
const press = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
// A browser without a window in front fires no such event of itself.
const focus = (element) => {
  element.focus();
  element.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
};
const show = (name, on) => { document.getElementById(`show-${name}`).checked = on; };
const seen = (element) => element.getClientRects().length > 0;
const cells = () => [...document.querySelectorAll("table.class tbody th")];
const names = () => cells().map((cell) => cell.textContent);
"""


@pytest.fixture
def visit(tmp_path: Path):
    """Open a page and return its document afterwards and what the browser said."""

    def go(page: str, fragment: str = "") -> tuple[str, list[str]]:
        path = tmp_path / "findings.html"
        path.write_text(page, encoding="utf-8")
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        done = subprocess.run(
            [BROWSER, *FLAGS, profile, f"{path.as_uri()}{fragment}"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "</html>" in done.stdout, done.stderr[-2000:]
        return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]

    return go


@pytest.fixture
def ask(visit):
    """Let a script of the test act on a page, and return what it answers."""

    def go(page: str, actions: str, fragment: str = "") -> object:
        free = page.replace(POLICY, '<meta name="x"')
        assert free != page
        script = f"""<script>const said = [];
{HELPERS}
{actions}
document.body.dataset.said = JSON.stringify(said);</script>"""
        dom, _ = visit(free.replace("</body>", f"{script}</body>"), fragment)
        return json.loads(unescape(dom.partition('data-said="')[2].partition('"')[0]))

    return go


@pytest.fixture(scope="module")
def page() -> str:
    return render([every_verdict()], Rendering())


@pytest.fixture(scope="module")
def class_page() -> str:
    reports = [every_verdict("a.md"), unreadable("b.pdf"), empty("c.md")]
    return render(reports, Rendering(names=("Ana", "Ben", "Cem")))


@pytest.mark.parametrize("judgements", [(every_verdict(),), (hostile(), empty("b.md"))])
def test_the_browser_has_no_complaint(visit, judgements):
    dom, said = visit(render(judgements, Rendering()))
    assert said == []
    assert 'role="region"' in dom


def test_a_click_shows_what_was_found_and_another_hides_it(page, ask):
    said = ask(
        page,
        'mark("80").click(); said.push(shown(), sheet.querySelectorAll(".finding").length);'
        'mark("81.5").click(); said.push(shown());'
        'mark("81.5").click(); said.push(shown());'
        'mark("16").click(); document.querySelector("h1").click(); said.push(shown());',
    )
    assert said == ["error: disagrees", 2, "agrees", "", ""]


def test_the_keyboard_shows_it_and_escape_gives_the_focus_back(page, ask):
    said = ask(
        page,
        'focus(mark("79.3")); said.push(shown());'
        'focus(mark("0.61")); said.push(shown());'
        'press("Escape"); said.push(shown(), document.activeElement === mark("0.61"));'
        'focus(mark("80")); focus(document.querySelector("input")); said.push(shown());',
    )
    assert said == ["borderline", "not checkable", "", True, ""]


def test_the_filter_needs_no_script(page, ask):
    bare = page.partition("<script>")[0] + "</body></html>"
    count = 'said.push([...document.querySelectorAll("article")].filter(seen).length);'
    said = ask(
        bare.replace("</body>", '<div id="sheet"></div></body>'),
        f'{count} show("agrees", false); {count} show("disagrees", false); show("open", false);'
        f"{count} said.push(getComputedStyle(mark('80')).backgroundColor);",
    )
    assert said == [10, 7, 1, "rgba(0, 0, 0, 0)"]


def test_links_lead_from_the_list_into_the_text_and_from_the_text_to_the_entry(page, ask):
    said = ask(
        page,
        'const first = document.querySelector("nav a");'
        "said.push(document.querySelector(first.hash).firstChild.textContent);"
        "said.push(document.querySelector(first.hash).hash.length > 1);"
        "said.push(seen(document.querySelector(document.querySelector(first.hash).hash)));",
    )
    assert said == ["1,048,567", True, True]


def test_nothing_is_wider_than_a_narrow_screen(page, class_page, ask):
    for made in (page, class_page):
        wide = ask(made, "said.push(document.documentElement.scrollWidth <= window.innerWidth);")
        assert wide == [True]


def test_a_class_is_sorted_by_a_click_and_back(class_page, ask):
    said = ask(
        class_page,
        'const heads = document.querySelectorAll("table.class thead button");'
        "said.push(names().join(' '));"
        "heads[0].click(); said.push(names().join(' '));"
        "heads[0].click(); said.push(names().join(' '));"
        "heads[7].click(); said.push(names()[0]);",
    )
    assert said == ["Ana Ben Cem", "Cem Ben Ana", "Ana Ben Cem", "Ana"]


def test_a_link_into_a_report_unfolds_it(class_page, ask):
    read = 'said.push([...document.querySelectorAll(".submission")].map((d) => d.open));'
    assert ask(class_page, read) == [[False, False, False]]
    assert ask(class_page, read, "#r2") == [[False, True, False]]
