from fakes.manuscript_text import lines_of, shown, table
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents._blocks import split_blocks
from reportgen.records.manuscript import BLOCK_TYPES, Block, Line


def blocks(text, page=None):
    return split_blocks(lines_of(text, page))


def test_headings_paragraphs_and_items_are_told():
    found = blocks(
        "1 Question 1\n\nWe train\nfive epochs.\n\n  - first\n    goes on\n    - inner\n"
        "  - second\n\nBack at the margin.\n\nTraining details\n\n2.1 Results\n3. Then three.\n"
    )

    assert [(b.type, b.level, b.text) for b in found] == [
        ("heading", 1, "1 Question 1"),
        ("paragraph", 0, "We train\nfive epochs."),
        ("item", 1, "first\ngoes on"),
        ("item", 2, "inner"),
        ("item", 1, "second"),
        ("paragraph", 0, "Back at the margin."),
        ("heading", 2, "Training details"),
        ("heading", 2, "2.1 Results"),
        ("item", 1, "Then three."),
    ]


def test_the_mark_of_an_item_is_cut_off_and_the_columns_stay():
    (item,) = blocks("   • r = 16")

    assert item.place(4, 6).column == 10


def test_numbered_entries_are_a_list_and_a_numbered_title_is_a_heading():
    found = blocks("1. Introduction\n\nText here.\n\n1. One\n2. Two\n")

    assert [b.type for b in found] == ["heading", "paragraph", "item", "item"]


def test_settings_one_a_line_are_items():
    assert shown(blocks("   layers = 4\n   width = 512\n\nseed: 1 is one line")) == [
        ("item", "layers = 4"),
        ("item", "width = 512"),
        ("paragraph", "seed: 1 is one line"),
    ]


def test_the_bibliography_is_set_apart_entry_by_entry():
    found = blocks(
        "References\n[1] A. Author,\n    2019.\n[2] B. Author, 2020.\n\n- [3] C, 2021\n\nAppendix\n"
    )

    assert shown(found)[1:4] == [
        ("reference", "[1] A. Author,\n2019."),
        ("reference", "[2] B. Author, 2020."),
        ("reference", "- [3] C, 2021"),
    ]


def test_a_new_heading_ends_the_bibliography():
    found = blocks("References\n\n[1] A, 2019\n\n5 Appendix\n\nMore text.")

    assert [b.type for b in found] == ["heading", "reference", "heading", "paragraph"]


def test_a_caption_above_or_below_goes_to_its_table():
    below = "Seed   Acc\n0      80\n1      81\n\nTable 1: Below\n\nText.\n\n"
    above = "Table 1: Above\n\nSeed   Acc\n0      80\n1      81\n\nText.\n\n"

    for text, caption in ((below, "Table 1: Below"), (above, "Table 1: Above")):
        found = blocks(text + text.replace("1:", "2:"))
        assert [b.caption for b in found if b.type == "table"] == [
            caption,
            caption.replace("1:", "2:"),
        ]


def test_captions_between_tables_go_the_way_of_the_others():
    tab = "Seed   Acc\n0      80\n1      81\n\n"
    found = blocks(f"Table 1: a\n\n{tab}Table 2: b\n\n{tab}Table 3: c\n\n{tab}")

    assert [b.caption for b in found if b.type == "table"] == [
        "Table 1: a",
        "Table 2: b",
        "Table 3: c",
    ]


def test_a_caption_of_a_figure_goes_to_no_table():
    found = blocks("Seed   Acc\n0      80\n1      81\n\nFigure 1: curves")

    assert [(b.type, b.caption) for b in found] == [("table", ""), ("caption", "")]


def test_a_long_caption_goes_on_to_the_next_line():
    found = blocks("Table 1: Mean accuracy\nover three seeds\n\nText follows.")

    assert shown(found)[0] == ("caption", "Table 1: Mean accuracy\nover three seeds")


def test_equations_in_plain_text_keep_their_lines_together():
    found = blocks(
        "We get:\n      N = a + b                  (1)\n        = 32000 × 512            (2)\n"
        "\n        = 16384000               (3)\nwhich is large."
    )

    assert [b.type for b in found] == ["paragraph", "equation", "paragraph"]
    assert [line.text.split("  ")[0] for line in found[1].lines] == [
        "N = a + b",
        "= 32000 × 512",
        "= 16384000",
    ]


def test_an_equation_may_begin_without_a_number():
    found = blocks("     Total = Embedding + Positions\n       + 4 × (a + b)       (14)\n")

    assert [b.type for b in found] == ["equation"]
    assert len(found[0].lines) == 2


def test_labelled_results_in_a_display_are_statements_of_their_own():
    found = blocks(
        "   From a pre-trained model:     Accuracy = 81.67% ± 1.43%   (17)\n"
        "   From scratch:                 Accuracy = 63.33% ± 1.25%   (18)\n"
    )

    assert [b.type for b in found] == ["item", "item"]


