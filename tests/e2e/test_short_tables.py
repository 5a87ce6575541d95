"""Short tables on pages of two columns: whole, in one column of one page."""

from pathlib import Path

import pytest
from fakes.page_boxes import words_of

from reportgen.records.document import Paragraph, Report, Section, Table, TableColumn, TableRow
from reportgen.render import RenderContext, find_theme, render_pdf

TABLES = 14


def table(number: int, rows: int) -> Table:
    return Table(
        id=f"t{number}",
        caption=("What was measured of one run.",),
        columns=(TableColumn(title=("Row",)), TableColumn(title=("Value",))),
        rows=tuple(TableRow(cells=((f"t{number}r{row}",), (str(row),))) for row in range(rows)),
    )


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Return the page and the column of each row, on pages whose text ends anywhere."""
    blocks = []
    for number in range(TABLES):
        blocks.append(Paragraph(text=("Words that fill some lines. " * (3 + 5 * number % 17),)))
        blocks.append(table(number, 4 + number % 9))
    report = Report(title="Title", sections=(Section(id="s", title="S", blocks=tuple(blocks)),))
    theme = find_theme("acl", home=Path(), paper="a4", columns=2)
    made = render_pdf(
        report, {}, RenderContext(theme=theme),
        engine="typst", attachments={}, timestamp=0,
    )  # fmt: skip
    path = tmp_path_factory.mktemp("tables") / "r.pdf"
    path.write_bytes(made.pdf)
    assert made.warnings == ()
    return {
        word: (page.number, bool(left > page.width / 2))
        for page in words_of(path)
        for word, (left, *_) in zip(page.words, page.boxes, strict=True)
    }


def test_no_short_table_is_parted(places):
    for number in range(TABLES):
        rows = [places[f"t{number}r{row}"] for row in range(4 + number % 9)]
        assert len(set(rows)) == 1, (number, rows)


def test_the_tables_stand_on_several_pages_and_in_both_columns(places):
    stands = {places[f"t{number}r0"] for number in range(TABLES)}
    assert len({page for page, _ in stands}) > 1
    assert {right for _, right in stands} == {True, False}
