"""Markdown of the author's own as blocks: what is words, what is a number, what is refused."""

import pytest

from reportgen.read.study.prose import Source, read_prose
from reportgen.records import document as doc
from reportgen.records.errors import StudyError
from reportgen.records.quantity import Evidence, Quantity
from reportgen.render import render

EVIDENCE = Evidence(path="a/events", tag="accuracy", step=3, value=80.6)
MEAN = doc.Number(
    id="best_step.a_b.mean",
    quantity=Quantity(value=0.80633, unit="fraction", sources=(EVIDENCE,)),
    style="percent",
    decimals=2,
)


def read(text, line=10):
    source = Source(
        id="prose.1",
        file="notes.md",
        line=line,
        numbers={MEAN.id: MEAN},
        targets=frozenset({"best_step.table"}),
        title="Notes",
    )
    return read_prose(text, source)


def text_of(markdown):
    [block] = read(markdown).blocks
    assert isinstance(block, doc.Paragraph)
    return block.text


def test_words_keep_their_emphasis():
    assert text_of("A *b **c*** `d_e` f\nnext") == (
        "A ",
        doc.Emphasis(("b ", doc.Strong(("c",)))),
        " ",
        doc.Code("d_e"),
        " f next",
    )


def test_a_number_is_printed_under_an_id_of_its_own_with_its_evidence():
    first, second = (
        node
        for node in text_of("{{ number:best_step.a_b.mean }} and {{number:best_step.a_b.mean}}")
        if isinstance(node, doc.Number)
    )
    assert (first.id, second.id) == ("prose.1.best_step.a_b.mean", "prose.1.best_step.a_b.mean.2")
    assert first.quantity == MEAN.quantity


def test_a_reference_and_a_number_inside_emphasis():
    assert text_of("**see {{ ref:best_step.table }}**") == (
        doc.Strong(("see ", doc.Ref("best_step.table"))),
    )


def test_lists_headings_tables_and_code():
    made = read(
        "start\n\n- a\n  - b\n- c\n\n3. x\n4. y\n\n# H1\n\n## H2\n\n```py\nz\n```\n\n## H3\n\n"
        "Table: All *of* it\n\n| l | r |\n|---|--:|\n| `a` | 1 |\n"
    ).blocks
    start, bullets, numbered, one = made
    assert start == doc.Paragraph(text=("start",))
    below = (doc.Bullets(items=(("b",),)),)
    assert bullets == doc.Bullets(items=(("a",), ("c",)), inner=(below, ()))
    assert numbered == doc.Bullets(items=(("x",), ("y",)), start=3)
    assert isinstance(one, doc.Section)
    two, three = one.blocks
    assert (one.title, two.title, three.title) == ("H1", "H2", "H3")
    assert isinstance(two.blocks[0], doc.Listing)
    [table] = three.blocks
    assert isinstance(table, doc.Table)
    assert table.caption == ("All ", doc.Emphasis(("of",)), " it")
    assert [column.align for column in table.columns] == ["left", "right"]
    assert table.rows[0].cells == ((doc.Code("a"),), ("1",))
    ids = [one.id, two.id, three.id, two.blocks[0].id, table.id]
    assert len(set(ids)) == 5
    assert all(name.startswith("prose.1.") for name in ids)


def test_mathematics_is_printed_as_it_is_written_with_a_warning():
    made = read("so $x^2$ costs $5 and $6\nand $$y$$")
    assert made.blocks[0].text == ("so ", doc.Code("x^2"), " costs $5 and $6 and ", doc.Code("y"))
    assert [warning.split(":")[1] for warning in made.warnings] == ["10", "11"]


def test_a_placeholder_that_is_not_closed_is_printed_with_a_warning():
    made = read("one\nis {{ number:abstract.a.mean and {{ 7*7 }}")
    assert "{{ number:abstract.a.mean" in "".join(map(str, made.blocks[0].text))
    [warning] = made.warnings
    assert warning.startswith("notes.md:11: '{{ number:abstract.a.mean")
    assert "{{ number:ID }}" in warning


def test_images_are_refused_with_the_way_to_have_one():
    with pytest.raises(StudyError, match=r"notes\.md:10: the image 'a\.png'") as caught:
        read("![alt](a.png)")
    assert "docs/how-to/own-figures.md" in caught.value.remedy
    assert "explain" not in caught.value.remedy
    with pytest.raises(StudyError, match="2 places") as caught:
        read("![alt](a.png) {{ ref:nowhere }}")
    assert "docs/how-to/own-figures.md" in caught.value.remedy
    assert "explain" in caught.value.remedy


def test_lists_deeper_than_pages_have_them_go_on_with_dashes():
    [made] = read(
        "- 1\n  - 2\n    - 3\n      - 4\n        1. 5\n           - 6\n      - 7\n"
    ).blocks
    for _ in range(3):
        [[made]] = made.inner
    assert made.items == (("4",), ("– ", "5"), ("– ", "– ", "6"), ("7",))
    assert made.inner == ()


def test_links_are_links_but_around_what_is_a_link_itself():
    assert text_of("see [the *paper*](https://x.org/a_b) or <https://x.org>") == (
        "see ",
        doc.Link(("the ", doc.Emphasis(("paper",))), "https://x.org/a_b"),
        " or ",
        doc.Link((doc.Code("https://x.org"),), "https://x.org"),
    )
    assert text_of("[see {{ ref:best_step.table }}](https://x.org)") == (
        "see ",
        doc.Ref("best_step.table"),
        " (",
        doc.Link((doc.Code("https://x.org"),), "https://x.org"),
        ")",
    )


def rendered(form, text):
    """Return the report's file in a format, with a section of these words."""
    section = doc.Section(id="own", title="Own", blocks=read(text).blocks)
    report = doc.Report(title="T", sections=(section,))
    files = render(report, form)
    return next(c for n, c in files.items() if n.startswith("report.")).decode()


HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<div>\nblock\n</div>\n\n"
    "[a](javascript:alert(1)) <javascript:alert(1)> [b](data:text/html,x) [c](https://x.org/%24_a)\n\n"
    "50% of a_b & #1 {x} \\\\ ^ ~ $ `\\end{document}` \u202e \x00 {{ 7+7 }} <%= 7+7 %>"
)


@pytest.mark.parametrize("form", ["latex", "typst", "markdown", "html"])
def test_hostile_markdown_is_text_in_every_format(form):
    made = rendered(form, HOSTILE)
    if form == "html":
        body = made.partition("<body")[2].rpartition("<script")[0]
        assert "{{ 7+7 }}" in body
        assert "<img src=x" not in body
        assert "<script>alert" not in body
        assert 'href="javascript' not in body
    if form == "markdown":
        assert "<script>" not in made
        assert "](javascript" not in made
    if form == "latex":
        assert made.count(r"\end{document}") == 1


def test_deep_nesting_ends():
    assert read(">" * 2000 + " a").blocks is not None
    with pytest.raises(StudyError, match="too deep"):
        read("*" * 5000 + "a" + "*" * 5000)
    with pytest.raises(StudyError, match="characters"):
        read("a" * 1_000_001)
