"""Names of groups that are words or numbers as well, put out of sight and back again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.claims._as_names import cover
from reportgen.records.manuscript import Block, Cell, Line, Manuscript


def _report(*texts: str, rows: tuple[tuple[str, ...], ...] = ()) -> Manuscript:
    lines = tuple(Line(text=text, number=n) for n, text in enumerate(texts, 1))
    cells = tuple(tuple(Cell(text=text, line=lines[0]) for text in row) for row in rows)
    block = Block(type="table" if rows else "paragraph", lines=lines, rows=cells)
    return Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))


def _left(text: str, *names: str) -> str:
    """Return a text with a dot for each letter that is out of sight."""
    shown = cover(_report(text), names).manuscript.blocks[0].text
    return "".join(one if one in text else "." for one in shown)


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        ("Best lies above worst.", ("worst", "best"), ".... lies above ......"),
        ("the best-known of bestow", ("best",), "the best-known of bestow"),
        ("step 3 of every step of step", ("step",), "step 3 of every step of ...."),
        ("the best step of best, best epochs", ("best",), "the best step of ...., best epochs"),
        ("à chaque epoch, epoch 2: epoch", ("epoch",), "à chaque epoch, epoch 2: ....."),
        ("10 and 100 of 10.5, 1e-10, 10% and 10/seed 1", ("100", "10"), ".. and ... of 10.5, "),
        ("50% of 150%, 50%.", ("50%",), "... of 150%, ...."),
        ("1e-3 is not 1e-31 nor 11e-3", ("1e-3",), ".... is not 1e-31 nor 11e-3"),
    ],
)
def test_only_a_name_that_stands_as_one_is_out_of_sight(text, names, left):
    assert _left(text, *names)[: len(left)] == left


def test_cells_and_their_lines_lose_it_alike():
    made = cover(_report("all | none", rows=(("all", "none"),)), ("none", "all")).manuscript
    [block] = made.blocks
    assert block.text == " | ".join(cell.text for cell in block.rows[0])
    assert block.rows[0][0].line.text == block.text
    assert "all" not in block.text
    assert "none" not in block.text


@given(st.sets(st.text("abc123", min_size=1, max_size=3), min_size=1, max_size=60), st.data())
def test_names_come_back_to_where_they_stood(names, data):
    ordered = tuple(sorted(names, key=lambda name: (-len(name), name)))
    words = data.draw(st.lists(st.sampled_from(ordered), max_size=20))
    covered = cover(_report(" ".join(words)), ordered)
    text = covered.manuscript.blocks[0].text
    assert len(text) == len(" ".join(words))
    assert covered.uncovered(text) == " ".join(words)
    assert len(set(covered.names.values())) == len(covered.names)
