"""A report that follows a running training: on the disk, and in a browser."""

import http.client
import json
import shutil
import signal
from pathlib import Path

import pytest
from fakes.command import reportgen
from fakes.event_file import write_scalars
from fakes.live import PATIENCE, Following, Training
from fakes.readback import pdf_text

VALID, TEST = "eval/accuracy", "test/accuracy"
CHART = "[...document.querySelectorAll('figure')].find((one) => one.chart)"
LAST_TABLE = (
    "[...document.querySelectorAll('figure.table')]"
    ".findLast((one) => one.querySelector('th[aria-sort] button'))"
)
TRACE = "document.getElementById('rg:trace')"


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Three finished runs of one group."""
    logs = tmp_path / "logs"
    for seed in (0, 1, 2):
        points = [(step, 0.5 + 0.05 * step + 0.01 * seed) for step in (1, 2, 3)]
        write_scalars(logs / "model_a" / f"seed_{seed}", {VALID: points, TEST: points})
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_new_point_is_in_html_and_pdf_and_only_what_changed_is_redone(lab):
    fourth = lab / "logs/model_a/seed_3"
    command = ("build", "--runs", "logs", "--out", "out/report.pdf", "--watch")
    # By its clock every file has been settled for long enough to be known again.
    with Following(*command, cwd=lab, ahead_s=3) as seen, Training(fourth) as training:
        first = seen.state("current")
        assert {"report.pdf", "report.html", "report.json"} <= set(first["redone"])
        assert "0.8371" not in (lab / "out/report.html").read_text()
        training.log((VALID, 1, 0.6123), (TEST, 1, 0.6123))
        training.log((VALID, 2, 0.8371), (TEST, 2, 0.8371))
        # The page does not wait for the PDF.
        page = seen.until(
            lambda line: (
                line["state"] == "page" and "0.8371" in (lab / "out/report.html").read_text()
            )
        )
        built = seen.until(
            lambda line: (
                line["state"] == "current" and "0.8371" in (lab / "out/report.html").read_text()
            )
        )
        assert page["seconds"] < built["seconds"]
        assert "83.71" in pdf_text(lab / "out/report.pdf")
        (log,) = (path.relative_to(lab / "logs").as_posix() for path in fourth.iterdir())
        logs = [name for name in built["redone"] if name.startswith("log ")]
        assert log in "".join(logs)
        assert {"report.html", "report.pdf"} <= set(built["redone"])
        assert built["exit_code"] == 0
        # A file that is touched and says the same: it is read, and nothing else is done.
        seen.rest()
        (fourth / Path(log).name).touch()
        touched = seen.state("current")
        assert (touched["redone"], touched["written"]) == ([f"log {log}"], [])
        followed = contents(lab / "out")
        assert seen.end() == 0
    assert seen.err == ""
    assert contents(lab / "out") == followed
    assert not [name for name in followed if ".reportgen-" in name]
    done = reportgen("build", "--runs", "logs", "--out", "plain/report.pdf", cwd=lab)
    assert done.code == 0, done.err
    assert contents(lab / "plain") == followed


def get(url: str, path: str = "/", **headers: str) -> tuple[int, bytes]:
    line = http.client.HTTPConnection(url.split("/")[2], timeout=PATIENCE)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    found = answer.status, answer.read()
    line.close()
    return found


def test_the_browser_follows_from_the_first_point_to_the_last(lab, browser):
    templates = lab / "templates"
    fourth = lab / "logs/model_a/seed_3"
    shutil.move(lab / "logs", lab / "later")
    arguments = ("serve", "--runs", "logs", "--out", "out", "--format", "html,json", "--port", "0")
    with Following(*arguments, cwd=lab) as seen:
        url = seen.state("serving")["url"]
        waiting = seen.state("waiting")
        assert "no file or folder" in waiting["error"]
        browser.open(url)
        assert browser.run("document.querySelector('h1').textContent") == (
            "Waiting for the first point"
        )
        # The first report comes by itself.
        shutil.move(lab / "later", lab / "logs")
        browser.wait("document.querySelector('main a.num')", PATIENCE)
        with Training(fourth) as training:
            _reads_on(browser, training, lab)
            _file_stays_as_it_was(browser, url, lab)
            _fault_and_mending(browser, templates, lab)
        assert seen.end(signal.SIGTERM) == 0
        browser.wait("document.querySelector('.rg-live')?.dataset.state === 'lost'", PATIENCE)
    # The browser says itself that the stream has ended.
    said = [line for line in browser.said if "ERR_" not in line]
    assert said == []


def _reads_on(browser, training, lab):
    """A new value appears without a reload by hand; place, panel and pins stay."""
    pinned, number = "n:setup.runs", "n:best_step.model_a.report.mean"
    for one in (pinned, number):
        browser.run(f"document.getElementById({json.dumps(one)}).click()")
        if one == pinned:
            browser.run("document.querySelector('.trace .pin').click()")
    browser.run("document.querySelector('.contents details').open = false")
    # The fourth run brings a row with a head of its own into tables before this one.
    sorted_ = f"{LAST_TABLE}.querySelector('thead th[aria-sort]')"
    browser.run(f"{sorted_}.querySelector('button').click()")
    browser.run(f"{sorted_}.querySelector('button').click()")
    view = browser.run(f"{CHART}.chart.show([1.5, 2.5]); {CHART}.chart.state.view")
    chart = browser.run(f"{CHART}.id")
    browser.run("window.scrollTo(0, 700); window.before = true")
    place = "document.querySelector('main').getBoundingClientRect().top"
    top = browser.run(place)
    training.log(*((tag, step, 0.6 + step / 1000) for tag in (VALID, TEST) for step in (1, 2, 3)))
    training.log((VALID, 4, 0.9137), (TEST, 4, 0.9137))
    browser.wait("document.body?.textContent.includes('0.9137')", PATIENCE)
    browser.wait("!window.before")
    browser.wait("document.querySelector('.rg-live')?.dataset.state === 'current'", PATIENCE)
    assert browser.run(f"!{TRACE}.hidden")
    assert browser.run("document.querySelector(\"a.num[aria-expanded='true']\").id") == number
    assert browser.run("document.querySelector('.pinned .card').dataset.number") == pinned
    assert browser.run("document.querySelector('.contents details').open") is False
    assert browser.run(f"{sorted_}.getAttribute('aria-sort')") == "descending"
    others = "[...document.querySelectorAll('th[aria-sort]')].filter((h) => h.ariaSort !== 'none')"
    assert browser.run(f"{others}.length") == 1
    assert browser.run(f"document.getElementById('{chart}').chart.state.view") == view
    # What stands above has grown by some lines at most.
    assert abs(browser.run(place) - top) < 300


def _file_stays_as_it_was(browser, url, lab):
    """The copy alone has a script more; its policy still refuses what is slipped in."""
    page = (lab / "out/report.html").read_bytes()
    assert get(url, "/report.html") == (200, page)
    status, copy = get(url)
    assert status == 200
    assert b"EventSource" in copy
    assert b"EventSource" not in page
    assert b"connect-src" not in page
    assert get(url, "/../logs/")[0] == 404
    assert get(url, Host="evil.example")[0] == 421
    slipped = "fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')"
    assert browser.run(slipped) == "refused"
    script = (
        "(() => { const s = document.createElement('script');"
        " s.textContent = 'window.owned = true'; document.body.append(s); return window.owned; })()"
    )
    assert browser.run(script) is None
    assert any("Content Security Policy" in said for said in browser.said)
    browser.said.clear()


def _fault_and_mending(browser, templates, lab):
    """A fault of a template is a letter over the last good report, until it is mended."""
    before = (lab / "out/report.html").read_bytes()
    folder = templates / "html/blocks"
    folder.mkdir(parents=True)
    shutil.copy(Path(__file__).parents[2] / "templates/html/blocks/paragraph.j2", folder)
    broken = folder / "paragraph.j2"
    good = broken.read_text()
    browser.run("window.before = true")
    broken.write_text(good.replace("{{ text }}", "{{ txet }}"))
    fault = "document.querySelector('.rg-fault')"
    browser.wait(f"{fault} && !{fault}.hidden", PATIENCE)
    letter = browser.run(f"{fault}.innerText")
    assert "paragraph.j2" in letter
    assert "txet" in letter
    assert browser.run("document.body.textContent.includes('0.9137')")
    assert (lab / "out/report.html").read_bytes() == before
    broken.write_text(good.replace("{{ text }}", "{{ text }} (mended)"))
    browser.wait("document.querySelector('main')?.textContent.includes('(mended)')", PATIENCE)
    browser.wait(f"{fault}?.hidden", PATIENCE)


def test_a_page_that_replaces_itself_while_it_is_asked_is_asked_again(browser, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<title>page</title><script>setTimeout(() => location.reload(), 5)</script>")
    browser.open(page)
    titles = {browser.run("document.title") for _ in range(20)}
    # The browser is that of other tests too: left alone, the page would keep it busy.
    browser.open("about:blank")
    assert titles <= {"page", ""}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_build_that_is_interrupted_leaves_the_report_before_it(lab, number):
    with Following("build", "--runs", "logs", "--out", "out", "--watch", cwd=lab) as seen:
        seen.state("current")
        before = contents(lab / "out")
        points = [(step, 0.1 * step) for step in range(1, 4)]
        write_scalars(lab / "logs/model_b/seed_0", {VALID: points, TEST: points})
        seen.state("building")
        assert seen.end(number) == 0
    after = contents(lab / "out")
    assert set(after) >= set(before)
    assert not [name for name in after if ".reportgen-" in name]
    for name in ("report.pdf", "report.html"):
        assert after[name].rstrip().endswith((b"%%EOF", b"</html>"))
