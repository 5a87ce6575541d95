"""A folder of evidence: every file a loader answers to, and the names of all others of use."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.errors import EvidenceError
from reportgen.loaders import LOADERS
from reportgen.records.run import Log, Problem, Source

NAMED = (
    "config.json",
    "adapter_config.json",
    "tensors.json",
    "*.safetensors",
    "*.pt",
    "*.bin",
    "*.gguf",
)
"""Files that other stages may open; their names are listed here, their content is not read."""

SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages"})
IGNORED = ("*.profile-empty",)
"""TensorBoard's profiler leaves these; they hold nothing by design."""

CLOCKED = frozenset({"tfevents", "trainer_state", "hf_results", "fairseq_log"})
"""Kinds that carry clock readings, so that two files equal byte for byte are copies."""

DEPTH_LIMIT = 64
"""Folders nested deeper are not entered."""

Load = Callable[[Path, str], tuple[Log, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTree:
    """What lies under one root.

    Attributes:
        root: The folder or file that was asked for.
        logs: In order of path.
        problems: Those that belong to no log: broken links, copies, unreadable folders.
        files: POSIX paths relative to the root of every file of use, in order.
    """

    root: Path
    logs: tuple[Log, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()


def load_tree(root: Path, *, on_file: Callable[[str, int, int], None] | None = None) -> LoadedTree:
    """Load every log below a folder, or one file.

    Args:
        root: Folder, or a single file.
        on_file: Called before each log file with its name, its number from 1, and how many
            there are.

    Returns:
        The logs; a folder without any is no error here.

    Raises:
        EvidenceError: The root does not exist.
    """
    root = Path(root)
    if not root.exists():
        raise EvidenceError(
            f"there is no file or folder {str(root)!r}",
            remedy="pass the folder that holds the runs, as in --runs logs/",
        )
    problems: list[Problem] = []
    if root.is_dir():
        found = list(_walk(root, "", problems, {_identity(root)}))
    else:
        found = [(root, _printable(root.name))]
    named = [(path, name, loader_of(name)) for path, name in found]
    tasks = [(path, name, kind) for path, name, kind in named if kind]
    logs: list[Log] = []
    for number, (path, name, kind) in enumerate(tasks, start=1):
        if on_file is not None:
            on_file(name, number, len(tasks))
        logs.extend(_load(path, name, kind))
    logs, copies = _drop_copies(logs)
    files = tuple(name for _, name, kind in named if kind or _is_named(name))
    return LoadedTree(root=root, logs=tuple(logs), problems=(*problems, *copies), files=files)


def loader_of(name: str) -> str:
    """Return which loader answers to a file name, or an empty name.

    Example:
        >>> loader_of("a/events.out.tfevents.1.host"), loader_of("a/weights.pt")
        ('tfevents', '')
    """
    base = name.rpartition("/")[2]
    if any(fnmatchcase(base, pattern) for pattern in IGNORED):
        return ""
    matches = (
        kind
        for kind, entry in LOADERS.items()
        if any(fnmatchcase(base, pattern) for pattern in entry.match)
    )
    return next(matches, "")


def _is_named(name: str) -> bool:
    base = name.rpartition("/")[2]
    return any(fnmatchcase(base, pattern) for pattern in NAMED)


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


def _printable(name: str) -> str:
    """Return a file name that can be written as UTF-8, whatever bytes the disk holds."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _walk(
    folder: Path, prefix: str, problems: list[Problem], seen: set[tuple[int, int]]
) -> Iterator[tuple[Path, str]]:
    """Yield (path, name) of regular files in order; each folder is entered once."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        problems.append(_unreadable(prefix.rstrip("/") or ".", error))
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in SKIPPED_FOLDERS:
            continue
        name = prefix + _printable(entry.name)
        path = folder / entry.name
        try:
            status = path.stat()
        except OSError as error:
            broken = "a broken link" if entry.is_symlink() else ""
            problems.append(_unreadable(name, error, broken))
            continue
        if stat.S_ISREG(status.st_mode):
            yield path, name
        elif stat.S_ISDIR(status.st_mode):
            identity = (status.st_dev, status.st_ino)
            if name.count("/") >= DEPTH_LIMIT:
                message = f"nested deeper than {DEPTH_LIMIT} folders; not entered"
                problems.append(Problem(path=name, message=message))
            elif identity not in seen:
                seen.add(identity)
                yield from _walk(path, f"{name}/", problems, seen)


def _unreadable(name: str, error: OSError, message: str = "") -> Problem:
    reason = message or f"cannot be read: {error.strerror or error}"
    return Problem(path=name, message=reason, remedy="restore the file, or its permissions")


def _load(path: Path, name: str, kind: str) -> tuple[Log, ...]:
    load: Load = LOADERS.load(kind)
    try:
        return load(path, name)
    except OSError as error:
        source = Source(path=name, kind=kind, size=0, sha256="")
        return (Log(source=source, problems=(_unreadable(name, error),)),)


def _drop_copies(logs: list[Log]) -> tuple[list[Log], list[Problem]]:
    """Keep the first of several files that are equal byte for byte and carry points."""
    first: dict[str, str] = {}
    kept: list[Log] = []
    copies: dict[str, Problem] = {}
    for log in logs:
        source = log.source
        if source.kind in CLOCKED and log.series:
            original = first.setdefault(source.sha256, source.path)
            if original != source.path:
                copies[source.path] = Problem(
                    path=source.path,
                    message=f"the same file as {original}, byte for byte; read once",
                    remedy="remove the copy, or put back the file that it replaced",
                    # The Trainer writes the same numbers under several names by itself.
                    level="note" if source.kind == "hf_results" else "warning",
                )
                continue
        kept.append(log)
    return kept, list(copies.values())
