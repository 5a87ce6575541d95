"""Sentences about the course of values: rises, falls, converges, overfits after epoch 3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._axes import axes_of, is_general, is_vague, lasts_to_the_end, share_of
from reportgen.claims._bind import Bound, Draft, Part, bind, confidence
from reportgen.claims._clauses import Clause
from reportgen.claims._conditions import condition, narrowing
from reportgen.claims._gained import change_of, is_of_several, is_one_change, own_subject
from reportgen.claims._scene import Around, Scene
from reportgen.claims._some_seeds import excluded, some
from reportgen.claims._times import Times, at
from reportgen.claims._turns import times_of
from reportgen.records.claim import Meaning, Printed, Statement

_OBJECT = re.compile(
    r"^\s(?:the|its|our|their|overall|model|generali[sz]ation|la|le|les|l'|sa|son|ses|leur|a(?!\slot|\sbit|\slittle)|an|number)\b(?!\s(?:first|last|second"
    r"|end|same\stime|course))",
    re.IGNORECASE,
)
_EACH_RUN = gated(
    r"\b(?:every|each|all|chaque|toutes\sles)\s(?:[^\s\d.;:,()]+\s){0,3}?(?:runs?|seeds?|exécutions?|graines?)\s$",
    re.IGNORECASE,
)
_ITS = re.compile(r"\s(?:its|their|sa|son|leur)\s", re.IGNORECASE)
"""`every seed improves its loss after epoch 2`: what improves is the loss of each."""
_OTHER_TOPIC = gated(
    r"\b(?:learning\srates?|lr|batch(?:es)?|parameters?|paramètres?|memory|mémoire|time|temps|cost|ranks?|rang"
    r"|dropout|vocabulary|tokens?|size|taille|complexity|speed|vitesse|number\sof|nombre|dimensions?|examples?"
    r"|samples?|gradients?|weights?|layers?|heads?|efficiency|models?\ssize|warm-?up)\b",
    re.IGNORECASE,
)
_CURVES = gated(
    r"\b(?:curves?|courbes?|performances?|results?|résultats?|values?|valeurs?|both|runs?|seeds?|graines?|training|entraînement)\b",
    re.IGNORECASE,
)
_PRONOUN = gated(
    r"\b(?:it|it's|they|which|who|il|elle|ils|elles|qui|both|each|all|model|modèle)\b",
    re.IGNORECASE,
)
_ALL = gated(r"\b(?:both|all|each|every|toutes|tous|chaque|les\sdeux)\b", re.IGNORECASE)
_ALL_GROUPS = gated(
    r"\b(?:both|all|each|every|toutes?|tous|chaque|les\sdeux|the\stwo)\s(?:\w+\s){0,2}"
    r"(?:models?|methods?|systems?|groups?|networks?|approaches|variants?|agents?|modèles?|systèmes?"
    r"|réseaux|groupes?|méthodes?)\b|\b(?:both|they|them)\b(?!\s(?:seeds|runs|splits|losses|sets))",
    re.IGNORECASE,
)
_VAGUE = frozenset({"converges", "plateaus", "varies"})
_MODEL = gated(
    r"\b(?:the|our|this|le|notre|ce)\s(?:model|modèle|network|réseau|classifier)\s?(?:\w+\s){0,3}$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"^\s?(?:$|[,.;)]|(?:from|to|by|after|over|during|with|at|until|in|on|steadily|slightly|again|throughout"
    r"|between|for|across|before|as|further|only|sharply|slowly|quickly|rapidly)\b)",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|keeps?|kept|starts?|started|stops?|begins?|began|continues?|it's|isn't|aren't|not"
    r"|wasn't|still|seen|see)\s(?:\w+\s){0,2}$|,\s?$",
    re.IGNORECASE,
)
_ENDS = gated(
    r"\bat\sthe\s(?:end|start)\sthan\sat\sthe\s(?:start|end|beginning)\b|\bà\sla\sfin\squ'au\sdébut\b",
    re.IGNORECASE,
)
_ADJECTIVES = frozenset({"narrower", "wider"})
_BETWEEN_SEEDS = gated(
    r"\b(?:between|among|entre|across)\s(?:the\s|les\s|all\s)?(?:\w+\s)?(?:seeds|graines|runs)\b",
    re.IGNORECASE,
)
_NOUN = gated(
    r"increase|rise|decrease|fall|drop|decline|climb|plateau|fluctuations?", re.IGNORECASE
)
_MANY = re.compile(
    r"(?:[^\W\d_]s|both|they|we|not|n't|to|and|or|will|all|do|does|did|also|then|never|[^\W\d_]ly|it|Ǥ)[\s,]{1,2}$",
    re.IGNORECASE,
)
_IS = re.compile(r"^\s(?:\w+\s){0,3}?(?:is|are|was|est)\b", re.IGNORECASE)
_SINGLE = frozenset({"overfits", "converges", "plateaus", "varies", "improves", "worsens"})
_COMPARED = gated(
    r"\b(?:compared|relative|instead\sof|rather\sthan|in\splace\sof|au\slieu|when\s(?:[^\s,;.]+\s){1,4}(?:is|are|was|were)\s(?:used|replaced|exchanged|swapped|substituted)|par\srapport|with\srespect|en\sfonction|depending|as\s(?:the\s|we\s)?"
    r"(?!training|epochs?|time|steps?|model|it|they|well|expected|soon|shown|seen|can|desired|in\b"
    r"|tab(?:le)?\b|fig(?:ure)?\b|section\b|plots?\b|curves?\b)\w+\s\w+)\b",
    re.IGNORECASE,
)
_BACK = frozenset({"falls", "worsens", "rises", "improves"})
_PEAK = gated(
    r"\b(?:peaks?|peaked|bottoms?\sout|best|maximum|minimum|culmine|pic|meilleure?|reaches|reached|atteint)\b"
    r"(?:[^.;]|\.\d){0,80}\b(?:and|then|before|but|et|puis|avant|mais)\s(?:[^\s.;]+\s){0,3}?$",
    re.IGNORECASE,
)
"""`peaks at 67.1 and drops to 66.9`: from its best on, and not over the whole training."""
_LAST = gated(
    r"\b(?:at|with|using|taking|keeping|when|if|au|à|avec|en|si|of|by|du|de)\s(?:[^\s\d.,;:]+\s){0,2}?"
    r"(?:(?:very\s)?last|final|dernier|dernière)\s(?:step|epoch|checkpoint|evaluation|pas|époque|point)\b"
    r"|\b(?:pas|époque|point)\s(?:finale?|derni(?:er|ère))\b"
    r"|\((?:last|final|dernier|dernière)\s(?:step|epoch|checkpoint|pas|époque)\)",
    re.IGNORECASE,
)
"""`At the last step it falls to 0.431`: from its best step, for all that the words say."""
_SINCE = gated(
    r"\b(?:until|first|premi[eè]re?|beginning|start|starting|début|steps?\s\d|epochs?\s\d|époques?\s\d|pas\s\d"
    r"|initial(?:ly|e|ement)?|jusqu'(?:au|à))\b",
    re.IGNORECASE,
)
_BY = re.compile(r"\s(?:again\s|only\s|encore\s)?(?:by|de|d'environ)\s", re.IGNORECASE)
_OTHER_MEASURE = re.compile(
    r"[\s%]*(?:relative|in\srelative|en\srelati|times|fois|orders?|std|sigma|per\b|par\b)",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(
    r"^\W*(?:seed|graine|run)\s(?P<seed>\d{1,6})\s(?:does|did)\snot\s(?:at|in)\b", re.IGNORECASE
)


def trend(scene: Scene, part: Part) -> Iterator[Draft]:
    """Yield what a clause says of the course of values."""
    if part.said.predicate == "moves":
        part = own_subject(scene, part)
    clause, said, end = part.clause, part.said, part.end
    lead = scene.text[clause.start : said.start]
    if is_general(lead) or not _is_course(scene, part):
        return
    if _depends(scene, clause, part):
        return
    bound = _bare(bind(scene, clause, *part.subject), scene, lead)
    if not bound.meaning.aggregate and _BETWEEN_SEEDS.search(scene.text[said.end : end]):
        bound = Bound(meaning=replace(bound.meaning, aggregate="std"), cost=bound.cost + 0.05)
    amounts = _amounts(scene, part)
    if len(amounts) == 2 and is_of_several(scene, part, amounts):
        return
    if amounts and not _is_of_values(scene, part, bound.meaning):
        return
    when = times_of(scene, part, amounts)
    if said.predicate == "moves" and not is_one_change(scene, part, amounts, when):
        return
    yield from _drafts(scene, part, bound, amounts, when)


def _drafts(
    scene: Scene, part: Part, bound: Bound, amounts: tuple[Printed, ...], when: Times
) -> Iterator[Draft]:
    """Yield a statement for each group and each moment that a course is said of."""
    clause, said = part.clause, part.said
    for subjects, cost in _subjects(scene, part, bound.meaning):
        for moment in when.moments:
            statement = Statement(
                predicate=said.predicate,
                subjects=tuple(at(subject, moment) for subject in subjects),
                amounts=amounts,
                every=bool(axes_of(clause.text)),
                over=axes_of(clause.text) + (("end",) if lasts_to_the_end(clause.text) else ()),
                vague=is_vague(clause.text) or said.predicate in _VAGUE,
                denied=said.denied,
                share=share_of(clause.text),
                window=when.window,
                clock=when.clock,
            )
            yield Draft(
                kind="trend",
                start=clause.start,
                end=clause.end,
                statement=statement,
                confidence=confidence(bound, extra=cost + when.cost),
            )


def _is_of_values(scene: Scene, part: Part, meaning: Meaning) -> bool:
    """Say whether the ends of a change are values of the metric, though nothing may name it.

    `The gradient norm of A rises from 1.8 to 2.5` is of no metric, and of medians and extremes
    no course is made.
    """
    summed = scene.values(part.clause.start, part.said.start, "aggregate")
    if {"min", "max", "median"} & {meaning.aggregate, *summed}:
        return False
    if meaning.metric:
        return True
    if scene.of(*part.clause.sentence, "generic") or _PRONOUN.search(part.clause.text):
        return True
    words = _CURVES.finditer(scene.text, part.clause.start, part.said.start)
    return any(word[0].lower() not in {"training", "entraînement"} for word in words)


def _amounts(scene: Scene, part: Part) -> tuple[Printed, ...]:
    """Return both ends of a change, or by how much it is; of who gains, by how much alone."""
    if part.said.predicate == "moves" and part.said.family == "order":
        return change_of(scene, part)
    return _from_to(scene, part.said.end, part.end) or _by(scene, part.said.end, part.end)


def _depends(scene: Scene, clause: Clause, part: Part) -> bool:
    """Say whether values are said to change with something else than the time of training."""
    if _COMPARED.search(scene.text, part.said.end, clause.end):
        return True
    if part.said.predicate in _BACK and _PEAK.search(scene.text, clause.start, part.said.start):
        return True
    whole = clause.sentence
    if _LAST.search(scene.text, *whole) and not _SINCE.search(scene.text, *whole):
        return True
    if narrowing(scene.text, clause.start, clause.end) or some(scene.text, *whole):
        return True
    if excluded(scene.text, *whole) is not None:
        return True  # `without seed 3 the mean falls`: that is no course either.
    return bool(condition(scene.text, (clause.sentence[0], clause.end), scene.mentions))


def _bare(bound: Bound, scene: Scene, lead: str) -> Bound:
    """Return a binding without its moment; what a pronoun stands for is known well enough."""
    meaning = replace(bound.meaning, epoch=None, step=None, selection="")
    carried = scene.around.subject is not None and not meaning.metric and _PRONOUN.search(lead)
    return Bound(meaning=meaning, cost=0.05 if carried else bound.cost)


def _is_course(scene: Scene, part: Part) -> bool:
    """Say whether a word for change is said of values of a metric, and is the clause's verb."""
    clause, said, end = part.clause, part.said, part.end
    lead, behind = scene.text[clause.start : said.start], scene.text[said.end : end]
    word = scene.text[said.start : said.end].lower()
    if word in _ADJECTIVES:
        return bool(_ENDS.search(behind))
    if word.endswith("ing") and said.predicate != "varies" and not _AUXILIARY.search(lead):
        return False
    if word.endswith("ed") and not (_AUXILIARY.search(lead) or _GOES_ON.match(behind)):
        return False
    if _NOUN.fullmatch(word) and not _MANY.search(lead):
        return False  # `a small drop`, `the accuracy drop`
    if word == "convergence":
        return bool(_BETWEEN_SEEDS.search(behind)) and bool(_IS.match(behind))
    if _OBJECT.match(behind) and not (_EACH_RUN.search(lead) and _ITS.match(behind)):
        return False
    topics = scene.of(*part.subject, "metric", "generic", "aggregate")
    other = list(_OTHER_TOPIC.finditer(lead))
    if other and not any(clause.start + other[-1].end() <= m.start for m in topics):
        return False
    if said.predicate == "moves":
        return bool(topics or scene.of(said.end, end, "metric"))
    if topics or _CURVES.search(scene.text[slice(*part.subject)]):
        return True
    groups = scene.of(*part.subject, "group") or _MODEL.search(lead)
    pronoun = scene.around.subject is not None and _PRONOUN.search(lead)
    return bool(pronoun) or (bool(groups) and said.predicate in _SINGLE)


