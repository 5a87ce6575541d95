"""Tables that go on over the end of a page."""

from __future__ import annotations

from reportgen.read.documents._blocks import split_blocks
from reportgen.records.manuscript import Line

HEADS = "Group    Seed    Test accuracy, %"
FIRST = (HEADS, "lr2      0       63.33", "         1       61.95")
REST = ("         2       62.30", "lr3      0       60.10", "         1       61.20")


def tables(*pages):
    lines = [
        Line(text=text, number=number, page=page)
        for page, texts in pages
        for number, text in enumerate(texts, 1)
    ]
    return [block for block in split_blocks(lines) if block.type == "table"]


def test_its_first_rows_have_the_label_of_the_page_before():
    _, rest = tables((1, FIRST), (2, (HEADS, *REST)))
    label, *_ = rest.rows[1]
    assert [row[0].text for row in rest.rows] == ["Group", "lr2", "lr3", ""]
    assert (label.span, label.line.page) == (0, 1)


def test_a_table_with_other_heads_goes_on_with_none():
    other = HEADS.replace("Test", "Next")
    _, rest = tables((1, FIRST), (2, (other, *REST)))
    assert rest.rows[1][0].text == ""


def test_a_table_further_on_goes_on_with_none():
    _, rest = tables((1, FIRST), (3, (HEADS, *REST)))
    assert rest.rows[1][0].text == ""
