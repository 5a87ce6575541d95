"""A model's `config.json`, Hugging Face's or fairseq's arguments saved as JSON."""

from __future__ import annotations

from pathlib import Path

from reportgen.checkpoints._json import read_object, source_of
from reportgen.records.tensor import ModelConfig


def read_config(path: Path, name: str) -> ModelConfig:
    """Read a configuration as it stands.

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
