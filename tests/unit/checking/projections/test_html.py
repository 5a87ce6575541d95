"""The page: every claim marked in the text, everything found reachable, readable colours."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from itertools import pairwise

import pytest
from fakes.judgements import every_verdict, finding, hostile, judged, unreadable
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checking.projections._html_marks import Painter, make_marks
from reportgen.checking.projections._record import make_record
from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections.html import render
from reportgen.records.finding import Judgement
from reportgen.records.manuscript import Block, Cell, Line, Manuscript
from reportgen.records.rubric import Rubric, RubricLine

VOID = {"meta", "input", "br", "link"}


class Page(HTMLParser):
    """Checks that elements close in order, and gathers marks, entries and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str]]] = []
        self.marks: list[tuple[str, str]] = []
        self.nested: list[str] = []
        self.headings: list[int] = []
        self.text = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag in VOID:
            return
        attributes = {name: value or "" for name, value in attrs}
        if tag == "a" and any(name == "a" for name, _ in self.open):
            self.nested.append(attributes.get("href", ""))
        if re.fullmatch(r"h\d", tag):
            self.headings.append(int(tag[1]))
        if "mark" in attributes.get("class", "").split():
            self.marks.append((attributes["class"], ""))
        self.open.append((tag, attributes))

    def handle_endtag(self, tag):
        assert self.open, tag
        name, _ = self.open.pop()
        assert name == tag

    def handle_data(self, data):
        classes = " ".join(attributes.get("class", "") for _, attributes in self.open)
        names = {tag for tag, _ in self.open}
        if names & {"script", "style"}:
            return
        if "unseen" not in classes:
            if self.marks and "mark" in classes.split():
                self.marks[-1] = (self.marks[-1][0], self.marks[-1][1] + data)
            self.text += data


def page_of(*judgements: Judgement, **options) -> Page:
    return Page(render(judgements, Rendering(**options)))


def test_every_claim_is_marked_where_it_stands():
    marks = {text: classes for classes, text in page_of(every_verdict()).marks}
    assert set(marks) == {
        *("1,048,567", "22.8", "512", "81.5", "80", "78.50", "79.3", "0.61", "16"),
        "The loss falls in every epoch until the fifth.",
    }
    assert marks["80"] == "mark number t-error v-disagrees"
    assert marks["22.8"] == "mark number t-warning v-disagrees"
    assert marks["79.3"] == "mark number t-note v-borderline"
    assert marks["81.5"] == "mark number t-agrees v-agrees"
    assert marks["16"] == "mark number t-open v-open"
    assert marks["The loss falls in every epoch until the fifth."].startswith("mark sentence")


def test_the_text_of_the_report_is_all_there():
    text = " ".join(page_of(every_verdict()).text.split())
    for block in every_verdict().manuscript.blocks:
        for line in block.lines:
            pieces = line.text.split(" | ") if block.type == "table" else [line.text]
            assert all(piece in text for piece in pieces)


def test_headings_go_down_one_at_a_time_from_one():
    for judgements in ((every_verdict(),), (every_verdict("a.md"), unreadable())):
        levels = page_of(*judgements).headings
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(levels))


@pytest.mark.parametrize("judgement", [every_verdict(), hostile(), unreadable()])
def test_elements_close_in_order_and_no_link_lies_in_a_link(judgement):
    assert page_of(judgement).nested == []


def test_claims_in_each_other_are_both_marked():
    outer, inner = finding(1, text="the loss is 81.5 here"), finding(2, text="81.5")
    outer = replace(outer, claim=replace(outer.claim, start=0, end=21, printed=None))
    inner = replace(inner, claim=replace(inner.claim, start=12, end=16))
    report = judged([outer, inner], manuscript=judged([outer]).manuscript)
    assert [text for _, text in page_of(report).marks] == ["the loss is ", "81.5", " here"]


