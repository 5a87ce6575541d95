"""The PDF reader on pages written operator by operator, so that every place is known."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from fakes.pdf import lines, pdf, row_at, stream, text_at, typeset, width
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.errors import EvidenceError
from reportgen.manuscripts._limits import Limits
from reportgen.manuscripts.markdown import read_markdown
from reportgen.manuscripts.pdf import read_pdf
from reportgen.records.manuscript import Block, Manuscript

PROSE = "The model was trained for five epochs on all of the reviews of the course."


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a page or several, or a whole file."""

    def read(*contents: bytes, limits: Limits | None = None, **options) -> Manuscript:
        path = tmp_path / "report.pdf"
        path.write_bytes(pdf(*contents, **options))
        return read_pdf(path, limits or Limits())

    return read


def texts(manuscript: Manuscript, kind: str = "") -> list[str]:
    return [b.text for b in manuscript.blocks if not kind or b.type == kind]


def table(manuscript: Manuscript) -> list[list[str]]:
    (found,) = [b for b in manuscript.blocks if b.type == "table"]
    return [[cell.text for cell in row] for row in found.rows]


def rule(x0: float, x1: float, y: float) -> bytes:
    return f"{x0} {y - 0.25} {x1 - x0} 0.5 re f\n".encode()


class TestText:
    def test_a_paragraph_keeps_page_and_lines(self, read):
        found = read(lines("1 Results", "", "The accuracy", "is 79.9 %."), lines("It rises."))
        assert texts(found) == ["1 Results", "The accuracy\nis 79.9 %.", "It rises."]
        place = found.blocks[1].place(16, 20)
        assert (place.page, place.line) == (1, 3)
        assert found.blocks[2].place(0, 2).page == 2
        assert found.pages == 2
        assert found.format == "pdf"

    def test_a_turned_page_reads_like_an_upright_one(self, read):
        upright = b"q " + lines("The accuracy", "is 79.9 %.") + b" Q"
        for degrees, matrix in (
            (90, "0 1 -1 0 595 0"),
            (180, "-1 0 0 -1 595 842"),
            (270, "0 -1 1 0 0 842"),
        ):
            turned = f"{matrix} cm ".encode() + upright
            found = read(turned, page=f"/Rotate {degrees}")
            assert texts(found) == ["The accuracy\nis 79.9 %."], degrees

    def test_an_exponent_stays_with_its_base(self, read):
        page = typeset(72, 700, "4 x 512", ("2", 7, 4), " = 1048576")
        assert texts(read(page)) == ["4 x 512^2 = 1048576"]

    def test_an_exponent_of_browsers_is_hardly_smaller(self, read):
        page = typeset(72, 700, "512", ("2", 9.2, 3.9), " = 262144")
        assert texts(read(page)) == ["512^2 = 262144"]

    def test_a_negative_exponent_is_kept_together(self, read):
        page = typeset(72, 700, "lr 10", ("-5", 7, 4))
        assert texts(read(page)) == ["lr 10^{-5}"]

    def test_an_index_and_an_exponent_of_one_base(self, read):
        at = 72 + width("4d")
        page = typeset(72, 700, "4d", ("model", 7, -3)) + text_at(at, 704, "2", size=7)
        page += text_at(at + width("model", 7), 700, " = 8")
        assert texts(read(page)) == ["4d_model^2 = 8"]

    def test_a_small_spread_below_a_value_is_a_spread(self, read):
        page = typeset(72, 700, "80.5", ("±0.3", 7, -3))
        assert texts(read(page)) == ["80.5 ± 0.3"]

    def test_digits_of_a_smaller_line_below_are_no_index(self, read):
        page = text_at(72, 700, "accuracy 80.5") + text_at(
            72 + width("accuracy 80.5"), 688, "3", size=7
        )
        assert "_" not in texts(read(page))[0]

    def test_a_footnote_mark_does_not_change_its_number(self, read):
        page = typeset(72, 700, "Accuracy is 78.5", ("1", 7, 4), " on test.")
        page += typeset(72, 87, ("1", 6, 3), ("Of 2000 examples.", 9, 0))
        assert texts(read(page)) == ["Accuracy is 78.5 on test.", "Of 2000 examples."]

    def test_an_exponent_stays_where_a_footnote_has_the_same_mark(self, read):
        page = typeset(72, 700, "N = 512", ("2", 7, 4))
        page += typeset(72, 87, ("2", 6, 3), ("Without biases.", 9, 0))
        assert texts(read(page))[0] == "N = 512^2"

    def test_a_power_is_kept_where_a_footnote_could_be_meant(self, read):
        note = typeset(72, 87, ("2", 6, 3), ("Without biases.", 9, 0))
        for base, wanted in (
            ("has 512", "has 512^2"),
            ("at x", "at x^2"),
            ("is 78.5", "is 78.5"),
            ("on test.", "on test."),
        ):
            found = read(typeset(72, 700, base, ("2", 7, 4), " and more") + note)
            assert texts(found)[0] == f"{wanted} and more", base

    def test_thin_spaces_inside_numbers_stay_inside(self, read):
        wide = width("1") + 1.8, width("572") + 1.8
        page = text_at(72, 700, "1") + text_at(72 + wide[0], 700, "572")
        page += text_at(72 + sum(wide), 700, "864")
        assert texts(read(page)) == ["1\u202f572\u202f864"]

    def test_words_broken_at_the_end_of_a_line_are_joined(self, read):
        page = lines(
            "We use inter-",
            "nationalisation of pre-",
            "trained models and pre-trained",
            "ones, and counts.",
        )
        assert texts(read(page)) == [
            "We use internationalisation\nof pre-trained\nmodels and pre-trained\nones, and counts."
        ]

    def test_ligatures_and_letters_of_mathematics_are_letters(self, read):
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


