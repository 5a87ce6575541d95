"""Numbers that are said of several runs at once, and those that only look so."""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import pytest

from reportgen.claims.together import find
from reportgen.records.manuscript import Block, Line, Manuscript


def found(text):
    block = Block(type="paragraph", lines=(Line(text=text, number=1),))
    claims = find(
        Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,)),
    )
    return [
        (c.printed.text, c.content.aggregate, c.hints.get("over", ""), c.content.group)
        for c in claims
    ]


@pytest.mark.parametrize(
    ("text", "value", "aggregate", "over"),
    [
        ("The lowest test loss of any run is 0.31.", "0.31", "min", "every run"),
        ("The best test loss across all five seeds was 0.31.", "0.31", "min", "every run"),
        ("The worst test accuracy of all runs is 61.2 %.", "61.2", "min", "every run"),
        ("Best validation accuracy of any run: 88.1", "88.1", "max", "every run"),
        ("La pire exactitude de test de toutes les exécutions est de 61,2 %.", "61,2", "min", "every run"),
        ("Across seeds, the test F1 varies by only 4.8 points.", "4.8", "width", "varies"),
        ("The best and worst runs differ by 2.5 points in test accuracy.", "2.5", "width", "one group"),
        ("Our system lowers the test WER by 12.5 % relative.", "12.5", "difference", "relative"),
        ("The test loss of the baseline is 1.31 times that of ours.", "1.31", "difference", "ratio"),
    ],
)  # fmt: skip
def test_each_form(text, value, aggregate, over):
    assert [row[:3] for row in found(text)] == [(value, aggregate, over)]


@pytest.mark.parametrize(
    "text",
    [
        "The best test accuracy of all runs is obtained with a dropout of 0.2.",
        "The best mean test accuracy over all seeds is 73.0 %.",
        "The highest test accuracy of all runs would be 80.1 %.",
        "The best step of all runs is 900.",
        "Excluding seed 3, the highest test accuracy of all runs is 80.1 %.",
        "Across seeds, the test accuracy varies from 68.1 to 72.9 %.",
        "Entre les graines, l'exactitude de test varie de 68,1 à 72,9 %.",
        "From step 100 to step 900 the test WER falls by 12 % relative.",
        "The gap over all runs is 2.5 points.",
    ],
)
def test_what_is_none(text):
    assert found(text) == []


def test_a_name_may_hold_digits_and_full_stops():
    text = "The best and the worst seed of ResNet-50 v1.5 differ by 4.0 points in test accuracy."
    assert [row[:2] for row in found(text)] == [("4.0", "width")]


def test_a_mean_of_no_named_metric():
    text = "ViT-S16 reaches a mean of 71.3 % on the test set."
    assert found(text) == [("71.3", "mean", "", "ViT-S16")]
    assert found("We report the accuracy. " + text) == []
    assert found("ViT-S16 reaches a mean of 71.3 % of its final value on the test set.") == []