def test_claims_of_one_stretch_share_a_mark_with_the_louder_tone():
    one, two = finding(1, level="none", verdict="agrees"), finding(2, level="error")
    page = page_of(judged([one, two]))
    assert [classes for classes, _ in page.marks] == ["mark number t-error v-disagrees"]
    assert page.text.count("error: disagrees") == 1


@pytest.mark.parametrize(
    "change", [{"start": 0, "end": 0}, {"start": 900, "end": 910}, {"block": 77}]
)
def test_a_claim_that_the_text_does_not_show_still_has_a_mark(change):
    one = finding(1)
    one = replace(one, claim=replace(one.claim, **change))
    assert [text for _, text in page_of(judged([one])).marks] == ["◆"]


def test_a_claim_of_a_cell_whose_place_is_not_known_marks_the_cell():
    row = Line(text="a  80", number=1)
    cells = ((Cell(text="a", line=row), Cell(text="80 %", line=row, start=3)),)
    block = Block(type="table", lines=(row,), rows=cells)
    one = finding(1)
    one = replace(one, claim=replace(one.claim, start=0, end=0, row=0, column=1))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    assert [text for _, text in page_of(judged([one], manuscript=report)).marks] == ["80 %"]


def test_a_wide_cell_reaches_over_those_that_repeat_it():
    row = Line(text="wide below", number=1)
    wide, again = Cell(text="wide", line=row, span=2), Cell(text="wide", line=row, span=0)
    other = Cell(text="below", line=row, start=5)
    block = Block(type="table", lines=(row,), rows=((wide, again, other), (again, other, other)))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    html = render([judged([], manuscript=report)], Rendering())
    assert '<tr><td colspan="2">wide</td><td>below</td></tr>' in html
    assert '<tr><td class="again">wide</td><td>below</td>' in html


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8))
def test_stretches_are_the_text_cut_up(spans):
    text = "the quick brown fox, 81.5 of it"
    block = Block(type="paragraph", lines=(Line(text=text, number=1),))
    findings = []
    for index, (start, end) in enumerate(spans):
        one = finding(index)
        findings.append(replace(one, claim=replace(one.claim, start=start, end=end)))
    report = judged(findings)
    marks = make_marks(report, make_record(report), "")
    stretches = list(Painter(block, marks).stretches())
    assert "".join(piece for piece, _ in stretches) == text
    offset = 0
    for piece, mark in stretches:
        if mark is not None:
            assert mark.start <= offset
            assert offset + len(piece) <= mark.end
        offset += len(piece)


def test_a_class_has_a_table_and_each_report_below_it():
    rubric = Rubric(lines=(RubricLine(id="a"),))
    page = page_of(every_verdict("a.md"), unreadable("b.pdf"), names=("Ana", "Ben"), rubric=rubric)
    assert "2 reports" in page.text
    assert page.text.count("Ana") == 2
    assert "Could not be checked: the file ends" in page.text


def colours(style: str, scheme: str) -> dict[str, str]:
    light, dark = re.findall(r":root \{(.*?)\n\s*\}", style, re.DOTALL)[:2]
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    return (
        found | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark)) if scheme == "dark" else found
    )


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_wcag_does():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_pair_of_colours_can_be_read(scheme):
    style = (
        resources.files("reportgen.checking.projections").joinpath("_page.css").read_text("utf-8")
    )
    named = colours(style, scheme)
    assert len(named) >= 17
    grounds = ("paper", "card", "tint")
    pairs = [(text, ground) for text in ("ink", "soft", "link") for ground in grounds]
    for tone in ("error", "warning", "note", "agrees", "open"):
        pairs += [(tone, f"{tone}-wash"), ("ink", f"{tone}-wash")]
        pairs += [(tone, ground) for ground in grounds]
    poor = {pair: contrast(named[pair[0]], named[pair[1]]) for pair in pairs}
    assert {pair: value for pair, value in poor.items() if value < 4.5} == {}
