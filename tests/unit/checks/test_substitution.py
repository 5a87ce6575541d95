"""Formulas with the report's own values in them, against the numbers printed for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.equations_of import findings, only
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.checks._symbols import matched, plain_name
from reportgen.claims._expressions import read_equation, value_of

VALUES = "We have $N = 4$ layers, $d_{model} = 512$, a vocabulary of $V = 32000$ and $T = 256$."


def verdict(text: str, name: str = "report.md") -> tuple[str, str]:
    finding = only("substitution", text, name)
    return finding.verdict, finding.level


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("V d_{model} + (T + 2) d_{model} + N (6 d_{model}^2)", 22807552),
        ("d_{model}(V + T + 2) + 24 d_{model}^2", 22807552),
        ("V \\cdot d_{model}", 16384000),
    ],
)
def test_a_formula_gives_the_number_behind_the_settings(formula: str, result: int) -> None:
    text = f"The number of parameters is\n\n$${formula}$$\n\n{VALUES} This yields"
    assert verdict(f"{text} {result} parameters.") == ("agrees", "none")
    assert verdict(f"{text} {result + 1000} parameters.") == ("disagrees", "error")


def test_a_name_joins_a_formula_and_its_number() -> None:
    text = (
        "$$\\mbox{Nb of weights} = \\mbox{layers} \\times (\\mbox{width} \\times"
        " \\mbox{width})$$"
        "\n\n- layers = 3\n- width = 10\n\n"
        "$$\\mbox{Nb of weights} = 3 \\times (10 \\times 10) = 300$$"
    )
    found = findings("substitution", text)
    assert [(f.verdict, f.level) for f in found] == [("agrees", "none")]
    other = text.replace("3 \\times (10", "5 \\times (10").replace("300", "500")
    found = findings("substitution", other)
    assert [(f.verdict, f.level) for f in found] == [("agrees", "none"), ("disagrees", "warning")]
    assert "layers = 5, and the report states 3" in found[1].message
    elsewhere = other.replace(
        "$$\\mbox{Nb of weights} = 5", "# Other\n\n$$\\mbox{Nb of weights} = 5"
    )
    assert [f.level for f in findings("substitution", elsewhere)] == ["none"]


def test_every_repair_must_disagree() -> None:
    text = (
        "$$P = n \\times [h \\times (3 \\times (d \\times d) + (d \\times d \\times d) ] + v$$\n\n"
        "with $n = 4$, $h = 1$, $d = 8$, $v = 5$:\n\n$$P = 4 \\times (3 \\times 8 + 64) + 5 = {}$$"
    )
    value = 4 * (3 * 64 + 512) + 5
    good = findings("substitution", text.format(value))[0]
    assert (good.verdict, good.level) == ("agrees", "none")
    assert "one closing bracket added" in good.message
    bad = findings("substitution", text.format(357))[0]
    assert (bad.verdict, bad.level) == ("disagrees", "error")


def test_each_reading_of_a_brace_must_disagree() -> None:
    text = "The model has\n\n$$N \\times \\underbrace{{a + b}}_{{x}}$$\n\nparameters.\n\n{}"
    text += " This yields {} parameters."
    given = "We have $N = 4$, $a = 100000$ and $b = 70001$."
    assert verdict(text.format(given, 470001)) == ("agrees", "none")
    assert verdict(text.format(given, 680004)) == ("agrees", "none")
    assert verdict(text.format(given, 680005)) == ("disagrees", "error")


def test_numbers_of_other_parts_are_not_compared() -> None:
    text = (
        "The parameters of each head are\n\n$$4 \\times (d \\times k)$$\n\nwith $d = 512$ and"
        " $k = 64$. With 8 heads this becomes, per layer,\n\n$$n = 8 \\times 131072 = 1048576$$"
    )
    assert all(finding.level == "none" for finding in findings("substitution", text))
    plain = "It has\n\n$$6 d^2$$\n\nparameters with $d = 512$, which yields 6291456 parameters."
    # Four times as many: four layers, which the formula leaves out.
    assert verdict(plain)[1] == "none"


def test_what_is_missing_is_said() -> None:
    text = "$$n = V d + 7 q d$$\n\nWith $V = 10$, $d = 3$:\n\n$$n = 10 \\times 3 + 42 = 72$$"
    (finding,) = findings("substitution", text)
    assert finding.verdict in {"agrees", "not checkable"}
    text = "Its parameters are $3 z_{model}^2$ in all."
    assert only("substitution", text).reason == "the report prints no number as its result"


def test_two_formulas_that_are_said_to_be_equal() -> None:
    text = f"{VALUES}\n\n$$N (d_{{model}} + d_{{model}}) = 2 N d_{{model}}$$"
    assert verdict(text) == ("agrees", "none")
    text = f"{VALUES}\n\n$$N (d_{{model}} + d_{{model}}) = 3 N d_{{model}}$$"
    assert verdict(text) == ("disagrees", "warning")


def test_the_text_of_a_pdf_may_have_lost_an_exponent() -> None:
    text = "Sizes\n\n   n = 3 × dim × dim + dim = 310\n\nwhere dim = 10.\n"
    assert verdict(text, "report.txt") == ("agrees", "none")
    assert verdict(text.replace("310", "320"), "report.txt")[1] == "warning"


def test_calculations_tell_the_values_of_symbols() -> None:
    formula = read_equation("4 (d_k (T + 2) + V d_k)").trees[0]
    numbers = read_equation("4 (64 (256 + 2) + 100 * 64)").trees[0]
    assert formula is not None
    assert numbers is not None
    found = matched(formula, numbers)
    assert found == {"d_k": 64, "T": 256, "V": 100}
    assert value_of(formula, found) == value_of(numbers)
    other = read_equation("4 (64 (256 + 2) + 100 * 32)").trees[0]
    assert other is not None
    assert "d_k" not in matched(formula, other)


def test_names_are_one_in_many_spellings() -> None:
    assert plain_name("d_model") == plain_name("dmodel")
    assert plain_name("N") != plain_name("n")


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 60), st.integers(64, 900), st.integers(1000, 40000), st.integers(-1, 1))
def test_made_up_models(layers: int, width: int, words: int, slip: int) -> None:
    total = words * width + layers * (12 * width * width + 13 * width)
    text = (
        "The number of parameters is\n\n$$V d + L (12 d^2 + 13 d)$$\n\n"
        f"With $L = {layers}$, $d = {width}$ and $V = {words}$ this yields {total + slip}"
        " parameters."
    )
    assert verdict(text) == (("agrees", "none") if slip == 0 else ("disagrees", "error"))


@pytest.mark.parametrize(
    ("report", "line", "level"),
    [("report-a.md", 19, "error"), ("report-d.md", 43, "error"), ("report-d.md", 51, "none")],
)
def test_published_formulas(project: Path, report: str, line: int, level: str) -> None:
    path = project.parent / "shared" / "reports" / report
    if not path.exists():
        pytest.skip("no shared/reports beside the checkout")
    found = findings("substitution", path.read_text(encoding="utf-8"))
    assert [f.level for f in found if f.claim.place.line == line] == [level]
    assert all(f.level == "none" for f in found if f.claim.place.line not in {19, 43})


def test_a_letter_behind_a_number_is_a_factor_and_no_setting() -> None:
    text = (
        "$$N_{\\text{last}} = 2 \\, d = 2 \\times 768 = 1{,}536$$\n\n"
        "$$N_{\\text{head}} = C \\, d + C = 2 \\times 768 + 2 = 1{,}538$$"
    )
    found = findings("substitution", text)
    assert found
    assert {finding.level for finding in found} == {"none"}


def test_letters_of_a_column_of_formulas_are_factors() -> None:
    text = (
        "We have L = 12, d = 768, f = 3072, B = 80.\n\n"
        "| Term | Formula | Count |\n|---|---|---|\n"
        "| biases | L (f + d) | 46,080 |\n| filters | 3B d + d | 185,088 |\n"
    )
    found = findings("substitution", text)
    assert len(found) == 2
    assert {finding.level for finding in found} == {"none"}
    wrong = findings("substitution", text.replace("46,080", "64,080"))
    assert sum(finding.verdict == "disagrees" for finding in wrong) == 1
