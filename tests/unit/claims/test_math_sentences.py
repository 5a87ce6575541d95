"""Sentences that are left out have no arithmetic in them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.claims import _math_runs
from reportgen.claims._math_sentences import computing
from reportgen.claims.equations import find
from reportgen.records.manuscript import Block, Line, Manuscript


@pytest.mark.parametrize(
    "text",
    [
        "We fine-tune twice, with state-of-the-art code",
        "The pre-trained model (see Table 2) reaches 80.2 % at step 1125",
        "Ein gut be-kannter Satz mit état-major",
    ],
)
def test_prose_is_left_out(text):
    assert computing(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "3 x 4",
        "512x512",
        "n = 4",
        "d-1",
        "d²",
        "24dmodel",
        "4 (d",
        "sqrt(2)",
        "a 5 million-dollar",
        r"$a \cdot b$",
        "a" * 61,
        "3 − 2",
        "2 • 3",
    ],
)
def test_what_may_be_arithmetic_is_read(text):
    behind = f"One sentence. {text}. Another one."
    assert any(behind[a:b].strip(" .").startswith(text) for a, b in computing(behind)) or (
        computing(behind) == [(0, len(behind))]
    )


PIECES = st.sampled_from(
    [
        *("sub-words", "d_model", "512", "x", "X", "×", "=", "+", "-", "−", "*", "/", "(", ")"),
        *("[", "]", "{", "}", "a", "of", "layers", "24dmodel", "e.g.", ". ", ", ", "; ", ": "),
        *("! ", "\n", "million", "5 million-dollar", "%", "±", "d²", "sqrt(", "√", "_", "_ab-cd"),
        *("\\text{a. b}", "\\times", "$a+b$", "^2", "8-headed", "top-5", "pre-\ntrained", "'"),
        *("d'essai", "1,572, 864", "= 786, 432", "½", "1.5M", "parameters", "N", "h", "–", "·"),
        *("•", "@1", "f(x, y)", "#", "été-hiver", "a" * 45, "ab-" * 6 + "cd", "3x", "1e-5", "--"),
        *("4 × 3 = 12", "n = 4 × (3 + 1) = 16", "2 x 3 = 6", ":=", "->", "N = 4", "4 layers"),
    ]
)


@settings(max_examples=300)
@given(st.lists(st.tuples(PIECES, st.sampled_from(["", " "])), max_size=30))
def test_no_equation_is_lost(pieces):
    text = "".join(a + b for a, b in pieces)
    lines = tuple(Line(text=line, number=n) for n, line in enumerate(text.split("\n"), 1))
    block = Block(type="paragraph", lines=lines)
    report = Manuscript(path="r.pdf", format="pdf", sha256="", blocks=(block,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_math_runs, "computing", lambda text: [(0, len(text))])
        everything = find(report)
    assert find(report) == everything
