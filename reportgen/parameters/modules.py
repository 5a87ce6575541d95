"""Leaf modules of a model: what adapters sit on, and what their weights are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING

from reportgen.records.checkpoint import TensorSpec
from reportgen.records.record import record, replace

if TYPE_CHECKING:
    from reportgen.parameters.tensors import Tensors

STACKED = 3
KINDS = {
    "Linear": "linear",
    "Conv1D": "conv1d",
    "Embedding": "embedding",
    "Conv1d": "conv",
    "Conv2d": "conv",
    "Conv3d": "conv",
}


@record
class Module:
    """One leaf module of a model under its Hugging Face name.

    Attributes:
        name: Dotted name (`roberta.encoder.layer.0.attention.self.query`).
        kind: `"linear"`, `"conv1d"` (GPT-2: the weight is stored transposed), `"embedding"`
            (`in_features` rows of `out_features`), `"norm"`, `"conv"` (a convolution) or
            `"parameter"` (no module: a tensor that stands under `name` itself).
        in_features: Inputs; 0 for a norm, channels times kernel for a convolution.
        out_features: Outputs.
        bias: Whether it has a bias.
        tied: Whether its weight is the word-embedding table under another name.
        head: Whether it belongs to a head (output embedding or task head).
        copies: How many matrices of this shape one parameter holds (experts).
        sizes: Shape of the stored weight, where inputs and outputs do not tell it.
    """

    name: str
    kind: str
    in_features: int
    out_features: int
    bias: bool = False
    tied: bool = False
    head: bool = False
    copies: int = 1
    sizes: tuple[int, ...] = ()

    @property
    def weight_count(self) -> int:
        """Elements of the weight, tied or not."""
        return self.copies * self.out_features * (self.in_features if self.kind != "norm" else 1)

    @property
    def bias_count(self) -> int:
        """Elements of the bias."""
        return self.out_features if self.bias else 0

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the stored weight."""
        if self.sizes:
            return self.sizes
        if self.kind == "norm":
            return (self.out_features,)
        if self.copies > 1:
            return (self.copies, self.out_features, self.in_features)
        if self.kind in {"linear", "conv"}:
            return (self.out_features, self.in_features)
        return (self.in_features, self.out_features)


def tensors_of(modules: Iterable[Module]) -> Iterator[TensorSpec]:
    """Yield every parameter of the modules under its Hugging Face name."""
    for module in modules:
        shares = "the word embeddings" if module.tied else ""
        name = module.name if module.kind == "parameter" else f"{module.name}.weight"
        yield TensorSpec(name=name, shape=module.shape, shares=shares)
        if module.bias:
            yield TensorSpec(name=f"{module.name}.bias", shape=(module.out_features,))


def list_modules(tensors: Iterable[Tensors], base: Sequence[str] = ()) -> tuple[Module, ...]:
    """Return the leaf modules that own some tensors, every layer spelled out.

    Args:
        tensors: All of one class.
        base: Names of the tensors that are no head's; empty where nothing is a head.
    """
    found: dict[str, Module] = {}
    biases: list[tuple[str, str]] = []
    inside = frozenset(base)
    for each in tensors:
        if not each.trains:
            continue
        head = bool(inside) and each.name not in inside
        first = spelled(each, each.shares)
        for name, shared in zip(spelled(each, each.name), first, strict=True):
            stem, _, last = name.rpartition(".")
            if last == "bias" and stem:
                biases.append((stem, shared))
            owned = last == "weight" and kind_of(each) != "parameter"
            module = module_of(each, stem if owned else name, head=head)
            found[module.name] = module
    for stem, shared in biases:
        if stem in found:
            # One tensor under two names is listed once, where the module is that uses it.
            listed = shared.removesuffix(".bias") in found
            found[stem] = replace(found[stem], bias=not listed)
            found.pop(f"{stem}.bias")
            found.pop(shared, None)
    return tuple(found.values())


def spelled(tensors: Tensors, name: str) -> Iterator[str]:
    """Yield the names of tensors with their numbers.

    Args:
        tensors: Which.
        name: Their own name, or that of others with the same numbers.
    """
    pieces = name.split("*")
    for numbers in tensors.numbers:
        yield "".join(
            f"{piece}{number}"
            for piece, number in zip(pieces, (*map(str, numbers), ""), strict=False)
        )


def module_of(tensors: Tensors, name: str, *, head: bool) -> Module:
    """Return the module of one weight."""
    shape, kind = tensors.shape, kind_of(tensors)
    sizes, copies = (prod(shape[1:]), shape[0] if shape else 1), 1
    if kind == "norm":
        sizes = 0, shape[0]
    elif kind in {"conv1d", "embedding", "parameter"} and len(shape) == STACKED - 1:
        sizes = shape[0], shape[1]
    elif kind != "conv" and len(shape) == STACKED:
        copies, sizes = shape[0], (shape[2], shape[1])
    return Module(
        name=name,
        kind=kind,
        in_features=sizes[0],
        out_features=sizes[1],
        tied=bool(tensors.shares),
        head=head,
        copies=copies,
        sizes=shape,
    )


def kind_of(tensors: Tensors) -> str:
    """Return the kind of a module; see `Module.kind`."""
    owner = tensors.template.kind
    if len(tensors.shape) > 1 and owner in KINDS:
        return KINDS[owner]
    named = tensors.name.endswith("weight")
    return "norm" if named and len(tensors.shape) == 1 else "parameter"
