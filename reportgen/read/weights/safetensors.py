"""Safetensors: one file, or an index that names its shards; the header and nothing behind it.

Source: safetensors format description, version 0.4 (an unsigned 64-bit length, that many bytes
of JSON, then the data); its library's own spelling, 0.3 to 0.8 (`safetensors/src/tensor.rs`:
`prepare`, `TensorInfo`).
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from reportgen.read.weights._files import (
    OF_SAFETENSORS,
    Header,
    note,
    open_checkpoint,
    parse_object,
    read_object,
    refusal,
    source_of,
    whole_shape,
)
from reportgen.read.weights._sharded import read_shards, warn_of_shard
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.source import Problem

LARGEST_HEADER = 100_000_000
LENGTH = struct.Struct("<Q")
ABOUT = "__metadata__"
# Longer ones are left to the parser, which counts what it keeps.
LONGEST = 32 * 2**20
# So many characters are taken apart at a time: whole entries and their names take much memory.
PIECE = 2**16
JOINT = '},"'
# What JSON lets stand in no string, unless it is escaped.
UNNAMED = bytes(range(32)) + b'"'
# A shape of more sizes than any tensor has would cost the expression below gigabytes.
LONGEST_KIND = 2000
SIZE = r"(?:0|[1-9]\d{0,18})"
KIND = re.compile(
    rf'"dtype":"(\w+)","shape":(\[(?:{SIZE}(?:,{SIZE})*)?\]),"data_offsets":', re.ASCII
)


def read_safetensors(path: Path, name: str) -> Checkpoint:
    """Read names, shapes and types; the weights themselves are never touched.

    Args:
        path: A `.safetensors` file or a `.safetensors.index.json`.
        name: What the report calls it.

    Raises:
        EvidenceError: A header is longer than the file or than 100 MB, is no JSON object, or
            describes tensors that overlap, lie outside the file or have sizes that do not agree
            with their shape; an index names no shard that is there.
    """
    if path.name.endswith(".json"):
        found = read_shards(read_object(path, name), path, name, read_header)
    else:
        found = read_header(path, name)
    return Checkpoint(
        source=source_of(path, name, "safetensors"),
        tensors=found.tensors,
        problems=(*warn_of_shard(path, name), *found.problems),
    )


def read_header(path: Path, name: str) -> Header:
    """Read and check the header of one safetensors file.

    Raises:
        EvidenceError: As `read_safetensors`.
    """
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
        found = read_canonical(content, room) if length <= LONGEST else None
        if found is not None:
            return Header(tensors=found)
        return _read_entries(parse_object(content, name), room, name)


def _read_entries(header: Mapping[str, Any], room: int, name: str) -> Header:
    found: list[TensorSpec] = []
    spans: list[tuple[int, int, str]] = []
    for tensor, entry in header.items():
        if tensor == ABOUT:
            continue
        spec, begin, end = _entry(tensor, entry, name)
        if end > room:
            what = f"is cut short or damaged: {tensor[:120]} ends at byte {end} of {room}"
            raise refusal(name, what)
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
    return tuple(note(name, message) for message in said)


def _entry(tensor: str, entry: object, name: str) -> tuple[TensorSpec, int, int]:
    values = entry if isinstance(entry, dict) else {}
    shape, span = whole_shape(values.get("shape")), _span(values.get("data_offsets"))
    dtype, bits = OF_SAFETENSORS.get(str(values.get("dtype")), ("", 0))
    if not tensor or not dtype or shape is None or span is None:
        what = f"describes {tensor[:120]} in a way that is no tensor: {str(entry)[:120]}"
        raise refusal(name, what)
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


def read_canonical(content: bytes, room: int) -> tuple[TensorSpec, ...] | None:
    """Read a header as the library itself writes it, whole columns at a time.

    The library writes compact JSON with the keys in one order and the tensors without gaps, so
    that the offsets follow from types and shapes and need only be compared. This takes about a
    third of the time of a parser and a look at every entry.

    Args:
        content: The header.
        room: Bytes of the file behind it.

    Returns:
        The tensors; None for every other spelling and for whatever is not sound, which the
        slower reader will name.

    Example:
        >>> header = b'{"w":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]}}'
        >>> [(t.name, t.shape, t.dtype) for t in read_canonical(header, 12)]
        [('w', (2, 3), 'float16')]
        >>> read_canonical(header.replace(b"12]", b"13]"), 13)
    """
    kinds: dict[str, tuple[tuple[int, ...], str, int]] = {}
    known: set[str] = {ABOUT, ""}
    found: list[TensorSpec] = []
    stop = 0
    for piece in _pieces(content):
        # A quote inside a name would be escaped, and the header has no backslash: these signs
        # stand between the parts of an entry and nowhere else.
        names, _, rests = zip(*[entry.partition('":{') for entry in piece], strict=True)
        middles, _, ends = zip(*[rest.rpartition("[") for rest in rests], strict=True)
        letters = "".join(names).encode()
        named = len(letters.translate(None, UNNAMED)) == len(letters)
        if not named or not _read_kinds({*middles} - kinds.keys(), kinds):
            return None
        shapes, dtypes, sizes = zip(*[kinds[middle] for middle in middles], strict=True)
        stops = [*accumulate(sizes, initial=stop)]
        joints = "".join([f"{at}]|{at}," for at in map(str, stops[1:])])
        if f"{stop},{joints}" != f"{'|'.join(ends)}|{stops[-1]},":
            return None
        stop = stops[-1]
        known.update(names)
        found += TensorSpec.many(names, shapes, dtypes)
    return tuple(found) if found and stop == room and len(known) == len(found) + 2 else None


def _pieces(content: bytes) -> Iterator[list[str]]:
    """Yield the entries without their outer braces, some at a time; nothing of another spelling."""
    try:
        text = "" if b"\\" in content else content.decode()
        opener, begin, end = '{"', 2, len(text.rstrip(" ")) - 2
        if text.startswith(f'{{"{ABOUT}":{{'):
            close = text.index("}") + 1
            json.loads(text[len(ABOUT) + 4 : close])
            opener, begin = ',"', close + 2
    except (ValueError, RecursionError):
        return
    if text[begin - 2 : begin] != opener or text[end : end + 2] != "}}":
        return
    while begin < end:
        cut = text.find(JOINT, begin + PIECE, end)
        yield text[begin : end if cut < 0 else cut].split(JOINT)
        begin = end if cut < 0 else cut + len(JOINT)


def _read_kinds(middles: Iterable[str], kinds: dict[str, tuple[tuple[int, ...], str, int]]) -> bool:
    """Note shape, type and bytes of each type and shape as written; False for what is no tensor."""
    for middle in middles:
        found = KIND.fullmatch(middle) if len(middle) <= LONGEST_KIND else None
        shape = whole_shape(json.loads(found[2])) if found else None
        dtype, bits = OF_SAFETENSORS.get(found[1], ("", 0)) if found else ("", 0)
        numbers = 0 if shape is None else math.prod(shape)
        if shape is None or not dtype or numbers * bits % 8:
            return False
        kinds[middle] = shape, dtype, numbers * bits // 8
    return True
