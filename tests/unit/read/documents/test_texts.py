"""Markdown and plain text, by rows: what is written, and the blocks it is read as."""

from pathlib import Path

import pytest
from fakes.manuscript_text import at, read, says, shown, table, table_of
from fakes.rows import rows_of
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents import read_document
from reportgen.records.manuscript import BLOCK_TYPES

ROWS = Path(__file__).parent / "rows"


def rows(name: str):
    return rows_of(ROWS / f"{name}.yaml")


@pytest.mark.parametrize("name", ["report.txt", "report.md"])
@pytest.mark.parametrize("row", rows("texts") + rows("markdown"), ids=lambda row: row["it"])
def test_a_text_is_read_as_blocks(row, name, tmp_path):
    text = row["text"].replace("<page>\n", "\f").replace("→", "\t")
    assert [says(block) for block in read(tmp_path, name, text).blocks] == row["says"]


@pytest.mark.parametrize(
    ("kind", "line"), [(kind, line) for kind, lines in rows("lines").items() for line in lines]
)
def test_a_line_that_stands_alone_is_told_by_its_look(kind, line, tmp_path):
    _, found, *_ = read(tmp_path, "report.txt", f"A sentence.\n\n{line}\n\nAnother.\n").blocks
    assert kind in says(found)


@pytest.mark.parametrize("number", ["12", " - 3 - ", "Page 4", "3/10", "page 2 of 9"])
def test_the_number_of_a_page_is_gone(number, tmp_path):
    found = read(tmp_path, "report.txt", f"A sentence.\n\n{number}\n\fAnother.\n")
    assert shown(found.blocks) == [("paragraph", "A sentence."), ("paragraph", "Another.")]
    assert [block.lines[0].page for block in found.blocks] == [1, 2]
    assert found.pages == 2


@pytest.mark.parametrize(("written", "seen"), rows("inline"))
def test_marks_inside_a_line_are_gone_and_mathematics_stays(written, seen, tmp_path):
    assert shown(read(tmp_path, "report.md", f"so {written}").blocks) == [
        ("paragraph", f"so {seen}")
    ]


@pytest.mark.parametrize(("heads", "lines"), rows("heads"))
def test_heads_are_the_rows_above_the_values(heads, lines, tmp_path):
    cells = ["\t".join(cell.strip() for cell in line.split("|")) for line in lines]
    found = table_of(read(tmp_path, "report.txt", "\n".join(["text", "", *cells, ""])))
    assert found.head == heads


def test_places_point_at_the_very_characters(tmp_path):
    text = "- the **best** accuracy of `seed 1` is *81.5* at [step 1125](#s)\n"
    found = read(tmp_path, "report.md", text + "\n| a |\n|---|\n| **79.5** |\n   • r = 16\n")
    for needle in ("best", "seed 1", "81.5", "step 1125"):
        start = text.index(needle) + 1
        assert at(found, needle) == [("", 1, start, start + len(needle))]
    assert at(found, "79.5") == [("", 5, 5, 9)]
    assert at(found, "r = 16") == [("", 6, 6, 12)]


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u0085", "\x1f", " \u00a0 ", "\t"])
def test_a_quotation_behind_any_white_space_is_read(tmp_path, space):
    """Pages are copied with spaces that do not break; a mark behind one was never cut off."""
    found = read(tmp_path, "report.md", f"{space}> Text 5.\n{space}>{space}> Text 6.")
    assert shown(found.blocks) == [("paragraph", "Text 5.\nText 6.")]


def test_what_is_never_closed_is_named(tmp_path):
    listing = read(tmp_path, "report.md", "Text.\n\n```python\nx = 3\n")
    comment = read(tmp_path, "report.md", "A.\n\n<!-- never\n\nB 9.")
    assert "line 3 opens a listing that is never closed" in listing.problems[0].message
    assert "comment that is never closed" in comment.problems[0].message


ANY = st.text(st.sampled_from("ab1 .:|\t-=+•(%\n×#*_`$\\[]<>!&~"), max_size=200)


@given(ANY)
def test_every_character_of_a_block_stands_where_it_says(tmp_path_factory, text):
    source = text.split("\n")
    for block in read(tmp_path_factory.mktemp("any"), "a.txt", f"x\n\n{text}").blocks[1:]:
        assert block.type in BLOCK_TYPES
        for line in block.lines:
            assert line.text.strip()
            for i, char in enumerate(line.text):
                place = line.place(i, i + 1)
                if char.isalnum():
                    assert source[place.line - 3][place.column - 1] == char
        for cell in (cell for row in block.rows for cell in row):
            assert cell.line in block.lines
            assert cell.line.text[cell.start : cell.start + len(cell.text)] == cell.text


@given(st.text(st.sampled_from("ab1 .:|\t-=+•(%\n×#"), max_size=200))
def test_no_digit_is_lost_or_read_twice(tmp_path_factory, text):
    seen = set()
    for block in read(tmp_path_factory.mktemp("any"), "a.txt", f"x\n\n{text}").blocks:
        cells = [c for row in block.rows for c in row if c.span]
        pieces = [(c.line, c.start, c.text) for c in cells] or [(n, 0, n.text) for n in block.lines]
        for line, start, piece in pieces:
            for i, char in enumerate(piece):
                if char == "1" and not (i and piece[i - 1] == "^"):
                    place = line.place(start + i, start + i + 1)
                    assert (place.line, place.column) not in seen
                    seen.add((place.line, place.column))
    marks = sum(line.lstrip(" \t•+-#").startswith(("1.", "(1", "1)")) for line in text.split("\n"))
    assert len(seen) >= text.count("1") - marks - text.count("\n") - text.count("|")


@given(
    st.integers(2, 5),
    st.lists(st.sampled_from(["left", "right", "centre"]), min_size=5, max_size=5),
    st.data(),
)
def test_a_table_that_was_set_is_read_back(tmp_path_factory, width, sides, data):
    number = st.decimals(0, 100, places=1).map(str)
    cells = [["name", *(f"seed {i}" for i in range(width))]]
    cells += [
        [f"group {i}", *(data.draw(number) for _ in range(width))]
        for i in range(data.draw(st.integers(2, 5)))
    ]
    widths = [max(len(row[i]) for row in cells) for i in range(width + 1)]
    align = {"left": str.ljust, "right": str.rjust, "centre": str.center}
    text = "\n".join(
        "   ".join(align[sides[min(i, 4)]](cell, widths[i]) for i, cell in enumerate(row))
        for row in cells
    )
    found = table_of(read(tmp_path_factory.mktemp("set"), "a.txt", text))
    assert table(found) == [" | ".join(row) for row in cells]


@pytest.fixture
def reports(project: Path) -> Path:
    folder = project.parent / "shared" / "reports"
    if not folder.is_dir():
        pytest.skip("no shared/reports beside the checkout")
    return folder


def test_a_real_page_of_results_is_read(reports):
    found = read_document(reports / "report-f.txt")
    assert table(table_of(found))[1:] == [
        "Pretrained | 79.9% | 80% | 83.5%",
        "Random | 67.5% | 68.1% | 67.4%",
    ]
    assert ("equation", 1) in [(b.type, len(b.lines)) for b in found.blocks]


def test_real_equations_are_read_line_by_line(reports):
    found = read_document(reports / "report-g.txt")
    equations = [[line.text for line in b.lines] for b in found.blocks if b.type == "equation"]
    assert any(line.startswith("= 2 × 512^2 ") for lines in equations for line in lines)
    assert [len(lines) for lines in equations] == [3, 3, 1, 3, 3, 4]
