"""The PDF reader on pages written operator by operator, and on our own beside other readers."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pdfplumber
import pytest
from fakes.manuscript_text import says
from fakes.page_parts import PROSE, rule, table, texts
from fakes.pdf import lines, pdf, row_at, stream, text_at
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents import Limits, read_document
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Manuscript


def drawn(part) -> bytes:
    """Return the operators of a part of a row's page."""
    if isinstance(part, list):
        x, y, text, *size = part
        return text_at(x, y, text, size=size[0] if size else 11)
    if "lines" in part:
        x, y, *size = part["at"]
        step, scale = (13, 9) if size == [9] else (14, size[0] if size else 11)
        return lines(*part["lines"], x=x, y=y, step=step, size=scale) + b"\n"
    return rule(*part["rule"]) if "rule" in part else f"{part['draw']}\n".encode()


@pytest.mark.parametrize("row", rows_beside(__file__), ids=lambda row: row["about"])
def test_what_is_read_of_pages(row, read):
    pages = row.get("pages") or [row["page"]]
    found = read(*(b"".join(map(drawn, page)) for page in pages), page=row.get("entries", ""))
    assert [says(block) for block in found.blocks] == row["says"]
    assert [problem.message for problem in found.problems] == row.get("told", [])
    assert (found.format, found.pages) == ("pdf", len(pages))


def test_a_place_is_a_page_and_a_line(read):
    found = read(lines("1 Results", "", "The accuracy", "is 79.9 %."), lines("It rises."))
    place = found.blocks[1].place(16, 20)
    assert (place.page, place.line) == (1, 3)
    assert found.blocks[2].place(0, 2).page == 2


def test_ligatures_and_letters_of_mathematics_are_letters(read):
    tounicode = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff>"
        b" endcodespacerange 4 beginbfchar <01> <FB03> <02> <D835DC51> <03> <2212>"
        b" <04> <00D7> endbfchar endcmap end"
    )
    font = (
        b"<< /Type /Font /Subtype /TrueType /BaseFont /Any /FirstChar 0 /LastChar 255"
        b" /ToUnicode 1000 0 R /Encoding /WinAnsiEncoding >>"
    )
    page = b"BT /F 11 Tf 72 700 Td (e\x01cient \x02 \x04 \x033) Tj ET"
    found = read(page, font=font, objects={1000: stream(tounicode)})
    assert texts(found) == ["efficient d × −3"]


@given(
    values=st.lists(
        st.lists(st.decimals(0, 99, places=2), min_size=3, max_size=3), min_size=2, max_size=6
    ),
    starts=st.lists(st.integers(0, 50), min_size=3, max_size=3),
)
def test_every_value_is_found_in_its_cell(tmp_path_factory, values, starts):
    edges = [150 + 90 * i + start for i, start in enumerate(starts)]
    rows = [
        [(72, f"Seed {i}"), *zip(edges, map(str, row), strict=True)] for i, row in enumerate(values)
    ]
    page = b"\n".join(row_at(700 - 14 * i, row) for i, row in enumerate(rows))
    path = tmp_path_factory.mktemp("table") / "report.pdf"
    path.write_bytes(pdf(page))
    assert table(read_document(path, Limits())) == [[text for _, text in row] for row in rows]


def test_text_of_an_included_figure_is_no_text_of_the_report(read):
    drawing = stream(
        b"0 0 200 150 re S\n" + row_at(120, [(10, "81.25"), (60, "best 80.5")]),
        entries="/Type /XObject /Subtype /Form /BBox [0 0 200 150]"
        " /Resources << /Font << /F 3 0 R >> >>",
    )
    page = (
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources"
        " << /Font << /F 3 0 R >> /XObject << /X 1000 0 R >> >> >>"
    )
    content = lines(PROSE, "Figure 1: accuracy 79.9.") + b" q 1 0 0 1 72 500 cm /X Do Q"
    found = read(content, objects={4: page.encode(), 1000: drawing})
    assert "\n".join(texts(found)) == f"{PROSE}\nFigure 1: accuracy 79.9."
    assert [p.level for p in found.problems] == ["note"]