def fraction(x: float, y: float, over: str, under: str) -> tuple[bytes, float]:
    """Return what draws a fraction on the line of a text, and where it ends."""
    end = x + max(width(over), width(under)) + 2
    middle = (x + end) / 2
    drawn = text_at(middle - width(over) / 2, y + 7, over)
    drawn += text_at(middle - width(under) / 2, y - 8, under)
    return drawn + rule(x, end, y + 2.8), end


class TestFormulas:
    def line(self, before: str, over: str, under: str, behind: str) -> bytes:
        drawn, end = fraction(72 + width(before), 700, over, under)
        return text_at(72, 700, before) + drawn + text_at(end, 700, behind)

    def test_a_fraction_is_one_word(self, read):
        assert texts(read(self.line("s = ", "32", "16", " = 2"))) == ["s = 32/16 = 2"]

    def test_a_fraction_that_multiplies_is_in_brackets(self, read):
        assert texts(read(self.line("4", "1", "2", " = 2"))) == ["4(1/2) = 2"]

    def test_sums_in_a_fraction_are_in_brackets(self, read):
        found = read(self.line("m = ", "80 + 82", "2", " = 81"))
        assert texts(found) == ["m = (80 + 82)/2 = 81"]

    def test_lines_above_and_below_a_fraction_stay_out_of_it(self, read):
        page = text_at(72, 714, "we then find 80 and 82") + self.line("s = ", "32", "16", " = 2")
        page += text_at(72, 685, "for r = 16 in all")
        found = texts(read(page))
        assert "".join(found).count("32/16") == 1
        assert "80 and 82" in found[0]

    def test_a_head_over_two_columns_beside_another_is_no_fraction(self, read):
        page = text_at(72, 694, "Seed") + text_at(127, 703, "Accuracy") + rule(112, 190, 698)
        page += row_at(686, [(115, "Valid"), (162, "Test")])
        page += row_at(672, [(72, "0"), (115, "80.5"), (162, "79.5")])
        assert "/" not in "".join(texts(read(page)))

    def test_the_number_of_an_equation_is_in_its_first_line(self, read):
        page = text_at(200, 700, "N = 4 x 512") + text_at(450, 692, "(1)")
        page += text_at(212, 684, "= 2048")
        assert texts(read(page))[0].split("\n")[0].endswith("  (1)")

    def test_rules_of_a_table_make_no_fraction(self, read):
        page = row_at(700, [(80, "Valid"), (130, "Test")]) + rule(70, 170, 696)
        page += row_at(684, [(80, "80.1"), (130, "79.2")]) + rule(70, 170, 680)
        page += row_at(668, [(80, "70.1"), (130, "69.2")])
        assert table(read(page)) == [["Valid", "Test"], ["80.1", "79.2"], ["70.1", "69.2"]]

    def test_an_underlined_word_is_no_fraction(self, read):
        start = 72 + width("an ")
        page = text_at(72, 700, "an 80.5 under") + rule(start, start + width("80.5"), 698.5)
        page += text_at(72, 686, "by 71.5 below")
        assert texts(read(page)) == ["an 80.5 under\nby 71.5 below"]


