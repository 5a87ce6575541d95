"""Formulas: what is printed means what is computed."""

from __future__ import annotations

from fractions import Fraction

import pytest
import typst
from fakes.sample_report import roberta_equations, scaling_equations
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.records.document import EquationGroup
from reportgen.records.formula import (
    Braced,
    Constant,
    Difference,
    Equation,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    evaluate,
    symbols,
)
from reportgen.render._math import (
    base_tokens,
    break_lines,
    group_lines,
    measure,
    print_result,
    substitute,
    tokens,
)
from reportgen.render._math_github import print_github_group
from reportgen.render._math_latex import print_latex
from reportgen.render._math_typst import print_typst
from reportgen.render._mathml import print_mathml_group
from reportgen.render._speech import speak, speak_group
from reportgen.render._strict_json import formula_text

VALUES = {"a": 3, "b": 5, "d_ffn": 7, "alpha": 2}
leaves = st.one_of(
    st.sampled_from([Symbol("a"), Symbol("b"), Symbol("d", "ffn"), Symbol("alpha")]),
    # Fractions, so that both sides are computed exactly.
    st.integers(-9, 9).map(lambda value: Constant(Fraction(value))),
)


def bigger(parts):
    several = st.lists(parts, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        several.map(Sum),
        several.map(Product),
        st.tuples(parts, parts).map(lambda pair: Difference(*pair)),
        st.tuples(parts, parts).map(lambda pair: Quotient(*pair)),
        st.tuples(parts, st.integers(2, 3)).map(lambda pair: Power(*pair)),
    )


expressions = st.recursive(leaves, bigger, max_leaves=12)


def as_python(pieces):
    """Write tokens as Python, adding nothing but the signs of multiplication left out."""
    source, ready = "", False
    for piece in pieces:
        mark = piece.removeprefix("tall") if isinstance(piece, str) else ""
        if ready and mark in {"", "("}:
            source += " * "
        source += {"neg": "-", "": ""}.get(mark, mark) if isinstance(piece, str) else atom(piece)
        ready = mark in {"", ")"}
    return source


def atom(piece):
    match piece:
        case Symbol():
            return piece.key
        case Constant(value):
            return f"F({value})"
        case Power(_, exponent):
            return f"{as_python(base_tokens(piece))}**{exponent}"
        case Quotient(above, below):
            return f"(({as_python(tokens(above))}) / ({as_python(tokens(below))}))"
    raise AssertionError(piece)


def value_of(source):
    names = {key: Fraction(value) for key, value in VALUES.items()}
    return eval(source, {"__builtins__": {}, "F": Fraction, **names})  # noqa: S307 - our own text


@given(expressions)
def test_printed_parentheses_mean_what_is_computed(expression):
    try:
        expected = evaluate(expression, {key: Fraction(value) for key, value in VALUES.items()})
    except ZeroDivisionError:
        return
    assert value_of(as_python(tokens(expression))) == expected
    # The substituted line keeps the meaning too.
    numbers = substitute(expression, VALUES)
    assert not list(symbols(numbers))
    assert value_of(as_python(tokens(numbers))) == expected


@given(expressions, st.floats(5, 60))
def test_breaking_lines_loses_nothing(expression, width):
    pieces = tokens(expression)
    lines = break_lines(pieces, width)
    whole = value_of_or_none(as_python([t for line in lines for t in line.tokens]))
    assert whole == value_of_or_none(as_python(pieces))
    for line in lines[1:]:
        assert line.tokens[0] in {"+", "-", "*", "/"}


def value_of_or_none(source):
    try:
        return value_of(source)
    except ZeroDivisionError:
        return None


@given(expressions)
def test_printed_braces_are_balanced(expression):
    latex = print_latex(expression)
    assert latex.count("{") == latex.count("}")
    assert latex.count(r"\left(") == latex.count(r"\right)")


@settings(max_examples=30, deadline=None)
@given(expressions)
def test_printed_typst_compiles(expression):
    assert typst.compile(f"$ {print_typst(expression)} $".encode(), format="svg")


a, b, d = Symbol("a"), Symbol("b"), Symbol("d", "ffn")


@pytest.mark.parametrize(
    ("expression", "latex"),
    [
        (a * b, r"a\,b"),
        (2 * d, r"2d_{\mathrm{ffn}}"),
        (Constant(2) * Constant(3), r"2 \times 3"),
        (a * Constant(3), r"a \times 3"),
        (a * (b + 1), "a(b + 1)"),
        (Constant(4) * (Constant(1) + Constant(2)), r"4 \times (1 + 2)"),
        (a - (b - 1), "a - (b - 1)"),
        (a - b - 1, "a - b - 1"),
        (Sum((a, Constant(-2))), "a - 2"),
        ((a + b) ** 2, "(a + b)^{2}"),
        (Power(Constant(-3), 2), "(-3)^{2}"),
        (a * (b / 2 + 1), r"a\left(\frac{b}{2} + 1\right)"),
        (Root(a + b), r"\sqrt{a + b}"),
        (Symbol("Delta") * Symbol("lambda"), r"\Delta\,\lambda"),
        (Symbol("rank"), r"\mathrm{rank}"),
        (Symbol("x", "a_b%"), r"x_{\text{a\_b\%}}"),
        (Constant(32000), r"32{,}000"),
        (Constant(0.5), "0.5"),
    ],
)
def test_latex(expression, latex):
    assert print_latex(expression) == latex


