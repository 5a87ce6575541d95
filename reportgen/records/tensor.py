"""What checkpoints and configurations hold, without the numbers in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

from reportgen.records.record import field, record
from reportgen.records.source import Problem, Source


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
