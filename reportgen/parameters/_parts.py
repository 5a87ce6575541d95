"""The parts of a model: its tensors gathered into modules, each with a role and a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.parameters._expressions import draw, keys_of
from reportgen.parameters._words import HEADS, NAMES, ROWS, Symbols, by_word, first_inside, lists
from reportgen.parameters.families import ModelClass
from reportgen.parameters.modules import KINDS
from reportgen.parameters.tensors import BUFFER, Tensors
from reportgen.records.formula import Constant, Expression, Product, times
from reportgen.records.formula import symbols as symbols_of
from reportgen.records.record import record, replace

ONE = Constant(1)
MATRIX = 2
BLOCKS, EMBEDDINGS, BEHIND = lists("blocks"), lists("embeddings"), lists("behind")
ATTENTION_PIECES, NETWORK_PIECES = lists("attention pieces"), lists("network pieces")
# Order of the pieces that stand in no layer.
PASS = ("word", "position", "token_type", "class", "patch", "dense", "norm", "out", "bias")
# Symbols that stand first in a product, in this order.
ORDER = ("E", "V", "P", "P_rel", "T", "C", "c", "H", "H_kv", "d_h", "d")
# Conditions that the first layer alone meets.
FIRST_LAYER = frozenset({"i<1", "i==0"})
# Roles of classes whose head gives words.
SPEAKING = frozenset({"CausalLM", "MaskedLM", "Seq2SeqLM", "LMHead", "ImageTextToText"})
ROLES = by_word("roles")
INNER = {"norm": NAMES["inner norms"]}


@record(kw_only=False)
class Stack:
    """Layers of one shape: where they stand, and which numbers they have."""

    stem: str
    numbers: tuple[tuple[int, ...], ...]
    side: str = ""


@record
class Part:
    """One kind of module of a model.

    Attributes:
        block: What it belongs to (`attention`, `ffn`, `embeddings`, `lm_head`, ...).
        piece: What it is there (`query`, `in`, `word`, ...), or empty.
        side: The part of a model of several parts that it is in, or empty.
        kind: See `Module.kind`; `"buffer"` for what is stored and never trained.
        module: Dotted name with `*` for numbers, without the name of the backbone.
        weight: Its weight, or the only tensor it has.
        bias: Its bias, or None.
        stack: The layers it stands in; None outside of layers.
        classes: Names of the classes that have it.
        head: Whether it belongs to a head.
        inside: Whether the backbone's name stands in front in classes with a head.
    """

    block: str
    piece: str = ""
    side: str = ""
    kind: str
    module: str
    weight: Tensors
    bias: Tensors | None = None
    stack: Stack | None = None
    classes: frozenset[str] = frozenset()
    head: bool = False
    inside: bool = True

    @property
    def term(self) -> str:
        """Name of its term, without the side."""
        return f"{self.block}.{self.piece}" if self.piece else self.block

    @property
    def tied(self) -> bool:
        """Whether its weight is another's storage under a second name."""
        return bool(self.weight.shares)

    @property
    def copies(self) -> int:
        """How many of this shape one layer has: its experts, where each is a module."""
        if self.stack is None or self.module.count("*") <= self.stack.stem.count("*"):
            return 1
        return max(1, len(self.weight.numbers) // max(1, len(self.stack.numbers)))

    @property
    def weight_and_bias(self) -> tuple[Tensors | None, Tensors | None]:
        """Its weight, and its bias, which may be all that it has."""
        alone = self.bias is None and self.weight.name.endswith("bias")
        return (None, self.weight) if alone else (self.weight, self.bias)

    def tensors(self) -> Iterator[Tensors]:
        """Yield its weight and its bias."""
        yield self.weight
        if self.bias is not None:
            yield self.bias


@record(kw_only=False)
class Entry:
    """Tensors under their bare name, with the classes that have them."""

    name: str
    tensors: Tensors
    classes: frozenset[str]
    inside: bool


def gather_entries(
    base: ModelClass, known: Mapping[str, tuple[ModelClass, Sequence[Tensors]]]
) -> list[Entry]:
    """Return the tensors of several classes, each once, in the order of the forward pass."""
    bare = {template.name for template in base.templates}
    found: dict[tuple[str, tuple[int, ...], tuple[tuple[int, ...], ...], str], Entry] = {}
    for name, (own, tensors) in known.items():
        plain = {each.name: each.name.removeprefix(own.prefix) for each in tensors}
        held = set(plain.values())
        for each in tensors:
            short = plain[each.name]
            _, _, rest = short.partition(".")
            if short not in bare and rest in bare and rest not in held:
                # One side of the model alone, inside a module of its own.
                short = rest
            inside = short in bare
            short = short if inside else each.name
            key = (short, each.shape, tuple(each.numbers), each.shares and "tied")
            before = found.get(key)
            classes = (before.classes if before else frozenset()) | {name}
            first = before.tensors if before else each
            found[key] = Entry(short, first, classes, inside)
    return list(found.values())


def parts_of(
    base: ModelClass, known: Mapping[str, tuple[ModelClass, Sequence[Tensors]]]
) -> list[Part]:
    """Return the parts of a model of several classes: what they share, and their heads."""
    entries = gather_entries(base, known)
    roles = {name: own.role for name, (own, _) in known.items()}
    stacks = find_stacks(entry for entry in entries if entry.inside)
    modules: dict[tuple[str, frozenset[str], tuple[tuple[int, ...], ...]], dict[str, Entry]] = {}
    for entry in entries:
        module, _, ending = entry.name.rpartition(".")
        if ending not in {"weight", "bias"} or not module:
            module, ending = entry.name, "weight"
        key = (module, entry.classes, tuple(entry.tensors.numbers))
        modules.setdefault(key, {})[ending] = entry
    found = [place_part(module, own, stacks, roles) for (module, *_), own in modules.items()]
    return sorted(found, key=lambda part: forward(part, found))


def forward(part: Part, parts: Sequence[Part]) -> tuple[int, int]:
    """Return the place of a part in the forward pass: tables and heads in their usual order."""
    beside = [
        n for n, each in enumerate(parts) if (each.block, each.side) == (part.block, part.side)
    ]
    own = PASS.index(part.piece) if part.piece in PASS else len(PASS)
    if part.stack is not None:
        return parts.index(part), 0
    return beside[0], own


def find_stacks(entries: Iterable[Entry]) -> dict[str, Stack]:
    """Return the stacks of layers by their stems, each with the part of the model it is in."""
    numbers: dict[str, dict[tuple[int, ...], None]] = {}
    for entry in entries:
        stem = stem_of(entry.name)
        if stem:
            deep = stem.count("*")
            own = numbers.setdefault(stem, {})
            own.update(dict.fromkeys(each[:deep] for each in entry.tensors.numbers))
    sides = name_sides(list(numbers))
    return {stem: Stack(stem, tuple(sorted(own)), sides[stem]) for stem, own in numbers.items()}


def stem_of(name: str) -> str:
    """Return the name up to its last number that counts layers; empty outside of layers.

    Example:
        >>> stem_of("layers.*.mlp.experts.*.up_proj.weight"), stem_of("encoder.0.blocks.*.norm")
        ('layers.*', 'encoder.0.blocks.*')
    """
    words = name.split(".")
    last = 0
    for place, word in enumerate(words):
        if word == "*" and "expert" not in words[place - 1]:
            last = place + 1
    return ".".join(words[:last])


def name_sides(stems: list[str]) -> dict[str, str]:
    """Name the part of a model that each stack is in, where there is more than one."""
    split = {stem: stem.split(".") for stem in stems}
    if len(stems) <= 1:
        return dict.fromkeys(stems, "")
    shared = 0
    while all(
        len(words) > shared + 1 and words[shared] == next(iter(split.values()))[shared]
        for words in split.values()
    ):
        shared += 1
    return {stem: side_named(words[shared], words) for stem, words in split.items()}


def side_named(word: str, words: Sequence[str]) -> str:
    """Return the name of a side without the words that all sides have.

    Layers of stages are of no other side than what their stage holds beside them.
    """
    if word == "*":
        return ""
    if word.isdigit():
        return f"stage {word}"
    for ending in NAMES["side words"]:
        if word != ending.removeprefix("_"):
            word = word.removesuffix(ending)
    word = ROWS["same sides"].get(word, word)
    number = next((each for each in words[1:] if each.isdigit()), "")
    return f"{word} {number}".strip().replace("_", " ")


def place_part(
    module: str, own: Mapping[str, Entry], stacks: Mapping[str, Stack], roles: Mapping[str, str]
) -> Part:
    """Return a module as a part with its role and place."""
    first = own.get("weight") or own["bias"]
    bias = own["bias"].tensors if "weight" in own and "bias" in own else None
    stem = stem_of(first.name) if first.inside else ""
    stack = stacks.get(stem)
    part = Part(
        block="other",
        side=stack.side if stack else side_outside(module, stacks),
        kind=kind_of(first),
        module=module,
        weight=first.tensors,
        bias=bias,
        stack=stack,
        classes=first.classes,
        head=not first.inside,
        inside=first.inside,
    )
    if part.head:
        return place_head(part, roles)
    if part.kind == BUFFER:
        return replace(part, block="buffers")
    if part.kind == "embedding" and FIRST_LAYER & set(first.tensors.template.conditions):
        # A table that the first layer holds for all of them stands beside the layers.
        return place_outside(replace(part, stack=None), stacks)
    return place_in_layer(part) if stack else place_outside(part, stacks)


def side_outside(module: str, stacks: Mapping[str, Stack]) -> str:
    """Return the side of what stands beside a stack of layers, in no other."""
    words = module.split(".")
    for stack in stacks.values():
        if not stack.side:
            continue
        root = stack.stem.split(".")
        deep = next((n for n, (a, b) in enumerate(zip(root, words, strict=False)) if a != b), 0)
        others = [s.stem.split(".")[:deep] for s in stacks.values() if s.side != stack.side]
        if deep and root[:deep] not in others:
            return stack.side
    return ""


def kind_of(entry: Entry) -> str:
    """Return the kind of a module; see `Module.kind`."""
    tensors = entry.tensors
    owner = tensors.template.kind
    if len(tensors.shape) == 1 and owner in {"Linear", "Conv1D"}:
        return "parameter"
    if owner in {*KINDS, BUFFER}:
        return KINDS.get(owner, BUFFER)
    single = len(tensors.shape) == 1 and entry.name.endswith((".weight", ".bias", ".gamma"))
    return "norm" if single and "norm" in f"{owner} {entry.name}".lower() else "parameter"


def place_in_layer(part: Part) -> Part:
    """Return a part of a layer with its block and piece."""
    below = part.module.removeprefix(f"{part.stack.stem}.") if part.stack else part.module
    lowered = below.lower()
    block = first_inside(lowered, BLOCKS) or "other"
    if part.kind == "norm":
        narrow = block in {"attention", "cross"} and first_inside(lowered, INNER)
        inner = narrow or block == "state"
        return replace(part, block=block, piece="norm") if inner else replace(part, block="norm")
    words = [word for word in lowered.split(".") if word != "*"] or [""]
    last = ".".join(words[-2:]), words[-1]
    if block == "shared" and last[-1].endswith("gate"):
        return replace(part, block="shared", piece="switch")
    sides = part.weight.template.sides
    # A gate that chooses experts has as many rows as there are.
    chooses = last[-1] in NAMES["routers"] and sides and "expert" in sides[0]
    if block in {"ffn", "experts", "other"} and chooses:
        return replace(part, block="router")
    if block in {"attention", "cross"}:
        return replace(part, block=block, piece=piece_of(last, ATTENTION_PIECES))
    if block in {"ffn", "experts", "shared"}:
        return replace(part, block=block, piece=piece_of(last, NETWORK_PIECES))
    return replace(part, block=block)


def piece_of(words: Sequence[str], table: Mapping[str, tuple[str, ...]]) -> str:
    """Return the piece that a table knows by one of some words."""
    for word in words:
        for piece, names in table.items():
            if word in names:
                return piece
    return "other"


def place_outside(part: Part, stacks: Iterable[str]) -> Part:
    """Return a part that stands in none of the layers with its block and piece."""
    name = part.module.lower()
    block = next(
        (block for block, words in BEHIND.items() if any(word in name for word in words)), ""
    )
    if block:
        return replace(part, block=block)
    sides = part.weight.template.sides
    used = {key.rsplit(".", 1)[-1] for side in sides[:1] for key in keys_of(side)}
    if part.kind == "norm":
        early = "emb" in name or {"pre", "input"} & {*name.replace("_", ".").split(".")}
        holder = part.module.rpartition(".")[0]
        beside = any(f".{stem}".startswith(f".{holder}.".replace("..", ".")) for stem in stacks)
        block = "embeddings" if early else "final" if beside or not stacks else "other"
        return replace(part, block=block, piece="norm")
    if "vocab_size" in used and part.kind != "linear" and len(sides) == MATRIX:
        return replace(part, block="embeddings", piece="word")
    if "type_vocab_size" in used:
        return replace(part, block="embeddings", piece="token_type")
    if "relative" in name or "rel_embeddings" in name:
        return replace(part, block="embeddings", piece="relative")
    if "projection_dim" in used:
        return replace(part, block="common")
    piece = first_inside(name, EMBEDDINGS)
    if not piece and part.kind == "embedding":
        piece = "word"
    if piece:
        return replace(part, block="embeddings", piece=piece)
    return replace(part, piece=part.module.partition(".")[0])


def place_head(part: Part, roles: Mapping[str, str]) -> Part:
    """Return a part of a head with its block and piece."""
    held = {roles[name] for name in part.classes}
    if held & SPEAKING:
        return replace(part, block="lm_head", piece=head_piece(part))
    block = next((block for role, block in HEADS.items() if role in held), "head")
    if block != "classifier":
        return replace(part, block=block)
    return replace(part, block=block, piece=head_piece(part))


def head_piece(part: Part) -> str:
    """Return what a part of a head is: its last projection, a dense layer, or a norm."""
    if part.kind == "norm":
        return "norm"
    name = part.weight.name
    if part.kind == "parameter" and name.endswith("bias"):
        return "bias"
    sides = part.weight.template.sides
    used = {key.rsplit(".", 1)[-1] for key in keys_of(sides[0])} if sides else set()
    if used & {"vocab_size", "num_labels"} or part.tied:
        return "out"
    return "dense"


def formula_of(tensors: Tensors, symbols: Symbols, *, layers: Expression = ONE) -> Expression:
    """Return how many parameters some tensors have, as a formula in symbols."""
    if tensors.shares:
        return Constant(0)
    return times(layers, *sorted(draw_sides(tensors, symbols), key=rank))


def rank(side: Expression) -> int:
    """Return the place of a factor in a product: what is counted off comes first."""
    first = next(symbols_of(side), None)
    return ORDER.index(first.key) if first and first.key in ORDER else len(ORDER)


def draw_sides(tensors: Tensors, symbols: Symbols) -> list[Expression]:
    """Return sides in symbols; one that changes from layer to layer is a number."""
    found: list[Expression] = []
    for text, size in zip(tensors.template.sides, tensors.shape, strict=True):
        side: Expression = Constant(size)
        if not keys_of(text) & {"i", "j", "k"}:
            side = draw(text, symbols.named, symbols.known)
        if isinstance(side, Product):
            # What is counted off comes first: heads, then the width of each.
            side = Product(tuple(sorted(side.factors, key=rank)))
        found.append(side)
    return found
