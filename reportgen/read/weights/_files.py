"""A stranger's file: opened, held against its limits, and what its head says of tensors."""

from __future__ import annotations

import gc
import json
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from reportgen.records.checkpoint import TensorSpec
from reportgen.records.errors import EvidenceError
from reportgen.records.record import field, record, replace
from reportgen.records.rows import read_rows
from reportgen.records.source import Problem, Source

# A stranger's file: opened, held against its limits, refused with a reason and a remedy.

LARGEST_JSON = 64 * 2**20
# Above this a file is not hashed: reading a header must not cost a pass over the weights.
LARGEST_HASHED = 64 * 2**20
# Read as objects, "[]," takes twenty times its three bytes; a header of 200,000 tensors less than
# two thirds of this.
MOST_KEPT = 160 * 2**20
OBJECT_BYTES, VALUE_BYTES = 64, 40
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
AGAIN = "save or download the file again"


def refusal(name: str, what: str, remedy: str = AGAIN) -> EvidenceError:
    """Return the letter to the user about a file that cannot be read."""
    return EvidenceError(f"{name} {what}", remedy=remedy)


def unreadable(name: str, error: OSError) -> EvidenceError:
    """Return what is said of a file that the system does not let read."""
    return refusal(name, f"cannot be read: {error.strerror}", "check the path and its permissions")


