"""A folder of evidence: every file a loader answers to, and the names of all others of use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.loaders import LOADERS
from reportgen.loaders._walk import find_files, loader_of, unreadable
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

CLOCKED = frozenset({"tfevents", "trainer_state", "hf_results", "fairseq_log"})
"""Kinds that carry clock readings, so that two files equal byte for byte are copies."""

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
        EvidenceError: The root does not exist, cannot be read, is neither file nor folder, or
            holds more than anybody's runs do.
    """
    root = Path(root)
    found, problems = find_files(root)
    named = [(path, name, loader_of(name)) for path, name in found]
    tasks = [(path, name, kind) for path, name, kind in named if kind]
    logs: list[Log] = []
    for number, (path, name, kind) in enumerate(tasks, start=1):
        if on_file is not None:
            on_file(name, number, len(tasks))
        logs.extend(_load(path, name, kind))
    logs, copies = _drop_copies(logs)
    files = tuple(name for path, name, kind in named if kind or _is_usable(path, name, problems))
    return LoadedTree(root=root, logs=tuple(logs), problems=(*problems, *copies), files=files)


def _is_named(name: str) -> bool:
    base = name.rpartition("/")[2]
    return any(fnmatchcase(base, pattern) for pattern in NAMED)


def _is_usable(path: Path, name: str, problems: list[Problem]) -> bool:
    """Tell whether a file is one that other stages may open by its name."""
    if not _is_named(name):
        return False
    if path.as_posix().endswith(name):
        return True
    message = "its name holds characters that cannot be printed; not used"
    problems.append(Problem(path=name, message=message, remedy="rename it, or its folder"))
    return False


def _load(path: Path, name: str, kind: str) -> tuple[Log, ...]:
    load: Load = LOADERS.load(kind)
    try:
        return load(path, name)
    except OSError as error:
        source = Source(path=name, kind=kind, size=0, sha256="")
        return (Log(source=source, problems=(unreadable(name, error),)),)


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
