"""Tensors, model configurations, adapters, and the terms of a parameter count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

from reportgen.records.formula import Expression, evaluate
from reportgen.records.record import field, record
from reportgen.records.source import Problem, Source

# What checkpoints and configurations hold, without the numbers in them.


@record
class TensorSpec:
    """Name, shape and dtype of one stored tensor; never its values.

    Attributes:
        name: Name in the file.
        shape: Sizes; `()` for a scalar.
        dtype: As the field writes it (`float32`, `bfloat16`, `int64`).
        shares: Name of the tensor whose storage this one is (tied weights), or empty.
        trainable: False for buffers that no optimizer touches.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str = "float32"
    shares: str = ""
    trainable: bool = True

    @property
    def count(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @classmethod
    def many(
        cls, names: Iterable[str], shapes: Iterable[tuple[int, ...]], dtypes: Iterable[str]
    ) -> tuple[TensorSpec, ...]:
        """Return one plain trainable tensor a name, in a fraction of the time of single calls.

        A header holds hundreds to many thousands, and the constructor of a frozen record
        would take longer than reading them.

        Example:
            >>> TensorSpec.many(["w"], [(2, 3)], ["int8"])
            (TensorSpec(name='w', shape=(2, 3), dtype='int8', shares='', trainable=True),)
        """
        found: tuple[Any, ...] = tuple(map(_Slots, names, shapes, dtypes))
        for tensor in found:
            tensor.__class__ = cls
        return found


class _Slots:
    """The slots of a tensor before it is frozen, which plain assignment may fill."""

    __slots__ = ("dtype", "name", "shape", "shares", "trainable")

    def __init__(self, name: str, shape: tuple[int, ...], dtype: str) -> None:
        self.name = name
        self.shape = shape
        self.dtype = dtype
        self.shares = ""
        self.trainable = True


@record
class Checkpoint:
    """What a checkpoint file says it holds."""

    source: Source
    tensors: tuple[TensorSpec, ...]
    config: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @property
    def total(self) -> int:
        """Number of stored parameters, a shared storage counted once."""
        return sum(t.count for t in self.tensors if not t.shares)


@record
class ModelConfig:
    """A model's `config.json`, as it stands.

    Attributes:
        source: The file.
        model_type: `roberta`, `bloom`, ...; empty where the file does not say.
        values: All keys.
    """

    source: Source
    model_type: str
    values: Mapping[str, object]


@record
class AdapterConfig:
    """An adapter's `adapter_config.json`, as it stands."""

    source: Source
    peft_type: str
    values: Mapping[str, object]
    problems: tuple[Problem, ...] = ()


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
