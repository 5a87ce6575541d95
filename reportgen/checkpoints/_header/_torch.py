"""What `torch.save` writes: a zip archive since PyTorch 1.6, a stream of pickles before.

Source: `torch/serialization.py` (`_save`, `_legacy_save`, `_legacy_load`), PyTorch 0.4 to 2.13.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from reportgen.checkpoints._header._arguments import find_arguments
from reportgen.checkpoints._header._dtypes import BYTES
from reportgen.checkpoints._header._fault import refusal
from reportgen.checkpoints._header._machine import LARGEST_PICKLE
from reportgen.checkpoints._header._names import warn_of_names
from reportgen.checkpoints._header._pickle import Unpickled, read_pickle
from reportgen.checkpoints._header._rebuild import storage_of
from reportgen.checkpoints._header._record import Header, Place
from reportgen.checkpoints._header._section import open_section, open_stretch, position_of
from reportgen.checkpoints._header._specs import describe_tensors
from reportgen.checkpoints._header._walk import Found, find_tensors, table_of
from reportgen.checkpoints._header._words import say_tensors
from reportgen.checkpoints._header._zip import check_crc, read_directory
from reportgen.records.source import Problem

ZIP = b"PK\x03\x04"
PICKLES = "data.pkl"
LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
LEGACY_PROTOCOL = 1001
# DeepSpeed's key for the shapes of what it split.
OF_ZERO = "param_shapes"
REMEDY = "save the model's state_dict, as safetensors or with torch.save"


@dataclass(frozen=True, slots=True)
class Storages:
    """Where the numbers of a file lie.

    Attributes:
        spans: Key of a storage to the offsets of its first byte and of the one behind its last.
        little: Whether the lowest byte of a number comes first.
        sums: Key of a storage to the checksum that the file states for it, where it does.
    """

    spans: Mapping[str, tuple[int, int]]
    little: bool = True
    sums: Mapping[str, int] = field(default_factory=dict)


def read_saved(file: BinaryIO, size: int, name: str) -> Header:
    """Read what a file saved by PyTorch holds, without running or loading any of it.

    Args:
        file: Open for reading, at its beginning.
        size: Its bytes.
        name: What messages call it.

    Raises:
        EvidenceError: The file is damaged, no file of PyTorch, or holds no tensors.
    """
    held, storages = open_saved(file, size, name)
    found = find_tensors(held.value, name)
    warnings = warn_of_names(held.names, name)
    sizes = {key: end - begin for key, (begin, end) in storages.spans.items()}
    tensors, faults = describe_tensors(found.tensors, sizes, name)
    split: tuple[Problem, ...] = ()
    if OF_ZERO in found.values:
        from reportgen.checkpoints._header._zero import with_whole_shapes

        tensors, split = with_whole_shapes(tensors, found.values, name)
    if not tensors:
        said = "; ".join(problem.message for problem in (*warnings, *faults[:3]))
        raise refusal(name, f"holds no tensors that can be counted{said and ': '}{said}", REMEDY)
    return Header(
        tensors=tensors,
        config=find_arguments(found.values),
        problems=(*warnings, *faults, *split, *_left_out(found, name)),
        sums=_sums(found, storages),
    )


def _left_out(found: Found, name: str) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            path=name,
            message=f"{say_tensors(count)} under {key[:80]!r} "
            f"{'is' if count == 1 else 'are'} no part of the model",
            level="note",
        )
        for key, count in list(found.left_out.items())[:10]
    )


def _sums(found: Found, storages: Storages) -> dict[str, int]:
    """Return the stated checksum of every tensor that is all of its storage."""
    return {
        label: storages.sums[tensor.storage.key]
        for label, tensor in found.tensors
        if tensor.storage is not None
        and tensor.storage.key in storages.sums
        and tensor.span == (0, tensor.storage.numel)
    }


def locate_saved(file: BinaryIO, size: int, name: str) -> tuple[Place, ...]:
    """Say where the bytes of each of the model's tensors lie, for a loader that runs nothing.

    Only for a file of which `read_saved` says no more than notes: what it does not count is
    not found here.

    Args:
        file: Open for reading, at its beginning.
        size: Its bytes.
        name: What messages call it.

    Raises:
        EvidenceError: As `read_saved`.
    """
    held, storages = open_saved(file, size, name)
    if not storages.little:
        raise refusal(name, "has its numbers with the highest byte first", REMEDY)
    spans = storages.spans
    return tuple(
        Place(
            name=label,
            dtype=tensor.dtype,
            shape=tensor.shape,
            stride=tensor.stride,
            begin=spans[tensor.storage.key][0] + tensor.span[0] * BYTES[tensor.dtype],
            end=spans[tensor.storage.key][0] + tensor.span[1] * BYTES[tensor.dtype],
        )
        for label, tensor in find_tensors(held.value, name).tensors
        if tensor.storage is not None and tensor.storage.key in spans
    )


def open_saved(file: BinaryIO, size: int, name: str) -> tuple[Unpickled, Storages]:
    """Read the pickle of a file, and where each storage begins and ends in it.

    Raises:
        EvidenceError: The file is damaged, or no file of PyTorch.
    """
    head = file.read(len(ZIP))
    file.seek(0)
    return (_open_zip if head == ZIP else _open_stream)(file, size, name)


def _open_zip(file: BinaryIO, size: int, name: str) -> tuple[Unpickled, Storages]:
    """Read the pickle of an archive, and the place of each storage in it."""
    entries = read_directory(file, size, name)
    pickles = [entry for entry in entries.values() if entry.name.rpartition("/")[2] == PICKLES]
    if len(pickles) != 1 or pickles[0].name.count("/") > 1:
        raise refusal(name, f"holds {len(pickles)} files called {PICKLES}; PyTorch writes one")
    entry = pickles[0]
    if entry.packed or entry.size > LARGEST_PICKLE:
        raise refusal(name, f"holds a {PICKLES} that is packed or too large")
    check_crc(file, entry, name)
    held = read_pickle(open_stretch(file, entry.begin, entry.size), name)
    folder = f"{entry.name.removesuffix(PICKLES)}data/"
    stored = {
        one.name.removeprefix(folder): one
        for one in entries.values()
        if one.name.startswith(folder) and not one.packed
    }
    spans = {key: (one.begin, one.begin + one.size) for key, one in stored.items()}
    sums = {key: one.crc for key, one in stored.items() if one.crc}
    order = entries.get(f"{entry.name.removesuffix(PICKLES)}byteorder")
    little = order is None or open_section(file, order.begin, order.size).read(8) != b"big"
    return held, Storages(spans, little, sums)


def _open_stream(file: BinaryIO, size: int, name: str) -> tuple[Unpickled, Storages]:
    """Read the pickles of the old stream, and the length before each storage behind them."""
    stream = open_section(file, 0, size)
    first = read_pickle(stream, name)
    if first.value != LEGACY_MAGIC:
        return first, Storages({})
    protocol, system = read_pickle(stream, name), read_pickle(stream, name)
    if protocol.value != LEGACY_PROTOCOL:
        raise refusal(name, "is of a version of PyTorch's old format that is not known")
    held, keys = read_pickle(stream, name), read_pickle(stream, name)
    little = table_of(system.value).get("little_endian") is not False
    widths = {s.key: BYTES[s.dtype] for s in map(storage_of, held.persistent) if s is not None}
    spans: dict[str, tuple[int, int]] = {}
    at = position_of(stream)
    for key in keys.value if type(keys.value) is list else ():
        file.seek(at)
        length = int.from_bytes(file.read(8), "little" if little else "big")
        at += 8 + length * widths.get(str(key), 0)
        if at > size or str(key) not in widths:
            break
        spans[str(key)] = (at - length * widths[str(key)], at)
    return held, Storages(spans, little)
