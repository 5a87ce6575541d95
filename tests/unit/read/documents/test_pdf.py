"""The PDF reader on pages written operator by operator, so that every place is known."""

import pytest
from fakes.page_parts import PROSE, rule, table, texts
from fakes.pdf import lines, pdf, row_at, stream, text_at, typeset, width
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents import Limits, read_document


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

    @pytest.mark.parametrize(
        ("pieces", "seen"),
        [
            (("4 x 512", ("2", 7, 4), " = 1048576"), "4 x 512^2 = 1048576"),
            # Those of browsers are hardly smaller.
            (("512", ("2", 9.2, 3.9), " = 262144"), "512^2 = 262144"),
            (("lr 10", ("-5", 7, 4)), "lr 10^{-5}"),
            # A small spread below a value is a spread.
            (("80.5", ("±0.3", 7, -3)), "80.5 ± 0.3"),
        ],
    )
    def test_what_is_raised_or_lowered_stays_with_its_base(self, pieces, seen, read):
        assert texts(read(typeset(72, 700, *pieces))) == [seen]

    def test_an_index_and_an_exponent_of_one_base(self, read):
        at = 72 + width("4d")
        page = typeset(72, 700, "4d", ("model", 7, -3)) + text_at(at, 704, "2", size=7)
        page += text_at(at + width("model", 7), 700, " = 8")
        assert texts(read(page)) == ["4d_model^2 = 8"]

    def test_digits_of_a_smaller_line_below_are_no_index(self, read):
        page = text_at(72, 700, "accuracy 80.5") + text_at(
            72 + width("accuracy 80.5"), 688, "3", size=7
        )
        assert "_" not in texts(read(page))[0]

    def test_a_footnote_mark_does_not_change_its_number(self, read):
        page = typeset(72, 700, "Accuracy is 78.5", ("1", 7, 4), " on test.")
        page += typeset(72, 87, ("1", 6, 3), ("Of 2000 examples.", 9, 0))
        assert texts(read(page)) == ["Accuracy is 78.5 on test.", "Of 2000 examples."]

    def test_a_power_is_kept_where_a_footnote_could_be_meant(self, read):
        note = typeset(72, 87, ("2", 6, 3), ("Without biases.", 9, 0))
        for base, wanted in (
            ("N = 512", "N = 512^2"),
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

    @pytest.mark.parametrize(
        ("before", "over", "under", "behind", "seen"),
        [
            ("s = ", "32", "16", " = 2", "s = 32/16 = 2"),
            # One that multiplies, and sums in one, are in brackets.
            ("4", "1", "2", " = 2", "4(1/2) = 2"),
            ("m = ", "80 + 82", "2", " = 81", "m = (80 + 82)/2 = 81"),
        ],
    )
    def test_a_fraction_is_one_word(self, before, over, under, behind, seen, read):
        assert texts(read(self.line(before, over, under, behind))) == [seen]

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
        assert table(read_document(path, Limits())) == [[text for _, text in row] for row in rows]

    def test_the_first_line_of_a_head_stands_above_its_second(self, read):
        title = text_at(420, 714, "Test,")
        heads = row_at(702, [(300, "Best"), (424, "last")])
        heads += row_at(690, [(72, "Group"), (300, "step"), (360, "Test"), (424, "step")])
        long = "i" * 70  # narrow letters push the columns of the text to the right
        rows = row_at(672, [(72, long), (300, "225"), (360, "88.24"), (420, "88.31")])
        rows += row_at(660, [(72, "other"), (300, "450"), (360, "88.25"), (420, "88.32")])
        page = b"\n".join([lines(*(PROSE for _ in range(9)), y=860), title, heads, rows])
        found = table(read(page))
        assert [row[3] for row in found[:3]] == ["Test,", "last", "step"]
        assert found[0][2] == ""

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
