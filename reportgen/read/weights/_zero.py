"""DeepSpeed's files of a model: where ZeRO-3 leaves empty tensors, and writes their shapes beside.

Source: DeepSpeed 0.9 to 0.18, `runtime/engine.py` (`_save_checkpoint`,
`_get_zero_param_shapes`, `_get_shared_params`) and `utils/zero_to_fp32.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reportgen.read.weights._model import table_of
from reportgen.read.weights._pickle import Record, Table
from reportgen.read.weights._tensors import (
    MOST_TENSORS,
    list_faults,
    note,
    say_tensors,
    whole_shape,
)
from reportgen.read.weights._views import sizes_in
from reportgen.records.record import replace
from reportgen.records.source import Problem
from reportgen.records.tensor import TensorSpec

SHAPES, FROZEN, SHARED = "param_shapes", "frozen_param_shapes", "shared_params"
BUFFERS, SLICES = "buffer_names", "mp_world_size"
# Beside an empty module: this rank's parts of what is frozen.
FRAGMENTS = "frozen_param_fragments."
# What a rank's own part of a parameter is kept in, whatever the model computes in.
OF_MASTER = "float32"
EMPTY = (0,)


def with_whole_shapes(
    tensors: tuple[TensorSpec, ...], values: Mapping[str, Any], name: str
) -> tuple[tuple[TensorSpec, ...], tuple[Problem, ...]]:
    """Give the parameters that ZeRO-3 split over its ranks the shapes that the file states."""
    stated = _shapes(values.get(SHAPES)) | _shapes([values.get(FROZEN)])
    if not stated:
        return tensors, ()
    buffers = _texts(values.get(BUFFERS))
    shared = {k: v for k, v in table_of(values.get(SHARED)).items() if isinstance(v, str)}
    known = {t.name: t for t in tensors if not t.name.startswith(FRAGMENTS)}
    whole: dict[str, TensorSpec] = {}
    for label in dict.fromkeys((*known, *stated)):
        tensor = known.get(label) or TensorSpec(name=label, shape=EMPTY, dtype=OF_MASTER)
        owner = shared.get(label, "")
        if label in buffers:
            tensor = replace(tensor, trainable=False)
        elif tensor.shape == EMPTY:
            # A second name of a parameter has no shape of its own.
            shape = stated.get(label) or stated.get(owner, EMPTY)
            tied = owner if label not in stated and owner in stated else ""
            tensor = replace(tensor, shape=shape, shares=tied or tensor.shares)
        whole[label] = tensor
    for label, tensor in whole.items():
        if tensor.shares and tensor.shares not in whole:
            whole[label] = replace(tensor, shares="")
    given = [t for t in whole.values() if t.name not in known or t.shape != known[t.name].shape]
    lost = [t.name for t in whole.values() if t.shape == EMPTY and t.name not in buffers]
    return tuple(whole.values()), tuple(_told(len(given), lost, values.get(SLICES), name))


def _told(given: int, lost: list[str], slices: object, name: str) -> Iterator[Problem]:
    """Yield what the reader of the count should know."""
    if given:
        split = say_tensors(given, "is", "are")
        yield note(
            name,
            f"{split} split over the ranks (ZeRO-3): shapes from {SHAPES}; the numbers lie in the "
            "optimizer's files",
        )
    yield from list_faults(
        [f"{label[:120]} is split, its shape not stated" for label in lost], name
    )
    if isinstance(slices, int) and slices > 1:
        yield Problem(
            path=name,
            message=f"the model is sliced over {slices} tensor-parallel ranks: the total counts "
            "the slice in this file alone, not the whole model",
            remedy="merge the slices, as with DeepSpeed's ds_to_universal.py",
        )


def _shapes(groups: object) -> dict[str, tuple[int, ...]]:
    """Read a list of mappings, one a group of the optimizer; some versions wrote the one."""
    found: dict[str, tuple[int, ...]] = {}
    listed = groups if type(groups) is list else [groups]
    for group in listed:
        for key, value in table_of(group).items():
            shape = whole_shape(sizes_in(value))
            if shape is not None and key and len(found) < MOST_TENSORS:
                found[key] = shape
    return found


def _texts(value: object) -> frozenset[str]:
    if isinstance(value, Record):
        value = value.elements or value.arguments
    listed = value if isinstance(value, list | tuple) and not isinstance(value, Table) else ()
    return frozenset(one for one in listed if isinstance(one, str))
