"""The page: every number marked in the text, everything found reachable, readable colours."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from fakes.reviews import every_outcome, hostile, reviewed, shown, unreadable, verdict
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.manuscript import Block, Cell, Line, Manuscript, Place
from reportgen.records.verdict import Verdict

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


def page_of(*reviews, **options) -> Page:
    return Page(shown("html", *reviews, **options))


@pytest.mark.parametrize("review", [every_outcome(), hostile(), unreadable()])
def test_elements_close_in_order_and_no_link_lies_in_a_link(review):
    assert page_of(review).nested == []


def placed(one: Verdict, **known) -> Verdict:
    return replace(one, number=replace(one.number, **known))


def test_a_number_in_a_statement_is_marked_inside_it():
    outer = Verdict(
        outcome="untraced", rule="statement", place=Place(line=1), quote="the loss is 81.5"
    )
    inner = placed(verdict(2), start=12, end=16)
    line = Line(text="Here the loss is 81.5 at last", number=1)
    block = Block(type="paragraph", lines=(line,))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    inner = placed(inner, start=17, end=21)
    page = page_of(reviewed([inner, outer], manuscript=report))
    assert [text for _, text in page.marks] == ["the loss is ", "81.5"]


@pytest.mark.parametrize(
    "change", [{"start": 0, "end": 0}, {"start": 900, "end": 910}, {"block": 77}]
)
def test_a_number_that_the_text_does_not_show_still_has_a_mark(change):
    one = placed(verdict(1), **change)
    assert [text for _, text in page_of(reviewed([one])).marks] == ["◆"]


def test_a_statement_whose_words_are_not_found_marks_its_block():
    one = Verdict(outcome="untraced", rule="statement", place=Place(line=1), quote="otherwise")
    block = Block(type="paragraph", lines=(Line(text="It falls.", number=1),))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    assert [text for _, text in page_of(reviewed([one], manuscript=report)).marks] == ["It falls."]
    lost = replace(one, place=Place(line=70))
    assert [text for _, text in page_of(reviewed([lost], manuscript=report)).marks] == ["◆"]


def test_a_wide_cell_reaches_over_those_that_repeat_it():
    row = Line(text="wide below", number=1)
    wide, again = Cell(text="wide", line=row, span=2), Cell(text="wide", line=row, span=0)
    other = Cell(text="below", line=row, start=5)
    block = Block(type="table", lines=(row,), rows=((wide, again, other), (again, other, other)))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    html = shown("html", reviewed([], manuscript=report))
    assert '<tr><td colspan="2">wide</td><td>below</td></tr>' in html
    assert '<tr><td class="again">wide</td><td>below</td>' in html


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8))
def test_the_text_stays_whatever_is_marked_in_it(spans):
    text = "the quick brown fox, 81.5 of it"
    block = Block(type="paragraph", lines=(Line(text=text, number=1),))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    verdicts = [
        placed(verdict(index), start=start, end=end) for index, (start, end) in enumerate(spans)
    ]
    page = page_of(reviewed(verdicts, manuscript=report))
    assert text in page.text
    assert all(piece in text for _, piece in page.marks if piece != "◆")


def colours(style: str, scheme: str) -> dict[str, str]:
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style)
    return {name: dark if scheme == "dark" else light for name, light, dark in pairs}


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
    named = colours(shown("html", every_outcome()), scheme)
    assert len(named) >= 17
    grounds = ("paper", "card", "tint")
    pairs = [(text, ground) for text in ("ink", "soft", "link") for ground in grounds]
    for tone in ("error", "warning", "note", "traced", "untraced"):
        pairs += [(tone, f"{tone}-wash"), ("ink", f"{tone}-wash")]
        pairs += [(tone, ground) for ground in grounds]
    poor = {pair: contrast(named[pair[0]], named[pair[1]]) for pair in pairs}
    assert {pair: value for pair, value in poor.items() if value < 4.5} == {}
