"""Numbers as they are printed: joined, signed, with units, and none from a name."""

from decimal import Decimal

import pytest
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checking.numbers import (
    NumberStyle,
    find_numbers,
    number_style,
    shown_number,
    spreads,
)

ROWS = rows_beside(__file__)


def texts(text: str) -> list[str]:
    return [number.text for number in find_numbers(text)]


def values(text: str) -> list[Decimal]:
    return [number.value for number in find_numbers(text)]


@pytest.mark.parametrize(("text", "value", "decimals"), ROWS["one_number_is_read_whole"])
def test_one_number_is_read_whole(text: str, value: str, decimals: int) -> None:
    (number,) = find_numbers(text)
    assert (number.value, number.decimals) == (Decimal(value), decimals)


@pytest.mark.parametrize(("text", "found"), ROWS["what_belongs_together_and_what_does_not"])
def test_what_belongs_together_and_what_does_not(text: str, found: list[str]) -> None:
    assert texts(text) == found


@pytest.mark.parametrize("text", ROWS["names_and_ordinals_are_no_numbers"])
def test_names_and_ordinals_are_no_numbers(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(("text", "units"), ROWS["units"])
def test_units(text: str, units: list[str]) -> None:
    assert [number.unit for number in find_numbers(text)] == units


@pytest.mark.parametrize(("text", "word"), ROWS["approximate_words"])
def test_approximate_words(text: str, word: str) -> None:
    (number,) = find_numbers(text)
    assert number.approximate == word


def test_words_are_numbers_in_two_languages() -> None:
    assert values("six models, three seeds, deux couches, twenty-five, dix-huit") == [
        6,
        3,
        2,
        25,
        18,
    ]
    assert all(number.word for number in find_numbers("six models and one linear layer"))


def test_a_comma_before_three_digits_follows_the_text() -> None:
    assert values("1,234 examples") == [1234]
    assert values("75,4 % puis 1,234") == [Decimal("75.4"), Decimal("1.234")]
    assert find_numbers("1,234", NumberStyle(comma=True))[0].value == Decimal("1.234")
    assert number_style("0,75 et lr = 0.05") == NumberStyle(comma=True, point=True)
    french = "80,63 % puis 73,63 %, 92,63 ± 1,80, 0,58 et 0,46"
    assert number_style(f"{french}; 16,517,632 parameters").comma
    assert not number_style("0,1 and 16,517,632 parameters").comma


def test_a_comma_of_a_french_text_is_decimal() -> None:
    assert values("La perte de validation est minimale : 1,423 en moyenne.") == [Decimal("1.423")]
    # A listing of settings beside it has points.
    assert number_style("La perte est de 1,423.\nlora_dropout = 0.05").comma
    assert values("The loss is lowest: 1,423 on average, à la carte.") == [1423]
    assert not number_style("Le modèle compte 1,572,864 poids, le reste 16,517,632.").comma


def test_values_know_their_spreads() -> None:
    text = r"79.5 ± 0.87, $66.5 \pm 1.01$, 81.1% (± 0.02%), 81.5 (79.9), 3 runs (2 of them good)"
    numbers = find_numbers(text)
    pairs = [(numbers[a].text, numbers[b].text) for a, b in spreads(text, numbers)]
    assert pairs == [("79.5", "0.87"), ("66.5", "1.01"), ("81.1", "0.02"), ("81.5", "79.9")]


@given(st.text(alphabet="0123456789 ,.-+±%()[]{}\\~^_ex×*=/#at\n\u00a0", max_size=80))
def test_positions_are_those_of_the_text(text: str) -> None:
    last = 0
    for number in find_numbers(text):
        assert last <= number.start < number.end <= len(text)
        assert shown_number(text[number.start : number.end]) == number.text
        last = number.end


@given(st.integers(0, 10**12), st.sampled_from([",", "\u2009", "\\,", " ", "'"]))
def test_grouped_integers_are_read_back(value: int, separator: str) -> None:
    printed = f"{value:,}".replace(",", separator)
    (number,) = find_numbers(f"a model with {printed} parameters")
    assert (number.value, number.text) == (value, shown_number(printed))


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-999, max_value=999))
def test_decimals_are_read_back_with_their_zeros(value: Decimal) -> None:
    (number,) = find_numbers(f"it is {value}")
    assert number.value == value
    assert number.decimals == 3


@pytest.mark.parametrize("unit", ROWS["hostile_text_is_read_to_its_end"])
def test_hostile_text_is_read_to_its_end(unit: str) -> None:
    text = unit * (16_000 // len(unit)) + " 80.6 "
    assert all(0 <= number.start < number.end <= len(text) for number in find_numbers(text))


def test_a_number_larger_or_smaller_than_any_is_none():
    found = {number.text for number in find_numbers("of 1e400, 10^{999} and 2e140 to 1e-400")}
    assert found & {"1e400", "10^{999}", "2e140", "1e-400"} == {"2e140"}


def test_bounds_are_known_by_their_words():
    texts = ("above 70 %", "exceeds 70 %", "over 70 %", "below 70 %", "at least 70 %")
    words = [find_numbers(text)[0].approximate for text in texts]
    assert words == ["over", "over", "over", "under", "at least"]


@pytest.mark.parametrize(("text", "printed"), ROWS["blanks_behind_the_commas_of_thousands"])
def test_blanks_behind_the_commas_of_thousands(text, printed):
    assert texts(text)[-len(printed) :] == printed


@pytest.mark.parametrize(
    ("text", "printed"), ROWS["a_version_is_no_number_and_a_value_behind_a_name_is"]
)
def test_a_version_is_no_number_and_a_value_behind_a_name_is(text, printed):
    assert texts(text) == printed
