"""French: decimal comma, narrow spaces before high punctuation, articles that elide.

Messages and nouns are data: `fr.po`, as translators know it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from reportgen.languages._language import Language, read_catalogue

_MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre"),
    *("octobre", "novembre", "décembre"),
)
NARROW_SPACE = "\u202f"
_CATALOGUE = read_catalogue("fr")
_FEMININE = _CATALOGUE.marked["feminine"]
"""Nouns whose article is "la", first words where there are several; others are masculine."""
_PLURAL = _CATALOGUE.marked["plural"]
"""First words of several things: "époques 3 et 4"."""
_VOWELS = frozenset("aeiouyàâéèêëîïôœùûAEIOUYÀÂÉÈÊËÎÏÔŒÙÛ")
_SURE_VOWELS = _VOWELS - {"y", "Y"}
_BEFORE_A_NAME = re.compile(r"\b([Dd]|[Qq]u|[Ll]orsqu|[Pp]uisqu|[Jj]usqu)e $")
APOSTROPHE = "’"
_TRAINING = "entraînement"
_STEP = "pas"
_EACH = "chacune "


def inflect(word: str, form: str) -> str:
    """Return a word behind its article or preposition, or with its first letter in capitals.

    Args:
        word: A French noun, or a name of a metric.
        form: `le` (the), `Le` (the, in capitals), `du` (of the), `au` (to the), `Au`, `de` (of),
            `que` (than), `un` (a), `sur` (on, of a split), `Sur` (the same, in capitals), `cap`
            (first letter in capitals), `count` (a whole number, its digits in groups), `decimal`
            (a number with a point, its decimal mark).

    Example:
        >>> [inflect(word, "le") for word in ("exactitude", "perte", "rappel", "WER")]
        ['l’exactitude', 'la perte', 'le rappel', 'le WER']
        >>> [inflect(word, "du") for word in ("exactitude", "perte", "rappel")]
        ['de l’exactitude', 'de la perte', 'du rappel']
        >>> [inflect(word, "au") for word in ("époque 3", "époques 3 et 4", "pas 10", "pas 1 et 2")]
        ['à l’époque 3', 'aux époques 3 et 4', 'au pas 10', 'aux pas 1 et 2']
        >>> inflect("exactitude", "de"), inflect("test", "de"), inflect("perte", "Le")
        ('d’exactitude', 'de test', 'La perte')
        >>> [inflect(word, "sur") for word in ("test", "validation", "entraînement")]
        ['sur le test', 'sur la validation', 'à l’entraînement']
    """
    return _FORMS[form](word)


def meet(words: str, behind: str) -> str:
    """Return words with their last one elided before a vowel.

    A name of one letter is spelled out ("de a"), and an initial y is mostly a consonant in names.

    Example:
        >>> meet("la moyenne de ", "alpha"), meet("plus que ", "adam"), meet("le pas de ", "sgd")
        ('la moyenne d’', 'plus qu’', 'le pas de ')
        >>> meet("celle de ", "A"), meet("celle de ", "yolo"), meet("le code ", "alpha")
        ('celle de ', 'celle de ', 'le code ')
    """
    if not (behind[:1] in _SURE_VOWELS and behind[1:2].isalnum()):
        return words
    return _BEFORE_A_NAME.sub(rf"\1{APOSTROPHE}", words)


def _elides(word: str) -> bool:
    return word[:1] in _VOWELS


def _feminine(word: str) -> bool:
    return re.split(r"[\s-]", word, maxsplit=1)[0] in _FEMININE


def _the(word: str) -> str:
    if _several(word):
        return f"les {word}"
    if _elides(word):
        return f"l{APOSTROPHE}{word}"
    return f"{'la' if _feminine(word) else 'le'} {word}"


def _several(word: str) -> bool:
    """Return whether a word is one of several: "époques 3 et 4", "pas 3 et 4"."""
    first = next(iter(word.split()), "")
    return first in _PLURAL or (first == _STEP and " et " in word)


def _of_the(word: str) -> str:
    if _several(word):
        return f"des {word}"
    return f"de {_the(word)}" if _elides(word) or _feminine(word) else f"du {word}"


def _to_the(word: str) -> str:
    if _several(word):
        return f"aux {word}"
    if word[:1].isdigit() or word.startswith(_EACH):
        return f"à {word}"
    return f"à {_the(word)}" if _elides(word) or _feminine(word) else f"au {word}"


def _on(word: str) -> str:
    return _to_the(word) if word == _TRAINING else f"sur {_the(word)}"


def _joined(short: str, whole: str) -> Callable[[str], str]:
    return lambda word: f"{short}{APOSTROPHE}{word}" if _elides(word) else f"{whole} {word}"


def _capital(word: str) -> str:
    own = any(letter.isupper() for letter in word.partition(" ")[0][1:])
    return word if own else word[:1].upper() + word[1:]


_FORMS: dict[str, Callable[[str], str]] = {
    "le": _the,
    "Le": lambda word: _capital(_the(word)),
    "du": _of_the,
    "au": _to_the,
    "de": _joined("d", "de"),
    "que": _joined("qu", "que"),
    "un": lambda word: f"{'une' if _feminine(word) else 'un'} {word}",
    "Au": lambda word: _capital(_to_the(word)),
    "sur": _on,
    "Sur": lambda word: _capital(_on(word)),
    "cap": _capital,
    "decimal": lambda word: word.replace(".", ","),
    "count": lambda word: f"{int(word):,}".replace(",", NARROW_SPACE),
}


def _date(day: int, month: int, year: int) -> str:
    return f"{'1er' if day == 1 else day} {_MONTHS[month - 1]} {year}"


LANGUAGE = Language(
    code="fr",
    name="français",
    inflect=inflect,
    forms=frozenset(_FORMS),
    meet=meet,
    is_one=lambda count: -2 < count < 2,
    date=_date,
    decimal_mark=",",
    group_mark=NARROW_SPACE,
    percent_mark=f"{NARROW_SPACE}%",
    byte_mark="o",
    messages=_CATALOGUE.messages,
    nouns=_CATALOGUE.nouns,
)
