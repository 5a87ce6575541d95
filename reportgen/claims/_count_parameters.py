"""Numbers of parameters: stated, printed by a program, or the result of a calculation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.claims._claiming import claim_at
from reportgen.claims._count_scopes import PARTS_NAMED, exclusions, named, scope_words
from reportgen.claims._cues import DOUBTFUL, is_elsewhere, model_hints
from reportgen.claims._passages import Passage
from reportgen.claims._setting_numbers import calculates
from reportgen.records.claim import Claim, Counted, Printed

SHARE = "share of trainable parameters"
LEAST = 1000
"""Fewer parameters than this are no model's, and `2 parameters` are those of a function."""
_NOUN = r"(?:parameters?|params?\b|paramètres?|parametres?|weights\b|poids\b)"
_ADJECTIVE = (
    r"(?:trainable|learnable|total|additional|extra|more|new|frozen|model|unique|distinct|free"
    r"|non-trainable|fine-tuned|tunable|adapter|lora|different|overall|real|such|of|the|these|its"
    r"|our|all|base|added|des|de|les|ces|network|weight|in)"
)
_BEHIND = re.compile(
    rf"[\s.,]{{0,3}}(?:\(\d{{1,3}}\)\s?)?(?:{_ADJECTIVE}[\s-]{{1,2}}){{0,4}}{_NOUN}", re.IGNORECASE
)
_LINK = (
    r"(?:=|:|\bis|\bare|\bwas|\bwere|\bof|\bto|\bequals?|\breach(?:es)?|\btotals?|\bgives|\byields"
    r"|\bbeing|\best|\bsont|\bvaut|\bde|≈|~|\||\(|\bhas|\bhave|\bobtain|\bget|\bprints?|\bcount)"
)
_BEFORE = gated(
    rf"{_NOUN}(?P<between>[^.;=]{{0,60}}?){_LINK}[\s\"']{{0,3}}(?:about|around|approximately|exactly"
    rf"|roughly|environ|only|nearly|almost|a total of)?[\s\"'~]{{0,3}}$",
    re.IGNORECASE,
)
_SHARE_BEFORE = gated(r"trainable\s?%[\"']?\s?[:=]\s{0,3}$|\(\s?$", re.IGNORECASE)
_SHARE_BEHIND = re.compile(
    rf"\s?%?\s{{0,2}}(?:of|de|des|du)\s(?:the\s|its\s|all\s|les\s|our\s|total\s|model\W{{1,3}}s?\s?)"
    rf"{{0,3}}(?:{_ADJECTIVE}\s){{0,2}}(?:{_NOUN}|model\b|network\b|modèle\b)"
    rf"|\s?%?\s(?:of|de|des|sur)\s(?:the\s|all\s|les\s|ses\s|its\s)?[\d$]"
    rf"|\s?%?\s(?:are\s)?trainable|\s?%?\s(?:{_ADJECTIVE}\s){{0,2}}{_NOUN}",
    re.IGNORECASE,
)
_SHARE_SAID = gated(
    r"(?:\b(?:this|that|which|it)\s(?:is|makes|represents)|\b(?:so|or|only|i\.e\.,?|soit|donc|thus|hence)|=|≈"
    r"|\bc['’]est|\bce\squi\sfait)\s?(?:only\s|just\s|about\s|around\s|roughly\s|environ\s|seulement\s)?$",
    re.IGNORECASE,
)
_APART = gated(
    r"\b(?:differences?|gap|diff[ée]rences?|[ée]cart|differs?)\b[^.;,]{0,30}$", re.IGNORECASE
)
_APART_BEHIND = re.compile(
    rf"\s{{0,3}}(?:{_NOUN}\s)?(?:more|less|fewer|apart|too\s(?:many|few)|de\s(?:plus|moins))\b",
    re.IGNORECASE,
)
_OF_ALL = gated(r"\b(?:trainable|learnable|trained|train|updat|entraîn)", re.IGNORECASE)
_TOLD = gated(
    r"(?:\b(?:prints?|printed|gives?|gave|finds?|found|gets?|obtain|reports?|is|are|total|to|than|of|over"
    r"|with|affiche|trouve|trouvons|donne|obtient|obtenons|sur|est|total)\b|:)[\s\"'~]{0,3}$",
    re.IGNORECASE,
)
_TOLD_BEHIND = re.compile(
    r"\s{0,2}(?:$|[.,;:)]|(?:for|with|without|in|of\sthe|more|less|than|which|so|and|as|but|that|pour|dans|avec"
    r"|sans|dont|de\splus|contre)\b)",
    re.IGNORECASE,
)
_FEWEST_TOLD = 10_000
"""A number that only its surroundings make one of parameters."""
_RESULT = re.compile(r"=\s{0,3}$")
_NAMES_COUNT = gated(rf"{_NOUN}|n_params?|n_parameters|N_params?|#params?", re.IGNORECASE)
_CHAIN_ENDS = re.compile(
    rf"[.,;]?\s?(?:\(\d{{1,3}}\))?[.,;]?\s?(?:$|(?-i:[A-Z#])|(?:{_ADJECTIVE}\s)?{_NOUN})",
    re.IGNORECASE,
)
_TAG = re.compile(r"\(\d{1,3}\)\s{0,60}$")
_LEFT = re.compile(r"(?:^|[\d.)\]],?\s{1,60}|[,;:]\s{1,60})([A-Za-zα-ω#][^=+×*/^]{0,90})$")
_LEADS = re.compile(
    r"(?:\b(?:is|are|get|gets|yields?|gives?|have|becomes|obtain|count|est|donne|vaut|soit)\s?:?|:)\s{0,3}$",
    re.IGNORECASE,
)
_CLAUSES = gated(r"[.;:,]\s")
_FAR, _BACK = 90, 900
_BY_TOPIC = 0.45
"""How sure it is that a number counts parameters where only the text around speaks of them."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a finder of counts knows beside one passage.

    Attributes:
        passages: All of the report, in order.
        place: Index of this one among them.
        excluded: What the section says is in its counts and what is not.
    """

    passages: Sequence[Passage]
    place: int
    excluded: tuple[str, ...]

    @property
    def passage(self) -> Passage:
        """This one."""
        return self.passages[self.place]


