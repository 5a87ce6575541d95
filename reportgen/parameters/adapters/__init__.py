"""Adapters: what they train, from their configuration and the modules of their base.

A kind of adapter is a row of `kinds.toml`; what it adapts by default is in `targets.toml`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportgen.parameters.adapters._counting import count_adapter
    from reportgen.parameters.adapters._describing import describe_adapter, modules_of_tensors
    from reportgen.parameters.adapters._idle import lint_names
    from reportgen.parameters.adapters._linting import legal, lint_keys
    from reportgen.parameters.adapters._lora import scaling_of
    from reportgen.parameters.adapters._matching import branches
    from reportgen.parameters.adapters._memory import (
        MemoryRow,
        full_memory,
        lora_memory,
        qlora_memory,
    )
    from reportgen.parameters.adapters._site import AdapterCount
    from reportgen.parameters.adapters._table import (
        KEYS_OF_KIND,
        KINDS,
        LORA_KEYS,
        OTHER_KINDS,
        Key,
        Kind,
        head_of_task,
    )

# Each name is imported when it is first asked for.
_HOMES = {
    "KEYS_OF_KIND": "_table",
    "KINDS": "_table",
    "LORA_KEYS": "_table",
    "OTHER_KINDS": "_table",
    "AdapterCount": "_site",
    "Key": "_table",
    "Kind": "_table",
    "MemoryRow": "_memory",
    "branches": "_matching",
    "count_adapter": "_counting",
    "describe_adapter": "_describing",
    "full_memory": "_memory",
    "head_of_task": "_table",
    "legal": "_linting",
    "lint_keys": "_linting",
    "lint_names": "_idle",
    "lora_memory": "_memory",
    "modules_of_tensors": "_describing",
    "qlora_memory": "_memory",
    "scaling_of": "_lora",
}

__all__ = [
    "KEYS_OF_KIND",
    "KINDS",
    "LORA_KEYS",
    "OTHER_KINDS",
    "AdapterCount",
    "Key",
    "Kind",
    "MemoryRow",
    "branches",
    "count_adapter",
    "describe_adapter",
    "full_memory",
    "head_of_task",
    "legal",
    "lint_keys",
    "lint_names",
    "lora_memory",
    "modules_of_tensors",
    "qlora_memory",
    "scaling_of",
]


def __getattr__(name: str) -> object:
    """Import a name when it is first asked for."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