def _subjects(
    scene: Scene, part: Part, meaning: Meaning
) -> Iterator[tuple[tuple[Meaning, ...], float]]:
    """Yield what a course is said of, one statement each, with what guessing costs."""
    clause = part.clause
    groups = list(scene.values(*part.subject, "group"))
    groups = groups or list(scene.values(clause.start, clause.end, "group"))
    cost = 0.0
    if not groups and scene.around.subject is not None and not _ALL.search(clause.text):
        pronoun = _PRONOUN.search(scene.text[part.subject[0] : part.subject[1] + 1])
        if pronoun or not clause.first:
            groups, cost = [scene.around.subject.group], 0.05
            meaning = _carried(meaning, scene.around.subject)
    if not groups and len(scene.around.groups) == 1 and not _ALL_GROUPS.search(clause.text):
        groups, cost = list(scene.around.groups), 0.05
    if meaning.aggregate == "difference" and len(groups) == 2:
        yield (replace(meaning, group=groups[0], against=groups[1]),), cost
        return
    if meaning.aggregate == "difference" and scene.around.subject is not None and len(groups) < 2:
        before = scene.around.subject
        if before.aggregate == "difference":
            yield (replace(before, epoch=None, step=None, selection=""),), cost
            return
    seeds = [int(float(v)) for v in scene.values(clause.start, clause.end, "seed")]
    for group in groups[:3] or [""]:
        own = replace(meaning, group=group)
        yield tuple(replace(own, seed=seed) for seed in seeds) or (own,), cost


