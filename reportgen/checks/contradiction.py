"""Two passages of one report agree: values, settings, and what a part of the model adds.

Only the report speaks here, and it cannot say which of two passages is meant otherwise: another
data set, another model. So nothing is louder than a warning, and what logs decide is left to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reportgen.checking.numbers._gated import gated
from reportgen.checks._ladder import sentence
from reportgen.checks._said_twice import (
    Keyed,
    loose_means,
    reconciled,
    settings_said,
    values_said,
    ways,
)
from reportgen.claims._clauses import sentences
from reportgen.claims._count_scopes import PARTS_NAMED, named
from reportgen.claims._plain import plain
from reportgen.records.claim import CONFIDENT, LIKELY, Claim, Counted, Setting
from reportgen.records.finding import Case, Expected, Finding
from reportgen.records.manuscript import Place

_RULE = "contradiction"
_HAS = gated(
    r"\b(?:has|have|adds?|contains?|holds?|introduces?|brings?|comporte(?:nt)?|contien(?:t|nent)"
    r"|ajoute(?:nt)?|a|ont)\s{1,3}(?P<count>\S{1,40}(?:\s?[×x*]\s?\S{1,20}){0,3})\s{1,3}"
    r"(?:(?:additional|extra|more|trainable|learnable)\s){0,2}(?:parameters?|weights?|paramètres?)\b",
    re.IGNORECASE,
)
_CUT = gated(r"[,;:]\s+|\b(?:that|which|and\sthe|qui|que)\s+", re.IGNORECASE)
_SUMMARY = gated(
    r"\b(?:abstract|summary|conclusions?|introduction|résumé|synthèse|overview)\b", re.IGNORECASE
)
_PARTED = re.compile(r"[.;:](?=\s)|\n\s*\n")
_UNDER = re.compile(r"\b(?:for|with|when|if|pour|avec|quand|si)\b", re.IGNORECASE)
_AHEAD = 12
_CAPITALISED = re.compile(r"(?<![^\W_])[A-Z][\w-]*")
_NO_NAMES = frozenset(
    (
        *("The", "We", "Our", "It", "Its", "In", "This", "With", "A", "An", "And", "For", "Each"),
        *("Le", "La", "Les", "Nous", "Notre", "Il", "Elle", "Ce", "Cette", "Avec", "Un", "Une"),
    )
)
_SPOKEN = frozenset({"paragraph", "item", "caption"})
_NEAR = 80
"""Characters before a verb in which its subject stands."""


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding on each passage that another one of the same report contradicts."""
    yield from _parts(case)
    yield from _twice(case, values_said(case))
    yield from _twice(case, settings_said(case))
    yield from _summaries(case)


def _parts(case: Case) -> Iterator[Finding]:
    """Yield `does not add any parameters` where another passage says how many it adds."""
    for claim in case.claims:
        content = claim.content
        if isinstance(content, Counted) and content.scope[:1] == ("none",):
            other = next(_given(case, claim, content.scope[1:]), None)
            if other is not None:
                place, quote = other
                yield _finding(claim, f"the same report gives it some ({place}): “{quote}”")


def _given(case: Case, claim: Claim, parts: tuple[str, ...]) -> Iterator[tuple[Place, str]]:
    """Yield the passages that give parameters to one of these parts of a model."""
    for index, block in enumerate(case.manuscript.blocks):
        if block.type not in _SPOKEN:
            continue
        text = plain(block.text)
        for start, end in sentences(text.text):
            for match in _HAS.finditer(text.text, start, end):
                begin = _subject(text.text, max(start, match.start() - _NEAR), match.start())
                first, last = text.span(begin, match.end())
                itself = index == claim.block and first < claim.end and claim.start < last
                counts = any(char.isdigit() and char != "0" for char in match["count"])
                found = named(text.text[begin : match.start()], PARTS_NAMED)
                if counts and not itself and set(found) & set(parts):
                    yield block.place(first, last), text.text[begin : match.end()]


def _subject(text: str, start: int, end: int) -> int:
    """Return where the subject of a verb begins: behind the last comma or connective."""
    cuts = [match.end() for match in _CUT.finditer(text, start, end)]
    return cuts[-1] if cuts else start


def _twice(case: Case, said: Iterable[Keyed]) -> Iterator[Finding]:
    """Yield one finding where a thing is said in two ways, on the one that is rarer.

    Of two equally frequent ways it is the first; a third says that something else tells them
    apart.
    """
    by_key: dict[object, list[Claim]] = {}
    for key, claim in said:
        if claim.confidence >= LIKELY:
            by_key.setdefault(key, []).append(claim)
    for claims in by_key.values():
        found = sorted(ways(claims), key=len)
        if len(found) == 2:
            (rare, *_), (usual, *_) = found
            if isinstance(rare.content, Setting) and _of_two_things(case, rare, usual):
                continue
            what = usual.printed.text if usual.printed is not None else f"“{usual.quote}”"
            sure = min(rare.confidence, usual.confidence)
            yield _finding(rare, f"the same report says {what} ({usual.place})", sure)


def _of_two_things(case: Case, one: Claim, other: Claim) -> bool:
    """Say whether two values of one passage are said of two names: `A has 512; B has 256`."""
    if one.block != other.block or one.block >= len(case.manuscript.blocks):
        return False
    text = case.manuscript.blocks[one.block].text
    first_end, last_end = sorted((one.end, other.end))
    told = text[first_end : last_end + _AHEAD]
    if len(_UNDER.findall(told)) > 1 and not _PARTED.search(text, first_end, last_end):
        return True  # `16 for r = 8 and 64 for r = 32`
    first, second = _names_before(text, one.start), _names_before(text, other.start)
    return bool(first and second and first != second)


def _names_before(text: str, end: int) -> frozenset[str]:
    """Return the capitalised words between the beginning of a clause and a place in it."""
    cuts = [match.end() for match in _PARTED.finditer(text, 0, end)]
    words = _CAPITALISED.findall(text[cuts[-1] if cuts else 0 : end])
    return frozenset(words) - _NO_NAMES


def _summaries(case: Case) -> Iterator[Finding]:
    """Yield a mean that a summary repeats otherwise than the passage it repeats.

    Elsewhere a mean without its step may be of another step, so that it is only a note.
    """
    for claim, others in loose_means(case):
        if claim.confidence < LIKELY or any(reconciled(claim, other) for other in others):
            continue
        best = max(others, key=lambda other: other.confidence)
        sure = min(claim.confidence, best.confidence)
        summed = _SUMMARY.search(_heading(case, claim.block))
        told = best.printed.text if best.printed is not None else best.quote
        says = f"the same report says {told} ({best.place})"
        yield _finding(claim, says, sure if summed else min(sure, LIKELY))


def _heading(case: Case, block: int) -> str:
    """Return the heading that a block stands under and how the block begins."""
    blocks = case.manuscript.blocks
    above = (b.text for b in reversed(blocks[: block + 1]) if b.type == "heading")
    return f"{next(above, '')} {blocks[block].text[:20] if block < len(blocks) else ''}"


def _finding(claim: Claim, says: str, sure: float = CONFIDENT) -> Finding:
    return Finding(
        rule=_RULE,
        level="warning" if sure >= CONFIDENT else "note",
        verdict="disagrees",
        claim=claim,
        message=sentence(claim, says),
        expected=Expected(definition="the other passage of the same report"),
    )
