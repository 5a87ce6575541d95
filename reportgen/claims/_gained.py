"""Changes of which only the ends, or only the size, are told: `goes from 41.2 to 66.9 %`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._bind import Part
from reportgen.claims._conditions import condition
from reportgen.claims._scene import Scene
from reportgen.claims._some_seeds import excluded, some
from reportgen.claims._times import Times
from reportgen.records.claim import Printed

_TRAINING = gated(
    r"\b(?:during|over|throughout|au\scours\sd[eu]|pendant|durant|tout\sau\slong\sd[eu]|lors\sd[eu])\s?"
    r"(?:(?:the|its|their|whole|full|entire|course\sof|l['’]|son|leur|tout|toute)\s?){0,3}"
    r"(?:training|run|entraînement|apprentissage)\b",
    re.IGNORECASE,
)
_WITH_MORE = gated(
    r"\b(?:with|avec)\s(?:more|longer|further|additional|better|plus\sd|davantage\sd)",
    re.IGNORECASE,
)
_TWO_SPLITS = gated(
    r"\b(?:train(?:ing)?|validation|entraînement|apprentissage)\s(?:set\s)?(?:and|to|et|à|au)\s(?:the\s|le\s|la\s|l['’])?"
    r"(?:test|validation)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"\s?(?:[\w'’-]+\s){0,3}?points?\b", re.IGNORECASE)
_NEXT = re.compile(
    r"\s(?:(?:about|around|roughly|only|over|environ|seulement|en\smoyenne|on\saverage)\s)*[+]?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"va|vont|go", re.IGNORECASE)
"""Words of a range as well: the accuracies of seeds `go from 65.7 to 71.0 %`."""
_AMONG = gated(
    r"\b(?:across|among|selon|suivant|parmi|d['’]une?\s\w+\sà\sl['’]autre|seed\sto\sseed"
    r"|(?:over|between|entre|sur)\s(?:[^\s\d.;:()]+\s){0,3}?(?:seeds|runs|graines|exécutions|folds|plis))\b",
    re.IGNORECASE,
)
_ASIDE = gated(
    r"\b(?:chance|random|guess\w*|hasard|aléatoire\w*|untrained|non\sentraîné\w*|smoothed|lissée?s?)\b",
    re.IGNORECASE,
)
_GAINS = re.compile(r"gain|gagn|los(?:es?|t)$|perd(?:ent)?$", re.IGNORECASE)


def is_gained_alone(scene: Scene, part: Part) -> bool:
    """Say whether who gains is held against itself: at another time, or without something."""
    if not _GAINS.match(scene.text, part.said.start, part.said.end):
        return False
    sentence, text = part.clause.sentence, scene.text
    timed = scene.of(*sentence, "epoch", "step", "selection")
    if timed or _TRAINING.search(text, *sentence) or _TWO_SPLITS.search(text, *sentence):
        return True
    if scene.of(part.clause.start, part.said.start, "metric"):
        return True  # `The accuracy of A gains 3 points`: it is no one's gain over another.
    if excluded(text, *sentence) is not None or some(text, *sentence):
        return True
    if len(scene.values(*sentence, "group")) > 1:
        return False
    return bool(_WITH_MORE.search(text, *sentence) or condition(text, sentence, scene.mentions))


def own_subject(scene: Scene, part: Part) -> Part:
    """Return a part whose subject is the group named last before its word.

    `A gains 2 points and B gains 3 points`: each has its own.
    """
    groups = scene.of(part.clause.start, part.said.start, "group")
    if not groups or groups[-1].start < part.subject[1]:
        return part
    return replace(part, subject=(groups[-1].start, part.said.start))


def change_of(scene: Scene, part: Part) -> tuple[Printed, ...]:
    """Return by how much something gains or loses: the number right behind the word, in points."""
    said = part.said
    numbers = scene.numbers_in(said.end, part.end)
    if len(numbers) != 1 or numbers[0].approximate or numbers[0].word:
        return ()
    if not _NEXT.fullmatch(scene.text, said.end, numbers[0].start):
        return ()
    in_points = numbers[0].unit in {"points", "percent"}
    return (numbers[0],) if in_points or _MEASURED.match(scene.text, numbers[0].end) else ()


def is_of_several(scene: Scene, part: Part, ends: Sequence[Printed]) -> bool:
    """Say whether the two ends of a change belong to two groups, or to two splits.

    `From 65.4 (A) to 69.8`: two models, and no course of one.
    """
    first, last = ends
    if scene.of(first.end, last.start, "group"):
        return True
    if len(scene.values(*part.subject, "group")) > 1:
        return True
    behind = part.said.end, part.clause.end
    return len(scene.values(*behind, "split")) > 1


def is_one_change(scene: Scene, part: Part, amounts: Sequence[Printed], when: Times) -> bool:
    """Say whether a change that is told by its ends or its size is one of values over time.

    Who says only by how much has to say from when to when, or that it was during the training.
    """
    text, said, clause = scene.text, part.said, part.clause
    timed = None not in when.window
    if _AMONG.search(text, *clause.sentence) or _ASIDE.search(text, *clause.sentence):
        return False
    if len(amounts) == 1:
        return timed or bool(_TRAINING.search(text, *clause.sentence))
    if len(amounts) != 2 or (_RANGE.fullmatch(text, said.start, said.end) and not timed):
        return False
    first, last = amounts
    if scene.of(first.start, clause.end, "seed"):
        return False  # `from 66.0 to 71.0 with seed 3`: whose the first is, is not said.
    if len(scene.values(*clause.sentence, "seed")) > 1:
        return False
    between = scene.of(first.end, last.start, "aggregate", "extreme")
    behind = scene.values(last.end, clause.end, "aggregate")
    return not between and set(behind) <= {"mean"}
