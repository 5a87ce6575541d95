"""Safetensors: one file, or an index that names its shards."""

from __future__ import annotations

from pathlib import Path

from reportgen.checkpoints._header import read_header, read_shards, warn_of_shard
from reportgen.checkpoints._json import read_object, source_of
from reportgen.records.tensor import Checkpoint


def read_safetensors(path: Path, name: str) -> Checkpoint:
    """Read names, shapes and types; the weights themselves are never touched.

    Args:
        path: A `.safetensors` file or a `.safetensors.index.json`.
        name: What the report calls it.

    Raises:
        EvidenceError: A header is damaged, or an index names no shard that is there.
    """
    if path.name.endswith(".json"):
        found = read_shards(read_object(path, name), path, name, read_header)
    else:
        found = read_header(path, name)
    return Checkpoint(
        source=source_of(path, name, "safetensors"),
        tensors=found.tensors,
        problems=(*warn_of_shard(path, name), *found.problems),
    )
