"""Which seeds of a group an aggregate is said of, where it is not all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._number_words import WORD_VALUES
from reportgen.claims._mentions import Mention

ONLY, WITHOUT = "of seeds", "without seeds"
"""How the hint `runs` of a claim begins, before the seeds as they are written."""
_RUN = r"(?:seeds?|runs?|graines?|ex[ée]cutions?)"
_LIST = r"\d{1,6}(?:(?:,\s?(?:and\s|et\s)?|\s(?:and|et|&)\s|\s?/\s?)\d{1,6}){0,8}"
_LEAVING = (
    r"(?:excluding|without|ignoring|except(?:\sfor)?|(?:leaving|setting)\s(?:out|aside)|discarding|(?:if\s(?:we|one)\s)?leaves?\sout|dropping"
    r"|removing|omitting|disregarding|not\scounting|apart\sfrom|with\sthe\sexception\sof|à\sl['’]exception\sde|sans|hors|en\sexcluant|en\signorant|en\sécartant"
    r"|à\spart|sauf|excepté|hormis|laiss(?:e|ant)\sde\scôté)"
)
_GONE = (
    r"(?:left\sout|leaving\sout|excluded|removed|dropped|ignored|omitted|disregarded|set\saside"
    r"|exclue?s?|écartée?s?|ignorée?s?|laissée?s?\sde\scôté)"
)
_WHOSE = rf"[^\s.;()]{{1,200}},\s{_RUN}\s{_LIST}"
"""Seeds of one of several groups: `leaves out BERT, seed 3; LSTM, seeds 5 and 6`."""
_EXCLUDED = gated(
    rf"\b{_LEAVING}\s(?:[^\s\d.;,()]+\s){{0,4}}?{_RUN}\s(?P<seeds>{_LIST})"
    rf"|\b{_LEAVING}\s(?P<both>{_WHOSE}(?:\s?;\s{_WHOSE}){{0,8}})"
    rf"|\b{_RUN}\s(?P<gone>{_LIST})\s(?:(?:is|are|was|were|being|est|sont)\s)?{_GONE}\b",
    re.IGNORECASE,
)
_THROUGH = r"\d{1,4}\s?(?:[-–—]{1,3}|to|through|à)\s?\d{1,4}(?![\d.,]\d)"
_LISTED = gated(
    rf"\b(?:(?:seeds|graines)\s\(?|(?:runs|ex[ée]cutions)\s)(?P<seeds>{_THROUGH}|{_LIST})",
    re.IGNORECASE,
)
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(sorted(map(re.escape, WORD_VALUES), key=len, reverse=True))})"
_WHICH = (
    r"(?:best|worst|top|first|last|other|others|remaining|finite|converged|diverged|successful|failed"
    r"|complete|completed|finished|incomplete|unfinished|full|complètes|achevées|terminées|good|bad|lowest|highest|stable|unstable|outlying|meilleures?|pires?|premi[eè]re?s?"
    r"|derni[eè]re?s?|autres|restantes?)"
)
_UNNAMED = gated(
    rf"\b{_LEAVING}\s(?:the|its|this|that|an?|one|le|la|les|une?)\s(?:[^\s\d.;,()]+\s){{0,3}}?(?:{_RUN}|outliers?)\b"
    rf"|\bleav\w+\s(?:the|its|this|that|these|those|an?|one)\s(?:[^\s\d.;,()]+\s){{0,3}}?(?:{_RUN}|outliers?)\sout\b"
    rf"|\b(?:only|those|seulement|seules?)\s(?:the\s|les\s)?{_RUN}\s(?:that|which|qui)\b"
    rf"|\b(?:outliers?|diverged\s{_RUN})\s(?:(?:is|are|was|were|being)\s)?{_GONE}\b"
    rf"|\b{_COUNT}\s{_WHICH}\s(?:\w+\s)?{_RUN}\b|\b{_WHICH}\s{_COUNT}\s(?:\w+\s)?{_RUN}\b"
    rf"|\b(?:other|remaining|autres)\s(?:two|three|four|five|six|seven|eight|nine|deux|trois|quatre|cinq)\b"
    rf"|\b(?:remaining|finite|converged|surviving|successful|other|restantes?)\s(?:seeds|runs|graines)\b",
    re.IGNORECASE,
)
_EXCEPT = gated(
    r"\b(?:except\w*|excluding|apart\sfrom|other\sthan|but\sfor|besides|save\sfor|sauf|hormis|excepté\w*|à\spart"
    r"|à\sl['’]exception)\b",
    re.IGNORECASE,
)
_CONTRAST = gated(
    r"\b(?:or|but|while|whereas|compared|against|versus|vs|instead|rather|mais|ou|contre|alors\sque|tandis|au\slieu"
    r"|plutôt)\b|\(\s?[\d+−-]",
    re.IGNORECASE,
)
"""What sets a value of all seeds apart from one of some: `20.5, but 17.1 without seed 2`."""
_NUMBER = re.compile(r"(?P<first>\d{1,6})(?:\s?(?:[-–—]{1,3}|to|through|à)\s?(?P<last>\d{1,6}))?")
_MOST = 100
"""Seeds that `0-99` may stand for; who writes more means no seeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """Seeds that are left out of what a sentence says.

    Attributes:
        start: Where the words begin that say so.
        end: The position behind them.
        seeds: As written.
    """

    start: int
    end: int
    seeds: tuple[int, ...]


