"""Parameters of a model and its adapters: counted by formula, held against what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.parameters._counting import count_config, modules_of_config
    from reportgen.parameters._describe import (
        describe_model,
        family_of,
        formula_text,
        inspection,
        total_scope,
    )
    from reportgen.parameters._explain import explain
    from reportgen.parameters._outline import (
        Block,
        Group,
        Norm,
        Outline,
        Side,
        Stack,
        Weight,
        find_wiring,
        outline,
    )
    from reportgen.parameters._words import keys_of_symbols
    from reportgen.parameters.adapters import describe_adapter, modules_below
    from reportgen.parameters.families import known_types
    from reportgen.parameters.modules import Module, tensors_of
    from reportgen.parameters.stored import reconcile

# What a caller does not ask for is not imported: a checkpoint is inspected without a word of
# adapters, which know the most.

# Imported when first asked for.
__getattr__ = lazy_names(__name__)
