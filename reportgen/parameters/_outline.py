"""A model in the order in which data passes through it, with the parts that were counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from reportgen.parameters._counting import Counted, count_config
from reportgen.parameters._describe import total_scope
from reportgen.parameters._expressions import draw, keys_of
from reportgen.parameters._parts import HEADS, ONE, Part, ordered
from reportgen.parameters._scopes import BOTH, style_of
from reportgen.parameters._symbols import Symbols
from reportgen.parameters._terms import pieces_of, side_label
from reportgen.parameters._wiring import PARALLEL, POST, PRE_NORMED, SANDWICH, find_wiring
from reportgen.parameters._words import LABELS, TIED
from reportgen.records.checkpoint import Scope
from reportgen.records.facts import ModelFacts
from reportgen.records.formula import Constant, Expression, times

STACKED = 3
# First word of a term to the block of a layer that it belongs to.
BLOCKS = {
    "attention": "attention",
    "cross": "cross",
    "ffn": "ffn",
    "router": "experts",
    "experts": "experts",
    "shared": "experts",
}
# Where a part that stands in no layer is drawn, by its block.
PLACES = {
    **dict.fromkeys(("head", *HEADS.values()), "classifier"),
    "lm_head": "lm_head",
    "pooler": "pooler",
    "final": "behind",
}
# The most kinds of layers that one picture shows.
MOST_SIDES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """One part of the model as it is drawn.

    Attributes:
        term: Name of its term, without its side.
        label: For people.
        kind: See `Module.kind`.
        role: `position` for tables of positions, else its block.
        inputs: Inputs, or rows of a table.
        outputs: Outputs, or the width of a table.
        bias: Whether it has a bias.
        tied: Whether it is the word-embedding table under another name.
        count: Parameters that the scope counts, of one layer where it stands in layers.
        copies: How many of this shape a layer has (experts).
        layers: How many layers have it; 0 outside of layers.
    """

    term: str
    label: str
    kind: str
    role: str
    inputs: Expression
    outputs: Expression
    bias: bool
    tied: bool
    count: int
    copies: int = 1
    layers: int = 0


# One norm; empty where it has no parameters.
Norm = tuple[Weight, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Attention, cross-attention, network or experts, and how many layers have it."""

    kind: str
    weights: tuple[Weight, ...]
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One residual connection of a layer; see `Step` among the records of diagrams."""

    before: tuple[Norm, ...] = ()
    shared: tuple[Norm, ...] = ()
    branches: tuple[tuple[Block | Norm, ...], ...]
    after: tuple[Norm, ...] = ()
    either: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """An encoder, a decoder, or all of the model.

    Attributes:
        name: `"encoder"`, `"decoder"`, or empty.
        layers: How many layers the data passes through.
        sets: How many sets of weights they have; fewer where layers share them.
        groups: The residual connections of one layer.
        loose: What stands in no layer: where it is drawn (`tables`, `relative`,
            `convolution`, `behind`, `lm_head`, `pooler`, `classifier`) to its parts.
    """

    name: str
    layers: int
    sets: int
    groups: tuple[Group, ...]
    loose: Mapping[str, tuple[Weight, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A model.

    Attributes:
        values: Symbol key to number.
        scope: What is counted.
        headless: Whether the class has a head that is left out.
        sides: One or two.
        shared: Word embeddings that two sides have in common.
        feeds: Whether the sides read them; False where each has a table of its own.
        tied: Whether the output projection is the word-embedding table.
    """

    values: Mapping[str, int | float]
    scope: Scope
    headless: bool
    sides: tuple[Side, ...]
    shared: tuple[Weight, ...] = ()
    feeds: bool = True
    tied: bool = False


