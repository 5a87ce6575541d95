"""The numbers of a fairseq checkpoint, taken from their bytes: the file is never unpickled.

fairseq keeps its settings in the file as objects of argparse or omegaconf, so that
`torch.load(weights_only=True)` refuses it; what loads it runs whatever it names. Here names,
shapes and settings come from the reader of headers, and the numbers from where it says they lie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.errors import EvidenceError
from reportgen.read.weights import Place, locate_torch, read_torch
from reportgen.training._fairseq import Move, move_encoder, move_head, read_config

if TYPE_CHECKING:
    from torch import Tensor

_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """A checkpoint of fairseq under Hugging Face's names.

    Attributes:
        config: Its `config.json`.
        state: Name to weights, float32.
        head: Why its head was left behind, or empty.
    """

    config: dict[str, object]
    state: dict[str, Tensor]
    head: str = ""


def read_fairseq(path: Path, classes: int) -> Converted:
    """Read and convert a checkpoint of fairseq's RoBERTa.

    Args:
        path: A file that `torch.save` wrote, of either format.
        classes: How many the task tells apart; a head with another number is left behind.

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
    of_head, why = move_head(shapes, classes, name)
    state = _read_moves(path, (*moves, *of_head), places)
    # fairseq has no types of tokens; Hugging Face adds the one there is, here nothing.
    bias = state["roberta.embeddings.LayerNorm.bias"]
    state["roberta.embeddings.token_type_embeddings.weight"] = bias.new_zeros((1, len(bias)))
    return Converted(config=config, state=state, head=why)


def _read_moves(
    path: Path, moves: tuple[Move, ...], places: Mapping[str, Place]
) -> dict[str, Tensor]:
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
            whole = _tensor_of(content, place)[move.part * block : (move.part + 1) * block]
            found[move.target] = whole.clone()
    return found


def _tensor_of(content: bytes, place: Place) -> Tensor:
    import torch

    flat = torch.frombuffer(bytearray(content), dtype=getattr(torch, place.dtype))
    return flat.as_strided(place.shape, place.stride).float()
