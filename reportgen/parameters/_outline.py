"""A model in the order in which data passes through it, with the parts that were counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

from reportgen.parameters._counting import Counted, count_config
from reportgen.parameters._describe import total_scope
from reportgen.parameters._expressions import keys_of
from reportgen.parameters._parts import ONE, Part, draw_sides
from reportgen.parameters._scopes import BOTH, style_of
from reportgen.parameters._terms import capital, label_of_part, pieces_of, side_label
from reportgen.parameters._words import HEADS, SIDES, TIED, Symbols, by_word, lists
from reportgen.records.checkpoint import ModelConfig, Scope
from reportgen.records.facts import ModelFacts
from reportgen.records.formula import Constant, Expression, times
from reportgen.records.record import record, replace

# Where the norms of a layer stand, and what its residual connections go around.
#
# Counts do not tell this; the code of each family does.
#
# Source: transformers 5.23, `models/*/modeling_*.py`, the `forward` of each layer; fairseq 0.12,
# `fairseq/modules/transformer_layer.py`.

# The norm stands behind the sum of a residual connection.
POST = "post"
# The norm stands in front of attention and network, inside the residual connection.
PRE = "pre"
# As before, and what is added is the output of the norm.
PRE_NORMED = "pre_normed"
# One norm in front of each and one behind it, both inside the residual connection.
SANDWICH = "sandwich"
# Attention and network read the same input, and one residual connection goes around both.
PARALLEL = "parallel"

# Wiring of a model type, where no key changes it.
ALWAYS = by_word("wirings")
# Model type and key to the wiring where the key is true, where false, and where absent.
SWITCHED = {
    # fairseq then has one more norm behind the layers, which is not counted.
    "fairseq_roberta": ("encoder_normalize_before", "", POST, POST),
    "bloom": ("apply_residual_connection_post_layernorm", PRE_NORMED, PRE, PRE),
    "opt": ("do_layer_norm_before", PRE, POST, PRE),
    "gpt_neox": ("use_parallel_residual", PARALLEL, PRE, PARALLEL),
    "falcon": ("parallel_attn", PARALLEL, PRE, PARALLEL),
    "RefinedWeb": ("parallel_attn", PARALLEL, "", PARALLEL),
    "RefinedWebModel": ("parallel_attn", PARALLEL, PRE, PARALLEL),
}


# Sides of a composite to the key of their own configuration.
CONFIGS = {"text": "text_config", "vision": "vision_config", "audio": "audio_config"}


def wiring_of_side(side: str, family: str, config: ModelConfig) -> str:
    """Return how the layers of a side are wired: as its own model type.

    Where none is stated, a side of the family's own is called after it (`clip_text_model`).
    """
    part = config.values.get(CONFIGS.get(side, ""), {})
    if not side or not isinstance(part, Mapping):
        return find_wiring(family, config)
    stated = str(part.get("model_type") or f"{family}_{side}_model")
    found = find_wiring(stated, replace(config, model_type=stated, values=part))
    return found or ("" if "model_type" in part else find_wiring(family, config))


def find_wiring(family: str, config: ModelConfig) -> str:
    """Return how a layer is wired, or an empty string where that is not known.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> find_wiring("bert", ModelConfig(source=source, model_type="bert", values={}))
        'post'
    """
    if family not in SWITCHED:
        return ALWAYS.get(family, "")
    key, on, off, absent = SWITCHED[family]
    stated = config.values.get(key)
    found = on if stated is True else off if stated is False else absent
    # No program runs grouped queries and attention before the network together.
    grouped = config.values.get("new_decoder_architecture") is True
    return "" if family == "falcon" and grouped and found == PRE else found


STACKED = 3
# First word of a term to the block of a layer that it belongs to.
BLOCKS = by_word("drawn blocks")
# Kinds of blocks that stand in each other's place, in the order of a layer.
SUBLAYERS = (
    frozenset({"attention", "state", "convolution"}),
    frozenset({"cross"}),
    frozenset({"experts", "ffn"}),
)
# Kinds of blocks in the order in which they are listed where their connections are not known.
LISTED = ("norm", "attention", "state", "convolution", "cross", "experts", "ffn", "other")
# Where a part that stands in no layer is drawn, by its block.
PLACES = by_word("places") | dict.fromkeys(HEADS.values(), "classifier")
# The most sides that stand side by side in one picture, stacks of layers in it, and blocks of
# one kind in a stack.
MOST_SIDES, MOST_STACKS, MOST_VARIANTS = 3, 6, 2
PAIR = ["encoder", "decoder"]


@record
class Weight:
    """One part of the model as it is drawn.

    Attributes:
        term: Name of its term, without its side.
        name: Last name of its module.
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
    name: str
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
# A part with what is drawn of it.
Pair = tuple[Part, Weight]


