"""What a stated total counts: the scope it equals, or the terms that make the difference."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from reportgen.parameters._words import NAMES
from reportgen.records.checkpoint import Ledger, Scope
from reportgen.records.formula import Constant
from reportgen.records.record import record

# How other programs and versions spell the names of the same tensors, as patterns.
#
# Source: fairseq 0.12 `models/roberta/model.py` and `modules/transformer_sentence_encoder.py`;
# transformers 4 `models/mixtral/modeling_mixtral.py`; the remote code of Phi's first format,
# `modeling_mixformer_sequential.py`; TensorFlow's names of norms in BERT's first checkpoints.

FAIRSEQ = r"(encoder|decoder)\.sentence_encoder"
OF_FAIRSEQ = ("camembert", "fairseq_roberta", "roberta", "xlm-roberta")
OF_PHI = ("mixformer-sequential", "phi-msft")
# Families, and the library's name of a piece with another program's; `{last}` is the number
# behind the last layer.
Rows = Sequence[tuple[str, str]]
DIALECTS: tuple[tuple[tuple[str, ...], Rows], ...] = (
    (
        OF_FAIRSEQ,
        (
            (r"^embeddings\.word_embeddings", rf"{FAIRSEQ}\.embed_tokens"),
            (r"^embeddings\.position_embeddings", rf"{FAIRSEQ}\.embed_positions"),
            (r"^embeddings\.LayerNorm", rf"{FAIRSEQ}\.(layernorm_embedding|emb_layer_norm)"),
            (r"^encoder\.layer\.", rf"{FAIRSEQ}\.layers\."),
            (r"attention\.self\.query", "self_attn\\.q_proj"),
            (r"attention\.self\.key", "self_attn\\.k_proj"),
            (r"attention\.self\.value", "self_attn\\.v_proj"),
            (r"attention\.output\.dense", "self_attn\\.out_proj"),
            (r"attention\.output\.LayerNorm", "self_attn_layer_norm"),
            (r"intermediate\.dense", "fc1"),
            (r"output\.dense", "fc2"),
            (r"output\.LayerNorm", "final_layer_norm"),
            (r"^lm_head\.decoder\.weight", r"(encoder|decoder)\.lm_head\.weight"),
            (r"^lm_head\.", r"(encoder|decoder)\.lm_head\."),
            (r"^classifier\.", r"classification_heads\.[^.]+\."),
        ),
    ),
    (
        ("mixtral",),
        (
            (r"mlp\.gate\.", r"block_sparse_moe\.gate\."),
            (r"mlp\.experts\.gate_up_proj", r"block_sparse_moe\.experts\.*\.(w1|w3)\.weight"),
            (r"mlp\.experts\.down_proj", r"block_sparse_moe\.experts\.*\.w2\.weight"),
        ),
    ),
    (
        OF_PHI,
        (
            (r"^transformer\.embd\.wte", r"layers\.0\.wte"),
            (r"^transformer\.h\.", r"layers\.(?!{last}\.)"),
            (r"^lm_head\.", r"layers\.{last}\."),
        ),
    ),
)
# llama.cpp names the parts of every decoder alike.
GGUF: Rows = (
    (r"^embed_tokens\.", r"token_embd\."),
    (r"^layers\.", r"blk\."),
    (r"self_attn\.q_proj", "attn_q"),
    (r"self_attn\.k_proj", "attn_k"),
    (r"self_attn\.v_proj", "attn_v"),
    (r"self_attn\.o_proj", "attn_output"),
    (r"self_attn\.q_norm", "attn_q_norm"),
    (r"self_attn\.k_norm", "attn_k_norm"),
    (r"mlp\.gate_proj", "ffn_gate"),
    (r"mlp\.up_proj", "ffn_up"),
    (r"mlp\.down_proj", "ffn_down"),
    (r"mlp\.gate\.", r"ffn_gate_inp\."),
    (r"mlp\.experts\.gate_up_proj", r"(ffn_gate_exps|ffn_up_exps)\.weight"),
    (r"mlp\.experts\.down_proj", r"ffn_down_exps\.weight"),
    (r"input_layernorm", "attn_norm"),
    (r"post_attention_layernorm", "ffn_norm"),
    (r"^norm\.", r"output_norm\."),
    (r"^lm_head\.weight", r"output\.weight"),
)
# A matrix for each expert is a part of one tensor of all experts since transformers 5.
EXPERTS: Rows = (
    (r"experts\.gate_up_proj$", r"experts\.*\.(gate_proj|up_proj)\.weight"),
    (r"experts\.down_proj$", r"experts\.*\.down_proj\.weight"),
    (r"experts\.up_proj$", r"experts\.*\.up_proj\.weight"),
)
NORMS: Rows = ((r"\.weight$", r"\.(weight|gamma)"), (r"\.bias$", r"\.(bias|beta)"))
NUMBER = r"\d+"
# How the names of decoders begin that llama.cpp stores.
LLAMA = ("embed_tokens.", "layers.*.", "norm.", "lm_head.weight")


def spellings(name: str, family: str, last: int, *, norm: bool) -> Iterator[str]:
    """Yield patterns of every spelling of a tensor's name, the library's first."""
    plain = re.escape(name).replace(r"\*", NUMBER)
    yield respelled(plain, name, NORMS) if norm else plain
    for families, rows in DIALECTS:
        if family in families:
            own = [(piece, other.replace("{last}", str(last))) for piece, other in rows]
            yield from other_spelling(name, plain, own)
    if name.startswith(LLAMA):
        yield from other_spelling(name, plain, GGUF)
    yield from other_spelling(name, plain, EXPERTS)


def other_spelling(name: str, plain: str, rows: Rows) -> Iterator[str]:
    """Yield the pattern of a name in one dialect, where it differs."""
    found = respelled(plain, name, rows)
    if found != plain:
        yield found


def respelled(plain: str, name: str, rows: Rows) -> str:
    """Return the pattern of a name with each piece that a row knows replaced.

    Rows are written for names; what they replace may hold patterns.
    """
    pieces: list[tuple[int, int, str]] = []
    for piece, other in rows:
        for match in re.finditer(piece, name):
            start, end = match.span()
            if all(end <= a or start >= b for a, b, _ in pieces):
                pieces.append((start, end, other.replace(".*", f".{NUMBER}")))
    if not pieces:
        return plain
    found, place = "", 0
    for start, end, other in sorted(pieces):
        found += re.escape(name[place:start]).replace(r"\*", NUMBER) + other
        place = end
    return found + re.escape(name[place:]).replace(r"\*", NUMBER)


# Explanations of more terms than this fit almost any number by chance.
MOST_TERMS = 4
MOST_LAYERS = 200
PAIR = 2
# Choices tried for one scope; 40 terms have 9,880 of three.
MOST_TRIED = 12_000


@record
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


@record
class Explanation:
    """What a number equals.

    Attributes:
        total: The number.
        scopes: Scopes whose total it is, or terms and layers as scopes; empty when it is none.
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


