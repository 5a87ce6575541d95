"""What `torch.save` writes: a zip archive since PyTorch 1.6, a stream of pickles before.

Source: `torch/serialization.py` (`_save`, `_legacy_save`, `_legacy_load`), PyTorch 0.4 to 2.13.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO

from reportgen.checkpoints._header._arguments import find_arguments
from reportgen.checkpoints._header._dtypes import BYTES
from reportgen.checkpoints._header._fault import refusal
from reportgen.checkpoints._header._machine import LARGEST_PICKLE
from reportgen.checkpoints._header._names import warn_of_names
from reportgen.checkpoints._header._pickle import Unpickled, read_pickle
from reportgen.checkpoints._header._rebuild import storage_of
from reportgen.checkpoints._header._record import Header
from reportgen.checkpoints._header._section import open_section, position_of
from reportgen.checkpoints._header._specs import describe_tensors
from reportgen.checkpoints._header._walk import find_tensors, table_of
from reportgen.checkpoints._header._words import say_tensors
from reportgen.checkpoints._header._zip import check_crc, read_directory
from reportgen.records.source import Problem

ZIP = b"PK\x03\x04"
PICKLES = "data.pkl"
LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
LEGACY_PROTOCOL = 1001
REMEDY = "save the model's state_dict, as safetensors or with torch.save"


def read_saved(file: BinaryIO, size: int, name: str) -> Header:
    """Read what a file saved by PyTorch holds, without running or loading any of it.

    Args:
        file: Open for reading, at its beginning.
        size: Its bytes.
        name: What messages call it.

    Raises:
        EvidenceError: The file is damaged, no file of PyTorch, or holds no tensors.
    """
    head = file.read(len(ZIP))
    file.seek(0)
    held, sizes = (_open_zip if head == ZIP else _open_stream)(file, size, name)
    found = find_tensors(held.value, name)
    warnings = warn_of_names(held.names, name)
    tensors, faults = describe_tensors(found.tensors, sizes, name)
    if not tensors:
        said = "; ".join(problem.message for problem in (*warnings, *faults[:3]))
        raise refusal(name, f"holds no tensors that can be counted{said and ': '}{said}", REMEDY)
    left_out = tuple(
        Problem(
            path=name,
            message=f"{say_tensors(count)} under {key[:80]!r} "
            f"{'is' if count == 1 else 'are'} no part of the model",
            level="note",
        )
        for key, count in list(found.left_out.items())[:10]
    )
    return Header(
        tensors=tensors,
        config=find_arguments(found.values),
        problems=(*warnings, *faults, *left_out),
    )


def _open_zip(file: BinaryIO, size: int, name: str) -> tuple[Unpickled, Mapping[str, int]]:
    """Read the pickle of an archive, and the bytes of each storage in it."""
    entries = read_directory(file, size, name)
    pickles = [entry for entry in entries.values() if entry.name.rpartition("/")[2] == PICKLES]
    if len(pickles) != 1 or pickles[0].name.count("/") > 1:
        raise refusal(name, f"holds {len(pickles)} files called {PICKLES}; PyTorch writes one")
    entry = pickles[0]
    if entry.packed or entry.size > LARGEST_PICKLE:
        raise refusal(name, f"holds a {PICKLES} that is packed or too large")
    check_crc(file, entry, name)
    held = read_pickle(open_section(file, entry.begin, entry.size), name)
    folder = f"{entry.name.removesuffix(PICKLES)}data/"
    sizes = {
        stored.name.removeprefix(folder): stored.size
        for stored in entries.values()
        if stored.name.startswith(folder) and not stored.packed
    }
    return held, sizes


def _open_stream(file: BinaryIO, size: int, name: str) -> tuple[Unpickled, Mapping[str, int]]:
    """Read the pickles of the old stream, and the length before each storage behind them."""
    stream = open_section(file, 0, size)
    first = read_pickle(stream, name)
    if first.value != LEGACY_MAGIC:
        return first, {}
    protocol, system = read_pickle(stream, name), read_pickle(stream, name)
    if protocol.value != LEGACY_PROTOCOL:
        raise refusal(name, "is of a version of PyTorch's old format that is not known")
    held, keys = read_pickle(stream, name), read_pickle(stream, name)
    little = table_of(system.value).get("little_endian") is not False
    widths = {s.key: BYTES[s.dtype] for s in map(storage_of, held.persistent) if s is not None}
    sizes: dict[str, int] = {}
    at = position_of(stream)
    for key in keys.value if type(keys.value) is list else ():
        file.seek(at)
        length = int.from_bytes(file.read(8), "little" if little else "big")
        at += 8 + length * widths.get(str(key), 0)
        if at > size or str(key) not in widths:
            break
        sizes[str(key)] = length * widths[str(key)]
    return held, sizes
