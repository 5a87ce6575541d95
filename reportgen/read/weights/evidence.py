"""One way in for every configuration, adapter and checkpoint; the configurations themselves.

A configuration is a model's `config.json` (Hugging Face's, or fairseq's arguments saved as JSON)
or PEFT's `adapter_config.json`.
"""

from __future__ import annotations

import math
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from reportgen.read.weights import CHECKPOINTS
from reportgen.read.weights._files import read_object, source_of
from reportgen.records.checkpoint import AdapterConfig, Checkpoint, ModelConfig
from reportgen.records.errors import EvidenceError

# What makes a folder one checkpoint: the last file that torch.distributed.checkpoint writes.
METADATA = ".metadata"
# Files of an adapter's weights, and the formats they are in.
BESIDE_ADAPTER = {"adapter_model.safetensors": "safetensors", "adapter_model.bin": "pytorch"}
NOT_FINITE = {math.inf: "Infinity", -math.inf: "-Infinity"}
# A key without which a LoRA configuration means nothing; it stands for a missing peft_type.
LORA_SIGNS = frozenset({"r", "lora_alpha", "target_modules"})


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
    """Return the name of the format; what a JSON file holds counts for more than its name.

    Raises:
        EvidenceError: No reader answers to the file.
    """
    lower = path.name.lower()
    textual = lower.endswith(".json") and not lower.endswith(".index.json")
    content = read_object(path, name) if textual else {}
    if str(content.get("format", "")).startswith("reportgen-tensors/"):
        return "manifest"
    if "peft_type" in content:
        return "adapter"
    if "model_type" in content or "arch" in content:
        return "config_json"
    for kind, entry in CHECKPOINTS.items():
        if any(fnmatchcase(lower, pattern) for pattern in entry.match):
            return kind
    if textual:
        raise EvidenceError(
            f"{name} is neither a model configuration nor an adapter nor a list of tensors",
            remedy="a model configuration has the key model_type, an adapter the key peft_type",
        )
    known = ", ".join(pattern for entry in CHECKPOINTS.values() for pattern in entry.match)
    raise EvidenceError(f"no reader answers to {name}", remedy=f"known names: {known}")


def read_config(path: Path, name: str) -> ModelConfig:
    """Read a model's configuration as it stands.

    The model type is `model_type`, or fairseq's `arch` (`roberta_base`) where that is all
    the file has, or empty.

    Raises:
        EvidenceError: The file is no JSON object.
    """
    values = read_object(path, name)
    stated = values.get("model_type") or values.get("arch") or ""
    return ModelConfig(
        source=source_of(path, name, "config_json"), model_type=str(stated), values=values
    )


def read_adapter(path: Path, name: str) -> AdapterConfig:
    """Read an adapter's configuration as it stands.

    A file without `peft_type` that has LoRA's own keys is read as LoRA. NaN and infinities, which
    JSON does not have, become texts: as such no key allows them.

    Raises:
        EvidenceError: The file is no JSON object.
    """
    values = {key: _without_infinities(value) for key, value in read_object(path, name).items()}
    stated = str(values.get("peft_type") or "").upper()
    return AdapterConfig(
        source=source_of(path, name, "adapter"),
        peft_type=stated or ("LORA" if LORA_SIGNS & values.keys() else ""),
        values=values,
    )


def _without_infinities(value: object) -> object:
    """Spell NaN and infinities, which are no numbers, as texts; every other value stays."""
    match value:
        case float():
            return value if math.isfinite(value) else NOT_FINITE.get(value, "NaN")
        case list():
            return [_without_infinities(item) for item in value]
        case dict():
            return {key: _without_infinities(item) for key, item in value.items()}
    return value


def read_adapter_tensors(path: Path, name: str) -> Checkpoint | None:
    """Read the header of the weights beside an adapter's configuration; None without them.

    Args:
        path: The `adapter_config.json`.
        name: What the report calls it.

    Raises:
        EvidenceError: The header is damaged.
    """
    for label, kind in BESIDE_ADAPTER.items():
        if (path.parent / label).is_file():
            where = (PurePosixPath(name).parent / label).as_posix()
            found: Checkpoint = CHECKPOINTS.load(kind)(path.parent / label, where)
            return found
    return None
