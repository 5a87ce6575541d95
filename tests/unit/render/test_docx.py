"""A document of Word: tables are tables, numbers have bookmarks, same input gives same bytes."""

import io
import zipfile
from pathlib import Path

import pytest

from reportgen.records.document import (
    Report,
    Section,
    Table,
    TableColumn,
    TableRow,
    numbers,
    walk,
)
from reportgen.render import bookmark_of

docx = pytest.importorskip("docx", reason="python-docx is not installed")


@pytest.fixture(scope="module")
def content(written):
    (file,) = written("docx").values()
    return file


def test_word_can_open_it_and_finds_every_table_with_its_rows(report, content):
    opened = docx.Document(io.BytesIO(content))
    tables = [block for block in walk(report.sections) if isinstance(block, Table)]
    assert [len(table.rows) - 1 for table in opened.tables] == [len(t.rows) for t in tables]


def test_columns_have_room_for_their_words_and_no_table_is_wider_than_the_page(content):
    opened = docx.Document(io.BytesIO(content))
    page = opened.sections[0]
    room = page.page_width - page.left_margin - page.right_margin
    widths = [[column.width for column in table.columns] for table in opened.tables]
    # Word counts in twentieths of a point.
    assert max(map(sum, widths)) <= 1.001 * room
    assert min(map(min, widths)) >= 0.025 * room
    assert all(len(set(each)) > 1 for each in widths)


@pytest.mark.parametrize(("lang", "head"), [("en", "a: b"), ("fr", "a\N{NO-BREAK SPACE}: b")])
def test_a_head_over_columns_stands_before_each_as_the_language_writes_it(written, lang, head):
    columns = (TableColumn(title=("b",), group=("a",)),)
    table = Table(id="t", caption=("c",), columns=columns, rows=(TableRow(cells=(("1",),)),))
    section = Section(id="s", title="Section", blocks=(table,))
    (file,) = written("docx", of=Report(title="T", lang=lang, sections=(section,))).values()
    assert docx.Document(io.BytesIO(file)).tables[0].rows[0].cells[0].text == head


def test_every_number_has_a_bookmark_made_of_its_id(report, content):
    markup = zipfile.ZipFile(io.BytesIO(content)).read("word/document.xml").decode()
    for number in numbers(report):
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
