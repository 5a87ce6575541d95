"""Adapters: what they train, from their configuration and the modules of their base.

A kind of adapter is a row of `kinds.toml`; what it adapts by default is in `targets.toml`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.parameters.adapters._counting import count_adapter, scaling_of
    from reportgen.parameters.adapters._describing import (
        MemoryRow,
        describe_adapter,
        full_memory,
        lora_memory,
        modules_below,
        qlora_memory,
    )
    from reportgen.parameters.adapters._linting import legal, lint_keys, lint_names
    from reportgen.parameters.adapters._matching import branches
    from reportgen.parameters.adapters._site import AdapterCount
    from reportgen.parameters.adapters._table import (
        KEYS_OF_KIND,
        KINDS,
        LORA_KEYS,
        OTHER_KINDS,
        Key,
        Kind,
        role_of_task,
    )

# Each name is imported when it is first asked for.

__getattr__ = lazy_names(__name__)
