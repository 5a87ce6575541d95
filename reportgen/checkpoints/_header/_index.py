"""A checkpoint in several files: an index names the tensors, the files hold their shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from reportgen.checkpoints._header._fault import refusal
from reportgen.checkpoints._header._record import Header
from reportgen.checkpoints._header._words import say_tensors
from reportgen.records.source import Problem
from reportgen.records.tensor import TensorSpec

LONGEST_NAME = 255
OWN = "pass the checkpoint's own index"
# As transformers, diffusers and llama.cpp number the files of one model.
SHARD = r"(.+)-(\d{1,6})-of-(\d{1,6})(\.\w+)"


def read_shards(
    index: Mapping[str, Any], path: Path, name: str, read: Callable[[Path, str], Header]
) -> Header:
    """Read every file that an index names and check that it holds what the index says.

    Args:
        index: Content of the index.
        path: The index; the files lie beside it.
        name: What messages call it.
        read: Reads one file.

    Raises:
        EvidenceError: The index has no weight map, names a file outside its folder, or none
            of its files is there.
    """
    shards = _list_shards(index, name)
    parent = PurePosixPath(name).parent
    tensors: dict[str, TensorSpec] = {}
    home: dict[str, str] = {}
    sums: dict[str, int] = {}
    problems: list[Problem] = []
    for shard, promised in sorted(shards.items()):
        where = (parent / shard).as_posix()
        if not (path.parent / shard).is_file():
            left_out = say_tensors(len(promised), "is", "are")
            message = f"this shard is missing; {left_out} not counted"
            problems.append(Problem(path=where, message=message, remedy="download it"))
            continue
        found = read(path.parent / shard, where)
        held = {tensor.name: tensor for tensor in found.tensors}
        problems += [*found.problems, *_disagreements(where, promised, held.keys(), tensors.keys())]
        tensors = held | tensors
        home = dict.fromkeys(held, shard) | home
        sums = {**found.sums, **sums}
    if not tensors:
        raise refusal(
            name,
            f"names {say_tensors(sum(map(len, shards.values())))} in {len(shards)} "
            f"{'file' if len(shards) == 1 else 'files'}, and none of the files is there"
            f"{_promised_bytes(index)}",
            "download the shards, or pass the model's config.json",
        )
    counted, notes = _settle_ties(
        tuple(tensors.values()), home, sums, stated=_stated_size(index), name=name
    )
    return Header(tensors=counted, problems=(*problems, *notes))


def warn_of_shard(path: Path, name: str) -> tuple[Problem, ...]:
    """Say of a file that was read by itself that it is one of several, if its name says so.

    Args:
        path: The file.
        name: What messages call it.

    Example:
        >>> first = "model-00001-of-00003.bin"
        >>> warn_of_shard(Path(first), first)[0].message
        'this is shard 1 of 3: the total counts this file alone, not the whole model'
        >>> warn_of_shard(Path("model-00001-of-00001.bin"), "model-00001-of-00001.bin")
        ()
    """
    found = re.fullmatch(SHARD, path.name) if "-of-" in path.name else None
    if not found or int(found[3]) < 2:
        return ()
    stem, number, count, end = found.groups()
    several = (f"{stem}-{n:0{len(number)}}-of-{count}{end}" for n in range(1, int(count) + 1))
    index = f"{stem}{end}.index.json"
    if end == ".gguf":
        remedy = "merge the shards with llama-gguf-split --merge, and pass the one file"
    elif (path.parent / index).is_file():
        remedy = f"pass {index}, which names every shard"
    elif all((path.parent / shard).is_file() for shard in several):
        remedy = f"all {int(count)} shards are here: put their {index} beside them and pass that"
    else:
        remedy = f"put all {int(count)} shards and their {index} into one folder and pass that"
    message = (
        f"this is shard {int(number)} of {int(count)}: the total counts this file alone, not the "
        "whole model"
    )
    return (Problem(path=name, message=message, remedy=remedy),)


def _list_shards(index: Mapping[str, Any], name: str) -> dict[str, set[str]]:
    """Return file to the tensors that the index promises in it."""
    weights = index.get("weight_map")
    if not isinstance(weights, dict) or not weights:
        raise refusal(name, "has no weight_map", OWN)
    shards: dict[str, set[str]] = {}
    for tensor, shard in weights.items():
        if not isinstance(shard, str) or not _is_name(shard):
            raise refusal(
                name, f"names the shard {str(shard)[:80]!r}, which is no file beside it", OWN
            )
        shards.setdefault(shard, set()).add(tensor)
    return shards


def _is_name(text: str) -> bool:
    """Tell whether a text is the name of a file, and no path: no file system takes longer ones."""
    return PurePosixPath(text).name == text and "\\" not in text and len(text) <= LONGEST_NAME


def _settle_ties(
    tensors: tuple[TensorSpec, ...],
    home: Mapping[str, str],
    sums: Mapping[str, int],
    *,
    stated: object,
    name: str,
) -> tuple[tuple[TensorSpec, ...], tuple[Problem, ...]]:
    """Count a parameter once that lies in two files under two names, where they show it."""
    # Here, as one file alone has no such question.
    from reportgen.checkpoints._header._ties import (
        find_twins,
        has_room_for_one,
        note_of_tie,
        note_of_twins,
        tie,
    )

    twins = find_twins(tensors, home)
    if not twins:
        return tensors, ()
    if has_room_for_one(tensors, twins, stated):
        return tie(tensors, twins), (note_of_tie(twins, "the index has room for one", name),)
    if len({sums.get(twin.name) for twin in twins}) == 1 and twins[0].name in sums:
        return tie(tensors, twins), (note_of_tie(twins, "their checksums are equal", name),)
    # The library of safetensors refuses to write one storage under two names.
    doubtful = not name.endswith(".safetensors.index.json")
    return tensors, (note_of_twins(twins, name),) if doubtful else ()


def _stated_size(index: Mapping[str, Any]) -> int | None:
    about = index.get("metadata")
    size = about.get("total_size") if isinstance(about, dict) else None
    return size if type(size) is int else None


def _promised_bytes(index: Mapping[str, Any]) -> str:
    size = _stated_size(index)
    return "" if size is None else f"; it promises {size} bytes in all, and no shapes"


def _disagreements(where: str, promised: set[str], found: Any, before: Any) -> list[Problem]:
    return [
        Problem(path=where, message=f"{sign}: {', '.join(sorted(names))[:200]}")
        for sign, names in (
            ("the index promises tensors that this shard lacks", promised - found),
            ("this shard holds tensors that the index does not name", found - promised),
            ("this shard holds again what stands in one before it", found & before),
        )
        if names
    ]
