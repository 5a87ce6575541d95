"""Files that `torch.save` wrote, whole or in shards: read without unpickling them."""

from __future__ import annotations

from pathlib import Path

from reportgen.checkpoints._header import read_shards, read_torch, warn_of_shard
from reportgen.checkpoints._json import read_object, source_of
from reportgen.records.tensor import Checkpoint


def read_pytorch(path: Path, name: str) -> Checkpoint:
    """Read names, shapes, types and shared storages, and the training arguments beside them.

    Nothing in the file is run, and no byte of a tensor is read.

    Args:
        path: A `.pt`, `.pth`, `.bin` or `.ckpt` file, or a `.bin.index.json`.
        name: What the report calls it.

    Raises:
        EvidenceError: The file is damaged, no file of PyTorch, or holds no tensors; an index
            names no file that is there.
    """
    if path.name.endswith(".json"):
        found = read_shards(read_object(path, name), path, name, read_torch)
    else:
        found = read_torch(path, name)
    return Checkpoint(
        source=source_of(path, name, "pytorch"),
        tensors=found.tensors,
        config=found.config,
        problems=(*warn_of_shard(path, name), *found.problems),
    )
