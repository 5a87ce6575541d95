"""Items that a page cuts in two, with tables and their notes in between."""

from __future__ import annotations

import pytest

from reportgen.read.documents._join import join_blocks
from reportgen.records.manuscript import Block, Line


def block(kind, page, *texts):
    lines = tuple(Line(text=text, number=i + 1, page=page) for i, text in enumerate(texts))
    return Block(type=kind, lines=lines)


CUT = block("item", 1, "Gap. The gap between the mean accuracy of A and that of")
TABLE = block("table", 2, "Group  n  Test", "A  3  80.1")
NOTE = block("paragraph", 2, "A, seed 1: the best value is reached twice.")
REST = block("paragraph", 2, "Tiny B is widest at epoch 2.")
NEXT = block("item", 2, "Trend. Every run improves.")


def kinds(*blocks):
    return [(one.type, one.text) for one in join_blocks(blocks)]


def test_the_rest_of_an_item_stands_behind_a_table_and_its_notes():
    joined = kinds(CUT, TABLE, NOTE, REST, NEXT)
    assert joined[0] == ("item", f"{CUT.text}\n{REST.text}")
    assert [kind for kind, _ in joined] == ["item", "table", "paragraph", "item"]


def test_a_name_that_the_page_cuts_goes_on_behind_a_table():
    cut = block("item", 1, "Gap. The gap between the mean return of A and that of run_a_")
    rest = block("paragraph", 2, "HalfCheetah-v4 is widest at step 72.")
    assert kinds(cut, TABLE, NOTE, rest, NEXT)[0] == ("item", f"{cut.text}\n{rest.text}")


@pytest.mark.parametrize(
    "before", ["The gap is widest at epoch 2.", "A line that only lacks its full stop"]
)
def test_an_item_that_may_be_whole_stays_apart(before):
    blocks = (block("item", 1, before), TABLE, NOTE, REST, NEXT)
    assert len(kinds(*blocks)) == len(blocks)


def test_a_heading_in_between_ends_the_sentence():
    blocks = (CUT, block("heading", 2, "9 Results"), REST, NEXT)
    assert len(kinds(*blocks)) == len(blocks)


def test_the_notes_of_a_table_at_the_foot_of_a_page_cut_no_sentence():
    cut = block(
        "item", 1, "Convergence. The deviation is largest at epoch 5 (3.5 points); it is 0.5"
    )
    table, note = block("table", 1, "Quantity  Value", "t  8.5"), block("paragraph", 1, "A note.")
    rest = block("paragraph", 2, "at epoch 1.")
    joined = kinds(cut, table, note, rest)
    assert joined == [
        ("item", f"{cut.text}\n{rest.text}"),
        ("table", table.text),
        ("paragraph", note.text),
    ]
