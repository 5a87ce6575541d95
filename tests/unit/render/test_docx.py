"""A document of Word: tables are tables, numbers have bookmarks, same input gives same bytes."""

import io
import zipfile
from pathlib import Path

import pytest

from reportgen.records import document as doc
from reportgen.render import RenderContext, bookmark_of, find_theme, render

docx = pytest.importorskip("docx", reason="python-docx is not installed")


@pytest.fixture(scope="module")
def content(written):
    (file,) = written("docx").values()
    return file


def test_word_can_open_it_and_finds_every_table_with_its_rows(report, content):
    opened = docx.Document(io.BytesIO(content))
    tables = [block for block in doc.walk(report.sections) if isinstance(block, doc.Table)]
    assert len(opened.tables) == len(tables)
    for made, table in zip(opened.tables, tables, strict=True):
        heads = 2 if any(column.group for column in table.columns) else 1
        assert len(made.rows) == heads + len(table.rows)
        assert [cell.text for cell in made.columns[0].cells][heads:] != [""] * len(table.rows)


def test_no_table_is_wider_than_the_page_and_columns_are_as_wide_as_their_words(content):
    opened = docx.Document(io.BytesIO(content))
    page = opened.sections[0]
    room = page.page_width - page.left_margin - page.right_margin
    widths = [[column.width for column in table.columns] for table in opened.tables]
    # Word counts in twentieths of a point.
    assert max(map(sum, widths)) <= 1.001 * room
    assert min(map(min, widths)) >= 0.025 * room
    assert all(len(set(each)) > 1 for each in widths)


def test_a_head_over_columns_spans_them(written):
    columns = tuple(doc.TableColumn(title=(name,), group=("a",)) for name in "bc")
    rows = (
        doc.TableRow(cells=(("1",), ("2",))),
        doc.TableRow(cells=(("3",), ("4",)), kind="total"),
    )
    table = doc.Table(id="t", caption=("c",), columns=columns, rows=rows)
    section = doc.Section(id="s", title="Section", blocks=(table,))
    (file,) = written("docx", of=doc.Report(title="T", sections=(section,))).values()
    (made,) = docx.Document(io.BytesIO(file)).tables
    told = [[cell.text for cell in row.cells] for row in made.rows]
    assert told == [["a", "a"], ["b", "c"], ["1", "2"], ["3", "4"]]


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("letter", (216, 279))])
def test_the_paper_is_the_one_asked_for(paper, size):
    of = doc.Report(title="T", sections=(doc.Section(id="s", title="S", blocks=()),))
    theme = find_theme("plain", home=Path(), paper=paper)
    (file,) = render(of, "docx", {}, RenderContext(theme=theme)).values()
    page = docx.Document(io.BytesIO(file)).sections[0]
    assert (round(page.page_width.mm), round(page.page_height.mm)) == size


def test_every_number_has_a_bookmark_made_of_its_id(report, content):
    markup = zipfile.ZipFile(io.BytesIO(content)).read("word/document.xml").decode()
    for number in doc.numbers(report):
        assert f'w:name="{bookmark_of(number.id)}"' in markup


def test_formulas_are_formulas_of_word(content):
    markup = zipfile.ZipFile(io.BytesIO(content)).read("word/document.xml").decode()
    assert "<m:oMathPara" in markup
    assert "<m:sSub" in markup
    # No line of an equation begins with a sign that has nothing before it.
    assert "<m:oMath><m:r><m:t>=" not in markup


def test_figures_are_pictures_with_words_for_those_who_cannot_see(content):
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert any(Path(name).suffix == ".png" for name in archive.namelist())
    assert 'descr="' in archive.read("word/document.xml").decode()
