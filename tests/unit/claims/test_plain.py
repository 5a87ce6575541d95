"""Text without LaTeX's spelling, whose characters still know where they stood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.claims._plain import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"$d_{model}=512$", "d_model=512"),
        (r"lora\_alpha = 32", "lora_alpha = 32"),
        (r"$max_{sentence\_size}$", "max_sentence_size"),
        (r"\mbox{Nb of heads} \times (\mbox{width})", "Nb of heads × (width)"),
        (r"$\frac{lora_alpha}{lora_rank}$ and $\dfrac{\alpha}{r}$", "lora_alpha/lora_rank and α/r"),
        (r"$\alpha/\sqrt{r}$", "α/√r"),
        (r"$10^{-5}$ and $d^{2k}$", "10^-5 and d^(2k)"),
        (r"$W \in \mathbb{R}^{d \times k}$", "W ∈ R^(d × k)"),
        (r"1{,}800 and 6\,\%", "1,800 and 6\u202f%"),
        ("“query” ``key'' «valeur» l’un", '"query" "key" "valeur" l\'un'),
        ("one\ntwo~three\tfour", "one two three four"),
        (r"\begin{aligned} a & b \\ c \end{aligned}", "  a   b   c  "),
        ("`code` of a & b", "code of a   b"),
    ],
)
def test_costumes_are_taken_off(text, shown):
    assert plain(text).text == shown


PIECES = st.sampled_from(
    [
        *"{}$`\\^_ \n~&“’ab1.,",
        "\\frac{",
        "\\_",
        "^{",
        "{,}",
        "\\times ",
        "\\begin{x}",
        "''",
        "^{-5}",
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_every_character_has_a_place_in_order(text):
    read = plain(text)
    assert len(read.places) == len(read.text) + 1
    assert list(read.places) == sorted(read.places)
    assert read.places[-1] == len(text)
    for index in range(len(read.text)):
        start, end = read.span(index, index + 1)
        assert 0 <= start < end <= len(text)


@given(st.text(alphabet="abc xyz 0123456789.,=:()%-", max_size=80))
def test_plain_text_stays_as_it_is(text):
    read = plain(text)
    assert read.text == text
    assert read.places == tuple(range(len(text) + 1))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("their best valida-\ntion accuracy", "their best validation accuracy"),
        ("the pré-\nentraînement, vali-\r\ndation", "the préentraînement, validation"),
        ("after fine-\ntuning", "after fine-tuning"),
        ("from 3 -\n4", "from 3 - 4"),
        ("BERT-\nLarge and x-\ny", "BERT- Large and x- y"),
    ],
)
def test_words_that_a_line_parts_are_joined(text, wanted):
    assert plain(text).text == wanted
