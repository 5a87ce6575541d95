"""Safetensors' header as its own library writes it, read whole columns at a time.

The library writes compact JSON with the keys in one order and the tensors without gaps, so that
the offsets follow from types and shapes and need only be compared. This takes about a third of the
time of a parser and a look at every entry. What differs by one byte is left to those.

Source: safetensors 0.3 to 0.8 (`safetensors/src/tensor.rs`: `prepare`, `TensorInfo`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import accumulate

from reportgen.checkpoints._header._dtypes import OF_SAFETENSORS
from reportgen.checkpoints._header._shape import whole_shape
from reportgen.records.tensor import TensorSpec

# Longer ones, of a hundred thousand tensors, and those that are mere signs would take much memory
# in pieces; the parser counts what it keeps.
LONGEST = 8 * 2**20
SHORTEST_ENTRY = 40
# What JSON lets stand in no string, unless it is escaped.
UNNAMED = bytes(range(32)) + b'"'
# A shape of more sizes than any tensor has would cost the expression below gigabytes.
LONGEST_KIND = 2000
METADATA = '{"__metadata__":{'
KIND = re.compile(
    r'"dtype":"(\w+)","shape":(\[(?:(?:0|[1-9]\d{0,18})(?:,(?:0|[1-9]\d{0,18}))*)?\]),'
    r'"data_offsets":',
    re.ASCII,
)


def read_canonical(content: bytes, room: int) -> tuple[TensorSpec, ...] | None:
    """Read a header of the library's own spelling.

    Args:
        content: The header.
        room: Bytes of the file behind it.

    Returns:
        The tensors; None for every other spelling and for whatever is not sound, which a
        slower reader will name.

    Example:
        >>> header = b'{"w":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]}}'
        >>> [(t.name, t.shape, t.dtype) for t in read_canonical(header, 12)]
        [('w', (2, 3), 'float16')]
        >>> read_canonical(header.replace(b"12]", b"13]"), 13)
    """
    text = _tensor_text(content)
    if not text:
        return None
    # A quote inside a name would be escaped, and the header has no backslash: these signs
    # stand between the parts of an entry and nowhere else.
    heads = [entry.partition('":{') for entry in text.split('},"')]
    names, _, rests = zip(*heads, strict=True)
    middles, _, ends = zip(*[rest.rpartition("[") for rest in rests], strict=True)
    kinds = _read_kinds(set(middles))
    if kinds is None or not _are_names(names):
        return None
    shapes, dtypes, sizes = zip(*[kinds[middle] for middle in middles], strict=True)
    if not _follow(sizes, ends, room):
        return None
    return TensorSpec.many(names, shapes, dtypes)


def _tensor_text(content: bytes) -> str:
    """Return what stands between the first tensor's quote and the last one's brace, or nothing."""
    if len(content) > LONGEST or b"\\" in content:
        return ""
    if content.count(b'},"') > len(content) // SHORTEST_ENTRY:
        return ""
    try:
        text = content.decode().rstrip(" ")
        if text.startswith(METADATA):
            end = text.index("}") + 1
            json.loads(text[len(METADATA) - 1 : end])
            if text[end : end + 1] != ",":
                return ""
            text = f"{{{text[end + 1 :]}"
    except ValueError:
        return ""
    return text[2:-2] if text.startswith('{"') and text.endswith("}}") else ""


def _read_kinds(middles: Iterable[str]) -> dict[str, tuple[tuple[int, ...], str, int]] | None:
    """Return type and shape as written to shape, type and bytes; None where one is no tensor's."""
    kinds = {}
    for middle in middles:
        found = KIND.fullmatch(middle) if len(middle) <= LONGEST_KIND else None
        shape = whole_shape(json.loads(found[2])) if found else None
        dtype, bits = OF_SAFETENSORS.get(found[1], ("", 0)) if found else ("", 0)
        if shape is None or not dtype:
            return None
        numbers = 1
        for size in shape:
            numbers *= size
        if numbers * bits % 8:
            return None
        kinds[middle] = shape, dtype, numbers * bits // 8
    return kinds


def _are_names(names: tuple[str, ...]) -> bool:
    known = set(names)
    if len(known) != len(names) or "" in known or "__metadata__" in known:
        return False
    letters = "".join(names).encode()
    return len(letters.translate(None, UNNAMED)) == len(letters)


def _follow(sizes: tuple[int, ...], ends: tuple[str, ...], room: int) -> bool:
    """Say whether the offsets are those of tensors that lie one behind the other in the file."""
    stops = [*accumulate(sizes)]
    joints = "".join([f"{stop}]|{stop}," for stop in map(str, stops)])
    return stops[-1] == room and f"0,{joints}" == f"{'|'.join(ends)}|{stops[-1]},"
