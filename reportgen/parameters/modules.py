"""Leaf modules of a model: what adapters sit on, and what their weights are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reportgen.records.checkpoint import TensorSpec


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """

    name: str
    kind: str
    in_features: int
    out_features: int
    bias: bool = False
    tied: bool = False
    head: bool = False
    copies: int = 1

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
