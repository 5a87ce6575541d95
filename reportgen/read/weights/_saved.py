"""What `torch.save` writes: a zip archive since PyTorch 1.6, a stream of pickles before.

Source: `torch/serialization.py` (`_save`, `_legacy_save`, `_legacy_load`), PyTorch 0.4 to 2.13.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from reportgen.read.weights._files import refusal
from reportgen.read.weights._model import table_of
from reportgen.read.weights._pickle import (
    LARGEST_PICKLE,
    Pickle,
    open_section,
    open_stretch,
    read_pickle,
)
from reportgen.read.weights._tensors import BYTES
from reportgen.read.weights._views import storage_of

ZIP = b"PK\x03\x04"
PICKLES = "data.pkl"
LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
LEGACY_PROTOCOL = 1001


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


def open_saved(file: BinaryIO, size: int, name: str) -> tuple[Pickle, Storages]:
    """Read the pickle of a file, and where each storage begins and ends in it."""
    head = file.read(len(ZIP))
    file.seek(0)
    return (_open_zip if head == ZIP else _open_stream)(file, size, name)


def _open_zip(file: BinaryIO, size: int, name: str) -> tuple[Pickle, Storages]:
    """Read the pickle of an archive, and the place of each storage in it."""
    from reportgen.read.weights._zip import Archive

    archive = Archive(file, size, name)
    entries = archive.entries()
    pickles = [entry for entry in entries.values() if entry.name.rpartition("/")[2] == PICKLES]
    if len(pickles) != 1 or pickles[0].name.count("/") > 1:
        raise refusal(name, f"holds {len(pickles)} files called {PICKLES}; PyTorch writes one")
    entry = pickles[0]
    if entry.packed or entry.size > LARGEST_PICKLE:
        raise refusal(name, f"holds a {PICKLES} that is packed or too large")
    archive.check_crc(entry)
    top = entry.name.removesuffix(PICKLES)
    order = entries.get(f"{top}byteorder")
    little = order is None or open_section(file, order.begin, order.size).read(8) != b"big"
    folder = f"{top}data/"
    spans: dict[str, tuple[int, int]] = {}
    sums: dict[str, int] = {}
    # Taken off one by one: a large archive's entries need not lie in memory beside its pickle.
    while entries:
        label, one = entries.popitem()
        if label.startswith(folder) and not one.packed:
            key = label.removeprefix(folder)
            spans[key] = one.begin, one.begin + one.size
            if one.crc:
                sums[key] = one.crc
    held = read_pickle(open_stretch(file, entry.begin, entry.size), entry.size, name)
    return held, Storages(spans, little, sums)


def _open_stream(file: BinaryIO, size: int, name: str) -> tuple[Pickle, Storages]:
    """Read the pickles of the old stream, and the length before each storage behind them."""
    stream = open_section(file, 0, size)
    first = read_pickle(stream, size, name)
    if first.value != LEGACY_MAGIC:
        return first, Storages({})
    protocol, system, held, keys = (read_pickle(stream, size, name) for _ in range(4))
    if protocol.value != LEGACY_PROTOCOL:
        raise refusal(name, "is of a version of PyTorch's old format that is not known")
    little = table_of(system.value).get("little_endian") is not False
    widths = {s.key: BYTES[s.dtype] for s in map(storage_of, held.pointers) if s is not None}
    spans: dict[str, tuple[int, int]] = {}
    at = stream.tell()
    for key in keys.value if type(keys.value) is list else ():
        width = widths.get(key, 0) if isinstance(key, str) else 0
        file.seek(at)
        length = int.from_bytes(file.read(8), "little" if little else "big")
        at += 8 + length * width
        if at > size or not width:
            break
        spans[key] = (at - length * width, at)
    return held, Storages(spans, little)
