"""Columns, furniture, figures and lists of a PDF's pages, refusals, and our own reports."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from fakes.page_parts import PROSE, rule, table, texts
from fakes.pdf import lines, pdf, row_at, stream, text_at, width

from reportgen.read.documents import Limits, read_document
from reportgen.records.errors import EvidenceError
from reportgen.records.manuscript import Block, Manuscript


def two_columns(left: list[str], right: list[str], *, top: float = 700) -> bytes:
    return (
        lines(*left, x=60, y=top, step=13, size=9)
        + b"\n"
        + lines(*right, x=310, y=top, step=13, size=9)
    )


LEFT = [f"left {i}: words of the first column that fill it here" for i in range(12)]


RIGHT = [f"right {i}: words of the other one, which is as wide" for i in range(12)]


class TestColumns:
    def test_columns_are_read_one_after_the_other(self, read):
        found = "\n".join(texts(read(two_columns(LEFT, RIGHT))))
        assert found.split("\n") == [*LEFT, *RIGHT]

    def test_a_table_over_both_columns_stays_whole(self, read):
        cells = (60, 200, 320, 440)
        rows = [
            row_at(760 - 14 * i, list(zip(cells, row, strict=True)), size=9)
            for i, row in enumerate(
                (
                    ("Model", "Valid", "Test", "Step"),
                    ("Pre", "80.1", "79.2", "1800"),
                    ("Random", "65.0", "64.1", "900"),
                )
            )
        ]
        page = b"\n".join([rule(60, 520, 772), *rows, rule(60, 520, 726)])
        found = read(page + b"\n" + two_columns(LEFT, RIGHT))
        assert table(found)[1] == ["Pre", "80.1", "79.2", "1800"]
        assert "\n".join(texts(found)[1:]).split("\n") == [*LEFT, *RIGHT]

    def test_a_table_in_one_column_stays_in_it(self, read):
        right = [*RIGHT[:5], "", "", "", "", *RIGHT[5:]]
        inside = b"\n".join(
            row_at(700 - 13 * (5 + i), [(320, name), (400, one), (440, other)], size=9)
            for i, (name, one, other) in enumerate(
                (("Model", "Valid", "Test"), ("Pre", "80.1", "79.2"), ("Random", "65.0", "64.1"))
            )
        )
        left = [*LEFT, "left again", "left again", "left again", "left again"]
        found = read(two_columns(left, right) + b"\n" + inside)
        assert table(found)[2] == ["Random", "65.0", "64.1"]

    def test_a_table_of_words_and_numbers_is_no_page_of_columns(self, read):
        rows = [
            (f"a setting whose name is long {i}", f"{i}.5 which is its value there")
            for i in range(4)
        ]
        page = lines(*(PROSE for _ in range(12)), y=780)
        page += b"\n" + b"\n".join(
            row_at(500 - 14 * i, [(72, a), (320, b)]) for i, (a, b) in enumerate(rows)
        )
        assert "a setting whose name is long 0" in texts(read(page))[-1].split("\n")[0]
        assert "0.5 which" in texts(read(page))[-1].split("\n")[0]


class TestFurniture:
    def test_page_numbers_are_dropped(self, read):
        for number in ("1", "- 1 -", "1 / 3", "Page 1 of 3", "iv"):
            found = read(lines(PROSE, "2 of 3 seeds.") + b"\n" + text_at(290, 40, number))
            assert texts(found) == [f"{PROSE}\n2 of 3 seeds."], number

    def test_headers_that_repeat_are_dropped(self, read):
        pages = [
            text_at(72, 815, "Lab 3: fine-tuning")
            + text_at(480, 815, f"Group 12, {i}")
            + b"\n"
            + lines(f"Value {i}.5 of page {i}.", PROSE)
            for i in (1, 2, 3)
        ]
        found = read(*pages)
        assert not any("Lab 3" in text for text in texts(found))
        assert [t.split("\n")[0] for t in texts(found)] == [
            f"Value {i}.5 of page {i}." for i in (1, 2, 3)
        ]

    def test_the_first_row_of_a_table_is_no_header(self, read):
        page = row_at(800, [(72, "Seed 0"), (200, "80.5"), (260, "79.5")])
        page += row_at(786, [(72, "Seed 1"), (200, "81.5"), (260, "78.5")])
        other = row_at(800, [(72, "Seed 2"), (200, "82.5"), (260, "77.5")])
        other += row_at(786, [(72, "Seed 3"), (200, "83.5"), (260, "76.5")])
        found = "\n".join(texts(read(page, other)))
        assert re.findall(r"\d\d\.5", found) == [
            *("80.5", "79.5", "81.5", "78.5", "82.5", "77.5", "83.5", "76.5")
        ]

    def test_numbers_of_lines_in_the_margin_are_dropped(self, read):
        rows = [row_at(780 - 14 * i, [(40, f"{i + 1:>2}"), (72, PROSE)]) for i in range(9)]
        assert not re.search(r"\d", texts(read(b"\n".join(rows)))[0])

    def test_numbers_of_lines_of_code_are_dropped(self, read):
        rows = [(60, "1"), (72, "r = 16")], [(60, "2"), (72, "alpha = 32")], [(60, "3"), (72, "x")]
        code = b"".join(row_at(700 - 12 * i, row) for i, row in enumerate(rows))
        found = "\n".join(texts(read(lines(PROSE) + b"\n" + code)))
        assert found == f"{PROSE}\nr = 16\nalpha = 32\nx"

    def test_a_column_of_epochs_is_kept(self, read):
        rows = [row_at(780 - 14 * i, [(72, f"{i}"), (120, f"{70 + i}.5")]) for i in range(1, 10)]
        found = read(b"\n".join([*rows, text_at(40, 600, PROSE)]))
        assert table(found)[8] == ["9", "79.5"]


class TestFigures:
    def test_text_of_an_included_figure_is_no_text_of_the_report(self, read):
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

    def test_ticks_of_a_drawn_plot_are_dropped_and_its_caption_kept(self, read):
        curve = "100 500 m " + " ".join(f"{100 + 20 * i} {500 + 9 * i} l" for i in range(1, 9))
        drawn = f"{curve} S 100 480 m 300 480 l S 100 480 m 100 600 l S".encode()
        ticks = row_at(466, [(100, "0"), (200, "1000"), (290, "2000")])
        ticks += text_at(78, 500, "80.0") + text_at(78, 580, "81.0")
        caption = lines(PROSE) + b"\n" + text_at(100, 440, "Figure 1: best value 80.9.")
        found = read(drawn + b"\n" + ticks + b"\n" + caption)
        assert texts(found) == [PROSE, "Figure 1: best value 80.9."]

    def test_text_in_a_rounded_box_is_text(self, read):
        box = b"80 690 m 500 690 l 510 690 510 700 510 700 c 510 800 l 80 800 l 70 800 70 790 "
        box += b"70 790 c 70 700 l h S"
        assert texts(read(box + b"\n" + lines(PROSE, "r = 16")))[0].startswith(PROSE)


class TestLists:
    def test_drawn_marks_make_items(self, read):
        marks = b"".join(f"70 {y + 2} 4 4 re f\n".encode() for y in (700, 672))
        page = marks + text_at(84, 700, "r = 16 is the") + text_at(84, 686, "rank")
        page += text_at(84, 672, "alpha = 32")
        found = read(page)
        assert [(b.type, b.text) for b in found.blocks] == [
            ("item", "r = 16 is the\nrank"),
            ("item", "alpha = 32"),
        ]

    def test_a_dot_between_words_is_no_mark(self, read):
        page = b"128 702 4 4 re f\n" + text_at(72, 700, "r = 16 is") + text_at(138, 700, "rank")
        assert "•" not in texts(read(page))[0]

    def test_a_drawn_underscore_is_one(self, read):
        end = 72 + width("set lora") + 0.6
        page = text_at(72, 700, "set lora") + rule(end, end + 3.3, 699.7)
        page += text_at(end + 3.3, 700, "alpha = 32")
        assert texts(read(page)) == ["set lora_alpha = 32"]


class TestRefusals:
    def refused(self, tmp_path: Path, content: bytes, limits: Limits | None = None) -> str:
        path = tmp_path / "report.pdf"
        path.write_bytes(content)
        with pytest.raises(EvidenceError) as caught:
            read_document(path, limits or Limits())
        assert caught.value.remedy
        return caught.value.message.removeprefix(str(path)).strip()

    def test_a_file_that_is_no_pdf(self, tmp_path):
        assert self.refused(tmp_path, b"%PDF-1.7 nothing") == "cannot be read as a PDF"
        assert self.refused(tmp_path, b"") == "cannot be read as a PDF"

    def test_no_text_at_all(self, tmp_path):
        told = self.refused(tmp_path, pdf(b"0 0 500 500 re f"))
        assert told == "has no text that can be read: scanned, or printed as images"

    def test_a_pdf_that_is_too_long_is_read_in_part(self, tmp_path):
        path = tmp_path / "report.pdf"
        path.write_bytes(pdf(*(lines(f"The accuracy is 79.{i} %.") for i in range(5))))
        found = read_document(path, Limits(characters=60))
        assert texts(found) == ["The accuracy is 79.0 %.", "The accuracy is 79.1 %."]
        assert [problem.message for problem in found.problems] == [
            "has more than 60 characters: pages from 3 on were not read, and so are not checked"
        ]

    def test_fonts_that_do_not_tell_their_characters(self, tmp_path):
        font = (
            b"<< /Type /Font /Subtype /Type0 /BaseFont /Foo /Encoding /Identity-H /DescendantFonts"
            b" [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Foo /CIDSystemInfo"
            b" << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>"
        )
        told = self.refused(tmp_path, pdf(b"BT /F 11 Tf 72 700 Td <00010002> Tj ET", font=font))
        assert "fonts do not tell" in told

    def test_too_many_pages_characters_lines_and_too_little_time(self, tmp_path):
        content = pdf(*(lines(f"{i}.5 is the value", f"of {i}.25 in {PROSE}") for i in range(4)))
        assert "more than 3 pages" in self.refused(tmp_path, content, Limits(pages=3))
        assert "more than 9 characters" in self.refused(tmp_path, content, Limits(characters=9))
        assert "more than 5 lines" in self.refused(tmp_path, content, Limits(lines=5))
        assert "more than 0 s" in self.refused(tmp_path, content, Limits(seconds=0))

    def test_a_page_that_cannot_be_read_is_named(self, read):
        found = read(lines(PROSE), lines("lost"), objects={6: b"<< /Type /Font >>"})
        assert texts(found) == [PROSE]
        assert [p.message for p in found.problems] == ["page 2 cannot be read"]


DIGITS = re.compile(r"\d+")


def numbers_of(manuscript: Manuscript) -> Counter[str]:
    return Counter(DIGITS.findall("\n".join(texts(manuscript))))


def poppler(path: Path) -> Counter[str]:
    """Return the numbers that another program finds."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    done = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, check=True)
    return Counter(DIGITS.findall(done.stdout.decode()))


