"""Sentences that say how many times as many steps or parameters one thing has as another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.claims._axes import is_general
from reportgen.claims._bind import START, Draft
from reportgen.claims._clauses import Clause
from reportgen.claims._conditions import condition, narrowing
from reportgen.claims._scene import Scene
from reportgen.records.claim import Meaning, Printed, Statement

PARAMETERS = "parameters"
_WHAT = (
    r"(?:(?P<parameters>param(?:eter|ètre)s|params)|(?P<epochs>epochs|[ée]poques)"
    r"|(?P<steps>steps|updates|iterations|pas|itérations|étapes|mises\sà\sjour))"
)
_NUMBER = r"(?P<number>\d{1,4}(?:[.,]\d{1,3})?)"
_FEW = r"(?:[^\W\d]+\s){0,2}?"
_WORDS = {
    "twice": 2, "double": 2, "half": 2, "moitié": 2, "two": 2, "deux": 2, "thrice": 3, "triple": 3,
    "third": 3, "tiers": 3, "three": 3, "trois": 3, "quarter": 4, "quart": 4, "quadruple": 4,
    "four": 4, "quatre": 4, "five": 5, "cinq": 5, "ten": 10, "dix": 10,
}  # fmt: skip
_WHOLE = r"(?P<whole>twice|thrice|double|triple|quadruple)"
_PART = r"(?P<part>half|(?:a|one)\s(?:third|quarter))"
_COUNT = rf"(?:{_NUMBER}|(?P<word>two|three|four|five|ten|deux|trois|quatre|cinq|dix))"
_OF_FRENCH = (
    r"(?:la\s(?P<part>moitié)|le\s(?P<third>tiers|quart)|le\s(?P<whole>double|triple|quadruple))"
)
_WAYS = (
    rf"(?:{_WHOLE}|{_PART})\s(?:as\smany|as\smuch|(?:of\s)?the(?:\s(?:number|amount)\sof)?)\s{_FEW}",
    rf"{_COUNT}\s?(?:times|x|×)\s(?:as\smany|more|(?P<fewer>fewer|less)|the(?:\snumber\sof)?)\s{_FEW}",
    rf"{_COUNT}\sfois\s(?:plus|(?P<fewer>moins))\s(?:de\s|d['’]){_FEW}",
    rf"{_OF_FRENCH}\s(?:de\sses\s|des\s|de\s|du\snombre\s(?:de\s|d['’]))",
)
_PATTERNS = (
    *(gated(rf"(?<![^\W_])(?:{way}){_WHAT}(?![^\W_])", re.IGNORECASE) for way in _WAYS),
    gated(
        rf"(?<![^\W_]){_WHAT}(?![^\W_]),\s(?:{_WHOLE}|{_PART}|{_COUNT}\s?(?:times|x|×))\sas\smany\sas\b",
        re.IGNORECASE,
    ),
)
_MARK = gated(
    r"\b(?:reach\w*|atteindre|atteint|converg\w+|threshold|seuil|warm-?up|per|par|each|chaque|same\saccuracy"
    r"|learning|until|jusqu\w*)\b",
    re.IGNORECASE,
)
"""Steps to a mark that is passed, or of something else than the training."""
_OTHER = gated(r"\b(?:as|than|que|of|de|du|des)\b|\b[dq]u?['’]", re.IGNORECASE)
_NOT_QUITE = gated(
    r"\b(?:more\sthan|less\sthan|fewer\sthan|over|under|at\s(?:least|most)|up\sto|plus\sd[eu]|moins\sd[eu]|au\s(?:moins|plus)"
    r"|jusqu['’]à|not|pas|n['’]\w+)\s(?:la\s|le\s)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Said:
    """By which factor, of what.

    Attributes:
        printed: The factor, 1 or more.
        what: `"steps"`, `"epochs"` or `"parameters"`.
        fewer: Whether the first of two has fewer of them.
        start: Where the words begin.
        end: The position behind them.
    """

    printed: Printed
    what: str
    fewer: bool
    start: int
    end: int


def multiples(scene: Scene, clause: Clause) -> Iterator[Draft]:
    """Yield what a clause says of how many steps, epochs or parameters two things have.

    The first subject has so many times as many as the second, whichever way it is told. Of
    parameters, which no log counts, nothing but the sentence itself can tell whose they are.
    """
    said = next(_found(scene.text, clause), None)
    if said is None or _is_open(scene, clause, said):
        return
    whole = clause.sentence
    before = scene.values(clause.start, said.start, "group")
    before = before or scene.values(whole[0], clause.start, "group")
    behind = scene.values(said.end, whole[1], "group")
    sides = ("", "")
    if said.what != PARAMETERS:
        unnamed = not behind and _OTHER.search(scene.text, said.end, whole[1])
        if len(before) != 1 or len(behind) > 1 or unnamed:
            return  # `Twice as many steps as usual`.
        sides = (before[0], behind[0] if behind else "")
    first, second = reversed(sides) if said.fewer else sides
    subjects = (Meaning(metric=said.what, group=first), Meaning(metric=said.what, group=second))
    yield Draft(
        kind="comparison",
        start=clause.start,
        end=clause.end,
        statement=Statement(predicate="multiple", subjects=subjects, amounts=(said.printed,)),
        confidence=START - (0.0 if behind else 0.15),
    )


def _is_open(scene: Scene, clause: Clause, said: _Said) -> bool:
    """Say whether it is supposed, of a part of something, of some runs, or not quite so many."""
    text, whole = scene.text, clause.sentence
    lead = max(clause.start, said.start - 24), said.start
    if is_general(text[clause.start : said.start]) or _MARK.search(text, *whole):
        return True
    if _NOT_QUITE.search(text, *lead) or scene.of(*whole, "seed"):
        return True
    outside = ((whole[0], said.start), (said.end, whole[1]))
    return bool(narrowing(text, *whole)) or any(
        condition(text, span, scene.mentions) for span in outside
    )


def _found(text: str, clause: Clause) -> Iterator[_Said]:
    for pattern in _PATTERNS:
        for match in pattern.finditer(text, clause.start, clause.end):
            yield _read(match)


def _read(match: re.Match[str]) -> _Said:
    found = {name: words for name, words in match.groupdict().items() if words}
    name = next(slot for slot in ("number", "word", "whole", "part", "third") if slot in found)
    text = found[name]
    start, end = match.span(name)
    if name == "number":
        written = text.replace(",", ".")
        decimals = len(written.partition(".")[2])
        number = Printed(text=text, value=Decimal(written), decimals=decimals, start=start, end=end)
    else:
        value = Decimal(_WORDS[text.split()[-1].lower()])
        number = Printed(
            text=text,
            value=value,
            decimals=1,
            word=True,
            approximate="about",
            start=start,
            end=end,
        )
    what = next(slot for slot in ("parameters", "epochs", "steps") if slot in found)
    fewer = "fewer" in found or name in {"part", "third"}
    return _Said(number, what, fewer, match.start(), match.end())
