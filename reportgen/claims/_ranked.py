"""Whether a superlative is told of several at one moment, or of one curve at several."""

from __future__ import annotations

import re

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.claims._clauses import Clause
from reportgen.claims._mentions import Mention
from reportgen.claims._predicates import Said
from reportgen.claims._scene import Scene

OWN, RANK, EITHER = "own", "rank", "either"
"""A curve at its best moment, one of several at a moment that is named, or one of the two."""
_THE = gated(r"\b(?:the|la|le|les)\s(?:\w{1,8}\s)?$|\bl['’]$", re.IGNORECASE)
_ARTICLED = re.compile(r"(?:la|le|les)\s", re.IGNORECASE)
_WHOSE = gated(r"\b(?:its|their|sa|son|ses|leurs?)\s(?:\w{1,8}\s)?$", re.IGNORECASE)
_WHOSE_OWN = re.compile(r"(?:sa|son|ses|leurs?)\s", re.IGNORECASE)
_SOME = gated(r"\b(?:ha[sdv]e?|shows?|reach\w*|attains?|gets?)\san?\s$", re.IGNORECASE)
_REACHING = gated(r"\b(?:reach\w*|attain\w*|atteint|atteignent)\b", re.IGNORECASE)
_AT = gated(
    r"\b(?:at|in|on|by|à|au|en|lors\sde)\s(?:only\s|just\s)?(?:the\s|l['’]\s?|la\s|le\s)?"
    r"(?:(?:epochs?|steps?|[ée]poques?|[ée]tapes?|pas)\s)?$"
    r"|\b(?:after|après)\s(?:only\s|just\s|seulement\s)?(?:the\s|l['’]\s?|la\s|le\s)?$",
    re.IGNORECASE,
)
"""Before the number of one moment; `after epoch 3` tells of all later ones, too."""
_AND = re.compile(r"\s?(?:,|and|et|&)\s(?:(?:epochs?|steps?|[ée]poques?|[ée]tapes?|pas)\s)?$")
_UNTIL = gated(r"\b(?:before|until|till|avant|than|que|jusqu\S*)\b", re.IGNORECASE)

_NEAR = 32
"""Characters before a moment that deny it."""
_NOT_AT = gated(
    r"\b(?:not|rather\sthan|instead\sof|non|plutôt\squ\S*|(?:et|mais|,)\s(?:non\s)?pas)\s(?:at|in|on|by|after|à|au|en)?\s?(?:the\s|la\s|le\s|l['’])?$",
    re.IGNORECASE,
)
"""`at step 5000, not at the end`."""


def manner(scene: Scene, clause: Clause, said: Said) -> str:
    """Return how words say a superlative: `its best` is the own one, `the best` that of several.

    `Reaches the best accuracy at epoch 4` may be either: it tells of a moment that is reached.
    """
    lead = scene.text[clause.start : said.start]
    words = scene.text[said.start : said.end]
    if _WHOSE.search(lead) or _WHOSE_OWN.match(words) or _SOME.search(lead):
        return OWN
    articled = _THE.search(lead) or _ARTICLED.match(words)
    return RANK if articled and not _REACHING.search(lead) else EITHER


def rank_moments(scene: Scene, clause: Clause, said: Said) -> tuple[Mention, ...]:
    """Return the moments at which something is said to be the best of several.

    One with a value before it (`the highest accuracy, 89.3 at epoch 8`) is that of the value.
    """
    found: list[Mention] = []
    for mention in scene.of(clause.start, clause.end, "epoch", "step", "selection"):
        behind = mention.start >= said.end
        start, end = (said.end, mention.start) if behind else (mention.end, said.start)
        between = scene.text[start:end]
        beside = "(" in between or bool(scene.numbers_in(start, end))
        if is_moment(scene, mention) and not beside and not _UNTIL.search(between):
            found += [mention] if _stands_alone(scene, clause, mention, found) else []
    kinds = {m.slot for m in found}
    kept = [m for m in found if m.slot == "epoch" or "epoch" not in kinds]
    return tuple({(m.slot, m.value): m for m in kept}.values())


def _stands_alone(scene: Scene, clause: Clause, mention: Mention, found: list[Mention]) -> bool:
    """Say whether a moment is one at which something is, and no end of a time."""
    lead = scene.text[clause.start : mention.start]
    if mention.slot == "selection":
        return not _UNTIL.search(lead[-16:])
    listed = bool(found) and bool(_AND.fullmatch(scene.text, found[-1].end, mention.start))
    return listed or bool(_AT.search(lead))


def is_moment(scene: Scene, mention: Mention) -> bool:
    """Say whether a mention names one moment: `epoch 3`, `the last step`, but not `two steps`.

    `At step 5000, not at the end` names one.
    """
    if _NOT_AT.search(scene.text, max(0, mention.start - _NEAR), mention.start):
        return False
    if mention.slot == "selection":
        return mention.value == "last"
    words = scene.text[mention.start : mention.end].lower()
    return words not in WORD_VALUES
