"""From views of storages to tensors that may be counted; what cannot hold is said, not counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reportgen.checkpoints._header._dtypes import BYTES
from reportgen.checkpoints._header._rebuild import StoredTensor
from reportgen.checkpoints._header._words import say_tensors
from reportgen.records.source import Problem
from reportgen.records.tensor import TensorSpec

MOST_PROBLEMS = 20


def describe_tensors(
    found: tuple[tuple[str, StoredTensor], ...], sizes: Mapping[str, int], name: str
) -> tuple[tuple[TensorSpec, ...], tuple[Problem, ...]]:
    """Check every view against its storage, and find the tensors that share one.

    Args:
        found: Tensors by name.
        sizes: Key of a storage to the bytes the file has for it.
        name: What messages call the file.

    Returns:
        Tensors in the order of the file, and what could not be counted, at most 20 lines.
    """
    faults: dict[str, str] = {}
    views: dict[str, list[tuple[int, int, int]]] = {}
    names: dict[str, int] = {}
    for place, (label, tensor) in enumerate(found):
        fault = _fault(tensor, sizes)
        if not label or label in names:
            fault = "stands twice" if label else "has no name"
        names.setdefault(label, place)
        if fault or tensor.storage is None:
            faults[f"{label[:120] or 'a tensor'} {fault}"] = label
            continue
        width = BYTES[tensor.dtype]
        begin, end = tensor.span
        views.setdefault(tensor.storage.key, []).append((begin * width, -end * width, place))
    shares: dict[int, int] = {}
    counted: set[int] = set()
    labels = [label for label, _ in found]
    for held in views.values():
        counted |= _owners(sorted(held), shares, labels, faults)
    specs = tuple(
        TensorSpec(
            name=label,
            shape=tensor.shape,
            dtype=tensor.dtype,
            shares=found[shares[place]][0] if place in shares else "",
            trainable=tensor.trainable,
        )
        for place, (label, tensor) in enumerate(found)
        if place in counted or place in shares
    )
    return specs, list_faults(list(faults), name)


def _fault(tensor: StoredTensor, sizes: Mapping[str, int]) -> str:
    storage = tensor.storage
    if storage is None:
        return tensor.fault
    claimed = storage.numel * BYTES[storage.dtype]
    if tensor.span[1] * BYTES[tensor.dtype] > claimed:
        return f"reaches past the end of its storage of {storage.numel} elements"
    held = sizes.get(storage.key)
    if held is None:
        return "has a storage that is not in the file"
    return "" if held == claimed else f"has a storage of {held} bytes that claims {claimed}"


def _owners(
    held: list[tuple[int, int, int]],
    shares: dict[int, int],
    names: list[str],
    faults: dict[str, str],
) -> set[int]:
    """Walk the views of one storage from its beginning; the first and longest owns it."""
    owners: set[int] = set()
    owner, reach = -1, -1
    for begin, negative, place in held:
        if begin >= reach or begin == -negative:
            owners.add(place)
            owner, reach = place, max(reach, -negative)
        elif -negative <= reach:
            shares[place] = owner
        else:
            faults[f"{names[place][:120]} overlaps {names[owner][:120]} in part"] = names[place]
    return owners


def list_faults(lines: list[str], name: str) -> tuple[Problem, ...]:
    """Say which tensors are not counted and why, in at most 20 lines and one about the rest.

    Example:
        >>> [problem.message for problem in list_faults(["w is sparse"], "model.pt")]
        ['w is sparse; its numbers are not counted']
    """
    shown = [
        Problem(path=name, message=f"{line}; its numbers are not counted", remedy="save it again")
        for line in lines[:MOST_PROBLEMS]
    ]
    if len(lines) > MOST_PROBLEMS:
        left = say_tensors(len(lines) - MOST_PROBLEMS, "is", "are", more=True)
        more = f"{left} not counted"
        shown.append(replace(shown[-1], message=more))
    return tuple(shown)
