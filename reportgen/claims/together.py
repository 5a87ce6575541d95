"""Finder of what is said of several runs at once: an extreme of all, a width, a relative change."""

from __future__ import annotations

import re
from dataclasses import replace

from reportgen.claims._binding import GUESSED
from reportgen.claims._claiming import claim_at
from reportgen.claims._context import Context, contexts
from reportgen.claims._gated import gated
from reportgen.claims._heads import Head, read_text
from reportgen.claims._passages import Passage, passages
from reportgen.claims._scene import MASK
from reportgen.claims._some_seeds import excluded, only, some
from reportgen.claims._speech import is_supposed
from reportgen.claims._vocabulary import GENERIC
from reportgen.claims._whole import known_labels
from reportgen.layouts._names import direction_of
from reportgen.records.claim import Claim, Meaning, Printed
from reportgen.records.manuscript import Manuscript

KIND = "aggregate_other"
EVERY_RUN, ONE_GROUP, VARIES = "every run", "one group", "varies"
RELATIVE, RATIO = "relative", "ratio"
"""What the hint `over` says of a number: whose runs it is of, or how it compares two groups."""
_SURE, _SPLIT_UNSAID = 0.9, 0.7
_EXTREMES = frozenset({"min", "max"})
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
_OF_ALL = (
    rf"(?:(?:of|over|across|among|in|by|that)\s(?:any|all|every)\s(?:[^\s\d.;:()]+\s){{0,4}}?{_RUNS}"
    rf"|(?:de|sur|parmi)\s(?:toutes\sles|tous\sles|l['’]ensemble\sdes)\s(?:[^\s\d.;:()]+\s){{0,2}}?{_RUNS})"
)
_EXTREME = gated(
    rf"\b(?:(?P<high>{_HIGH})|(?P<low>{_LOW})|(?P<best>{_BEST})|(?P<worst>{_WORST}))\b"
    rf"[^.;:!?\d]{{0,80}}?\b{_OF_ALL}\b{_IS}{_ABOUT}$",
    re.IGNORECASE,
)
_OF_BEST_RUN = gated(
    rf"\b(?P<best>le\smeilleur\srun|la\smeilleure\sexécution)\b[^.;:!?\d]{{0,60}}?"
    rf"\s(?:obtient|atteint|a|est\sà)\s{_ABOUT}$",
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
    rf"\b(?:best|highest|strongest)\s(?:{_RUNS}\s)?and\s(?:(?:the|its|their)\s)?(?:worst|lowest|weakest)\s{_RUNS}\b"
    rf"[^.;:!?\d]{{0,90}}?\b(?:differ|differs|is|are|lie|amounts)\s(?:by\s|to\s)?{_ABOUT}$"
    rf"|\bmeilleure?\s(?:{_RUNS}\s)?et\s(?:(?:la|le|sa|son)\s)?(?:pire|moins\sbonne?)\s{_RUNS}\b"
    rf"[^.;:!?\d]{{0,90}}?\b(?:est\sde|vaut|diffèrent\sde)\s{_ABOUT}$",
    re.IGNORECASE,
)
_RELATIVE_BEHIND = re.compile(
    r"\s?%?\s?(?:\w+\s)?(?:relative(?:ly)?\b|in\srelative\sterms\b|en\s(?:valeur\s|termes\s)?relati\w+)",
    re.IGNORECASE,
)
_RELATIVE_BEFORE = gated(
    r"\brelative\s(?:reduction|improvement|gain|decrease|increase|drop|difference)\s(?:\w+\s){0,6}?(?:of|is|was)\s$"
    r"|\b(?:réduction|amélioration|baisse|hausse|différence)\srelative\s(?:[^\s\d.;:]+\s){0,6}?(?:est\s)?de\s$",
    re.IGNORECASE,
)
_CHANGED = gated(
    rf"\b(?:by|of|is|was|de|est\sde)\s{_ABOUT}$",
    re.IGNORECASE,
)
_TIMES_BEHIND = re.compile(
    r"\s(?:times\s(?:that|those|the|as\s\w+\sas|higher|lower)|fois\s(?:celle|celui|plus))\b",
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
    return tuple(
        claim
        for passage in spoken
        for number in passage.numbers
        if not number.word and (claim := _claim(passage, number, known, around)) is not None
    )


def _claim(
    passage: Passage, number: Printed, known: tuple[str, ...], around: tuple[Context, ...]
) -> Claim | None:
    """Return the claim of a number, where the words about it say that it is of several runs."""
    start, end = passage.sentence(number.start)
    text, context = passage.plain.text, around[passage.index]
    if is_supposed(text[start:end]) or _picks(text, start, end):
        return None
    head = read_text(text[start:end], known)
    masked = _masked(text[start:end], head)
    place = number.start - start
    aggregate, over = _said(masked[:place], masked[number.end - start :], number)
    if not aggregate:
        return _unnamed(passage, number, head, context)
    # `The best mean over all seeds` is one of a group.
    summed = any(
        m.slot == "aggregate" and m.value not in _EXTREMES and m.end <= place for m in head.mentions
    )
    meaning = None if over == EVERY_RUN and summed else _meaning(head, context)
    if meaning is None or (over in {RELATIVE, RATIO} and _COURSE.search(masked)):
        return None
    words, lead = (" ".join(part.split()) for part in (text[start:end], text[start : number.start]))
    hints = {"where": context.where, "sentence": words, "over": over, "lead": lead}
    return claim_at(
        passage,
        number.start,
        number.end,
        kind=KIND,
        number=number,
        content=_ranked(_with_groups(meaning, head, place, over), aggregate),
        confidence=_SURE if meaning.split else _SPLIT_UNSAID,
        hints={name: value for name, value in hints.items() if value},
    )


def _unnamed(passage: Passage, number: Printed, head: Head, context: Context) -> Claim | None:
    """Return the claim of a mean, or of the best seed, of a metric that nothing names.

    `A reaches a mean of 71.3 % on the test set`: logs with one metric leave no choice of it.
    """
    start, end = passage.sentence(number.start)
    text = passage.plain.text
    lead, split, group = text[start : number.start], head.one("split"), head.one("group")
    said = head.one("aggregate") if _MEAN_OF.search(lead) else ""
    name = head.one("extreme") if _RANKED.search(lead) else said
    if not (name and split and group) or number.unit != "percent" or _OF.match(text, number.end):
        return None
    if context.metric or _speaks_of_metric(passage.plain.text, context):
        return None
    words = " ".join(text[start:end].split())
    return claim_at(
        passage,
        number.start,
        number.end,
        kind="aggregate_mean" if name == "mean" else KIND,
        number=number,
        content=Meaning(metric=GENERIC[0], split=split, group=group, aggregate=name),
        confidence=GUESSED,
        hints={"sentence": words} | ({"where": context.where} if context.where else {}),
    )


def _speaks_of_metric(text: str, context: Context) -> bool:
    heads = (read_text(text, ()), *(layer for layer, _ in context.layers()))
    return any(head.values("metric") or head.values("generic") for head in heads)


def _masked(words: str, head: Head) -> str:
    """Return a sentence with the names of groups masked: they may hold digits and full stops."""
    for mention in head.mentions:
        if mention.slot == "group":
            mask = MASK * (mention.end - mention.start)
            words = words[: mention.start] + mask + words[mention.end :]
    return words


def _with_groups(meaning: Meaning, head: Head, place: int, over: str) -> Meaning:
    """Return a meaning with the group named before a number, or the two that it compares."""
    if over in {RELATIVE, RATIO}:
        both = head.values("group")
        return replace(meaning, group=both[0], against=both[1]) if len(both) == 2 else meaning
    named = {m.value for m in head.mentions if m.slot == "group" and m.end <= place}
    return replace(meaning, group=named.pop()) if len(named) == 1 else meaning


def _picks(text: str, start: int, end: int) -> bool:
    """Say whether a sentence is of some of the runs only."""
    return bool(excluded(text, start, end) or some(text, start, end) or only(text, start, end))


def _said(lead: str, tail: str, number: Printed) -> tuple[str, str]:
    """Return as which statistic a number is given, and over what; nothing where it is none."""
    apart = number.unit in {"points", "percent"} or number.decimals > 0
    varies = _VARIES.search(lead) and not _GOES_ON.match(tail)
    if apart and (varies and _ACROSS.search(lead + tail)):
        return "width", VARIES
    if apart and _BEST_TO_WORST.search(lead):
        return "width", ONE_GROUP
    found = _EXTREME.search(lead) or _OF_BEST_RUN.search(lead)
    if found is not None:
        return str(found.lastgroup or ""), EVERY_RUN
    changed = _CHANGED.search(lead) is not None
    if number.unit == "percent":
        relative = changed and _RELATIVE_BEHIND.match(tail)
        return ("difference", RELATIVE) if relative or _RELATIVE_BEFORE.search(lead) else ("", "")
    times = changed and not number.unit and _TIMES_BEHIND.match(tail)
    return ("difference", RATIO) if times else ("", "")


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
