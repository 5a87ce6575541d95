"""A checkpoint in several files: an index names the tensors, the files hold their shapes.

One parameter under two names may lie there twice. Inside one file of PyTorch two names of one
storage are told apart from two matrices. Over several files, and in a distributed checkpoint, each
name is saved by itself: only a size, a checksum or a place can show that they are one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from reportgen.read.weights._files import BYTES, Header, note, refusal, say_tensors
from reportgen.records.checkpoint import TensorSpec
from reportgen.records.record import replace
from reportgen.records.source import Problem

LONGEST_NAME = 255
OWN = "pass the checkpoint's own index"
# As transformers, diffusers and llama.cpp number the files of one model.
SHARD = r"(.+)-(\d{1,6})-of-(\d{1,6})(\.\w+)"
# Last parts of the names that language models give to their table of words and to its second use
# as the output's matrix.
TABLES = (
    *("embed_tokens", "wte", "word_embeddings", "tok_embeddings", "embed_in", "shared", "embed"),
    "embeddings",
)
HEADS = ("lm_head", "lm_head.decoder", "embed_out", "output_projection", "predictions.decoder")
ENDS_OF_HEADS = tuple(f".{last}.weight" for last in HEADS)
ENDS = (*ENDS_OF_HEADS, *(f".{last}.weight" for last in TABLES))


def read_shards(
    index: Mapping[str, Any], path: Path, name: str, read: Callable[[Path, str], Header]
) -> Header:
    """Read every file that an index names and check that it holds what the index says."""
    shards = _list_shards(index, name)
    about = index.get("metadata")
    stated = about.get("total_size") if isinstance(about, dict) else None
    size = stated if type(stated) is int else None
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
        tensors.update((key, value) for key, value in held.items() if key not in tensors)
        home.update((key, shard) for key in held if key not in home)
        sums.update((key, value) for key, value in found.sums.items() if key not in sums)
    if not tensors:
        several = "file" if len(shards) == 1 else "files"
        promise = "" if size is None else f"; it promises {size} bytes in all, and no shapes"
        raise refusal(
            name,
            f"names {say_tensors(sum(map(len, shards.values())))} in {len(shards)} {several}, and "
            f"none of the files is there{promise}",
            "download the shards, or pass the model's config.json",
        )
    counted, notes = _settle_ties(tuple(tensors.values()), home, sums, size, name)
    return Header(tensors=counted, problems=(*problems, *notes))


def _list_shards(index: Mapping[str, Any], name: str) -> dict[str, set[str]]:
    """Return file to the tensors that the index promises in it."""
    weights = index.get("weight_map")
    if not isinstance(weights, dict) or not weights:
        raise refusal(name, "has no weight_map", OWN)
    shards: dict[str, set[str]] = {}
    for tensor, shard in weights.items():
        if not isinstance(shard, str) or not is_file_name(shard):
            what = f"names the shard {str(shard)[:80]!r}, which is no file beside it"
            raise refusal(name, what, OWN)
        shards.setdefault(shard, set()).add(tensor)
    return shards


def is_file_name(text: str) -> bool:
    """Tell whether a text is the name of a file, and no path: no file system takes longer ones."""
    plain = PurePosixPath(text).name == text and "\\" not in text and "\0" not in text
    return plain and len(text) <= LONGEST_NAME


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


def warn_of_shard(path: Path, name: str) -> tuple[Problem, ...]:
    """Say of a file that was read by itself that it is one of several, if its name says so."""
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


def _settle_ties(
    tensors: tuple[TensorSpec, ...],
    home: Mapping[str, str],
    sums: Mapping[str, int],
    size: int | None,
    name: str,
) -> tuple[tuple[TensorSpec, ...], tuple[Problem, ...]]:
    """Count a parameter once that lies in two files under two names, where they show it."""
    twins = find_twins(tensors, home)
    if not twins:
        return tensors, ()
    bits = all(tensor.dtype in BYTES for tensor in tensors)
    held = sum(t.count * BYTES.get(t.dtype, 0) for t in tensors if not t.shares)
    # The bytes that the index states have room for one of the twins alone.
    if bits and size == held - sum(t.count * BYTES[t.dtype] for t in twins[1:]):
        why = "the index has room for one"
    elif len({sums.get(twin.name) for twin in twins}) == 1 and twins[0].name in sums:
        why = "their checksums are equal"
    else:
        # The library of safetensors refuses to write one storage under two names.
        doubtful = not name.endswith(".safetensors.index.json")
        return tensors, (note_of_twins(twins, name),) if doubtful else ()
    first, *others = (tensor.name for tensor in twins)
    tied = tuple(replace(t, shares=first) if t.name in others else t for t in tensors)
    names = _list_names(twins)
    return tied, (note(name, f"{names} lie apart and are counted as one tied parameter: {why}"),)


def find_twins(tensors: Iterable[TensorSpec], home: Mapping[str, str]) -> tuple[TensorSpec, ...]:
    """Return tables, then output matrices, of one shape and type that lie in several places.

    `home` has the name of a tensor, and the file, or the part of one, where it lies.
    """
    groups: dict[tuple[tuple[int, ...], str], list[TensorSpec]] = {}
    for tensor in tensors:
        if len(tensor.shape) == 2 and not tensor.shares and f".{tensor.name}".endswith(ENDS):
            groups.setdefault((tensor.shape, tensor.dtype), []).append(tensor)
    for found in groups.values():
        heads = {t.name for t in found if f".{t.name}".endswith(ENDS_OF_HEADS)}
        places = {home.get(tensor.name, "") for tensor in found}
        if heads and len(heads) < len(found) and len(places) > 1:
            return tuple(sorted(found, key=lambda tensor: tensor.name in heads))
    return ()


def note_of_twins(twins: Sequence[TensorSpec], name: str) -> Problem:
    """Say that it is open whether several names are one parameter."""
    message = (
        f"{_list_names(twins)} have one shape and lie apart: each is counted, and nothing here "
        f"shows whether they are one tied parameter of {twins[0].count:,} numbers"
    )
    return note(name, message, "pass the model's config.json, whose tie_word_embeddings says it")


def _list_names(tensors: Iterable[TensorSpec]) -> str:
    return " and ".join(tensor.name[:120] for tensor in tensors)