def outline(model: ModelFacts) -> Outline | None:
    """Return a model in the order of its forward pass; None where that is not known for sure.

    What is in it is what the ledger's total counts, so the parts add up to it.
    """
    family = model.ledger.family
    wiring = find_wiring(family, model.config) if family else ""
    counted = count_config(model.config) if wiring else None
    scope = total_scope(model)
    headless = scope is None
    scope = scope or model.ledger.scope("encoder_hf") or model.ledger.scope("encoder")
    scope = scope or model.ledger.scope("body") or model.ledger.scope("model")
    if counted is None or scope is None or not counted.known:
        return None
    if headless and style_of(counted.family) == BOTH:
        # A class that is not known may be one side of the model alone.
        return None
    drawn = Symbols(counted.values, counted.family.name)
    pairs = list(weigh(counted, frozenset(scope.terms), drawn))
    names = list(dict.fromkeys(part.side for part, _ in pairs if part.stack)) or [""]
    if len(names) > MOST_SIDES or (len(names) > 1 and names != ["encoder", "decoder"]):
        return None
    sides = [build_side(name, pairs, wiring, model, last=names[-1]) for name in names]
    known = tuple(side for side in sides if side is not None)
    if len(known) < len(sides):
        return None
    shared = tuple(w for part, w in pairs if len(names) > 1 and is_shared(part))
    found = Outline(
        values=drawn.values,
        scope=scope,
        headless=headless,
        sides=known,
        shared=shared,
        feeds=not any(part.side and part.term == "embeddings.word" for part, _ in pairs),
        tied=any(TIED in t.note for t in model.ledger.terms if t.name in scope.terms),
    )
    return found if sum(counts_of(found)) == scope.total else None


