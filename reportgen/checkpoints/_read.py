"""One way in for every configuration, adapter and checkpoint file."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.checkpoints import CHECKPOINTS
from reportgen.checkpoints._json import read_object
from reportgen.errors import EvidenceError
from reportgen.records.tensor import AdapterConfig, Checkpoint, ModelConfig

# What makes a folder one checkpoint: the last file that torch.distributed.checkpoint writes.
METADATA = ".metadata"


def read_evidence(path: Path, name: str) -> ModelConfig | AdapterConfig | Checkpoint:
    """Read a file with the reader that its name, or else its first keys, call for.

    Args:
        path: The file.
        name: What the report calls it: its path below the evidence root.

    Raises:
        EvidenceError: The file is missing, damaged, or of a kind that is not read.
    """
    if not path.is_file():
        path, name = path / METADATA, f"{name}/{METADATA}"
        if not path.is_file():
            name = name.removesuffix(f"/{METADATA}")
            raise EvidenceError(f"{name} is no file", remedy="pass the path of a file that exists")
    kind = kind_of(path, name)
    found: ModelConfig | AdapterConfig | Checkpoint = CHECKPOINTS.load(kind)(path, name)
    return found


def kind_of(path: Path, name: str) -> str:
    """Return the name of the format, by file name and, for JSON, by what is in it.

    Raises:
        EvidenceError: No reader answers to the file.
    """
    lower = path.name.lower()
    if lower.endswith(".json") and not lower.endswith(".index.json"):
        return kind_of_json(path, name)
    for kind, entry in CHECKPOINTS.items():
        if any(fnmatchcase(lower, pattern) for pattern in entry.match):
            return kind
    known = ", ".join(pattern for entry in CHECKPOINTS.values() for pattern in entry.match)
    raise EvidenceError(f"no reader answers to {name}", remedy=f"known names: {known}")


def kind_of_json(path: Path, name: str) -> str:
    """Return the format of a JSON file; what it holds counts for more than its name."""
    content = read_object(path, name)
    if str(content.get("format", "")).startswith("reportgen-tensors/"):
        return "manifest"
    if "peft_type" in content:
        return "adapter"
    if "model_type" in content or "arch" in content:
        return "config_json"
    lower = path.name.lower()
    for kind, entry in CHECKPOINTS.items():
        if any(fnmatchcase(lower, pattern) for pattern in entry.match):
            return kind
    raise EvidenceError(
        f"{name} is neither a model configuration nor an adapter nor a list of tensors",
        remedy="a model configuration has the key model_type, an adapter the key peft_type",
    )
