r"""The numbers of a text, as they are printed.

What is no number is left out: digits of names (`GPT-2`, `fp16`, `0.12.2`, `run_01.csv`),
ordinals, dates, indices (`W_1`) and exponents (`d^2`).

Example:
    >>> [n.text for n in find_numbers(r"BLOOM-560m: 1,572, 864 of $3 \times 10^{-5}$, 75,4 %")]
    ['1,572, 864', '3 × 10^-5', '75,4']
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from reportgen.checking.numbers._digits import Digits, NumberStyle, digits_in, number_style
from reportgen.checking.numbers._names import without_names
from reportgen.checking.numbers._number_words import approximate_word, unit_behind, word_numbers
from reportgen.records.record import replace
from reportgen.records.verdict import Printed

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_LETTER_POWER = re.compile(r"[eE]([-−+]?\d{1,3})(?!\w)")
_TEN_POWER = re.compile(
    r"\s{0,2}\$?\s?(?:\\times|\\cdot|[×x*·⋅])\s{0,2}"
    r"10(?:\s?(?:\^|\*\*)\s?\{?\s?([-−+]?\d{1,3})\s?\}?"
    r"|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))(?!\d)"
)
_POWER = re.compile(r"\s?(?:\^|\*\*)\s?\{?\s?([-−+]?\d{1,3})\s?\}?|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})")
_RAISE = re.compile(r"(?:\^|\*\*)\s?\{?\s?[-−+]?\s?$")
_TIMES = {
    "k": 3,
    "thousand": 3,
    "millier": 3,
    "m": 6,
    "million": 6,
    "mio": 6,
    "b": 9,
    "billion": 9,
    "bn": 9,
    "milliard": 9,
}
_MULTIPLIER = re.compile(
    r"(?:[ \u00a0~-]?(?P<word>thousand|milliers?|millions?|mio|billions?|bn|milliards?)\b"
    r"|(?P<sure>[kKM])(?![\w-])| (?P<apart>M)(?![\w'-])"
    r"|[ \u00a0~]?(?P<letter>[mbB])(?=[ \u00a0-](?:trainable |learnable |total )?"
    r"(?:param|tokens|weights|poids|words|examples|sentences))"
    r"|(?<=\d[.,]\d)(?P<big>B)(?![\w-]))"
)
# Letters that may follow a digit without making an identifier of it.
_ATTACHED = re.compile(
    r"(?:[KMGT]i?B|[KMGT]io|[KMG]o|[mµn]?s|h|hrs?|mins?|sec|[kMG]?Hz|k?Wh?"
    r"|px|pp|pts?|points?|percent"
    r"|[xX](?=[\s\d(]|$)|d|D)(?![^\W\d_]|_)"
)
_MARKS = (
    *(("{,}", ","), ("\\,", " "), ("\\;", " "), ("\\:", " "), ("\\!", ""), ("\\ ", " ")),
    *(("~", " "), ("$", ""), ("\\times", "×"), ("\\cdot", "·"), ("{", ""), ("}", "")),
)
_MINUS = "-−–"
_LONGEST = 40
"""Digits of the longest number that anybody means as one."""
_MOST_POWER = 150
"""Powers of ten of the largest and the smallest number that is read: its square can be told."""


@lru_cache(maxsize=4096)
def find_numbers(text: str, style: NumberStyle | None = None) -> tuple[Printed, ...]:
    r"""Return the numbers of a text in order; each knows its decimals, unit and place.

    Groups of three are joined over commas, points, thin and plain spaces. A comma before three
    digits makes thousands unless the text writes decimal commas elsewhere. `80 ± 0.5` and
    `81.5 (79.9)` are two numbers each; of `62-65 %` both are percent.

    Args:
        text: A block's, a sentence's or a cell's.
        style: How the report writes decimals; by default what the text itself shows.

    Example:
        >>> [(n.text, n.decimals, n.unit) for n in find_numbers("70.40 to 75.4 % in 3 runs")]
        [('70.40', 2, 'percent'), ('75.4', 1, 'percent'), ('3', 0, '')]
        >>> [(n.text, n.value, n.decimals) for n in find_numbers("22.8M")]
        [('22.8M', Decimal('2.28E+7'), -5)]
        >>> [n.value for n in find_numbers("about six models")]
        [Decimal('6')]
    """
    # A part of a text leaves the styles of whole texts in the cache.
    style = style or number_style.__wrapped__(text)
    masked = without_names(text)
    found: list[Printed] = []
    taken = 0
    for digits in digits_in(masked, style):
        if digits.start < taken:
            continue
        number = _number(masked, digits)
        if number is not None:
            found.append(replace(number, text=shown_number(text[number.start : number.end])))
            taken = number.end
    found += _written_out(masked, found)
    found.sort(key=lambda number: number.start)
    return _shared_units(masked, _in_last_places(masked, found))


def shown_number(text: str) -> str:
    r"""Return a printed number as its reader sees it, without LaTeX's spelling of its marks.

    Example:
        >>> shown_number(r"16\,384{,}5"), shown_number(r"3 \times 10^{-5}")
        ('16 384,5', '3 × 10^-5')
    """
    for mark, shown in _MARKS:
        text = text.replace(mark, shown)
    return text


def _number(text: str, digits: Digits) -> Printed | None:
    """Return the number that these digits begin, or None where they are none."""
    if _RAISE.search(text[max(0, digits.start - 8) : digits.start]):
        return None
    if len(digits.value) > _LONGEST:
        return None
    value, end = Decimal(digits.value), digits.end
    power, after = _power(text, digits)
    if power is None or abs(power) > _MOST_POWER:
        return None
    if digits.value == "10" and _POWER.match(text, end):
        value = Decimal(1)
    if after == end:
        times = _MULTIPLIER.match(text, end)
        if times:
            word = next(part for part in times.groups() if part)
            power, after = _TIMES[word.casefold().removesuffix("s")], times.end()
    behind = text[after : after + 1]
    named = behind.isalpha() or (behind == "_" and not _SPREAD.match(text, after))
    if named and not _ATTACHED.match(text, after):
        return None
    exponent = value.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    start = digits.start - len(_sign(text, digits.start))
    negative = text[start] in _MINUS
    value = value.scaleb(power) if power else value
    unit = unit_behind(text, after)
    measured = bool(unit) or decimals > 0 or power > 0
    return Printed(
        text=text[start:after],
        value=value.copy_negate() if negative else value,
        decimals=decimals - power,
        unit=unit,
        start=start,
        end=after,
        approximate=approximate_word(text, start, measured=measured),
    )


def _power(text: str, digits: Digits) -> tuple[int | None, int]:
    """Return the power of ten behind a mantissa and where it ends; None for other powers."""
    for pattern in (_LETTER_POWER, _TEN_POWER):
        match = pattern.match(text, digits.end)
        if match:
            raised = next(part for part in match.groups() if part)
            return int(raised.translate(_RAISED)), match.end()
    match = _POWER.match(text, digits.end)
    if not match:
        return 0, digits.end
    if digits.value == "10":
        # `10^{-5}` is one times that power.
        return int((match[1] or match[2]).translate(_RAISED)), match.end()
    return None, digits.end


def _sign(text: str, start: int) -> str:
    """Return the sign before a number: not a range's dash, a difference, or half of `+/-`."""
    sign, before = text[start - 1 : start], text[max(0, start - 3) : start - 1]
    if start == 0 or sign not in f"{_MINUS}+":
        return ""
    last = before[-1:]
    if not last or last in "([{|=:,;~$<>≈":
        return sign
    if last.isspace():
        # A dash behind a word is a dash; a hyphen at a number, behind a space, is its sign.
        return "" if sign == "–" else sign
    return ""