# --- what cannot be read ------------------------------------------------------------------

FOREIGN_FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /Foo /Encoding /Identity-H /DescendantFonts"
    b" [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Foo /CIDSystemInfo"
    b" << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>"
)
FOUR = pdf(*(lines(f"{i}.5 is the value", f"of {i}.25 in {PROSE}") for i in range(4)))


@pytest.mark.parametrize(
    ("content", "limits", "why"),
    [
        (b"%PDF-1.7 nothing", {}, "cannot be read as a PDF"),
        (b"", {}, "cannot be read as a PDF"),
        (pdf(b"0 0 500 500 re f"), {}, "has no text that can be read: scanned, or printed as"),
        (
            pdf(b"BT /F 11 Tf 72 700 Td <00010002> Tj ET", font=FOREIGN_FONT),
            {},
            "fonts do not tell",
        ),
        (FOUR, {"pages": 3}, "more than 3 pages"),
        (FOUR, {"characters": 9}, "more than 9 characters"),
        (FOUR, {"lines": 5}, "more than 5 lines"),
        (FOUR, {"seconds": 0}, "more than 0 s"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path, content, limits, why):
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    with pytest.raises(EvidenceError, match=why) as caught:
        read_document(path, Limits(**limits))
    assert caught.value.remedy


def test_a_pdf_that_is_too_long_is_read_in_part(read):
    pages = (lines(f"The accuracy is 79.{i} %.") for i in range(5))
    found = read(*pages, limits=Limits(characters=60))
    assert texts(found) == ["The accuracy is 79.0 %.", "The accuracy is 79.1 %."]
    assert [problem.message for problem in found.problems] == [
        "has more than 60 characters: pages from 3 on were not read, and so are not checked"
    ]


def test_a_page_that_cannot_be_read_is_named(read):
    found = read(lines(PROSE), lines("lost"), objects={6: b"<< /Type /Font >>"})
    assert texts(found) == [PROSE]
    assert [p.message for p in found.problems] == ["page 2 cannot be read"]


# --- our own report, beside what poppler and pdfplumber find ------------------------------


@pytest.fixture(scope="module")
def own(project: Path) -> tuple[Path, Manuscript]:
    path = project / "tests" / "golden" / "tiny-reviews-hf" / "report.pdf"
    return path, read_document(path, Limits())


def test_numbers_are_those_that_poppler_finds(own):
    path, found = own
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    done = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, check=True)
    mine, theirs = (
        Counter(re.findall(r"\d+", text))
        for text in ("\n".join(texts(found)), done.stdout.decode())
    )
    # Poppler runs exponents into their base, and has the page numbers.
    for base in ("512", "32", "10"):
        raised = theirs.pop(f"{base}2", 0)
        theirs += Counter({base: raised, "2": raised})
    theirs -= Counter(map(str, range(1, found.pages + 1)))
    assert mine - theirs == Counter()
    assert (theirs - mine).total() <= 2


def follow(numbers: list[str], line: list[str]) -> bool:
    """Say whether numbers stand in a line one behind the other."""
    ends = range(len(line) - len(numbers) + 1)
    return any(line[at : at + len(numbers)] == numbers for at in ends)


def test_the_numbers_of_a_row_stand_in_one_line_of_pdfplumber(own):
    path, read_back = own
    number, found = re.compile(r"\d+(?:[.,]\d+)*"), []
    with pdfplumber.open(path) as document:
        theirs = {
            page.page_number: [number.findall(line) for line in page.extract_text().split("\n")]
            for page in document.pages
        }
    for row in (row for block in read_back.blocks for row in block.rows):
        numbers = number.findall(" ".join(cell.text for cell in row if cell.span))
        if len(numbers) > 1:
            found.append(any(follow(numbers, line) for line in theirs[row[0].line.page or 0]))
    assert len(found) > 20
    # A label that runs over two lines is one cell; its second number stands in the next line.
    assert sum(found) > 0.95 * len(found)
