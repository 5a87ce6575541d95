"""The HTML page in a real browser: its script runs, opens evidence, and no other script does."""

from __future__ import annotations

import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from reportgen.formats._context import RenderContext
from reportgen.formats._numbering import resolve
from reportgen.formats.html import render
from reportgen.records.document import (
    Number,
    Paragraph,
    Report,
    Section,
    Table,
    TableColumn,
    TableRow,
)
from reportgen.records.quantity import Evidence, Missing, Quantity

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
pytestmark = pytest.mark.skipif(not BROWSER, reason="no chromium to drive")

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run", "--enable-logging=stderr"),
    *("--disable-extensions", "--virtual-time-budget=3000", "--dump-dom"),
)
POLICY = '<meta http-equiv="Content-Security-Policy"'


def make_report() -> Report:
    source = Evidence(path="runs/<0>/valid", tag="accuracy", step=675, value=80.5)
    best = Number(
        id="best",
        quantity=Quantity(
            value=0.805, unit="fraction", method="value at the best step", sources=(source,)
        ),
        style="percent",
        decimals=1,
    )
    absent = Number(id="absent", quantity=Missing(reason="the run was never evaluated"))
    cells = [Number(id=f"c{i}", quantity=Quantity(value=i)) for i in range(4)]
    rows = tuple(TableRow(cells=((a,), (b,))) for a, b in (cells[:2], cells[2:]))
    columns = (TableColumn(title=("a",)), TableColumn(title=("b",), align="decimal"))
    table = Table(id="t", caption=("Four.",), columns=columns, rows=rows)
    text = Paragraph(text=("The best is ", best, ", the other ", absent, "."))
    return Report(title="Browser", sections=(Section(id="s", title="S", blocks=(text, table)),))


class Seen(HTMLParser):
    """What a dumped page holds: elements by id, and the text of the popover."""

    def __init__(self, dom: str) -> None:
        super().__init__()
        self.by_id: dict[str, dict[str, str | None]] = {}
        self.roles: list[str | None] = []
        self.trace = ""
        self._depth = 0
        self.feed(dom)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.by_id[attributes.get("id") or ""] = attributes
        self.roles.append(attributes.get("role"))
        if self._depth or attributes.get("id") == "rg:trace":
            self._depth += 1

    def handle_endtag(self, tag):
        self._depth -= bool(self._depth)

    def handle_data(self, data):
        self.trace += f"{data}\n" if self._depth else ""

    @property
    def is_open(self) -> bool:
        return "hidden" not in self.by_id["rg:trace"]


@pytest.fixture(scope="module")
def page() -> str:
    report = make_report()
    return render(report, resolve(report), {}, RenderContext())["report.html"].decode()


@pytest.fixture
def visit(tmp_path: Path):
    """Open a page and return what stands in it afterwards, and what the browser said."""

    def go(html: str, fragment: str = "") -> tuple[Seen, str]:
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        done = subprocess.run(
            [BROWSER, *FLAGS, profile, f"{path.as_uri()}{fragment}"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "</html>" in done.stdout, done.stderr[-2000:]
        said = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
        return Seen(done.stdout), "\n".join(said)

    return go


def act(page: str, actions: str) -> str:
    """Let a script of the test act on the page, which the page's own policy forbids."""
    free = page.replace(POLICY, '<meta name="x"')
    assert free != page
    script = f"""<script>
const at = (id) => document.getElementById(id);
const press = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", {{ key, bubbles: true, cancelable: true }}));
const log = [];
const trace = at("rg:trace");
const note = () => log.push(trace.hidden ? "-" : trace.querySelector(".printed").textContent);
{actions}
document.body.dataset.log = log.join(" ");
document.body.id = "rg:body";
</script>"""
    return free.replace("</body>", f"{script}</body>")


def test_an_opened_page_shows_no_evidence_yet_and_the_browser_has_no_complaint(page, visit):
    seen, said = visit(page)
    assert said == ""
    assert not seen.is_open
    assert seen.roles.count("button") == 6
    assert seen.by_id["n:best"]["tabindex"] == "0"


def test_a_link_to_a_number_opens_its_evidence(page, visit):
    seen, said = visit(page, "#n:best")
    assert said == ""
    assert seen.is_open
    for words in ("80.5", "value at the best step", "0.805 fraction", "accuracy at step 675: 80.5",
                  "runs/<0>/valid"):  # fmt: skip
        assert words in seen.trace
    assert seen.by_id["n:best"]["aria-expanded"] == "true"


def test_a_missing_number_gives_its_reason(page, visit):
    seen, _ = visit(page, "#n:absent")
    assert seen.is_open
    assert "the run was never evaluated" in seen.trace


def test_click_enter_and_escape_open_and_close(page, visit):
    actions = """
    at("n:best").click(); note();
    at("n:best").click(); note();
    at("n:best").focus(); press("Enter"); note();
    at("n:absent").click(); note();
    press("Escape"); note();
    log.push(document.activeElement.id);
    at("n:c0").click(); trace.querySelector("button").click(); note();
    """
    seen, _ = visit(act(page, actions))
    assert seen.by_id["rg:body"]["data-log"] == "80.5 - 80.5 — - n:absent -"


def test_a_table_is_one_stop_of_the_tab_key_and_arrows_walk_in_it(page, visit):
    actions = """
    log.push([0, 1, 2, 3].map((i) => at(`n:c${i}`).tabIndex).join());
    at("n:c0").focus(); press("ArrowRight"); press("ArrowDown"); press("ArrowLeft");
    log.push(document.activeElement.id);
    log.push([0, 1, 2, 3].map((i) => at(`n:c${i}`).tabIndex).join());
    """
    seen, _ = visit(act(page, actions))
    assert seen.by_id["rg:body"]["data-log"] == "0,-1,-1,-1 n:c1 -1,0,-1,-1"


def test_a_script_that_somebody_slips_in_does_not_run(page, visit):
    slipped = page.replace("</main>", "<script>document.body.id = 'owned'</script></main>")
    seen, said = visit(slipped)
    assert "owned" not in seen.by_id
    assert "Content Security Policy" in said
