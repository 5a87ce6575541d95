"""Markdown, read back by a parser: what comes out is what went in, and nothing else."""

import random
import re
from dataclasses import replace

import pytest
from fakes.spelling import spell_text
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reportgen.records import document as doc
from reportgen.render import clean, escape_markdown

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OWN_TAGS = re.compile(r'<a id="[A-Za-z0-9._-]+">|</?(a|sub|code|em|strong)>')
PLAIN = {"text", "code_inline", "html_inline", "softbreak", "text_special"}


def inline_text(token):
    return "".join(c.content for c in token.children if c.type != "html_inline")


def cells(tokens):
    """Text of every body cell, row by row."""
    rows = []
    inside = False
    for position, token in enumerate(tokens):
        inside = token.type == "tbody_open" or (inside and token.type != "tbody_close")
        if inside and token.type == "tr_open":
            rows.append([])
        if inside and token.type == "td_open":
            rows[-1].append(tokens[position + 1])
    return rows


def one(*blocks, title="Title"):
    section = doc.Section(id="s", title="Section", blocks=blocks)
    return doc.Report(title=title, sections=(section,))


def named_table(name):
    row = doc.TableRow(cells=((name,), (doc.Code(name),), ("end",)))
    columns = tuple(doc.TableColumn(title=(word,)) for word in ("words", "code", "last"))
    return doc.Table(id="t", caption=("Names",), columns=columns, rows=(row,))


@pytest.fixture
def page(written):
    return written("markdown")["report.md"].decode()


@pytest.mark.parametrize(("lang", "head"), [("en", "a: b"), ("fr", "a\N{NO-BREAK SPACE}: b")])
def test_a_head_over_columns_stands_before_each_as_the_language_writes_it(written, lang, head):
    columns = (doc.TableColumn(title=("b",), group=("a",)),)
    table = doc.Table(
        id="t", caption=("c",), columns=columns, rows=(doc.TableRow(cells=(("1",),)),)
    )
    report = replace(one(table), lang=lang)
    text = written("markdown", of=report)["report.md"].decode()
    assert f"| {head} |" in text


def test_a_name_in_a_table_reads_back(hostile, written):
    text = written("markdown", of=one(named_table(hostile)))["report.md"].decode()
    ((words, code, last),) = cells(PARSER.parse(text))
    assert inline_text(words) == clean(hostile).strip()
    assert inline_text(code).strip() == clean(hostile).strip()
    assert inline_text(last) == "end"
    assert {c.type for c in words.children} <= PLAIN - {"html_inline"}


def test_a_name_that_begins_a_paragraph_stays_a_paragraph(hostile, written):
    blocks = (doc.Paragraph(text=(hostile,)), doc.Bullets(items=((hostile,),)))
    tokens = PARSER.parse(written("markdown", of=one(*blocks))["report.md"].decode())
    inline = [t for t in tokens if t.type == "inline"]
    assert [t.type for t in tokens if t.type.endswith("_open")] == [
        *("heading_open", "heading_open", "paragraph_open"),
        *("bullet_list_open", "list_item_open", "paragraph_open"),
    ]
    assert [inline_text(t) for t in inline[2:]] == [clean(hostile).strip()] * 2


@given(st.text(max_size=40))
def test_any_words_read_back(words):
    (paragraph,) = [
        t for t in PARSER.parse("x" + escape_markdown(words) + "x") if t.type == "inline"
    ]
    assert inline_text(paragraph) == "x" + clean(words) + "x"


@given(
    st.tuples(*[st.text(alphabet="ab1 .,()*_é—'`[<", max_size=6)] * 3),
    st.sampled_from(["em", "strong"]),
)
def test_emphasis_reads_back_between_any_neighbours(three, element):
    kind = {"em": doc.Emphasis, "strong": doc.Strong}[element]
    before, words, after = (clean(part) for part in three)
    line = spell_text(("x ", before, kind((words,)), after, " x"), "markdown")
    (inline,) = [t for t in PARSER.parse(line) if t.type == "inline"]
    assert inline_text(inline) == f"x {before}{words}{after} x"
    inside = [c for c in inline.children if c.type == f"{element}_open"]
    tags = [c for c in inline.children if c.content == f"<{element}>"]
    assert len(inside) + len(tags) == bool(words.strip())


def test_emphasis_is_marked_by_asterisks_where_it_can_be():
    assert spell_text(("is ", doc.Emphasis(("80 (n = 3)",)), "."), "markdown") == "is *80 (n = 3)*."
    assert spell_text((doc.Strong(("+7.0",)), "x"), "markdown") == "**+7.0**x"
    assert spell_text(("x", doc.Strong(("+7.0",))), "markdown") == "x<strong>+7.0</strong>"


def test_any_listing_reads_back(written):
    draw = random.Random(1)
    texts = ["".join(draw.choices("`~a\n\t ", k=draw.randint(0, 30))) for _ in range(100)]
    listings = (
        doc.Listing(id=f"l{i}", caption=(), text=t, language="j") for i, t in enumerate(texts)
    )
    page = written("markdown", of=one(*listings))["report.md"].decode()
    fences = [token for token in PARSER.parse(page) if token.type == "fence"]
    for text, fence in zip(texts, fences, strict=True):
        assert fence.content.splitlines() == [line.expandtabs(4) for line in text.splitlines()]
        assert fence.info == "j"


def test_the_page_holds_no_html_but_its_own(page):
    for token in PARSER.parse(page):
        for child in token.children or ():
            if child.type == "html_inline":
                assert OWN_TAGS.fullmatch(child.content)
        assert token.type != "html_block" or OWN_TAGS.match(token.content)


def test_every_link_inside_the_page_finds_its_anchor(page):
    anchors = re.findall(r'<a id="([^"]+)"></a>', page)
    links = set(re.findall(r"\]\(#([^)]+)\)", page))
    assert len(anchors) == len(set(anchors))
    assert links
    assert links <= set(anchors)


def test_figures_lie_beside_the_page_and_are_linked_with_their_alternative_text(written, figures):
    files = written("markdown")
    page = files["report.md"].decode()
    assert files["report_files/seeds-2f-spread.svg"] == figures["seeds/spread"]
    assert "![Line chart: Accuracy over steps.](report_files/curves.svg)" in page
    linked = set(re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page))
    assert linked == set(files) - {"report.md"}


def test_alternative_text_cannot_leave_its_brackets(written, report, figures):
    figure = next(b for b in doc.walk(report.sections) if isinstance(b, doc.Figure))
    evil = doc.Figure(id=figure.id, caption=(), chart=figure.chart, alt="a](javascript:x) ![b")
    text = written("markdown", of=one(evil))["report.md"].decode()
    images = [c for t in PARSER.parse(text) for c in t.children or () if c.type == "image"]
    assert [(i.content, i.attrs["src"]) for i in images] == [
        (escape_markdown(evil.alt), "report_files/curves.svg")
    ]


def test_an_address_that_is_not_of_the_web_is_no_link(page):
    assert "<https://example.org/a_b%20c?x=1&y=~2#frag>" in page
    tokens = [c for t in PARSER.parse(page) for c in t.children or () if c.type == "link_open"]
    assert all(t.attrs["href"].startswith(("#", "https://")) for t in tokens)