def _written_out(text: str, found: list[Printed]) -> list[Printed]:
    """Return the numbers in words, where no multiplier was read as one (`2 thousand`)."""
    taken = {number.end for number in found}
    words = []
    for start, behind, value in word_numbers(text):
        if behind in taken:
            continue
        power, end, times = 0, behind, _MULTIPLIER.match(text, behind)
        if times and times["word"]:
            power, end = _TIMES[times["word"].casefold().removesuffix("s")], times.end()
        words.append(
            Printed(
                text=text[start:end],
                value=Decimal(value).scaleb(power),
                decimals=-power,
                unit=unit_behind(text, end),
                start=start,
                end=end,
                word=True,
                approximate=approximate_word(text, start, measured=False),
            )
        )
    return words


_SPREAD = re.compile(
    r"[\s~$]{0,3}\\?%?[\s~$]{0,3}[_^]?[({]?\s?(?:±|\\pm|\+\s?/\s?[-−]|\+[-−])[\s~${]{0,3}"
)
_BRACKET = re.compile(r"\s{0,2}\\?%?\s{0,2}\(\s?(?:std|sd|s\.d\.|[ée]cart[- ]type|σ)?\s?[:=]?\s?")
_RANGE = re.compile(r"\s{0,2}\\?%?\s{0,2}(?:[-–—]{1,3}|to|à|a|\.\.)\s{0,2}")
_BETWEEN = re.compile(r"\s{0,2}\\?%?\s{0,2}(?:and|et)\s{0,2}")
_BETWEEN_LEAD = re.compile(r"\b(?:between|entre)\s[^\d]{0,12}$", re.IGNORECASE)


