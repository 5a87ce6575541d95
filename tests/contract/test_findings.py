"""Every findings format, on every kind of review: valid, escaped, complete, always the same."""

import base64
import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from fakes.reviews import (
    HOSTILE,
    SETS,
    every_outcome,
    hostile,
    reviewed,
    unreadable,
    verdict,
    very_many,
)

from reportgen.checking.projections import FINDINGS, Rendering, class_csv, class_html, summary
from reportgen.records.verdict import Review

Render = Callable[[Sequence[Review], Rendering], str]
RENDERS: dict[str, Render] = {
    **{name: FINDINGS.load(name) for name in FINDINGS},
    "class csv": class_csv,
    "class html": class_html,
    "summary": summary,
}
MANY = Rendering(sarif_all=True, verbose=True, fail_on="warning")
ALLOWED_CONTROLS = {"\n"}
# Words that no fixed text may use of a person's report.
ACCUSING = re.compile(r"\b(wrong|false|fabricated|incorrect|cheat\w*|lie[sd]?)\b", re.IGNORECASE)
SCHEMAS = {
    "json": "docs/reference/findings.schema.json",
    "sarif": "tests/data/schemas/sarif.json",
    "gradescope": "tests/data/schemas/gradescope.json",
    "classroom": "tests/data/schemas/classroom.json",
}


@pytest.fixture(scope="module", params=sorted(RENDERS))
def form(request) -> str:
    return request.param


@pytest.fixture(scope="module", params=sorted(SETS))
def reviews(request) -> tuple[Review, ...]:
    return SETS[request.param]


@pytest.fixture(scope="module")
def schemas(project: Path) -> dict[str, Any]:
    found = {name: json.loads((project / path).read_bytes()) for name, path in SCHEMAS.items()}
    for schema in found.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    return found


def no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def decoded(form: str, text: str) -> Any:
    if form == "classroom":
        assert re.fullmatch(r"[A-Za-z0-9+/]+={0,2}\n", text)
        text = base64.b64decode(text).decode()
    return json.loads(text, parse_constant=no_constant)


@pytest.mark.parametrize("options", [Rendering(), MANY], ids=["plain", "all"])
def test_it_is_encoded_shows_no_control_characters_and_is_the_same_again(form, reviews, options):
    text = RENDERS[form](reviews, options)
    assert text.encode("utf-8") == RENDERS[form](reviews, options).encode("utf-8")
    raw = {
        char
        for char in set(text) - ALLOWED_CONTROLS
        if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}
        or char in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff"
    }
    assert raw == set()
    assert text.endswith("\n") or not text


@pytest.mark.parametrize("name", sorted(SCHEMAS))
@pytest.mark.parametrize("options", [Rendering(), MANY], ids=["plain", "all"])
def test_json_of_every_kind_follows_its_schema(schemas, name, reviews, options):
    content = decoded(name, RENDERS[name](reviews, options))
    jsonschema.Draft202012Validator(schemas[name]).validate(content)


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_schemas_refuse_what_is_not_theirs(schemas, name):
    content = decoded(name, RENDERS[name]((every_outcome(),), Rendering()))
    checker = jsonschema.Draft202012Validator(schemas[name])
    assert not checker.is_valid({**content, "unheard of": 1})
    for key in content:
        assert not checker.is_valid({k: v for k, v in content.items() if k != key}), key


def test_junit_is_well_formed_and_its_sums_add_up(reviews):
    root = ET.fromstring(RENDERS["junit"](reviews, MANY))  # noqa: S314 - our own output
    assert root.tag == "testsuites"
    suites = list(root)
    for level in [root, *suites]:
        cases = list(level.iter("testcase"))
        sums = {"failures": "failure", "errors": "error", "skipped": "skipped"}
        assert int(level.get("tests")) == len(cases)
        for name, child in sums.items():
            assert int(level.get(name)) == sum(case.find(child) is not None for case in cases)


class Tags(HTMLParser):
    """Counts the elements of a page, its ids and its handlers of events."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name == "href":
                self.links.append(value)
            elif name == "src" or name.startswith("on"):
                self.loads.append(f"{name}={value}")


def test_a_page_runs_one_script_loads_nothing_and_every_link_arrives(reviews):
    tags = Tags(RENDERS["html"](reviews, Rendering()))
    assert tags.tags.count("script") == 1
    assert tags.loads == []
    assert "img" not in tags.tags
    assert len(tags.ids) == len(set(tags.ids))
    assert {link.removeprefix("#") for link in tags.links} <= {*tags.ids, "text"}
    assert all(link.startswith("#") for link in tags.links)


def test_annotations_stay_one_a_line_and_under_githubs_limits(reviews):
    lines = RENDERS["github"](reviews, MANY).splitlines()
    for line in lines:
        assert re.match(r"::(error|warning|notice) [^:]*::", line), line
    counts = [sum(line.startswith(f"::{c} ") for line in lines) for c in ("error", "warning")]
    assert max(counts, default=0) <= 10
    assert len(lines) <= 50


def test_no_line_for_a_terminal_or_a_log_begins_with_a_command_of_a_strangers(reviews):
    for name in ("text", "summary", "class csv"):
        for line in RENDERS[name](reviews, MANY).splitlines():
            assert not line.lstrip().startswith("::"), line


def test_a_summary_fits_what_github_takes():
    text = summary((very_many(2000),), Rendering(), most=50_000)
    assert 45_000 < len(text.encode()) <= 50_000
    [left] = re.findall(r"And (\d+) more, for which", text)
    assert int(left) + text.count("| series |") == 2 * 2000 // 3 + 1


def test_hostile_words_are_there_but_mean_nothing():
    """Each format spells a hostile text in its own way; what it spells reads back as words."""
    all_of_them = (hostile(),)
    root = ET.fromstring(RENDERS["junit"](all_of_them, Rendering()))  # noqa: S314 - our own output
    junit = "".join(root.itertext())
    assert "</script><script>alert(1)</script>" in junit
    assert "]]>" in junit
    page = RENDERS["html"](all_of_them, Rendering())
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<img" not in page
    text = "a%0Ab%25c:d,e"
    alone = reviewed([verdict(1, text=text, rule=text)])
    [annotation] = RENDERS["github"]((alone,), Rendering()).splitlines()
    assert annotation.endswith("::a%250Ab%2525c:d,e; a%250Ab%2525c:d,e")
    assert "title=a%250Ab%2525c%3Ad%2Ce%3A contradicted" in annotation
    csv_text = class_csv(all_of_them, Rendering())
    assert not any(cell.startswith(("=", "+", "@")) for cell in csv_text.split(","))
    assert HOSTILE[0] in RENDERS["text"](all_of_them, Rendering())


def test_no_fixed_words_accuse(form):
    for options in (Rendering(), MANY):
        text = RENDERS[form]((every_outcome(), unreadable()), options)
        if form == "classroom":
            text = base64.b64decode(text).decode()
        text = re.sub(r"<script>.*</script>|<style>.*</style>", "", text, flags=re.DOTALL)
        # JSON's own word, and a value of HTML.
        text = re.sub(r'": false|="false"', "", text)
        assert ACCUSING.findall(text) == []


def test_paths_are_relative_to_the_root(form):
    inside = every_outcome("/class/ana/report.md")
    text = RENDERS[form]((inside,), Rendering(root="/class"))
    text = base64.b64decode(text).decode() if form == "classroom" else text
    assert "/class/" not in text
    assert form == "gradescope" or "ana/report.md" in text