def explain(ledger: Ledger, total: int, adapters: Iterable[Ledger] = ()) -> Explanation:
    """Name the scope that a stated total equals, or the smallest set of terms between.

    Units: parameters.

    Args:
        ledger: The model's terms and scopes.
        total: The stated number.
        adapters: Ledgers of adapters on this model.

    Returns:
        Scopes of exactly this total, the adapters' among them; else the terms, layers or
        matrices of one layer that have exactly this count; else the fewest terms (of at
        most four, or one or two where some layers of a term are meant, or where one is left
        out and one is added) that lie between it and a scope, scopes in the ledger's order;
        else an explanation without scope.

    Example:
        >>> from reportgen.records.checkpoint import Term
        >>> from reportgen.records.formula import Symbol
        >>> terms = tuple(Term(name=n, label=n, role="ffn", formula=Symbol("N"), values={"N": k})
        ...               for n, k in (("a", 5), ("b", 20)))
        >>> scope = Scope(name="all", label="everything", terms=("a", "b"), total=25)
        >>> explain(Ledger(family="", terms=terms, scopes=(scope,)), 20).text
        '20 is the count of b (b)'
    """
    adapters = tuple(adapters)
    scopes = (*ledger.scopes, *(scope for adapter in adapters for scope in adapter.scopes))
    for verb, candidates in (("total", scopes), ("count", term_scopes(ledger))):
        equal = tuple(scope for scope in candidates if scope.total == total)
        if equal:
            names = "; ".join(f"{scope.name} ({scope.label})" for scope in equal)
            return Explanation(
                total=total, scopes=equal, text=f"{total:,} is the {verb} of {names}"
            )
    return difference(ledger, total, adapters)


