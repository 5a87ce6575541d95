"""Formulas: read back from every format, they compute what the formula computes."""

import math
import re
from xml.etree import ElementTree as ET

import pytest
import typst
from fakes.sample_report import roberta_equations
from fakes.spelling import spell_formula
from hypothesis import assume, given
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

VALUES = {"a": 3, "b_in": 7, "alpha": 2, "N": 1200}
SYMBOLS = (Symbol("a"), Symbol("b", "in"), Symbol("alpha"), Symbol("N"))
parse = ET.fromstring


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
            return text.replace(",", "").replace("\u2212", "-")
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
        case "math" | "mrow" | "mtd" | "mspace":
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


READERS = {"html": lambda text: read_mathml(parse(text)), "markdown": read_latex, "json": str}


@pytest.mark.parametrize("form", READERS)
@given(expression=expressions)
def test_a_formula_means_what_is_computed(form, expression):
    value = expected(expression)
    spelled = READERS[form](spell_formula(expression, form))
    assert math.isclose(compute(spelled), value, rel_tol=1e-9, abs_tol=1e-9)


@given(expressions)
def test_the_line_with_numbers_and_the_result_mean_the_same(expression):
    assume(not isinstance(expression, Constant))
    value = expected(expression)
    equation = Equation(id="e", left=Symbol("y"), right=expression, values=VALUES, unit="")
    rows = parse(spell_formula(EquationGroup(id="g", equations=(equation,)), "html"))
    lines = [[read_mathml(cell) for cell in row] for row in rows.findall("mtable/mtr/.")]
    joined = ""
    for _, relation, content in lines:
        joined += f"{relation} {content.lstrip()}"
    for part in re.split("[=\u2248]", joined)[1:]:
        assert math.isclose(compute(part.strip()), value, rel_tol=1e-5, abs_tol=1e-9)


@given(expressions)
def test_printed_typst_compiles(expression):
    assert typst.compile(f"$ {spell_formula(expression, 'typst')} $".encode(), format="svg")


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
    assert spell_formula(expression, "latex") == latex


@pytest.mark.parametrize(
    ("expression", "lang", "said"),
    [
        (a * b - (a + b) / 2, "en", "a times b minus the quantity a plus b over 2"),
        (Root(a) + a**3, "en", "the square root of a plus a cubed"),
        (a * b - (a + b) / 2, "fr", "a fois b moins la quantité a plus b sur 2"),
        (Root(a) + a**3, "fr", "la racine carrée de a plus a au cube"),
        (
            2 * (a**5 + b),
            "fr",
            "2 fois ouvrir la parenthèse a à la puissance 5 plus b fermer la parenthèse",
        ),
    ],
)
def test_speech_names_every_sign_in_the_language_of_the_report(expression, lang, said):
    assert spell_formula(expression, "speech", lang) == said


@pytest.mark.parametrize(
    ("lang", "begins", "within", "ends"),
    [
        ("en", "N sub emb equals V times d plus P times d plus 2 times d equals 32",
         ". N sub layer equals", "equals 22,829,056"),
        ("fr", "N indice emb égale V fois d plus P fois d plus 2 fois d égale 32",
         ". N indice layer égale", "égale 22\u202f829\u202f056"),
    ],
)  # fmt: skip
def test_speech_of_a_group_ends_in_its_results(lang, begins, within, ends):
    spoken = spell_formula(roberta_equations(), "speech", lang)
    assert spoken.startswith(begins)
    assert within in spoken
    assert spoken.endswith(ends)


def rows_of(group, form="html"):
    """Text of each cell of displayed equations, by rows."""
    rows = parse(spell_formula(group, form)).findall("mtable/mtr")
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def test_a_group_prints_formula_numbers_result():
    first, second, third = rows_of(
        EquationGroup(id="g", equations=(roberta_equations().equations[0],))
    )
    assert (first[0], first[1]) == ("Nemb", "=")
    assert second[1] == "="
    assert not re.search("[a-zA-Z]", second[2])
    assert third == ["", "=", "16,517,120"]


def test_long_sums_are_broken_to_the_width_of_the_page():
    rows = rows_of(roberta_equations())
    assert any(not relation for _, relation, _ in rows)
    assert all(len(content) <= 80 for *_, content in rows)


def test_a_brace_stands_in_every_format_and_its_number_below():
    right = Braced(2 * a, "the first") + b * Braced(a + b, "of a & b")
    values = {"a": 3, "b": 5}
    equation = Equation(id="n", left=Symbol("N"), right=right, values=values, strong=True)
    group = EquationGroup(id="g", equations=(equation,))
    assert equation.result == 46
    assert [symbol.key for symbol in symbols(right)] == ["a", "b", "a", "b"]
    assert spell_formula(right, "latex") == (
        r"{\underbrace{2a}_{\text{the first}}} + b({\underbrace{a + b}_{\text{of a \& b}}})"
    )
    assert spell_formula(right, "typst") == (
        r'underbrace("2" a, "the first") + b \( underbrace(a + b, "of a & b") \)'
    )
    assert spell_formula(right, "json") == "2 * a + b * (a + b)"
    assert spell_formula(Symbol("c") - Braced(a + b, "x"), "json") == "c - (a + b)"
    shown = {
        "markdown": (
            r"\underbrace{a + b}_{\text{of a \& b}}",
            r"&= 6 + 5 \times 8",
            r"\mathbf{46}",
        ),
        "html": ("<mtext>of a &amp; b</mtext></munder>", '<mn class="strong">46</mn>'),
        "speech": ("2 times a for the first plus b times",),
    }
    for form, parts in shown.items():
        for part in parts:
            assert part in spell_formula(group, form)


def test_names_of_strangers_stay_text(hostile):
    root = parse(spell_formula(Symbol(hostile, "x<y"), "html"))
    assert {e.tag for e in root.iter()} == {"math", "msub", "mi"}
    formula = spell_formula(Symbol(hostile, hostile), "markdown")
    assert "`" not in formula
    assert "\n" not in formula
    assert "$" not in formula.replace("\\$", "")
    assert formula.replace("\\{", "").count("{") == formula.replace("\\}", "").count("}")
