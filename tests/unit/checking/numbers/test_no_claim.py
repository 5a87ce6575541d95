"""Numbers of sections, citations, tags, labels and references claim nothing."""

import pytest
from fakes.rows import rows_beside

from reportgen.checking.numbers import find_numbers, is_coefficient, no_claim_spans
from reportgen.records.manuscript import Block, Line

ROWS = rows_beside(__file__)


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


@pytest.mark.parametrize("text", ROWS["nothing_is_left_of_labels"])
def test_nothing_is_left_of_labels(text: str) -> None:
    assert left(text) == []


@pytest.mark.parametrize(("text", "kind", "rest"), ROWS["what_is_claimed_is_left"])
def test_what_is_claimed_is_left(text: str, kind: str, rest: list[str]) -> None:
    assert left(text, kind) == rest


def test_each_span_says_what_it_is() -> None:
    kinds = {kind for _, _, kind in no_claim_spans(block("Table 1, seed 2, [3], et al., 2019"))}
    assert kinds == {"table", "label", "citation", "year"}


@pytest.mark.parametrize(("formula", "coefficients"), ROWS["what_symbols_are_multiplied_by"])
def test_what_symbols_are_multiplied_by(formula, coefficients):
    found = find_numbers(formula)
    told = [n.text for n in found if is_coefficient(formula, n.start, n.end, math=True)]
    inside = f"We have ${formula}$"
    assert told == coefficients
    assert [
        n.text for n in find_numbers(inside) if is_coefficient(inside, n.start, n.end, math=False)
    ] == coefficients
    assert not any(is_coefficient(formula, n.start, n.end, math=False) for n in found)
