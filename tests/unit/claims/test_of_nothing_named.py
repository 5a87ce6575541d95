"""Numbers of a sentence that are of no run, or of no moment, that it names."""

from __future__ import annotations

import pytest

from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._of_nothing_named import is_of_nothing_named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seed 33 of edinburgh collapsed to 0.5 BLEU after step 4000.", True),
        ("La graine 33 s'effondre à 0.5 BLEU après le pas 4000.", True),
        ("Seed 33 of edinburgh collapsed to 0.5 BLEU at step 4000.", False),
        ("The loss drops to 0.5 after epoch 3.", False),
        ("All models get below 0.5 MAE, except the transformer.", True),
        ("Les modèles passent sous 0.5 de MAE, sauf le transformer.", True),
        ("All runs except seed 3 get below 0.5 MAE.", False),
        ("The MAE is 0.5, except for the transformer.", False),
        ("lstm needs 2,500 steps to get below 20 % (19.3 %), gru only 2,000 (0.5 %).", True),
        ("It took 7 epochs. The error of gru is 0.5 in the end.", False),
        ("ppo crosses a return of 0.5 for the first time after 90k steps.", True),
        ("The gap between validation and test is smallest for a and largest for b (0.5).", True),
        ("The gap between a and b on test is 0.5.", False),
    ],
)
def test_what_no_run_and_no_moment_has(text: str, expected: bool) -> None:
    (number,) = (n for n in find_numbers(text) if n.text == "0.5")
    assert is_of_nothing_named(text, number, ()) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "It gets there after 90k, 100k and 80k steps, the other at 90k.",
            [True, True, True, True],
        ),
        ("The returns are 12k and 9k.", [False, False]),
    ],
)
def test_thousands_beside_steps_are_steps(text: str, expected: list[bool]) -> None:
    assert [is_of_nothing_named(text, number, ()) for number in find_numbers(text)] == expected
