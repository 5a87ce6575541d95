"""Checkpoints of fairseq's RoBERTa under the names of Hugging Face, with their config.

Nothing of fairseq is needed, and the file is never unpickled: it keeps its settings as objects of
argparse or omegaconf, and what loads these runs whatever it names. Names, shapes and settings come
from the reader of headers, and the numbers from where it says they lie.

The logits of what comes out are fairseq's own (`tests/oracle`);
that takes more than names: the activation, the epsilon of the normalisation and, above all, the
number of heads, which no shape tells.

Source: `fairseq/models/roberta/model.py`, `fairseq/modules/transformer_layer.py` and
`fairseq/modules/multihead_attention.py` (`upgrade_state_dict_named`), fairseq 0.6 to 0.12.2;
`transformers/models/roberta/modeling_roberta.py`, transformers 5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.read.weights import Place, locate_torch, read_torch
from reportgen.records.errors import EvidenceError

if TYPE_CHECKING:
    from torch import Tensor

HEAD = "sentence_classification_head"
"""What fairseq's own recipes call the head of a classifier."""

Shapes = Mapping[str, tuple[int, ...]]

_REMEDY = "convert the model to a Hugging Face folder and pass that"
_CUT = "save the checkpoint again, whole"
_LAYER = re.compile(r"layers\.(\d+)\.(.+)")
# A second copy of every layer, for a fast path of inference; after training it is out of date.
_COPY = re.compile(r"(?:in_proj|out_proj|fc1|fc2)_(?:weight|bias)")
_KIND = re.compile(r"(.+)[._](weight|bias)")
_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
_OF_LAYER = {
    "self_attn.q_proj": "attention.self.query",
    "self_attn.k_proj": "attention.self.key",
    "self_attn.v_proj": "attention.self.value",
    "self_attn.out_proj": "attention.output.dense",
    "self_attn_layer_norm": "attention.output.LayerNorm",
    "fc1": "intermediate.dense",
    "fc2": "output.dense",
    "final_layer_norm": "output.LayerNorm",
}
_FUSED = ("query", "key", "value")
_OUTSIDE = {
    "embed_tokens": "embeddings.word_embeddings",
    "embed_positions": "embeddings.position_embeddings",
    "layernorm_embedding": "embeddings.LayerNorm",
    "emb_layer_norm": "embeddings.LayerNorm",
}
_ACTIVATIONS = {
    "gelu": "gelu",
    "relu": "relu",
    "gelu_accurate": "gelu_new",
    "gelu_fast": "gelu_new",
    "tanh": "tanh",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One tensor of the result: block `part` of `parts` equal ones that the source is cut into."""

    source: str
    target: str
    part: int = 0
    parts: int = 1


def move_encoder(shapes: Shapes, name: str) -> tuple[Move, ...]:
    """Say where every tensor of the encoder goes.

    The tables go as they are: both libraries count positions from the padding id on, so that 256
    positions have 258 rows. What belongs to the language model's head, to the fast path of
    inference or to the file format is left behind; anything else unknown is refused.

    Example:
        >>> [(m.target, m.part) for m in move_encoder(
        ...     {"decoder.sentence_encoder.layers.0.self_attn.in_proj_bias": (12,)}, "model.pt")]
        [('roberta.encoder.layer.0.attention.self.query.bias', 0),
         ('roberta.encoder.layer.0.attention.self.key.bias', 1),
         ('roberta.encoder.layer.0.attention.self.value.bias', 2)]
    """
    moves: list[Move] = []
    for source in shapes:
        inner = re.fullmatch(r"(?:encoder|decoder)\.sentence_encoder\.(.+)", source)
        if inner and inner[1] != "version":
            found = _moves_of(source, inner[1])
            if found is None:
                raise EvidenceError(
                    f"{name} holds {source[:120]}, which no RoBERTa of fairseq has", remedy=_REMEDY
                )
            moves.extend(found)
    if not moves:
        raise EvidenceError(
            f"{name} holds no encoder of fairseq's RoBERTa",
            remedy="pass a checkpoint of fairseq's RoBERTa or a Hugging Face folder",
        )
    return tuple(moves)


def _moves_of(source: str, inner: str) -> tuple[Move, ...] | None:
    """Return where one tensor goes: nowhere for a copy, None where it is not known."""
    layer = _LAYER.fullmatch(inner)
    if layer and _COPY.fullmatch(layer[2]):
        return ()
    found = _KIND.fullmatch(layer[2] if layer else inner)
    if found is None:
        return None
    module, kind = found.groups()
    if not layer:
        there = _OUTSIDE.get(module)
        return (Move(source=source, target=f"roberta.{there}.{kind}"),) if there else None
    prefix = f"roberta.encoder.layer.{layer[1]}"
    if module == "self_attn.in_proj":
        targets = [f"{prefix}.attention.self.{part}.{kind}" for part in _FUSED]
        return tuple(
            Move(source=source, target=target, part=part, parts=len(targets))
            for part, target in enumerate(targets)
        )
    there = _OF_LAYER.get(module)
    return (Move(source=source, target=f"{prefix}.{there}.{kind}"),) if there else None


def move_head(shapes: Shapes, classes: int, name: str) -> tuple[tuple[Move, ...], str]:
    """Say where the head of a classifier goes, whatever it is called.

    Returns:
        The moves, empty where the file has no head that fits, and why it does not.

    Raises:
        EvidenceError: It has several heads, none by fairseq's usual name.
    """
    names = sorted({source.split(".")[1] for source in shapes if _is_head(source)})
    if not names:
        return (), ""
    if len(names) > 1 and HEAD not in names:
        raise EvidenceError(
            f"{name} holds {len(names)} heads of classifiers: {', '.join(names[:5])}",
            remedy=f"keep one, or call the one to use {HEAD}",
        )
    chosen = HEAD if HEAD in names else names[0]
    prefix = f"classification_heads.{chosen}"
    inner = shapes.get(f"{prefix}.dense.weight", ())
    outer = shapes.get(f"{prefix}.out_proj.weight", ())
    if inner[:1] != inner[1:] or outer != (classes, *inner[1:]):
        sizes = " and ".join(str(list(size)) for size in (inner, outer))
        return (), f"the head {chosen} of {name} has sizes {sizes}: not one for {classes} classes"
    return tuple(
        Move(source=f"{prefix}.{module}.{kind}", target=f"classifier.{module}.{kind}")
        for module in ("dense", "out_proj")
        for kind in ("weight", "bias")
        if f"{prefix}.{module}.{kind}" in shapes
    ), ""


def _is_head(source: str) -> bool:
    return source.startswith("classification_heads.") and source.count(".") > 2


def read_config(
    arguments: Mapping[str, object], shapes: Shapes, moves: tuple[Move, ...], name: str
) -> dict[str, object]:
    """Return the `config.json` of the model, by what the file says of its training.

    Raises:
        EvidenceError: The number of heads is not stated or divides nothing, or the model is built
            in a way that Hugging Face's RoBERTa is not.
    """
    sizes = {move.target: shapes[move.source] for move in moves if move.part == 0}
    words = _table(sizes, "roberta.embeddings.word_embeddings.weight", name)
    positions = _table(sizes, "roberta.embeddings.position_embeddings.weight", name)
    width = words[1]
    _check_build(arguments, name)
    if "roberta.embeddings.LayerNorm.bias" not in sizes:
        raise EvidenceError(f"{name} lacks embeddings.LayerNorm.bias", remedy=_CUT)
    return {
        "model_type": "roberta",
        "vocab_size": words[0],
        "hidden_size": width,
        "num_hidden_layers": _count_layers(sizes),
        "num_attention_heads": _count_heads(arguments, width, name),
        "intermediate_size": _table(
            sizes, "roberta.encoder.layer.0.intermediate.dense.weight", name
        )[0],
        "max_position_embeddings": positions[0],
        "hidden_act": _ACTIVATIONS[str(arguments.get("activation_fn", "gelu"))],
        "layer_norm_eps": 1e-5,
        "type_vocab_size": 1,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
    }


def _count_heads(arguments: Mapping[str, object], width: int, name: str) -> int:
    heads = arguments.get("encoder_attention_heads")
    if isinstance(heads, int) and not isinstance(heads, bool) and heads > 0 and not width % heads:
        return heads
    what = "does not say" if heads is None else f"says {str(heads)[:20]!r} of"
    raise EvidenceError(
        f"{name} {what} how many attention heads its {width} channels have",
        remedy=f"no shape tells it: {_REMEDY}",
    )


def _table(sizes: Shapes, target: str, name: str) -> tuple[int, int]:
    found = sizes.get(target, ())
    if len(found) != 2:
        raise EvidenceError(f"{name} lacks {target.removeprefix('roberta.')}", remedy=_CUT)
    return found[0], found[1]


def _count_layers(sizes: Shapes) -> int:
    """Return how many layers there are; what one of them lacks is found as the model is built."""
    found = (re.match(r"roberta\.encoder\.layer\.(\d+)\.", target) for target in sizes)
    # Not the highest number: a stranger may have written it.
    return len({one[1] for one in found if one})


def _check_build(arguments: Mapping[str, object], name: str) -> None:
    """Refuse what Hugging Face's RoBERTa computes in another way."""
    inner = str(arguments.get("activation_fn", "gelu"))
    outer = str(arguments.get("pooler_activation_fn", "tanh"))
    odd = {
        "normalises before its blocks": "encoder_normalize_before",
        "has a spectral norm in its head": "spectral_norm_classification_head",
    }
    wrong = [f"{what} ({key})" for what, key in odd.items() if arguments.get(key)]
    if inner not in _ACTIVATIONS:
        wrong.append(f"has the activation {inner[:40]}")
    if outer != "tanh":
        wrong.append(f"has the activation {outer[:40]} in its head")
    if wrong:
        raise EvidenceError(
            f"{name} {' and '.join(wrong)}; Hugging Face's RoBERTa does not",
            remedy="fine-tune it with fairseq",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """A checkpoint under Hugging Face's names, in float32; and why its head was left behind."""

    config: dict[str, object]
    state: dict[str, Tensor]
    head: str = ""


def read_fairseq(path: Path, classes: int, *, head: bool = True) -> Converted:
    """Read and convert a checkpoint of fairseq's RoBERTa.

    Args:
        path: A file that `torch.save` wrote, of either format.
        classes: How many the task tells apart; a head with another number is left behind.
        head: Whether the task has a head like fairseq's at all.

    Raises:
        EvidenceError: The file is damaged, names code that a loader would run, or is no RoBERTa
            that Hugging Face's could stand for.
    """
    name = str(path)
    header = read_torch(path, name)
    warnings = [problem for problem in header.problems if problem.level == "warning"]
    if warnings:
        raise EvidenceError(
            f"{name} is not loaded: {warnings[0].message}", remedy=warnings[0].remedy
        )
    places = {place.name: place for place in locate_torch(path, name)}
    shapes = {place.name: place.shape for place in places.values()}
    moves = move_encoder(shapes, name)
    config = read_config(header.config, shapes, moves, name)
    of_head, why = move_head(shapes, classes, name) if head else ((), "")
    state = _read_moves(path, (*moves, *of_head), places)
    # fairseq has no types of tokens; Hugging Face adds the one there is, here nothing.
    bias = state["roberta.embeddings.LayerNorm.bias"]
    state["roberta.embeddings.token_type_embeddings.weight"] = bias.new_zeros((1, len(bias)))
    return Converted(config=config, state=state, head=why)


def _read_moves(
    path: Path, moves: tuple[Move, ...], places: Mapping[str, Place]
) -> dict[str, Tensor]:
    import torch

    found: dict[str, Tensor] = {}
    with path.open("rb") as file:
        for move in moves:
            place = places[move.source]
            rows = place.shape[0] if place.shape else 0
            if place.dtype not in _FLOATS or not rows or rows % move.parts:
                raise EvidenceError(
                    f"{path} keeps {move.source} as {place.dtype} of shape {list(place.shape)}",
                    remedy="save the checkpoint in float32, whole",
                )
            file.seek(place.begin)
            content = file.read(place.end - place.begin)
            block = rows // move.parts
            flat = torch.frombuffer(bytearray(content), dtype=getattr(torch, place.dtype))
            whole = flat.as_strided(place.shape, place.stride).float()
            found[move.target] = whole[move.part * block : (move.part + 1) * block].clone()
    return found
