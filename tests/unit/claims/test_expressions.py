"""Mathematics read back: printed in LaTeX, plain text and a PDF's, against Python's own sums."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.claims._expressions import read_equation, readings, value_of
from reportgen.records.formula import symbols

VALUES = {"d_model": 512, "h": 8, "N": 4, "T": 256, "d_k": 64}


def results(text: str) -> list[Fraction | None]:
    return [None if tree is None else value_of(tree) for tree in read_equation(text).trees]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4(4 × 512 × 512 + 2 × 512 × 512)", 4 * (4 * 512 * 512 + 2 * 512 * 512)),
        (r"\left[ 3 \times \left( 2 + 5 \right) \right]", 21),
        (r"\frac{512}{8} \cdot 2", 128),
        (r"\dfrac{1{,}024}{2^{3}}", 128),
        (r"3 \cdot 512^2", 3 * 512**2),
        ("3 * 512**2", 3 * 512**2),
        ("3 × 512²", 3 * 512**2),
        ("3x512x512", 3 * 512**2),
        ("512 x 512", 512**2),
        (r"32\,000 \times 512", 32000 * 512),
        ("32 000 × 512", 32000 * 512),
        ("1,572, 864 × 2", 1572864 * 2),
        (r"24 \times (512)^2 + 512(32000 + (256 + 2)) + 42 \times 512", 22829056),
        (r"\underbrace{3 + 4}_{attention} \times 1 + 1", 8),
        (r"\sum_{i=1}^{12} 3 \times 2", 72),
        (r"\sqrt{64} + 1", 9),
        ("8 − 3 – 2", 3),
        ("4 layers × 512 × 512 matrices", 4 * 512**2),
        (r"4 \text{ layers} \times 3", 12),
        ("-3 + 5", 2),
        ("2e3 * 2", 4000),
        ("1.5M + 0.5M", 2_000_000),
        ("{(3 + 4)} * 2", 14),
    ],
)
def test_numbers_are_computed(text: str, value: int) -> None:
    assert results(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("24d_{model}^2", 24 * 512**2),
        ("24d^2_{model}", 24 * 512**2),
        (r"4Nd_{model}", 4 * 4 * 512),
        (r"hd_{model}/h", 512),
        (r"h d_k + \mathrm{1}", 513),
        (r"d_{model}(T+2)", 512 * 258),
        (r"d_{\text{model}} \left(T + 2\right)", 512 * 258),
        ("N * (3 * d_model * d_model)", 4 * 3 * 512**2),
    ],
)
def test_letters_are_factors(text: str, value: int) -> None:
    (tree,) = read_equation(text).trees
    assert tree is not None
    assert value_of(tree, VALUES) == value


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r"\mbox{hidden size} \times \mbox{vocab size}", ["hidden size", "vocab size"]),
        ("Vocabulary Size × Embed Dimension", ["Vocabulary Size", "Embed Dimension"]),
        ("hidden size x hidden size", ["hidden size", "hidden size"]),
        (r"num\_samples * MAX\_EPOCH", ["num_samples", "MAX_EPOCH"]),
        (r"max_{sentence\_size} * n_{hid3}", ["max_sentence_size", "n_hid3"]),
        ("dvocab × dmodel + 4 × d2model", ["dvocab", "dmodel", "dmodel"]),
        ("2 × Embed Dimension2", ["Embed Dimension"]),
        (r"\frac{\alpha}{r}", ["alpha", "r"]),
    ],
)
def test_names_are_symbols(text: str, names: list[str]) -> None:
    (tree,) = read_equation(text).trees
    assert tree is not None
    assert [symbol.key for symbol in symbols(tree)] == names


def test_a_square_that_lost_its_place_is_read() -> None:
    (tree,) = read_equation("dmodel × 2 + 4 × d2model").trees
    assert tree is not None
    assert value_of(tree, {"dmodel": 10}) == 20 + 400


def test_chains_have_a_name_and_several_sides() -> None:
    equation = read_equation(r"\mbox{Nb of weights} = 3 \times 4 = 12 \approx 12.0")
    assert equation.name == "Nb of weights"
    assert results(r"3 \times 4 = 12 \approx 12.0") == [12, 12, 12]
    assert [side.strip() for side in equation.sides[1:]] == [r"3 \times 4", "12", "12.0"]


def test_tags_are_no_factors() -> None:
    assert results("16384000     (3)") == [16384000]
    assert results("16384000 (3)") == [16384000]
    assert results(r"2 \times (3)") == [6]
    assert results("2 x (3)") == [6]


class TestRepairs:
    def test_one_bracket_is_put_back_where_it_gives_the_result(self) -> None:
        equation = read_equation(r"4 \times [1 \times (3 \times (5 \times 5) + (5 \times 5)] = 400")
        assert equation.repaired == "one closing bracket added"
        assert [value_of(tree) for tree in equation.trees if tree] == [400, 400]

    def test_repairs_that_differ_without_a_result_are_a_fault(self) -> None:
        equation = read_equation("n = [3 * (2 + 1] * 2")
        assert equation.trees[1] is None
        assert "bracket" in equation.fault

    def test_two_missing_brackets_are_not_guessed(self) -> None:
        assert read_equation("3 * (2 + (1 * 2").fault == "its brackets do not balance"

    def test_a_stray_bracket_is_left_out(self) -> None:
        assert read_equation("(3 + 4)) * 2 = 14").repaired
        assert results("(3 + 4)) * 2 = 14")[0] == 14

    def test_every_repair_is_kept_for_symbols(self) -> None:
        found = readings(r"N \times [ h \times (3 \times (d \times d) + (d \times d) ]")
        assert not isinstance(found, str)
        values = {value_of(r.tree, {"N": 2, "h": 5, "d": 3}) for r in found}
        assert values == {2 * 5 * (3 * 9 + 9), 2 * (5 * 3 * 9 + 9)}

    def test_braces_and_division_have_two_readings(self) -> None:
        braced = readings(r"3 \times \underbrace{2 + 1}_{x}")
        divided = readings(r"12 / 2 \left(3\right)")
        assert not isinstance(braced, str)
        assert not isinstance(divided, str)
        assert [value_of(r.tree) for r in braced] == [7, 9]
        assert {value_of(r.tree) for r in divided} == {18, 2}


@pytest.mark.parametrize(
    "text",
    [
        "10^10^10",
        "9^999999",
        "10^{10^{10}}",
        "(" * 100_000,
        "(" * 1500 + "1" + ")" * 1500,
        "1/0",
        "x^y",
        r"\frac{1}{",
        "3 +",
        "softmax(Q K)",
        r"\max(0, x)",
        "0^{-3}",
        "",
        "=",
        "1" * 3000,
    ],
)
def test_hostile_or_senseless_text_is_a_fault_and_quick(text: str) -> None:
    began = time.process_time()
    equation = read_equation(text)
    for tree in equation.trees:
        if tree is not None:
            with pytest.raises((ValueError, KeyError)):
                value_of(tree)
    assert time.process_time() - began < 1
    assert equation.fault or equation.trees


numbers = st.integers(1, 999).map(lambda n: (str(n), str(n), str(n)))


def _joined(parts: tuple[tuple[str, str, str], str, tuple[str, str, str]]) -> tuple[str, str, str]:
    (a, a_tex, a_py), sign, (b, b_tex, b_py) = parts
    tex = {"*": r" \times ", "+": " + ", "-": " - "}[sign]
    plain = {"*": " × ", "+": " + ", "-": " − "}[sign]
    return (
        f"({a}{plain}{b})",
        rf"\left({a_tex}{tex}{b_tex}\right)",
        f"({a_py}{sign}{b_py})",
    )


def _squared(part: tuple[str, str, str]) -> tuple[str, str, str]:
    plain, tex, python = part
    return (f"({plain})²", f"({tex})^{{2}}", f"({python})**2")


def _divided(part: tuple[tuple[str, str, str], int]) -> tuple[str, str, str]:
    (plain, tex, python), below = part
    return (f"({plain} / {below})", rf"\frac{{{tex}}}{{{below}}}", f"(Fraction({python})/{below})")


expressions = st.recursive(
    numbers,
    lambda inner: (
        st.tuples(inner, st.sampled_from("*+-"), inner).map(_joined)
        | inner.map(_squared)
        | st.tuples(inner, st.integers(1, 99)).map(_divided)
    ),
    max_leaves=8,
)


@given(expressions)
def test_what_is_printed_is_read_back(expression: tuple[str, str, str]) -> None:
    plain, tex, python = expression
    expected = eval(python, {"Fraction": Fraction})  # noqa: S307 - made above
    for text in (plain, tex):
        (tree,) = read_equation(text).trees
        assert tree is not None
        try:
            assert value_of(tree) == expected
        except ValueError as fault:
            assert "too large" in str(fault)  # noqa: PT017


@given(st.text(alphabet=r"0123456789 +-*/^=()[]{}\_.,xd&$ftimesrac×²~#%", max_size=120))
def test_any_text_is_read_without_a_crash(text: str) -> None:
    equation = read_equation(text)
    assert len(equation.sides) == len(equation.trees)
    for tree in equation.trees:
        if tree is not None:
            try:
                value_of(tree, {symbol.key: 3 for symbol in symbols(tree)})
            except ValueError:
                continue
