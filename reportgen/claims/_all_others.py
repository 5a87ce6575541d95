"""Sentences that hold one group against all the others: `A outperforms every other model`."""

from __future__ import annotations

import re
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._axes import is_general, onwards
from reportgen.claims._bind import Draft, Part
from reportgen.claims._extremes import of_group
from reportgen.claims._order_topics import speaks_of_results
from reportgen.claims._orders import EVERY_METRIC
from reportgen.claims._scene import Scene

_NOUN = (
    r"(?:models?|modèles?|groups?|groupes?|systems?|systèmes?|methods?|méthodes?|variants?|variantes?"
    r"|approach(?:es)?|approches?|networks?|réseaux|architectures?|configurations?|settings?|candidates?|candidats?)\b"
)
_REST = (
    rf"(?:(?:every|each|any)\sother\s{_NOUN}|(?:every|any)one\selse|everything\selse"
    rf"|all\s(?:of\s)?(?:the\s)?(?:others\b|(?:other|remaining)\s{_NOUN})"
    rf"|the\s(?:others\b|other\s{_NOUN}|rest\b(?!\sof\s(?!the\smodels)))"
    rf"|tou(?:s|tes)\sles\sautres(?:\s{_NOUN}|\b)|les\sautres(?:\s{_NOUN}|(?=\s?[,.;]|\s(?:en|sur|pour)\b))"
    rf"|(?:chaque|tout)\sautre\s{_NOUN})"
)
_NONE = (
    rf"(?:no\s(?:other\s)?{_NOUN}|none\sof\s(?:the\s|our\s)?(?:others?\b(?:\s{_NOUN})?|{_NOUN})|no\sone\selse|nothing\selse"
    rf"|aucune?\s(?:autre\s)?{_NOUN}|aucune?\sdes\s(?:autres\b(?:\s{_NOUN})?|{_NOUN}))"
)
_BEHIND = re.compile(
    rf"(?:\s(?:\w+\s)?(?:than|que|to|à))?\s(?:that\sof\s|those\sof\s|cell(?:e|es)\sde\s|ceux\sde\s)?{_REST}",
    re.IGNORECASE,
)
_BEFORE = gated(
    rf"\b(?:(?P<none>{_NONE})|(?:all|every)\s(?:of\s)?(?:the\s)?{_NOUN}|{_REST})\s(?:ever\s|ne\s|clearly\s|is\s|are\s|est\s|sont\s)*$",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\s(?:[^\W\d]+(?:['’]|\s)){0,6}", re.IGNORECASE)
_ANY = gated(r"\b(?:any|aucun)", re.IGNORECASE)
_EXTREMES = {"better": "best", "worse": "worst", "higher": "highest", "lower": "lowest"}
_TURNED = {"best": "worst", "worst": "best", "highest": "lowest", "lowest": "highest"}


def all_others(scene: Scene, part: Part) -> tuple[Draft, ...] | None:
    """Return what holds a group against all others, as what calls it the best; else nothing.

    `All others outperform A` calls A the worst, and so does `A is outperformed by all others`;
    `no model beats A` calls it the best.

    Returns:
        Empty where all others are spoken of, but not what this can be read as.
    """
    said, clause = part.said, part.clause
    lead = scene.text[clause.start : said.start]
    if said.predicate not in _EXTREMES or is_general(lead) or not speaks_of_results(scene, part):
        return None
    behind = _BEHIND.match(scene.text, said.end, part.end)
    before = None if behind else _BEFORE.search(scene.text, clause.start, said.start)
    if not behind and not before:
        return None
    span = (clause.start, said.start) if behind else (said.end, part.end)
    groups = scene.of(*span, "group")
    if len({one.value for one in groups}) != 1 or scene.of(clause.start, part.end, "seed"):
        return ()
    if before and not _OBJECT.fullmatch(scene.text, said.end, groups[0].start):
        return None  # `All models exceed 78 %, except for A`
    if onwards(clause.text) is not None or EVERY_METRIC.search(clause.text):
        return ()
    # `A is not beaten by any other` says what `no other beats A` does.
    any_ = bool(said.denied and behind and _ANY.search(behind[0]))
    none = any_ or bool(before and before["none"])
    if before and said.denied and not none:
        return ()  # `All others do not beat A` may be said of some of them.
    extreme = _EXTREMES[said.predicate]
    # Who is beaten, by nobody at that, is what the verb makes its subject, or the opposite.
    if said.turned ^ bool(before) ^ none:
        extreme = _TURNED[extreme]
    called = replace(said, predicate=extreme, family="extreme", denied=said.denied and not none)
    return tuple(of_group(scene, clause, called, groups, ranked=True))