def test_speech_names_every_sign():
    assert speak(a * b - (a + b) / 2) == "a times b minus the quantity a plus b over 2"
    assert speak(Root(a) + a**3) == "the square root of a plus a cubed"


def test_speech_is_in_the_language_of_the_report():
    found = speak(a * b - (a + b) / 2, "fr")
    assert found == "a fois b moins la quantité a plus b sur 2"
    assert speak(Root(a) + a**3, "fr") == "la racine carrée de a plus a au cube"
    assert speak(2 * (a**5 + b), "fr") == (
        "2 fois ouvrir la parenthèse a à la puissance 5 plus b fermer la parenthèse"
    )


def test_every_line_of_a_group_is_in_the_language_of_the_report():
    spoken = speak_group(roberta_equations(), "fr")
    assert spoken.startswith("N indice emb égale V fois d plus P fois d plus 2 fois d égale 32")
    assert spoken.endswith("égale 22\u202f829\u202f056")
    assert ". N indice layer égale" in spoken


def test_speech_of_a_group_ends_in_its_results():
    spoken = speak_group(roberta_equations())
    assert spoken.startswith("N sub emb equals V times d plus P times d plus 2 times d equals 32")
    assert spoken.endswith("equals 22,829,056")
    assert ". N sub layer equals" in spoken


def test_a_group_prints_formula_numbers_result():
    first, second, third = group_lines(
        EquationGroup(id="g", equations=(roberta_equations().equations[0],))
    )
    assert (first.left.key, first.relation) == ("N_emb", "=")
    assert second.relation == "="
    atoms = [token for token in second.tokens if not isinstance(token, str)]
    assert not [symbol for token in atoms for symbol in symbols(token)]
    assert (third.relation, third.result) == ("=", "16,517,120")


def test_long_sums_are_broken_to_the_width_of_the_page():
    lines = group_lines(roberta_equations())
    assert any(not line.relation for line in lines)
    assert all(measure(line.tokens) <= 70 for line in lines)


def test_rounded_results_say_so():
    results = [line for line in group_lines(scaling_equations()) if line.result]
    assert [(line.relation, line.result) for line in results] == [
        ("=", "8"), ("\u2248", "0.2813%"), ("=", "559,182,863"), ("\u2248", "1.04\u00a0GiB"),
    ]  # fmt: skip


def test_a_formula_that_is_a_number_is_one_line():
    equation = Equation(id="e", left=a, right=Constant(7), values={})
    assert len(group_lines(EquationGroup(id="g", equations=(equation,)))) == 1
    assert print_result(equation) == ("7", True)


def braced():
    """A sum of two braced parts, one of them a sum inside a product; bold."""
    a, b = Symbol("a"), Symbol("b")
    right = Braced(2 * a, "the first") + b * Braced(a + b, "of a & b")
    return Equation(id="n", left=Symbol("N"), right=right, values={"a": 3, "b": 5}, strong=True)


def test_a_brace_is_worth_what_stands_above_it():
    equation = braced()
    assert equation.result == 46
    assert [symbol.key for symbol in symbols(equation.right)] == ["a", "b", "a", "b"]
    assert formula_text(equation.right) == "2 * a + b * (a + b)"
    assert formula_text(Braced(Symbol("a") + Symbol("b"), "x") / Symbol("c")) == "(a + b) / c"
    assert formula_text(Symbol("c") - Braced(Symbol("a") + Symbol("b"), "x")) == "c - (a + b)"


def test_a_brace_stands_in_every_format_and_its_number_below():
    group = EquationGroup(id="g", equations=(braced(),))
    latex, typst_text = print_latex(braced().right), print_typst(braced().right)
    assert latex == (
        r"{\underbrace{2a}_{\text{the first}}} + b({\underbrace{a + b}_{\text{of a \& b}}})"
    )
    assert typst_text == (r'underbrace("2" a, "the first") + b \( underbrace(a + b, "of a & b") \)')
    github = print_github_group(group, "1")
    assert r"\underbrace{a + b}_{\text{of a \& b}}" in github
    assert r"&= 6 + 5 \times 8" in github
    assert r"&= \mathbf{46}" in github
    mathml = print_mathml_group(group)
    assert "<mtext>of a &amp; b</mtext></munder>" in mathml
    assert '<mn class="strong">46</mn>' in mathml
    assert "2 times a for the first plus b times" in speak_group(group)
