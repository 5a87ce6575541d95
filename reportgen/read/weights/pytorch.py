"""Files that `torch.save` wrote, whole or in shards: read without unpickling them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reportgen.read.weights._files import open_checkpoint, read_object, refusal, source_of
from reportgen.read.weights._model import find_tensors
from reportgen.read.weights._pickle import Pickle
from reportgen.read.weights._saved import Storages, open_saved
from reportgen.read.weights._settings import find_arguments, warn_of_names
from reportgen.read.weights._sharded import read_shards, warn_of_shard
from reportgen.read.weights._tensors import BYTES, Header, note, say_tensors
from reportgen.read.weights._views import View, count_views
from reportgen.records.source import Problem
from reportgen.records.tensor import Checkpoint

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
        from reportgen.read.weights._zero import with_whole_shapes

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
