"""Words that are numbers, words that make a number approximate, units behind numbers."""

from __future__ import annotations

import re

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen twenty"
)
_FRENCH = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze"
    " quinze seize dix-sept dix-huit dix-neuf vingt"
)
_TENS = {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
    "thousand": 1000,
    "trente": 30,
    "quarante": 40,
    "cinquante": 50,
    "soixante": 60,
    "cent": 100,
    "mille": 1000,
    "une": 1,
}
_SMALL = {
    word: value
    for words in (_ENGLISH, _FRENCH)
    for value, word in enumerate(words.split())
    if value
}
_COMPOSED = {
    f"{tens}-{unit}": base + value
    for bases, units in (
        ("twenty thirty forty fifty sixty seventy eighty ninety", _ENGLISH),
        ("vingt trente quarante cinquante soixante", _FRENCH),
    )
    for tens in bases.split()
    for value, unit in enumerate(units.split()[:10])
    if value and (base := {**_SMALL, **_TENS}[tens])
}
WORD_VALUES = {**_SMALL, **_TENS, **_COMPOSED}

COUNTABLE = (
    r"(?:linear|hidden|fully[- ]connected|dense|attention|encoder|decoder|transformer|outer|bias"
    r"|weight|embedding|training|full|single|complete|random|additional|extra|more|seule?)?\ ?"
    r"(?:seed|layer|head|epoch|block|matrix|matrices|vector|projection|run|step|update|model|class"
    r"|parameter|gpu|stack|couche|t[êe]te|[ée]poque|graine|matrice|bloc|pas|mod[èe]le)s?\b"
)
_ONE_NEEDS = re.compile(rf"[- ]{COUNTABLE}", re.IGNORECASE)
_UNE_NEEDS = re.compile(r" (?:seule?|unique)\b| (?:graine|[ée]poque|epoch|seed|t[êe]te)\b")
_WORD = re.compile(
    r"(?<![\w\\-])(?:" + "|".join(sorted(WORD_VALUES, key=len, reverse=True)) + r")(?!\w)",
    re.IGNORECASE,
)
# `one of the`, `one-hot`, `two-fold`, `five-gram`, `pour cent`, `per cent` are no numbers.
_NO_NUMBER = re.compile(r"-(?:hot|shot|fold|gram|sided|way|stop|off|to)\b", re.IGNORECASE)
_CENT = re.compile(r"(?:pour|per) ?$", re.IGNORECASE)
_NOUN = re.compile(r"[- ][^\W\d_]{2}")


def word_numbers(text: str) -> tuple[tuple[int, int, int], ...]:
    """Return (start, end, value) of the numbers that are written out, English and French.

    `one` and `un` count only before a thing that is counted.

    Example:
        >>> word_numbers("Two layers and one of the three seeds")
        ((0, 3, 2), (26, 31, 3))
    """
    found = []
    for match in _WORD.finditer(text):
        word, start, end = match[0].casefold(), match.start(), match.end()
        value = WORD_VALUES[word]
        if _NO_NUMBER.match(text, end):
            continue
        if word == "cent" and _CENT.search(text[max(0, start - 6) : start]):
            continue
        if word == "one" and not _ONE_NEEDS.match(text, end):
            continue
        if word in {"un", "une"} and not _UNE_NEEDS.match(text, end):
            continue
        # `un modèle neuf`, `cent` of money: these need a noun behind them.
        if word in {"neuf", "sept", "cent", "hundred", "thousand"} and not _NOUN.match(text, end):
            continue
        found.append((start, end, value))
    return tuple(found)


# In the words that the ladder knows.
_APPROXIMATE = {
    "about": r"about|around|approximately|approx\.?|roughly|circa|some|~|≈|≃|\\approx|\\sim|\\simeq"
    r"|environ|autour de|[àa] peu pr[èe]s|approximativement",
    "nearly": r"nearly|almost|close to|quasiment|presque|pr[èe]s de|proche de",
    "over": r"over|above|exceeding|exceeds|exceed|au[- ]dessus de|>|\\gt|d[ée]passe(?:nt)?",
    "more than": r"more than|plus de|greater than|sup[ée]rieure?s? [àa]",
    "at least": r"at least|no less than|au moins|≥|\\geq?|>=",
    "under": r"under|below|en dessous de|<|\\lt",
    "less than": r"less than|fewer than|moins de|lower than|inf[ée]rieure?s? [àa]",
    "at most": r"at most|no more than|up to|au plus|jusqu'[àa]|≤|\\leq?|<=",
}
_BEFORE = re.compile(
    "|".join(
        f"(?P<k{index}>{'|'.join(sorted(words.split('|'), key=len, reverse=True))})"
        for index, words in enumerate(_APPROXIMATE.values())
    ),
    re.IGNORECASE,
)
# `over 3 seeds`, `above 3 curves` tell where, not how much; a verb tells how much.
_PLACES = {"over", "above", "under", "below", "au-dessus de", "au dessus de", "en dessous de"}


def approximate_word(text: str, start: int, *, measured: bool) -> str:
    """Return the word that makes the number at `start` approximate, or nothing.

    Args:
        text: The text.
        start: Where the number begins.
        measured: The number has a unit or decimals; `over` and `above` need that, because
            a mean `over 3 seeds` is over exactly three.

    Example:
        >>> approximate_word("environ 80 %", 8, measured=True)
        'about'
        >>> approximate_word("the mean over 3 seeds", 14, measured=False)
        ''
    """
    before = text[max(0, start - 26) : start]
    lead = before.rstrip(" \u00a0$({\\")
    # A tilde between a word and its number keeps them together; it says nothing.
    if lead.endswith("~") and lead[:-1] and not lead[:-1][-1].isspace() and lead[-2] not in "($=":
        return ""
    for match in _BEFORE.finditer(lead):
        boundary = match.start() == 0 or not (
            lead[match.start() - 1].isalnum() and match[0][0].isalpha()
        )
        if match.end() == len(lead) and boundary:
            name = list(_APPROXIMATE)[int((match.lastgroup or "k0")[1:])]
            doubled = match[0] in {"<", ">"} and lead[match.start() - 1 : match.start()] in {
                "<",
                ">",
                "-",
                "=",
            }
            if doubled or (match[0].lower() in _PLACES and not measured):
                return ""
            return name
    return ""


_UNIT = re.compile(
    r"[\s\u00a0\u2009\u202f~$)]{0,3}(?:\\[,; ])?(?:"
    r"(?P<points>(?:percentage|percent|%|\\%)[ -]?points?|points? de (?:pourcentage|%)"
    r"|(?:points?|pts?|pp)\b|p\.p\.)"
    r"|(?P<percent>\\?%|percent\b|per cent\b|pour[ -]?cents?\b))",
    re.IGNORECASE,
)


def unit_behind(text: str, end: int) -> str:
    r"""Return the unit behind a number: `percent`, `points` or nothing.

    Example:
        >>> [unit_behind(t, 2) for t in (r"80\%", "10 points", "80 pour cent", "80 seeds")]
        ['percent', 'points', 'percent', '']
    """
    match = _UNIT.match(text, end)
    if not match:
        return ""
    return "points" if match["points"] else "percent"
