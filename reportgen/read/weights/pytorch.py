"""Files that `torch.save` wrote, whole or in shards: read without unpickling them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen.read.weights._files import (
    BYTES,
    MOST_TENSORS,
    Header,
    list_faults,
    note,
    open_checkpoint,
    read_object,
    refusal,
    say_tensors,
    source_of,
    whole_shape,
)
from reportgen.read.weights._model import View, count_views, find_tensors, sizes_in, table_of
from reportgen.read.weights._pickle import Pickle, Record, Table
from reportgen.read.weights._saved import Storages, open_saved
from reportgen.read.weights._settings import find_arguments, warn_of_names
from reportgen.read.weights._sharded import read_shards, warn_of_shard
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.record import replace
from reportgen.records.source import Problem

# DeepSpeed's key for the shapes of what it split.
OF_ZERO = "param_shapes"
REMEDY = "save the model's state_dict, as safetensors or with torch.save"


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


def read_pytorch(path: Path, name: str) -> Checkpoint:
    """Read names, shapes, types and shared storages, and the training arguments beside them.

    Nothing in the file is run, and no byte of a tensor is read.

    Args:
        path: A `.pt`, `.pth`, `.bin` or `.ckpt` file, or a `.bin.index.json`.
        name: What the report calls it.

    Raises:
        EvidenceError: The file is damaged, no file of PyTorch, or holds no tensors; an index
            names no file that is there.
    """
    if path.name.endswith(".json"):
        found = read_shards(read_object(path, name), path, name, read_torch)
    else:
        found = read_torch(path, name)
    return Checkpoint(
        source=source_of(path, name, "pytorch"),
        tensors=found.tensors,
        config=found.config,
        problems=(*warn_of_shard(path, name), *found.problems),
    )


def read_torch(path: Path, name: str) -> Header:
    """Read the tensors and settings of one file of PyTorch, without running any of it.

    Args:
        path: The file.
        name: What messages call it.

    Raises:
        EvidenceError: The file is damaged, no file of PyTorch, or holds no tensors.
    """
    with open_checkpoint(path, name) as (file, size):
        held, storages = open_saved(file, size, name)
        return _describe(held, storages, name)


def _describe(held: Pickle, storages: Storages, name: str) -> Header:
    found = find_tensors(held.value, name)
    warnings = warn_of_names(held.names, name)
    sizes = {key: end - begin for key, (begin, end) in storages.spans.items()}
    tensors, faults = count_views(found.tensors, sizes, name)
    split: tuple[Problem, ...] = ()
    if OF_ZERO in found.values:
        tensors, split = with_whole_shapes(tensors, found.values, name)
    if not tensors:
        said = "; ".join(problem.message for problem in (*warnings, *faults[:3]))
        raise refusal(name, f"holds no tensors that can be counted{said and ': '}{said}", REMEDY)
    left_out = tuple(
        note(
            name,
            f"{say_tensors(n)} under {key[:80]!r} {'is' if n == 1 else 'are'} no part of the model",
        )
        for key, n in [*found.left_out.items()][:10]
    )
    return Header(
        tensors=tensors,
        config=find_arguments(found.values),
        problems=(*warnings, *faults, *split, *left_out),
        sums=_sums(found.tensors, storages),
    )


def _sums(tensors: tuple[tuple[str, View], ...], storages: Storages) -> dict[str, int]:
    """Return the stated checksum of every tensor that is all of its storage."""
    return {
        label: storages.sums[view.storage.key]
        for label, view in tensors
        if view.storage is not None
        and view.storage.key in storages.sums
        and (view.begin, view.end) == (0, view.storage.numel)
    }


def locate_torch(path: Path, name: str) -> tuple[Place, ...]:
    """Say where in a file of PyTorch the bytes of each tensor lie, for a loader that runs nothing.

    Args:
        path: A file of which `read_torch` says no more than notes: what that does not count is
            not found here.
        name: What messages call it.

    Raises:
        EvidenceError: The file is damaged, or no file of PyTorch.
    """
    with open_checkpoint(path, name) as (file, size):
        held, storages = open_saved(file, size, name)
        tensors = find_tensors(held.value, name).tensors
    if not storages.little:
        raise refusal(name, "has its numbers with the highest byte first", REMEDY)
    spans = storages.spans
    return tuple(
        Place(
            name=label,
            dtype=view.dtype,
            shape=view.shape,
            stride=view.stride,
            begin=spans[view.storage.key][0] + view.begin * BYTES[view.dtype],
            end=spans[view.storage.key][0] + view.end * BYTES[view.dtype],
        )
        for label, view in tensors
        if view.storage is not None and view.storage.key in spans
    )


# DeepSpeed's files of a model: where ZeRO-3 leaves empty tensors, and writes their shapes beside.
#
# Source: DeepSpeed 0.9 to 0.18, `runtime/engine.py` (`_save_checkpoint`,
# `_get_zero_param_shapes`, `_get_shared_params`) and `utils/zero_to_fp32.py`.

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
