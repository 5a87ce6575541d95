"""Finder of what is said of several runs at once: an extreme of all, a width, a relative change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._binding import GUESSED
from reportgen.claims._claiming import claim_at
from reportgen.claims._compared import is_ratio, is_relative
from reportgen.claims._conditions import narrowing
from reportgen.claims._context import Context, contexts
from reportgen.claims._heads import Head, read_text
from reportgen.claims._ordered import within
from reportgen.claims._passages import Passage, passages
from reportgen.claims._quartiles import names_quartiles, quartile_of
from reportgen.claims._scene import MASK
from reportgen.claims._some_seeds import excluded, only, some
from reportgen.claims._speech import is_supposed
from reportgen.claims._vocabulary import GENERIC
from reportgen.claims._whole import known_labels
from reportgen.records.claim import Claim, Meaning, Printed
from reportgen.records.manuscript import Manuscript
from reportgen.runs import direction_of

KIND = "aggregate_other"
EVERY_RUN, ONE_GROUP, VARIES = "every run", "one group", "varies"
RELATIVE, RATIO = "relative", "ratio"
"""What the hint `over` says of a number: whose runs it is of, or how it compares two groups."""
_SURE, _SPLIT_UNSAID = 0.9, 0.7
_EXTREMES = frozenset({"min", "max"})
_OF_RUNS = frozenset({"mean", "median", *_EXTREMES})
_SPOKEN = frozenset({"paragraph", "item", "caption"})
_ABOUT = r"(?:(?:only|merely|just|about|around|roughly|some|seulement|environ)\s)?"
_RUNS = r"(?:runs?|seeds?|graines?|ex[ée]cutions?)"
_HIGH = (
    r"(?:highest|maximum|maximal|largest|top|(?:la|le|les)?\s?plus\s(?:élevée?|haute?|grande?)"
    r"|maximale?)"
)
_LOW = (
    r"(?:lowest|smallest|minimum|minimal|(?:la|le|les)?\s?plus\s(?:basse?|bas|faible|petite?)"
    r"|minimale?)"
)
_BEST, _WORST = r"(?:best|meilleure?)", r"(?:worst|pire|moins\sbonne?)"
_IS = (
    r"(?:\s(?:on|in|of|sur|en|de)\s[^\s\d.;:]{1,16}(?:\s[^\s\d.;:]{1,16})?)?"
    r"(?:\s(?:ever\s)?(?:reaches|achieves|attains|obtains|has|atteint|obtient))?"
    r"(?:\s?:\s?|\s(?:is|was|reaches|reached|achieves|est\sde|était\sde|vaut|est)\s)"
)
"""What stands between the runs of which something is an extreme and its value."""
_TOGETHER = rf"(?:toutes|tous)\s(?:(?:les|nos|ses)\s)?{_RUNS}\sconfondu\w{{0,2}}"
_OF_ALL = (
    rf"(?:(?:of|over|across|among|in|by|that)\s(?:any|all|every)\s(?:[^\s\d.;:()]+\s){{0,4}}?{_RUNS}"
    rf"|(?:de|sur|parmi)\s(?:toutes\sles|tous\sles|l['’]ensemble\sdes)\s(?:[^\s\d.;:()]+\s){{0,2}}?{_RUNS}|{_TOGETHER}),?"
)
_EXTREME = gated(
    rf"\b(?:(?P<high>{_HIGH})|(?P<low>{_LOW})|(?P<best>{_BEST})|(?P<worst>{_WORST}))\b"
    rf"[^.;:!?\d]{{0,80}}?\b{_OF_ALL}{_IS}{_ABOUT}$",
    re.IGNORECASE,
)
_OF_A_KIND = (
    r"(?:models?|config\w*|systems?|methods?|settings?|architectures?|variants?|epochs?|checkpoints?|steps?|learners?"
    r"|groups?|networks?|agents?|ensembles?|members?|classifiers?|baselines?|hyper\S+)"
)
_SINGLE_BEST = gated(
    rf"\b(?P<best>single\sbest(?!\s(?:\S+\s)?(?:{_RUNS}|{_OF_A_KIND})\b)|best\ssingle[\s-]{_RUNS})\b[^.;:!?\d]{{0,80}}?{_IS}{_ABOUT}$",
    re.IGNORECASE,
)
_OF_ALL_FIRST = gated(
    rf"\b(?:(?:(?:across|among|over|of)\s(?:all|the)|parmi\s(?:toutes\s)?les|de\stoutes\sles)\s(?:[^\s\d.;:(),]+\s){{0,2}}?"
    rf"{_RUNS}|{_TOGETHER}),\s(?:the|la|le|l['’])\s?(?:\w+\s)?"
    rf"(?:(?P<high>{_HIGH})|(?P<low>{_LOW})|(?P<best>{_BEST})|(?P<worst>{_WORST}))"
    rf"(?:\s[^\s\d.;:(),]+){{0,6}}?\s(?:is|was|reaches|achieves|est\sde|atteint|obtient)\s{_ABOUT}$",
    re.IGNORECASE,
)
_OF_BEST_RUN = gated(
    rf"\b(?P<best>le\smeilleur\srun|la\smeilleure\sexécution)\b[^.;:!?\d]{{0,60}}?"
    rf"\s(?:obtient|atteint|a|est\sà)\s{_ABOUT}$",
    re.IGNORECASE,
)
_NEAR = 24
_LEADS = gated(
    r"(?:\b(?:is|was|are|lie|factor|facteur|differs?|differed|amounts|by|to|over|of|reaches|reached|achieves|attains|obtains|gets|has"
    r"|ends\sat|finishes\sat|est|était|vaut|de|d['’]|à|a|atteint|obtient|diffèrent)\s?|[:(]\s?)"
    rf"{_ABOUT}$",
    re.IGNORECASE,
)
"""What stands right before every number that is read here."""
_OF_RANKED_RUN = gated(
    rf"\b(?:(?P<best>best|strongest|meilleure?)|(?P<worst>worst|weakest|pire))\s(?:[^\s\d.;:(),]+\s){{1,2}}?{_RUNS}\s"
    rf"(?:(?:still|only|even|encore)\s)?(?:reaches|achieves|attains|obtains|gets|has|ends\sat|finishes\sat|atteint|obtient)\s"
    rf"(?:an?\s(?:[^\s\d.;:(),]+\s){{1,4}}?of\s|une\s(?:[^\s\d.;:(),]+\s){{1,5}}?de\s)?{_ABOUT}$",
    re.IGNORECASE,
)
_VARIES = gated(
    rf"\b(?:var(?:y|ies|ied)|differs?|differed|fluctuates?d?|spreads?)\s(?:only\s|merely\s)?(?:by|over)\s{_ABOUT}$"
    rf"|\b(?:varie|varient|diffère|diffèrent|fluctuent?)\s(?:seulement\s)?(?:de|d['’])\s?{_ABOUT}$",
    re.IGNORECASE,
)
_ACROSS = gated(
    rf"\b(?:across|between|over|among)\s(?:[^\s\d.;:()]+\s){{0,3}}?(?:seeds|runs)\b|\bseed\sto\sseed\b"
    rf"|\bentre\s(?:[^\s\d.;:()]+\s){{1,3}}?{_RUNS}|\b(?:selon|suivant)\s(?:la|les)\s{_RUNS}"
    rf"|\bd['’]une\s{_RUNS}\sà\sl['’]autre\b",
    re.IGNORECASE,
)
_BEST_TO_WORST = gated(
    rf"\b(?:best|highest|strongest)\s(?:{_RUNS}\s)?and\s(?:(?:the|its|their)\s)?(?:worst|lowest|weakest)\s(?:\S+\s)?{_RUNS}\b"
    rf"[^.;:!?\d]{{0,90}}?\b(?:differ|differs|is|are|lie|amounts)\s(?:by\s|to\s)?{_ABOUT}$"
    rf"|\bmeilleure?\s(?:{_RUNS}\s)?et\s(?:(?:la|le|sa|son)\s)?(?:pire|moins\sbonne?)\s{_RUNS}\b"
    rf"[^.;:!?\d]{{0,90}}?\b(?:est\sde|vaut|diffèrent\sde)\s{_ABOUT}$",
    re.IGNORECASE,
)
_MEAN_OF = gated(
    rf"\b(?:mean|average|median|moyenne|médiane)\s(?:(?:of|is|est\sde|de|est)\s){_ABOUT}$"
    rf"|\b(?:médiane|median|mean|average|moyenne)\s(?:over|across|sur)\s[^.;:()]{{1,40}}\s(?:is|est\sde)\s{_ABOUT}$",
    re.IGNORECASE,
)
_RANKED = gated(rf"\b(?:reaches|gets|obtains|achieves|atteint|obtient)\s{_ABOUT}$", re.IGNORECASE)
_OF = re.compile(r"[\s%\\]*(?:of|de|du|des|d['’])\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\s?%?\s?(?:to|à|and|et|-|–)\s?\d")
_COURSE = gated(r"\b(?:step|epoch|pas|époque)s?\b|\b(?:before|after|avant|après)\b", re.IGNORECASE)


def find(manuscript: Manuscript) -> tuple[Claim, ...]:
    """Return the numbers that are of several runs at once, in reading order.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "The highest test accuracy of all runs is 74.6 %."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> (claim,) = find(Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,)))
        >>> claim.content.aggregate, claim.printed.text, claim.hints["over"]
        ('max', '74.6', 'every run')
    """
    spoken = [p for p in passages(manuscript) if p.block.type in _SPOKEN and p.numbers]
    if not spoken:
        return ()
    known = known_labels(manuscript)
    around = contexts(manuscript, known)
    found: list[Claim] = []
    for passage in spoken:
        quartiles = names_quartiles(passage.plain.text)
        numbers = [
            n for n in passage.numbers if not n.word and (quartiles or _may_speak(passage, n))
        ]
        if numbers:
            head = read_text(passage.plain.text, known)
            masked = _masked(passage.plain.text, head)
            words = (_words_of(passage, n, masked, head, around[passage.index]) for n in numbers)
            found += (claim for one in words if (claim := _claim(one)) is not None)
    return tuple(found)


def _may_speak(passage: Passage, number: Printed) -> bool:
    """Say whether the word right before a number is one of those; before most numbers none is."""
    return bool(_LEADS.search(passage.plain.text, max(0, number.start - _NEAR), number.start))


@dataclass(frozen=True, slots=True)
class _Words:
    """A number with its sentence.

    Attributes:
        passage: Where it stands.
        number: The number.
        text: Text of the passage with the names of groups masked: they may hold digits.
        start: Where the sentence begins.
        end: The position behind it.
        head: What is understood of the sentence, at its places in the text.
        context: What counts for the passage.
    """

    passage: Passage
    number: Printed
    text: str
    start: int
    end: int
    head: Head
    context: Context

    @property
    def lead(self) -> tuple[str, int, int]:
        """The text, and where the words before the number begin and end."""
        return self.text, self.start, self.number.start

    def printed(self, start: int, end: int) -> str:
        """Return a part of the text as it is printed, its blanks closed up."""
        return " ".join(self.passage.plain.text[start:end].split())


def _words_of(
    passage: Passage, number: Printed, masked: str, head: Head, context: Context
) -> _Words:
    start, end = passage.sentence(number.start)
    mentions = tuple(within(head.mentions, start, end))
    return _Words(passage, number, masked, start, end, replace(head, mentions=mentions), context)


def _masked(words: str, head: Head) -> str:
    for mention in head.mentions:
        if mention.slot == "group":
            mask = MASK * (mention.end - mention.start)
            words = words[: mention.start] + mask + words[mention.end :]
    return words


def _claim(words: _Words) -> Claim | None:
    """Return the claim of a number, where the words about it say that it is of several runs."""
    number, head = words.number, words.head
    aggregate, over = _said(words)
    if not aggregate:
        return _unnamed(words)
    narrowed = over == EVERY_RUN and narrowing(words.text, words.start, words.end)
    if _is_open(words) or narrowed:
        return None
    # `The best mean over all seeds` is one of a group.
    summed = any(
        m.slot == "aggregate" and m.value not in _EXTREMES and m.end <= number.start
        for m in head.mentions
    )
    meaning = None if over == EVERY_RUN and summed else _meaning(head, words.context)
    compared = over in {RELATIVE, RATIO}
    if meaning is None or (compared and _COURSE.search(words.text, words.start, words.end)):
        return None
    hints = {"over": over, "lead": words.printed(words.start, number.start)}
    return _at(
        words,
        KIND,
        _ranked(_with_groups(meaning, head, number.start, over), aggregate),
        _SURE if meaning.split else _SPLIT_UNSAID,
        hints,
    )


def _at(words: _Words, kind: str, meaning: Meaning, sure: float, more: Mapping[str, str]) -> Claim:
    """Return a claim at the place of a number."""
    sentence = words.printed(words.start, words.end)
    hints = {"where": words.context.where, "sentence": sentence, **more}
    return claim_at(
        words.passage,
        words.number.start,
        words.number.end,
        kind=kind,
        number=words.number,
        content=meaning,
        confidence=sure,
        hints={name: value for name, value in hints.items() if value},
    )


def _unnamed(words: _Words) -> Claim | None:
    """Return the claim of a mean, or of the best seed, of a metric that nothing names.

    `A reaches a mean of 71.3 % on the test set`: logs with one metric leave no choice of it.
    """
    head, number = words.head, words.number
    split, group = head.one("split"), head.one("group")
    reached = _RANKED.search(*words.lead)
    said = head.one("aggregate") if reached or _MEAN_OF.search(*words.lead) else ""
    name = (head.one("extreme") if reached else "") or said
    if name not in _OF_RUNS or not (split and group) or number.unit != "percent":
        return None
    if _OF.match(words.text, number.end) or words.context.metric or _names_metric(words):
        return None
    if _is_open(words):
        return None
    meaning = Meaning(metric=GENERIC[0], split=split, group=group, aggregate=name)
    return _at(words, "aggregate_mean" if name == "mean" else KIND, meaning, GUESSED, {})


def _names_metric(words: _Words) -> bool:
    """Say whether the passage, or what leads in to it, names a metric."""
    heads = (read_text(words.passage.plain.text), *(head for head, _ in words.context.layers()))
    return any(head.values("metric") or head.values("generic") for head in heads)


def _with_groups(meaning: Meaning, head: Head, place: int, over: str) -> Meaning:
    """Return a meaning with the group named before a number, or the two that it compares."""
    if over in {RELATIVE, RATIO}:
        both = head.values("group")
        return replace(meaning, group=both[0], against=both[1]) if len(both) == 2 else meaning
    named = {m.value for m in head.mentions if m.slot == "group" and m.end <= place}
    return replace(meaning, group=named.pop()) if len(named) == 1 else meaning


def _is_open(words: _Words) -> bool:
    """Say whether a sentence is of what would be, or of some of the runs only."""
    text = words.printed(words.start, words.end)
    picks = (pick(text, 0, len(text)) for pick in (excluded, some, only))
    return any(picks) or is_supposed(text)


def _said(words: _Words) -> tuple[str, str]:
    """Return as which statistic a number is given, and over what; nothing where it is none."""
    number, text = words.number, words.text
    quartile = quartile_of(text, words.start, words.end, number)
    if quartile:
        return quartile, ONE_GROUP
    apart = number.unit in {"points", "percent"} or number.decimals > 0
    varies = apart and _VARIES.search(*words.lead) and not _GOES_ON.match(text, number.end)
    if varies and _ACROSS.search(text, words.start, words.end):
        return "width", VARIES
    if apart and _BEST_TO_WORST.search(*words.lead):
        return "width", ONE_GROUP
    for pattern in (_EXTREME, _SINGLE_BEST, _OF_ALL_FIRST, _OF_BEST_RUN):
        found = pattern.search(*words.lead)
        if found is not None:
            return str(found.lastgroup or ""), EVERY_RUN
    ranked = _OF_RANKED_RUN.search(*words.lead)
    if ranked is not None:
        return str(ranked.lastgroup or ""), ONE_GROUP
    if number.unit == "percent":
        return ("difference", RELATIVE) if is_relative(number, *words.lead) else ("", "")
    ratio = not number.unit and is_ratio(number, words.head, text, words.start, words.end)
    return ("difference", RATIO) if ratio else ("", "")


def _meaning(head: Head, context: Context) -> Meaning | None:
    """Return metric, split and moment that a sentence names; None where it names several."""
    slots = {}
    for slot in ("metric", "split", "epoch", "step"):
        values = head.values(slot)
        if len(values) > 1:
            return None
        slots[slot] = "".join(values)
    if len(head.values("seed")) > 1:
        return None
    for layer, _ in context.layers():
        slots["metric"] = slots["metric"] or layer.one("metric")
        slots["split"] = slots["split"] or layer.one("split")
    if not slots["metric"]:
        return None
    return Meaning(
        metric=slots["metric"],
        split=slots["split"],
        epoch=float(slots["epoch"]) if slots["epoch"] else None,
        step=int(float(slots["step"])) if slots["step"] and not slots["epoch"] else None,
        selection="last" if "last" in head.values("selection") else "",
    )


def _ranked(meaning: Meaning, aggregate: str) -> Meaning:
    """Return a meaning with the statistic that a rank is of its metric."""
    names = {"high": "max", "low": "min", "best": "max", "worst": "min"}
    name = names.get(aggregate, aggregate)
    if aggregate in {"best", "worst"} and direction_of(meaning.metric) == "lower":
        name = "min" if name == "max" else "max"
    return replace(meaning, aggregate=name)
