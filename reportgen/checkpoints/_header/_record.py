"""What the head of a checkpoint says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportgen.records.source import Problem
from reportgen.records.tensor import TensorSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Tensors of one file or of several, and what was found wrong with them.

    Attributes:
        tensors: In the order of the file.
        config: Training arguments, or the file's own description of the model.
        problems: What is missing, not counted, or would be run by a loader.
        sums: Name of a tensor to the checksum of all its numbers, where the file states one.
    """

    tensors: tuple[TensorSpec, ...]
    config: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    sums: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the numbers of one tensor lie in a file.

    Attributes:
        name: Name of the tensor.
        dtype: As the field writes it (`float32`).
        shape: Sizes.
        stride: Steps between neighbours, in elements.
        begin: Offset of its first byte in the file.
        end: Offset of the byte behind its last.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    begin: int
    end: int
