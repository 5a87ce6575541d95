"""English: the language in which messages are written."""

from __future__ import annotations

from reportgen.languages._language import Language

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def inflect(word: str, form: str) -> str:
    """Return a word in a form.

    Args:
        word: A word, or a whole number in digits.
        form: `cap` begins a sentence, unless the word has its own capitals; `count` groups digits;
            `a` puts the article before it.

    Example:
        >>> inflect("accuracy", "cap"), inflect("nDCG", "cap"), inflect("12000", "count")
        ('Accuracy', 'nDCG', '12,000')
        >>> inflect("test accuracy", "a"), inflect("accuracy", "a"), inflect("F1", "a")
        ('a test accuracy', 'an accuracy', 'an F1')
    """
    if form == "count":
        return f"{int(word):,}"
    if form == "a":
        # Abbreviations are spelled out: an F1, an MSE, a WER.
        spelled = word[:1] in "AEFHILMNORSX" and word[:2].upper() == word[:2]
        return f"{'an' if spelled or word[:1].lower() in 'aeio' else 'a'} {word}"
    own = any(letter.isupper() for letter in word.partition(" ")[0][1:])
    return word if form != "cap" or own else word[:1].upper() + word[1:]


LANGUAGE = Language(
    code="en",
    name="English",
    inflect=inflect,
    forms=frozenset({"a", "cap", "count"}),
    is_one=lambda count: str(count) == "1",  # 1.00 points
    date=lambda day, month, year: f"{day} {_MONTHS[month - 1]} {year}",
    decimal_mark=".",
    group_mark=",",
    percent_mark="%",
)