@pytest.mark.slow
class TestOwnReports:
    """The sample lab's report of both engines, read back."""

    def check(self, folder: Path) -> None:
        found = read_document(folder / "report.pdf", Limits())
        theirs = poppler(folder / "report.pdf")
        # Poppler runs exponents into their base, and has the page numbers.
        for base in ("512", "10"):
            raised = theirs.pop(f"{base}2", 0)
            theirs += Counter({base: raised, "2": raised})
        theirs -= Counter(map(str, range(1, found.pages + 1)))
        assert numbers_of(found) - theirs == Counter()
        assert (theirs - numbers_of(found)).total() <= 2
        self.check_tables(found, read_document(folder / "report.md", Limits()))

    def check_tables(self, found: Manuscript, written: Manuscript) -> None:
        """Compare the cells of the small tables with those of the Markdown report."""
        mine = {caption(b): values(b) for b in found.blocks if b.type == "table"}
        theirs = {caption(b): values(b) for b in written.blocks if b.type == "table"}
        both = [key for key in theirs if key in mine and theirs[key]]
        # What follows the references is read as pages of a bibliography.
        assert len(both) > 2
        flat = {
            key: [Counter(n for row in of[key] for n in row) for of in (mine, theirs)]
            for key in both
        }
        # A table that goes on over the page is two, the second without its caption.
        assert sum(not pair[0] - pair[1] for pair in flat.values()) > 0.9 * len(both)
        # Rows are equal where no cell of the PDF goes on in a second line.
        assert sum(mine[key] == theirs[key] for key in both) > 0.6 * len(both), both

    def test_by_typst(self, built: Path):
        self.check(built)

    @pytest.mark.latex
    def test_by_pdflatex(self, built_latex: Path):
        self.check(built_latex)


def caption(block: Block) -> str:
    return re.sub(r"\W+", " ", block.caption)[:40]


def values(block: Block) -> list[list[str]]:
    """Return the numbers of each row of a table, as they are printed."""
    rows = [DIGITS.findall(" ".join(c.text for c in row if c.span)) for row in block.rows]
    return [row for row in rows if row]