def _carried(meaning: Meaning, before: Meaning) -> Meaning:
    """Return a meaning whose metric and aggregate are those of what `it` stands for."""
    same = not meaning.metric or meaning.metric == before.metric
    return replace(
        meaning,
        metric=meaning.metric or before.metric,
        split=meaning.split or before.split,
        aggregate=meaning.aggregate or (before.aggregate if same else ""),
        against=before.against if same else "",
    )


def _from_to(scene: Scene, start: int, end: int) -> tuple[Printed, ...]:
    """Return the two values of `from 4.25 points at epoch 1 to 0.58 at epoch 5`."""
    # `In the last thousand steps` is no value, and what is written in words is none either.
    numbers = [n for n in scene.numbers_in(start, end) if n.unit or not n.word]
    if len(numbers) != 2:
        return ()
    lead = scene.text[max(start, numbers[0].start - 24) : numbers[0].start]
    between = scene.text[numbers[0].end : numbers[1].start]
    opens = re.search(
        r"\b(?:from|de|d')\s(?:about\s|around\s|roughly\s|environ\s)?$", lead, re.IGNORECASE
    )
    goes_on = re.search(
        r"\b(?:to|à|jusqu'à)\s(?:about\s|around\s|roughly\s|environ\s"
        r"|(?:an?|its|the|une?|son|sa)\s(?:[^\s\d]+\s){1,2}(?:of|de)\s)?$",
        between,
        re.IGNORECASE,
    )
    return (numbers[0], numbers[1]) if opens and goes_on else ()


def _by(scene: Scene, start: int, end: int) -> tuple[Printed, ...]:
    """Return by how much something changes: `drops by 0.31`, `baisse de 0,31`."""
    numbers = scene.numbers_in(start, end)
    if not numbers or numbers[0].approximate or numbers[0].word:
        return ()
    lead, behind = scene.text[start : numbers[0].start], scene.text[numbers[0].end : end]
    told = _BY.fullmatch(lead) and not _OTHER_MEASURE.match(behind)
    return (numbers[0],) if told and len(numbers) == 1 else ()


def ellipsis(scene: Scene, clause: Clause, around: Around) -> Iterator[Draft]:
    """Yield what `seed 0 does not at epoch 4` denies of the statement before it."""
    match = _ELLIPSIS.match(clause.text)
    last = around.statement
    if match is None or last is None or around.subject is None:
        return
    for value in scene.values(clause.start, clause.end, "epoch")[:6]:
        meaning = replace(around.subject, seed=int(match["seed"]), epoch=float(value))
        statement = Statement(
            predicate=last.predicate, subjects=(meaning,), every=True, denied=True
        )
        yield Draft(
            kind="trend",
            start=clause.start,
            end=clause.end,
            statement=statement,
            confidence=0.85,
        )
