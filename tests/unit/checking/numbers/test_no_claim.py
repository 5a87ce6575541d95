"""Numbers of sections, citations, tags, labels and references claim nothing."""

import pytest

from reportgen.checking.numbers import find_numbers, is_coefficient, no_claim_spans
from reportgen.records.manuscript import Block, Line


def block(text: str, kind: str = "paragraph") -> Block:
    lines = tuple(Line(text=line, number=n) for n, line in enumerate(text.split("\n"), 1))
    return Block(type=kind, lines=lines)


def left(text: str, kind: str = "paragraph") -> list[str]:
    found = block(text, kind)
    spans = no_claim_spans(found)
    return [
        number.text
        for number in find_numbers(text)
        if not any(start <= number.start < end for start, end, _ in spans)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "In Section 3.2.2 of [4], and Figures 1-3, see eq. (3) and [1]–[4], [1, 2]",
        "Vaswani et al., 2017 and Hu (2021), as in 2023.",
        "Table 2: see page 4 and footnote 3 of Task 5",
        "seeds 0, 1 and 2; Seed 1; epoch 3; layers 0-3; couche 2",
        "the values of the runs (n is at most 2), les valeurs (n est au plus égal à 2)",
        "At the level that makes all of them hold together at 95% (Bonferroni)",
        "Au niveau qui les fait valoir tous ensemble à 95\u00a0% (Bonferroni)",
        "not above the critical value 2.215, pas au-dessus de la valeur critique 2,215.",
        "found 0, 1; 2 expected, since A of the same layout has it; also possible: 0, 1",
        "trouvées\u202f: 0, 1\u202f; 2 attendue, puisque A l'a\u202f; aussi possible\u202f: 0, 1",
        "groups.large net.seeds       0, 1, 2, 5",
        r"runs.pattern  (?:_\d{8}_\d{6})?$",
        "epoch counts from 0, epoch compte à partir de 0",
        "du quantile 0,05 au quantile 0,95; the 95th percentile, percentile 5",
        "12",
        "2 https://example.org",
    ],
)
def test_nothing_is_left_of_labels(text: str) -> None:
    assert left(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("Seed 1 reaches 79.9 at step 1125", "paragraph", ["79.9", "1125"]),
        ("in 2000 steps with 4 layers and 5 epochs", "paragraph", ["2000", "4", "5"]),
        ("Layers 4", "paragraph", ["4"]),
        ("groups of 5 seeds reach 0.81", "paragraph", ["5", "0.81"]),
        ("it counts from 0.5 to 3", "paragraph", ["0.5", "3"]),
        ("Epochs 5, 225 steps", "paragraph", ["5", "225"]),
        ("Epoch 1 70.4 1.92", "paragraph", ["70.4", "1.92"]),
        ("epoch 3 has 80 %", "paragraph", ["80"]),
        ("1. Embedding: 512", "item", ["512"]),
        ("2.1 Using 3 seeds", "heading", ["3"]),
        ("= 512 × 2    (12)", "equation", ["512", "2"]),
        ("= 16384000          (3)\n= 132096        (4)", "paragraph", ["16384000", "132096"]),
        (r"a = 3 \tag{1}", "equation", ["3"]),
        ("[1] A. Author. 2019. 34 pages.", "reference", []),
    ],
)
def test_what_is_claimed_is_left(text: str, kind: str, rest: list[str]) -> None:
    assert left(text, kind) == rest


def test_each_span_says_what_it_is() -> None:
    kinds = {kind for _, _, kind in no_claim_spans(block("Table 1, seed 2, [3], et al., 2019"))}
    assert kinds == {"table", "label", "citation", "year"}


@pytest.mark.parametrize(
    ("formula", "coefficients"),
    [
        (r"N = 12 \, L \, {d}^{2} + 13 L d", ["12", "13"]),
        (r"N &= {\underbrace{8 \, {d}^{2}}_{\text{attention}}} + 2 d d_{ffn}", ["8", "2"]),
        (r"L \times (3 \times (\mbox{hidden size}) + 4\left(d + 1\right))", ["3", "4"]),
        (r"= 12 \times 6 \times 384^2 + 30 = 10616862", []),
        ("r = 0.81 d, 512 d", []),
    ],
)
def test_what_symbols_are_multiplied_by(formula, coefficients):
    found = find_numbers(formula)
    told = [n.text for n in found if is_coefficient(formula, n.start, n.end, math=True)]
    inside = f"We have ${formula}$"
    assert told == coefficients
    assert [
        n.text for n in find_numbers(inside) if is_coefficient(inside, n.start, n.end, math=False)
    ] == coefficients
    assert not any(is_coefficient(formula, n.start, n.end, math=False) for n in found)