def difference(ledger: Ledger, total: int, adapters: tuple[Ledger, ...]) -> Explanation:
    """Find the fewest pieces between a number and a scope; whole terms before parts of them."""
    sides = [
        (scope, pieces_inside(ledger, scope), pieces_outside(ledger, scope, adapters))
        for scope in ledger.scopes
    ]
    for size in range(1, MOST_TERMS + 1):
        for search in (whole_choices, part_choices, mixed_choices):
            for scope, inside, outside in sides:
                choices = search(inside, outside, scope.total - total, size)
                if choices:
                    missing = tuple(p for p in choices[0] if p in inside)
                    return Explanation(
                        total=total,
                        scope=scope,
                        missing=missing,
                        extra=tuple(p for p in choices[0] if p not in inside),
                        alternatives=len(choices) - 1,
                        text=sentence(total, scope, choices, missing),
                    )
    text = f"{total:,} is no total of a scope, and no few terms lie between it and one"
    for near in sorted(ledger.scopes, key=lambda scope: abs(scope.total - total))[:1]:
        text += f"; the nearest is {near.total:,} ({near.name}: {near.label})"
    return Explanation(total=total, text=text)


def term_scopes(ledger: Ledger) -> list[Scope]:
    """Return every term, one layer, and the part of each term in one layer, as totals."""
    repeated = [t for t in ledger.terms if t.repeat > 1 and not t.count % t.repeat]
    found = [
        Scope(name=term.name, label=term.label, terms=(term.name,), total=term.count)
        for term in ledger.terms
        if term.count
    ]
    # Terms of one layer make a layer only where all of them repeat equally often.
    if len({term.repeat for term in repeated}) == 1:
        names = tuple(term.name for term in repeated)
        layer = sum(term.count // term.repeat for term in repeated)
        found.append(Scope(name="layer", label="one layer", terms=names, total=layer))
    return found + [
        Scope(
            name=f"layer.{term.name}",
            label=f"{term.label}, in one layer",
            terms=(term.name,),
            total=term.count // term.repeat,
        )
        for term in repeated
    ]


def pieces_inside(ledger: Ledger, scope: Scope) -> list[Piece]:
    """Return the terms of a scope, those often forgotten first, then some of the layers of each."""
    rank = {name: place for place, name in enumerate(NAMES["often forgotten"])}
    inside = [t for t in ledger.terms if t.name in scope.terms and t.count]
    inside.sort(key=lambda term: rank.get(term.name, len(rank)))
    return [Piece(term=t.name, label=t.label, count=t.count) for t in inside] + [
        Piece(
            term=term.name,
            label=f"{term.label} of {layers} of {term.repeat} layers",
            count=term.count // term.repeat * layers,
            layers=layers,
        )
        for term in inside
        for layers in range(1, min(term.repeat, MOST_LAYERS))
        if term.count % term.repeat == 0
    ]


def pieces_outside(ledger: Ledger, scope: Scope, adapters: Iterable[Ledger] = ()) -> list[Piece]:
    """Return what a number may hold beyond a scope: other terms, copies, adapters."""
    outside = [t for t in ledger.terms if t.name not in scope.terms and t.count]
    pieces = [Piece(term=t.name, label=t.label, count=t.count) for t in outside]
    word = next((t for t in ledger.terms if t.name == "embeddings.word"), None)
    if word and any(t.formula == Constant(0) for t in ledger.terms):
        label = "the word embeddings a second time, as the tied output projection"
        pieces.append(Piece(term="tied.projection", label=label, count=word.count))
    if ledger.family in OF_FAIRSEQ:
        copied = {"attention", "ffn", "bias"}
        count = sum(t.count for t in ledger.terms if t.repeat > 1 and t.role in copied)
        label = "the copies of every layer that fairseq 0.12 stores for its fast path"
        pieces.append(Piece(term="fairseq.copies", label=label, count=count))
    for adapter in adapters:
        base, both = adapter.scope("base"), adapter.scope("base_and_adapter")
        if added := both.total - base.total if base and both else 0:
            label = f"what the {adapter.family} adapter adds"
            pieces.append(Piece(term=f"adapter.{adapter.family}", label=label, count=added))
    return pieces


def whole_choices(
    inside: Sequence[Piece], outside: Sequence[Piece], gap: int, size: int
) -> list[tuple[Piece, ...]]:
    """Return the choices of `size` whole terms, all missing or all extra, that sum to the gap."""
    side = inside if gap > 0 else outside
    return sums([piece for piece in side if not piece.layers], abs(gap), size)


def part_choices(
    inside: Sequence[Piece],
    outside: Sequence[Piece],  # noqa: ARG001
    gap: int,
    size: int,
) -> list[tuple[Piece, ...]]:
    """Return choices of some layers of a term, alone or with one whole term, that are missing."""
    parts = [piece for piece in inside if piece.layers]
    if gap <= 0 or size > PAIR:
        return []
    if size == 1:
        return [(part,) for part in parts if part.count == gap]
    found = by_count(parts)
    return [
        (piece, part)
        for piece in inside
        if not piece.layers
        for part in found.get(gap - piece.count, ())
        if part.term != piece.term
    ]


def mixed_choices(
    inside: Sequence[Piece], outside: Sequence[Piece], gap: int, size: int
) -> list[tuple[Piece, ...]]:
    """Return choices of one whole term that is missing and one that is extra."""
    if size != PAIR:
        return []
    found = by_count([piece for piece in inside if not piece.layers])
    return [(left, more) for more in outside for left in found.get(gap + more.count, ())]


def by_count(pieces: Iterable[Piece]) -> dict[int, list[Piece]]:
    """Return the pieces by their count."""
    found: dict[int, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.count, []).append(piece)
    return found


def sums(pieces: Sequence[Piece], wanted: int, size: int) -> list[tuple[Piece, ...]]:
    """Return every choice of `size` pieces with a sum, in the order of the pieces.

    The last piece of a choice is looked up, not tried; a long list is not searched for
    large choices at all, so that the time stays bounded.
    """
    if math.comb(len(pieces), size - 1) > MOST_TRIED:
        return []
    places: dict[int, list[int]] = {}
    for place, piece in enumerate(pieces):
        places.setdefault(piece.count, []).append(place)
    found: list[tuple[Piece, ...]] = []
    for chosen in combinations(range(len(pieces)), size - 1):
        rest = wanted - sum(pieces[place].count for place in chosen)
        after = chosen[-1] if chosen else -1
        found += [
            (*(pieces[p] for p in chosen), pieces[place])
            for place in places.get(rest, ())
            if place > after
        ]
    return found


def sentence(
    total: int, scope: Scope, choices: Sequence[tuple[Piece, ...]], missing: tuple[Piece, ...]
) -> str:
    """Say which pieces lie between a number and a scope."""
    gap = abs(scope.total - total)
    extra = [piece for piece in choices[0] if piece not in missing]
    others = len(choices) - 1
    choice = "choice" if others == 1 else "choices"
    same = (
        f"; {others} other {choice} of {len(choices[0])} terms have the same sum" if others else ""
    )
    pieces = f"exactly {listed(missing or extra)}"
    if missing and extra:
        pieces = f"it leaves out {listed(missing)} and has {listed(extra)} besides"
    return (
        f"{total:,} is {gap:,} {'less' if scope.total > total else 'more'} than {scope.total:,} "
        f"({scope.name}: {scope.label}): {pieces}{same}"
    )


def listed(pieces: Iterable[Piece]) -> str:
    """Return pieces with their counts, added."""
    return " + ".join(f"{piece.label} ({piece.count:,})" for piece in pieces)
