"""English: the language in which messages are written."""

from __future__ import annotations

from reportgen.languages._language import Language

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def inflect(word: str, form: str) -> str:
    """Return a word in a form.

    Args:
        word: A word, or a whole number in digits.
        form: `cap` begins a sentence, unless the word has its own capitals; `count` groups digits.

    Example:
        >>> inflect("accuracy", "cap"), inflect("nDCG", "cap"), inflect("12000", "count")
        ('Accuracy', 'nDCG', '12,000')
    """
    if form == "count":
        return f"{int(word):,}"
    own = any(letter.isupper() for letter in word.partition(" ")[0][1:])
    return word if form != "cap" or own else word[:1].upper() + word[1:]


LANGUAGE = Language(
    code="en",
    name="English",
    inflect=inflect,
    is_one=lambda count: str(count) == "1",  # 1.00 points
    date=lambda day, month, year: f"{day} {_MONTHS[month - 1]} {year}",
    decimal_mark=".",
    group_mark=",",
    percent_mark="%",
)
