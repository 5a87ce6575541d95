"""What a stated total counts: the scope it equals, or the terms that make the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from reportgen.records.checkpoint import Ledger, Scope, Term
from reportgen.records.formula import Constant

# Explanations of more terms than this fit almost any number by chance.
MOST_TERMS = 4
MOST_LAYERS = 200

# What is left out most often comes first among explanations of equal length.
OFTEN_FORGOTTEN = (
    "embeddings.position",
    "attention.output.weight",
    "ffn.out.weight",
    "ffn.in.weight",
    "embeddings.word",
    "embeddings.token_type",
    "attention.bias",
    "ffn.bias",
    "layer.norm",
    "embeddings.norm",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A term, or some of its layers.

    Attributes:
        term: Name of the term, or `fairseq.copies`, `tied.projection`.
        label: For people.
        count: Parameters.
        layers: How many of the term's layers; 0 for the whole term.
    """

    term: str
    label: str
    count: int
    layers: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What a number equals.

    Attributes:
        total: The number.
        scopes: Scopes whose total it is; empty when it is none.
        scope: The scope the pieces are measured against; None where nothing fits.
        missing: Pieces of that scope that the number leaves out.
        extra: Pieces outside that scope that the number has besides.
        alternatives: Other choices of as many pieces with the same sum.
        text: All this in one or two sentences.
    """

    total: int
    scopes: tuple[Scope, ...] = ()
    scope: Scope | None = None
    missing: tuple[Piece, ...] = ()
    extra: tuple[Piece, ...] = ()
    alternatives: int = 0
    text: str


def explain(ledger: Ledger, total: int) -> Explanation:
    """Name the scope that a stated total equals, or the smallest set of terms between.

    Units: parameters.

    Args:
        ledger: The model's terms and scopes.
        total: The stated number.

    Returns:
        Scopes of exactly this total; else the fewest terms (of at most four, or one or two
        where some layers of a term are meant) that lie between it and a scope, scopes in
        the ledger's order; else an explanation without scope.
    """
    equal = tuple(scope for scope in ledger.scopes if scope.total == total)
    if equal:
        names = "; ".join(f"{scope.name} ({scope.label})" for scope in equal)
        return Explanation(total=total, scopes=equal, text=f"{total:,} is the total of {names}")
    found: list[tuple[int, int, Scope, bool, list[tuple[Piece, ...]]]] = []
    for order, scope in enumerate(ledger.scopes):
        gap = scope.total - total
        pieces = pieces_inside(ledger, scope) if gap > 0 else pieces_outside(ledger, scope)
        choices = smallest_choices(pieces, abs(gap))
        if choices:
            found.append((len(choices[0]), order, scope, gap > 0, choices))
    if not found:
        return Explanation(
            total=total,
            text=f"{total:,} is no total of a scope, and no few terms lie between it and one",
        )
    _, _, scope, missing, choices = min(found, key=lambda entry: entry[:2])
    return Explanation(
        total=total,
        scope=scope,
        missing=choices[0] if missing else (),
        extra=() if missing else choices[0],
        alternatives=len(choices) - 1,
        text=sentence(total, scope, choices, missing=missing),
    )


def pieces_inside(ledger: Ledger, scope: Scope) -> list[Piece]:
    """Return the terms of a scope, the ones often forgotten first."""
    inside = [t for t in ledger.terms if t.name in scope.terms and t.count]
    rank = {name: place for place, name in enumerate(OFTEN_FORGOTTEN)}
    inside.sort(key=lambda term: rank.get(term.name, len(rank)))
    return [Piece(term=t.name, label=t.label, count=t.count) for t in inside] + layer_pieces(inside)


def pieces_outside(ledger: Ledger, scope: Scope) -> list[Piece]:
    """Return what a number may hold beyond a scope: other terms, tied and fairseq's copies."""
    outside = [t for t in ledger.terms if t.name not in scope.terms and t.count]
    pieces = [Piece(term=t.name, label=t.label, count=t.count) for t in outside]
    word = next((t for t in ledger.terms if t.name == "embeddings.word"), None)
    if word and any(t.formula == Constant(0) for t in ledger.terms):
        pieces.append(
            Piece(
                term="tied.projection",
                label="the word embeddings a second time, as the tied output projection",
                count=word.count,
            )
        )
    if ledger.family == "roberta":
        layers = [
            t for t in ledger.terms if t.repeat > 1 and t.role in {"attention", "ffn", "bias"}
        ]
        pieces.append(
            Piece(
                term="fairseq.copies",
                label="the copies of every layer that fairseq 0.12 stores for its fast path",
                count=sum(term.count for term in layers),
            )
        )
    return pieces


def layer_pieces(terms: Sequence[Term]) -> list[Piece]:
    """Return some, not all, of the layers of each repeated term."""
    return [
        Piece(
            term=term.name,
            label=f"{term.label} of {layers} of {term.repeat} layers",
            count=term.count // term.repeat * layers,
            layers=layers,
        )
        for term in terms
        for layers in range(1, min(term.repeat, MOST_LAYERS))
        if term.count % term.repeat == 0
    ]


def smallest_choices(pieces: Sequence[Piece], gap: int) -> list[tuple[Piece, ...]]:
    """Return every smallest choice of pieces that sums to the gap, best guess first.

    Example:
        >>> a, b, c = (Piece(term=n, label=n, count=k) for n, k in (("a", 1), ("b", 2), ("c", 3)))
        >>> [[p.term for p in choice] for choice in smallest_choices([a, b, c], 3)]
        [['c']]
    """
    whole = [piece for piece in pieces if not piece.layers]
    for size in range(1, MOST_TERMS + 1):
        found = [c for c in combinations(whole, size) if sum(p.count for p in c) == gap]
        if not found and size <= 2:
            found = with_layers(whole, [p for p in pieces if p.layers], gap, size)
        if found:
            return found
    return []


def with_layers(
    whole: Sequence[Piece], parts: Sequence[Piece], gap: int, size: int
) -> list[tuple[Piece, ...]]:
    """Return choices of one part, or of one whole term and one part of another."""
    if size == 1:
        return [(part,) for part in parts if part.count == gap]
    by_count: dict[int, list[Piece]] = {}
    for part in parts:
        by_count.setdefault(part.count, []).append(part)
    return [
        (piece, part)
        for piece in whole
        for part in by_count.get(gap - piece.count, ())
        if part.term != piece.term
    ]


def sentence(
    total: int, scope: Scope, choices: Sequence[tuple[Piece, ...]], *, missing: bool
) -> str:
    """Say which pieces lie between a number and a scope."""
    gap = abs(scope.total - total)
    pieces = " + ".join(f"{piece.label} ({piece.count:,})" for piece in choices[0])
    others = len(choices) - 1
    same = (
        f"; {others} other choices of {len(choices[0])} terms have the same sum" if others else ""
    )
    return (
        f"{total:,} is {gap:,} {'less' if missing else 'more'} than {scope.total:,} "
        f"({scope.name}: {scope.label}): exactly {pieces}{same}"
    )