def parameters_counted(around: Surroundings) -> Iterator[Claim]:
    """Yield a claim for every number of parameters, and every share of them, in a passage."""
    passage = around.passage
    text = passage.plain.text
    for number in passage.numbers:
        if number.unit == "percent" or _SHARE_BEFORE.search(
            text[max(0, number.start - 20) : number.start]
        ):
            if _is_share(text, number) or _is_share_of_counts(passage, number):
                yield _claim(around, number, SHARE, "")
            continue
        if number.unit or number.value < LEAST or number.value != number.value.to_integral_value():
            continue
        if calculates(text, number):
            continue
        subject = _subject(around, number)
        if subject is not None:
            yield _claim(around, number, "parameters", subject)
        elif _is_told(around, number):
            claim = _claim(around, number, "parameters", "")
            yield replace(claim, confidence=min(claim.confidence, _BY_TOPIC))


def _is_share(text: str, number: Printed) -> bool:
    """Say whether a percentage is that of the parameters that are trained."""
    near = text[max(0, number.start - _FAR) : number.end + _FAR]
    before = text[max(0, number.start - 20) : number.start]
    if re.search(r"trainable\s?%[\"']?\s?[:=]\s{0,3}$", before, re.IGNORECASE):
        return True
    if number.unit != "percent" or not _OF_ALL.search(near) or not Decimal(0) < number.value <= 100:
        return False
    bracket = before.rstrip().endswith("(") and _NAMES_COUNT.search(near[:_FAR])
    return bool(bracket or _SHARE_BEHIND.match(text, number.end))


def _is_share_of_counts(passage: Passage, number: Printed) -> bool:
    """Say whether a sentence that counts several numbers of parameters prints the share of one."""
    if number.unit != "percent":
        return False
    start, end = passage.sentence(number.start)
    text = passage.plain.text
    counts = [n for n in passage.numbers if start <= n.start < end and n.value >= LEAST]
    said = _SHARE_SAID.search(text[max(start, number.start - 40) : number.start])
    told = said or _SHARE_BEHIND.match(text, number.end)
    topic = passage.adapter or _OF_ALL.search(text[start:end])
    return bool(len(counts) > 1 and told and topic)


def _subject(around: Surroundings, number: Printed) -> str | None:
    """Return the words that a count of parameters is of; None where it is none.

    They stand behind the number, before it, or on the left side of the calculation whose
    result it is, which may have begun blocks before.
    """
    text = around.passage.plain.text
    behind = _BEHIND.match(text, number.end)
    if behind:
        start, _ = around.passage.sentence(number.start)
        return text[max(start, number.start - _FAR) : behind.end()]
    before = _BEFORE.search(text[max(0, number.start - 140) : number.start])
    if before:
        start, _ = around.passage.sentence(number.start)
        return text[max(start, number.start - 140) : number.start]
    return _left_side(around, number)


