import pytest
from fakes.manuscript_text import lines_of, table
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents._aligned import aligned_rows, intervals, is_row, lowest_title, reach
from reportgen.read.documents._tables import table_block

TWO_COLUMNS = (
    "one column of running text in a paper that   has two columns of about 30 words on\n"
    "each page and so the lines look like rows,   with a gap in the middle of each 40 of"
)


def aligned(text):
    lines = lines_of(text)
    end, is_table = reach(lines, 0)
    assert is_table
    return table_block(lines[:end], aligned_rows(lines[:end]))


@given(st.lists(st.text("ab1 .", min_size=1, max_size=9).map(str.strip).filter(bool), max_size=6))
def test_pieces_come_back_from_the_line_they_were_set_in(pieces):
    pieces = [" ".join(piece.split()) for piece in pieces]
    line = "   ".join(["", *pieces])

    assert [line[a:b] for a, b in intervals(line)] == pieces


def test_columns_of_any_alignment_are_found():
    block = aligned(
        "                  Seed 0     Seed 1     Seed 2\n"
        "   Pretrained     79.9%       80%       83.5%\n"
        "    Random        67.5%      68.1%      67.4%"
    )

    assert table(block) == [
        " | Seed 0 | Seed 1 | Seed 2",
        "Pretrained | 79.9% | 80% | 83.5%",
        "Random | 67.5% | 68.1% | 67.4%",
    ]
    assert block.head == 1


def test_a_column_whose_cells_only_touch_is_one():
    block = aligned(
        "Pas   Validation      Test\n"
        "   9    75,4          73,1\n"
        " 10     76,2          74,0\n"
        " 11     76,5          74,8"
    )

    assert table(block) == [
        "Pas | Validation | Test",
        "9 | 75,4 | 73,1",
        "10 | 76,2 | 74,0",
        "11 | 76,5 | 74,8",
    ]


def test_an_empty_cell_stays_in_its_column():
    block = aligned(
        "Model     Valid    Test\nA                  79.9\nB         81.0\nC         82.0     80.0"
    )

    assert table(block) == ["Model | Valid | Test", "A |  | 79.9", "B | 81.0 | ", "C | 82.0 | 80.0"]


def test_heads_over_several_columns_cover_them():
    block = aligned(
        "            Validation        Test\n"
        "Model       Acc     F1      Acc     F1\n"
        "BERT        80.1    79.2    78.8    77.0\n"
        "RoBERTa     82.0    81.5    80.9    80.2"
    )

    assert table(block)[:2] == [
        " | Validation<2> | Validation<0> | Test<2> | Test<0>",
        "Model | Acc | F1 | Acc | F1",
    ]
    assert block.head == 2


def test_a_head_broken_behind_an_underscore_is_one_head():
    """As a PDF prints `roberta` and `roberta_random` over two columns each."""
    block = aligned(
        "                roberta                 roberta_\n"
        "                                         random\n"
        "Epoch       Valid       Test       Valid        Test\n"
        "1           60.17       64.13      50.17        50.50\n"
        "2           68.00       73.43      56.67        58.50"
    )

    assert table(block)[:2] == [
        " | roberta<2> | roberta<0> | roberta_random<2> | roberta_random<0>",
        "Epoch | Valid | Test | Valid | Test",
    ]
    assert block.head == 2


def test_names_of_rows_stand_alone_between_them():
    block = aligned(
        "              Mean     Std\n"
        "Pretrain Model\n"
        "Epoch 1       70.4     1.92\n"
        "Random Model\n"
        "Epoch 1       51.2     1.67"
    )

    assert table(block) == [
        " | Mean | Std",
        "Pretrain Model |  | ",
        "Epoch 1 | 70.4 | 1.92",
        "Random Model |  | ",
        "Epoch 1 | 51.2 | 1.67",
    ]


def test_blank_lines_between_rows_do_not_end_a_table():
    block = aligned("Seed    Acc\n\n0       80.5\n\n1       81.5")

    assert table(block) == ["Seed | Acc", "0 | 80.5", "1 | 81.5"]


@pytest.mark.parametrize("between", ["", "Table 2: other", "| a | b |", "A sentence ends here."])
def test_another_table_begins_behind(between):
    first = "Seed      Acc\n0         80.5\n1         81.5\n"
    lines = lines_of(
        first + between + "\n   Name   Loss   F1\n   A      0.5    0.6\n   B      0.4    0.7"
    )

    end, is_table = reach(lines, 0)

    assert is_table
    assert end == 3


def test_rules_that_are_drawn_are_no_rows():
    block = aligned("Seed      Acc\n----      ----\n0         80.5\n1         81.5\n")

    assert table(block) == ["Seed | Acc", "0 | 80.5", "1 | 81.5"]


@pytest.mark.parametrize(
    "text",
    [
        "Words  with double  blanks in a sentence.\nMore words  here and no  values.",
        TWO_COLUMNS,
        "Only  one  row",
    ],
)
def test_running_text_is_no_table(text):
    assert not reach(lines_of(text), 0)[1]


def test_a_line_with_endless_pieces_is_no_row():
    assert not is_row("1  " * 100)


