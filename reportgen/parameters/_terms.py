"""The lines of the ledger: parts of one role gathered, with their formula and their label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from reportgen.languages import Message, message
from reportgen.parameters._explain import spellings
from reportgen.parameters._expressions import INDICES, draw, keys_of
from reportgen.parameters._parts import ONE, ROLES, Part, formula_of
from reportgen.parameters._words import BIASES, LABELS, NORMS, ROWS, SIDES, TIED, Symbols, told
from reportgen.parameters.modules import spelled
from reportgen.parameters.tensors import BUFFER, Tensors
from reportgen.records.checkpoint import Term
from reportgen.records.formula import (
    Constant,
    Difference,
    Expression,
    Quotient,
    Rounded,
    Symbol,
    evaluate,
    symbols,
    times,
    total,
)
from reportgen.records.record import record, replace

ZERO = Constant(0)
# Roles of a layer's terms that stand behind its matrices.
BEHIND = {"bias": 1, "norm": 2}
# Roles outside of layers whose biases are a term of their own, and its name.
EMBEDDINGS = frozenset({"embedding", "position"})
BIAS = "embeddings.bias"
# Forms of conditions on the number of a layer, and how many layers they let through.
FROM = re.compile(r"i>=([\w.]+)")
BEFORE = re.compile(r"i<([\w.]+)")
EVERY = re.compile(r"\(i\+1\)%([\w.]+)==0")
FIRST_OF = re.compile(r"i%([\w.]+)==0")
# So many tensors of one name are spelled out where another term has tensors of that name.
MOST_SPELLED = 200
NUMBERS = re.compile(r"(?<![^.])\d+(?![^.])")
KIND_OF_LAYER = re.compile(r"[\w.]+\[i\]=='(\w+)'")
LAYERS_WITH = {
    "experts": ("moe", message("layers with experts")),
    "router": ("moe", message("layers with experts")),
    "shared": ("moe", message("layers with experts")),
    "ffn": ("ffn", message("layers with one feed-forward network")),
    "attention": ("att", message("layers with attention")),
    "state": ("ssm", message("layers with a state-space block")),
}


# Name of a term, and the classes that have it.
Key = tuple[str, frozenset[str]]


@record(kw_only=False)
class Piece:
    """What one part adds to one term."""

    name: str
    label: str
    role: str
    tensors: tuple[Tensors, ...]
    part: Part

    @property
    def key(self) -> Key:
        """What is gathered into one term: one name, in the same classes."""
        return self.name, self.part.classes


def write_terms(
    parts: Sequence[Part], drawn: Symbols
) -> tuple[list[tuple[Term, frozenset[str]]], dict[Key, str]]:
    """Gather the parts into terms, each with the classes that have it.

    In the terms of a layer the matrices come first, then their biases, then the norms.
    """
    counts = {block: sum(p.block == block for p in parts) for block in ("lm_head", "classifier")}
    gathered: dict[Key, list[Piece]] = {}
    names: dict[Key, str] = {}
    for part in parts:
        for piece in pieces_of(part, counts):
            gathered.setdefault(piece.key, []).append(piece)
    seen: dict[str, int] = {}
    found: list[tuple[Term, frozenset[str]]] = []
    every = {tensors.name for part in parts for tensors in part.tensors()}
    kinds = (
        {NUMBERS.sub("*", tensors.name) for piece in own for tensors in piece.tensors}
        for own in gathered.values()
    )
    terms_of = Counter(name for own in kinds for name in own)
    several = frozenset(kind for kind, terms in terms_of.items() if terms > 1)
    rivals = Rivals(longer_starts(every), several)
    for (name, classes), own in sorted_layers(gathered):
        seen[name] = seen.get(name, 0) + 1
        unique = name if seen[name] == 1 else f"{name}.{seen[name]}"
        term = write_term(unique, own, drawn, rivals)
        # A head of some classes may be that of others under another name.
        twin = next(
            (
                place
                for place, (other, held) in enumerate(found)
                if other.name == name and other.formula == term.formula and not held & classes
            ),
            -1,
        )
        names[name, classes] = term.name if twin < 0 else found[twin][0].name
        if twin < 0:
            found.append((term, classes))
            continue
        seen[name] -= 1
        other, held = found[twin]
        spelled = f"{other.tensors}|{term.tensors}"
        found[twin] = replace(other, tensors=spelled), held | classes
    return found, names


def pieces_of(part: Part, counts: dict[str, int]) -> Iterator[Piece]:
    """Yield what a part adds: its weight and its bias, together or to terms of their own."""
    if part.kind == BUFFER:
        return
    start = f"{part.side}." if part.side else ""
    if part.stack is None:
        yield from pieces_outside(part, start, counts)
        return
    if part.kind == "norm":
        name = "layer.norm" if part.block == "norm" else f"{part.block}.norm"
        label = LABELS.get(name, NORMS["more"])
        yield Piece(start + name, label, "norm", tuple(part.tensors()), part)
        return
    weight, bias = part.weight_and_bias
    if weight is not None:
        label, role = label_of_part(part, part.term), ROLES.get(part.block, "ffn")
        yield Piece(f"{start}{part.term}.weight", label, role, (weight,), part)
    if bias is not None:
        label = BIASES.get(part.block, BIASES["other"])
        yield Piece(f"{start}{part.block}.bias", label, "bias", (bias,), part)


def pieces_outside(part: Part, start: str, counts: dict[str, int]) -> Iterator[Piece]:
    """Yield what a part outside of layers adds; heads keep their biases, embeddings do not."""
    term = part.term
    role = {"lm_head": "lm_head"}.get(part.block, "head") if part.head else "embedding"
    if part.block == "lm_head":
        term = term.replace(".out", ".projection")
    if counts.get(part.block) == 1:
        term = part.block
    weight, bias = part.weight_and_bias
    if weight is None:
        term = {"token_head": "token_bias", "lm_head": "lm_head.bias"}.get(part.block, term)
    label, role = label_of_part(part, term), ROWS["roles outside"].get(term, role)
    if part.tied and part.bias is not None:
        yield Piece(start + term, label, role, (part.weight,), part)
        label = LABELS["lm_head.bias"]
        yield Piece(f"{start}lm_head.bias", label, role, (part.bias,), part)
    elif bias is not None and role in EMBEDDINGS and part.block != "lm_head":
        if weight is not None:
            yield Piece(start + term, label, role, (weight,), part)
        yield Piece(f"{start}{BIAS}", BIASES["embeddings"], "bias", (bias,), part)
    else:
        yield Piece(start + term, label, role, tuple(part.tensors()), part)


def label_of_part(part: Part, term: str) -> str:
    """Return the label of a part's term."""
    return LABELS.get(term, LABELS.get(part.block, LABELS["other"]))


