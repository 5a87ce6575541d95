import pytest
from fakes.manuscript_text import at, read, shown, table, table_of


def blocks(folder, text):
    return shown(read(folder, "report.md", text).blocks)


def test_front_matter_is_skipped(tmp_path):
    assert blocks(tmp_path, "---\nseed: 42\n---\nText 5.") == [("paragraph", "Text 5.")]
    assert blocks(tmp_path, "---\n\nText 5.\n\n---\n") == [("paragraph", "Text 5.")]


def test_headings_of_every_kind_are_told(tmp_path):
    text = "# One #\n\nTwo\n===\n\nThree\n---\n\n### Four {#id .x}\n\n<h2>Five</h2>\n\n#tag no\n"

    found = read(tmp_path, "report.md", text).blocks

    assert [(b.type, b.level, b.text) for b in found] == [
        ("heading", 1, "One"),
        ("heading", 1, "Two"),
        ("heading", 2, "Three"),
        ("heading", 3, "Four"),
        ("heading", 2, "Five"),
        ("paragraph", 0, "#tag no"),
    ]


@pytest.mark.parametrize(
    ("fence", "kind"),
    [
        ("```python\nx = 3\n```", "code"),
        ("~~~{python, echo=FALSE}\nx = 3\n~~~", "code"),
        ("```text\naccuracy 80\n```", "output"),
        ("```\naccuracy 80\n```", "output"),
        ("```\nmodel = train(3)\nprint(x)\n```", "code"),
        ("```math\nN = 3 \\times 4\n```", "equation"),
        ("```\nn_{params} = 3 * n_{hid} + 5\n```", "equation"),
        ("````\n```\n5\n```\n````", "output"),
    ],
)
def test_a_listing_is_code_output_or_mathematics(fence, kind, tmp_path):
    found = blocks(tmp_path, f"Before.\n\n{fence}\n\nAfter.")

    assert [block[0] for block in found] == ["paragraph", kind, "paragraph"]


def test_a_table_that_was_printed_is_a_table(tmp_path):
    found = read(
        tmp_path, "report.md", "```\nEvaluation\n\nepoch  acc\n1      62.5\n2      70.0\n```"
    )

    assert shown(found.blocks)[1:] == [("table", "epoch | acc\n1 | 62.5\n2 | 70.0")]
    assert found.blocks[0].type == "output"


def test_a_listing_that_is_never_closed_is_named(tmp_path):
    found = read(tmp_path, "report.md", "Text.\n\n```python\nx = 3\n")

    assert "line 3 opens a listing that is never closed" in found.problems[0].message
    assert shown(found.blocks) == [("paragraph", "Text."), ("code", "x = 3")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("$$N = 3$$", ["N = 3"]),
        ("$$\nN = 3 \\\\\n= 4\n$$", ["N = 3 \\\\", "= 4"]),
        ("$$N = 3$$ (2)", ["N = 3", "(2)"]),
        ("$$N = 3$$\n (2)", ["N = 3", "(2)"]),
        ("\\[\nN = 3\n\\]", ["N = 3"]),
        ("\\begin{align*}\nN &= 3\n\\end{align*}", ["N &= 3"]),
        ("Total =\n$$N$$\n\n= 5", ["Total =", "N", "= 5"]),
        ("$$N = 1$$\n\n$$= 2$$", ["N = 1", "= 2"]),
    ],
)
def test_display_equations_are_blocks(text, lines, tmp_path):
    assert blocks(tmp_path, text) == [("equation", "\n".join(lines))]


def test_mathematics_with_a_sentence_behind_it_stays_in_the_text(tmp_path):
    found = blocks(tmp_path, "$$x = 3$$ is what we get from it.")

    assert found == [("paragraph", "$x = 3$ is what we get from it.")]


def test_a_display_that_is_never_closed_is_text(tmp_path):
    assert blocks(tmp_path, "$$x = 3\n\n# Next") == [("paragraph", "$$x = 3"), ("heading", "Next")]


def test_pipe_tables_are_read_with_their_marks(tmp_path):
    text = (
        "Table 1. Accuracy\n\n"
        "| Model   | **Acc** | F1 |\n|:--------|--:|:-:|\n"
        "| A\\|B   | 80.5 &plusmn; 0.4 | `0.79` |\n| C | $79$ |\nText."
    )

    found = read(tmp_path, "report.md", text)
    block = table_of(found)

    assert table(block) == ["Model | Acc | F1", "A|B | 80.5 ± 0.4 | 0.79", "C | 79 | "]
    assert (block.head, block.caption) == (1, "Table 1. Accuracy")
    line = text.split("\n")[4]
    assert at(found, "80.5")[0][1:] == (5, line.index("80.5") + 1, line.index("80.5") + 5)


def test_pipe_tables_without_bars_at_the_edges_are_read(tmp_path):
    block = table_of(read(tmp_path, "report.md", "Seed | Acc\n--- | ---\n0 | 80\n1 | 81\n"))

    assert table(block) == ["Seed | Acc", "0 | 80", "1 | 81"]


def test_a_second_line_of_heads_is_a_head(tmp_path):
    text = "| | Acc | |\n|--|--|--|\n| | valid | test |\n| A | 80 | 79 |\n"

    assert table_of(read(tmp_path, "report.md", text)).head == 2


