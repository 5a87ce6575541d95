"""GGUF, the format of llama.cpp: names, shapes and the model's own description.

Source: GGUF specification, version 3 (`docs/gguf.md` of ggml); block sizes from `ggml.h` and
`ggml-common.h`.
"""

from __future__ import annotations

import math
import struct
from io import BufferedReader
from itertools import pairwise
from pathlib import Path

from reportgen.read.weights._files import (
    MOST_TENSORS,
    WORDS,
    open_checkpoint,
    refusal,
    source_of,
    whole_shape,
)
from reportgen.read.weights._sharded import warn_of_shard
from reportgen.records.checkpoint import Checkpoint, TensorSpec

MAGIC = b"GGUF"
MOST_KEYS = 100_000
MOST_ITEMS = 5_000_000
LONGEST_NAME = 2**16
LONGEST_KEPT = 1000
MOST_DIMENSIONS = 8
DEEPEST = 3
STRING, ARRAY = 8, 9
# Number of a value's type to its form: integers, float32, bool, then the wide ones.
FORMS = dict(enumerate(("B", "b", "H", "h", "I", "i", "f", "?"))) | {10: "Q", 11: "q", 12: "d"}
# Number of a tensor's type to its name, elements a block and bytes a block.
TYPES = {
    int(number): (name, int(block), int(width))
    for number, row in WORDS["gguf"].items()
    for name, block, width in (row.split(),)
}


def read_gguf(path: Path, name: str) -> Checkpoint:
    """Read names, shapes, types and the plain values of the description.

    Args:
        path: A `.gguf` file.
        name: What the report calls it.

    Raises:
        EvidenceError: The file is cut, damaged, or of a version or type that is not known.
    """
    with open_checkpoint(path, name) as (file, size):
        reader = _Reader(BufferedReader(file), size, name)
        tensors, config = reader.content()
    return Checkpoint(
        source=source_of(path, name, "gguf"),
        tensors=tensors,
        config=config,
        problems=warn_of_shard(path, name),
    )


class _Reader:
    """Reads one header from the beginning; every length is held against the file's size."""

    def __init__(self, file: BufferedReader, size: int, name: str) -> None:
        self.file = file
        self.size = size
        self.name = name
        self.at = 0
        self.items = 0
        self.forms: dict[int | str, struct.Struct] = {}
        self._use("<")

    def content(self) -> tuple[tuple[TensorSpec, ...], dict[str, object]]:
        self._start()
        tensors, keys = self._whole("Q"), self._whole("Q")
        if tensors > MOST_TENSORS or keys > MOST_KEYS:
            raise refusal(self.name, f"claims {tensors} tensors and {keys} keys")
        config: dict[str, object] = {}
        for _ in range(keys):
            key = self._text(LONGEST_NAME)
            value = self._value(self._whole("I"), 0)
            if value is not None:
                config[key] = value
        entries = [self._entry() for _ in range(tensors)]
        stated = config.get("general.alignment", 32)
        alignment = stated if isinstance(stated, int) and 0 < stated <= 2**16 else 32
        self._check(entries, -(-self.at // alignment) * alignment)
        return tuple(spec for spec, _, _ in entries), config

    def _start(self) -> None:
        if self._take(4) != MAGIC:
            raise refusal(self.name, "is no GGUF file")
        stated = self._take(4)
        if int.from_bytes(stated, "little") & 0xFFFF == 0:
            self._use(">")
        version = self.forms["I"].unpack(stated)[0]
        if version not in {2, 3}:
            raise refusal(self.name, f"is GGUF of version {version}; 2 and 3 are known")

    def _use(self, order: str) -> None:
        self.forms |= {kind: struct.Struct(order + form) for kind, form in FORMS.items()}
        self.forms |= {form: struct.Struct(order + form) for form in "IQ"}

    def _take(self, length: int, *, keep: bool = True) -> bytes:
        if length > self.size - self.at:
            raise refusal(self.name, "is cut short, or claims more than it has")
        self.at += length
        if keep:
            return self.file.read(length)
        self.file.seek(self.at)
        return b""

    def _number(self, kind: int | str) -> float:
        form = self.forms[kind]
        found: float = form.unpack(self._take(form.size))[0]
        return found

    def _whole(self, kind: str) -> int:
        return int(self._number(kind))

    def _text(self, longest: int) -> str:
        length = self._whole("Q")
        if length > longest:
            raise refusal(self.name, f"has a name of {length} bytes")
        return self._take(length).decode("utf-8", "replace")

    def _value(self, kind: int, depth: int) -> object:
        """Read one value; return None for lists, which hold vocabularies, and for long texts."""
        if kind in FORMS:
            found = self._number(kind)
            return found if math.isfinite(found) else None
        if kind == STRING:
            length = self._whole("Q")
            raw = self._take(length, keep=length <= LONGEST_KEPT)
            return raw.decode("utf-8", "replace") if length <= LONGEST_KEPT else None
        if kind != ARRAY or depth == DEEPEST:
            raise refusal(self.name, f"has a value of type {kind}, which is not known")
        inner, count = self._whole("I"), self._whole("Q")
        if inner in FORMS:
            self._take(count * self.forms[inner].size, keep=False)
            return None
        self.items += count
        if self.items > MOST_ITEMS:
            raise refusal(self.name, f"claims a list of {count} texts")
        for _ in range(count):
            self._value(inner, depth + 1)
        return None

    def _entry(self) -> tuple[TensorSpec, int, int]:
        """Return a tensor, where it begins behind the header, and its bytes."""
        label, dimensions = self._text(LONGEST_NAME), self._whole("I")
        if dimensions > MOST_DIMENSIONS:
            raise refusal(self.name, f"gives {label[:120]} {dimensions} dimensions")
        # The fastest dimension stands first here, and last everywhere else.
        shape = whole_shape([self._whole("Q") for _ in range(dimensions)][::-1])
        kind, offset = self._whole("I"), self._whole("Q")
        if not label or shape is None or kind not in TYPES:
            raise refusal(self.name, f"describes {label[:120]} in a way that is no tensor")
        dtype, block, width = TYPES[kind]
        spec = TensorSpec(name=label, shape=shape, dtype=dtype)
        if spec.count % block:
            raise refusal(self.name, f"gives {label[:120]} a shape that fills no blocks of {dtype}")
        return spec, offset, spec.count // block * width

    def _check(self, entries: list[tuple[TensorSpec, int, int]], begin: int) -> None:
        if len({spec.name for spec, _, _ in entries}) < len(entries):
            raise refusal(self.name, "names a tensor twice")
        spans = sorted((offset, offset + size, spec.name) for spec, offset, size in entries)
        for (_, end, first), (following, _, second) in pairwise(spans):
            if end > following:
                raise refusal(self.name, f"lets {first[:120]} and {second[:120]} overlap")
        if spans and begin + spans[-1][1] > self.size:
            raise refusal(self.name, f"is cut short: {spans[-1][2][:120]} ends behind its end")
