"""Sentences that say between which numbers values lie: `plateaus at 0.62-0.65`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from reportgen.checking.numbers._gated import gated
from reportgen.claims._axes import axes_of, is_general, is_vague, onwards, window_of
from reportgen.claims._bind import Draft, bind, confidence
from reportgen.claims._clauses import Clause
from reportgen.claims._conditions import condition, narrowing
from reportgen.claims._scene import Scene
from reportgen.claims._some_seeds import leaves_out_a_model, some
from reportgen.records.claim import Printed, Statement

_JOINS = re.compile(r"\s{0,2}\\?%?\s{0,2}(?:[-–—]{1,3}|to|à|and|et|,)\s{0,2}", re.IGNORECASE)
_LEAD = gated(
    r"(?:\b(?:between|entre|in\sthe\srange(?:\sof)?|within|at|around|about|near|à|autour\sde|aux\salentours\sde"
    r"|to|reach(?:es)?)|\b(?:(?:rang|vari|span|lie|all)\w{0,5}|go)\sfrom|\bspans?|\bvarie(?:nt)?\sde|\bvont\sde|\bcompris\w*\sentre"
    r"|[~≈∈])\s?(?:the\s|about\s|around\s|environ\s)?[\[(]?\s?$",
    re.IGNORECASE,
)
_OF_WHOM = re.compile(
    r"[\s%\\]*(?:points?\s)?(?:for|of|with|in|on|pour|de|avec|chez)\s(?:the\s|our\s|les?\s|la\s|l['’])?",
    re.IGNORECASE,
)
"""Between a range and the group that it is of: `from 69 % to 72 % for A`."""
_COUNTED = re.compile(
    r"\s(?:out\s)?(?:of|des|de|sur)\s(?:the\s|les\s|its\s)?\d[\d,]*\s"
    r"(?:evaluations?|epochs?|steps?|[ée]valuations?|[ée]poques?|pas)\b",
    re.IGNORECASE,
)
"""`improve at 42 to 49 of 99 evaluations` counts moments."""
_CURVE = gated(r"\b(?:curves?|courbes?)\b", re.IGNORECASE)
_DASH = re.compile(r"[-–—]")
_NO_RANGE = gated(
    r"\b(?:interval|intervalle|confidence|epochs?|époques?|steps?|seeds?|learning\srates?|lr|batch|ranks?|layers?|heads?"
    r"|tokens?|minutes?|hours?|seconds?|heures?|gb|gib|mib|[gm]io|parameters?|paramètres?|examples?|exemples?|samples?|pages?"
    r"|sections?|figures?|tables?|equations?|citations?|references?)\b"
    r"(?!\s(?:is|are|was|were|lies?|stays?|est|sont|var\w{2,6}|end|finish|reach|achieve|obtain|rang\w{1,3}|atteignent"
    r"|finissent|obtiennent|terminent)\b)[^.]{0,20}$",
    re.IGNORECASE,
)
_NEVER = gated(
    r"\bnever\s(?:\w+\s){0,2}(?P<below>below|under)\b|\bnever\s(?:\w+\s){0,2}(?P<above>above|over|exceeds?)\b"
    r"|\b(?:always|all|every\w*)\b.{0,40}?\b(?:(?P<over>above|over|at\sleast|exceed(?:s|ed)?|surpass(?:es|ed)?)|(?P<under>below|under|at\smost))\b"
    r"|\bno\s(?:\w+\s){0,2}(?:run|seed|model)\s(?:ever\s)?(?:falls?|drops?|rises?|climbs?|gets?|goes|is|stays?|ends?|comes?)"
    r"\s(?:(?P<least>below|under)|(?P<most>above|over))\b"
    r"|\bno\s(?:\w+\s){0,2}(?:run|seed|model)\s(?:ever\s)?(?P<beyond>exceed|surpass|pass|top)e?s\b"
    r"|\b(?:toutes\sles|tous\sles|chaque)\s(?:\w+\s){0,2}?(?:exécutions?|graines?|runs?|modèles?)\b.{0,60}?\b(?:(?P<sup>sup[ée]rieure?s?\sà|au[\s-]dessus\sd[e'])"
    r"|(?P<inf>inf[ée]rieure?s?\sà|(?:en[\s-])?dessous\sd[e']|sous))(?!\w)"
    r"|\b(?:toutes\sles|tous\sles|chaque)\s(?:\w+\s){0,2}?(?:exécutions?|graines?|runs?|modèles?)\s(?P<passe>dépassent?)\b"
    r"|\baucune?\s(?:\w+\s){1,3}?ne\s(?:(?P<depasse>dépasse)|(?P<reste>(?:descend|tombe|passe)\ssous))\b"
    r"|\bjamais\s(?:\w+\s){0,2}(?P<sous>(?:en[\s-])?dessous\sde|sous)\b"
    r"|\b(?:ne\sdépasse(?:nt)?\sjamais|jamais\s(?:\w+\s){0,2}(?:au[\s-]dessus\sd[eu]s?))(?P<sur>)",
    re.IGNORECASE,
)


_BY_HOW_MUCH = gated(
    r"\bby\s(?:at\s(?:least|most)|more\sthan|over)\s$|\bd(?:e\s|['’]\s?)(?:au\s(?:moins|plus)|plus\sde)\s$",
    re.IGNORECASE,
)
"""`beats all others by at least 2.4 points`: how far apart they are, and no value of any."""
_SPANS = gated(
    r"\b(?:(?:rang\w{1,3}|var(?:y|ies|ied)|spans?|go)\sfrom|spans?)\s$|\b(?:varie(?:nt)?|vont)\sde\s$",
    re.IGNORECASE,
)
"""What ranges from one number to another has both: more than lying between them."""
_NEAR, _MARK = 12, 5
_AT_EVERY_STEP = gated(
    r"\b(?:never|always|ever|stay\w*|remain\w*|ke(?:ep|pt)\w*|throughout|during|whole|entire|epochs?|steps?"
    r"|evaluations?|times?|moments?|curves?|jamais|toujours|rest(?:e|ent|ait|aient)|tout(?:\sau)?\sl(?:e|ong)"
    r"|pendant|époques?|pas|évaluations?|courbes?)\b",
    re.IGNORECASE,
)
"""`all runs stay below 2`; those that `are below 2`, or `get below`, do so with their results."""
_OF_A_METRIC = re.compile(
    r"\s(?:an?\s|the\s|une?\s)?(?:[^\s\d.,;:()]+\s){1,4}(?:of|de)\s", re.IGNORECASE
)
"""`all runs end below a validation loss of 0.6`."""


def bounds(scene: Scene, clause: Clause) -> Iterator[Draft]:
    """Yield the ranges and bounds that a clause gives for values of a metric."""
    numbers = scene.numbers_in(clause.start, clause.end)
    position = clause.start
    paired = False
    for low, high in pairwise(numbers):
        if _is_range(scene, clause, position, low, high):
            yield _range(scene, clause, position, (low, high))
            position, paired = high.end, True
    if not paired and len(numbers) == 1:
        yield from _bound(scene, clause, numbers[0])


def _is_range(scene: Scene, clause: Clause, position: int, low: Printed, high: Printed) -> bool:
    joined = scene.text[low.end : high.start]
    lead = scene.text[position : low.start]
    if low.start < position or not _JOINS.fullmatch(joined) or low.value >= high.value:
        return False
    if _COUNTED.match(scene.text, high.end):
        return False
    if low.text[:1] in "+-−" or high.unit == "points" or _NO_RANGE.search(lead):
        return False
    and_ = not _DASH.search(joined) and "to" not in joined and "à" not in joined
    if and_ and not re.search(r"\b(?:between|entre)\s[^\d]{0,12}$", lead, re.IGNORECASE):
        return False
    if not _LEAD.search(lead) or is_general(lead):
        return False
    return _has_topic(scene, clause) or _is_of_a_metric(scene, clause, high)


def _has_topic(scene: Scene, clause: Clause) -> bool:
    found = scene.of(*clause.sentence, "metric", "generic")
    return bool(found or _CURVE.search(clause.text)) or bool(
        scene.around.metric and scene.of(*clause.sentence, "group")
    )


def _has_own_topic(scene: Scene, clause: Clause) -> bool:
    return bool(scene.of(clause.start, clause.end, "metric", "generic"))


def _is_of_a_metric(scene: Scene, clause: Clause, number: Printed) -> bool:
    """Say whether a share that a model is never above or below is one of its results.

    `A is never above 70 % on the test set, and B never below 60 %` names no metric at all.
    """
    groups = scene.of(clause.start, number.start, "group")
    told = scene.of(*clause.sentence, "split", "metric") or scene.around.metric
    return number.unit == "percent" and bool(groups) and bool(told)


def _range(scene: Scene, clause: Clause, position: int, ends: tuple[Printed, Printed]) -> Draft:
    start, end = position, min(clause.end, ends[1].end)
    behind = scene.of(end, clause.end, "group")[:1]
    own = [m.value for m in behind if _OF_WHOM.fullmatch(scene.text, end, m.start)]
    groups = (
        scene.values(start, end, "group")
        or own
        or scene.values(clause.sentence[0], start, "group")
        or scene.values(*clause.sentence, "group")
    )
    bound = bind(scene, clause, start, end)
    cost = 0.0 if len(groups) == 1 else 0.2
    if narrowing(scene.text, *clause.sentence) or condition(
        scene.text, clause.sentence, scene.mentions
    ):
        cost += 0.4
    elif some(scene.text, *clause.sentence):
        cost += 0.6
    meaning = replace(bound.meaning, group=groups[-1] if groups else "")
    # `From 65 to 75 %` may be two marks on a scale.
    marks = all(number.decimals <= 0 and not number.value % _MARK for number in ends)
    exact = not marks and _SPANS.search(scene.text, start, ends[0].start)
    statement = Statement(
        predicate="spans" if exact else "between",
        subjects=(meaning,),
        amounts=ends,
        every=bool(axes_of(clause.text)),
        over=(*axes_of(clause.text), *(("epochs",) if onwards(clause.text) else ())),
        vague=is_vague(scene.text[slice(*clause.sentence)]) or "plateau" in clause.text.lower(),
        window=window_of(clause.text)[0],
        clock=window_of(clause.text)[1],
    )
    begin = start + len(scene.text[start:end]) - len(scene.text[start:end].lstrip(" ,;"))
    return Draft(
        kind="range",
        start=begin,
        end=end,
        statement=statement,
        confidence=confidence(bound, extra=cost),
    )


def _bound(scene: Scene, clause: Clause, number: Printed) -> Iterator[Draft]:
    """Yield `never falls below 75 %`, `all runs stay above 80 %`."""
    match = _NEVER.search(scene.text, clause.start, number.start)
    lead = scene.text[clause.start : number.start]
    if match is None or _NO_RANGE.search(lead) or _BY_HOW_MUCH.search(lead):
        return
    between = scene.text[match.end() : number.start]
    if len(between) > _NEAR and not _OF_A_METRIC.fullmatch(between):
        return
    groups = scene.values(clause.start, clause.end, "group")
    named = _has_own_topic(scene, clause)
    if not (named or _is_of_a_metric(scene, clause, number)):
        return
    named_groups = scene.of(*clause.sentence, "group")
    if is_general(lead) or leaves_out_a_model(scene.text, *clause.sentence, named_groups):
        return
    bound = bind(scene, clause, clause.start, number.start)
    over = any(match[name] for name in ("below", "over", "least", "sous", "sup", "reste", "passe"))
    # `No run is below 7 %` is said of the result of each, `no run ever falls` of every value.
    named_once = ("least", "most", "beyond", "sup", "inf", "depasse", "reste", "passe")
    once = any(match[name] for name in named_once) and " ever " not in match[0]
    once |= not _AT_EVERY_STEP.search(scene.text, clause.start, number.start)
    statement = Statement(
        predicate="above" if over else "below",
        subjects=(replace(bound.meaning, group=groups[0] if len(groups) == 1 else ""),),
        amounts=(replace(number, approximate=""),),
        every=True,
        # `All MLP runs` may be the name of a group, which is masked in the clause.
        over=axes_of(scene.plain.text[clause.start : clause.end])
        or (("seeds",) if once else ("epochs",)),
        vague=is_vague(clause.text),
        window=window_of(clause.text)[0],
        clock=window_of(clause.text)[1],
    )
    yield Draft(
        kind="range",
        start=clause.start,
        end=clause.end,
        statement=statement,
        confidence=confidence(bound, extra=0.0 if named and len(groups) == 1 else 0.1),
    )
