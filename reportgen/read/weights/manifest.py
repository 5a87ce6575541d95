"""A list of tensors as JSON: for checkpoints too large, too old or too private to share.

The form is `{"format": "reportgen-tensors/1", "tensors": [{"name", "shape", "dtype",
"shares"?, "trainable"?}], "config": {...}?}`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reportgen.read.weights._files import read_object, source_of, whole_shape
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.errors import EvidenceError

FORMAT = "reportgen-tensors/1"


def read_manifest(path: Path, name: str) -> Checkpoint:
    """Read and check a list of tensors.

    Raises:
        EvidenceError: The file is in another format, a tensor has no name, stands twice or
            has an impossible shape, or shares the storage of one that is not there.
    """
    content = read_object(path, name)
    if content.get("format") != FORMAT:
        raise EvidenceError(
            f"{name} has the format {str(content.get('format'))[:80]!r}, not {FORMAT!r}",
            remedy=f'write "format": "{FORMAT}"',
        )
    entries = content.get("tensors")
    if not isinstance(entries, list):
        raise EvidenceError(f"{name} has no list of tensors", remedy="add the key tensors")
    tensors = tuple(_tensor(entry, place, name) for place, entry in enumerate(entries, start=1))
    _check_names(tensors, name)
    config = content.get("config")
    return Checkpoint(
        source=source_of(path, name, "manifest"),
        tensors=tensors,
        config=config if isinstance(config, dict) else {},
    )


def write_manifest(checkpoint: Checkpoint) -> bytes:
    """Return a checkpoint's names and shapes as a manifest; the same input, the same bytes.

    Example:
        >>> from reportgen.records.source import Source
        >>> source = Source(path="model.safetensors", kind="safetensors", size=0, sha256="")
        >>> tensor = TensorSpec(name="w", shape=(2, 3))
        >>> print(write_manifest(Checkpoint(source=source, tensors=(tensor,))).decode())
        {
          "format": "reportgen-tensors/1",
          "tensors": [
            {"name": "w", "shape": [2, 3], "dtype": "float32"}
          ]
        }
    """
    lines = ",\n".join(f"    {json.dumps(_entry(tensor))}" for tensor in checkpoint.tensors)
    config = f',\n  "config": {json.dumps(dict(checkpoint.config), sort_keys=True)}'
    return (
        f'{{\n  "format": "{FORMAT}",\n  "tensors": [\n{lines}\n  ]'
        f"{config if checkpoint.config else ''}\n}}\n"
    ).encode()


def _entry(tensor: TensorSpec) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": tensor.name,
        "shape": list(tensor.shape),
        "dtype": tensor.dtype,
    }
    if tensor.shares:
        entry["shares"] = tensor.shares
    if not tensor.trainable:
        entry["trainable"] = False
    return entry


def _tensor(entry: object, place: int, name: str) -> TensorSpec:
    if isinstance(entry, dict):
        label, shape = entry.get("name"), whole_shape(entry.get("shape"))
        dtype, shares = entry.get("dtype", "float32"), entry.get("shares") or ""
        trainable = entry.get("trainable", True)
        texts = isinstance(label, str) and isinstance(dtype, str) and isinstance(shares, str)
        if texts and label and shape is not None and isinstance(trainable, bool):
            return TensorSpec(
                name=str(label),
                shape=shape,
                dtype=str(dtype),
                shares=str(shares),
                trainable=trainable,
            )
    raise EvidenceError(
        f"{name}: tensor {place} is no tensor: {str(entry)[:160]}",
        remedy='write {"name": "...", "shape": [rows, columns], "dtype": "float32"}',
    )


def _check_names(tensors: tuple[TensorSpec, ...], name: str) -> None:
    known: dict[str, TensorSpec] = {}
    for tensor in tensors:
        if tensor.name in known:
            raise EvidenceError(
                f"{name}: {tensor.name[:120]} stands twice", remedy="list every tensor once"
            )
        known[tensor.name] = tensor
    for tensor in tensors:
        owner = known.get(tensor.shares)
        if tensor.shares and (owner is None or owner is tensor or owner.count < tensor.count):
            raise EvidenceError(
                f"{name}: {tensor.name[:120]} shares the storage of {tensor.shares[:120]}, which "
                "is no other tensor of at least its size in the list",
                remedy="name the tensor that owns the storage",
            )
