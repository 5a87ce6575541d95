"""Short tables on pages of one and two columns: whole with their captions, in one column."""

from pathlib import Path

import pytest
from fakes.page_boxes import words_of

from reportgen.records.document import Paragraph, Report, Section, Table, TableColumn, TableRow
from reportgen.render import RenderContext, find_theme, render_pdf

TABLES = 28
CAPTION = "words of a caption that takes some lines of a narrow column " * 3


def rows_of(number: int) -> list[str]:
    return [f"t{number}r{row}" for row in range(4 + number % 9)]


def table(number: int) -> Table:
    return Table(
        id=f"t{number}",
        caption=(f"first{number} {CAPTION} last{number}",),
        columns=(TableColumn(title=("Row",)), TableColumn(title=("Value",))),
        rows=tuple(TableRow(cells=((name,), ("1",))) for name in rows_of(number)),
    )


@pytest.mark.parametrize("theme", ["acl", "plain"])
@pytest.mark.parametrize("columns", [1, 2])
def test_no_short_table_and_no_caption_is_parted(tmp_path, theme, columns):
    blocks = []
    for number in range(TABLES):
        blocks.append(Paragraph(text=("Words that fill some lines. " * (3 + 5 * number % 17),)))
        blocks.append(table(number))
    report = Report(title="Title", sections=(Section(id="s", title="S", blocks=tuple(blocks)),))
    look = RenderContext(theme=find_theme(theme, home=Path(), paper="a4", columns=columns))
    made = render_pdf(report, {}, look, engine="typst", timestamp=0)
    assert made.warnings == ()
    (tmp_path / "r.pdf").write_bytes(made.pdf)
    places = {
        word: (page.number, columns == 2 and bool(left > page.width / 2))
        for page in words_of(tmp_path / "r.pdf")
        for word, (left, *_) in zip(page.words, page.boxes, strict=True)
    }
    for number in range(TABLES):
        words = [f"first{number}", f"last{number}", *rows_of(number)]
        assert len({places[word] for word in words}) == 1, number
    stands = {places[f"t{number}r0"] for number in range(TABLES)}
    assert len({page for page, _ in stands}) > 1
    assert len({right for _, right in stands}) == columns
