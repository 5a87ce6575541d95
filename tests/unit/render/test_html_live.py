"""The copy of the page that a browser follows: one script and one style more, no other freedom."""

import base64
import hashlib
import json
import re

import pytest

from reportgen.records.document import Paragraph, Report, Section
from reportgen.render import live_page, render, waiting_page

NOTICE = {"state": "current", "version": "1", "links": []}


@pytest.fixture(scope="module")
def page():
    section = Section(id="s", title="S", blocks=(Paragraph(text=("</body> is only text",)),))
    report = Report(title="T", sections=(section,))
    return render(report, "html")["report.html"].decode()


def policy(text):
    (found,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    return {name: sources for name, *sources in (part.split() for part in found.split(";"))}


def hashes(text, tag):
    contents = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
    digests = (hashlib.sha256(content.encode()).digest() for content in contents)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def test_the_policy_allows_what_is_there_and_news_of_the_own_server(page):
    before, after = policy(page), policy(live_page(page, "en", NOTICE))
    copy = live_page(page, "en", NOTICE)
    assert after.pop("connect-src") == ["'self'"]
    assert after.pop("script-src") == hashes(copy, "script")
    assert after.pop("style-src") == hashes(copy, "style")
    assert len(hashes(copy, "script")) == len(hashes(page, "script")) + 1
    for name in ("script-src", "style-src"):
        del before[name]
    assert after == before
    assert after["default-src"] == ["'none'"]


def test_the_rest_of_the_page_is_as_it_was(page):
    copy = live_page(page, "en", NOTICE)
    head = page[: page.index("<meta http-equiv")]
    assert copy.startswith(head)
    body = page[page.index("<title>") : page.rindex("</body>")]
    assert body in copy
    assert copy.endswith("</body>\n</html>\n")


def test_what_the_page_is_told_is_data_and_never_markup(page):
    notice = {**NOTICE, "letter": "</script><script>alert(1)</script>"}
    copy = live_page(page, "en", notice)
    assert "<script>alert" not in copy
    (told,) = re.findall(r'id="rg:live">(.*?)</script>', copy)
    assert json.loads(told)["letter"] == notice["letter"]


@pytest.mark.parametrize(
    ("stated", "scripts"),
    [
        ("default-src 'self'", ["'self'"]),
        ("script-src 'none'", []),
        ("default-src 'none'; script-src 'sha256-x'", ["'sha256-x'"]),
    ],
)
def test_the_policy_of_somebodys_own_template_is_kept_and_widened(stated, scripts):
    page = f'<meta http-equiv="Content-Security-Policy" content="{stated}"><body></body>'
    rules = policy(live_page(page, "en", NOTICE))
    assert rules["script-src"][:-1] == scripts
    assert rules["script-src"][-1].startswith("'sha256-")


def test_before_there_is_a_report_a_page_says_so_in_the_language_asked_for():
    page = waiting_page("fr", {"state": "waiting", "version": "", "links": []})
    assert '<html lang="fr">' in page
    assert "En attente du premier point" in page
    assert policy(page)["script-src"] == hashes(page, "script")
    assert policy(page)["style-src"] == hashes(page, "style")