class TestTables:
    def test_columns_stand_apart_whatever_they_measure(self, read):
        page = row_at(700, [(72, "Model"), (214, "Valid"), (252, "Test")])
        page += row_at(686, [(72, "RoBERTa small, pretrained"), (214, "80.00"), (252, "78.50")])
        page += row_at(672, [(72, "Random"), (220, "9.50"), (258, "8.25")])
        assert table(read(page)) == [
            ["Model", "Valid", "Test"],
            ["RoBERTa small, pretrained", "80.00", "78.50"],
            ["Random", "9.50", "8.25"],
        ]

    @settings(max_examples=40, deadline=None)
    @given(
        values=st.lists(
            st.lists(st.decimals(0, 99, places=2), min_size=3, max_size=3), min_size=2, max_size=6
        ),
        starts=st.lists(st.integers(0, 50), min_size=3, max_size=3),
    )
    def test_every_value_is_found_in_its_cell(self, tmp_path_factory, values, starts):
        edges = [150 + 90 * i + start for i, start in enumerate(starts)]
        rows = [
            [(72, f"Seed {i}"), *zip(edges, map(str, row), strict=True)]
            for i, row in enumerate(values)
        ]
        page = b"\n".join(row_at(700 - 14 * i, row) for i, row in enumerate(rows))
        path = tmp_path_factory.mktemp("table") / "report.pdf"
        path.write_bytes(pdf(page))
        assert table(read_pdf(path, Limits())) == [[text for _, text in row] for row in rows]

    def test_a_table_on_its_side_is_read(self, read):
        rows = [[(60, "Model"), (300, "Valid"), (360, "Test")]]
        rows += [[(60, f"Pretrained model {i}"), (300, "80.00"), (360, "78.50")] for i in range(5)]
        sideways = b"q 0 1 -1 0 595 0 cm "
        sideways += b"\n".join(row_at(400 - 14 * i, row) for i, row in enumerate(rows)) + b" Q"
        found = read(lines(PROSE) + b"\n" + sideways)
        assert texts(found)[0] == PROSE
        assert table(found)[1] == ["Pretrained model 0", "80.00", "78.50"]

    def test_spreads_stay_with_values_that_are_aligned_at_their_points(self, read):
        page = row_at(714, [(72, "Epoch"), (120, "Valid"), (200, "Test"), (280, "95% interval")])
        for y, epoch, spread in ((700, "1", "0.72"), (686, "2", "15.19"), (672, "3", "9.14")):
            left, right = 120 + width("80.25"), 200 + width("80.25")
            end = left + width("15.19") + 14 - width(spread)
            page += row_at(y, [(72, epoch), (120, "80.25"), (left + 3, "±"), (end, spread)])
            page += row_at(y, [(200, "80.31"), (right + 6, "±"), (right + 16, "0.46")])
            page += row_at(y, [(290, "±"), (299, "1.15")])

        found = table(read(page))

        assert found[1] == ["1", "80.25 ± 0.72", "80.31 ± 0.46", "± 1.15"]
        assert found[2] == ["2", "80.25 ± 15.19", "80.31 ± 0.46", "± 1.15"]

    def test_one_number_that_is_much_longer_moves_the_others_from_their_sign(self, read):
        page = row_at(714, [(72, "Group"), (120, "Test"), (200, "95% interval"), (300, "Last")])
        for y, name, start, value, end, spread in (
            (700, "a", 320, "0.3664", 390, "0.0079"),
            (686, "b", 300, "239460", 370, "414757"),
            (672, "c", 320, "0.7220", 390, "0.0145"),
        ):
            page += row_at(y, [(72, name), (120, "0.52"), (145, "±"), (155, "0.19"), (205, "±")])
            page += row_at(y, [(215, "0.47"), (start, value), (360, "±"), (end, spread)])

        found = table(read(page))

        assert found[1] == ["a", "0.52 ± 0.19", "± 0.47", "0.3664 ± 0.0079"]
        assert found[2] == ["b", "0.52 ± 0.19", "± 0.47", "239460 ± 414757"]
        assert found[3] == ["c", "0.52 ± 0.19", "± 0.47", "0.7220 ± 0.0145"]


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
            read_pdf(path, limits or Limits())
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
        found = read_pdf(path, Limits(characters=60))
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


class TestOwnReports:
    """The sample lab's report of both engines, read back."""

    def check(self, folder: Path) -> None:
        found = read_pdf(folder / "report.pdf", Limits())
        theirs = poppler(folder / "report.pdf")
        # Poppler runs exponents into their base, and has the page numbers.
        for base in ("512", "10"):
            raised = theirs.pop(f"{base}2", 0)
            theirs += Counter({base: raised, "2": raised})
        theirs -= Counter(map(str, range(1, found.pages + 1)))
        assert numbers_of(found) - theirs == Counter()
        assert (theirs - numbers_of(found)).total() <= 2
        self.check_tables(found, read_markdown(folder / "report.md", Limits()))

    def check_tables(self, found: Manuscript, written: Manuscript) -> None:
        """Compare the cells of the small tables with those of the Markdown report."""
        mine = {caption(b): values(b) for b in found.blocks if b.type == "table"}
        theirs = {caption(b): values(b) for b in written.blocks if b.type == "table"}
        both = [key for key in theirs if key in mine and theirs[key]]
        assert len(both) > 9
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
