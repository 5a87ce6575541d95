"""What a job becomes before its first update."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reportgen.training._engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """An engine and what is published beside its weights.

    Attributes:
        engine: Ready for its first update.
        config: Content of the configuration of what is published: a model or an adapter.
        notes: What a reader of the results must know.
        weights_name: File of the published weights.
        config_name: File of their configuration.
    """

    engine: Engine
    config: Mapping[str, Any]
    notes: tuple[str, ...]
    weights_name: str = "model.safetensors"
    config_name: str = "config.json"