@record
class Block:
    """Attention, network, experts, norms or another kind of parts.

    Attributes:
        kind: One of `LISTED`.
        weights: Its parts.
        times: How many layers have it; 0 for parts that are of another shape in other layers.
    """

    kind: str
    weights: tuple[Weight, ...]
    times: int


@record
class Group:
    """One residual connection of a layer; see `Step` among the records of diagrams."""

    before: tuple[Norm, ...] = ()
    shared: tuple[Norm, ...] = ()
    branches: tuple[tuple[Block | Norm, ...], ...]
    after: tuple[Norm, ...] = ()
    either: bool = False


@record
class Stack:
    """Layers of one kind, one behind the other.

    Attributes:
        name: What the side calls them, empty where it has no others.
        layers: How many layers the data passes through.
        sets: How many sets of weights they have; fewer where layers share them.
        groups: The residual connections of one layer; none where they are not known.
        blocks: What a layer holds, where its connections are not known.
    """

    name: str
    layers: int
    sets: int
    groups: tuple[Group, ...] = ()
    blocks: tuple[Block, ...] = ()


@record
class Side:
    """An encoder, a decoder, another part of a model of several parts, or all of the model.

    Attributes:
        name: Such as `"encoder"`, `"decoder"` and `"vision"`, or empty.
        title: The same for people.
        source: What goes in: `"tokens"`, `"image"`, `"spectrogram"`, or empty.
        stacks: Its layers.
        loose: What stands in no layer: where it is drawn (`tables`, `relative`,
            `convolution`, `behind`, `between`, `lm_head`, `pooler`, `classifier`) to its parts.
    """

    name: str
    title: str
    source: str
    stacks: tuple[Stack, ...]
    loose: Mapping[str, tuple[Weight, ...]]


@record
class Outline:
    """A model.

    Attributes:
        values: Symbol key to number.
        scope: What is counted.
        headless: Whether the class has a head that is left out.
        sides: One, encoder and decoder, or the parts of a composite.
        between: Parts of a composite that belong to none of its sides.
        shared: Word embeddings that two sides have in common.
        feeds: Whether the sides read them; False where each has a table of its own.
        tied: Whether the output projection is the word-embedding table.
    """

    values: Mapping[str, int | float]
    scope: Scope
    headless: bool
    sides: tuple[Side, ...]
    between: tuple[Weight, ...] = ()
    shared: tuple[Weight, ...] = ()
    feeds: bool = True
    tied: bool = False


def outline(model: ModelFacts) -> Outline | None:
    """Return a model in the order of its forward pass; None where it has no layers.

    What is in it is what the ledger's total counts, so the parts add up to it.
    """
    counted = count_config(model.config) if model.ledger.family else None
    scope = total_scope(model)
    headless = scope is None
    for name in ("encoder_hf", "encoder", "body", "model"):
        scope = scope or model.ledger.scope(name)
    if counted is None or scope is None or not counted.known:
        return None
    if headless and style_of(counted.family) == BOTH:
        # A class that is not known may be one side of the model alone.
        return None
    drawn = Symbols(counted.values, counted.family.name)
    pairs = list(weigh(counted, frozenset(scope.terms), drawn))
    placed, shared, between = place_pairs(pairs)
    family = counted.family.name
    found = Outline(
        values=drawn.values,
        scope=scope,
        headless=headless,
        sides=tuple(
            build_side(name, own, wiring_of_side(name, family, model.config), model)
            for name, own in placed.items()
        ),
        between=tuple(between),
        shared=tuple(shared),
        feeds=not any(part.side and is_words(part) for part, _ in pairs),
        tied=any(TIED in t.note for t in model.ledger.terms if t.name in scope.terms),
    )
    stacks = sum(len(side.stacks) for side in found.sides)
    fits = 0 < stacks <= MOST_STACKS
    return found if fits and sum(counts_of(found)) == scope.total else None


