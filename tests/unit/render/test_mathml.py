"""Formulas as MathML, GitHub's LaTeX and plain text: read back, they still compute the same."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree as ET

import pytest
from fakes.sample_report import roberta_equations, scaling_equations
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reportgen.records.formula import (
    Constant,
    Difference,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    evaluate,
)
from reportgen.render._math import group_lines, substitute
from reportgen.render._math_github import print_github_group, print_github_math
from reportgen.render._mathml import print_mathml, print_mathml_group
from reportgen.render._strict_json import formula_text

VALUES = {"a": 3, "b_in": 7, "alpha": 2, "N": 1200}
SYMBOLS = (Symbol("a"), Symbol("b", "in"), Symbol("alpha"), Symbol("N"))
GROUPS = (roberta_equations(), scaling_equations())
parse = ET.fromstring
ARITY = {"mfrac": 2, "msup": 2, "msub": 2}


def grow(children):
    pair = st.tuples(children, children)
    return st.one_of(
        st.lists(children, min_size=2, max_size=3).map(lambda terms: Sum(tuple(terms))),
        pair.map(lambda two: Difference(*two)),
        st.lists(children, min_size=2, max_size=3).map(lambda terms: Product(tuple(terms))),
        pair.map(lambda two: Quotient(*two)),
        st.tuples(children, st.integers(2, 3)).map(lambda two: Power(*two)),
        children.map(Root),
    )


expressions = st.recursive(
    st.integers(-40, 2000).map(Constant) | st.sampled_from(SYMBOLS), grow, max_leaves=8
)


def read_mathml(element):
    """Turn MathML into a Python expression, as somebody reading the page would."""
    parts = [read_mathml(child) for child in element]
    text = element.text or ""
    match element.tag:
        case "mi":
            return {"α": "alpha"}.get(text, text)
        case "mn":
            return text.replace(",", "")
        case "mo":
            return {"\u2212": "-", "\u00d7": "*", "\u2062": "*"}.get(text, text)
        case "mfrac":
            return f"(({parts[0]})/({parts[1]}))"
        case "msup":
            return f"(({parts[0]})**({parts[1]}))"
        case "msub":
            return f"{parts[0]}_{parts[1]}"
        case "msqrt":
            return f"sqrt({''.join(parts)})"
        case "math" | "mrow":
            return "".join(parts)
    raise AssertionError(f"no reading of {element.tag}")


def read_braces(text, start):
    """Return the content of the braces that open at `start`, and where they end."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if not depth:
            return text[start + 1 : position], position + 1
    raise AssertionError(f"braces never close: {text[start:]}")


def read_latex(text):
    """Turn LaTeX into a Python expression."""
    text = text.replace("{,}", "").replace("\\left", "").replace("\\right", "")
    text = re.sub(r"_\{\\text\{(\w+)\}\}", r"_\1", text).replace("α", "alpha")
    done = ""
    position = 0
    while position < len(text):
        rest = text[position:]
        if rest.startswith("\\frac"):
            above, end = read_braces(text, position + 5)
            below, position = read_braces(text, end)
            done += f"(({read_latex(above)})/({read_latex(below)}))"
        elif rest.startswith("\\sqrt"):
            inner, position = read_braces(text, position + 5)
            done += f"sqrt({read_latex(inner)})"
        elif rest.startswith("^"):
            inner, position = read_braces(text, position + 1)
            done += f"**({inner})"
        elif rest.startswith("{"):
            inner, position = read_braces(text, position)
            done += f"({read_latex(inner)})"
        elif mark := re.match(r"\\(times|,)", rest):
            done += "*"
            position += len(mark[0])
        else:
            done += text[position]
            position += 1
    return done


def compute(python):
    return eval(python, {"__builtins__": {}, "sqrt": math.sqrt}, dict(VALUES))  # noqa: S307 - arithmetic only


def expected(expression):
    try:
        value = evaluate(expression, VALUES)
    except (ZeroDivisionError, ValueError, OverflowError):
        value = math.inf
    assume(math.isfinite(value) and abs(value) < 1e200)
    return value


def test_a_power_of_a_symbol_with_subscript():
    spelled = print_mathml(4 * Symbol("d", "ffn") ** 2)
    assert read_mathml(parse(spelled)) == "4*((d_ffn)**(2))"


def test_thousands_are_one_number():
    assert "<mn>32,000</mn>" in print_mathml(Constant(32000))
    assert print_github_math(Constant(32000)) == "32{,}000"


def test_names_of_strangers_stay_text(hostile):
    spelled = print_mathml(Symbol(hostile, "x<y"))
    root = parse(spelled)
    assert {e.tag for e in root.iter()} == {"math", "msub", "mi"}
    formula = print_github_math(Symbol(hostile, hostile))
    assert "`" not in formula
    assert "\n" not in formula
    assert "$" not in formula.replace("\\$", "")
    assert formula.replace("\\{", "").count("{") == formula.replace("\\}", "").count("}")


@given(expressions)
@settings(max_examples=150, deadline=None)
def test_mathml_computes_what_the_formula_computes(expression):
    value = expected(expression)
    root = parse(print_mathml(expression))
    assert all(len(e) == ARITY[e.tag] for e in root.iter() if e.tag in ARITY)
    assert math.isclose(compute(read_mathml(root)), value, rel_tol=1e-9, abs_tol=1e-9)


@given(expressions)
@settings(max_examples=150, deadline=None)
def test_github_latex_computes_what_the_formula_computes(expression):
    value = expected(expression)
    python = read_latex(print_github_math(expression))
    assert math.isclose(compute(python), value, rel_tol=1e-9, abs_tol=1e-9)


@given(expressions)
@settings(max_examples=150, deadline=None)
def test_plain_text_is_python(expression):
    value = expected(expression)
    assert math.isclose(compute(formula_text(expression)), value, rel_tol=1e-9, abs_tol=1e-9)


@given(expressions)
@settings(max_examples=50, deadline=None)
def test_the_substituted_line_computes_the_same_in_all_spellings(expression):
    numbers = substitute(expression, VALUES)
    value = expected(numbers)
    mathml = compute(read_mathml(parse(print_mathml(numbers))))
    latex = compute(read_latex(print_github_math(numbers)))
    assert math.isclose(mathml, value, rel_tol=1e-9, abs_tol=1e-9)
    assert math.isclose(latex, value, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.id)
def test_displayed_equations_have_a_row_a_line_and_speak(group):
    root = parse(print_mathml_group(group))
    rows = root.findall("mtable/mtr")
    lines = group_lines(group)
    assert [len(row) for row in rows] == [3] * len(lines)
    assert "equals" in root.attrib["alttext"]
    for row, line in zip(rows, lines, strict=True):
        assert (row[0].find("mrow/*") is not None) == (line.left is not None)
        assert not line.result or row[2].findtext("mrow/mn") == line.result


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.id)
def test_github_equations_are_one_aligned_environment_with_one_number(group):
    spelled = print_github_group(group, "7")
    assert spelled.startswith("\\begin{aligned}\n")
    assert spelled.endswith("\\end{aligned}\n\\qquad (7)")
    body = spelled.split("\n")[1:-2]
    assert len(body) == len(group_lines(group))
    assert all(row.count("&") == 1 for row in body)
    assert all(row.endswith("\\\\") for row in body[:-1])
