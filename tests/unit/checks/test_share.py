"""Shares of parameters, held against the two numbers that stand in the same sentence."""

from __future__ import annotations

import pytest
from fakes.stated import written
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks.share import check
from reportgen.claims._collect import collect
from reportgen.records.finding import Case, Finding

HEADING = "## LoRA\n\n"


def judged(text: str) -> list[Finding]:
    report = written(HEADING + text, "report.md")
    claims, _ = collect(report)
    return list(check(Case(manuscript=report, claims=claims)))


@pytest.mark.parametrize(
    ("text", "level", "cause"),
    [
        ("We train 1,572,864 parameters of the 560,787,456 parameters, so 0.28 %.", "none", ""),
        (
            "We train 1,572,864 parameters of the 560,787,456 parameters, so 2.8 %.",
            "error",
            "it is ten times too large or too small",
        ),
        (
            "It trains 1,572,864 parameters, which is 0.0028 % of the 560,787,456 parameters.",
            "error",
            "it is the fraction, printed with a percent sign",
        ),
        (
            "L'adaptateur entraîne 1 572 864 paramètres sur les 560 millions, soit 2,8 %.",
            "warning",
            "it is ten times too large or too small",
        ),
        (
            "trainable params: 1,572,864 || all params: 560,787,456 || trainable%: 0.2805",
            "none",
            "",
        ),
        (
            "trainable params: 1,572,864 || all params: 560,787,456 || trainable%: 0.2508",
            "error",
            "",
        ),
    ],
)
def test_a_share_is_that_of_the_counts_beside_it(text: str, level: str, cause: str) -> None:
    [finding] = judged(text)
    assert (finding.level, finding.likely_cause) == (level, cause)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (
            "It freezes 559,214,592 of the 560,787,456 parameters, and trains so only 0.2805 %.",
            "agrees",
        ),
        (
            "It trains 65,536 parameters a layer, which is 0.28 % of the 560,787,456.",
            "not checkable",
        ),
    ],
)
def test_what_need_not_be_the_part_accuses_nobody(text: str, verdict: str) -> None:
    [finding] = judged(text)
    assert (finding.level, finding.verdict[: len(verdict)]) == ("none", verdict)


@pytest.mark.parametrize(
    "text",
    [
        "We train 1,572,864 parameters in 24 layers with 65,536 each, so 0.28 % of the model.",
        "The 4-bit model trains 0.3838 %, because its 1,572,864 parameters count packed weights.",
        "A dropout of 5 % is applied to the 1,572,864 trainable parameters of the adapter.",
    ],
)
def test_a_sentence_that_names_no_whole_is_left(text: str) -> None:
    assert judged(text) == []


@given(st.integers(1_000, 10**8), st.integers(1, 10**3), st.integers(1, 4))
def test_every_right_share_agrees(part: int, factor: int, decimals: int) -> None:
    whole = part * factor + factor
    share = f"{100 * part / whole:.{decimals}f}"
    for finding in judged(
        f"It trains {part:,} parameters of the {whole:,} parameters, so {share} %."
    ):
        assert finding.level == "none", finding.message
