"""Printed calculations against Python's own arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from fakes.equations_of import findings, only
from hypothesis import given, settings
from hypothesis import strategies as st


def verdict(text: str, name: str = "report.md") -> tuple[str, str]:
    finding = only("arithmetic", text, name)
    return finding.verdict, finding.level


@pytest.mark.parametrize(
    "text",
    [
        "n = 3 * 4 + 5 = 17",
        "The total is 16,384,000 + 132,096 + 4 × (1,048,576 + 524,288) = 22,807,552.",
        "$4 \\times [1 \\times (3 \\times (512 \\times 512) + (512 \\times 512)] = 4{,}194{,}304$",
        "50000/128 = 390.6 steps",
        "50000/128 = 390 steps",
        "50000/128 = 391 steps",
        "1508/2000 = 75.4 %",
        "(79.9 + 78.5 + 80.1)/3 = 79.5",
        "80.1 - 78.5 = 1.6 points",
        "0.33 × 3 = 1.0",
        "3 × 7 ≈ 20",
        "$\\sqrt{\\frac{0.4^2 + 1^2 + 0.6^2}{2}} = 0.87$",
        "2 × 0.8 × 0.75 / (0.8 + 0.75) = 0.774",
        "8 × 4 × (512 × 64) = 8 × 131072 = 1048576",
        "75,4 % et 1,234 × 2 = 2,468",
    ],
)
def test_what_holds_agrees(text: str) -> None:
    found, level = verdict(text)
    assert found.startswith("agrees")
    assert level == "none"


@pytest.mark.parametrize(
    "text",
    [
        "n = 3 * 4 + 5 = 18",
        "n = 32000 * 512 + 258 * 512 + 4 * (5 * 512 * 512) = 22807552",
        "$3 \\times 512^2 = 786431$",
        "8 × 4 × (512 × 64) = 8 × 131073 = 1048576",
        "(79.9 + 78.5 + 80.1)/3 = 79.9",
        "1508/2000 = 85.4 %",
    ],
)
def test_what_does_not_hold_is_an_error(text: str) -> None:
    assert verdict(text) == ("disagrees", "error")


def test_causes_are_named() -> None:
    short = only("arithmetic", "n = 10 * 7 + 4 * (5 * 7) = 238")
    assert short.likely_cause == "6 in place of 5 gives it"
    part = only("arithmetic", "n = 1000 + 200 + 31 = 1031")
    assert part.likely_cause == "without the part 200 it fits"


def test_the_reports_own_formula_is_named() -> None:
    text = (
        "$$n = v d + 4 (6 d d)$$\n\nWith $v = 100$ and $d = 16$:\n\n"
        "$$n = 100 \\times 16 + 4 \\times (5 \\times 16 \\times 16) = 7744$$\n"
    )
    (finding,) = findings("arithmetic", text)
    assert finding.level == "error"
    assert "own formula (line 1) gives 7744" in finding.likely_cause
    assert "6 in place of 5" in finding.likely_cause


def test_other_units_and_rounded_millions_are_not_checked() -> None:
    for text in ("560M × 2 bytes = 1.12 GB", "16.4M + 6.5M = 22.8M"):
        found, level = verdict(text)
        assert level == "none"
        assert found in {"not checkable", "agrees", "agrees within rounding"}


def test_a_lost_exponent_is_read_in_flat_text_only() -> None:
    text = "Title\n\nThe matrices have 2 × 5122 = 524288 weights.\n"
    assert verdict(text, "report.txt")[1] == "none"
    assert verdict(text, "report.md") == ("disagrees", "error")


def test_lost_brackets_and_roots_of_flat_text() -> None:
    text = "Title\n\nThe model has 4 × 3 × 16 + 16 + 5 = 261 weights.\n"
    assert verdict(text, "report.txt") == ("not checkable", "none")
    assert verdict(text, "report.md") == ("disagrees", "error")
    text = "Title\n\nWe find √(4 + 12)/4 = 2 here.\n"
    assert verdict(text, "report.txt")[1] == "none"


def test_words_between_numbers_weaken_a_verdict() -> None:
    assert verdict("4 layers × 3 matrices = 13")[1] == "warning"


def test_several_missing_brackets_are_not_checked() -> None:
    finding = only("arithmetic", "$2 \\times (3 + (4 \\times (1 + 1) = 14$")
    assert (finding.verdict, finding.reason) == ("not checkable", "its brackets do not balance")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 5000), min_size=2, max_size=6), st.integers(-3, 3))
def test_sums_of_products_are_judged_exactly(numbers: list[int], slip: int) -> None:
    half = len(numbers) // 2
    left = " × ".join(str(n) for n in numbers[:half])
    text = f"{left} + {' × '.join(str(n) for n in numbers[half:])}"
    result = eval(text.replace("×", "*")) + slip  # noqa: S307 - made above
    if result < 1:
        return
    found, level = verdict(f"We find $n = {text.replace('×', chr(92) + 'times')} = {result}$ here.")
    assert (found == "agrees") == (slip == 0)
    assert level == ("none" if slip == 0 else "error")


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5000), st.integers(1, 300), st.integers(0, 3))
def test_quotients_are_judged_by_their_decimals(above: int, below: int, decimals: int) -> None:
    exact = Fraction(above, below)
    shown = f"{float(exact):.{decimals}f}"
    assert verdict(f"{above} / {below} = {shown}")[1] == "none"
    far = f"{float(exact) + 3:.{decimals}f}"
    assert verdict(f"{above} / {below} = {far}") == ("disagrees", "error")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$16 \\times 559{,}214{,}592 \\approx 8.33~\\mathrm{GiB}$", ("agrees", "none")),
        ("$16 \\times 559\\,214\\,592 \\approx 8{,}33~\\mathrm{Gio}$", ("agrees", "none")),
        ("$16 \\times 559\\,214\\,592 \\approx 9{,}33~\\mathrm{Gio}$", ("disagrees", "warning")),
        ("559214592 × 4 = 2.24 GB", ("agrees", "none")),
        ("559214592 × 4 = 2.08 GB", ("agrees", "none")),
        ("559214592 × 4 = 4.08 GB", ("disagrees", "warning")),
        ("12 × 24 = 3 h", ("not checkable", "none")),
    ],
)
def test_bytes_are_printed_in_larger_units(text: str, expected: tuple[str, str]) -> None:
    found, level = verdict(text)
    assert (found.removesuffix(" within rounding"), level) == expected


@pytest.mark.parametrize(
    ("above", "result", "level"),
    [
        ("                2", "1,050,624", "none"),
        ("                2", "1,050,625", "warning"),
        ("So", "1,050,625", "error"),
    ],
)
def test_an_exponent_on_the_line_above_accuses_nobody(above: str, result: str, level: str) -> None:
    text = f"We count the attention.\n\n{above}\n  n = 4(512 + 512) = {result}\n\nIt is large.\n"
    assert [f.level for f in findings("arithmetic", text, "report.txt")] == [level]
