"""The page of findings in a real browser: it shows, filters and sorts, and runs nothing else."""

import pytest
from fakes.axe import violations
from fakes.reviews import empty, every_outcome, hostile, shown, unreadable

HELPERS = """
const said = [];
const marks = [...document.querySelectorAll(".mark")];
const mark = (text) => marks.find((m) => m.firstChild.textContent === text);
const sheet = document.getElementById("sheet");
const said_by = () => sheet.hidden ? "" : sheet.querySelector(".badge").textContent;
const press = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const show = (name, on) => { document.getElementById(`show-${name}`).checked = on; };
const seen = (element) => element.getClientRects().length > 0;
const cells = () => [...document.querySelectorAll("table.class tbody th")];
const names = () => cells().map((cell) => cell.textContent);
"""


@pytest.fixture
def visit(browser, tmp_path):
    """Open a page in a window of a size."""

    def go(page: str, fragment: str = "", width: int = 500) -> None:
        (tmp_path / "findings.html").write_text(page, encoding="utf-8")
        browser.open(tmp_path / "findings.html", fragment, width=width, height=800)

    return go


@pytest.fixture
def ask(browser, visit):
    """Let a script of the test act on a page, and return what it answers."""

    def go(page: str, actions: str, fragment: str = "") -> object:
        visit(page, fragment)
        return browser.run(f"(() => {{ {HELPERS} {actions} return said; }})()")

    return go


@pytest.fixture(scope="module")
def page() -> str:
    return shown("html", every_outcome())


@pytest.fixture(scope="module")
def class_page() -> str:
    reports = [every_outcome("a.md"), unreadable("b.pdf"), empty("c.md")]
    return shown("html", *reports, names=("Ana", "Ben", "Cem"))


@pytest.mark.parametrize("reviews", [(every_outcome(),), (hostile(), empty("b.md"))])
def test_the_browser_has_no_complaint(browser, visit, reviews):
    visit(shown("html", *reviews))
    assert browser.said == []
    assert browser.run("document.querySelectorAll('[role=region]').length")


def test_a_click_shows_what_was_found_and_another_hides_it(page, ask):
    said = ask(
        page,
        'mark("80").click(); said.push(said_by(), sheet.querySelectorAll("li").length);'
        'mark("81.5").click(); said.push(said_by());'
        'mark("81.5").click(); said.push(said_by());'
        'mark("0.61").click(); document.querySelector("h1").click(); said.push(said_by());',
    )
    assert said == ["error: contradicted", 1, "traced", "", ""]


def test_the_keyboard_shows_it_and_escape_gives_the_focus_back(page, ask):
    said = ask(
        page,
        'mark("79.3").focus(); said.push(said_by());'
        'mark("0.61").focus(); said.push(said_by());'
        'press("Escape"); said.push(said_by(), document.activeElement === mark("0.61"));'
        'mark("80").focus(); document.querySelector("input").focus(); said.push(said_by());',
    )
    assert said == ["contradicted", "untraced", "", True, ""]


def test_the_filter_needs_no_script(browser, page, ask):
    browser.scripts(allowed=False)
    count = 'said.push([...document.querySelectorAll("article")].filter(seen).length);'
    said = ask(
        page,
        f'{count} show("traced", false); {count} show("contradicted", false);'
        f"{count} said.push(getComputedStyle(mark('80')).backgroundColor);",
    )
    assert said == [10, 7, 2, "rgba(0, 0, 0, 0)"]


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
        assert ask(made, "said.push(document.documentElement.scrollWidth);")[0] <= 500


def test_a_class_is_sorted_by_a_click_and_back(class_page, ask):
    said = ask(
        class_page,
        'const heads = document.querySelectorAll("table.class thead button");'
        "said.push(names().join(' '));"
        "heads[0].click(); said.push(names().join(' '));"
        "heads[0].click(); said.push(names().join(' '));"
        "heads[5].click(); said.push(names()[0]);",
    )
    assert said == ["Ben Ana Cem", "Cem Ben Ana", "Ana Ben Cem", "Ana"]


def test_a_link_into_a_report_unfolds_it(class_page, ask):
    read = 'said.push([...document.querySelectorAll(".submission")].map((d) => d.open));'
    assert ask(class_page, read) == [[False, False, False]]
    assert ask(class_page, read, "#r2") == [[False, True, False]]


def test_pointing_shows_it_for_as_long_as_it_is_pointed_at(browser, page, ask):
    ask(page, 'mark("80").id = "pointed";')
    browser.hover("#pointed")
    browser.wait("!document.getElementById('sheet').hidden")
    browser.hover("h1")
    browser.wait("document.getElementById('sheet').hidden")


@pytest.mark.parametrize(
    ("which", "width", "scheme"),
    [
        ("page", 1400, "light"),
        ("class_page", 380, "dark"),
        pytest.param("page", 380, "dark", marks=pytest.mark.wide),
        pytest.param("class_page", 1400, "light", marks=pytest.mark.wide),
    ],
)
def test_axe_finds_nothing_with_everything_open(browser, axe, visit, request, which, width, scheme):
    browser.media(prefers_color_scheme=scheme)
    visit(request.getfixturevalue(which), width=width)
    browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    browser.click("a.mark.t-error")
    assert violations(browser, axe) == []
