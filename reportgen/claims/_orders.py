"""Sentences that hold two things against each other: higher, better, more stable, similar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._amounts_said import amounts_of, metric_of
from reportgen.claims._axes import axes_of, is_general, is_vague, onwards, share_of
from reportgen.claims._bind import Bound, Draft, Part, bind, confidence, said_of_spreads
from reportgen.claims._clauses import Clause
from reportgen.claims._gained import is_gained_alone
from reportgen.claims._labels import group_key
from reportgen.claims._mentions import Mention
from reportgen.claims._order_topics import ALIKE, DIRECT, speaks_of_results
from reportgen.claims._predicates import Said
from reportgen.claims._scene import Scene, keys_of
from reportgen.claims._times import MOST, at
from reportgen.claims._trends import trend
from reportgen.records.claim import Statement

_THAN = gated(
    r"\b(?:than|compared\s(?:to|with)|relative\sto|versus|vs\.?|par\srapport\s(?:à|aux?)|que|over|against|face\s(?:à|aux?)"
    r"|(?:to|à|aux?)\s(?=that\b|those\b|the\b|celle|celui|ceux|s(?:a|on)\s|l[ea]s?\b|l'))\b\s?|\bqu'",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"^\W*(?:and\s|et\s)?(?:it|it's|they|which|who|this|these|il|elle|ils|elles|qui|celui-ci|celle-ci)\b",
    re.IGNORECASE,
)
_COMPARED_TO = re.compile(
    r"\W*(?:compared\s(?:to|with)|relative\sto|in\s(?:comparison|contrast)\s(?:to|with)|against|versus"
    r"|par\srapport\s(?:à|aux?)|comparée?s?\s(?:à|aux?)|face\s(?:à|aux?))\s(?P<what>[^,;]{2,80}?)"
    r"(?:,\s|\s(?=(?:it|they|il|elle|ils|elles)\b))",
    re.IGNORECASE,
)
_ON = re.compile(r"\bsur\s(?:l[ea]\s|les\s)?(?:mod[èe]le\s)?$", re.IGNORECASE)
_SAME = gated(r"\bsame|\bmêmes?|\bequally", re.IGNORECASE)
_CATCH_UP = gated(r"\bcatch|\brattrap", re.IGNORECASE)
_BOTH = gated(
    r"\b(?:both|the\stwo|our\stwo|les\sdeux|nos\sdeux)\s(?:\w+\s){0,2}"
    r"(?:models?|modèles?|groups?|groupes?|systems?|systèmes?|methods?|méthodes?|networks?|réseaux)\b",
    re.IGNORECASE,
)
_RUNS_ALL = gated(r"\b(?:the|our|les|nos)\s(?:\w+\s)?(?:seeds|runs|graines)\b", re.IGNORECASE)
_FURTHEST = gated(
    r"\b(?:lowest|highest|smallest|largest|minim(?:um|al)|maxim(?:um|al)|plus\s(?:basse?|haute?|petite?|grande?|faible))\b",
    re.IGNORECASE,
)
"""`The lowest losses of A and B are identical`: those of two moments."""
_ORDERS = frozenset({"better", "worse", "higher", "lower"})
_RELATIVE = re.compile(r"^\W*(?:which|who|that|qui)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """The spans of a comparison: what stands before, what between, what behind `than`."""

    left: tuple[int, int]
    between: tuple[int, int]
    after: tuple[int, int]


EVERY_METRIC = gated(
    r"\b(?:each|every|all|both|any|chaque|toutes|aucune)\s(?:of\s)?(?:the\s|les\s|our\s|its\s)?(?:[\w-]+\s)?"
    r"(?:metrics?|measures?|scores?|métriques?|mesures?)\b",
    re.IGNORECASE,
)


def order(scene: Scene, part: Part) -> Iterator[Draft]:
    """Yield what a clause says of two things."""
    clause, said = part.clause, part.said
    lead = scene.text[clause.start : said.start]
    if is_general(lead) or not speaks_of_results(scene, part):
        return
    if said.predicate == "equal" and _FURTHEST.search(lead):
        return
    if (
        said.denied
        and said.predicate == "similar"
        and _SAME.search(scene.text[said.start : said.end])
    ):
        return  # What is not the same may still be close.
    if _is_of_one(scene, part):
        yield from trend(scene, replace(part, said=replace(said, predicate="moves")))
        return
    if _CATCH_UP.search(scene.text[said.start : said.end]):
        # Who does not catch up stays below; who does catches up with some moment that is not said.
        if not said.denied:
            return
        said = replace(said, denied=False)
    parts = _parts(scene, part)
    axes = axes_of(clause.text)
    lead = scene.text[slice(*parts.left)]
    if said.predicate in {"similar", "equal"} and _one_side(
        scene, parts, axes or (("seeds",) if _RUNS_ALL.search(lead) else ())
    ):
        yield _among(scene, clause, said, parts, axes)
        return
    if EVERY_METRIC.search(clause.text):
        return  # One sentence, and as many statements as there are metrics.
    for left, right, extra in _sides(scene, clause, said, parts):
        if not left.meaning.group and left.meaning.split == right.meaning.split:
            continue
        ours, theirs = (right, left) if said.turned else (left, right)
        since = _since(scene, clause, said)
        for moment in _moments(scene, part) if since is None else [None]:
            sides = _at(ours, moment), _at(theirs, moment)
            yield _onwards(_draft(scene, clause, said, sides, extra), since)


def _since(scene: Scene, clause: Clause, said: Said) -> tuple[float, str] | None:
    """Return the moment from which on one thing is said to lie above another: `from epoch 3 on`."""
    if said.denied or said.predicate not in _ORDERS or amounts_of(scene, clause, said):
        return None
    return onwards(clause.text)


def _onwards(draft: Draft, since: tuple[float, str] | None) -> Draft:
    """Return what is said as said of every epoch (or step) from a moment on."""
    if since is None or draft.statement is None:
        return draft
    first, clock = since
    over = ("epochs", *(axis for axis in draft.statement.over if axis != "epochs"))
    window = (first, None)
    told = replace(draft.statement, window=window, clock=clock, over=over, every=True)
    return replace(draft, statement=told)


def _is_of_one(scene: Scene, part: Part) -> bool:
    """Say whether who gains is held against nothing: `A gains 2 points after epoch 3`."""
    opening = _COMPARED_TO.match(scene.text, part.clause.sentence[0], part.said.start)
    held = opening or _THAN.search(scene.text, part.said.end, part.end)
    return held is None and is_gained_alone(scene, part)


def _moments(scene: Scene, part: Part) -> list[Mention | None]:
    """Return the epochs or steps that a comparison names, a statement each."""
    for span in ((part.said.end, part.end), part.subject):
        found = [m for slot in ("epoch", "step") for m in scene.of(*span, slot)]
        kinds = {m.slot for m in found}
        kept = [m for m in found if m.slot == "epoch" or "epoch" not in kinds]
        if kept:
            return [*kept[:MOST]]
    return [None]


def _at(bound: Bound, moment: Mention | None) -> Bound:
    meaning = bound.meaning
    if moment is None:
        return Bound(meaning=replace(meaning, epoch=None, step=None), cost=bound.cost)
    return Bound(meaning=at(meaning, moment), cost=bound.cost)


def _parts(scene: Scene, part: Part) -> _Parts:
    said, end, left = part.said, part.end, part.subject
    before = _compared_before(scene, part)
    if before is not None:
        return before
    if DIRECT.search(scene.text[said.start : said.end]):
        return _Parts(left=left, between=(said.end, said.end), after=(said.end, end))
    than = _THAN.search(scene.text, said.end, end)
    if than is None:
        return _Parts(left=left, between=(said.end, end), after=(end, end))
    return _Parts(left=left, between=(said.end, than.start()), after=(than.end(), end))


def _compared_before(scene: Scene, part: Part) -> _Parts | None:
    """Read `compared with A, it gains`: what stands behind the comma is the first side."""
    opening = _COMPARED_TO.match(scene.text, part.clause.sentence[0], part.said.start)
    if opening is None or not scene.of(*opening.span("what"), "group"):
        return None
    return _Parts(
        left=(max(opening.end(), part.clause.start), part.said.start),
        between=(part.said.end, part.said.end),
        after=opening.span("what"),
    )


def _one_side(scene: Scene, parts: _Parts, axes: tuple[str, ...]) -> bool:
    """Say whether things are called similar among themselves: seeds, runs, two groups together."""
    groups = [
        g for span in (parts.left, parts.between, parts.after) for g in scene.values(*span, "group")
    ]
    return bool({"seeds", "runs"} & set(axes)) and len(set(map(group_key, groups))) < 2


def _among(scene: Scene, clause: Clause, said: Said, parts: _Parts, axes: tuple[str, ...]) -> Draft:
    bound = bind(scene, clause, *parts.left)
    groups = scene.values(clause.start, clause.end, "group")
    meaning = replace(bound.meaning, group=groups[0] if len(groups) == 1 else "")
    statement = Statement(
        predicate=said.predicate,
        subjects=(meaning,),
        every=True,
        over=axes,
        vague=said.predicate == "similar" or is_vague(clause.text),
        denied=said.denied,
    )
    return Draft(
        kind="comparison",
        start=clause.start,
        end=clause.end,
        statement=statement,
        confidence=confidence(bound),
    )


def _sides(
    scene: Scene, clause: Clause, said: Said, parts: _Parts
) -> Iterator[tuple[Bound, Bound, float]]:
    """Yield the two sides of a comparison with what guessing them costs."""
    left, right = bind(scene, clause, *parts.left), bind(scene, clause, *parts.after)
    if said_of_spreads(scene, *parts.between):
        # `A has a larger standard deviation than B`
        left, right = (
            replace(b, meaning=replace(b.meaning, aggregate="std")) for b in (left, right)
        )
    splits = _contrast(scene, parts)
    both = scene.values(*parts.left, "group") or _the_two(scene, parts)
    if said.predicate in ALIKE and len(both) == 2 and not scene.of(*parts.after, "group"):
        # `A and B are alike`, `the ranges of A and B overlap`.
        yield from _joined(left, left, [both[0]], [both[1]], 0.0)
        return
    ours, theirs, cost = _groups(scene, clause, parts, contrast=bool(splits))
    if splits:
        theirs = theirs or ours
        left = _with(left, split=splits[0])
        right = _with(right, split=splits[1], metric=left.meaning.metric)
    else:
        right = Bound(meaning=left.meaning, cost=left.cost)
        each = scene.values(*parts.left, "split")
        if len(each) > 1:
            for split in each:
                side = _with(left, split=split)
                yield from _joined(Bound(meaning=side.meaning, cost=0.0), side, ours, theirs, cost)
            return
    yield from _joined(left, right, ours, theirs, cost)


def _the_two(scene: Scene, parts: _Parts) -> tuple[str, ...]:
    """Return the two groups that `the two models` are, where a report knows no others."""
    if not _BOTH.search(scene.text, *parts.left):
        return ()
    labels = tuple(keys_of(scene.labels).values())
    return labels if len(labels) == 2 else ()


def _joined(
    left: Bound, right: Bound, ours: list[str], theirs: str | list[str], cost: float
) -> Iterator[tuple[Bound, Bound, float]]:
    others = theirs if isinstance(theirs, list) else [theirs]
    for one in ours or [""]:
        for other in others or [""]:
            yield _with(left, group=one), _with(right, group=other), cost


def _with(
    bound: Bound, *, group: str | None = None, split: str | None = None, metric: str | None = None
) -> Bound:
    """Return a binding with some of its parts said otherwise."""
    old = bound.meaning
    meaning = replace(
        old,
        group=old.group if group is None else group,
        split=old.split if split is None else split,
        metric=old.metric if metric is None else metric,
    )
    return Bound(meaning=meaning, cost=bound.cost)


def _contrast(scene: Scene, parts: _Parts) -> tuple[str, str] | None:
    """Return the two splits that are compared, if splits are."""
    ours = scene.values(*parts.left, "split") or scene.values(*parts.between, "split")
    theirs = scene.values(*parts.after, "split")
    if len(ours) == 1 and len(theirs) == 1 and ours != theirs:
        return ours[0], theirs[0]
    return None


def _groups(
    scene: Scene, clause: Clause, parts: _Parts, *, contrast: bool
) -> tuple[list[str], list[str], float]:
    """Return the groups of both sides and what guessing them costs; empty where none is said."""
    ours = list(scene.values(*parts.left, "group"))
    between = list(scene.values(*parts.between, "group"))
    theirs = list(scene.values(*parts.after, "group"))[:2]
    cost = 0.0
    if between and not (ours or theirs) and _is_on(scene, *parts.between):
        return [], [], cost
    if between and (theirs or not ours):
        ours = between[:1] if theirs or not ours else ours
        cost += 0.02
    elif between and ours and not theirs:
        # `With A, accuracy is higher than ...`, `A is better for B`: who is which stays open.
        cost += 0.3
    if not ours:
        ours, more = _meant(scene, clause)
        cost += more
    if not theirs and parts.after[0] < parts.after[1] and not contrast:
        return [], [], cost  # It is compared with something else than a group.
    if not theirs and not contrast and ours and ours[0]:
        theirs, more = _opposite(scene, clause, ours)
        cost += more
    if not ours:
        # Two splits are those of a group that the heading, or the sentence before, may name.
        before = scene.around.subject
        ours = list(scene.around.groups) if contrast and len(scene.around.groups) == 1 else []
        free = contrast and not (before is not None and before.group)
        cost += 0.05 if ours else 0.0 if free else 0.3
    if len(ours) > 1:
        # `the mean of A`, `for A`: the last one named stands nearest to the verb. Of `A has fewer
        # parameters than B, for a better score` it is the first.
        than = _THAN.search(scene.text, *parts.left)
        behind = than is not None and scene.of(parts.left[0], than.start(), "group")
        own = ours[:1] if behind else ours[-1:]
        ours, theirs, cost = own, theirs or [one for one in ours if one not in own], cost + 0.1
    return ours, theirs[:1], cost


def _is_on(scene: Scene, start: int, end: int) -> bool:
    """Say whether the group behind a verb is what somebody unknown gains on.

    `Mixup gagne 3 points sur baseline`.
    """
    return bool(_ON.search(scene.text, start, scene.of(start, end, "group")[0].start))


def _meant(scene: Scene, clause: Clause) -> tuple[list[str], float]:
    """Return the group that a pronoun stands for, and what guessing it costs."""
    if _RELATIVE.search(clause.text):
        before = scene.values(clause.sentence[0], clause.start, "group")
        return list(before[-1:]), 0.1
    subject = scene.around.subject
    opening = _COMPARED_TO.match(clause.text)
    rest = clause.text[opening.end() :] if opening else clause.text
    if subject is not None and subject.group and _PRONOUN.search(rest):
        return [subject.group], 0.2
    return [], 0.0


def _opposite(scene: Scene, clause: Clause, ours: list[str]) -> tuple[list[str], float]:
    """Return the one group that can be meant as the other side."""
    mine = {group_key(label) for label in ours}
    known = mine | set(map(group_key, scene.labels))
    # A heading that names none of the groups in the tables says what all are: `Tuning RoBERTa`.
    bare = scene.labels and known.isdisjoint(map(group_key, scene.around.groups))
    nearby = [m.value for m in scene.of(*clause.sentence, "group")]
    headed = [] if bare else [*scene.around.groups]
    for labels, cost in ((nearby, 0.1), (headed, 0.1), ([*scene.labels], 0.15)):
        others = {key: label for key, label in keys_of(labels).items() if key not in mine}
        if len(others) == 1:
            return [next(iter(others.values()))], cost
    return [], 0.15


def _draft(
    scene: Scene, clause: Clause, said: Said, sides: tuple[Bound, Bound], extra: float
) -> Draft:
    left, right = sides
    amounts = amounts_of(scene, clause, said)
    own = metric_of(scene, amounts, clause.end)
    if own:
        left = _with(left, metric=own)
        right = _with(right, metric=own)
    elif amounts and len(scene.values(clause.start, clause.end, "metric")) > 1:
        amounts = ()
    axes = axes_of(clause.text) or _leading_axes(scene, clause)
    statement = Statement(
        predicate=said.predicate,
        subjects=(left.meaning, right.meaning),
        amounts=amounts,
        every=bool(axes),
        over=axes,
        vague=is_vague(clause.text) or said.predicate == "similar",
        share=share_of(clause.text),
        # Ranges that overlap do not lie apart.
        denied=said.denied != (said.predicate == "apart"),
    )
    return Draft(
        kind="comparison",
        start=clause.start,
        end=clause.end,
        statement=statement,
        confidence=confidence(left, extra=extra),
    )


def _leading_axes(scene: Scene, clause: Clause) -> tuple[str, ...]:
    """Return the axes that the start of the sentence gives to all its clauses."""
    if clause.first:
        return ()
    lead = scene.text[clause.sentence[0] : clause.sentence[0] + 40].partition(",")[0]
    return axes_of(lead)
