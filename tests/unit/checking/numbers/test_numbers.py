"""Numbers as they are printed: joined, signed, with units, and none from a name."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checking.numbers import (
    NumberStyle,
    find_numbers,
    number_style,
    shown_number,
    spreads,
)


def texts(text: str) -> list[str]:
    return [number.text for number in find_numbers(text)]


def values(text: str) -> list[Decimal]:
    return [number.value for number in find_numbers(text)]


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("1,572, 864", "1572864", 0),
        ("32 000", "32000", 0),
        ("32\u2009000", "32000", 0),
        ("32\u00a0000", "32000", 0),
        (r"32\,000", "32000", 0),
        (r"32{,}000", "32000", 0),
        ("32~000", "32000", 0),
        ("32_000", "32000", 0),
        ("1'572'864", "1572864", 0),
        ("1.572.864", "1572864", 0),
        ("1 572 864", "1572864", 0),
        ("1,234.50", "1234.50", 2),
        ("1.234,50", "1234.50", 2),
        ("75,4 %", "75.4", 1),
        ("75{,}40", "75.40", 2),
        ("80.0", "80.0", 1),
        (".85", "0.85", 2),
        ("2.3e-5", "0.000023", 6),
        (r"2.3 \times 10^{-5}", "0.000023", 6),
        (r"2.3$\times 10^{-5}$", "0.000023", 6),
        (r"2.3 $\times 10^{-5}$", "0.000023", 6),
        ("2.3 × 10⁻⁵", "0.000023", 6),
        ("2.3*10^-5", "0.000023", 6),
        ("10^{-5}", "0.00001", 5),
        ("10⁶", "1000000", -6),
        ("22.8M", "22800000", -5),
        ("22.8 million", "22800000", -5),
        ("32k", "32000", -3),
        ("560m parameters", "560000000", -6),
        ("22,8 millions", "22800000", -5),
        ("−3.2", "-3.2", 1),
        ("+5.76", "5.76", 2),
    ],
)
def test_one_number_is_read_whole(text: str, value: str, decimals: int) -> None:
    (number,) = find_numbers(text)
    assert (number.value, number.decimals) == (Decimal(value), decimals)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("seed 1 225 steps", ["1", "225"]),
        ("1 125 81.5 79.9", ["1", "125", "81.5", "79.9"]),
        ("steps 100 200 300", ["100", "200", "300"]),
        ("widths 128 256 512", ["128", "256", "512"]),
        ("512, 256", ["512", "256"]),
        ("shape (512,256)", ["512", "256"]),
        ("[1,2,3]", ["1", "2", "3"]),
        ("seeds 1,2 and 3", ["1", "2", "3"]),
        ("4 512 × 512 matrices", ["4", "512", "512"]),
        ("8 512-dimensional heads", ["8", "512"]),
        ("3 × 512 × 512 = 786, 432", ["3", "512", "512", "786, 432"]),
        ("some 786, 432 parameters", ["786, 432"]),
        ("80±0.5", ["80", "0.5"]),
        (r"80 \pm 0.5", ["80", "0.5"]),
        ("80 +/- 0.5", ["80", "0.5"]),
        ("0.62-0.65", ["0.62", "0.65"]),
        ("0.62–0.65", ["0.62", "0.65"]),
        ("from +5.76 to +8.24", ["+5.76", "+8.24"]),
        ("from -5.76 to -8.24", ["-5.76", "-8.24"]),
        ("4x512x512", ["4", "512", "512"]),
        ("a 12-layer, 8-headed model", ["12", "8"]),
        ("r=16, lora_alpha=32", ["16", "32"]),
        ("10-5 = 5", ["10", "5", "5"]),
        ("à l'étape 1 125", ["1 125"]),
    ],
)
def test_what_belongs_together_and_what_does_not(text: str, found: list[str]) -> None:
    assert texts(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "BLOOM-560m",
        "RoBERTa-base2",
        "w2v2 and wav2vec2",
        "T5 or GPT-2",
        "4-bit, 8bit, fp16",
        "peft 0.12.2",
        "v1.2",
        "Python 3.10",
        "on 2023-05-12 at 12:30",
        "3 May 2023",
        "https://example.org/a1/2024?x=3",
        "run_01.csv and logs/seed_2/events.1.log",
        "commit 3d262bb",
        "arXiv:1706.03762",
        "the 1st, 2nd, 3rd and 5th; le 1er et la 2e",
        r"$W_1$, $n_{hid3}$, $x_{2}$",
        "$d^2$",
        "one of the models, the one that, un modèle",
        "one-hot",
        "pour cent",
    ],
)
def test_names_and_ordinals_are_no_numbers(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "units"),
    [
        (r"80\% and 80 percent and 80 pour cent", ["percent"] * 3),
        ("10 points, 10 pts, 10 pp, 10 percentage points", ["points"] * 4),
        ("62-65 %", ["percent", "percent"]),
        ("between 62 and 65 %", ["percent", "percent"]),
        ("80 ± 0.5 %", ["percent", "percent"]),
        ("3 seeds and 80 %", ["", "percent"]),
    ],
)
def test_units(text: str, units: list[str]) -> None:
    assert [number.unit for number in find_numbers(text)] == units


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("about 80", "about"),
        ("environ 80 %", "about"),
        ("~80", "about"),
        ("≈ 80", "about"),
        ("nearly 80", "nearly"),
        ("près de 80 %", "nearly"),
        ("over 80 %", "over"),
        ("plus de 90 %", "more than"),
        ("at least 3", "at least"),
        ("mean over 3 seeds", ""),
        ("above 3 curves", ""),
        ("Table~80", ""),
        ("r << 80", ""),
    ],
)
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


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1 ",
        "1 123 ",
        "1,",
        "1.",
        "a1_",
        "./a.1",
        "two ",
        "-1",
        "80±",
        "about ",
        "1e",
        "(",
        "{,}",
    ],
)
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


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("4(512 + 512) = 1, 050, 624", ["1, 050, 624"]),
        ("512 × 512 + 1024 = 525, 312" + 60 * " " + "(2)\n", ["525, 312", "2"]),
        ("4 x 512 x 512 = 1 572, 864    (1)\nwhere", ["1 572, 864", "1"]),
        ("4 × 1, 577, 984 + 16, 517, 120\n", ["1, 577, 984", "16, 517, 120"]),
        ("seeds 512, 768 and 100, 200, 300", ["768", "100", "200", "300"]),
        ("with 3 x 4 = 12, 100, 200 runs", ["12", "100", "200"]),
        ("sizes 4 × 512, 768 and 3", ["512", "768", "3"]),
    ],
)
def test_blanks_behind_the_commas_of_thousands(text, printed):
    assert texts(text)[-len(printed) :] == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("GPT 2, GPT 3.5 and gpt 4o", []),
        ("Llama 3.1 8B beside YOLO 11n", []),
        ("on an RTX 4090 with release 22.04", []),
        ("au pas 250 : adam-yolo 68,7 ; unet 61,05", ["250", "68,7", "61,05"]),
        ("yolo 0.456 is above llama 0.382", ["0.456", "0.382"]),
    ],
)
def test_a_version_is_no_number_and_a_value_behind_a_name_is(text, printed):
    assert texts(text) == printed