def test_an_exponent_on_a_line_of_its_own_is_put_back():
    found = blocks("   N = 2 × d          (1)\n               2\n     = 2 × 512        (2)\n")

    line = found[0].lines[1]
    assert line.text.startswith("= 2 × 512^2")
    assert line.number == 3


def test_a_table_with_tabs_may_be_ragged():
    found = blocks(
        "\tPerformance\t\t\n\tAverage Accuracy\tStandard Deviation\t\nPretrain Model\n"
        "Epoch 1\t70.4\t1.92\t\nEpoch 2\t75.4\t1.08\t\n"
    )

    assert table(found[0]) == [
        " | Performance | ",
        " | Average Accuracy | Standard Deviation",
        "Pretrain Model |  | ",
        "Epoch 1 | 70.4 | 1.92",
        "Epoch 2 | 75.4 | 1.08",
    ]
    assert found[0].head == 2


def test_a_line_that_is_only_set_in_is_no_table():
    assert [b.type for b in blocks("\tx one\n\ty two")] == ["paragraph"]


def test_a_table_drawn_with_bars_may_follow_a_sentence():
    found = blocks("Results below\n| Seed | Acc |\n|------|-----|\n| 0 | 80.5 |\n")

    assert [b.type for b in found] == ["paragraph", "table"]
    assert found[1].head == 1


def test_a_sentence_goes_on_over_a_page_break():
    first, second = lines_of("The accuracy is\n\n   1\n", 1), lines_of("about 80 %.\n", 2)

    found = split_blocks([*first, *second])

    assert shown(found) == [("paragraph", "The accuracy is\nabout 80 %.")]
    assert [line.page for line in found[0].lines] == [1, 2]


def test_a_sentence_goes_on_below_a_figure_at_the_head_of_the_next_page():
    above = lines_of("• Gap. The gap between the mean test accuracy of A and that", 1)
    figure = lines_of("Figure 7: Accuracy of 3 runs, smoothed, with raw values\nbehind.", 2)
    rest = lines_of("\nof B is widest at epoch 2. It is narrower at the end.\n• Trend. Up.", 2)
    found = split_blocks([*above, *figure, *rest])
    assert [block.type for block in found] == ["item", "caption", "item"]
    assert found[0].text.endswith(
        "of A and that\nof B is widest at epoch 2. It is narrower at the end."
    )
    assert [line.page for line in found[0].lines] == [1, 2]


def test_an_item_goes_on_with_a_number_below_the_table_of_the_next_page():
    table = "Table 4: Test.\n\n  Epoch   Test\n      1   59.90\n      2   61.62\n\nA note.\n"
    rest = "\n4 (+4.35 points) and narrowest at epoch 2.\n• Trend. Up."
    for end, kinds in (("epoch", []), ("all", ["paragraph"])):
        above = lines_of(f"• Gap. The gap is widest at {end}", 1)
        found = split_blocks([*above, *lines_of(table, 2), *lines_of(rest, 2)])
        told = [block.type for block in found]
        assert told == ["item", "caption", "table", "paragraph", *kinds, "item"]
        assert found[0].text.endswith("at epoch 2.") == (end == "epoch")


def test_a_paragraph_below_a_figure_is_one_of_its_own_where_the_last_one_ended():
    above = lines_of("The gap is widest at epoch 2.", 1)
    figure = lines_of("Figure 7: Accuracy of 3 runs.", 2)
    rest = lines_of("\nof all runs, one improves.", 2)
    found = split_blocks([*above, *figure, *rest])
    assert [block.type for block in found] == ["paragraph", "caption", "paragraph"]


def test_numbers_of_pages_are_left_out_and_other_numbers_are_not():
    pages = [*lines_of("Text one.\n\n     12", 1), *lines_of("13\n\nText two.\n\nPage 13", 2)]

    assert shown(split_blocks(pages)) == [
        ("paragraph", "Text one."),
        ("paragraph", "13"),
        ("paragraph", "Text two."),
    ]
    assert shown(blocks("Text.\n\n12")) == [("paragraph", "Text."), ("paragraph", "12")]


def test_blocks_that_a_reader_told_pass_through():
    line = Line(text="N = 3", number=2)
    equation = Block(type="equation", lines=(line,))

    found = split_blocks([*lines_of("Thus"), equation, *lines_of("for all.")])

    assert [b.type for b in found] == ["paragraph", "equation", "paragraph"]
    assert found[1] is equation


def test_blocks_below_the_title_of_the_bibliography_are_entries():
    heading = Block(type="heading", lines=(Line(text="References", number=1),), level=1)
    entry = Block(type="item", lines=(Line(text="A, 2019", number=2),), level=1)

    assert [b.type for b in split_blocks([heading, entry])] == ["heading", "reference"]


def test_the_name_in_front_of_a_display_belongs_to_it():
    equation = Block(type="equation", lines=(Line(text=r"4 \times 5", number=2),))
    behind = Line(text="= 20", number=4)

    found = split_blocks([Line(text="Parameters =", number=1), equation, behind])

    assert shown(found) == [("equation", "Parameters =\n4 \\times 5\n= 20")]


