"""PEFT's `adapter_config.json`, and the tensors saved beside it."""

from __future__ import annotations

import math
from pathlib import Path, PurePosixPath

from reportgen.checkpoints._header import read_header, read_torch
from reportgen.checkpoints._json import read_object, source_of
from reportgen.records.tensor import AdapterConfig, Checkpoint

TENSORS = "adapter_model.safetensors"
PICKLED = "adapter_model.bin"
NOT_FINITE = {math.inf: "Infinity", -math.inf: "-Infinity"}
# A key without which a LoRA configuration means nothing; it stands for a missing peft_type.
LORA_SIGNS = frozenset({"r", "lora_alpha", "target_modules"})


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
    for label, kind in ((TENSORS, "safetensors"), (PICKLED, "pytorch")):
        file = path.parent / label
        if not file.is_file():
            continue
        where = (PurePosixPath(name).parent / label).as_posix()
        found = (read_torch if kind == "pytorch" else read_header)(file, where)
        return Checkpoint(
            source=source_of(file, where, kind), tensors=found.tensors, problems=found.problems
        )
    return None
