"""One list of parts from which both the terms and the modules of a model are written.

A part is one kind of leaf module: what it is for, its inputs and outputs as formulas, and
the layers it stands in. The terms of the count gather parts (all biases of the attention in
one line); the modules spell every one of them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod

from reportgen.architectures._terms.model import (
    CLASSES,
    VOCABULARY,
    ZERO,
    Module,
    Sheet,
    layer_norm,
)
from reportgen.architectures._terms.words import BIASES, TIED
from reportgen.languages import message
from reportgen.records.checkpoint import Term
from reportgen.records.formula import (
    Constant,
    Expression,
    Power,
    Product,
    Sum,
    evaluate,
)

ONE = Constant(1)
NORM = message("layer norm a layer (weight and bias)")
TWO_NORMS = message("two layer norms a layer (weight and bias)")
TWO_RMS_NORMS = message("two RMS norms a layer (weight)")
LAST_NORM = message("last layer norm (weight and bias)")
LAST_RMS_NORM = message("last RMS norm (weight)")
# Roles of a layer's terms that stand behind its matrices.
BEHIND = {"bias": 1, "norm": 2}
COUNTED_OFF = frozenset({VOCABULARY, CLASSES})


# Term, label, role, module, inputs, outputs.
Row = tuple[str, str, str, str, Expression, Expression]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Layers of one shape.

    Attributes:
        stem: Dotted name with `#` for each number (`layers.#`).
        numbers: What stands in the places of `#`, one tuple a layer.
        count: How many layers there are, as a formula.
        tree: Where one layer stands in the module tree.
        about: What the tree says of the layers, where they are not so many alike.
        prefix: Begins the names of its terms (`decoder.`).
        also: Other spellings of the stem, for stored tensors.
        pattern: The stem as a pattern, where `#` for any number would take too many.
    """

    stem: str
    numbers: tuple[tuple[int, ...], ...]
    count: Expression
    tree: str = "layers.layer"
    about: str = ""
    prefix: str = ""
    also: tuple[str, ...] = ()
    pattern: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One kind of leaf module.

    Attributes:
        term: Name of its term; in a stack, below the stack's prefix.
        label: For people.
        role: See `Term.role`.
        kind: See `Module.kind`.
        module: Dotted name, below the stack's stem where there is a stack.
        inputs: Inputs as a formula.
        outputs: Outputs as a formula.
        bias: Whether it has a bias.
        stack: The layers it stands in; None outside of layers.
        also: Other spellings of `module` for stored tensors.
        heads: Heads that have it; None where every class has it.
        inside: Whether the name is below the backbone's name.
        tied: Whether its weight is the word-embedding table under another name.
        bias_term: Name of the term of its bias, where that is a term of its own.
        bias_names: Spellings of the bias's tensor, where they are not the module's.
        bias_label: Label of the bias's term, where it is not that of its kind.
        copies: Matrices of this shape in one parameter (experts).
        stored: Whole patterns of stored tensors below the backbone's name, besides.
        counted: Whether it has a term; False for a head that another term already counts.
        note: Said beside the term.
    """

    term: str
    label: str
    role: str
    kind: str
    module: str
    inputs: Expression
    outputs: Expression
    bias: bool = False
    stack: Stack | None = None
    also: tuple[str, ...] = ()
    heads: tuple[str, ...] | None = None
    inside: bool = True
    tied: bool = False
    bias_term: str = ""
    bias_names: tuple[str, ...] = ()
    bias_label: str = ""
    copies: Expression = ONE
    stored: tuple[str, ...] = ()
    counted: bool = True
    note: str = ""


@dataclass(slots=True)
class Blueprint:
    """A model being written down.

    Attributes:
        values: Symbol key to number.
        prefix: Name of the backbone in classes with a head, with its dot (`model.`).
        stored: That name in stored tensors as a pattern, where there are several spellings.
        parts: In the order of the forward pass.
    """

    values: Mapping[str, int]
    prefix: str = ""
    stored: str = ""
    parts: list[Part] = field(default_factory=list)

    def add(self, kind: str, term: str, label: str, role: str, module: str, **more: object) -> None:
        """Write down one part; see `Part` for what else can be said."""
        self.parts.append(
            Part(kind=kind, term=term, label=label, role=role, module=module, **more)  # type: ignore[arg-type]
        )

    def linear(self, row: Row, **more: object) -> None:
        """Write down one matrix."""
        term, label, role, module, inputs, outputs = row
        self.add("linear", term, label, role, module, inputs=inputs, outputs=outputs, **more)

    def linears(self, rows: Iterable[Row], **more: object) -> None:
        """Write down several matrices of which the same can be said."""
        for row in rows:
            self.linear(row, **more)

    def table(self, row: Row, **more: object) -> None:
        """Write down an embedding table: `inputs` rows of width `outputs`."""
        term, label, role, module, rows, width = row
        self.add("embedding", term, label, role, module, inputs=rows, outputs=width, **more)

    def words(self, module: str, rows: Expression, width: Expression, **more: object) -> None:
        """Write down the word embeddings."""
        self.table(
            ("embeddings.word", message("word embeddings"), "embedding", module, rows, width),
            **more,
        )

    def norm(self, term: str, label: str, module: str, width: Expression, **more: object) -> None:
        """Write down a norm."""
        self.add("norm", term, label, "norm", module, inputs=ONE, outputs=width, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What one part adds to one term."""

    name: str
    label: str
    role: str
    formula: Expression
    tensors: tuple[str, ...]
    part: Part