def weigh(counted: Counted, terms: frozenset[str], drawn: Symbols) -> Iterator[tuple[Part, Weight]]:
    """Yield every part of which some term is counted, with what of it is."""
    counts = {b: sum(p.block == b for p in counted.parts) for b in ("lm_head", "classifier")}
    # A head of some classes may be that of others under another name: one of them is drawn.
    heads: dict[str, frozenset[str]] = {}
    for part in counted.parts:
        named = [(counted.names[piece.key], piece) for piece in pieces_of(part, counts)]
        named = [(name, piece) for name, piece in named if name in terms]
        if part.head:
            named = [pair for pair in named if heads.get(pair[0], part.classes) & part.classes]
            heads |= {n: part.classes for n, p in named if any(t.count for t in p.tensors)}
        # A side's own name of the words that both sides share is no second table.
        if not named or (part.tied and part.block == "embeddings"):
            continue
        own = [piece for _, piece in named]
        layers = layers_of_part(part)
        count = sum(tensors.count for piece in own for tensors in piece.tensors)
        yield part, weight_of(part, count // max(1, layers), layers, drawn)


def layers_of_part(part: Part) -> int:
    """Return in how many layers a part stands, 0 outside of layers."""
    if part.stack is None:
        return 0
    deep = part.stack.stem.count("*")
    return len({numbers[:deep] for numbers in part.weight.numbers})


def weight_of(part: Part, count: int, layers: int, drawn: Symbols) -> Weight:
    """Return a part as it is drawn."""
    sides = [drawn_side(part, place, drawn) for place in range(len(part.weight.shape))]
    copies = part.copies
    inputs: Expression
    outputs: Expression
    if part.kind == "norm" or len(sides) == 1:
        inputs, outputs = ONE, (sides or [ONE])[0]
    elif part.kind in {"embedding", "conv1d"} or (part.kind == "parameter" and len(sides) == 2):
        inputs, outputs = sides[0], sides[1]
    elif part.kind == "parameter" and len(sides) == STACKED:
        copies, inputs, outputs = part.weight.shape[0], sides[2], sides[1]
    elif part.kind == "conv":
        inputs, outputs = Constant(prod(part.weight.shape[1:])), sides[0]
    else:
        inputs, outputs = times(*sides[1:]) if sides else ONE, (sides or [ONE])[0]
    position = part.block == "embeddings" and part.piece in {"position", "relative"}
    return Weight(
        term=part.term,
        label=side_label(part.side, LABELS.get(part.term, LABELS.get(part.block, LABELS["other"]))),
        kind=part.kind,
        role="position" if position else part.block,
        inputs=inputs,
        outputs=outputs,
        bias=part.bias is not None,
        tied=part.tied,
        count=count,
        copies=copies,
        layers=layers,
    )


def drawn_side(part: Part, place: int, drawn: Symbols) -> Expression:
    """Return one side of a part's weight in symbols, or as a number."""
    text = part.weight.template.sides[place]
    if keys_of(text) & {"i", "j", "k"}:
        return Constant(part.weight.shape[place])
    return ordered(draw(text, drawn.named, drawn.known))


def is_shared(part: Part) -> bool:
    """Return whether a part is the table of words that no side has for itself."""
    return part.term == "embeddings.word" and not part.side


def build_side(
    name: str,
    pairs: Sequence[tuple[Part, Weight]],
    wiring: str,
    model: ModelFacts,
    *,
    last: str,
) -> Side | None:
    """Return one side; None where it has no layers, or other norms than its wiring says.

    Parts that name no side are drawn in the last one: heads, and a decoder's own words.
    """
    mine = [
        (part, weight)
        for part, weight in pairs
        if (part.side or last) == name and not (name and is_shared(part))
    ]
    layered = [(part, weight) for part, weight in mine if part.stack]
    groups = arrange([weight for _, weight in layered], wiring)
    if not layered or not groups:
        return None
    loose: dict[str, list[Weight]] = {}
    for part, weight in mine:
        if part.stack is None:
            loose.setdefault(place_of(weight), []).append(weight)
    sets = max(weight.layers for _, weight in layered)
    stated = model.config.values.get("num_hidden_layers")
    shares = "inner_group_num" in counted_keys(layered)
    layers = model.ledger.symbols.get("L", ("", stated or 12))[1] if shares else sets
    return Side(
        name=name,
        layers=int(layers) if isinstance(layers, int | float) else sets,
        sets=sets,
        groups=groups,
        loose={where: tuple(found) for where, found in loose.items()},
    )


def counted_keys(layered: Iterable[tuple[Part, Weight]]) -> set[str]:
    """Return the keys that bound the numbers of some layers."""
    loops = (loop for part, _ in layered for loop in part.weight.template.loops)
    return {key for loop in loops for key in keys_of(loop)}


def place_of(weight: Weight) -> str:
    """Return where a part that stands in no layer is drawn."""
    block = weight.term.split(".")[0]
    if block in PLACES:
        return PLACES[block]
    if weight.term.startswith("embeddings.relative"):
        return "relative"
    return "convolution" if block == "convolution" else "tables"


def arrange(weights: Iterable[Weight], wiring: str) -> tuple[Group, ...]:
    """Put blocks and norms of a layer into residual connections; empty where they do not fit."""
    found: dict[str, list[Weight]] = {}
    norms: list[Norm] = []
    for weight in weights:
        kind = BLOCKS.get(weight.term.split(".")[0], "")
        if weight.term == "norm":
            norms.append((weight,))
        elif kind:
            found.setdefault(kind, []).append(weight)
        else:
            return ()
    blocks = {
        kind: Block(kind=kind, weights=tuple(own), times=own[0].layers)
        for kind, own in found.items()
    }
    last = [blocks[kind] for kind in ("experts", "ffn") if kind in blocks]
    inner = [[blocks[kind]] for kind in ("attention", "cross") if kind in blocks]
    return connect([*inner, last], norms, wiring) if last else ()


def connect(sub: list[list[Block]], norms: list[Norm], wiring: str) -> tuple[Group, ...]:
    """Return the residual connections around the blocks; a block may have an alternative."""
    if wiring == PARALLEL:
        return connect_parallel(sub, norms)
    norms = norms or [()] * len(sub)
    each = 2 if wiring == SANDWICH else 1
    if len(norms) != each * len(sub):
        return ()
    groups = []
    for place, blocks in enumerate(sub):
        own = norms[place * each : (place + 1) * each]
        inside = wiring not in {POST, PRE_NORMED}
        branches: tuple[tuple[Block | Norm, ...], ...] = tuple(
            (*own[:1], block, *own[1:]) if inside and len(blocks) == 1 else (block,)
            for block in blocks
        )
        groups.append(
            Group(
                before=(own[0],) if wiring == PRE_NORMED else (),
                shared=(own[0],) if inside and len(blocks) > 1 else (),
                branches=branches,
                after=(own[0],) if wiring == POST else (),
                either=len(blocks) > 1,
            )
        )
    return tuple(groups)


def connect_parallel(sub: list[list[Block]], norms: list[Norm]) -> tuple[Group, ...]:
    """Return the one connection around attention and network, with one norm or one for each."""
    blocks = [block for blocks in sub for block in blocks]
    if len(norms) == len(blocks):
        pairs = zip(norms, blocks, strict=True)
        return (Group(branches=tuple((norm, block) for norm, block in pairs)),)
    if len(norms) != 1:
        return ()
    return (Group(shared=(norms[0],), branches=tuple((block,) for block in blocks)),)


def counts_of(found: Outline) -> Iterator[int]:
    """Yield the parameters of everything that is drawn, every layer counted."""
    yield from (weight.count for weight in found.shared)
    for side in found.sides:
        yield from (w.count for own in side.loose.values() for w in own)
        for group in side.groups:
            every = [*group.before, *group.shared, *group.after]
            for each in every + [part for branch in group.branches for part in branch]:
                weights = each.weights if isinstance(each, Block) else each
                yield from (weight.count * weight.layers for weight in weights)
