"""One parameter under two names, where each name has its own place in a checkpoint's files.

Inside one file of PyTorch two names of one storage are told apart from two matrices. Over several
files, and in a distributed checkpoint, each name is saved by itself: only a size, a checksum or a
place can show that they are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reportgen.checkpoints._header._dtypes import BYTES
from reportgen.records.source import Problem
from reportgen.records.tensor import TensorSpec

# Last parts of the names that language models give to their table of words and to its second use
# as the output's matrix.
TABLES = (
    "embed_tokens",
    "wte",
    "word_embeddings",
    "tok_embeddings",
    "embed_in",
    "shared",
    "embed",
    "embeddings",
)
HEADS = ("lm_head", "lm_head.decoder", "embed_out", "output_projection", "predictions.decoder")
ENDS = tuple(f".{last}.weight" for last in (*TABLES, *HEADS))
ENDS_OF_HEADS = ENDS[len(TABLES) :]


def find_twins(tensors: Iterable[TensorSpec], home: Mapping[str, str]) -> tuple[TensorSpec, ...]:
    """Return tables, then output matrices, of one shape and type that lie in several places.

    Args:
        tensors: Every tensor of the checkpoint.
        home: Name of a tensor to the file, or the part of one, where it lies.

    Example:
        >>> words = TensorSpec(name="wte.weight", shape=(50, 8))
        >>> head, other = replace(words, name="lm_head.weight"), replace(words, name="x.weight")
        >>> [t.name for t in find_twins([words, other, head], {"wte.weight": "1"})]
        ['wte.weight', 'lm_head.weight']
        >>> find_twins([words, other], {})
        ()
    """
    groups: dict[tuple[tuple[int, ...], str], list[TensorSpec]] = {}
    for tensor in tensors:
        if len(tensor.shape) == 2 and not tensor.shares and f".{tensor.name}".endswith(ENDS):
            groups.setdefault((tensor.shape, tensor.dtype), []).append(tensor)
    for found in groups.values():
        heads = [t for t in found if f".{t.name}".endswith(ENDS_OF_HEADS)]
        places = {home.get(tensor.name, "") for tensor in found}
        if heads and len(heads) < len(found) and len(places) > 1:
            return (*(t for t in found if t not in heads), *heads)
    return ()


def has_room_for_one(
    tensors: Sequence[TensorSpec], twins: Sequence[TensorSpec], stated: object
) -> bool:
    """Say whether the size that an index states has room for one of the twins alone.

    Args:
        tensors: Every tensor of the checkpoint.
        twins: Those that may be one parameter.
        stated: Bytes of the whole model, as the index has them.
    """
    if any(tensor.dtype not in BYTES for tensor in tensors):
        return False
    held = sum(t.count * BYTES[t.dtype] for t in tensors if not t.shares)
    return stated == held - sum(t.count * BYTES[t.dtype] for t in twins[1:])


def tie(tensors: Iterable[TensorSpec], twins: Sequence[TensorSpec]) -> tuple[TensorSpec, ...]:
    """Return the tensors with all twins but the first sharing the first one's storage."""
    first, *others = (tensor.name for tensor in twins)
    return tuple(replace(t, shares=first) if t.name in others else t for t in tensors)


def note_of_tie(twins: Sequence[TensorSpec], why: str, name: str) -> Problem:
    """Say that several names were counted as one parameter, and why."""
    names = " and ".join(tensor.name[:120] for tensor in twins)
    message = f"{names} lie apart and are counted as one tied parameter: {why}"
    return Problem(path=name, message=message, level="note")


def note_of_twins(twins: Sequence[TensorSpec], name: str) -> Problem:
    """Say that it is open whether several names are one parameter.

    Example:
        >>> twins = [TensorSpec(name=n, shape=(50, 8)) for n in ("wte.weight", "lm_head.weight")]
        >>> print(note_of_twins(twins, "model.bin.index.json").message)
        wte.weight and lm_head.weight have one shape and lie apart: each is counted, and nothing
        here shows whether they are one tied parameter of 400 numbers
    """
    names = " and ".join(tensor.name[:120] for tensor in twins)
    return Problem(
        path=name,
        message=f"{names} have one shape and lie apart: each is counted, and nothing here shows "
        f"whether they are one tied parameter of {twins[0].count:,} numbers",
        remedy="pass the model's config.json, whose tie_word_embeddings says it",
        level="note",
    )