def leaves_out(gone: Excluded | None, text: str, number: tuple[int, int]) -> bool:
    """Say whether a number is one without the seeds that its sentence leaves out.

    Args:
        gone: What the sentence leaves out.
        text: What holds the sentence.
        number: Where the number begins, and the position behind it.

    Example:
        >>> text = "20.5 over all seeds, but 17.1 without seed 2"
        >>> gone = excluded(text, 0, len(text))
        >>> leaves_out(gone, text, (0, 4)), leaves_out(gone, text, (25, 29))
        (False, True)
    """
    if gone is None:
        return False
    first, last = number
    between = (last, gone.start) if last <= gone.start else (gone.end, first)
    return not _CONTRAST.search(text, *between)


def leaves_out_a_model(text: str, start: int, end: int, groups: Iterable[Mention] = ()) -> bool:
    """Say whether a sentence is of all but one, and not all but a seed of each.

    Args:
        text: What holds the sentence.
        start: Where it begins.
        end: The position behind it.
        groups: The groups that it names; `except BERT with seed 2` leaves out one of BERT's runs.

    Example:
        >>> texts = ("All get below 15 %, except BERT", "Except for seed 3, all end below 15 %")
        >>> [leaves_out_a_model(text, 0, len(text)) for text in texts]
        [True, False]
    """
    if not _EXCEPT.search(text, start, end):
        return False
    seeds = excluded(text, start, end)
    return seeds is None or any(seeds.start <= group.start < seeds.end for group in groups)


def excluded(text: str, start: int, end: int) -> Excluded | None:
    """Return the seeds that a sentence leaves out, where it names them.

    Example:
        >>> text = "Without the outlier seed 3, the mean is 69.3"
        >>> excluded(text, 0, len(text)).seeds
        (3,)
        >>> text = "which leaves out A, seed 5; B2, seeds 3 and 4, the difference is 0.3"
        >>> excluded(text, 0, len(text)).seeds
        (5, 3, 4)
    """
    match = _EXCLUDED.search(text, start, end)
    if match is None:
        return None
    return Excluded(start=match.start(), end=match.end(), seeds=_seeds(_named(match)))


def _named(match: re.Match[str]) -> str:
    """Return the seeds of a match as they are written, without the digits of groups."""
    listed = match["both"] or ""
    lists = [m[1] for m in re.finditer(rf",\s{_RUN}\s({_LIST})", listed, re.IGNORECASE)]
    return ", ".join(lists) or match["seeds"] or match["gone"]


def only(text: str, start: int, end: int) -> tuple[int, ...]:
    """Return the seeds that the words of a single value name in one list: they are all it is of.

    Example:
        >>> text = "seeds 0, 1 and 2 of A have a mean of 69.3"
        >>> only(text, 0, len(text)), only("seed 1 has 69.3", 0, 15), only("seeds 3-5", 0, 9)
        ((0, 1, 2), (), (3, 4, 5))
    """
    match = _LISTED.search(text, start, end)
    seeds = _seeds(match["seeds"]) if match else ()
    return seeds if len(seeds) > 1 else ()


def some(text: str, start: int, end: int) -> str:
    """Return the words that pick some runs without naming them, or nothing.

    Example:
        >>> text = "over the three best seeds, and without the diverged run"
        >>> some(text, 0, len(text)), some("over three seeds", 0, 16)
        ('three best seeds', '')
    """
    match = _UNNAMED.search(text, start, end)
    return match[0] if match else ""


def is_meant(hint: str, seed: int | None) -> bool:
    """Say whether a seed, as it is written, is one of those that a hint names.

    Example:
        >>> is_meant("without seeds 3", 3), is_meant("of seeds 0, 1", 1), is_meant("", 7)
        (False, True, True)
    """
    if not hint:
        return True
    return (seed in _seeds(hint)) != hint.startswith(WITHOUT)


def _seeds(text: str) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for match in _NUMBER.finditer(text):
        first, last = int(match["first"]), int(match["last"] or match["first"])
        through = range(first, last + 1) if 0 <= last - first < _MOST else (first, last)
        found |= dict.fromkeys(through)
    return tuple(found)
