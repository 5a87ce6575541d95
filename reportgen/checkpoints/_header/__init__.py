"""What stands at the head of a checkpoint: names, shapes and types, without a byte of the weights.

Here is safetensors'; the files of PyTorch have their own modules beside it.

Source: safetensors format description, version 0.4 (an unsigned 64-bit length, that many
bytes of JSON, then the data).
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO, FileIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.checkpoints._header._dtypes import OF_SAFETENSORS
from reportgen.checkpoints._header._fault import refusal
from reportgen.checkpoints._header._index import read_shards, warn_of_shard
from reportgen.checkpoints._header._record import Header, Place
from reportgen.checkpoints._header._shape import whole_shape
from reportgen.checkpoints._json import parse_object, refuse_pointer
from reportgen.errors import EvidenceError
from reportgen.records.source import Problem
from reportgen.records.tensor import TensorSpec

if TYPE_CHECKING:
    from reportgen.checkpoints._header._training_args import TrainingArguments

__all__ = [
    "Header",
    "Place",
    "locate_torch",
    "open_checkpoint",
    "read_distributed",
    "read_header",
    "read_shards",
    "read_torch",
    "read_training_args",
    "refusal",
    "warn_of_shard",
    "whole_shape",
]

LARGEST_HEADER = 100_000_000
LENGTH = struct.Struct("<Q")


def read_header(path: Path, name: str) -> Header:
    """Read and check the header of one safetensors file.

    Args:
        path: The file.
        name: What messages call it.

    Raises:
        EvidenceError: The header is longer than the file or than 100 MB, is no JSON object,
            or describes tensors that overlap, lie outside the file or have sizes that do not
            agree with their shape.
    """
    from reportgen.checkpoints._header._canonical import read_canonical

    with open_checkpoint(path, name) as (file, size):
        head = file.read(LENGTH.size)
        if len(head) < LENGTH.size:
            raise refusal(name, f"has {size} bytes; the header alone needs 8")
        (length,) = LENGTH.unpack(head)
        if length > LARGEST_HEADER:
            raise refusal(name, f"claims a header of {length} bytes; 100 MB is the limit")
        if LENGTH.size + length > size:
            raise refusal(name, f"is cut short: its header has {length} bytes, the file {size}")
        content, room = file.read(length), size - LENGTH.size - length
    found = read_canonical(content, room)
    if found is not None:
        return Header(tensors=found)
    return _read_entries(parse_object(content, name), room, name)


def read_torch(path: Path, name: str) -> Header:
    """Read what a file of PyTorch says it holds, without running or loading any of it.

    Args:
        path: The file.
        name: What messages call it.

    Raises:
        EvidenceError: The file is damaged, no file of PyTorch, or holds no tensors.
    """
    from reportgen.checkpoints._header._torch import read_saved

    with open_checkpoint(path, name) as (file, size):
        return read_saved(file, size, name)


def locate_torch(path: Path, name: str) -> tuple[Place, ...]:
    """Say where in a file of PyTorch the bytes of each tensor lie.

    Args:
        path: A file of which `read_torch` says no more than notes.
        name: What messages call it.

    Raises:
        EvidenceError: The file is damaged, or no file of PyTorch.
    """
    from reportgen.checkpoints._header._torch import locate_saved

    with open_checkpoint(path, name) as (file, size):
        return locate_saved(file, size, name)


def read_training_args(content: bytes, name: str) -> TrainingArguments:
    """Read the settings in the Trainer's `training_args.bin`, without running any of it.

    Args:
        content: The file.
        name: What messages call it.

    Raises:
        EvidenceError: The file is damaged, or holds no training arguments.
    """
    from reportgen.checkpoints._header._training_args import read_training_args as read

    return read(BytesIO(content), len(content), name)


def read_distributed(path: Path, name: str) -> Header:
    """Read what the `.metadata` of a distributed checkpoint says its folder holds.

    Args:
        path: The `.metadata`.
        name: What messages call it.

    Raises:
        EvidenceError: The file is damaged, or describes no tensors.
    """
    from reportgen.checkpoints._header._distributed import read_metadata

    with open_checkpoint(path, name) as (file, size):
        return read_metadata(file, size, path.parent, name)


@contextmanager
def open_checkpoint(path: Path, name: str) -> Iterator[tuple[FileIO, int]]:
    """Open a file, refuse the text that Git LFS leaves, and turn every fault into a letter."""
    try:
        # Without a buffer: headers lie far apart, and what lies between them is not wanted.
        with path.open("rb", buffering=0) as file:
            refuse_pointer(file.read(64), name)
            file.seek(0)
            yield file, os.fstat(file.fileno()).st_size
    except EvidenceError:
        raise  # an OSError too, and already a letter to the user
    except OSError as error:
        raise EvidenceError(
            f"{name} cannot be read: {error.strerror}", remedy="check the path and its permissions"
        ) from None


def _read_entries(header: Mapping[str, Any], room: int, name: str) -> Header:
    found: list[TensorSpec] = []
    spans: list[tuple[int, int, str]] = []
    for tensor, entry in header.items():
        if tensor == "__metadata__":
            continue
        spec, begin, end = _entry(tensor, entry, name)
        if end > room:
            raise refusal(
                name,
                f"is cut short or damaged: {tensor[:120]} ends at byte {end} of {room}",
            )
        found.append(spec)
        if begin < end:
            spans.append((begin, end, tensor))
    spans.sort()
    for (_, end, first), (begin, _, second) in pairwise(spans):
        if begin < end:
            raise refusal(name, f"lets {first[:120]} and {second[:120]} overlap")
    unclaimed = room - sum(end - begin for begin, end, _ in spans)
    return Header(tensors=tuple(found), problems=_remarks(len(found), unclaimed, name))


def _remarks(tensors: int, unclaimed: int, name: str) -> tuple[Problem, ...]:
    """Say what the library of safetensors refuses, or hardly meant, and the counts allow."""
    said = []
    if not tensors:
        said.append("the file holds no tensors")
    if unclaimed:
        bytes_are = "1 byte belongs" if unclaimed == 1 else f"{unclaimed} bytes belong"
        said.append(
            f"{bytes_are} to no tensor; the library of safetensors refuses such a file, which may "
            "be damaged"
        )
    return tuple(Problem(path=name, message=message, level="note") for message in said)


def _entry(tensor: str, entry: object, name: str) -> tuple[TensorSpec, int, int]:
    values = entry if isinstance(entry, dict) else {}
    shape, span = whole_shape(values.get("shape")), _span(values.get("data_offsets"))
    dtype, bits = OF_SAFETENSORS.get(str(values.get("dtype")), ("", 0))
    if not tensor or not dtype or shape is None or span is None:
        raise refusal(
            name, f"describes {tensor[:120]} in a way that is no tensor: {str(entry)[:120]}"
        )
    stored = span[1] - span[0]
    if stored * 8 != math.prod(shape) * bits:
        raise refusal(
            name,
            f"gives {tensor[:120]} {stored} bytes; {dtype} of shape {list(shape)} needs "
            f"{math.ceil(math.prod(shape) * bits / 8)}",
        )
    return TensorSpec(name=tensor, shape=shape, dtype=dtype), span[0], span[1]


def _span(value: object) -> tuple[int, int] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    begin, end = value
    whole = type(begin) is int and type(end) is int
    return (begin, end) if whole and 0 <= begin <= end else None
