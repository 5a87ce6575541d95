"""From the calls that a pickle would have made to the tensors they would have rebuilt.

Source: `torch/_utils.py` (`_rebuild_tensor_v2` and its kin), `torch/_tensor.py`
(`_rebuild_from_type_v2`), `torch/serialization.py` (`persistent_id`), PyTorch 0.4 to 2.13.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from reportgen.read.weights._pickle import POINTER, Name, Record
from reportgen.read.weights._tensors import (
    BYTES,
    WORDS,
    dtype_of,
    list_faults,
    whole_shape,
    whole_sizes,
)
from reportgen.records.source import Problem
from reportgen.records.tensor import TensorSpec

MOST_WRAPPERS = 8
PLAIN = frozenset({"_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_qtensor"})
PARAMETER = frozenset({"_rebuild_parameter", "_rebuild_parameter_with_state"})
# Tensors whose numbers do not lie in one strided storage: known, said, not counted.
OTHER = WORDS["other tensors"]
MODULES = frozenset({"torch._utils", "torch._tensor", "torch.nn.parameter", "torch.tensor"})


@dataclass(slots=True)
class Storage:
    """A run of numbers outside the pickle.

    Attributes:
        key: Its name in the file.
        dtype: Type of the numbers; `uint8` where the storage knows none.
        numel: How many numbers the pickle says it has.
    """

    key: str
    dtype: str
    numel: int


@dataclass(slots=True)
class View:
    """A tensor as a file describes it: a view of a storage, or the reason why it is none.

    Attributes:
        fault: Why its numbers are not counted, or empty.
        storage: Where the numbers lie; None with a fault.
        dtype: Type of the numbers.
        shape: Sizes.
        stride: Steps between neighbours, in elements.
        begin: First element of the storage that it touches.
        end: The one behind the last.
        trainable: False where the file says that no optimizer touches it.
    """

    fault: str
    storage: Storage | None = None
    dtype: str = ""
    shape: tuple[int, ...] = ()
    stride: tuple[int, ...] = ()
    begin: int = 0
    end: int = 0
    trainable: bool = True


def view_of(value: object) -> View | None:
    """Return the tensor that a record would have rebuilt; None for everything else."""
    trainable = True
    for _ in range(MOST_WRAPPERS):
        if type(value) is not Record or type(value.callee) is not Name:
            return None
        module, _, name = value.callee.rpartition(".")
        arguments = value.arguments
        if module not in MODULES or type(arguments) is not tuple:
            return None
        if name in PARAMETER and arguments:
            trainable = trainable and arguments[1:2] != (False,)
            value = arguments[0]
        elif name == "_rebuild_from_type_v2" and len(arguments) > 2:
            value = Record(arguments[0], arguments[2])
        else:
            found = View(OTHER[name]) if name in OTHER else None
            if name in PLAIN and len(arguments) >= 4:
                found = _view(arguments, None)
            elif name == "_rebuild_tensor_v3" and len(arguments) >= 7:
                found = _view(arguments, arguments[6])
            if found is not None:
                found.trainable = trainable
            return found
    return None


def _view(arguments: tuple[Any, ...], dtype: object) -> View:
    pointer, offset, size, stride = arguments[:4]
    storage, shape, steps = storage_of(pointer), whole_shape(sizes_in(size)), sizes_in(stride)
    if shape is None or steps is None or len(shape) != len(steps) or not _is_size(offset):
        return View("has a shape that no tensor can have")
    if storage is None:
        return View("has its numbers in no storage that is known here")
    kind = storage.dtype if dtype is None else dtype_of(dtype) if isinstance(dtype, Name) else ""
    if not kind:
        return View("has a number type that is not known here")
    touched = sum([(n - 1) * step for n, step in zip(shape, steps, strict=True)]) + 1
    touched = 0 if 0 in shape else touched
    if math.prod(shape) > touched:
        return View("repeats the numbers of a smaller storage")
    return View("", storage, kind, shape, steps, offset, offset + touched)


def storage_of(value: object) -> Storage | None:
    """Return the storage that a pointer names, or None.

    One is `("storage", class, key, place, numel)`; the old stream adds a view, which is None.
    """
    if not isinstance(value, Record) or value.callee is not POINTER:
        return None
    if len(value.arguments) < 5 or any(value.arguments[5:6]):
        return None
    kind, label, key, _, numel = value.arguments[:5]
    known = kind == "storage" and isinstance(label, Name) and isinstance(key, str)
    dtype = dtype_of(label) if known else ""
    return Storage(key, dtype, numel) if dtype and _is_size(numel) else None


def sizes_in(value: object) -> tuple[int, ...] | None:
    """Return a tuple, a list or a torch.Size as whole numbers from 0 on; None for all else."""
    if isinstance(value, Record) and isinstance(value.arguments, tuple):
        is_size = value.callee == "torch.Size" and len(value.arguments) == 1
        value = value.arguments[0] if is_size else None
    return whole_sizes(value)


def _is_size(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < 2**62


def count_views(
    found: tuple[tuple[str, View], ...], sizes: Mapping[str, int], name: str
) -> tuple[tuple[TensorSpec, ...], tuple[Problem, ...]]:
    """Check every view against its storage, and find the tensors that share one."""
    faults: list[str] = []
    held: dict[str, list[tuple[int, int, int]]] = {}
    names: set[str] = set()
    for place, (label, view) in enumerate(found):
        fault = _fault(view, sizes)
        if not label or label in names:
            fault = "stands twice" if label else "has no name"
        names.add(label)
        if fault or view.storage is None:
            faults.append(f"{label[:120] or 'a tensor'} {fault}")
            continue
        width = BYTES[view.dtype]
        span = view.begin * width, -view.end * width, place
        held.setdefault(view.storage.key, []).append(span)
    # Place of a tensor to that of the one whose storage it is in; its own where it owns it.
    owners: dict[int, int] = {}
    for spans in held.values():
        faults += _settle(sorted(spans), owners, found)
    specs = tuple(
        TensorSpec(
            name=label,
            shape=view.shape,
            dtype=view.dtype,
            shares="" if owners[place] == place else found[owners[place]][0],
            trainable=view.trainable,
        )
        for place, (label, view) in enumerate(found)
        if place in owners
    )
    return specs, list_faults([*dict.fromkeys(faults)], name)


def _fault(view: View, sizes: Mapping[str, int]) -> str:
    storage = view.storage
    if storage is None:
        return view.fault
    claimed = storage.numel * BYTES[storage.dtype]
    if view.end * BYTES[view.dtype] > claimed:
        return f"reaches past the end of its storage of {storage.numel} elements"
    held = sizes.get(storage.key)
    if held is None:
        return "has a storage that is not in the file"
    return "" if held == claimed else f"has a storage of {held} bytes that claims {claimed}"


def _settle(
    spans: list[tuple[int, int, int]],
    owners: dict[int, int],
    found: tuple[tuple[str, View], ...],
) -> list[str]:
    """Walk the views of one storage from its beginning; the first and longest owns it."""
    faults: list[str] = []
    owner, reach = -1, -1
    for begin, negative, place in spans:
        if begin >= reach or begin == -negative:
            owners[place] = owner = place
            reach = max(reach, -negative)
        elif -negative <= reach:
            owners[place] = owner
        else:
            faults.append(f"{found[place][0][:120]} overlaps {found[owner][0][:120]} in part")
    return faults
