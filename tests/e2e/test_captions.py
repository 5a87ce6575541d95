"""A caption stands whole above its table, wherever a column ends."""

from pathlib import Path

import pytest
from fakes.page_boxes import words_of

from reportgen.records.document import Paragraph, Report, Section, Table, TableColumn, TableRow
from reportgen.render import RenderContext, find_theme, render_pdf

CAPTION = "first " + "words of a caption that takes some lines of a narrow column " * 3 + "last"


def report_with(lines):
    """Return a report whose table comes after that many lines of a column."""
    rows = tuple(TableRow(cells=((f"row{n}",), (str(n),))) for n in range(4))
    columns = (TableColumn(title=("Head",)), TableColumn(title=("Value",)))
    table = Table(id="t", caption=(CAPTION,), columns=columns, rows=rows)
    filler = tuple(Paragraph(text=(f"filler {n}",)) for n in range(lines))
    return Report(title="T", sections=(Section(id="s", title="S", blocks=(*filler, table)),))


@pytest.mark.parametrize("theme", ["acl", "plain"])
@pytest.mark.parametrize("columns", [1, 2])
def test_no_column_ends_in_a_caption_or_behind_it(tmp_path, theme, columns):
    context = RenderContext(theme=find_theme(theme, home=tmp_path, columns=columns))
    moved = set()
    for lines in range(22, 52, 2):
        report = report_with(lines)
        found = render_pdf(report, {}, context, engine="typst", timestamp=0)
        places = places_of(found.pdf, tmp_path / "r.pdf", columns)
        whole = {word: places[word] for word in ("first", "last", "row0")}
        assert len(set(whole.values())) == 1, (lines, whole)
        moved.add(places["first"])
    assert len(moved) > 1


def places_of(content: bytes, path: Path, columns: int):
    """Return page and column of the first of each word."""
    path.write_bytes(content)
    found = {}
    for page in words_of(path):
        for word, box in zip(page.words, page.boxes, strict=True):
            found.setdefault(word, (page.number, columns == 2 and bool(box[0] > page.width / 2)))
    return found
