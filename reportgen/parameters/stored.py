"""What a checkpoint's tensors tell of a model whose family is not known."""

from __future__ import annotations

from dataclasses import replace

from reportgen.parameters._packed import unpack
from reportgen.parameters._reconcile import plain_name
from reportgen.parameters.modules import Module
from reportgen.records.errors import EvidenceError
from reportgen.records.tensor import Checkpoint, TensorSpec

TABLES = ("wte", "wpe")
HEADS = frozenset({"lm_head", "embed_out", "score", "classifier"})


def modules_of_tensors(checkpoint: Checkpoint) -> tuple[Module, ...]:
    """Read modules off tensor names: two sizes are a matrix, one size a norm.

    A matrix whose name says so is an embedding; the transposed storage of GPT-2 cannot be
    told from names, and does not change any count.

    Raises:
        EvidenceError: The weights are packed, so that their shapes are not told.
    """
    unpacked = unpack(plain_tensors(checkpoint))
    if unpacked.packed or unpacked.unclear:
        raise EvidenceError(
            f"{checkpoint.source.path} holds packed weights, whose shapes it does not tell",
            remedy="pass the base model's config.json",
        )
    tensors = {tensor.name: tensor for tensor in unpacked.tensors}
    found = []
    for name, tensor in tensors.items():
        stem = name.removesuffix(".weight")
        if stem == name or len(tensor.shape) not in {1, 2}:
            continue
        matrix = len(tensor.shape) == 2
        table = matrix and ("embed" in stem.lower() or stem.endswith(TABLES))
        rows, columns = tensor.shape if matrix else (tensor.shape[0], 0)
        found.append(
            Module(
                name=stem,
                kind="embedding" if table else "linear" if matrix else "norm",
                in_features=rows if table else columns,
                out_features=columns if table else rows,
                bias=f"{stem}.bias" in tensors,
                tied=bool(tensor.shares),
                head=stem.rsplit(".", 1)[-1] in HEADS,
            )
        )
    return tuple(found)


def plain_tensors(checkpoint: Checkpoint | None) -> tuple[TensorSpec, ...]:
    """Return a checkpoint's tensors under the names that the bare model gives them."""
    tensors = checkpoint.tensors if checkpoint else ()
    return tuple(replace(t, name=plain_name(t.name)) for t in tensors if t.trainable)
