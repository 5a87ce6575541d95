"""A model in the order in which data passes through it, with the parts that were counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from reportgen.architectures._terms import HEADS, OTHER, Blueprint, L, Part, Stack
from reportgen.architectures._terms.blueprint import pieces
from reportgen.ledger._describe import TWO_SIDED, architecture, head_named, total_scope
from reportgen.ledger._wiring import PARALLEL, POST, PRE_NORMED, SANDWICH, find_wiring
from reportgen.records.checkpoint import Scope
from reportgen.records.facts import ModelFacts
from reportgen.records.formula import Product, evaluate

SIDES = ("encoder", "decoder")
# Scopes of a model whose head is not known here: what all its classes have in common.
WITHOUT_HEAD = ("encoder_hf", "encoder", "backbone", "body", "model")
# First word of a term to the block of a layer that it belongs to.
BLOCKS = {
    "attention": "attention",
    "cross": "cross",
    "ffn": "ffn",
    "router": "experts",
    "experts": "experts",
    "shared": "experts",
}
# Where a part that stands in no layer is drawn, by its role.
PLACES = {
    "lm_head": "lm_head",
    "head": "classifier",
    "token_head": "classifier",
    "pooler": "pooler",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """One part of the model as it is drawn.

    Attributes:
        part: Where it stands and its shape.
        count: Parameters that the scope counts, of one layer where it stands in layers.
        copies: How many of this shape a layer has (experts that are stored apart).
    """

    part: Part
    count: int
    copies: int = 1


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

    values: Mapping[str, int]
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
    scope = total_scope(model) if wiring else None
    headless = scope is None
    if wiring and headless and not may_lack_a_side(model):
        found = (model.ledger.scope(name) for name in WITHOUT_HEAD)
        scope = next((each for each in found if each is not None), None)
    if scope is None:
        return None
    plan = architecture(family).draw_plan(model.config)[0]
    weights = list(weigh(plan, frozenset(scope.terms)))
    names = [name for name in SIDES if any(side_of(w) == name for w in weights)] or [""]
    sides = [build_side(name, weights, plan.values, wiring, last=names[-1]) for name in names]
    known = tuple(side for side in sides if side is not None)
    if len(known) < len(sides):
        return None
    return Outline(
        values=plan.values,
        scope=scope,
        headless=headless,
        sides=known,
        shared=tuple(w for w in weights if len(names) > 1 and is_shared(w)),
        feeds=not any(w.part.term in {"encoder.words", "decoder.words"} for w in weights),
        tied=any(w.part.tied for w in weights),
    )


def may_lack_a_side(model: ModelFacts) -> bool:
    """Return whether a class whose parts are not known here may be one side of the model alone."""
    return model.ledger.family in TWO_SIDED and head_named(model.config) == OTHER


def weigh(plan: Blueprint, terms: frozenset[str]) -> Iterator[Weight]:
    """Yield every part of which some term is counted, with what of it is."""
    for part in plan.parts:
        own = [piece for piece in pieces(part, "") if piece.name in terms] if part.counted else []
        if own:
            copies = copies_in_layer(part.stack)
            count = sum(int(evaluate(piece.formula, plan.values)) for piece in own)
            yield Weight(part=part, count=count * copies, copies=copies)


def copies_in_layer(stack: Stack | None) -> int:
    """Return how many parts of a stack stand in one layer: its experts, where each is a module."""
    if stack is None or "experts.#" not in stack.stem:
        return 1
    return len(stack.numbers) // len({numbers[0] for numbers in stack.numbers})


def side_of(weight: Weight) -> str:
    """Return the side that a part names, or an empty string."""
    stack, term = weight.part.stack, weight.part.term
    named = stack.prefix if stack else term
    return next((side for side in SIDES if named.startswith(f"{side}.")), "")


def is_shared(weight: Weight) -> bool:
    """Return whether a part is the table of words that no side has for itself."""
    own = weight.part.module.startswith(tuple(f"{side}." for side in SIDES))
    return weight.part.term == "embeddings.word" and not own


def build_side(
    name: str, weights: Iterable[Weight], values: Mapping[str, int], wiring: str, *, last: str
) -> Side | None:
    """Return one side; None where it has no layers, or other norms than its wiring says.

    Parts that name no side are drawn in the last one: heads, and a decoder's own words.
    """
    mine = [w for w in weights if (side_of(w) or last) == name and not (name and is_split(w, last))]
    stacks = [w.part.stack for w in mine if w.part.term == "attention.output" and w.part.stack]
    groups = arrange([w for w in mine if w.part.stack], wiring)
    if not stacks or not groups:
        return None
    loose: dict[str, list[Weight]] = {}
    for weight in mine:
        if weight.part.stack is None:
            loose.setdefault(place_of(weight), []).append(weight)
    sets = len(stacks[0].numbers)
    # Where groups of layers share weights, the number of layers is stated beside them.
    shares = isinstance(stacks[0].count, Product)
    return Side(
        name=name,
        layers=values[L.key] if shares else sets,
        sets=sets,
        groups=groups,
        loose={where: tuple(found) for where, found in loose.items()},
    )


def is_split(weight: Weight, last: str) -> bool:
    """Return whether a table is shared with the other side and so belongs to none."""
    return last == "decoder" and is_shared(weight)


def place_of(weight: Weight) -> str:
    """Return where a part that stands in no layer is drawn."""
    part = weight.part
    if part.role in PLACES:
        return PLACES[part.role]
    if part.term.startswith("embeddings.relative") or part.outputs == HEADS:
        return "relative"
    if part.term.startswith("convolution."):
        return "convolution"
    return (
        "behind" if part.term.endswith(("final.norm", "final_norm", "embeddings.out")) else "tables"
    )


def arrange(weights: Iterable[Weight], wiring: str) -> tuple[Group, ...]:
    """Put blocks and norms of a layer into residual connections; empty where they do not fit."""
    found: dict[tuple[str, str], list[Weight]] = {}
    norms: list[Norm] = []
    for weight in weights:
        kind, stack = BLOCKS.get(weight.part.term.split(".")[0], ""), weight.part.stack
        if not kind:
            norms.append((weight,))
        elif stack is not None:
            found.setdefault((kind, stack.tree), []).append(weight)
    blocks = {
        kind: Block(kind=kind, weights=tuple(own), times=layers_of(own))
        for (kind, _), own in found.items()
    }
    last = [blocks[kind] for kind in ("experts", "ffn") if kind in blocks]
    inner = [[blocks[kind]] for kind in ("attention", "cross") if kind in blocks]
    return connect([*inner, last], norms, wiring) if last else ()


def layers_of(weights: Iterable[Weight]) -> int:
    """Return in how many layers these parts stand."""
    return next(len(w.part.stack.numbers) // w.copies for w in weights if w.part.stack is not None)


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
