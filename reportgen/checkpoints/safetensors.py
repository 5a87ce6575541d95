"""Safetensors: one file, or an index that names its shards."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from reportgen.checkpoints._header import read_header
from reportgen.checkpoints._json import read_object, source_of
from reportgen.errors import EvidenceError
from reportgen.records.checkpoint import Checkpoint, TensorSpec
from reportgen.records.run import Problem


def read_safetensors(path: Path, name: str) -> Checkpoint:
    """Read names, shapes and types; the weights themselves are never touched.

    Args:
        path: A `.safetensors` file or a `.safetensors.index.json`.
        name: What the report calls it.

    Raises:
        EvidenceError: A header is damaged, or an index names no shard that is there.
    """
    if path.name.endswith(".json"):
        return read_index(path, name)
    return Checkpoint(source=source_of(path, name, "safetensors"), tensors=read_header(path, name))


def read_index(path: Path, name: str) -> Checkpoint:
    """Read every shard that an index names and check that it holds what the index says.

    Raises:
        EvidenceError: The index has no weight map, names a file outside its folder, or none
            of its shards is there.
    """
    shards = list_shards(path, name)
    parent = PurePosixPath(name).parent
    tensors: list[TensorSpec] = []
    problems: list[Problem] = []
    for shard, promised in sorted(shards.items()):
        file = path.parent / shard
        where = (parent / shard).as_posix()
        if not file.is_file():
            problems.append(
                Problem(
                    path=where,
                    message=f"this shard is missing; {len(promised)} tensors are not counted",
                    remedy="download it",
                )
            )
            continue
        found = read_header(file, where)
        tensors += found
        problems += _disagreements(where, promised, {tensor.name for tensor in found})
    if not tensors:
        raise EvidenceError(
            f"{name} names {sum(map(len, shards.values()))} tensors in {len(shards)} files, and "
            "none of the files is there",
            remedy="download the shards, or pass the model's config.json",
        )
    return Checkpoint(
        source=source_of(path, name, "safetensors"),
        tensors=tuple(tensors),
        problems=tuple(problems),
    )


def list_shards(path: Path, name: str) -> dict[str, set[str]]:
    """Return shard to the tensors that the index promises in it.

    Raises:
        EvidenceError: The index has no weight map, or names a file outside its folder.
    """
    weights = read_object(path, name).get("weight_map")
    if not isinstance(weights, dict) or not weights:
        raise EvidenceError(f"{name} has no weight_map", remedy="pass the checkpoint's own index")
    shards: dict[str, set[str]] = {}
    for tensor, shard in weights.items():
        if not isinstance(shard, str) or PurePosixPath(shard).name != shard or "\\" in shard:
            raise EvidenceError(
                f"{name} names the shard {str(shard)[:80]!r}, which is no file beside it",
                remedy="pass the checkpoint's own index",
            )
        shards.setdefault(shard, set()).add(tensor)
    return shards


def _disagreements(where: str, promised: set[str], found: set[str]) -> list[Problem]:
    return [
        Problem(path=where, message=f"{sign}: {', '.join(sorted(names))[:200]}")
        for sign, names in (
            ("the index promises tensors that this shard lacks", promised - found),
            ("this shard holds tensors that the index does not name", found - promised),
        )
        if names
    ]
