"""Tensors, model configurations, adapters, and the terms of a parameter count."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.records.formula import Expression, evaluate
from reportgen.records.record import field, record
from reportgen.records.tensor import AdapterConfig, Checkpoint, ModelConfig, TensorSpec

__all__ = [
    "AdapterConfig",
    "Checkpoint",
    "Ledger",
    "LedgerRow",
    "ModelConfig",
    "Scope",
    "TensorSpec",
    "Term",
]


@record
class Term:
    """One line of the ledger: a kind of tensor, its formula, its count.

    Attributes:
        name: Unique in the model (`attention.weight`).
        label: For people ("attention projections, weights").
        role: `embedding`, `position`, `attention`, `ffn`, `norm`, `bias`, `head`, `lm_head`,
            `pooler`, `adapter`: decides to which scopes the term belongs.
        formula: Count as a formula in the model's symbols.
        values: Symbol key to number.
        tensors: Regular expression (full match) of the tensor names it covers.
        module: Dotted module path in the tree (`encoder.layer.attention`).
        repeat: How many layers the formula already includes (for the module tree).
        note: Said beside the line ("tied: counted once").
    """

    name: str
    label: str
    role: str
    formula: Expression
    values: Mapping[str, int | float]
    tensors: str = ""
    module: str = ""
    repeat: int = 1
    note: str = ""

    @property
    def count(self) -> int:
        """The formula, evaluated."""
        return int(evaluate(self.formula, self.values))


@record
class Scope:
    """A named choice of terms with its total ("whole encoder").

    Attributes:
        name: Key in JSON (`encoder`).
        label: For people, saying what is in and what is out.
        terms: Names of the terms it adds up.
        total: Their sum.
    """

    name: str
    label: str
    terms: tuple[str, ...]
    total: int


@record
class Ledger:
    """A model's count, term by term.

    Attributes:
        family: Name of the architecture plug-in that wrote the terms, or empty where the
            family is unknown and the tensors were only grouped by role.
        terms: In the order of the forward pass.
        scopes: Every total that people quote, each under its name.
        symbols: Symbol key to (meaning, value), in order of use.
        tree: Module tree rows (depth, module, description, count or None).
    """

    family: str
    terms: tuple[Term, ...]
    scopes: tuple[Scope, ...]
    symbols: Mapping[str, tuple[str, int | float]] = field(default_factory=dict)
    tree: tuple[tuple[int, str, str, int | None], ...] = ()
    notes: tuple[str, ...] = ()

    def scope(self, name: str) -> Scope | None:
        """Return the scope of this name, or None."""
        return next((s for s in self.scopes if s.name == name), None)


@record
class LedgerRow:
    """A term beside what the checkpoint really holds.

    Attributes:
        term: The term.
        stored: Elements of the tensors that match; None without a checkpoint.
        difference: `stored - term.count`; None without a checkpoint.
        explanation: Why they differ, naming tensors; empty when they do not.
    """

    term: Term
    stored: int | None = None
    difference: int | None = None
    explanation: str = ""