def _is_told(around: Surroundings, number: Printed) -> bool:
    """Say whether a passage that speaks of parameters prints a number without saying of what."""
    passage = around.passage
    text = passage.plain.text
    if passage.block.type not in {"paragraph", "item"} or number.value < _FEWEST_TOLD:
        return False
    if number.decimals < 0 or not _TOLD.search(text[max(0, number.start - 24) : number.start]):
        return False
    near = around.passages[max(0, around.place - 1) : around.place + 1]
    topics = [passage.heading, *(p.plain.text for p in near if p.section == passage.section)]
    behind = _TOLD_BEHIND.match(text, number.end)
    return bool(behind) and any(_NAMES_COUNT.search(topic) for topic in topics)


def _left_side(around: Surroundings, number: Printed) -> str | None:
    """Return the left side of the chain of equations whose last number this is."""
    passage = around.passage
    before = passage.plain.text[max(0, number.start - _BACK) : number.start]
    behind = " ".join(passage.plain.text[number.end : number.end + 120].split())
    if not _RESULT.search(before) or not _CHAIN_ENDS.match(behind):
        return None
    sides = before
    for earlier in reversed(around.passages[max(0, around.place - 3) : around.place]):
        if earlier.section != passage.section or earlier.block.type in {"heading", "table"}:
            break
        joined = sides.lstrip()[:1] == "=" or earlier.plain.text.rstrip().endswith(("=", ":"))
        if not joined and passage.block.type != "equation":
            break
        sides = f"{earlier.plain.text[-_BACK:]} {sides}"
    left = _last_left(sides)
    if left:
        return left
    lead = _lead(around) if passage.block.type == "equation" else ""
    if lead:
        return lead
    following = "" if behind.strip(" .,()0123456789") else _following(around)
    return following[:60] if _BEHIND.match(following) else None


def _lead(around: Surroundings) -> str:
    """Return the end of the sentence that leads to an equation, where it names a count."""
    if not around.place:
        return ""
    before = around.passages[around.place - 1].plain.text[-120:]
    clause = _CLAUSES.split(before.rstrip(": "))[-1]
    leads = _LEADS.search(before) and _NAMES_COUNT.search(clause)
    return clause if leads else ""


def _last_left(text: str) -> str:
    """Return the words that name a count on the left side of the last chain of a text.

    Sides that calculate are passed over; another name begins another chain.
    """
    for piece in reversed(text.split("=")[:-1]):
        left = _LEFT.search(_TAG.sub("", piece[-200:]).rstrip())
        if left:
            clauses = reversed(_CLAUSES.split(left[1]))
            return next((c for c in clauses if _NAMES_COUNT.search(c)), "")
    return ""


def _following(around: Surroundings) -> str:
    """Return how the next passage begins."""
    nearby = around.passages[around.place + 1 : around.place + 2]
    return nearby[0].plain.text[:80] if nearby else ""


def _is_apart(text: str, number: Printed, start: int) -> bool:
    """Say whether a number is what lies between two counts: `a difference of 22,528 parameters`."""
    before = _APART.search(text[max(start, number.start - 40) : number.start])
    return bool(before) or bool(_APART_BEHIND.match(text, number.end))


def _claim(around: Surroundings, number: Printed, what: str, subject: str) -> Claim:
    passage = around.passage
    start, end = passage.sentence(number.start)
    text = passage.plain.text
    near = text[max(start, number.start - 60) : min(end, number.end + 60)]
    words = (*scope_words(f"{subject} {near}"), *exclusions(text[start:end]), *around.excluded)
    parts = () if "total" in words else named(subject, PARTS_NAMED)
    if what == "parameters" and "trainable" in words and ("adapter" in words or passage.adapter):
        what = "trainable parameters"
    hints = {"where": "parameters", **model_hints(passage, number.start)}
    if parts:
        hints["part"] = ", ".join(parts)
    sure = 0.9 if not parts else 0.7
    if is_elsewhere(passage, number.start) or _is_apart(text, number, start):
        sure = DOUBTFUL
    return claim_at(
        passage,
        number.start,
        number.end,
        kind="param_count",
        number=number,
        content=Counted(what=what, scope=tuple(dict.fromkeys((*words, *parts)))),
        confidence=sure,
        hints=hints,
    )
