"""Which mathematics of a report claims something, and where it begins and ends."""

from __future__ import annotations

import time

import pytest
from fakes.equations_of import claims, manuscript

from reportgen.claims._assignments import assignments
from reportgen.claims._parts_said import parts_said
from reportgen.claims.equations import find
from reportgen.records.manuscript import Block, Line, Manuscript


def quotes(text: str, name: str = "report.md") -> list[tuple[str, str]]:
    return [(claim.kind, claim.quote) for claim in claims(text, name)]


@pytest.mark.parametrize(
    ("text", "quote", "result"),
    [
        ("The total is 3 * 32 * 9 + 100 = 964 weights.", "3 × 32 × 9 + 100 = 964", "964"),
        ("We need 1800/8 = 225 updates per epoch.", "1800/8 = 225", "225"),
        ("Nous avons 4 × 512 × 512 = 1 048 576 poids.", "4 × 512 × 512 = 1 048 576", "1 048 576"),
        ("so $4 \\times 512$ = 2048 in all", "4 × 512 = 2048", "2048"),
        ("The gap is 79.9 - 65.4 = 14.5 points.", "79.9 − 65.4 = 14.5", "14.5"),
        ("Total: 16,384 + 132,096 = 148,480 (148k).", "16,384 + 132,096 = 148,480", "148,480"),
        ("we have D = d_embed/h = 512/8 = 64. For Q", "d_embed/h = 512/8 = 64", "64"),
        ("$$n = 4(3 \\cdot 5 + 1) = 64$$", "4(3 × 5 + 1) = 64", "64"),
        ("The batch size is 8 x 4 = 32 here.", "8 × 4 = 32", "32"),
    ],
)  # fmt: skip
def test_a_calculation_with_its_result(text: str, quote: str, result: str) -> None:
    (claim,) = claims(text)
    assert (claim.kind, claim.quote) == ("equation", quote)
    assert claim.printed is not None
    assert claim.printed.text == result


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("There are 3 x (width x width) parameters for each.", ["3 × (width × width)"]),
        (
            "The number of weights is (width x width) + width, or only (width x width).",
            ["(width × width) + width", "(width × width)"],
        ),
        ("that is $4d_{model}$ more parameters", ["4d_model"]),
        ("which adds $n_{tokens}d_{model}$ parameters", ["n_tokens d_model"]),
        ("For each of these heads of size $d_k = d_v = d_{model}/h$.", ["d_model/h"]),
    ],
)  # fmt: skip
def test_formulas_in_sentences(text: str, formulas: list[str]) -> None:
    assert quotes(text) == [("arch_formula", formula) for formula in formulas]


@pytest.mark.parametrize(
    "text",
    [
        "We set $d_{model} = 512$, r=16, lr = 1e-5 and batch size = 8.",
        "Average accuracy = 81.67% ± 1.43%.",
        "The train/test split is 80/20, pre-trained and fine-tuned, 2 x A100.",
        "Images are 28x28 and convolutions 3x3.",
        "If (a, b) = (c, d) then A = B.",
        "$$\\text{softmax}(QK^T/\\sqrt{d_k})V$$",
        "$W_1, W_2 \\in \\mathbb{R}^{d \\times d}$ and $BA$, $\\Delta W$",
        "See https://example.org/?a=3*4=12 for more.",
        "Seeds 1-3 = fine. The range is 0.62-0.65.",
        "```python\nlr = 1e-5 * 2\nx = x + 1\n```",
        "d'après c.-à-d. $d = 4$",
        "$R^2 = 0.8$, $p(x) = 0.3$, $\\sigma^2 = 0.5$",
        "Top-1 = 79.9 and recall@1 = 80.0",
        "The interval is 79.5 ± 4.3 × 0.5 = 79.5 ± 2.15.",
    ],
)
def test_what_is_no_equation(text: str) -> None:
    assert quotes(text) == []


def test_a_listing_with_prose_is_cut_into_equations() -> None:
    text = (
        "```\nn_{params} = v_{size} * n_{hid} + 2 * n_{hid} \\ \\ (1) In our case, this gives us,"
        " having n_{hid} = n_{out} = 512, v_{size} = 100"
        " n_{params} = 100 * 512 + 2 * 512 = 52224\n```"
    )
    found = [(c.content.name, c.quote) for c in claims(text)]
    assert found == [
        ("n_params", "v_size × n_hid + 2 × n_hid"),
        ("n_params", "100 × 512 + 2 × 512 = 52224"),
    ]
    given = {(a.name, int(a.value)) for a in assignments(manuscript(text))}
    assert given == {("n_hid", 512), ("n_out", 512), ("v_size", 100)}