def spreads(text: str, numbers: tuple[Printed, ...]) -> tuple[tuple[int, int], ...]:
    r"""Return the pairs (value, spread) among the numbers of a text, by their indices.

    A spread follows `±`, `\pm`, `+/-`, or stands alone in brackets behind a value.

    Example:
        >>> text = "79.5 ± 0.87 and 66.5 (1.01)"
        >>> spreads(text, find_numbers(text))
        ((0, 1), (2, 3))
    """
    pairs = []
    for index, (left, right) in enumerate(pairwise(numbers)):
        between = text[left.end : right.start]
        closed = re.match(r"\s?\\?%?\s?\)", text[right.end : right.end + 5])
        if _SPREAD.fullmatch(between) or (_BRACKET.fullmatch(between) and closed):
            pairs.append((index, index + 1))
    return tuple(pairs)


_LAST_PLACES = re.compile(r"\d\((\d{1,2})\)(?![\w(])")


def _in_last_places(text: str, found: list[Printed]) -> list[Printed]:
    """Read an uncertainty of the last places as what it is: of `0.835(9)` it is 0.009."""
    starts = {match.start(1) for match in _LAST_PLACES.finditer(text)}
    for index, (left, right) in enumerate(pairwise(found)):
        if right.start in starts and left.decimals > 0 and left.end == right.start - 1:
            value = right.value.scaleb(-left.decimals)
            found[index + 1] = replace(right, value=value, decimals=left.decimals)
    return found


def _shared_units(text: str, found: list[Printed]) -> tuple[Printed, ...]:
    """Give the first of `62-65 %`, `80 ± 1 %`, `between 62 and 65 %` the unit of the last."""
    for index in range(len(found) - 2, -1, -1):
        left, right = found[index], found[index + 1]
        if left.unit or not right.unit:
            continue
        between = text[left.end : right.start]
        lead = text[max(0, left.start - 24) : left.start]
        joined = _SPREAD.fullmatch(between) or _RANGE.fullmatch(between)
        in_places = between == "(" and right.decimals == left.decimals > 0
        if joined or in_places or (_BETWEEN.fullmatch(between) and _BETWEEN_LEAD.search(lead)):
            found[index] = replace(left, unit=right.unit)
    return tuple(found)
