"""From the calls of a pickle to tensors, and from what a script saved to the model's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from reportgen.read.weights._files import (
    BYTES,
    MOST_TENSORS,
    WORDS,
    dtype_of,
    list_faults,
    refusal,
    whole_shape,
    whole_sizes,
)
from reportgen.read.weights._pickle import POINTER, Name, Record, Table
from reportgen.records.checkpoint import TensorSpec
from reportgen.records.source import Problem

# From the calls that a pickle would have made to the tensors they would have rebuilt.
#
# Source: `torch/_utils.py` (`_rebuild_tensor_v2` and its kin), `torch/_tensor.py`
# (`_rebuild_from_type_v2`), `torch/serialization.py` (`persistent_id`), PyTorch 0.4 to 2.13.

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


# Find the model's tensors in what a training script saved: other things are named, not counted.

DEEPEST = 64
LONGEST_NAME = 500
END = object()
# Under which key training scripts keep the model, in this order: Lightning and many others;
# fairseq, torchvision; DeepSpeed; the tutorials of PyTorch.
MODEL_KEYS = (
    "state_dict",
    "model",
    "module",
    "model_state_dict",
    "model_state",
    "network",
    "net",
    "weights",
)
TABLES = frozenset(
    {"collections.OrderedDict", "collections.defaultdict", "builtins.dict", "__builtin__.dict"}
)


@dataclass(frozen=True, slots=True)
class Found:
    """The tensors in a saved object.

    Attributes:
        tensors: The model's, by name, in the order of the file.
        left_out: Key beside the model to the number of tensors under it.
        values: What stands at the top, by key.
    """

    tensors: tuple[tuple[str, View], ...]
    left_out: dict[str, int]
    values: dict[str, Any]


def find_tensors(root: object, name: str) -> Found:
    """Return the model's tensors, told apart from the optimizer's."""
    values = table_of(root)
    entered: set[int] = set()
    for key in MODEL_KEYS:
        inside = key in values and view_of(values[key]) is None
        tensors = _list_tensors(values[key], name, entered) if inside else []
        if tensors:
            others = {k: value for k, value in values.items() if k != key} | dict(_others(root))
            break
    else:
        model = root
        others = {k: v for k, v in values.items() if is_training(k) and view_of(v) is None}
        if others:
            kept = ((k, v) for k, v in values.items() if k not in others)
            model = Table(part for pair in (*kept, *_others(root)) for part in pair)
        tensors = _list_tensors(model, name, entered)
    counts = {k: len(_list_tensors(value, name, entered)) for k, value in others.items()}
    return Found(tuple(tensors), {k: count for k, count in counts.items() if count}, values)


def table_of(value: object) -> dict[str, Any]:
    """Return what a mapping or an object holds under textual keys."""
    if isinstance(value, Table):
        return value.texts()
    if not isinstance(value, Record):
        return {}
    found = value.items.texts() if value.items else {}
    if isinstance(value.callee, Name) and value.callee in TABLES:
        return _pairs(value.arguments) | found if value.arguments else found
    states = value.state if isinstance(value.state, tuple) else (value.state,)
    for state in states[:2]:
        if isinstance(state, Table):
            found = state.texts() | found
    return found


def _pairs(arguments: object) -> dict[str, Any]:
    """Read `OrderedDict([[key, value], ...])`, as Python 2 wrote it."""
    if not isinstance(arguments, tuple) or len(arguments) != 1:
        return {}
    if not isinstance(arguments[0], list) or isinstance(arguments[0], Table):
        return table_of(arguments[0])
    flat = Table()
    for pair in arguments[0]:
        if isinstance(pair, tuple | list) and len(pair) == 2:
            flat.extend(pair)
    return flat.texts()


def _others(value: object) -> Iterator[tuple[str, Any]]:
    """Yield what a mapping or an object holds under keys that `table_of` passes over."""
    tables = [value, value.items, value.state] if isinstance(value, Record) else [value]
    for table in tables:
        if isinstance(table, Table):
            yield from table.others()


def is_training(key: str) -> bool:
    """Say whether what stands under a key belongs to the optimizer and not to the model."""
    lower = key.lower()
    return lower.startswith(("optim", "lr_sched", "sched", "scaler", "rng", "cuda_rng", "ema"))


def _list_tensors(root: object, name: str, entered: set[int]) -> list[tuple[str, View]]:
    """List every tensor below a value; a container that was entered before is passed over."""
    found: list[tuple[str, View]] = []
    waiting: list[Iterator[tuple[str, object]]] = [iter([("", root)])]
    while waiting:
        path, value = next(waiting[-1], ("", END))
        if value is END:
            waiting.pop()
            continue
        tensor = view_of(value)
        if tensor is not None:
            found.append((path, tensor))
            if len(found) > MOST_TENSORS:
                raise refusal(name, f"names more than {MOST_TENSORS} tensors")
        elif id(value) not in entered and len(waiting) <= DEEPEST and len(path) <= LONGEST_NAME:
            entered.add(id(value))
            waiting.append(_children(value, path))
    return found


def _children(value: object, path: str) -> Iterator[tuple[str, object]]:
    """Yield what lies directly in a container and may hold tensors, with its path."""
    if isinstance(value, Record):
        held = table_of(value)
        if "_modules" in held:
            for part in ("_parameters", "_buffers", "_modules"):
                yield from _below(table_of(held.get(part)).items(), path)
            return
        yield from _below((*held.items(), *_others(value)), path)
        value = value.elements or ()
    if isinstance(value, Table):
        yield from _below((*value.texts().items(), *_others(value)), path)
    elif isinstance(value, list | tuple):
        yield from _below(enumerate(value), path)


def _below(pairs: Iterable[tuple[object, object]], path: str) -> Iterator[tuple[str, object]]:
    for key, child in pairs:
        if isinstance(child, Record | list | tuple):
            yield f"{path}.{key}" if path else str(key), child
