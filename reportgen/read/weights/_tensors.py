"""What the head of a checkpoint says: tensors, their types and sizes, and what is not counted.

Source: `torch/storage.py` (`_new_dtypes`, `_dtype_to_storage_type_map`) and the typed storage
classes of PyTorch 1.0 to 2.13; `Dtype` of safetensors 0.3 to 0.8.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reportgen.records.rows import read_rows
from reportgen.records.source import Problem
from reportgen.records.tensor import TensorSpec

MOST_DIMENSIONS = 64
LARGEST_COUNT = 2**62
MOST_TENSORS = 200_000
MOST_PROBLEMS = 20
WORDS = read_rows("reportgen.read.weights", "words.ini")
NONE = "-"
# Name in the field, bits an element, PyTorch's class of storage, safetensors' code.
TYPES = tuple((name, *row.split()) for name, row in WORDS["types"].items())
BYTES = {name: int(bits) // 8 for name, bits, _, _ in TYPES if int(bits) >= 8}
OF_STORAGE = {kind: name for name, _, kind, _ in TYPES if kind != NONE} | {"Untyped": "uint8"}
OF_SAFETENSORS = {code: (name, int(bits)) for name, bits, _, code in TYPES if code != NONE}


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


def dtype_of(name: str) -> str:
    """Return the type that a name in a file of PyTorch stands for, or an empty text."""
    last = name.rpartition(".")[2]
    kind = last.removesuffix("Storage")
    if kind != last:
        return OF_STORAGE.get(kind, "")
    found = WORDS["torch"].get(last, last)
    return found if found in BYTES else ""


def whole_shape(value: object) -> tuple[int, ...] | None:
    """Return a shape as a tuple, or None where it is no list of sizes that a tensor can have."""
    sizes = whole_sizes(value)
    return sizes if sizes is not None and math.prod(sizes) <= LARGEST_COUNT else None


def whole_sizes(value: object) -> tuple[int, ...] | None:
    """Return whole numbers from 0 on as a tuple, or None; their product may be any."""
    # By type, since True is an int to isinstance, and a table of a pickle is a list.
    if type(value) not in {list, tuple} or len(value) > MOST_DIMENSIONS:  # type: ignore[arg-type]
        return None
    sizes: tuple[int, ...] = tuple(value)  # type: ignore[arg-type]
    if sizes and ({*map(type, sizes)} != {int} or min(sizes) < 0 or max(sizes) > LARGEST_COUNT):
        return None
    return sizes


def say_tensors(count: int, verb: str = "", verbs: str = "", *, more: bool = False) -> str:
    """Return how many tensors there are, with the verb in the number that they ask for."""
    noun, chosen = ("tensor", verb) if count == 1 else ("tensors", verbs)
    return f"{count} {'more ' if more else ''}{noun} {chosen}".rstrip()


def list_faults(lines: Sequence[str], name: str) -> tuple[Problem, ...]:
    """Say which tensors are not counted and why, in at most 20 lines and one about the rest."""
    shown = [
        Problem(path=name, message=f"{line}; its numbers are not counted", remedy="save it again")
        for line in lines[:MOST_PROBLEMS]
    ]
    if len(lines) > MOST_PROBLEMS:
        left = say_tensors(len(lines) - MOST_PROBLEMS, "is", "are", more=True)
        shown.append(replace(shown[-1], message=f"{left} not counted"))
    return tuple(shown)


def note(name: str, message: str, remedy: str = "") -> Problem:
    """Return a remark that takes nothing away from the count."""
    return Problem(path=name, message=message, remedy=remedy, level="note")