Gathered = tuple[Key, list[Piece]]


def sorted_layers(gathered: dict[Key, list[Piece]]) -> Iterator[Gathered]:
    """Yield the pieces of each term, those of one layer by matrices, biases and norms."""
    places = list(enumerate(gathered.items()))
    first: dict[str, int] = {}
    for place, (_, own) in places:
        if stack := own[0].part.stack:
            first.setdefault(stack.side, place)

    def rank(entry: tuple[int, Gathered]) -> tuple[int, int, int]:
        place, (_, own) = entry
        stack = own[0].part.stack
        if stack is None:
            return place, 0, place
        return first[stack.side], BEHIND.get(own[0].role, 0), place

    for _, each in sorted(places, key=rank):
        yield each


def write_term(name: str, own: Sequence[Piece], drawn: Symbols, rivals: Rivals) -> Term:
    """Return one line: the sum of its pieces, the number of layers taken out where it is one."""
    first = own[0]
    layers: dict[Expression, list[Expression]] = {}
    for piece in own:
        for tensors in piece.tensors:
            factor = layer_count(tensors, piece.part, drawn)
            layers.setdefault(factor, []).append(formula_of(tensors, drawn))
    sums = [
        inner if (inner := total(formulas)) == ZERO or factor == ONE else times(factor, inner)
        for factor, formulas in layers.items()
    ]
    formula = sums[0] if len(sums) == 1 else total(sums)
    return Term(
        name=name,
        label=side_label(first.part.side, label_of(own)),
        role=first.role,
        formula=formula,
        values={symbol.key: drawn.values[symbol.key] for symbol in symbols(formula)},
        tensors=pattern(own, drawn, rivals),
        module=place_of(name, first.part),
        repeat=repeats(own),
        note=TIED if formula == ZERO else "",
    )


def label_of(own: Sequence[Piece]) -> str:
    """Return the label of a term; norms say how many there are, and other parts where they are."""
    first, modules = own[0], {piece.part.module: piece.part.stack for piece in own}
    if first.role == "norm" and first.part.block == "norm":
        counts = {*Counter(stack.stem for stack in modules.values() if stack).values()}
        biased = " with bias" if first.part.bias is not None else ""
        return NORMS.get(f"{counts.pop()}{biased}" if len(counts) == 1 else "", NORMS["more"])
    if first.part.kind == "norm" and first.part.block == "final" and len(modules) > 1:
        return LABELS["other.norm"]
    if first.part.block == "other" and first.part.piece not in {"", "norm"}:
        return message("other weights: {module}", module=first.part.piece)
    return first.label


