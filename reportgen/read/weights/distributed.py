"""Folders that `torch.distributed.checkpoint` wrote, as FSDP's sharded saves are.

Source: `torch/distributed/checkpoint/metadata.py` and `filesystem.py`, PyTorch 2.0 to 2.13.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from reportgen.read.weights._files import (
    BYTES,
    dtype_of,
    list_faults,
    note,
    open_checkpoint,
    refusal,
    say_tensors,
    source_of,
    whole_shape,
)
from reportgen.read.weights._model import MODEL_KEYS, is_training, sizes_in, table_of
from reportgen.read.weights._pickle import (
    LARGEST_PICKLE,
    Name,
    Record,
    Table,
    open_section,
    read_pickle,
)
from reportgen.read.weights._settings import warn_of_names
from reportgen.read.weights._sharded import find_twins, is_file_name, note_of_twins
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.source import Problem

OF_TENSOR = "torch.distributed.checkpoint.metadata.TensorStorageMetadata"
LONGEST_KEY = 500
DEEPEST_KEY = 64


@dataclass(frozen=True, slots=True)
class _Part:
    """One stretch of one file."""

    tensor: str
    file: str
    begin: int
    end: int


def read_folder(path: Path, name: str) -> Checkpoint:
    """Read names, shapes and types from the folder's own description; nothing in it is run.

    Args:
        path: The `.metadata` in the folder; a folder without one is an unfinished save.
        name: What the report calls it.

    Raises:
        EvidenceError: The file is damaged, or describes no tensors.
    """
    with open_checkpoint(path, name) as (file, size):
        held = read_pickle(open_section(file, 0, min(size, LARGEST_PICKLE)), size, name)
    content = table_of(held.value)
    found = table_of(content.get("state_dict_metadata"))
    names, left_out = _choose(found, table_of(content.get("planner_data")))
    parts = list(_parts(content.get("storage_data")))
    missing, problems = _missing(parts, path.parent, name)
    tensors: list[TensorSpec] = []
    faults: list[str] = []
    for key, label in names.items():
        tensor, fault = _tensor(found[key], label)
        if fault or key in missing:
            faults.append(f"{label[:120]} {fault or 'lies in a file that is missing or cut'}")
        elif tensor is not None:
            tensors.append(tensor)
    warnings = warn_of_names(held.names, name)
    if not tensors:
        said = "; ".join(problem.message for problem in (*warnings, *problems[:3]))
        raise refusal(name, f"describes no tensors that can be counted{said and ': '}{said}")
    counted, twins = _settle_ties(tensors, parts, names, name)
    others = f"{say_tensors(left_out, 'is', 'are')} no part of the model"
    notes = (note(name, others),) if left_out else ()
    return Checkpoint(
        source=source_of(path, name, "distributed"),
        tensors=counted,
        problems=(*warnings, *problems, *list_faults(faults, name), *twins, *notes),
    )


def _settle_ties(
    tensors: list[TensorSpec], parts: list[_Part], names: dict[str, str], name: str
) -> tuple[tuple[TensorSpec, ...], tuple[Problem, ...]]:
    """Count tensors once that lie in the same stretches of the same files."""
    places: dict[str, list[str]] = {}
    for part in (part for part in parts if part.begin < part.end):
        stretch = f"{part.file}:{part.begin}:{part.end}"
        places.setdefault(names.get(part.tensor, ""), []).append(stretch)
    home = {label: " ".join(sorted(stretches)) for label, stretches in places.items()}
    owners: dict[tuple[str, tuple[int, ...], str], str] = {}
    counted = []
    for tensor in tensors:
        place = home.get(tensor.name, "")
        owner = owners.setdefault((place or tensor.name, tensor.shape, tensor.dtype), tensor.name)
        counted.append(tensor if owner == tensor.name else replace(tensor, shares=owner))
    twins = find_twins(counted, home)
    return tuple(counted), (note_of_twins(twins, name),) if twins else ()


def _choose(found: dict[str, Any], paths: dict[str, Any]) -> tuple[dict[str, str], int]:
    """Return key to name for the model's tensors, and how many others there are."""
    records = ((key, value) for key, value in found.items() if isinstance(value, Record))
    tensors = [k for k, r in records if type(r.callee) is Name and r.callee == OF_TENSOR]
    parts = {key: _path(paths.get(key), key) for key in tensors}
    tops = {path[0] for path in parts.values() if len(path) > 1}
    model = next((key for key in MODEL_KEYS if key in tops), None)
    if model is not None:
        chosen = {key: ".".join(path[1:]) for key, path in parts.items() if path[0] == model}
    else:
        chosen = {key: key for key, path in parts.items() if not is_training(path[0])}
    return chosen, len(tensors) - len(chosen)


def _path(value: object, key: str) -> tuple[str, ...]:
    if not isinstance(value, tuple) or not all(isinstance(part, str | int) for part in value):
        return tuple(key.split("."))
    return tuple(str(part)[:LONGEST_KEY] for part in value[:DEEPEST_KEY]) or (key,)


def _tensor(value: object, label: str) -> tuple[TensorSpec | None, str]:
    held = table_of(value)
    shape = whole_shape(sizes_in(held.get("size")))
    properties = held.get("properties")
    state = properties.state if isinstance(properties, Record) else None
    stated = state[0] if isinstance(state, tuple) and state else table_of(properties).get("dtype")
    dtype = dtype_of(stated) if isinstance(stated, Name) else ""
    if not label or shape is None or dtype not in BYTES:
        return None, "has no name, or a shape or a number type that no tensor can have"
    chunks = held.get("chunks")
    listed = chunks if isinstance(chunks, list) else []
    parts = [sizes_in(table_of(chunk).get("sizes")) or () for chunk in listed]
    if sum(math.prod(part) for part in parts) != math.prod(shape):
        return None, "is not covered by its parts"
    return TensorSpec(name=label, shape=shape, dtype=dtype), ""


def _parts(data: object) -> Iterator[_Part]:
    if not isinstance(data, Table):
        return
    for index, place in zip(data[::2], data[1::2], strict=False):
        at, where = table_of(index), table_of(place)
        key, file = at.get("fqn"), where.get("relative_path")
        span = sizes_in((where.get("offset"), where.get("length")))
        if isinstance(key, str) and isinstance(file, str):
            yield _Part(key, file, span[0] if span else 0, sum(span or ()))


def _missing(parts: list[_Part], folder: Path, name: str) -> tuple[set[str], list[Problem]]:
    """Return the tensors whose files are not there whole, and say which files those are."""
    sizes: dict[str, int] = {}
    for file in {part.file for part in parts}:
        path = folder / file
        sizes[file] = path.stat().st_size if is_file_name(file) and path.is_file() else -1
    lost = [part for part in parts if part.end > sizes[part.file] or sizes[part.file] < 0]
    problems = [
        Problem(
            path=(PurePosixPath(name).parent / file[:120]).as_posix(),
            message="this part of the checkpoint is missing or cut short",
            remedy="copy the whole folder",
        )
        for file in sorted({part.file for part in lost})[:10]
    ]
    return {part.tensor for part in lost}, problems
