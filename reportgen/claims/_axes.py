"""What a sentence says it of: every epoch, all seeds, some runs, a window of time; how surely."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import ORDINALS, WORD_VALUES

_WORDS = "|".join(sorted(map(re.escape, WORD_VALUES), key=len, reverse=True))
_FEW = r"(?:of\sthe\s|the\s|des?\s|les\s|nos\s|of\sour\s|its\s)?(?:[\w-]+\s){0,2}"
_EPOCHS = gated(
    rf"\b(?:each|every|all|any|chaque|toutes|tous|chacune?)\s{_FEW}(?:epochs?|époques?|epoques?|steps?"
    r"|evaluations?|évaluations?|checkpoints?|iterations?|itérations?|étapes?|updates?)\b"
    r"|\bthroughout\b|\balways\b|\btoujours\b|\btout\sau\slong\b|\bpendant\stout|\bat\sall\stimes\b"
    r"|\ba\s(?:given|fixed)\snumber\sof\s(?:\w+\s)?(?:steps?|epochs?)|\bepoch\s(?:after|by)\sepoch\b"
    r"|\bmonotonic(?:ally)?\b|\bsystematically\b|\bsystématiquement\b|\bfrom\sstart\sto\s(?:end|finish)\b"
    r"|\bat\sno\s(?:epoch|step)\b|\bduring\sthe\s(?:whole|entire)\b|\bconstamment\b"
    r"|\bstrictly\b",
    re.IGNORECASE,
)
_SEEDS = gated(
    rf"\b(?:each|every|all|any|both|chaque|toutes|tous|chacune?)\s{_FEW}(?:seeds?|graines?|runs?"
    r"|initiali[sz]ations?|exécutions?|replicates?|trials?|folds?)\b"
    r"|\bacross\s(?:the\s)?(?:\w+\s){0,3}?(?:seeds|runs)\b|\bregardless\sof\sthe\sseed\b"
    r"|\bquelle\sque\ssoit\sla\sgraine\b|\bno\s(?:run|seed)\b|\baucune?\s(?:graine|run|exécution)\b",
    re.IGNORECASE,
)
_SOME = gated(
    rf"\b(?:for|in|with|pour|dans|chez|avec)\s(?:the|our|its|my|les|nos|ses|mes)\s"
    rf"(?:\d{{1,3}}|{_WORDS})\s(?:\w+\s)?(?:seeds|runs|graines|exécutions)\b",
    re.IGNORECASE,
)
_SUMMED = gated(
    r"\b(?:means?|averag\w+|median|moyennes?|médiane|std|deviations?|variances?|spread|écart\S*)\b",
    re.IGNORECASE,
)
"""What is said of a mean or of a spread is not said of every run that goes into it."""
_RUNS = gated(
    r"\bevery\srun\b.{1,200}\bevery\srun\b|\bchaque\sexécution\b.{1,200}\bchaque\sexécution\b"
    r"|\b(?:the\s)?(?:\d+|two|three|four|five|six)\s(?:top|upper|best|lower"
    r"|bottom)\scurves\b|\b(?:top|upper)\s(?:\d+|two|three|four|five)\scurves\b|\ball\s(?:the\s)?\w+\scurves\b",
    re.IGNORECASE,
)
_VAGUE = gated(
    r"\b(?:much|way|far|slight(?:ly)?|a\s(?:bit|little)|pretty|quite|very|rather|somewhat|roughly|approximately|about"
    r"|around|seems?|seem(?:ed|ing)|appears?|almost|nearly|more\sor\sless|generally|globally|overall|mostly|tends?"
    r"|clearly|clear|obviously|significantly|considerably|faster|steadily|kind\sof|looks?|likely|probably|usually"
    r"|typically|often|plutôt|assez|environ|presque|semblent?|globalement|nettement|légèrement|beaucoup|largement"
    r"|bien\s(?=meilleur|plus)|clairement|généralement|souvent|un\speu|la\splupart|most(?=\sof))\b",
    re.IGNORECASE,
)
_MODAL = gated(
    r"\b(?:may|might|can|could|would|should|must|peut|peuvent|pourrait|pourraient|devrait|devraient|doit|if|when(?:ever)?"
    r"|unless|suppose|(?:is|are|was|were)\sexpected|expects?|hope|want|in\sorder\sto|aim(?:s|ed)?\sto|goal|si|lorsqu\w*|quand|afin|pour\s\w+er"
    r"|allows?|permits?|permet(?:tent)?|helps?|aide(?:nt)?|in\sgeneral|en\sgénéral"
    r"|perhaps|maybe|peut-être|need(?:s|ed)?|require[sd]?|how|whether|why|pourquoi|comment)\b",
    re.IGNORECASE,
)
_WE_SEE = gated(
    r"\b(?:we|one|you|it|i)\scan\s(?:be\s)?(?:also\s)?(?:\w+ly\s)?(?:see|seen|observe|observed|notice|noticed|note|say|conclude)\b"
    r"|\b(?:on|nous)\s(?:peut|pouvons)\s(?:\w+\s)?(?:voir|observer|constater|remarquer|noter|dire|conclure)\b",
    re.IGNORECASE,
)
_STARTS_TO = gated(
    r"\b(?:seems?|appears?|continues?|continued|starts?|started|begins?|began|about|going|tends?|keeps?)\s(?:\w+\s)?to\s$",
    re.IGNORECASE,
)
_COUNT = rf"(?:\d{{1,3}}|{_WORDS}|none|no|aucune?)"
_THINGS = r"(?:runs?|seeds?|graines?|exécutions?|models?|curves?)"
_SHARE = gated(
    rf"\b({_COUNT})\s(?:out\s)?(?:of|sur|des?)\s(?:the\s|les\s|our\s|nos\s)?({_COUNT})\s(?:\w+\s)?{_THINGS}\b"
    rf"|\b({_COUNT})\s{_THINGS}\s(?:out\sof|sur|of)\s({_COUNT})\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(rf"\(({_COUNT})\sof\s({_COUNT})\)", re.IGNORECASE)
_RANK = "|".join(sorted(ORDINALS, key=len, reverse=True))
_N = rf"((?:{_RANK})(?=\s)|\d{{1,7}}(?:[.,]\d{{3}})?|last|final)"
_CLOCK = r"(epochs?|époques?|steps?|updates?|iterations?|itérations?|étapes?|pas)"
_AFTER = gated(
    rf"\b(?:after|from|since|beyond|past|starting\s(?:at|from)|après|depuis|à\spartir\sde)\s(?:about\s|around\s|the\s|l'|la\s)?"
    rf"(?:{_N}(?:st|nd|rd|th|e|ème)?\s{_CLOCK}|{_CLOCK}\s(?:number\s)?{_N})",
    re.IGNORECASE,
)
_UNTIL = gated(
    rf"\b(?:until|till|up\sto|by|before|to|jusqu'(?:à|au)|avant)\s(?:about\s|around\s|the\s|l'|la\s)?"
    rf"(?:{_N}(?:st|nd|rd|th|e|ème)?\s{_CLOCK}|{_CLOCK}\s(?:number\s)?{_N})",
    re.IGNORECASE,
)
_BETWEEN = gated(
    rf"\b(?:between|entre|from|de|du)\s(?:the\s|les?\s|la\s|l['’])?{_CLOCK}\s{_N}\s(?:and|et|to|à|au)\s"
    rf"(?:(?:the\s|les?\s|la\s|l['’])?{_CLOCK}\s)?{_N}",
    re.IGNORECASE,
)
_BETWEEN_RANKS = gated(
    rf"\b(?:between|entre|from|de)\s(?:the\s|la\s|le\s|l['’])?({_RANK})\s(?:{_CLOCK}\s)?(?:and|et|to|à)\s"
    rf"(?:the\s|la\s|le\s|l['’])?({_RANK})\s{_CLOCK}",
    re.IGNORECASE,
)
"""`between the ninth and the tenth epoch`."""
_GONE = gated(
    r"\b(?:after|following|apr[èe]s)\s(?:an?|the|its|their|une?|la|le|sa|son)\s(?:[^\s\d.;,]+\s){1,3}$",
    re.IGNORECASE,
)
"""`after a steep rise until epoch 5`: what is said is said of the time from then on."""
_MANY = rf"(\d{{1,7}}(?:[.,]\d{{3}})?|{_WORDS})"
_FIRST_OR_LAST = gated(
    r"(?<!\bmean\s)(?<!\baverage\s)(?<!\baveraged\s)(?<!\bmoyenne\s)"
    r"\b(?:over|in|during|within|throughout|for|sur|dans|pendant|durant|lors\sdes|au\scours\sdes"
    r"|(?:in|at|over|dans|à)\s(?:each|every|all|chacune?)\s(?:of|des?))\s"
    rf"(?:the\s|its\s|their\s|les\s|ses\s)?(?:(first|last|final)\s{_MANY}|{_MANY}\s(premi[eè]re?s|derni[eè]re?s))"
    rf"\s(?:training\s)?{_CLOCK}\b",
    re.IGNORECASE,
)
"""`over the first seven epochs`, `sur les trois dernières époques`; no mean over them."""
_FRENCH = {"première": 1, "deuxième": 2, "seconde": 2, "troisième": 3, "quatrième": 4}
_FROM = rf"(?:{_N}(?:st|nd|rd|th)?\s{_CLOCK}|{_CLOCK}\s{_N})"
_ONWARDS = gated(
    rf"\b(?:from|starting\s(?:at|from|with))\s(?:the\s)?{_FROM}\s(?:on|onwards?)\b",
    re.IGNORECASE,
)
_DES = gated(
    r"\b(?:à\spartir\sde|dès)\s(?:la\s|l['’])?"
    rf"(?:({'|'.join(_FRENCH)}|\d{{1,7}}e)\s{_CLOCK}|{_CLOCK}\s{_N})",
    re.IGNORECASE,
)


_TO_THE_END = gated(
    r"\b(?:until|till|up\sto)\sthe\s(?:very\s)?(?:(?:last|final)\s(?:epoch|step)|end\b)"
    r"|\bjusqu['’](?:à\sla\s(?:toute\s)?(?:dernière\sépoque|fin\b)|au\sdernier\spas)",
    re.IGNORECASE,
)


def axes_of(text: str) -> tuple[str, ...]:
    """Return what a sentence claims all of: `epochs`, `seeds`, `runs`.

    `runs` is every run of one group held against every run of another.

    Example:
        >>> axes_of("improves at each of the five epochs for all three seeds")
        ('epochs', 'seeds')
        >>> axes_of("every run of A lies above every run of B"), axes_of("it is higher")
        (('runs',), ())
    """
    found = ["epochs"] if _EPOCHS.search(text) else []
    if _RUNS.search(text):
        found.append("runs")
    elif _SEEDS.search(text) or (_SOME.search(text) and not _SUMMED.search(text)):
        found.append("seeds")
    return tuple(found)


def lasts_to_the_end(text: str) -> bool:
    """Say whether a course is said to go on to the last epoch or step.

    Example:
        >>> lasts_to_the_end("improves until the last epoch"), lasts_to_the_end("ends lower")
        (True, False)
    """
    return bool(_TO_THE_END.search(text))


def is_vague(text: str) -> bool:
    """Say whether a sentence leaves open how far it goes.

    Example:
        >>> is_vague("it seems to converge"), is_vague("A lies above B at each epoch")
        (True, False)
    """
    return bool(_VAGUE.search(text))


def is_general(lead: str) -> bool:
    """Say whether the words before a predicate make it a supposition, an aim or a rule.

    Example:
        >>> [is_general(lead) for lead in ("a higher rank can ", "the loss seems to ", "made to ")]
        [True, False, True]
        >>> is_general("As we can clearly see, the loss is ")
        False
    """
    if _STARTS_TO.search(lead):
        return False
    lead = _WE_SEE.sub(" ", lead)
    return bool(_MODAL.search(lead)) or lead.rstrip().lower().endswith(" to")


def share_of(text: str) -> tuple[int, int] | None:
    """Return how many of how many runs a sentence speaks of.

    Example:
        >>> share_of("two of the three runs improve"), share_of("in five of six runs")
        ((2, 3), (5, 6))
        >>> share_of("every run improves (three of three)"), share_of("the three runs") is None
        ((3, 3), True)
    """
    match = _SHARE.search(text) or _OF_ALL.search(text)
    if match is None:
        return None
    some, every = (_value(group) for group in match.groups() if group)
    return (some, every) if some <= every else None


def _value(word: str) -> int:
    lowered = word.lower()
    if lowered in {"no", "none", "aucun", "aucune"}:
        return 0
    return int(word) if word.isdigit() else WORD_VALUES[lowered]


def window_of(text: str) -> tuple[tuple[float | None, float | None], str]:
    """Return first and last epoch (or step) that a sentence speaks of, and which of both it is.

    Example:
        >>> window_of("rises after epoch 3"), window_of("falls between epochs 2 and 4")
        (((3.0, None), 'epoch'), ((2.0, 4.0), 'epoch'))
        >>> window_of("is flat after 600 steps"), window_of("it rises")
        (((600.0, None), 'step'), ((None, None), 'epoch'))
        >>> window_of("rises over the first 7 epochs"), window_of("falls in the last two epochs")
        (((None, 7.0), 'epoch'), ((-2.0, None), 'epoch'))
        >>> window_of("rises in each of the first seven epochs")
        ((None, 7.0), 'epoch')
    """
    few = _FIRST_OR_LAST.search(text)
    if few is not None:
        return _first_or_last(few)
    ranks = _BETWEEN_RANKS.search(text)
    if ranks is not None:
        first, _, last, clock = ranks.groups()
        return (_moment(first), _moment(last)), _clock(clock)
    between = _BETWEEN.search(text)
    if between is not None:
        clock, first, _, last = between.groups()
        return (_moment(first), _moment(last)), _clock(clock)
    after, until = _AFTER.search(text), _UNTIL.search(text)
    first, clock = _part(after)
    last, other = _part(until)
    if first is not None and last is not None and other != clock:
        return (None, None), "epoch"
    if first is None and until is not None and _GONE.search(text, 0, until.start()):
        return (last, None), other or "epoch"
    return (first, last), clock or other or "epoch"


def speaks_of_the_first(text: str) -> bool:
    """Say whether a sentence speaks of the first few epochs or steps, and not of one moment.

    Example:
        >>> [speaks_of_the_first(f"over the {w} two epochs") for w in ("first", "last")]
        [True, False]
    """
    few = _FIRST_OR_LAST.search(text)
    return few is not None and _first_or_last(few)[0][1] is not None


def _first_or_last(few: re.Match[str]) -> tuple[tuple[float | None, float | None], str]:
    """Return the window of `the first seven epochs`, or of the last: below zero."""
    word, english, french, behind, clock = few.groups()
    count = english or french
    many = WORD_VALUES.get(count.lower()) or float(re.sub(r"[.,]", "", count))
    if (word or behind).lower().startswith(("first", "premi")):
        return (None, float(many)), _clock(clock)
    return (-float(many), None), _clock(clock)


def onwards(text: str) -> tuple[float, str] | None:
    """Return the first epoch (or step) from which on something is said to hold, and the clock.

    Example:
        >>> onwards("From the third epoch on, A is ahead"), onwards("A is ahead from epoch 3 to 5")
        ((3.0, 'epoch'), None)
        >>> onwards("À partir de la deuxième époque, A est devant"), onwards("dès le pas 400")
        ((2.0, 'epoch'), None)
    """
    match = _ONWARDS.search(text) or _DES.search(text)
    if match is None:
        return None
    number, clock = (match[1], match[2]) if match[1] else (match[4], match[3])
    named = _FRENCH.get(number.lower())
    first = float(named) if named else _moment(number.rstrip("eE"))
    return None if first is None else (first, _clock(clock))


def _part(match: re.Match[str] | None) -> tuple[float | None, str]:
    if match is None:
        return None, ""
    number, clock = (match[1], match[2]) if match[1] else (match[4], match[3])
    return _moment(number), _clock(clock)


def _moment(text: str) -> float | None:
    if text.lower() in {"last", "final"}:
        return None
    if text.lower() in ORDINALS:
        return float(ORDINALS[text.lower()])
    return float(text.replace(",", "").replace(".", ""))


def _clock(word: str) -> str:
    return "epoch" if word.lower().startswith(("epoch", "époque")) else "step"