def side_label(side: str, what: str) -> str:
    """Return a label with the side of the model in front."""
    if not side:
        return what
    if side == "encoder":
        return message("encoder: {what}", what=what)
    if side == "decoder":
        return message("decoder: {what}", what=what)
    return message("{side}: {what}", side=SIDES.get(side, side), what=what)


def place_of(name: str, part: Part) -> str:
    """Return where a term stands in the module tree."""
    if part.stack is None:
        return name
    start = f"{part.side}." if part.side else ""
    short = name.removeprefix(start).removeprefix("layer.")
    root = part.side or "layers"
    return f"{root}.layer.{short.removesuffix('.weight').removesuffix('.bias')}"


def repeats(own: Sequence[Piece]) -> int:
    """Return how many layers a term's formula includes, 1 where that is not one number."""
    stack = own[0].part.stack
    if stack is None:
        return 1
    deep = stack.stem.count("*")
    counts = {
        len({numbers[:deep] for numbers in tensors.numbers})
        for piece in own
        for tensors in piece.tensors
    }
    return counts.pop() if len(counts) == 1 else 1


def layer_count(tensors: Tensors, part: Part, drawn: Symbols) -> Expression:
    """Return how often a template's tensors repeat, as a formula that gives that number."""
    template = tensors.template
    if not template.loops or (part.stack is None and len(tensors.numbers) == 1):
        return ONE
    inner = [text for text in template.conditions if keys_of(text) & set(INDICES)]
    fixed = not any(keys_of(loop) & set(INDICES) for loop in template.loops)
    bounds = [draw(loop, drawn.named, drawn.known) for loop in template.loops] if fixed else []
    count = len(tensors.numbers)
    candidates = [times(*bounds)] if bounds else []
    if len(bounds) == len(inner) == 1:
        candidates += closed_forms(inner[0], bounds[0], drawn)
    for each in candidates:
        if evaluate(each, drawn.values) == count:
            return each
    return counted_layers(inner, part, count, drawn)


def closed_forms(condition: str, layers: Expression, drawn: Symbols) -> Iterator[Expression]:
    """Yield the number of layers that a condition lets through, where it has a known form."""
    for form, write in (
        (FROM, lambda key: Difference(layers, key)),
        (BEFORE, lambda key: key),
        (EVERY, lambda key: rounded(Quotient(layers, key), drawn, up=False)),
        (FIRST_OF, lambda key: rounded(Quotient(layers, key), drawn, up=True)),
    ):
        found = form.fullmatch(condition)
        if found and not found[1].isdigit():
            yield write(drawn.named(found[1]))
        elif found:
            yield write(Constant(int(found[1])))


def rounded(quotient: Quotient, drawn: Symbols, *, up: bool) -> Expression:
    """Return a quotient rounded, or as it is where it is whole."""
    return quotient if isinstance(evaluate(quotient, drawn.values), int) else Rounded(quotient, up)


def counted_layers(inner: Sequence[str], part: Part, count: int, drawn: Symbols) -> Symbol:
    """Return a symbol for the layers that have a part, where no short formula counts them."""
    kind = next((m[1] for text in inner if (m := KIND_OF_LAYER.fullmatch(text))), "")
    mark, meaning = LAYERS_WITH.get(part.block, (part.block, message("layers that have this part")))
    if kind:
        words = kind.replace("_", " ")
        mark, meaning = words, message("layers of the kind {kind}", kind=words)
    if part.side:
        mark = f"{mark},{part.side}"
    return drawn.counted("L", mark, meaning, count)


@record(kw_only=False)
class Rivals:
    """What stands in the way of a pattern for the names of a term's tensors.

    Attributes:
        starts: Name to the pattern of what stands in front of it in names of other tensors.
        several: Names, with `*` for every number, that tensors of several terms have.
    """

    starts: Mapping[str, str]
    several: frozenset[str]


def longer_starts(names: Collection[str]) -> dict[str, str]:
    r"""Return name to the pattern of what stands in front of it in longer names that end in it."""
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        words = name.split(".")
        for place in range(1, len(words)):
            rest = ".".join(words[place:])
            if rest in names:
                found.setdefault(rest, []).append(
                    re.escape(name.removesuffix(rest)).replace(r"\*", r"\d+")
                )
    return {name: "|".join(starts) for name, starts in found.items()}


