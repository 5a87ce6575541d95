"""Tests of two groups as people report them, in sentences and tables, and what only looks so."""

from __future__ import annotations

import pytest

from reportgen.claims.significance import find
from reportgen.read.documents import read_document


@pytest.fixture
def told(tmp_path):
    """(what, number, sign) of everything that a text says of tests."""

    def tell(text):
        path = tmp_path / "report.md"
        path.write_text(text, encoding="utf-8")
        claims = find(read_document(path))
        return [(c.content.aggregate, c.printed.text, c.hints.get("sign", "")) for c in claims]

    return tell


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A paired t-test gives t(2) = 16.38, p = 0.0037.",
            [("degrees", "2", ""), ("t", "16.38", ""), ("p", "0.0037", "")],
        ),
        (
            "The difference is significant (Welch: t=5.02, df = 3.9, p<.01).",
            [("t", "5.02", ""), ("degrees", "3.9", ""), ("p", ".01", "<")],
        ),
        (
            "The t-statistic is 3.1 with 4 degrees of freedom.",
            [("t", "3.1", ""), ("degrees", "4", "")],
        ),
        ("We test the null hypothesis: the p-value is 0.21.", [("p", "0.21", "")]),
        ("With n = 3 the smallest p of a sign-flip test is 0.25.", [("p_floor", "0.25", "")]),
        (
            "Le test de Student donne t = 2,31 avec 8 degrés de liberté, p ≤ 0,05.",
            [("t", "2,31", ""), ("degrees", "8", ""), ("p", "0,05", "≤")],
        ),
    ],
)
def test_sentences(told, text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "We use dropout with p = 0.1 and test every epoch.",
        "At t = 5 the test accuracy is 80.1.",
        "The test accuracy at step 225 is 80.1 % (p. 3).",
        "| Symbol | Meaning | Value |\n|---|---|---|\n| P | positions | 1 |\n| T | types | 2 |\n",
        "| Epoch | t | Test accuracy |\n|---|---|---|\n| 1 | 12 | 80.1 |\n",
    ],
)
def test_letters_that_are_no_statistics(told, text):
    assert not [kind for kind, *_ in told(text) if kind != "t"]
    assert not told(text) or "t = 5" in text


def test_a_table_of_a_test(told):
    text = """\
| Quantity | Value |
|---|---|
| Difference | 13.0 |
| t | 16.38 |
| Degrees of freedom | 2 |
| p, two-sided | < 0.004 |
| Smallest p of an exact test | 0.25 |
"""
    assert told(text) == [
        *(("t", "16.38", ""), ("degrees", "2", "")),
        *(("p", "0.004", "<"), ("p_floor", "0.25", "")),
    ]


def test_a_column_of_p_values(told):
    text = (
        "| Model | Test acc. | p-value |\n|---|---|---|\n| A | 80.1 | 0.03 |\n| B | 79.1 | 0.41 |\n"
    )
    assert told(text) == [("p", "0.03", ""), ("p", "0.41", "")]


def test_the_two_groups_come_from_the_sentence_or_what_leads_to_it(tmp_path):
    path = tmp_path / "report.md"
    text = (
        "## BERT against LSTM\n\nA paired t-test gives p = 0.0037.\n\n"
        "The LSTM beats ResNet in a t-test (p = 0.2).\n"
    )
    path.write_text(text, encoding="utf-8")
    first, second = find(read_document(path))
    assert (first.content.group, first.content.against) == ("BERT", "LSTM")
    assert (second.content.group, second.content.against) == ("LSTM", "ResNet")
