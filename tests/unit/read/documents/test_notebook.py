import json

import pytest
from fakes.manuscript_text import at, read, shown, table

from reportgen.read.documents import read_document
from reportgen.records.errors import EvidenceError

HTML = (
    '<div><table border="1">\n <thead><tr><th></th><th>seed</th><th>acc</th></tr></thead>\n'
    " <tbody><tr><th>0</th><td>0</td><td>79.9</td></tr>\n<tr><th>1</th><td>1</td><td>80.1</td></tr>"
    "</tbody></table></div>"
)


def markdown(source):
    return {"cell_type": "markdown", "source": source}


def code(*outputs, source="x = 3"):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def data(**kinds):
    return {
        "output_type": "display_data",
        "data": {kind.replace("_", "/"): text for kind, text in kinds.items()},
    }


def notebook(folder, *cells, **limits):
    return read(folder, "lab.ipynb", json.dumps({"nbformat": 4, "cells": list(cells)}), **limits)


def test_text_is_read_as_markdown_with_the_cell_as_its_file(tmp_path):
    found = notebook(
        tmp_path, markdown(["# Results\n", "\n", "Best **81.5**"]), markdown("- r = 16")
    )

    assert shown(found.blocks) == [
        ("heading", "Results"),
        ("paragraph", "Best 81.5"),
        ("item", "r = 16"),
    ]
    assert at(found, "81.5") == [("cell 1", 3, 8, 12)]
    assert at(found, "16") == [("cell 2", 1, 7, 9)]
    assert str(found.blocks[1].lines[0].place()) == "cell 1, line 3"


def test_a_paragraph_does_not_go_on_in_the_next_cell(tmp_path):
    found = notebook(tmp_path, markdown("One"), markdown("two"))

    assert len(found.blocks) == 2


def test_code_and_what_it_printed_are_told(tmp_path):
    found = notebook(tmp_path, code(stream(["loss 0.5\n", "acc 80\n"]), stream("W 3", "stderr")))

    assert shown(found.blocks) == [("code", "x = 3"), ("output", "loss 0.5\nacc 80")]
    assert at(found, "80") == [("cell 1, output", 2, 5, 7)]


def test_tables_of_outputs_are_tables(tmp_path):
    plain = "   seed   acc\n0     0  79.9\n1     1  80.1"

    found = notebook(tmp_path, code(data(text_html=HTML, text_plain=plain), data(text_plain=plain)))

    tables = [table(block) for block in found.blocks if block.type == "table"]
    assert tables == [[" | seed | acc", "0 | 0 | 79.9", "1 | 1 | 80.1"]] * 2


def test_html_without_a_table_gives_way_to_the_text(tmp_path):
    found = notebook(tmp_path, code(data(text_html="<b>bold 3</b>", text_plain="plain 4")))

    assert shown(found.blocks)[1:] == [("output", "plain 4")]


@pytest.mark.parametrize("text", ["<Figure size 640x480 with 1 Axes>", "", "100%|████| 5/5"])
def test_what_shows_nothing_is_left_out(text, tmp_path):
    assert shown(notebook(tmp_path, code(data(text_plain=text))).blocks) == [("code", "x = 3")]


def test_lines_that_were_written_over_are_gone(tmp_path):
    found = notebook(tmp_path, code(stream("step 1\rstep 2\r\nstep 3\x1b[0m\n")))

    assert shown(found.blocks)[1] == ("output", "step 2\nstep 3")


def test_a_huge_output_is_cut_and_named(tmp_path):
    found = notebook(tmp_path, code(stream("x" * 500)), output=100)

    assert len(found.blocks[1].text) == 100
    assert "cell 1, output has 500 characters" in found.problems[0].message
    assert found.problems[0].level == "note"


def test_a_huge_notebook_is_cut_and_named(tmp_path):
    found = notebook(tmp_path, *(markdown("word " * 20) for _ in range(20)), characters=500)

    assert len(found.blocks) < 10
    assert "were left out" in found.problems[0].message


def test_a_notebook_of_version_three_is_read(tmp_path):
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Old"},
        {
            "cell_type": "code",
            "input": "y = 1",
            "outputs": [{"output_type": "pyout", "text": ["acc 80\n"]}],
        },
    ]

    found = read(tmp_path, "lab.ipynb", json.dumps({"worksheets": [{"cells": cells}]}))

    assert shown(found.blocks) == [("heading", "Old"), ("code", "y = 1"), ("output", "acc 80")]
    assert found.blocks[0].level == 2


def test_front_matter_in_a_raw_cell_is_skipped(tmp_path):
    found = notebook(tmp_path, {"cell_type": "raw", "source": "---\nseed: 4\n---"}, markdown("A 5"))

    assert shown(found.blocks) == [("paragraph", "A 5")]


def test_half_a_letter_does_not_go_on(tmp_path):
    found = read(
        tmp_path, "lab.ipynb", '{"cells":[{"cell_type":"markdown","source":"a \\ud800 5"}]}'
    )

    assert found.blocks[0].text.encode("utf-8")


def test_cells_of_the_wrong_kind_are_left_out_and_named(tmp_path):
    found = notebook(
        tmp_path, 5, {"source": None}, code(7, {"output_type": "error"}), markdown("A")
    )

    assert "cell 1 is no cell" in found.problems[0].message
    assert ("paragraph", "A") in shown(found.blocks)


@pytest.mark.parametrize(
    "content",
    ['{"cells": [{"cell_type": "mark', "[1, 2]", '{"nbformat": 4}', "[" * 100_000, "not json"],
)
def test_a_damaged_notebook_is_named(content, tmp_path):
    with pytest.raises(EvidenceError, match=r"lab\.ipynb") as caught:
        read(tmp_path, "lab.ipynb", content)

    assert "Jupyter" in caught.value.remedy


@pytest.mark.parametrize("odd", [[], {}, ["stream"], 3, True, "bokeh"])
def test_an_output_of_an_odd_kind_shows_nothing(tmp_path, odd):
    cells = [markdown("Words."), code({**stream("printed 3"), "output_type": odd})]
    path = tmp_path / "report.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "cells": cells}), encoding="utf-8")
    assert "printed 3" not in " ".join(block.text for block in read_document(path).blocks)