def pattern(own: Sequence[Piece], drawn: Symbols, rivals: Rivals) -> str:
    """Return a regular expression for the names of a term's tensors, however they are spelled."""
    names: dict[str, None] = {}
    for piece in own:
        for tensors in piece.tensors:
            others = rivals.starts.get(tensors.name)
            front = rf"(?!(\w+\.)*({others}))(\w+\.)*" if others else r"(\w+\.)*"
            several = NUMBERS.sub("*", tensors.name) in rivals.several
            if several and len(tensors.numbers) <= MOST_SPELLED:
                names |= dict.fromkeys(front + re.escape(n) for n in spelled(tensors, tensors.name))
                continue
            norm = piece.part.kind == "norm"
            for each in spellings(tensors.name, drawn.family, drawn.last, norm=norm):
                names[front + each] = None
    return "|".join(names)


# The module tree of a model, written from its terms.

Row = tuple[int, str, str, int | None]

GROUPS = told("groups")
PARTS = told("parts")


def write_tree(
    title: str, about: str, terms: Iterable[Term], shapes: Mapping[str, str]
) -> tuple[Row, ...]:
    """Return the rows of the tree: depth, title, description, parameters."""
    terms = tuple(terms)
    rows: list[Row] = [(0, title, about, None)]
    for root in dict.fromkeys(term.module.split(".")[0] for term in terms):
        below = [term for term in terms if term.module.split(".")[0] == root]
        inner = [term for term in below if ".layer." in f"{term.module}."]
        if inner:
            rows += stack_rows(root, below, inner, shapes)
        elif len(below) == 1:
            rows.append((1, *leaf(below[0], shapes)[1:]))
        else:
            title = GROUPS.get(root, capital(SIDES.get(root, root)))
            rows.append((1, title, "", sum(term.count for term in below)))
            rows += [leaf(term, shapes) for term in below]
    return tuple(rows)


def stack_rows(
    root: str, below: Sequence[Term], inner: Sequence[Term], shapes: Mapping[str, str]
) -> Iterator[Row]:
    """Yield the rows of layers: the whole, what is before, one layer and its parts, the rest."""
    layers = max(term.repeat for term in inner)
    title = GROUPS.get(root, capital(SIDES.get(root, root)))
    alike = all(term.repeat == layers for term in inner)
    words = message("{layers} layers of several kinds", layers=layers)
    if alike:
        words = message("{layers} identical layers", layers=layers)
    yield 1, title, words, sum(term.count for term in below)
    first = below.index(inner[0])
    yield from (leaf(term, shapes) for term in below[:first])
    one = sum(term.count // term.repeat for term in inner)
    yield 2, message("One layer"), "", one if alike else None
    start = inner[0].module.partition(".layer.")[0] + ".layer."
    for part in dict.fromkeys(term.module.removeprefix(start).split(".")[0] for term in inner):
        found = [t for t in inner if t.module.removeprefix(start).split(".")[0] == part]
        words = title_of(found[0])
        if len(found) > 1:
            words = PARTS.get(part) or capital(LABELS.get(part, LABELS["other"]))
        # What is one formula for unlike layers has no size in one of them.
        whole = layers > 1 and any(term.repeat == 1 for term in found)
        where = message("all layers together") if whole else ""
        counts = (term.count if whole else term.count // term.repeat for term in found)
        yield 3, words, where, sum(counts)
    yield from (leaf(term, shapes) for term in below[first:] if term not in inner)


def leaf(term: Term, shapes: Mapping[str, str]) -> Row:
    """Return the row of what stands outside of layers."""
    return 2, title_of(term), term.note or shapes.get(term.name, ""), term.count


def title_of(term: Term) -> str:
    """Return a term's label below the row that already says the side."""
    label = term.label
    if isinstance(label, Message) and label.pattern.partition(": ")[2] == "{what}":
        what = label.places["what"]
        return capital(what if isinstance(what, str) else str(what))
    return capital(label)


def capital(label: str) -> str:
    """Return a label with a capital first letter."""
    return message("{label:cap}", label=label)


def size_words(layers: int, width: int, heads: int = 0) -> str:
    """Return the size of a model: its layers, their width, and the heads where they are known."""
    if not heads:
        return message("{layers} layers, width {width}", layers=layers, width=width)
    return message(
        "{layers} layers, width {width}, {heads} attention heads",
        layers=layers,
        width=width,
        heads=heads,
    )
