import json

import pytest
from fakes.manuscript_text import at, read, says
from fakes.rows import rows_beside

from reportgen.records.errors import EvidenceError


@pytest.mark.parametrize("row", rows_beside(__file__), ids=lambda row: row["about"])
def test_what_is_read_of_a_notebook(row, tmp_path):
    whole = row.get("file", {"nbformat": 4, "cells": row.get("cells")})
    found = read(tmp_path, "lab.ipynb", json.dumps(whole))
    assert [says(block) for block in found.blocks] == row["says"]
    assert [at(found, text) for text in row.get("at", {})] == [
        [tuple(place)] for place in row.get("at", {}).values()
    ]
    told = [problem.message for problem in found.problems]
    assert told == row.get("told", [])


def test_a_place_is_spelled_with_its_cell(tmp_path):
    cell = {"cell_type": "markdown", "source": "A 5"}
    found = read(tmp_path, "lab.ipynb", json.dumps({"cells": [cell]}))
    assert str(found.blocks[0].lines[0].place()) == "cell 1, line 1"


def test_a_huge_output_and_a_huge_notebook_are_cut_and_named(tmp_path):
    output = {"output_type": "stream", "name": "stdout", "text": "x" * 500}
    cells = [{"cell_type": "code", "source": "x = 3", "outputs": [output]}]
    found = read(tmp_path, "lab.ipynb", json.dumps({"cells": cells}), output=100)
    assert len(found.blocks[1].text) == 100
    assert "cell 1, output has 500 characters" in found.problems[0].message
    assert found.problems[0].level == "note"
    cells = [{"cell_type": "markdown", "source": "word " * 20}] * 20
    found = read(tmp_path, "lab.ipynb", json.dumps({"cells": cells}), characters=500)
    assert len(found.blocks) < 10
    assert "were left out" in found.problems[0].message


def test_half_a_letter_does_not_go_on(tmp_path):
    half = '{"cells":[{"cell_type":"markdown","source":"a \\ud800 5"}]}'
    assert read(tmp_path, "lab.ipynb", half).blocks[0].text.encode("utf-8")


@pytest.mark.parametrize(
    "content",
    ['{"cells": [{"cell_type": "mark', "[1, 2]", '{"nbformat": 4}', "[" * 100_000, "not json"],
)
def test_a_damaged_notebook_is_named(content, tmp_path):
    with pytest.raises(EvidenceError, match=r"lab\.ipynb") as caught:
        read(tmp_path, "lab.ipynb", content)
    assert "Jupyter" in caught.value.remedy
