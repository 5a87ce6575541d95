"""Find the model's tensors in what a training script saved: other things are named, not counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from reportgen.read.weights._files import refusal
from reportgen.read.weights._pickle import Name, Record, Table
from reportgen.read.weights._tensors import MOST_TENSORS
from reportgen.read.weights._views import View, view_of

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