def times(*factors: Expression) -> Expression:
    """Return a product without brackets: whole numbers first, equal symbols as a power.

    Example:
        >>> from reportgen.records.formula import Symbol
        >>> d = Symbol("d")
        >>> times(d, Constant(2), d) == Product((Constant(2), Power(d, 2)))
        True
        >>> times(ONE, d) == d
        True
    """
    whole, powers = 1, dict[Expression, int]()
    for factor in factors:
        for each in factor.factors if isinstance(factor, Product) else (factor,):
            if isinstance(each, Constant) and isinstance(each.value, int):
                whole *= each.value
            elif isinstance(each, Power):
                powers[each.base] = powers.get(each.base, 0) + each.exponent
            else:
                powers[each] = powers.get(each, 0) + 1
    rest = tuple(base if n == 1 else Power(base, n) for base, n in powers.items())
    if not whole or not rest:
        return Constant(whole)
    every = rest if whole == 1 else (Constant(whole), *rest)
    return every[0] if len(every) == 1 else Product(every)


def total(formulas: Iterable[Expression]) -> Expression:
    """Return a sum in which multiples of one formula are gathered.

    Example:
        >>> from reportgen.records.formula import Symbol
        >>> d = Symbol("d")
        >>> total([times(Constant(3), d), d]) == Product((Constant(4), d))
        True
    """
    counts: dict[tuple[Expression, ...], int] = {}
    for formula in formulas:
        for each in formula.terms if isinstance(formula, Sum) else (formula,):
            factors = each.factors if isinstance(each, Product) else (each,)
            rest = tuple(f for f in factors if not is_whole(f))
            whole = prod(f.value for f in factors if isinstance(f, Constant) and is_whole(f))
            counts[rest] = counts.get(rest, 0) + int(whole)
    every = tuple(times(Constant(n), *rest) for rest, n in counts.items())
    return every[0] if len(every) == 1 else Sum(every)


def is_whole(expression: Expression) -> bool:
    """Return whether an expression is a whole number."""
    return isinstance(expression, Constant) and isinstance(expression.value, int)


def write_terms(plan: Blueprint) -> list[Term]:
    """Gather the parts into terms, in the order of their first part.

    In the terms of a layer the matrices come first, then their biases, then the norms.
    """
    found: dict[str, list[Piece]] = {}
    for part in plan.parts:
        for piece in pieces(part, plan.stored or plan.prefix) if part.counted else ():
            found.setdefault(piece.name, []).append(piece)
    sheet = Sheet(values=plan.values)
    for name, gathered in sorted_layers(found):
        first = gathered[0]
        stack = first.part.stack
        inner = total(piece.formula for piece in gathered)
        formula = times(stack.count, inner) if stack and inner != ZERO else inner
        sheet.add(
            name,
            first.label,
            first.role,
            formula,
            *dict.fromkeys(spelled for piece in gathered for spelled in piece.tensors),
            module=place_of(name, stack),
            repeat=len({numbers[0] for numbers in stack.numbers}) if stack else 1,
            note=first.part.note or (TIED if formula == ZERO else ""),
        )
    return sheet.terms


def sorted_layers(found: Mapping[str, list[Piece]]) -> Iterator[tuple[str, list[Piece]]]:
    """Yield the pieces of each term, those of one layer by matrices, biases and norms."""
    places = list(enumerate(found.items()))
    first: dict[str, int] = {}
    for place, (_, gathered) in places:
        if stack := gathered[0].part.stack:
            first.setdefault(stack.tree, place)

    def rank(entry: tuple[int, tuple[str, list[Piece]]]) -> tuple[int, int, int]:
        place, (_, gathered) = entry
        stack = gathered[0].part.stack
        if stack is None:
            return place, 0, place
        return first[stack.tree], BEHIND.get(gathered[0].role, 0), place

    for _, term in sorted(places, key=rank):
        yield term


