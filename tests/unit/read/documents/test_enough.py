"""How many numbers of a report are read, and what is said of the rest."""

from dataclasses import fields

from reportgen.read.documents import Limits, read_document

SMALL = Limits(numbers=6)


def read(tmp_path, text, limits=SMALL):
    path = tmp_path / "report.md"
    path.write_text(text, encoding="utf-8")
    return read_document(path, limits)


def test_what_stands_behind_the_last_number_is_left_out_and_said(tmp_path):
    found = read(tmp_path, "1 2 3\n\n4 5 and\n6 and\n7 8\n\n# More\n\nwords\n")
    assert [block.text for block in found.blocks] == ["1 2 3", "4 5 and\n6 and"]
    (problem,) = found.problems
    assert problem.level == "warning"
    assert problem.message == (
        "holds more than 6 numbers: what stands behind line 4 was not read, and so is not checked"
    )


def test_rows_of_a_table_are_kept_whole(tmp_path):
    rows = "".join(f"| {i} | {i}.5 |\n" for i in range(1, 9))
    (table,) = read(tmp_path, "| a | b |\n|---|---|\n" + rows).blocks
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["a", "b"], ["1", "1.5"], ["2", "2.5"], ["3", "3.5"],
    ]  # fmt: skip
    assert table.head == 1
    assert [line.number for line in table.lines][-1] == 5


def test_a_pasted_log_takes_no_room_from_the_text(tmp_path):
    log = "```\n" + "epoch 1 loss 0.5\n" * 50 + "```\n"
    found = read(tmp_path, f"1 2 3\n\n{log}\n4 5 6\n\n{log}\n")
    kinds = [block.type for block in found.blocks]
    assert kinds == ["paragraph", "output", "paragraph"]
    assert len(found.blocks[1].lines) == 3
    (problem,) = found.problems
    assert problem.message.startswith("prints or lists more than 6 numbers: the rest of its")


def test_one_line_of_too_many_leaves_nothing_behind_it(tmp_path):
    found = read(tmp_path, "words\n\n" + "1 " * 99 + "\n\nmore words\n")
    assert [block.text for block in found.blocks] == ["words"]
    assert "behind line 1 was not read" in found.problems[0].message
    assert "what stands there" in read(tmp_path, "1 " * 99).problems[0].message


def test_an_endless_paragraph_is_read_in_parts(tmp_path):
    lines = [f"Sentence {i} of\nvery many." for i in range(2_000)]
    found = read(tmp_path, "\n".join(lines), Limits())
    assert len(found.blocks) == 11
    assert all(block.text.endswith("many.") for block in found.blocks)
    assert {block.type for block in found.blocks} == {"paragraph"}
    assert "\n".join(block.text for block in found.blocks) == "\n".join(lines)
    assert max(len(block.text) for block in found.blocks) <= 5_000
    assert found.problems == ()


def test_an_endless_sentence_is_cut_between_lines(tmp_path):
    found = read(tmp_path, "and so on\n" * 2_000, Limits())
    assert [len(block.lines) for block in found.blocks] == [500] * 4


def test_every_limit_has_its_sentence():
    """A limit that nobody reads about is a report that looks checked and is not."""
    about = Limits.__doc__ or ""
    assert all(f"{field.name}:" in about for field in fields(Limits))