def test_a_chain_goes_on_over_lines_and_blocks() -> None:
    (claim,) = claims("Nb of parameters =\n\n$$4 \\times 512$$\n\n= 2,048\n")
    assert claim.content.name == "Nb of parameters"
    assert claim.printed.text == "2,048"
    text = "# Embedding Parameters = Size × Width    (1)\n    = 100 × 8    (2)\n    = 800    (3)\n"
    (claim,) = claims(f"Title\n\n    {text}", "report.txt")
    assert claim.content.name == "Embedding Parameters"
    assert [side.strip() for side in claim.content.sides[1:]] == [
        "Size × Width",
        "100 × 8",
        "800",
    ]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Layer 1 = 3 × 4 = 12.", "3 × 4 = 12"),
        ("Parameters in 4 layers = 4 × 10 = 40.", "4 × 10 = 40"),
        ("Epochs 1-5 = 5 × 225 = 1125 updates.", "5 × 225 = 1125"),
        ("Step 2 - 3 × 4 = 12.", "3 × 4 = 12"),
        ("We do 10 × 3 = 30 epochs = 2250 steps.", "10 × 3 = 30"),
        ("1 GB = 1024 × 1024 = 1048576 kB", "1024 × 1024 = 1048576"),
        ("$10 \\times 3 = 30 \\text{ epochs} = 2250 \\text{ steps}$", "10 × 3 = 30"),
    ],
)
def test_words_before_a_calculation_are_no_part_of_it(text: str, quote: str) -> None:
    assert [found for _, found in quotes(text)] == [quote]


def test_a_formula_column_is_equal_to_the_number_beside_it() -> None:
    text = (
        "| Part | Formula | Parameters |\n|---|---|---|\n| Embedding | 320 × 512 | 163,840 |\n"
        "| Sum | 3 + 4 = 7 | 12 |\n\n| Layer | Shape | Parameters |\n|---|---|---|\n"
        "| fc | 512 × 512 | 262,656 |\n"
    )
    found = [(c.quote, c.row, c.column, c.confidence) for c in claims(text)]
    assert found == [("320 × 512 = 163,840", 1, 1, 0.75), ("3 + 4 = 7", 2, 1, 0.9)]


def test_aligned_rows_are_one_chain_or_several() -> None:
    one = "$$\\begin{aligned} n &= 4 \\times 5 \\\\ &= 20 \\end{aligned}$$"
    two = "$$\\begin{aligned} a &= 4 \\times 5 = 20 \\\\ b &= 2 \\times 3 = 6 \\end{aligned}$$"
    assert [quote for _, quote in quotes(one)] == ["4 × 5 = 20"]
    assert [quote for _, quote in quotes(two)] == ["4 × 5 = 20", "2 × 3 = 6"]


def test_places_are_those_of_the_calculation() -> None:
    (claim,) = claims("# A\n\nWe find n = 3 * 4 = 12 here.")
    assert (claim.place.line, claim.place.column, claim.place.end_column) == (3, 13, 23)


def test_a_calculation_is_a_claim_of_its_own_where_sentences_count_its_parts() -> None:
    text = "The MLP has two linear layers.\n\n$$n = 4 \\times (512 \\times 512 + 7) = 1048604$$"
    assert [c.kind for c in claims(text)] == ["equation", "arch_formula"]
    assert [(p.part, p.count) for p in parts_said(manuscript(text))] == [
        ("feed-forward network", 2)
    ]


@pytest.mark.parametrize(
    "unit",
    [
        *("1+1=2 ", "(1+ ", "1=", "word ", "$a+b$ ", "(a = b) ", "3 x 4 ", "a = b\n", "\\frac{"),
        *("\\text{", "((((, "),
    ],
)
@pytest.mark.parametrize("kind", ["paragraph", "equation"])
def test_hostile_text_takes_linear_time(unit: str, kind: str) -> None:
    def seconds(size: int) -> float:
        lines = (unit * (size // len(unit))).split("\n")
        block = Block(
            type=kind, lines=tuple(Line(text=t, number=n) for n, t in enumerate(lines, 1))
        )
        report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        began = time.process_time()
        find(report)
        return time.process_time() - began

    short = seconds(4_000)
    # Eight times the text: a quadratic reader would take 64 times as long, and do so every time.
    assert any(seconds(32_000) < 32 * max(short, 0.02) for _ in range(3))


def test_a_unit_behind_the_dollar_belongs_to_the_result():
    (claim,) = claims("so $10000 \\times 512 = 5.12$M entries", "report.tex")
    assert claim.printed is not None
    assert claim.printed.value == 5_120_000