@given(
    st.integers(2, 5),
    st.lists(st.sampled_from(["left", "right", "centre"]), min_size=5, max_size=5),
    st.data(),
)
def test_a_table_that_was_set_is_read_back(width, sides, data):
    number = st.decimals(0, 100, places=1).map(str)
    rows = [["name", *(f"seed {i}" for i in range(width))]]
    rows += [
        [f"group {i}", *(data.draw(number) for _ in range(width))]
        for i in range(data.draw(st.integers(2, 5)))
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(width + 1)]
    align = {"left": str.ljust, "right": str.rjust, "centre": str.center}
    text = "\n".join(
        "   ".join(align[sides[min(i, 4)]](cell, widths[i]) for i, cell in enumerate(row))
        for row in rows
    )

    assert table(aligned(text)) == [" | ".join(row) for row in rows]


def test_a_label_that_runs_over_its_line_is_one():
    block = aligned(
        "Group                 Seed     Test\n"
        "RoBERTa_small_fr_     0        73.9\n"
        "random\n"
        "                      1        73.1\n"
        "made-up reviews (HF   0        92.7\n"
        "and others)\n"
        "                      1        90.8"
    )

    assert table(block) == [
        "Group | Seed | Test",
        "RoBERTa_small_fr_random | 0 | 73.9",
        " | 1 | 73.1",
        "made-up reviews (HF and others) | 0 | 92.7",
        " | 1 | 90.8",
    ]


def test_a_name_of_the_rows_below_is_no_end_of_a_label():
    block = aligned(
        "Group        Test\nAdam         73.9\nSecond half\nSGD          73.1\nAdamW        92.7"
    )

    assert [row[0].text for row in block.rows] == ["Group", "Adam", "Second half", "SGD", "AdamW"]


def cells_of(*lines):
    return [[cell.text for cell in row] for row in aligned_rows(lines_of("\n".join(lines)))]


def test_a_short_title_stands_over_the_two_heads_below_it():
    rows = cells_of(
        "                                   Accuracy, %              Loss",
        "Run               Epoch   Step  Validation  Test   Validation     Training",
        "pretrained-seed0      1    120    56.25     52.71   0.6757        0.7040",
        "pretrained-seed0      2    240    88.75     84.38   0.2896        0.4025",
    )
    assert rows[0] == ["", "", "", "Accuracy, %", "Accuracy, %", "Loss", "Loss"]


def test_a_title_over_one_head_stays_there():
    rows = cells_of(
        "                    Best    Last",
        "Run        Loss     step    Test",
        "a          0.61     225     81.5",
        "b          0.29     450     84.0",
    )
    assert rows[0] == ["", "", "Best", "Last"]


def test_a_column_without_a_cell_keeps_its_head():
    rows = cells_of(
        "Run     Validation     Training  Best",
        "a       0.6757         0.7040",
        "b       0.2896         0.4025",
    )
    assert rows == [
        ["Run", "Validation", "Training", "Best"],
        ["a", "0.6757", "0.7040", ""],
        ["b", "0.2896", "0.4025", ""],
    ]


def test_the_first_line_of_broken_heads_stands_over_their_own_columns_and_dates_are_no_values():
    block = aligned(
        "                                                  Average return\n"
        "                                  Best                 Validation, last\n"
        " Group       Run                  step    Validation        step\n"
        " pg_pole-v0  pg_pole-v0_27-05-      73    200.00           200.00\n"
        "              2024_11-53-19\n"
        " pg_pole_lb  pg_pole_lb_27-05-      19    200.00           154.00\n"
        " -v1         2024_11-58-43"
    )

    assert table(block) == [
        " |  |  |  | Average return",
        " |  | Best |  | Validation, last",
        "Group | Run | step | Validation | step",
        "pg_pole-v0 | pg_pole-v0_27-05- | 73 | 200.00 | 200.00",
        " | 2024_11-53-19 |  |  | ",
        "pg_pole_lb | pg_pole_lb_27-05- | 19 | 200.00 | 154.00",
        "-v1 | 2024_11-58-43 |  |  | ",
    ]


def test_the_first_line_of_one_head_in_the_middle_stands_over_that_alone():
    block = aligned(
        "                                Interval\n"
        " Group          n   Best step   at 95%      Last step\n"
        " unet           2     29.609      3.1      29.643 and 29.958 (n = 2)\n"
        " deeplab        2     25.609      2.1      25.643 and 25.958 (n = 2)\n"
    )

    assert table(block)[:2] == [
        " |  |  | Interval | ",
        "Group | n | Best step | at 95% | Last step",
    ]


@pytest.mark.parametrize(
    ("above", "found"),
    [
        (["                    tiny_rate_2e-", "                     4_default", ""], 1),
        (["                    tiny_rate_2e-", "                     4_default"], 1),
        (["                         Accuracy", ""], 0),
        (["                              Test,"], 0),
        # Nothing over a column of its own, a sentence, and what stands farther above.
        (["    Accuracy", ""], None),
        (["                                                  Accuracy", ""], None),
        (["                      It is higher.", ""], None),
        (["    Epoch,"], None),
        (["                         Accuracy", "", ""], None),
        (["Accuracy", ""], None),
    ],
)
def test_titles_stand_over_the_row_below_the_rule_that_is_drawn_under_them(above, found):
    lines = lines_of(
        "\n".join([*above, "  Epoch   Step   Validation   Test", "      1    225    85.74  84"])
    )
    assert lowest_title(lines, 0) == found


def test_a_head_whose_first_line_ends_in_a_comma_stands_above_its_rest():
    block = aligned(
        "                                        Test,\n"
        "               Best                     last\n"
        "  Group        step    Epoch    Test    step\n"
        "  a          14,550       10   88.24   88.31\n"
        "  b          14,551       11   88.25   88.32"
    )
    heads = [row[4].text for row in block.rows[: block.head]]
    assert heads == ["Test,", "last", "step"]
