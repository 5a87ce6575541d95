"""Predicates, negations, axes and windows of sentences, in two languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.claims._axes import axes_of, is_general, is_vague, share_of, window_of
from reportgen.claims._predicates import predicates


def said(text):
    return [(one.predicate, one.denied) for one in predicates(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("is better than", [("better", False)]),
        ("is not better than", [("better", True)]),
        ("isn't increasing", [("rises", True)]),
        ("never falls", [("falls", True)]),
        ("not only better but more stable", [("better", False), ("more_stable", False)]),
        ("n'augmente pas", [("rises", True)]),
        ("ne converge pas", [("converges", True)]),
        ("la meilleure valeur", [("best", False)]),
        ("une meilleure valeur", [("better", False)]),
        ("plus élevée que", [("higher", False)]),
        ("la plus élevée", [("highest", False)]),
        ("is outperformed by", [("better", False)]),
        ("betterment of the highestness", []),
        ("no run improves", [("improves", True)]),
    ],
)
def test_predicates(text, found):
    assert said(text) == found


def test_passives_turn_the_sides():
    assert [one.turned for one in predicates("A is outperformed by B")] == [True]
    assert [one.turned for one in predicates("A outperforms B")] == [False]


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("at each of the five epochs", ("epochs",)),
        ("à chaque époque", ("epochs",)),
        ("throughout the training", ("epochs",)),
        ("for all three seeds", ("seeds",)),
        ("pour chaque graine et à chaque époque", ("epochs", "seeds")),
        ("across the three pretrained seeds", ("seeds",)),
        ("every run of A above every run of B", ("runs",)),
        ("the 3 top curves", ("runs",)),
        ("in each layer", ()),
        ("of the epochs", ()),
    ],
)
def test_axes(text, axes):
    assert axes_of(text) == axes


@pytest.mark.parametrize(
    ("text", "vague"),
    [
        ("it is much better", True),
        ("c'est nettement mieux", True),
        ("the overlapping curves", False),
        ("it lies above", False),
        ("about 10 %", True),
    ],
)
def test_words_that_leave_it_open(text, vague):
    assert is_vague(text) == vague


@pytest.mark.parametrize(
    ("lead", "general"),
    [
        ("a model can be ", True),
        ("in order to ", True),
        ("if the loss ", True),
        ("dropout helps to ", True),
        ("as we can see, the loss ", False),
        ("it continues to ", False),
        ("on peut voir que la perte ", False),
        ("the loss ", False),
    ],
)
def test_suppositions_and_aims(lead, general):
    assert is_general(lead) == general


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("after epoch 3", ((3, None), "epoch")),
        ("after the third epoch", ((3, None), "epoch")),
        ("from epoch 2 to epoch 4", ((2, 4), "epoch")),
        ("between epochs 2 and 4", ((2, 4), "epoch")),
        ("until step 600", ((None, 600), "step")),
        ("après l'époque 3", ((3, None), "epoch")),
        ("à partir de l'époque 3", ((3, None), "epoch")),
        ("after 1,125 steps", ((1125, None), "step")),
        ("after epoch 3 until step 900", ((None, None), "epoch")),
        ("at epoch 3", ((None, None), "epoch")),
    ],
)
def test_windows(text, window):
    assert window_of(text) == window


@given(st.integers(0, 20), st.integers(0, 20))
def test_shares_in_digits_and_in_words(some, every):
    words = {
        value: word for word, value in WORD_VALUES.items() if "-" not in word and word != "une"
    }
    shares = {f"{some} of the {every} runs"}
    if some and every:
        shares.add(f"{words[some]} of the {words[every]} runs")
    for text in shares:
        assert share_of(text) == ((some, every) if some <= every else None)


@given(st.text(max_size=120))
def test_any_text_is_read(text):
    axes_of(text), is_vague(text), is_general(text), share_of(text), window_of(text)
    for one in predicates(text):
        assert 0 <= one.start < one.end <= len(text)
