"""The one value that an equation leaves unsaid."""

from __future__ import annotations

from fakes.equations_of import findings, only
from hypothesis import given, settings
from hypothesis import strategies as st

TEXT = "Indeed, $num\\_samples * EPOCHS / BATCH = {}$ with $num\\_samples = {}$ and $EPOCHS = {}$."


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 500), st.integers(1, 40), st.integers(1, 64))
def test_a_whole_number_solves_it(steps: int, epochs: int, batch: int) -> None:
    finding = only("unknowns", TEXT.format(steps * epochs, steps * batch, epochs))
    assert (finding.verdict, finding.level) == ("agrees", "none")
    assert f"BATCH = {batch} solves it" in finding.message


def test_no_whole_number_solves_it() -> None:
    finding = only("unknowns", TEXT.format(1000, 1234, 5))
    assert (finding.verdict, finding.level) == ("not checkable", "none")
    assert "no whole BATCH" in finding.reason


def test_two_unsaid_values_are_named() -> None:
    finding = only("unknowns", "It is $3 * alpha\\_one * beta\\_two = 12$.")
    assert "alpha_one, beta_two" in finding.reason


def test_linear_and_square_equations() -> None:
    assert "w = 16 solves" in only("unknowns", "$$3 w + 2 = 50$$").message
    assert "w = 16 solves" in only("unknowns", "$$3 w^2 + 2 = 770$$").message


def test_calculations_and_formulas_with_values_are_left_to_others() -> None:
    assert findings("unknowns", "$a = 3$, $b = 4$: $a * b = 12$ and $3 * 4 = 12$.") == []
