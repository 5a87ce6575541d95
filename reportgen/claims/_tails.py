"""Values over the last points of a run, and the first value of one, told by their words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._kept import kept
from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.claims._mentions import Mention
from reportgen.claims._metric_words import WORDS
from reportgen.claims._vocabulary import SPLITS, phrase_pattern

_POINTS = (
    r"points?|values?|valeurs?|evaluations?|[ée]valuations?|evals?|measurements?|mesures?|entries"
)
_OTHERS = (
    r"episodes?|[ée]pisodes?|rollouts?|games?|parties|epochs?|[ée]poques?|(?:time)?steps?|pas"
    r"|updates?|iterations?|it[ée]rations?|checkpoints?|batches|training|entra[îi]nement|frames"
)
_METRIC = phrase_pattern([*(p for listed in WORDS.values() for p in listed), "return", "returns"])
_SPLIT = phrase_pattern(p for listed in SPLITS.values() for p in listed)
_WORDS = "|".join(sorted(map(re.escape, WORD_VALUES), key=len, reverse=True))
_COUNT = rf"(?P<count>\d{{1,6}}(?![.,]?\d)|(?:{_WORDS})(?![^\W_]))"
_PART = r"(?P<part>tenth|dixi[èe]me|10\s?\\?%)"
_FEW = r"(?P<few>few|several|many|quelques)"
_LAST = r"(?:last|final|past|derni[èe]re?s?)"
_MEAN = r"(?:mean|average|avg\.?|moyenne)"
_THING = rf"(?:{_METRIC}|{_POINTS}|{_OTHERS})(?![^\W_])"
_BEHIND = (
    rf"(?=[\s-](?:(?:of\s(?:the|its|their|all)|de|du|des|its|logged|evaluation|{_SPLIT})\s"
    rf"(?:the\s|l[ae]s?\s)?){{0,3}}{_THING}|[\s-]{{1,2}}{_MEAN}|\s?[)\],]|\s?$)"
)
_TAIL = gated(
    rf"(?<![^\W_])(?:{_LAST}[\s_-]{{0,2}}(?:{_PART}|{_COUNT}|{_FEW}){_BEHIND}"
    rf"|{_COUNT.replace('count', 'compte')}\s{_LAST}(?=\s{_THING})"
    rf"|dernier\s(?P<dixieme>dixi[èe]me))",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(rf"[\s-](?:\w+\s){{0,3}}?(?:{_OTHERS})(?![^\W_])", re.IGNORECASE)
_FIRST = gated(
    rf"(?<![^\W_])(?:first|initial|starting|premi[èe]re?|initiale)(?=[\s-](?:(?:logged|recorded"
    rf"|{_SPLIT})\s){{0,2}}(?:{_METRIC}|values?(?![^\W_]))"
    r"(?![^.;,]{0,40}\s(?:above|over|below|under|beyond|that|which|to|at\sleast|greater|higher"
    r"|lower|qui)\b))"
    r"|(?<=perte )initiale(?![^\W_])|(?<=récompense )initiale(?![^\W_])",
    re.IGNORECASE,
)

TENTH = "tenth"
"""Value of a tail that is a part of a run and no number of points."""
SOME = "some"
"""Value of a tail of which nobody says how long it is."""


@kept
def tails(text: str) -> tuple[Mention, ...]:
    """Return where a text speaks of the last values of a run, as slot `tail`.

    The value is how many of what: `10 points`, `100 others` (episodes, epochs, steps, of which
    a logged point may be any number), `tenth points`, `some points`.

    Example:
        >>> [m.value for m in tails("mean of the last ten rewards, or over the last 100 episodes")]
        ['10 points', '100 others']
        >>> tails("the last 3 seeds at the last epoch")
        ()
    """
    return tuple(_tails(text))


def _tails(text: str) -> Iterator[Mention]:
    for match in _TAIL.finditer(text):
        count = match["count"] or match["compte"] or ""
        if match["part"] or match["dixieme"]:
            size = TENTH
        elif match["few"]:
            size = SOME
        else:
            size = str(WORD_VALUES.get(count.lower(), count))
        if size in {"0", "1"}:
            continue
        others = size != TENTH and _OF_OTHERS.match(text, match.end())
        yield Mention(
            match.start(), match.end(), "tail", f"{size} {'others' if others else 'points'}"
        )


@kept
def firsts(text: str) -> tuple[Mention, ...]:
    """Return where a text speaks of the first value of a run.

    Example:
        >>> [(m.slot, m.value) for m in firsts("the first loss of the first seed")]
        [('selection', 'first')]
    """
    return tuple(Mention(m.start(), m.end(), "selection", "first") for m in _FIRST.finditer(text))
