"""Formula beside checkpoint beside stated number: the parameter ledger."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportgen.ledger._adapters import describe_adapter
    from reportgen.ledger._describe import describe_model, family_of, total_scope
    from reportgen.ledger._explain import Explanation, Piece, explain
    from reportgen.ledger._inspection import formula_text, inspection
    from reportgen.ledger._outline import Block, Group, Norm, Outline, Side, Weight, outline
    from reportgen.ledger._reconcile import reconcile
    from reportgen.ledger._wiring import PARALLEL, find_wiring

# A checkpoint is inspected without a word of adapters, which know the most.
_HOMES = {
    "PARALLEL": "_wiring",
    "find_wiring": "_wiring",
    "Explanation": "_explain",
    "Piece": "_explain",
    "Block": "_outline",
    "Group": "_outline",
    "Norm": "_outline",
    "Outline": "_outline",
    "Side": "_outline",
    "Weight": "_outline",
    "describe_adapter": "_adapters",
    "describe_model": "_describe",
    "explain": "_explain",
    "family_of": "_describe",
    "formula_text": "_inspection",
    "inspection": "_inspection",
    "outline": "_outline",
    "reconcile": "_reconcile",
    "total_scope": "_describe",
}

__all__ = [
    "PARALLEL",
    "Block",
    "Explanation",
    "Group",
    "Norm",
    "Outline",
    "Piece",
    "Side",
    "Weight",
    "describe_adapter",
    "describe_model",
    "explain",
    "family_of",
    "find_wiring",
    "formula_text",
    "inspection",
    "outline",
    "reconcile",
    "total_scope",
]


def __getattr__(name: str) -> object:
    """Import a part of the ledger when it is first asked for."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"reportgen.ledger.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'reportgen.ledger' has no attribute {name!r}")
