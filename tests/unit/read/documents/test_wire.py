"""What passes between the process that reads and the one that believes nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents._wire import dump_manuscript, load_manuscript
from reportgen.records.manuscript import BLOCK_TYPES, Block, Cell, Line, Manuscript
from reportgen.records.source import Problem

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@st.composite
def manuscripts(draw) -> Manuscript:
    """Return manuscripts whose cells lie in lines of their own or of their block."""
    found = draw(
        st.lists(
            st.builds(
                lambda text, number, page, columns: Line(
                    text=text, number=number, page=page, columns=tuple(columns[: len(text)])
                ),
                TEXT,
                st.integers(1, 9),
                st.none() | st.integers(1, 3),
                st.lists(st.integers(1, 99), min_size=12, max_size=12) | st.just(()),
            ),
            min_size=1,
            max_size=6,
        )
    )
    lines = st.sampled_from(found)
    cells = st.builds(
        lambda text, line, start: Cell(text=text, line=line, start=start, span=1),
        TEXT,
        lines,
        st.integers(0, 9),
    )
    blocks = st.builds(
        lambda kind, own, rows, level: Block(
            type=kind, lines=tuple(own), rows=tuple(map(tuple, rows)), level=level
        ),
        st.sampled_from(BLOCK_TYPES),
        st.lists(lines, min_size=1, max_size=4),
        st.lists(st.lists(cells, max_size=3), max_size=3),
        st.integers(0, 4),
    )
    problems = st.builds(
        lambda message, offset: Problem(path="a.pdf", message=message, offset=offset),
        TEXT,
        st.none() | st.integers(0, 10**6),
    )
    return Manuscript(
        path="a.pdf",
        format="pdf",
        sha256="0" * 64,
        blocks=tuple(draw(st.lists(blocks, max_size=4))),
        pages=draw(st.integers(0, 9)),
        problems=tuple(draw(st.lists(problems, max_size=2))),
    )


@given(manuscripts())
def test_what_arrives_is_what_was_sent(manuscript):
    assert load_manuscript(dump_manuscript(manuscript), "a.pdf") == manuscript


def test_a_line_stays_one_object():
    line = Line(text="80.5  79.5", number=3, page=1)
    cells = (Cell(text="80.5", line=line), Cell(text="79.5", line=line, start=6))
    block = Block(type="table", lines=(line,), rows=(cells,))
    sent = Manuscript(path="a", format="pdf", sha256="0", blocks=(block,))
    (got,) = load_manuscript(dump_manuscript(sent), "a").blocks
    assert got.rows[0][0].line is got.rows[0][1].line is got.lines[0]


def test_the_path_is_the_readers_own():
    sent = Manuscript(path="/etc/passwd", format="pdf", sha256="0", blocks=())
    assert load_manuscript(dump_manuscript(sent), "report.pdf").path == "report.pdf"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(manuscripts(), st.data())
def test_forged_messages_are_refused_or_are_manuscripts(manuscript, data):
    told = json.loads(dump_manuscript(manuscript))
    key = data.draw(st.sampled_from(sorted(told)))
    told[key] = data.draw(JSON)
    try:
        got = load_manuscript(json.dumps(told).encode(), "a.pdf")
    except ValueError:
        return
    for block in got.blocks:
        assert block.type in BLOCK_TYPES
        assert all(type(line) is Line and type(line.text) is str for line in block.lines)
        assert all(type(cell) is Cell and cell.start >= 0 for row in block.rows for cell in row)


def forged(**changed: object) -> bytes:
    """Return an empty manuscript with some entries replaced."""
    empty: dict[str, object] = {"format": "pdf", "sha256": "0", "pages": 1}
    empty |= {"lines": [], "blocks": [], "problems": []}
    return json.dumps({**empty, **changed}).encode()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\x80\x04\x95",
        b"[" * 100_000,
        forged(pages=-1),
        forged(pages=True),
        forged(lines=[["a", 1, None, "", [[1, 99_999_999_999]]]]),
        forged(blocks=[["code", [-1], [], [0, 0, ""]]]),
        forged(blocks=[["unheard of", [], [], [0, 0, ""]]]),
        forged(problems=[["a", "b", "", None, "error"]]),
    ],
)
def test_no_manuscript_is_no_manuscript(sent):
    with pytest.raises(ValueError, match="no manuscript"):
        load_manuscript(sent, "a.pdf")
