"""Weights of a stack: many checkpoints with the same names, one tensor [S, ...] for each name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from reportgen.errors import EvidenceError

_PREFIXES = {
    "roberta": "roberta.",
    "camembert": "roberta.",
    "xlm-roberta": "roberta.",
    "bert": "bert.",
}
"""Model type to what the encoder's weights begin with."""
_GELU = {
    "gelu": "none",
    "gelu_new": "tanh",
    "gelu_pytorch_tanh": "tanh",
}
"""`hidden_act` to the approximation that it names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the weights do not tell: how they are put together.

    Attributes:
        prefix: What the encoder's weights begin with.
        layers: Hidden layers.
        heads: Heads of attention.
        epsilon: Of layer normalisation.
        gelu: Approximation of GELU, `"none"` or `"tanh"`.
        first_position: Row of the first token in the table of positions.
        dense: Weight and bias of the layer before the last begin so.
        out: Weight and bias of the last layer begin so.
        drop_before_dense: True where dropout comes before `dense`, too.
    """

    prefix: str
    layers: int
    heads: int
    epsilon: float
    gelu: str
    first_position: int
    dense: str
    out: str
    drop_before_dense: bool


def read_shape(config: Mapping[str, Any]) -> Shape:
    """Read what a stack needs of a Hugging Face config.json.

    Raises:
        EvidenceError: It is of another family, or names something that is not computed here.
    """
    kind = str(config.get("model_type", ""))
    act = config.get("hidden_act", "gelu")
    places = config.get("position_embedding_type") or "absolute"
    if kind not in _PREFIXES or act not in _GELU or places != "absolute":
        raise EvidenceError(
            f"no stack for model_type {kind!r} with hidden_act {act!r} and positions {places!r}",
            remedy=f"known: {', '.join(_PREFIXES)}; {', '.join(_GELU)}; absolute positions",
        )
    bert = kind == "bert"
    pad = config.get("pad_token_id")
    return Shape(
        prefix=_PREFIXES[kind],
        layers=int(config["num_hidden_layers"]),
        heads=int(config["num_attention_heads"]),
        epsilon=float(config.get("layer_norm_eps", 1e-12)),
        gelu=_GELU[act],
        # RoBERTa counts from the row after padding's, which nothing uses.
        first_position=0 if bert else (1 if pad is None else int(pad)) + 1,
        dense="bert.pooler.dense." if bert else "classifier.dense.",
        out="classifier." if bert else "classifier.out_proj.",
        drop_before_dense=not bert,
    )


def weight_names(shape: Shape) -> tuple[str, ...]:
    """Return the names that a published checkpoint has, in its order."""
    parts = ("word_embeddings.weight", "position_embeddings.weight", "token_type_embeddings.weight")
    names = [f"embeddings.{part}" for part in parts]
    blocks = ["embeddings.LayerNorm"]
    inner = (
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
        "attention.output.LayerNorm",
        "intermediate.dense",
        "output.dense",
        "output.LayerNorm",
    )
    blocks += [f"encoder.layer.{i}.{part}" for i in range(shape.layers) for part in inner]
    names += [f"{block}.{kind}" for block in blocks for kind in ("weight", "bias")]
    heads = [f"{head}{kind}" for head in (shape.dense, shape.out) for kind in ("weight", "bias")]
    return tuple(shape.prefix + name for name in names) + tuple(heads)


def stack_weights(
    states: Sequence[Mapping[str, Tensor]], shape: Shape, device: torch.device
) -> dict[str, Tensor]:
    """Return one float32 tensor [S, ...] for each name; keys and values of a layer are one.

    Raises:
        EvidenceError: A weight is missing, or members differ in shape.
    """
    stacked = {}
    for name in weight_names(shape):
        found = [state.get(name) for state in states]
        parts = [part for part in found if part is not None]
        if len(parts) < len(found) or len({part.shape for part in parts}) > 1:
            raise EvidenceError(
                f"weight {name} is missing, or has not one shape, in the checkpoints to stack",
                remedy="train checkpoints of one architecture together, each with its head",
            )
        stacked[name] = torch.stack([part.detach().to(device, torch.float32) for part in parts])
    for key, value, both in _pairs(stacked):
        stacked[both] = torch.cat((stacked.pop(key), stacked.pop(value)), dim=1)
    return {name: tensor.requires_grad_() for name, tensor in stacked.items()}


def member_weights(stacked: Mapping[str, Tensor], shape: Shape, member: int) -> dict[str, Tensor]:
    """Return copies of one member's weights under the names of `weight_names`."""
    own = {name: tensor[member].detach() for name, tensor in stacked.items()}
    for name in [name for name in own if ".pair." in name]:
        key, value = own.pop(name).chunk(2)
        own[name.replace(".pair.", ".key.")] = key
        own[name.replace(".pair.", ".value.")] = value
    return {name: own[name].to("cpu", copy=True).contiguous() for name in weight_names(shape)}


def decays(name: str) -> bool:
    """Tell whether weight decay applies: not to biases and normalisations."""
    return not name.endswith(("bias", "LayerNorm.weight"))


def _pairs(names: Iterable[str]) -> list[tuple[str, str, str]]:
    return [
        (name, name.replace(".key.", ".value."), name.replace(".key.", ".pair."))
        for name in names
        if ".attention.self.key." in name
    ]
