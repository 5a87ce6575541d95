"""Formula beside checkpoint beside stated number: the parameter ledger."""

from reportgen.ledger._adapters import describe_adapter
from reportgen.ledger._describe import describe_model, family_of, total_scope
from reportgen.ledger._explain import Explanation, Piece, explain
from reportgen.ledger._inspection import formula_text, inspection
from reportgen.ledger._reconcile import reconcile

__all__ = [
    "Explanation",
    "Piece",
    "describe_adapter",
    "describe_model",
    "explain",
    "family_of",
    "formula_text",
    "inspection",
    "reconcile",
    "total_scope",
]