def test_the_number_of_an_equation_belongs_to_it():
    equation = Block(type="equation", lines=(Line(text="N = 3", number=2),))

    found = split_blocks([equation, Line(text=" (2)", number=3), Line(text="", number=4)])

    assert shown(found) == [("equation", "N = 3\n(2)")]


ANY = st.text(st.sampled_from("ab1 .:|\t-=+•(%\n×#"), max_size=200)


@given(ANY)
def test_every_character_of_a_block_stands_where_it_says(text):
    source = text.split("\n")

    for block in blocks(text):
        assert block.type in BLOCK_TYPES
        assert block.lines
        for line in block.lines:
            assert line.text.strip()
            for i, char in enumerate(line.text):
                place = line.place(i, i + 1)
                assert char == "^" or source[place.line - 1][place.column - 1] == char
        for cell in (cell for row in block.rows for cell in row):
            assert cell.line in block.lines
            assert cell.line.text[cell.start : cell.start + len(cell.text)] == cell.text


@given(ANY)
def test_no_digit_is_lost_or_read_twice(text):
    seen = {}
    for block in blocks(text):
        cells = [c for row in block.rows for c in row if c.span]
        pieces = [(c.line, c.start, c.text) for c in cells] or [(n, 0, n.text) for n in block.lines]
        for line, start, piece in pieces:
            for i, char in enumerate(piece):
                if char == "1" and not (i and piece[i - 1] == "^"):
                    place = line.place(start + i, start + i + 1)
                    key = (place.line, place.column)
                    assert key not in seen
                    seen[key] = block

    marks = sum(line.lstrip(" \t•+-").startswith(("1.", "(1", "1)")) for line in text.split("\n"))
    assert len(seen) >= text.count("1") - marks - text.count("\n")


def test_a_bracket_that_the_line_before_opened_is_no_list_in_a_caption():
    found = blocks(
        "Table 3: mean and deviation (denominator n -\n1) over the n = 3 runs of each.\n\n"
        "             A          B\n  Epoch   Test     Test\n      1   67.50    64.52\n"
        "      2   70.59    66.71\n\n"
        "Table 4: mean of C.\n\n  Epoch   Test\n      1   59.90\n      2   61.62\n"
    )
    assert [b.type for b in found] == ["caption", "table", "caption", "table"]
    assert [b.caption[:8] for b in found if b.type == "table"] == ["Table 3:", "Table 4:"]
    listed = blocks("We do two things (see below):\n1) train\n2) test\n")
    assert [b.type for b in listed] == ["paragraph", "item", "item"]


def test_a_numbered_heading_right_below_a_table_is_none_of_its_rows():
    rows = "       Group   Best step   Epoch    Test\n       small         600       6   65.03\n"
    found = blocks(rows + "6    Accuracy after each epoch\n\nEach row gives the accuracy.\n")
    assert [b.type for b in found] == ["table", "heading", "paragraph"]
    assert len(found[0].rows) == 2
    steps = "  Layer   Name\n      9   Linear    32\n     10   Softmax   64\n    100  Output   10\n"
    assert [len(b.rows) for b in blocks(steps)] == [4]


def test_a_table_that_floats_into_a_list_keeps_the_head_of_its_columns():
    found = blocks(
        "  • The first item.\n\nTable 1: Results of each run.\n\n"
        "                     Accuracy, %\n"
        "  Group   Seed   Validation    Test\n"
        "  small      0        97.50   92.50\n"
        "  small      1        98.75   95.42\n"
    )

    assert [b.type for b in found] == ["item", "caption", "table"]
    assert found[2].text.startswith("                     Accuracy, %\n")


def test_a_long_head_over_columns_belongs_to_the_table_below_it():
    found = blocks(
        "Table 4. Accuracy of a run\n\n"
        "                    learning_rate_2e-\n"
        "                     4_and_default_\n"
        "                       hyperparam\n"
        "  Epoch     Step   Validation  Test\n"
        "      1     1455    85.74      80.1\n"
        "      2     2910    86.94      81.2\n"
    )

    assert [block.type for block in found] == ["caption", "table"]
    assert found[1].caption == "Table 4. Accuracy of a run"
    assert table(found[1])[2:] == [
        "Epoch | Step | Validation | Test",
        "1 | 1455 | 85.74 | 80.1",
        "2 | 2910 | 86.94 | 81.2",
    ]


def test_a_number_that_ends_a_sentence_begins_no_item():
    found = blocks(
        "- It is 1.6 at epoch 1 and 3.8 at epoch\n  6. The deviation is 0.5.\n\n1. One\n2. Two\n"
    )

    assert [(block.type, block.text) for block in found] == [
        ("item", "It is 1.6 at epoch 1 and 3.8 at epoch\n6. The deviation is 0.5."),
        ("item", "One"),
        ("item", "Two"),
    ]