def place_pairs(pairs: Sequence[Pair]) -> tuple[dict[str, list[Pair]], list[Weight], list[Weight]]:
    """Return the parts of each side, the words that sides share, and what is of no side.

    Heads, and other parts without a side, are of the last side that has words. Stages, and more
    sides than have room, are one.
    """
    names = list(dict.fromkeys(part.side for part, _ in pairs if part.stack))
    apart = 1 < len(names) <= MOST_SIDES and not any(name.startswith("stage") for name in names)
    worded = [part.side for part, _ in pairs if is_words(part) and part.side in names]
    home = (worded or names)[-1] if apart else ""
    placed: dict[str, list[Pair]] = {name: [] for name in names} if apart else {}
    shared: list[Weight] = []
    between: list[Weight] = []
    for part, weight in pairs:
        if names == PAIR and is_words(part) and not part.side:
            shared.append(weight)
        elif apart and not part.side and place_of(weight) == "between":
            between.append(weight)
        else:
            side = part.side if apart and part.side in names else home
            placed.setdefault(side, []).append((part, weight))
    return placed, shared, between


def weigh(counted: Counted, terms: frozenset[str], drawn: Symbols) -> Iterator[Pair]:
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
        stack, numbers = part.stack, part.weight.numbers
        layers = len({each[: stack.stem.count("*")] for each in numbers}) if stack else 0
        count = sum(tensors.count for piece in own for tensors in piece.tensors)
        yield part, weight_of(part, count // max(1, layers), layers, drawn)


def weight_of(part: Part, count: int, layers: int, drawn: Symbols) -> Weight:
    """Return a part as it is drawn."""
    sides = draw_sides(part.weight, drawn)
    copies = part.copies
    inputs: Expression
    outputs: Expression
    if part.kind == "norm" or len(sides) == 1:
        inputs, outputs = ONE, (sides or [ONE])[0]
    elif part.kind in {"embedding", "conv1d"} or (
        part.kind == "parameter" and len(sides) == 2 and part.block != "router"
    ):
        inputs, outputs = sides[0], sides[1]
    elif part.kind == "parameter" and len(sides) == STACKED and part.weight.shape[0] == 1:
        inputs, outputs = sides[1], sides[2]
    elif part.kind == "parameter" and len(sides) == STACKED:
        copies, inputs, outputs = part.weight.shape[0], sides[2], sides[1]
    elif part.kind == "conv":
        inputs, outputs = Constant(prod(part.weight.shape[1:])), sides[0]
    else:
        inputs, outputs = times(*sides[1:]) if sides else ONE, (sides or [ONE])[0]
    position = part.block == "embeddings" and part.piece in {"position", "relative"}
    return Weight(
        term=part.term,
        name=last_word(part.module),
        label=side_label(part.side, label_of_part(part, part.term)),
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


def is_words(part: Part) -> bool:
    """Return whether a part is the table of words."""
    return part.term == "embeddings.word"


def build_side(name: str, mine: Sequence[Pair], wiring: str, model: ModelFacts) -> Side:
    """Return one side: its layers, and what stands in none."""
    stacks: dict[str, list[Pair]] = {}
    loose: dict[str, list[Weight]] = {}
    for part, weight in mine:
        if part.stack:
            stacks.setdefault(part.stack.stem, []).append((part, weight))
        else:
            loose.setdefault(place_of(weight), []).append(weight)
    return Side(
        name=name,
        title=capital(SIDES.get(name, name)),
        source=source_of([part for part, _ in mine]),
        stacks=tuple(
            build_stack(last_word(stem) if len(stacks) > 1 else "", own, wiring, model)
            for stem, own in stacks.items()
        ),
        loose={where: tuple(found) for where, found in loose.items()},
    )


def source_of(parts: Sequence[Part]) -> str:
    """Return what goes into a side, by the keys that size its first parts."""
    early = [part for part in parts if part.block == "embeddings"] or parts
    sides = (side for part in early for side in part.weight.template.sides)
    used = {key.rsplit(".", 1)[-1] for side in sides for key in keys_of(side)}
    return next(
        (source for source, keys in lists("sources").items() if used.intersection(keys)), ""
    )


def last_word(name: str) -> str:
    """Return the last name of a module that is no number."""
    return next((w for w in reversed(name.split(".")) if w != "*" and not w.isdigit()), "")


def build_stack(name: str, layered: Sequence[Pair], wiring: str, model: ModelFacts) -> Stack:
    """Return the layers of one stack, connected where their wiring is known and fits them."""
    first = layered[0][0]
    deep = first.stack.stem.count("*") if first.stack else 0
    sets = len({numbers[:deep] for part, _ in layered for numbers in part.weight.numbers})
    stated = model.config.values.get("num_hidden_layers")
    loops = (loop for part, _ in layered for loop in part.weight.template.loops)
    shares = any("inner_group_num" in keys_of(loop) for loop in loops)
    layers = model.ledger.symbols.get("L", ("", stated or 12))[1] if shares else sets
    blocks = tuple(list_blocks(layered))
    groups = arrange(blocks, wiring, sets) if wiring else ()
    return Stack(
        name=name,
        layers=int(layers) if isinstance(layers, int | float) else sets,
        sets=sets,
        groups=groups,
        blocks=() if groups else blocks,
    )


def list_blocks(layered: Iterable[Pair]) -> Iterator[Block]:
    """Yield what a layer holds, a block for each kind of parts and each set of layers.

    Where they are many, as in stages of growing width, a kind is one block for all layers.
    """
    found: dict[tuple[str, frozenset[tuple[int, ...]]], list[Weight]] = {}
    for part, weight in layered:
        deep = part.stack.stem.count("*") if part.stack else 0
        kind = BLOCKS.get(part.block, part.block if part.block in LISTED else "other")
        layers = frozenset(numbers[:deep] for numbers in part.weight.numbers)
        found.setdefault((kind, layers), []).append(weight)
    for kind in LISTED:
        alike = {layers: own for (each, layers), own in found.items() if each == kind}
        if len(alike) > MOST_VARIANTS:
            every = tuple(weight for own in alike.values() for weight in own)
            yield Block(kind=kind, weights=every, times=0)
            continue
        for layers, own in alike.items():
            yield Block(kind=kind, weights=tuple(own), times=len(layers))


def place_of(weight: Weight) -> str:
    """Return where a part that stands in no layer is drawn."""
    block = weight.term.split(".")[0]
    if block in PLACES:
        return PLACES[block]
    if weight.term.startswith("embeddings.relative"):
        return "relative"
    return "convolution" if block == "convolution" else "tables"


def arrange(blocks: Sequence[Block], wiring: str, sets: int) -> tuple[Group, ...]:
    """Put blocks and norms of a layer into residual connections; empty where they do not fit."""
    listed = [block for block in blocks if block.kind == "norm"]
    norms: list[Norm] = [(weight,) for block in listed for weight in block.weights]
    whole = all(block.times == sets for block in listed)
    sub = [[block for block in blocks if block.kind in kinds] for kinds in SUBLAYERS]
    sub = [alike for alike in sub if alike]
    every = all(sum(block.times for block in alike) == sets for alike in sub)
    known = len(listed) + sum(map(len, sub)) == len(blocks)
    return connect(sub, norms, wiring) if whole and every and known else ()


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
    yield from (weight.count for weight in (*found.shared, *found.between))
    for side in found.sides:
        yield from (w.count for own in side.loose.values() for w in own)
        for stack in side.stacks:
            every: list[Block | Norm] = list(stack.blocks)
            for group in stack.groups:
                every += (*group.before, *group.shared, *group.after)
                every += (part for branch in group.branches for part in branch)
            for each in every:
                weights = each.weights if isinstance(each, Block) else each
                yield from (weight.count * weight.layers for weight in weights)