def place_of(name: str, stack: Stack | None) -> str:
    """Return where a term stands in the module tree."""
    if stack is None:
        return name
    short = name.removeprefix(stack.prefix).removeprefix("layer.")
    return f"{stack.tree}.{short.removesuffix('.weight').removesuffix('.bias')}"


def pieces(part: Part, prefix: str) -> Iterator[Piece]:
    """Yield what a part adds: its weight, and its bias under the same or another term."""
    names = spellings(part, prefix)
    start = part.stack.prefix if part.stack else ""
    name = f"{start}{'layer.norm' if part.stack and part.term == 'norm' else part.term}"
    apart = part.bias_term or (f"{part.term.split('.')[0]}.bias" if part.stack else "")
    if part.kind in {"norm", "parameter"}:
        apart = part.bias_term
    elif part.stack:
        name += ".weight"
    sides = (part.inputs, part.outputs)
    # A matrix is written as a table is: first what is counted off, then the width.
    if part.outputs in COUNTED_OFF:
        sides = (part.outputs, part.inputs)
    weight = ZERO if part.tied else times(part.copies, *sides)
    joined = part.bias and not apart
    formula = total([weight, part.outputs]) if joined else weight
    yield Piece(
        name=name,
        label=part.label,
        role=part.role,
        formula=formula,
        tensors=(
            *(f"{each}{ending(part, joined=joined)}" for each in names),
            *(f"{optional(part, prefix)}{each}" for each in part.stored),
        ),
        part=part,
    )
    if part.bias and apart:
        group = apart.removesuffix(".bias")
        yield Piece(
            name=f"{start}{apart}",
            label=part.bias_label or BIASES.get(group, message("{part}, bias", part=part.label)),
            role="bias" if part.stack else part.role,
            formula=part.outputs,
            tensors=part.bias_names or tuple(f"{each}.bias" for each in names),
            part=part,
        )


def ending(part: Part, *, joined: bool) -> str:
    """Return how the part's tensors end, as a pattern."""
    if part.kind == "parameter":
        return ""
    if part.kind == "norm":
        return f".{layer_norm()}" if joined else ".weight"
    return ".(weight|bias)" if joined else ".weight"


def optional(part: Part, prefix: str) -> str:
    """Return the pattern of the backbone's name, which bare models lack."""
    return f"({prefix})?" if prefix and part.inside else ""


def spellings(part: Part, prefix: str) -> tuple[str, ...]:
    """Return every spelling of a part's module as a pattern, the backbone's name optional."""
    start = optional(part, prefix)
    stems = (part.stack.pattern or part.stack.stem, *part.stack.also) if part.stack else ()
    modules = (part.module, *part.also)
    if not stems:
        return tuple(f"{start}{module}" for module in modules)
    return tuple(f"{start}{stem}.{module}" for stem in stems for module in modules)


def write_modules(plan: Blueprint, head: str) -> tuple[Module, ...]:
    """Spell out the leaf modules of the class with this head, layer by layer."""
    found: list[Module] = []
    done: set[str] = set()
    for part in plan.parts:
        if part.heads is not None and head not in part.heads:
            continue
        start = plan.prefix if head and part.inside else ""
        if part.stack is None:
            found.append(module_of(part, f"{start}{part.module}", plan.values))
        elif part.stack.stem not in done:
            done.add(part.stack.stem)
            layer = [p for p in plan.parts if p.stack and p.stack.stem == part.stack.stem]
            found += layers_of(layer, start, plan.values)
    return tuple(found)


def layers_of(parts: list[Part], start: str, values: Mapping[str, int]) -> Iterator[Module]:
    """Yield the modules of every layer of one stem; stacks of one stem may share it."""
    held = [(part, part.stack, set(part.stack.numbers)) for part in parts if part.stack]
    for numbers in sorted({number for _, _, every in held for number in every}):
        for part, stack, every in held:
            if numbers in every:
                name = f"{start}{stack.stem}.{part.module}"
                for number in numbers:
                    name = name.replace("#", str(number), 1)
                yield module_of(part, name, values)


def module_of(part: Part, name: str, values: Mapping[str, int]) -> Module:
    """Return one leaf module."""
    return Module(
        name=name,
        kind=part.kind,
        in_features=0 if part.kind == "norm" else int(evaluate(part.inputs, values)),
        out_features=int(evaluate(part.outputs, values)),
        bias=part.bias,
        tied=part.tied,
        head=part.heads is not None and part.role != "pooler",
        copies=int(evaluate(part.copies, values)),
    )
