"""Folders that `torch.distributed.checkpoint` wrote, as FSDP's sharded saves are."""

from __future__ import annotations

from pathlib import Path

from reportgen.checkpoints._header import read_distributed
from reportgen.checkpoints._json import source_of
from reportgen.records.tensor import Checkpoint


def read_folder(path: Path, name: str) -> Checkpoint:
    """Read names, shapes and types from the folder's own description; nothing in it is run.

    Args:
        path: The `.metadata` in the folder; a folder without one is an unfinished save.
        name: What the report calls it.

    Raises:
        EvidenceError: The file is damaged, or describes no tensors.
    """
    found = read_distributed(path, name)
    return Checkpoint(
        source=source_of(path, name, "distributed"),
        tensors=found.tensors,
        problems=found.problems,
    )
