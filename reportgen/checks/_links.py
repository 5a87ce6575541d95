"""Which printed number a report gives as the result of which formula."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.checking.numbers._gated import gated
from reportgen.checks._symbols import named, plain_name
from reportgen.records.claim import Claim, Counted, Equation, Printed
from reportgen.records.finding import Case
from reportgen.records.manuscript import Place

_MOST_WORDS = 120
_MOST_BLOCKS = 14
_FORMULAS = frozenset({"equation_symbolic", "arch_formula"})
_LEADS = re.compile(
    r"(?:\b(?:yields?|gives?|giving|gets?|obtains?|obtained|totals?|totall?ing|results?|equals?"
    r"|amounts?|leads?|makes?|donnent|donne|obtient|obtenons|obtenu|soit|total|vaut|fait)\b|=|:)"
    r"[^.!?]{0,80}$",
    re.IGNORECASE,
)
_PARTS = {
    "layer": r"(?:per|each|every|one|par|chaque)\s(?:\w+[- ]){0,3}"
    r"(?:layer|block|stack|couche|bloc)",
    "head": r"(?:per|each|every|one|par|chaque)\s(?:\w+[- ]){0,2}(?:head|t[êe]te)",
    "matrix": r"(?:per|each|every|par|chaque)\s(?:\w+[- ]){0,2}(?:matri|module|projection)",
    "embedding": r"(?:embeddings?|plongements?)\s(?:layer|table|matrix|parameters|param)",
    "position": r"position(?:al|s)?\b",
    "attention": r"attention",
    "feed-forward": r"feed-?\s?forward|\bffn\b|\bmlp\b",
    "adapter": r"\blora\b|adapter|adaptateur",
}
_STOP = re.compile(r"[.!?]\s")
_SIZE = gated(r"param|weight|poids|\bsize\b|taille", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Result:
    """A number that is said to be what a formula comes to.

    Attributes:
        printed: The number.
        place: Where it stands.
        sure: How sure it is that it is the formula's, 0 to 1.
        guessed: It is only the next number, with no name of its own.
    """

    printed: Printed
    place: Place
    sure: float
    guessed: bool = False


def result_of(case: Case, claim: Claim) -> Result | None:
    """Return the number that a report gives for a formula: its own, its name's, or the next.

    The next number counts only where nothing but settings and connecting words stand between,
    both speak of the same part of the model, and no other formula comes first.
    """
    equation = claim.content
    if not isinstance(equation, Equation):
        return None
    if claim.printed is not None:
        return Result(claim.printed, claim.place, claim.confidence)
    if equation.name:
        same = [
            other
            for other in named(case.claims, plain_name(equation.name))
            if other.printed is not None and _order(other) != _order(claim)
        ]
        later = [other for other in same if _order(other) > _order(claim)]
        for other in [*later, *reversed(same)][:1]:
            if other.printed is not None:
                sure = min(claim.confidence, other.confidence, 0.9)
                return Result(other.printed, _number_place(case, other), sure)
    return _next_number(case, claim) if "display" in claim.hints else None


def _order(claim: Claim) -> tuple[int, int]:
    return claim.block, claim.start


def _number_place(case: Case, claim: Claim) -> Place:
    """Return where the number of a claim stands, in a display of several lines too."""
    printed = claim.printed
    if printed is None:
        return claim.place
    return case.manuscript.blocks[claim.block].place(printed.start, printed.end)


def _next_number(case: Case, claim: Claim) -> Result | None:
    for other in _behind(case.claims, claim):
        if other.kind in _FORMULAS and "display" in other.hints and "part" not in other.hints:
            return None
        content = other.content
        counted = isinstance(content, Counted) and content.what.endswith("parameters")
        computed = isinstance(content, Equation) and other.printed is not None
        if not (counted or computed) or other.printed is None:
            continue
        if isinstance(content, Equation) and content.name:
            return None
        if not _continues(case, claim, other):
            return None
        sure = min(claim.confidence, other.confidence, 0.85)
        return Result(other.printed, _number_place(case, other), sure, guessed=True)
    return None


def _behind(claims: Sequence[Claim], claim: Claim) -> Iterator[Claim]:
    """Yield the claims behind one, in reading order, as far as a result may stand."""
    ordered = sorted(claims, key=_order)
    for other in ordered:
        near = 0 <= other.block - claim.block <= _MOST_BLOCKS
        if near and (other.block, other.start) >= (claim.block, claim.end):
            yield other


def _continues(case: Case, claim: Claim, other: Claim) -> bool:
    """Say whether only settings and connecting words stand between a formula and a number."""
    blocks = case.manuscript.blocks
    pieces = [block.text for block in blocks[claim.block + 1 : other.block]]
    before = blocks[other.block].text[: other.start]
    lead = before if before.strip() else "".join(pieces[-1:])
    words = sum(len(piece.split()) for piece in [*pieces, before])
    if words > _MOST_WORDS or not _LEADS.search(lead[-160:]):
        return False
    behind = blocks[other.block].text[other.end : other.end + 80]
    if not behind.strip(" .$") or "display" in other.hints:
        behind += " " + " ".join(b.text[:80] for b in blocks[other.block + 1 : other.block + 2])
    around = f"{_last(claim.hints.get('before', ''))} {claim.hints.get('behind', '')[:80]}"
    target = f"{_last(lead)} {behind[:100]}"
    return bool(_SIZE.search(target)) and _scope(around) == _scope(target)


def _last(text: str) -> str:
    """Return the end of a text from its last full stop on."""
    return _STOP.split(text[-300:])[-1]


def _scope(text: str) -> frozenset[str]:
    """Return the parts of a model that a text speaks of."""
    return frozenset(
        part for part, pattern in _PARTS.items() if re.search(pattern, text, re.IGNORECASE)
    )