@contextmanager
def open_checkpoint(path: Path, name: str) -> Iterator[tuple[FileIO, int]]:
    """Open a file and give its size; refuse what Git LFS leaves, and turn faults into letters.

    Cyclic garbage waits meanwhile: looking for it among a header's many records takes longer
    than reading them.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        # Without a buffer: headers lie far apart, and what lies between them is not wanted.
        with path.open("rb", buffering=0) as file:
            _refuse_pointer(file.read(64), name)
            file.seek(0)
            yield file, os.fstat(file.fileno()).st_size
    except EvidenceError:
        raise  # an OSError too, and already a letter to the user
    except OSError as error:
        raise unreadable(name, error) from None
    finally:
        if collects:
            gc.enable()


def read_object(path: Path, name: str) -> dict[str, Any]:
    """Read a file that holds one JSON object."""
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= LARGEST_JSON else None
    except OSError as error:
        raise unreadable(name, error) from None
    if content is None:
        raise refusal(
            name,
            f"has {size} bytes; a configuration has at most {LARGEST_JSON}",
            "pass the right file",
        )
    _refuse_pointer(content, name)
    return parse_object(content, name)


def _refuse_pointer(content: bytes, name: str) -> None:
    if content.startswith(LFS_POINTER):
        raise refusal(name, "is a Git-LFS pointer, not the file itself", "run: git lfs pull")


def parse_object(content: bytes, name: str) -> dict[str, Any]:
    """Parse one JSON object; a key that stands twice is refused, not overwritten."""
    objects = content.count(b"[") + content.count(b"{")
    if objects * OBJECT_BYTES + content.count(b",") * VALUE_BYTES + len(content) > MOST_KEPT:
        what = f"holds a JSON text of {objects} lists and objects, more than is read"
        raise refusal(name, what, "pass the right file")
    textual = name.endswith(".json")
    mend = "mend the JSON" if textual else "the file is damaged: download or copy it again"
    try:
        found = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        where = f"{name}:{error.lineno}: column {error.colno}"
        raise EvidenceError(f"{where}: {error.msg}", remedy=mend) from None
    except UnicodeDecodeError as error:
        remedy = "save it as UTF-8" if textual else mend
        raise refusal(name, f"is no UTF-8 text: byte {error.start}", remedy) from None
    except (ValueError, RecursionError) as error:
        said = "nested too deep" if isinstance(error, RecursionError) else str(error)[:200]
        raise EvidenceError(f"{name}: {said}", remedy=mend) from None
    if not isinstance(found, dict):
        what = f"holds a JSON {type(found).__name__}, not an object"
        raise refusal(name, what, "pass a file that starts with {")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        ((double, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {double[:80]!r} stands twice in one object")
    return found


def source_of(path: Path, name: str, kind: str) -> Source:
    """Describe a file; one over 64 MiB gets no digest."""
    digest = ""
    try:
        size = path.stat().st_size
        if size <= LARGEST_HASHED:
            import hashlib

            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(name, error) from None
    return Source(path=name, kind=kind, size=size, sha256=digest)


# What the head of a checkpoint says: tensors, their types and sizes, and what is not counted.
#
# Source: `torch/storage.py` (`_new_dtypes`, `_dtype_to_storage_type_map`) and the typed storage
# classes of PyTorch 1.0 to 2.13; `Dtype` of safetensors 0.3 to 0.8.

MOST_DIMENSIONS = 64
LARGEST_COUNT = 2**62
MOST_TENSORS = 200_000
MOST_PROBLEMS = 20
WORDS = read_rows("reportgen.read.weights", "words.ini")
NONE = "-"
# Name in the field, bits an element, PyTorch's class of storage, safetensors' code.
TYPES = tuple((name, *row.split()) for name, row in WORDS["types"].items())
BYTES = {name: int(bits) // 8 for name, bits, _, _ in TYPES if int(bits) >= 8}
OF_STORAGE = {kind: name for name, _, kind, _ in TYPES if kind != NONE} | {"Untyped": "uint8"}
OF_SAFETENSORS = {code: (name, int(bits)) for name, bits, _, code in TYPES if code != NONE}


@record
class Header:
    """Tensors of one file or of several, and what was found wrong with them.

    Attributes:
        tensors: In the order of the file.
        config: Training arguments, or the file's own description of the model.
        problems: What is missing, not counted, or would be run by a loader.
        sums: Name of a tensor to the checksum of all its numbers, where the file states one.
    """

    tensors: tuple[TensorSpec, ...]
    config: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    sums: Mapping[str, int] = field(default_factory=dict)


def dtype_of(name: str) -> str:
    """Return the type that a name in a file of PyTorch stands for, or an empty text."""
    last = name.rpartition(".")[2]
    kind = last.removesuffix("Storage")
    if kind != last:
        return OF_STORAGE.get(kind, "")
    found = WORDS["torch"].get(last, last)
    return found if found in BYTES else ""


def whole_shape(value: object) -> tuple[int, ...] | None:
    """Return a shape as a tuple, or None where it is no list of sizes that a tensor can have."""
    sizes = whole_sizes(value)
    return sizes if sizes is not None and math.prod(sizes) <= LARGEST_COUNT else None


def whole_sizes(value: object) -> tuple[int, ...] | None:
    """Return whole numbers from 0 on as a tuple, or None; their product may be any."""
    # By type, since True is an int to isinstance, and a table of a pickle is a list.
    if type(value) not in {list, tuple} or len(value) > MOST_DIMENSIONS:  # type: ignore[arg-type]
        return None
    sizes: tuple[int, ...] = tuple(value)  # type: ignore[arg-type]
    if sizes and ({*map(type, sizes)} != {int} or min(sizes) < 0 or max(sizes) > LARGEST_COUNT):
        return None
    return sizes


def say_tensors(count: int, verb: str = "", verbs: str = "", *, more: bool = False) -> str:
    """Return how many tensors there are, with the verb in the number that they ask for."""
    noun, chosen = ("tensor", verb) if count == 1 else ("tensors", verbs)
    return f"{count} {'more ' if more else ''}{noun} {chosen}".rstrip()


def list_faults(lines: Sequence[str], name: str) -> tuple[Problem, ...]:
    """Say which tensors are not counted and why, in at most 20 lines and one about the rest."""
    shown = [
        Problem(path=name, message=f"{line}; its numbers are not counted", remedy="save it again")
        for line in lines[:MOST_PROBLEMS]
    ]
    if len(lines) > MOST_PROBLEMS:
        left = say_tensors(len(lines) - MOST_PROBLEMS, "is", "are", more=True)
        shown.append(replace(shown[-1], message=f"{left} not counted"))
    return tuple(shown)


def note(name: str, message: str, remedy: str = "") -> Problem:
    """Return a remark that takes nothing away from the count."""
    return Problem(path=name, message=message, remedy=remedy, level="note")
