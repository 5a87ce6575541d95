"""Documents of Word, written by python-docx."""

import io
import sys
import zipfile
from pathlib import Path

import pytest
from fakes.manuscript_files import FILES
from fakes.manuscript_text import read, table, table_of
from fakes.rows import rows_beside

from reportgen.records.errors import EvidenceError, MissingExtraError

ROWS = rows_beside(__file__)
docx = pytest.importorskip("docx")

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def xml(text: str):
    from docx.oxml import parse_xml

    return parse_xml(text.replace(">", f" {NAMESPACES}>", 1))


def written(folder: Path, write, **limits):
    """Return the document that a function wrote, read back."""
    document, buffer = docx.Document(), io.BytesIO()
    write(document)
    document.save(buffer)
    return read(folder, "report.docx", buffer.getvalue(), **limits)


def test_styles_tell_headings_items_and_captions(tmp_path):
    def write(document):
        document.add_heading("A lab report", 0)
        document.add_heading("Results", 2)
        document.add_paragraph("Text\nin two lines.")
        document.add_paragraph("first", style="List Bullet")
        document.add_paragraph("inner", style="List Number 2")
        document.add_paragraph("Accuracy of runs", style="Caption")
        document.add_paragraph("Table 2: Loss of runs")

    found = written(tmp_path, write).blocks
    assert [(b.type, b.level, b.text) for b in found] == [
        ("heading", 1, "A lab report"),
        ("heading", 2, "Results"),
        ("paragraph", 0, "Text\nin two lines."),
        ("item", 1, "first"),
        ("item", 2, "inner"),
        ("caption", 0, "Accuracy of runs"),
        ("caption", 0, "Table 2: Loss of runs"),
    ]
    assert [b.lines[0].number for b in found] == [1, 2, 3, 4, 5, 6, 7]


def test_merged_cells_are_repeated(tmp_path):
    rows = [["Seed", "Acc", ""], ["", "valid", "test"], ["0", "80.5", "79.25"]]

    def write(document):
        made = document.add_table(rows=3, cols=3)
        for i, row in enumerate(rows):
            for j, text in enumerate(row):
                made.cell(i, j).text = text
        made.cell(0, 1).merge(made.cell(0, 2))
        made.cell(0, 0).merge(made.cell(1, 0))

    block = table_of(written(tmp_path, write))
    assert table(block) == ["Seed | Acc<2> | Acc<0>", "Seed<0> | valid | test", "0 | 80.5 | 79.25"]
    assert block.head == 2


def test_rows_that_are_all_marked_as_heads_are_none(tmp_path):
    from docx.oxml import OxmlElement

    def write(document):
        made = document.add_table(rows=2, cols=2)
        for i, texts in enumerate([["Loss", "F1"], ["0.31", "0.74"]]):
            made.rows[i]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
            for j, text in enumerate(texts):
                made.cell(i, j).text = text

    assert table_of(written(tmp_path, write)).head == 1


@pytest.mark.parametrize(("inside", "seen"), ROWS["what_a_reader_sees_of_a_paragraph"])
def test_what_a_reader_sees_of_a_paragraph(inside, seen, tmp_path):
    found = written(tmp_path, lambda d: d.element.body.insert(0, xml(f"<w:p>{inside}</w:p>")))
    assert [block.text for block in found.blocks] == [seen]


def repacked(change) -> bytes:
    """Return the sample with each part as a function changes it."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(FILES["docx"][1])) as old,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return buffer.getvalue()


def with_entity(name: str, part: bytes) -> bytes:
    entity = b'?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
    return part.replace(b"?>", entity, 1) if name == "word/document.xml" else part


def with_bomb(name: str, part: bytes) -> bytes:
    return part + b" " * 70_000_000 if name == "word/styles.xml" else part


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"no zip", "is no document of Word"),
        (repacked(with_entity), "declares entities"),
        (repacked(with_bomb), "unpacks to 70,"),
        (repacked(lambda name, part: part[: len(part) // 2]), "is no document of Word"),
    ],
)
def test_what_is_hostile_or_damaged_is_refused(content, why, tmp_path):
    with pytest.raises(EvidenceError, match=why) as caught:
        read(tmp_path, "report.docx", content)
    assert caught.value.remedy


def test_a_document_that_is_too_long_is_cut_and_named(tmp_path):
    def write(document):
        for i in range(9):
            document.add_paragraph(f"Value {i}.5")

    found = written(tmp_path, write, lines=4)
    assert len(found.blocks) == 4
    assert "longer than what is read" in found.problems[0].message


def test_without_the_extra_it_is_said_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(MissingExtraError, match="python-docx is not installed") as caught:
        read(tmp_path, "report.docx", FILES["docx"][1])
    assert "python-docx" in caught.value.remedy
