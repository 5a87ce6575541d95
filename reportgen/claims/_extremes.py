"""Sentences that call something the best, the highest or the lowest: a moment, a group, a seed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._axes import axes_of, is_general, is_vague, share_of
from reportgen.claims._bind import Bound, Draft, Part, bind, confidence, said_of_spreads
from reportgen.claims._clauses import Clause
from reportgen.claims._mentions import Mention
from reportgen.claims._predicates import Said, predicates
from reportgen.claims._ranked import EITHER, OWN, is_moment, manner, rank_moments
from reportgen.claims._scene import Scene
from reportgen.claims._times import MOST, at
from reportgen.records.claim import Meaning, Printed, Statement

_IS = gated(
    r"\b(?:is|are|was|were|est|sont|lies|being)\s(?:\w+ly\s|always\s|toujours\s)?(?:the\s|le\s|la\s|les\s)?$",
    re.IGNORECASE,
)
_REACHES = gated(
    r"\b(?:reach(?:es|ed|ing)?|achiev(?:es|e|ed|ing)|attain(?:s|ed)?|obtain(?:s|ed)?|gets?|got|has|have|had|gives?"
    r"|gave|yield(?:s|ed)?|shows?|produces?|delivers?|atteint|atteignent|obtient|obtiennent|a|ont|donne(?:nt)?)\s"
    r"(?:its|their|the|a|sa|son|leur|la|le|les|ses)?\s?$",
    re.IGNORECASE,
)
_REACHED = gated(
    r"\s(?:is|are|was|were|est|sont|being)\s(?:\w+\s)?(?:reached|obtained|achieved|attained|found|given|atteinte?s?"
    r"|obtenue?s?)\s(?P<by>at|after|in|by|with|for|on|using|à|au|après|par|avec|pour|en)\b",
    re.IGNORECASE,
)
_BEST_STEP = re.compile(
    r"^\s(?:\w+\s)?(?:steps?|epochs?|checkpoints?|époques?|étapes?)\s(?:\w+\s){0,4}?(?:is|are|est|sont)\s(?:\w+\s)?(?:the\s|la\s|le\s)?"
    r"(?:last|final|dernière?|dernier)(?:\sone|\sepoch|\sstep)?\b",
    re.IGNORECASE,
)
_NOT_LAST = gated(r"\b(?:is|are)\s(?:not|never)\b|\bn['’](?:est|étaient)\s(?:pas|jamais)\b")
_CURVES = re.compile(
    r"^\s(?:\w+\s)?(?:curves?|courbes?|lines?|runs?|models?)?\s?(?:are|is|sont|correspond\sto|belong\sto)\s",
    re.IGNORECASE,
)
_MODEL = re.compile(
    r"^(?:\s(?:one|model|modèle|method|méthode|of\sall|overall|performer|run|curve|performing\smodel|system|système))?"
    r"(?:\s(?:of|among|out\sof|on|for|in|across|sur|parmi|pour|dans)\s(?:terms\sof\s|termes\sde?\s)?"
    r"(?:the\s|les\s|nos\s|our\s)?(?:\w+\s){0,3}?(?:two|three|four|five|both|all|every|deux|trois|quatre|metrics?|métriques?)"
    r"(?:\s\w+){0,2})?(?P<when>\s(?:at|after|à|après|en)\s[^,;:()]{1,40})?(?:\s\([^()]{1,60}\))?\s?[.,!]?$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\b(?:the|la|le)\s(?:\w{1,3})?$", re.IGNORECASE)
_RANKS = frozenset({"best", "worst"})
_PEAKS = re.compile(r"peak(?:s|ed)|culmine(?:nt)?", re.IGNORECASE)
_ONE = re.compile(
    r"^(?P<noun>\s(?:one|run|seed|graine|of\sall|of\sthem|of\sthe\s\w+|exécution|des\s\w+))?"
    r"(?:\s(?:at|on|in|after|by|for|of|à|au|sur|en|après|dans|pour|de|du)\s[^,;:()]{1,80})?(?:\s\([^()]{1,60}\))?\W*$",
    re.IGNORECASE,
)
_ON = re.compile(r"^\s?(?:at|in|after|on|by|during|for|à|au|en|après|lors|dès)\b", re.IGNORECASE)
_FOR = re.compile(r"\s(?:for|with|pour|avec|chez)\s(?:the\s|les?\s|la\s|l['’])?", re.IGNORECASE)
_BEFORE = gated(r"\b(?:before|until|from|avant|than|que|dès|depuis)\b", re.IGNORECASE)
_RESULTS = re.compile(r"^\s(?:\w+\s)?(?:results?|résultats?|values?|valeurs?)\b", re.IGNORECASE)
_SIGNED = re.compile(r"^[\s,]*\(?\s?$")
_PRONOUN = re.compile(r"\W*(?:it|they|il|elle|ils|elles)\b", re.IGNORECASE)
_BY = frozenset({"by", "with", "using", "par", "avec"})
_NEXT = gated(r",|;|\b(?:and|et)\b", re.IGNORECASE)
_OTHER_VALUE = re.compile(
    r"\b(?:and|but|et|mais)\s(?:(?:it\s)?is\s)?[+−-]?\d[\d.,]*\s?%?\s(?:at|à|au)\b", re.IGNORECASE
)
"""`largest at step 6500 (71.4) and 70.3 at the end`: at one of the two moments alone."""


def extreme(scene: Scene, part: Part) -> Iterator[Draft]:
    """Yield what a clause calls the best, the highest or the lowest."""
    clause, said, end = part.clause, part.said, part.end
    lead = scene.text[clause.start : said.start]
    if is_general(lead):
        return
    behind = scene.text[said.end : end]
    reached = _REACHED.search(behind)
    if reached is not None:
        by = reached["by"].lower() in _BY
        yield from _reached(scene, clause, said, (said.end + reached.end(), end), by=by)
    elif _BEST_STEP.match(behind) and said.predicate in {"best", "highest"}:
        yield from _best_step(scene, clause, said)
    elif _IS.search(lead) or (part.subject[1] < said.start and _ON.match(behind)):
        yield from _stands(scene, part)
    elif _REACHES.search(lead):
        yield from _reaches(scene, clause, said, end)
    elif _PEAKS.fullmatch(scene.text, said.start, said.end) and _rises_to(scene, clause, said, end):
        yield from _at_moments(scene, clause, said, (clause.start, said.start), (said.end, end))
    elif said.predicate == "highest" and _CURVES.match(behind):
        yield from of_group(scene, clause, said, scene.of(said.end, end, "group"))


def _stands(scene: Scene, part: Part) -> Iterator[Draft]:
    """`is widest at epoch 2 (+14.93 points)`, `X is the best model`, `the highest is that of X`."""
    clause, said, end = part.clause, part.said, part.end
    behind = scene.text[said.end : end]
    if _is_ranked(scene, part):
        yield from _of_one(scene, clause, said, part.subject)
    elif whose := _named_behind(scene, part):
        late = scene.of(whose[0].end, end, "epoch", "step")
        yield from of_group(scene, clause, said, whose, ranked=not late)
    elif _ON.match(behind):
        if _is_of_several(scene, part):
            yield from _of_one(scene, clause, said, part.subject)
        else:
            yield from _at_moments(scene, clause, said, part.subject, (said.end, end))
    elif (match := _MODEL.match(behind)) and (
        not match["when"] or rank_moments(scene, clause, said)
    ):
        yield from _of_one(scene, clause, said, _nearest(scene, part))


def _named_behind(scene: Scene, part: Part) -> list[Mention]:
    """Return the group of `the spread is smallest for A at the end`: it is ranked, no moment is."""
    end = part.said.end
    if scene.of(*part.subject, "group", "seed"):
        return []
    found = scene.of(end, part.end, "group")
    return found[:1] if found and _FOR.fullmatch(scene.text, end, found[0].start) else []


def _is_of_several(scene: Scene, part: Part) -> bool:
    """Say whether a group is called the best of several: `is the best at the end`.

    `The accuracy of A is highest at epoch 3` tells when it is, and so does a gap.
    """
    said, subject = part.said, part.subject
    groups, seeds = scene.of(*subject, "group"), scene.of(*subject, "seed")
    if len(groups) != 1 or seeds or scene.of(*subject, "aggregate"):
        return False
    topics = scene.of(*subject, "metric", "generic")
    articled = _ARTICLE.search(scene.text[part.clause.start : said.start + 3])
    ranked = not topics and (said.predicate in _RANKS or bool(articled))
    return ranked and bool(rank_moments(scene, part.clause, said))


def _nearest(scene: Scene, part: Part) -> tuple[int, int]:
    """Return where the subject stands: in `X is the best and Y is the worst`, the worst is Y."""
    between = scene.of(part.subject[1], part.said.start, "group")
    # What a comma parts from the verb is an aside: `X, which beats Y, is the best`.
    if not between or "," in scene.text[between[-1].end : part.said.start]:
        return part.subject
    return between[-1].start, part.said.start


def _is_ranked(scene: Scene, part: Part) -> bool:
    """Say whether a seed is called the best or the worst of the seeds, and not at its own best."""
    said = part.said
    match = _ONE.match(scene.text[said.end : part.end])
    if match is None or len(scene.values(*part.subject, "seed")) != 1:
        return False
    topics = scene.of(*part.subject, "metric", "generic")
    article = _ARTICLE.search(scene.text[part.clause.start : said.start + 3])
    return bool(match["noun"]) or (not topics and bool(article) and said.predicate in _RANKS)


def _reaches(scene: Scene, clause: Clause, said: Said, end: int) -> Iterator[Draft]:
    """`X reaches its best accuracy at the last epoch`, `X has the highest test accuracy`."""
    topics = scene.of(said.end, end, "metric", "generic", "aggregate", "split")
    if said_of_spreads(scene, said.end, end) and scene.of(clause.start, said.start, "group"):
        return  # `A has the smallest standard deviation` is said of the groups, of no value of A.
    if _rises_to(scene, clause, said, end):
        yield from _at_moments(scene, clause, said, (clause.start, said.start), (said.end, end))
        return
    if not topics and not _RESULTS.match(scene.text[said.end : end]):
        return
    moments = scene.of(said.end, end, "epoch", "step", "selection")
    if moments and (_is_own(scene, clause, said) or not any(is_moment(scene, m) for m in moments)):
        yield from _at_moments(scene, clause, said, (clause.start, end), (said.end, end))
        return
    yield from _of_one(scene, clause, said, (clause.start, said.start))


def _is_own(scene: Scene, clause: Clause, said: Said) -> bool:
    """Say whether a moment is told as that of a best value, and not as that of a comparison."""
    named = scene.of(clause.start, said.start, "group", "seed")
    told = named or (scene.around.subject is not None and scene.around.subject.group)
    if manner(scene, clause, said) == OWN or not told:
        return True
    behind = [m for m in scene.of(said.end, clause.end, "epoch", "step") if is_moment(scene, m)]
    return bool(behind) and bool(scene.numbers_in(said.end, behind[0].start))


def _rises_to(scene: Scene, clause: Clause, said: Said, end: int) -> bool:
    """Say whether a metric is what has its extreme: `the loss has its minimum at epoch 3`."""
    before = scene.of(clause.start, said.start, "metric", "generic")
    return bool(before) and bool(_ON.match(scene.text[said.end : end]))


def _of_one(scene: Scene, clause: Clause, said: Said, span: tuple[int, int]) -> Iterator[Draft]:
    """Yield what is called best where one group stands there, or one seed."""
    groups, seeds = scene.of(*span, "group"), scene.values(*span, "seed")
    before = scene.around.subject
    again = not clause.first or _PRONOUN.match(clause.text)
    told = before.group if before is not None and again else ""
    if told and not groups and not seeds and rank_moments(scene, clause, said):
        groups = [Mention(span[0], span[0], "group", told)]
    if len(groups) == 1 and not seeds:
        yield from of_group(scene, clause, said, groups)
    elif len(seeds) == 1 and len(groups) < 2 and not _is_condition(scene, span):
        yield _of_seed(scene, clause, said, (groups[0].value if groups else "", seeds[0]))


def _is_condition(scene: Scene, span: tuple[int, int]) -> bool:
    """Say whether a group is spoken of and its seed only named: `with seed 1, A is the best`."""
    seeds, groups = scene.of(*span, "seed"), scene.of(*span, "group")
    if not groups or groups[0].start < seeds[0].end:
        return False
    return "," in scene.text[seeds[0].end : groups[0].start]


def _of_seed(scene: Scene, clause: Clause, said: Said, who: tuple[str, str]) -> Draft:
    """Return what a seed is called among those of its group, at a moment where one is named."""
    label, seed = who
    subject = scene.around.subject
    nearby = scene.values(*clause.sentence, "group")
    if not label and (nearby or (subject is not None and subject.group)):
        label = nearby[0] if len(nearby) == 1 or subject is None else subject.group
    bound = bind(scene, clause, clause.start, clause.end)
    own = replace(at(bound.meaning, None), group=label, seed=int(float(seed)))
    moments = rank_moments(scene, clause, said)
    among = (at(replace(own, seed=None), moments[0]),) if len(moments) == 1 else ()
    # `The second run` may be the one numbered 2, or the one behind the first.
    counted = not any(
        scene.text[m.start : m.end].isdigit() for m in scene.of(clause.start, clause.end, "seed")
    )
    statement = Statement(
        predicate=said.predicate,
        subjects=(own, *among),
        every=bool(axes_of(clause.text)),
        over=axes_of(clause.text),
        vague=counted or is_vague(clause.text),
        denied=said.denied,
    )
    return _draft(clause, statement, bound, 0.1)


def _reached(
    scene: Scene, clause: Clause, said: Said, place: tuple[int, int], *, by: bool
) -> Iterator[Draft]:
    """`the best validation accuracy is reached at epoch 5`, `by X` or `by X at epoch 5`."""
    start, end = place
    moments = scene.of(start - 8, end, "epoch", "step", "selection")
    if moments:
        # `is reached by A at epoch 5`: whose it is stands behind.
        named = scene.of(clause.start, start, "group")
        seeds = scene.of(clause.start, end, "seed")
        if by and not named and not seeds and rank_moments(scene, clause, said):
            yield from _of_one(scene, clause, said, (start, end))
            return
        stop = end if not named and scene.of(start, end, "group", "seed") else start
        yield from _at_moments(scene, clause, said, (clause.start, stop), (start - 8, end))
        return
    yield from _of_one(scene, clause, said, (start, end))


def _best_step(scene: Scene, clause: Clause, said: Said) -> Iterator[Draft]:
    """`the best step is the last one in five of six runs`."""
    bound = bind(scene, clause, clause.start, clause.end)
    groups = scene.values(*clause.sentence, "group") or scene.around.groups
    share = share_of(clause.text)
    axes = axes_of(clause.text)
    labels = groups if share is not None and len(scene.around.groups) > 1 else groups[:1]
    labels = scene.around.groups if share is not None and scene.around.groups else labels
    subjects = tuple(
        Meaning(
            metric=bound.meaning.metric,
            split=bound.meaning.split or "validation",
            group=label,
            selection="last",
        )
        for label in labels or ("",)
    )
    statement = Statement(
        predicate="best",
        subjects=subjects,
        every=bool(axes) or share is not None,
        over=axes,
        share=share,
        vague=is_vague(clause.text),
        denied=said.denied or bool(_NOT_LAST.search(clause.text)),
    )
    yield _draft(clause, statement, bound)


def _at_moments(
    scene: Scene, clause: Clause, said: Said, subject: tuple[int, int], place: tuple[int, int]
) -> Iterator[Draft]:
    """Yield one statement a moment; the amount in brackets behind belongs to them all."""
    start, end = place
    # `lowest after epoch 3 and rises to 3.6 by epoch 5` is lowest at one of them.
    later = [s.start for s in predicates(scene.text[start:end]) if s.family == "course"]
    end = start + later[0] if later else end
    if other := _OTHER_VALUE.search(scene.text, start, end):
        end = other.start()
    end = _until_next_metric(scene, start, end)
    moments = [m for m in scene.of(start, end, "epoch", "step", "selection") if is_moment(scene, m)]
    if not moments or _BEFORE.search(scene.text[start : moments[0].start]):
        return
    bound = bind(scene, clause, *subject)
    named = scene.values(clause.sentence[0], clause.start, "group")
    # `run4, seed 42: the best value is reached at step 800`
    groups = list(scene.values(*subject, "group") or (named if len(named) == 1 else ()))
    cost = 0.0
    if not groups and scene.around.subject and not clause.first:
        groups, cost = [scene.around.subject.group], 0.1
    if not groups and len(scene.around.groups) == 1:
        groups, cost = list(scene.around.groups), 0.1
    group, against = _with_other(groups, bound)
    amounts = _behind(scene, moments[-1].end, end)
    kinds = {m.slot for m in moments}
    kept = [m for m in moments if m.slot == "epoch" or "epoch" not in kinds]
    for moment in kept[:MOST]:
        meaning = at(replace(bound.meaning, group=group, against=against), moment)
        statement = Statement(
            predicate=said.predicate,
            subjects=(meaning,),
            amounts=amounts,
            every=True,
            over=axes_of(clause.text),
            vague=is_vague(clause.text),
            denied=said.denied,
            share=share_of(clause.text),
        )
        yield _draft(clause, statement, bound, cost)


def _until_next_metric(scene: Scene, start: int, end: int) -> int:
    """Return where something else begins to be told: `at epoch 4, its accuracy at epoch 7`."""
    moments = scene.of(start, end, "epoch", "step", "selection")
    for metric in scene.of(moments[0].end, end, "metric") if moments else ():
        parted = _NEXT.search(scene.text, moments[0].end, metric.start)
        if parted and metric.start < moments[-1].start:
            return metric.start
    return end


def _with_other(groups: list[str], bound: Bound) -> tuple[str, str]:
    """Return a group and, of a difference, the one that is subtracted."""
    if bound.meaning.aggregate == "difference" and len(groups) == 2:
        return groups[0], groups[1]
    return (groups[0] if len(groups) == 1 else ""), ""


def _behind(scene: Scene, start: int, end: int) -> tuple[Printed, ...]:
    """Return the number that stands in brackets right behind a moment."""
    for number in scene.numbers_in(start, end):
        if "(" in scene.text[start : number.start] and _SIGNED.match(
            scene.text[start : number.start]
        ):
            return (number,)
        break
    return ()


def of_group(
    scene: Scene, clause: Clause, said: Said, groups: list[Mention], *, ranked: bool = False
) -> Iterator[Draft]:
    """Yield what is said of the one group that some mentions name, if they do.

    Args:
        scene: The text.
        clause: What is read.
        said: The superlative.
        groups: The mentions.
        ranked: Whether it is surely said beside other groups, and of no moment of its own curve.
    """
    if len({m.value for m in groups}) != 1:
        return
    bound = bind(scene, clause, clause.start, clause.end)
    meaning = replace(bound.meaning, group=groups[0].value, epoch=None, step=None, selection="")
    if not (meaning.metric or scene.of(*clause.sentence, "generic") or said.predicate == "best"):
        bound = Bound(meaning=meaning, cost=bound.cost + 0.1)
    axes = axes_of(clause.text)
    reached = manner(scene, clause, said) == EITHER and not ranked
    for moment in rank_moments(scene, clause, said)[:MOST] or (None,):
        own = at(meaning, moment) if reached else meaning
        statement = Statement(
            predicate=said.predicate,
            subjects=(own,) if moment is None else (own, at(Meaning(), moment)),
            every=bool(axes),
            over=axes,
            vague=is_vague(clause.text),
            denied=said.denied,
        )
        yield _draft(clause, statement, bound)


def _draft(clause: Clause, statement: Statement, bound: Bound, extra: float = 0.0) -> Draft:
    return Draft(
        kind="superlative",
        start=clause.start,
        end=clause.end,
        statement=statement,
        confidence=confidence(bound, extra=extra),
    )
