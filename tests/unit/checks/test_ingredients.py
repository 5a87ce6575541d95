"""Matrices of a layer that sentences name and a calculation counts."""

from __future__ import annotations

import pytest
from fakes.equations_of import findings

TEXT = (
    "The attention has three weight matrices.\n\n"
    "The feed-forward network has two linear layers.\n\n"
    "We have hidden size = 64, number of layers = 6 and vocabulary size = 1000.\n\n"
    "$$n = 6 \\times (3 \\times 64 \\times 64 + {}) + 1000 \\times 64 = {}$$"
)


def verdicts(parts: str, result: int) -> list[tuple[str, str]]:
    return [(f.verdict, f.level) for f in findings("ingredients", TEXT.format(parts, result))]


@pytest.mark.parametrize(
    ("parts", "count", "verdict"),
    [
        ("64 \\times 64", 4, ("disagrees", "warning")),
        ("2 \\times 64 \\times 64", 5, ("agrees", "none")),
        ("2 \\times 64^2", 5, ("agrees", "none")),
        ("3 \\times 64 \\times 64", 6, ("agrees", "none")),
    ],
)
def test_parts_are_counted(parts: str, count: int, verdict: tuple[str, str]) -> None:
    assert verdicts(parts, 6 * count * 64 * 64 + 64000) == [verdict]


def test_a_calculation_that_does_not_hold_is_left_to_another_check() -> None:
    assert verdicts("64 \\times 64", 123) == [("not checkable", "none")]


def test_sizes_that_the_report_does_not_state() -> None:
    text = TEXT.replace("number of layers = 6", "some layers")
    found = findings("ingredients", text.format("64 \\times 64", 6 * 4 * 64 * 64 + 64000))
    assert [finding.verdict for finding in found] == ["not checkable"]


def test_inner_matrices_of_another_width() -> None:
    text = (
        "The MLP has two linear layers. We have hidden size = 64, intermediate size = 256 and"
        " number of layers = 6.\n\n"
        "$$n = 6 \\times (4 \\times 64 \\times 64 + {} 64 \\times 256) = {}$$"
    )
    short = findings("ingredients", text.format("", 6 * (4 * 64 * 64 + 64 * 256)))
    assert [finding.level for finding in short] == ["warning"]
    full = findings("ingredients", text.format("2 \\times", 6 * (4 * 64 * 64 + 2 * 64 * 256)))
    assert [finding.level for finding in full] == ["none"]
