"""Names that an engine spells by their code points stay on the page, in heads, cells and spans."""

import pytest
from fakes.page_boxes import words_of
from fakes.pdf_engines import complaints, require_pdflatex

from reportgen.records.document import (
    Code,
    Emphasis,
    Report,
    Section,
    Table,
    TableColumn,
    TableRow,
)
from reportgen.render import RenderContext, find_theme, render_pdf

POINTS = 72 / 25.4  # a millimetre

NAMES = ("事前学習済み", "随机初始化的模型", "🚀🔥 run", "модель", "예비 학습 모델")
HANGING = 3


def table_of(names):
    """Return a table with names as rows, as heads, and above heads."""
    columns = (
        TableColumn(title=("Group",)),
        *(TableColumn(title=(name,), align="right", group=("合計 平均",)) for name in names[:2]),
        TableColumn(title=("Path",)),
    )
    rows = tuple(
        TableRow(cells=((Emphasis((name,)),), ("1.5",), ("2.5",), (Code(f"logs/{name}"),)))
        for name in names
    )
    return Table(id="t", caption=("Names.",), columns=columns, rows=rows)


@pytest.mark.latex
@pytest.mark.parametrize("engine", ["typst", "latex"])
@pytest.mark.parametrize("theme", ["plain", "acl"])
def test_no_name_leaves_the_page_or_covers_another(tmp_path, engine, theme):
    if engine == "latex":
        require_pdflatex()
    report = Report(title="T", sections=(Section(id="s", title="S", blocks=(table_of(NAMES),)),))
    look = find_theme(theme, home=tmp_path)
    found = render_pdf(report, {}, RenderContext(theme=look), engine=engine, timestamp=0)
    (tmp_path / "r.pdf").write_bytes(found.pdf)
    pages = words_of(tmp_path / "r.pdf")
    text = "".join(word for page in pages for word in page.words)
    assert "[U+" in text
    side = look.page.side * POINTS - HANGING
    assert [word for page in pages for word in page.outside(side, 0, side, 0)] == []
    assert [pair for page in pages for pair in page.collisions()] == []
    if engine == "latex":
        assert complaints(found) == []
