"""Digests: of everything that decides a run's numbers, and of the files among that."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from reportgen.records.errors import EvidenceError

SCHEMA = 2
"""Raised when the training code changes in a way that changes numbers: all runs are stale then."""

KEY_DIGITS = 20

# What `from_pretrained` and tokenizers read; notes, logs and what a trainer needs to go on with
# may come and go without changing a single weight.
_LOADED = frozenset(
    {
        *(".bin", ".pt", ".pth", ".safetensors", ".json", ".jinja"),
        *(".bpe", ".codes", ".model", ".spm", ".tiktoken", ".txt", ".vocab"),
    }
)
_NOTES = frozenset({"licence", "license", "notes", "notice", "readme", "requirements"})
_LEFT_BY_TRAINERS = frozenset(
    {
        *("all_results.json", "eval_results.json", "predict_results.json", "test_results.json"),
        *("train_results.json", "trainer_state.json", "training_args.bin", "scaler.pt"),
        *("optimizer.bin", "optimizer.pt", "scheduler.bin", "scheduler.pt"),
    }
)


def run_key(settings: Mapping[str, str]) -> str:
    """Return the digest of everything that decides a run's numbers.

    The settings are spelled out, name to value, in any order.

    Returns:
        20 hexadecimal digits of a SHA-256 over canonical JSON with the schema's version.

    Raises:
        TypeError: A name or value is not text: 1, 1.0 and "1" would be three runs or one.

    Example:
        >>> run_key({"seed": "1", "epochs": "5"}) == run_key({"epochs": "5", "seed": "1"})
        True
        >>> len(run_key({}))
        20
    """
    for text in (*settings, *settings.values()):
        if not isinstance(text, str):
            raise TypeError(f"a setting's name and value must be text, not {text!r}")
    canonical = json.dumps(
        {"schema": SCHEMA, "settings": dict(settings)}, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(canonical.encode()).hexdigest()[:KEY_DIGITS]


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of the files of a folder that a model is loaded from.

    A folder counts with the sorted names and digests of its own files that can hold a
    configuration, weights or a vocabulary; subfolders, hidden files, notes and the state of a
    trainer do not count. Read once a process as long as size, time and inode stay.

    Returns:
        64 hexadecimal digits.

    Raises:
        EvidenceError: It is missing or unreadable, or nothing in the folder can be loaded.
    """
    try:
        if not path.is_dir():
            return _digest(path)
        named = [(entry.name, _digest(entry)) for entry in sorted(path.iterdir()) if _counts(entry)]
    except OSError as fault:
        raise EvidenceError(
            f"{fault.filename or path} cannot be read: {fault.strerror or fault}",
            remedy="check the path in the study file and its permissions",
        ) from None
    if not named:
        raise EvidenceError(
            f"{path} holds no configuration, weights or vocabulary",
            remedy="name the folder that config.json lies in",
        )
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()


def _counts(entry: Path) -> bool:
    if entry.name.startswith((".", "rng_state")) or entry.name in _LEFT_BY_TRAINERS:
        return False
    if entry.stem.lower() in _NOTES:
        return False
    return entry.suffix.lower() in _LOADED and entry.is_file()


def _digest(path: Path) -> str:
    state = path.stat()
    times = (state.st_mtime_ns, state.st_ctime_ns)
    return _read_digest(os.path.realpath(path), state.st_size, state.st_ino, times)


@lru_cache(maxsize=4096)
def _read_digest(path: str, size: int, inode: int, times: tuple[int, int]) -> str:
    del size, inode, times  # they are there for the cache to tell a changed file
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
