"""Names that the logs give to groups, in sentences of reports whose tables lack them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reportgen.claims._collect import collect
from reportgen.claims._whole import labels_in
from reportgen.claims.metrics import find
from reportgen.records.manuscript import Block, Line, Manuscript

NAMES = frozenset({"lambda_0.95_lander-v2", "lambda_0.98_lander-v2", "r8", "1e-3", "no.9/1"})


def report(text, names=NAMES):
    block = Block(type="paragraph", lines=(Line(text=text, number=1),))
    return Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,), run_names=names)


def test_each_value_belongs_to_the_group_that_the_logs_call_so():
    text = "Validation accuracy. lambda_0.95_Lander-v2: 71.25; lambda_0.98_Lander-v2: 73.5."
    found = [(c.printed.text, c.content.group) for c in find(report(text))]
    assert found == [("71.25", "lambda_0.95_Lander-v2"), ("73.5", "lambda_0.98_Lander-v2")]


def test_a_name_is_written_as_the_text_has_it():
    assert labels_in(report("LAMBDA_0.95_lander-v2 wins")) == ("LAMBDA_0.95_lander-v2",)


@pytest.mark.parametrize("text", ["rank r8 and a rate of 1e-3", "see no. 9/1", "lambda 0.95"])
def test_words_and_numbers_of_every_day_name_no_group(text):
    assert labels_in(report(text)) == ()


@pytest.mark.parametrize(
    "entry", ["{} from {} at step 0 to {} at 14", "{}, de {} au pas 0 à {} au pas 14"]
)
def test_a_run_behind_its_group_s_name_is_of_that_group_also_where_the_name_is_a_word(entry):
    runs = (
        ("ResMode 20221210-214111", "52.15%", "79.38%"),
        ("all 20221211-005823", "20.55%", "23.17%"),
        ("first_all 20221211-185934", "38.33%", "58.44%"),
    )
    text = "Test accuracy, as logged: " + "; ".join(entry.format(*run) for run in runs) + "."
    groups = frozenset({"ResMode", "all", "first_all"})
    found = {
        c.printed.text: c.content.group
        for c in collect(replace(report(text), group_names=groups))[0]
        if c.kind == "metric_value"
    }
    assert found["20.55"] == found["23.17"] == "all"
    assert found["52.15"] == "ResMode"
    assert found["58.44"] == "first_all"
