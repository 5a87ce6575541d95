"""From the calls that a pickle would have made to the tensors they would have rebuilt.

Source: `torch/_utils.py` (`_rebuild_tensor_v2` and its kin), `torch/_tensor.py`
(`_rebuild_from_type_v2`), `torch/serialization.py` (`persistent_id`), PyTorch 0.4 to 2.13.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from reportgen.checkpoints._header._dtypes import dtype_of
from reportgen.checkpoints._header._machine import Name, Persistent, Record
from reportgen.checkpoints._header._shape import LARGEST_COUNT, MOST_DIMENSIONS, whole_shape

MOST_WRAPPERS = 8
PLAIN = frozenset({"_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_qtensor"})
PARAMETER = frozenset({"_rebuild_parameter", "_rebuild_parameter_with_state"})
# Tensors whose numbers do not lie in one strided storage: known, said, not counted.
OTHER = {
    "_rebuild_sparse_tensor": "is sparse",
    "_rebuild_sparse_csr_tensor": "is sparse",
    "_rebuild_nested_tensor": "is a nested tensor",
    "_rebuild_meta_tensor_no_storage": "has a shape and no numbers",
    "_rebuild_device_tensor_from_numpy": "is stored as an array of another library",
    "_rebuild_device_tensor_from_cpu_tensor": "is stored for another device",
    "_rebuild_xla_tensor": "is stored for another device",
    "_rebuild_wrapper_subclass": "is a tensor of a class of its own",
}
MODULES = ("torch._utils.", "torch._tensor.", "torch.nn.parameter.", "torch.tensor.")


@dataclass(slots=True)
class Storage:
    """A run of numbers outside the pickle.

    Attributes:
        key: Its name in the archive.
        dtype: Type of the numbers; `uint8` where the storage knows none.
        numel: How many numbers the pickle says it has.
    """

    key: str
    dtype: str
    numel: int


@dataclass(slots=True)
class StoredTensor:
    """A view of a storage, or the reason why it is none.

    Attributes:
        dtype: Type of the numbers, or empty.
        shape: Sizes.
        stride: Steps between neighbours, in elements.
        offset: First element in the storage.
        storage: Where the numbers lie; None with a fault.
        trainable: False where the file says that no optimizer touches it.
        fault: Why its numbers are not counted, or empty.
    """

    dtype: str = ""
    shape: tuple[int, ...] = ()
    stride: tuple[int, ...] = ()
    offset: int = 0
    storage: Storage | None = None
    trainable: bool = True
    fault: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """First element of the storage that it touches, and the one behind the last."""
        if 0 in self.shape:
            return self.offset, self.offset
        steps = ((n - 1) * step for n, step in zip(self.shape, self.stride, strict=True))
        return self.offset, self.offset + sum(steps) + 1


def tensor_of(value: object) -> StoredTensor | None:
    """Return the tensor that a record would have rebuilt; None for everything else.

    Example:
        >>> storage = Persistent(("storage", Name("torch.HalfStorage"), "0", "cpu", 6))
        >>> record = Record(Name("torch._utils._rebuild_tensor_v2"), (storage, 0, (2, 3), (3, 1)))
        >>> found = tensor_of(record)
        >>> found.dtype, found.shape, found.span
        ('float16', (2, 3), (0, 6))
    """
    trainable = True
    for _ in range(MOST_WRAPPERS):
        if not isinstance(value, Record) or not isinstance(value.callee, Name):
            return None
        callee, arguments = value.callee, value.arguments
        name = callee.rpartition(".")[2]
        if not callee.startswith(MODULES) or not isinstance(arguments, tuple):
            return None
        if name in PARAMETER and arguments:
            trainable = trainable and arguments[1:2] != (False,)
            value = arguments[0]
        elif name == "_rebuild_from_type_v2" and len(arguments) > 2:
            value = Record(arguments[0], arguments[2])
        else:
            found = _rebuilt(name, arguments)
            return found if trainable or found is None else replace(found, trainable=False)
    return None


def _rebuilt(name: str, arguments: tuple[Any, ...]) -> StoredTensor | None:
    if name in PLAIN and len(arguments) >= 4:
        return _view(arguments[0], arguments[1:4], None)
    if name == "_rebuild_tensor_v3" and len(arguments) >= 7:
        return _view(arguments[0], arguments[1:4], arguments[6])
    return StoredTensor(fault=OTHER[name]) if name in OTHER else None


def _view(persistent: object, place: tuple[Any, ...], dtype: object) -> StoredTensor:
    offset, size, stride = place
    storage, sizes, steps = storage_of(persistent), sizes_of(size), sizes_of(stride)
    shape = whole_shape(list(sizes)) if sizes is not None else None
    if shape is None or steps is None or len(shape) != len(steps) or not _is_size(offset):
        return StoredTensor(fault="has a shape that no tensor can have")
    if storage is None:
        return StoredTensor(shape=shape, fault="has its numbers in no storage that is known here")
    kind = storage.dtype if dtype is None else dtype_of(dtype) if isinstance(dtype, Name) else ""
    if not kind:
        return StoredTensor(shape=shape, fault="has a number type that is not known here")
    found = StoredTensor(kind, shape, steps, offset, storage)
    first, end = found.span
    if math.prod(shape) > end - first:
        return replace(found, storage=None, fault="repeats the numbers of a smaller storage")
    return found


def storage_of(value: object) -> Storage | None:
    """Return the storage that a persistent id names, or None.

    An id is `("storage", class, key, place, numel)`; the old stream adds a view, which is None.
    """
    if not isinstance(value, Persistent) or len(value.parts) < 5 or any(value.parts[5:6]):
        return None
    kind, label, key, _, numel = value.parts[:5]
    known = kind == "storage" and isinstance(label, Name) and isinstance(key, str)
    dtype = dtype_of(label) if known else ""
    return Storage(key, dtype, numel) if dtype and _is_size(numel) else None


def sizes_of(value: object) -> tuple[int, ...] | None:
    """Return a tuple, a list or a torch.Size as whole numbers from 0 on; None for all else.

    Example:
        >>> sizes_of(Record(Name("torch.Size"), ((2, 3),))), sizes_of((2, -3))
        ((2, 3), None)
    """
    if isinstance(value, Record) and isinstance(value.arguments, tuple):
        is_size = value.callee == "torch.Size" and len(value.arguments) == 1
        value = value.arguments[0] if is_size else None
    if not isinstance(value, tuple | list) or len(value) > MOST_DIMENSIONS:
        return None
    # By type, since True is an int to isinstance.
    if value and ({*map(type, value)} != {int} or min(value) < 0 or max(value) > LARGEST_COUNT):
        return None
    return tuple(value)


def _is_size(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62