def test_captions_in_pandocs_form_go_to_their_table(tmp_path):
    text = "| a | b |\n|--|--|\n| A | 80 |\n\n: Mean accuracy {#tbl-a}\n"

    found = read(tmp_path, "report.md", text)

    assert table_of(found).caption == "Mean accuracy"
    assert ("caption", "Mean accuracy") in shown(found.blocks)


def test_tables_in_html_are_read(tmp_path):
    text = (
        "<table><caption>Table 3: html</caption>\n"
        "<tr><th rowspan=2>Model</th><th colspan='2'>Acc</th></tr>\n"
        "<tr><th>valid</th><th>test</th></tr>\n"
        "<tr><td>A</td><td><b>80.1</b></td>\n  <td>\n   79.5&nbsp;%</td></tr></table>\nAfter."
    )

    found = read(tmp_path, "report.md", text)
    block = table_of(found)

    assert table(block) == [
        "Model | Acc<2> | Acc<0>",
        "Model<0> | valid | test",
        "A | 80.1 | 79.5 %",
    ]
    assert (block.head, block.caption) == (2, "Table 3: html")
    assert at(found, "79.5") == [("", 6, 4, 8)]
    assert shown(found.blocks)[-1] == ("paragraph", "After.")


def test_comments_are_gone_and_one_that_is_never_closed_is_named(tmp_path):
    assert blocks(tmp_path, "A.\n<!-- 77\n88 --> B 9.\n\n<!-- 5 -->\n") == [
        ("paragraph", "A."),
        ("paragraph", "B 9."),
    ]
    found = read(tmp_path, "report.md", "A.\n\n<!-- never\n\nB 9.")
    assert "comment that is never closed" in found.problems[0].message
    assert ("paragraph", "B 9.") in shown(found.blocks)


def test_tags_over_two_lines_are_gone(tmp_path):
    assert blocks(tmp_path, "A <img src='x5.png'\n  width=600> B.") == [("paragraph", "A\nB.")]


def test_styles_and_scripts_are_gone(tmp_path):
    assert blocks(tmp_path, "<style>\n.x {width: 5px}\n</style>\n\nText.") == [
        ("paragraph", "Text.")
    ]


def test_what_is_said_of_an_image_is_a_caption(tmp_path):
    text = (
        "![Accuracy of six runs, best 83.5](a.png)\n\n![plot](b.png)\n\n"
        '<img src="c" alt="Loss of five runs">\n'
    )

    assert blocks(tmp_path, text) == [
        ("caption", "Accuracy of six runs, best 83.5"),
        ("caption", "Loss of five runs"),
    ]


def test_quotations_and_rules_lose_their_marks(tmp_path):
    text = "> Quoted 12\n> more\n\n---\n\n***\n\n::: note\nIn a box 3.\n:::\n"

    assert blocks(tmp_path, text) == [
        ("paragraph", "Quoted 12\nmore"),
        ("paragraph", "In a box 3."),
    ]


def test_code_that_is_only_set_in_is_code(tmp_path):
    found = blocks(tmp_path, "Text.\n\n    x = train(3)\n    print(x)\n\nMore.")

    assert [block[0] for block in found] == ["paragraph", "code", "paragraph"]


def test_text_that_is_only_set_in_is_text(tmp_path):
    assert blocks(tmp_path, "Text.\n\n    accuracy of 80 %\n")[1][0] == "paragraph"


def test_definitions_of_links_are_gone(tmp_path):
    assert blocks(tmp_path, "See [1][a].\n\n[a]: http://x.org/5 'T 6'\n") == [
        ("paragraph", "See 1.")
    ]


def test_lists_are_nested_by_their_indentation(tmp_path):
    text = "* **r**: 16\n  goes on\n\n  * inner 8\n* alpha\n\nEnd.\n"

    found = read(tmp_path, "report.md", text).blocks

    assert [(b.type, b.level, b.text) for b in found] == [
        ("item", 1, "r: 16\ngoes on"),
        ("item", 2, "inner 8"),
        ("item", 1, "alpha"),
        ("paragraph", 0, "End."),
    ]


def test_a_bibliography_below_its_heading_is_set_apart(tmp_path):
    found = blocks(tmp_path, "## References\n\n1. A. 2019\n2. B. 2020\n\n## Next\n\nText.\n")

    assert [block[0] for block in found] == [
        *("heading", "reference", "reference", "heading", "paragraph"),
    ]


def test_places_point_at_the_very_characters(tmp_path):
    text = "- the **best** accuracy of `seed 1` is *81.5* at [step 1125](#s)\n"

    found = read(tmp_path, "report.md", text)

    for needle in ("best", "seed 1", "81.5", "step 1125"):
        start = text.index(needle) + 1
        assert at(found, needle) == [("", 1, start, start + len(needle))]


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u0085", "\x1f", " \u00a0 ", "\t"])
def test_a_quotation_behind_any_white_space_is_read(tmp_path, space):
    """Pages are copied with spaces that do not break; a mark behind one was never cut off."""
    assert blocks(tmp_path, f"{space}> Text 5.\n{space}>{space}> Text 6.") == [
        ("paragraph", "Text 5.\nText 6.")
    ]
