"""A folder of evidence: every file a loader answers to, and the names of all others of use."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.loaders import LOADERS
from reportgen.loaders._files import digest_of
from reportgen.loaders._table import kind_of, plan_of
from reportgen.loaders._walk import find_files, loader_of, unreadable
from reportgen.records.run import Log, Problem, Source
from reportgen.records.study import TablePlan

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

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

CLOCKED = frozenset({"tfevents", "trainer_state", "hf_results", "fairseq_log", "wandb_run"})
"""Kinds that carry clock readings, so that two files equal byte for byte are copies."""

CHUNK_FILES = 50
CHUNK_BYTES = 1 << 20
"""A task of a pool is this many files, or as many bytes where the files are large: either takes
far longer to read than to hand over."""

Load = Callable[..., tuple[Log, ...]]
OnFile = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFile:
    """A file that a loader answers to.

    Attributes:
        path: Where it lies.
        name: POSIX path relative to the root, as it will be reported.
        kind: Name of the loader.
        size: Bytes on disk; None where they cannot be told.
        plan: How the study says that its rows are read.
    """

    path: Path
    name: str
    kind: str
    size: int | None
    plan: TablePlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTree:
    """What lies under one root, of which nothing has been read.

    Attributes:
        root: The folder or file that was asked for.
        logs: The files to read, in order of path.
        problems: Broken links, unreadable folders and the like.
        files: As in `LoadedTree`.
    """

    root: Path
    logs: tuple[LogFile, ...]
    problems: tuple[Problem, ...]
    files: tuple[str, ...]


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


def load_tree(
    root: Path,
    *,
    on_file: OnFile | None = None,
    pool: Executor | None = None,
    digests: bool = True,
    tables: Sequence[TablePlan] = (),
) -> LoadedTree:
    """Load every log below a folder, or one file.

    Args:
        root: Folder, or a single file.
        tables: See `find_tree`.
        on_file: See `read_tree`.
        pool: See `read_tree`.
        digests: See `read_tree`.

    Returns:
        The logs; a folder without any is no error here.

    Raises:
        EvidenceError: The root does not exist, cannot be read, is neither file nor folder, or
            holds more than anybody's runs do.
    """
    return read_tree(find_tree(root, tables), on_file=on_file, pool=pool, digests=digests)


def find_tree(root: Path, tables: Sequence[TablePlan] = ()) -> FoundTree:
    """Find every file of use below a folder, or take one file; nothing is read.

    Args:
        root: Folder, or a single file.
        tables: How a study says that files of rows are read; the first that matches counts.

    Raises:
        EvidenceError: As `load_tree`.
    """
    root = Path(root)
    found, problems = find_files(root)
    plans = {name: plan for _, name in found if (plan := plan_of(name, tables))}
    problems.extend(
        Problem(
            path=".",
            message=f"[[logs.tables]] match {table.match!r} matches no file",
            remedy="correct it in the study file: a path below the logs, with * and ?",
        )
        for table in tables
        if table not in plans.values()
    )
    named = [
        (path, name, kind_of(plans[name], name) if name in plans else loader_of(name))
        for path, name in found
    ]
    return FoundTree(
        root=root,
        logs=tuple(
            # Absolute, because a process of a pool may work in another folder.
            LogFile(
                path=path.absolute(), name=name, kind=kind, size=_size(path), plan=plans.get(name)
            )
            for path, name, kind in named
            if kind
        ),
        files=tuple(name for path, name, kind in named if kind or _is_usable(path, name, problems)),
        problems=tuple(problems),
    )


def read_tree(
    found: FoundTree,
    *,
    on_file: OnFile | None = None,
    pool: Executor | None = None,
    digests: bool = True,
) -> LoadedTree:
    """Read what was found.

    Args:
        found: From `find_tree`.
        on_file: Called for each log file with its name, a number that counts from 1, and how
            many there are: before it is read, or with a pool, in any order, when it was.
        pool: Reads many files at a time. The result is the same as without; what the pool
            fails to read, for whatever reason, is read in this process. What it still has to
            do when an exception passes, like an interrupt, its owner stops.
        digests: Whether every source comes with the digest of its file. To hash a large file
            takes about as long as all else; what prints no digest does without.
    """
    told = 0

    def tell(name: str) -> None:
        nonlocal told
        told += 1
        if on_file is not None:
            on_file(name, told, len(found.logs))

    read = (
        _read_here(found.logs, tell, digests)
        if pool is None
        else _read_in(pool, found.logs, tell, digests)
    )
    paths = {file.name: file.path for file in found.logs}
    logs, copies = _drop_copies([log for logs in read for log in logs], paths)
    return LoadedTree(
        root=found.root,
        logs=tuple(logs),
        problems=(*found.problems, *copies),
        files=found.files,
    )


def read_chunk(files: Sequence[LogFile], digests: bool = True) -> bytes:
    """Read files in a process of a pool, which may be on another machine.

    Returns:
        A pickle of a list: the logs of each file, None for a file that the caller should read,
        because it failed here or is not here what it is there. (As protocol 5, whose columns are
        plain bytes, and in one piece: some pools send each column as a message of its own.)
    """
    return pickle.dumps([_load_same(file, digests) for file in files], protocol=5)


def count_chunks(files: Sequence[LogFile]) -> int:
    """Return into how many tasks of a pool files are divided."""
    size = sum(file.size or 0 for file in files)
    return min(len(files), max(1, len(files) // CHUNK_FILES, size // CHUNK_BYTES))


def chunks_of(files: Sequence[LogFile]) -> list[list[int]]:
    """Divide files, by their place in the sequence, into parts of like length and like bytes.

    Dealt out by size, forth and back, so that nobody has every large file.

    Example:
        >>> sizes = [3, 9, 2, 8] * 26
        >>> files = [LogFile(path=Path("a"), name="a", kind="tfevents", size=n) for n in sizes]
        >>> [(len(chunk), sum(sizes[i] for i in chunk)) for chunk in chunks_of(files)]
        [(52, 286), (52, 286)]
    """
    count = count_chunks(files)
    chunks: list[list[int]] = [[] for _ in range(count)]
    for rank, i in enumerate(sorted(range(len(files)), key=lambda i: -(files[i].size or 0))):
        turn, place = divmod(rank, count)
        chunks[count - 1 - place if turn % 2 else place].append(i)
    return chunks


def _read_here(
    files: Sequence[LogFile], tell: Callable[[str], None], digests: bool
) -> Iterator[tuple[Log, ...]]:
    for file in files:
        tell(file.name)
        yield _load(file, digests)


def _read_in(
    pool: Executor, files: Sequence[LogFile], tell: Callable[[str], None], digests: bool
) -> list[tuple[Log, ...]]:
    from concurrent.futures import as_completed

    chunks = chunks_of(files)
    read: dict[int, tuple[Log, ...]] = {}

    def take(chunk: list[int], found: Sequence[tuple[Log, ...] | None]) -> None:
        for i, logs in zip(chunk, found, strict=True):
            tell(files[i].name)
            read[i] = _load(files[i], digests) if logs is None else logs

    handed: dict[Future[bytes], list[int]] = {}
    # A pool that takes no more leaves the rest to this process.
    with suppress(OSError, RuntimeError):
        for chunk in chunks:
            handed[pool.submit(read_chunk, [files[i] for i in chunk], digests)] = chunk
    for task in as_completed(handed):
        take(handed[task], _outcome(task, len(handed[task])))
    for chunk in chunks[len(handed) :]:
        take(chunk, [None] * len(chunk))
    return [read[i] for i in range(len(files))]


def _outcome(task: Future[bytes], count: int) -> list[tuple[Log, ...] | None]:
    """Return what `read_chunk` gave back, nothing for each file where it did not come to that."""
    try:
        found: list[tuple[Log, ...] | None] = pickle.loads(task.result())  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - a killed process, a lost machine, a full memory
        return [None] * count
    return found


def _load_same(file: LogFile, digests: bool) -> tuple[Log, ...] | None:
    """Return the logs of a file that lies here as it was found elsewhere, else None."""
    try:
        logs = _load(file, digests) if _size(file.path) == file.size else None
    except Exception:  # noqa: BLE001 - whoever asked meets it as well, and may tell a user of it
        return None
    # A file that was not read to its end may be readable elsewhere.
    return logs if logs is None or all(log.source.size == file.size for log in logs) else None


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


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _load(file: LogFile, digests: bool) -> tuple[Log, ...]:
    load: Load = LOADERS.load(file.kind)
    try:
        stated = {} if file.plan is None else {"plan": file.plan}
        logs = load(file.path, file.name, **stated)
        return tuple(_with_digest(log, file.path) for log in logs) if digests else logs
    except OSError as error:
        source = Source(path=file.name, kind=file.kind, size=0, sha256="")
        return (Log(source=source, problems=(unreadable(file.name, error),)),)


def _with_digest(log: Log, path: Path) -> Log:
    """Return a log whose source has the digest of what was read."""
    source = log.source
    if source.sha256 or not source.size:
        return log
    return replace(log, source=replace(source, sha256=digest_of(path, source.size)))


def _drop_copies(logs: list[Log], paths: Mapping[str, Path]) -> tuple[list[Log], list[Problem]]:
    """Keep the first of several files that are equal byte for byte and carry points."""
    clocked = [log for log in logs if log.source.kind in CLOCKED and log.series]
    looks = Counter(map(_look_of, clocked))
    first: dict[str, str] = {}
    kept: list[Log] = []
    copies: dict[str, Problem] = {}
    for log in logs:
        source = log.source
        # Only files that look alike are hashed to know.
        if source.kind in CLOCKED and log.series and looks[_look_of(log)] > 1:
            source = _with_digest(log, paths[source.path]).source
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


def _look_of(log: Log) -> tuple[int, str, int, float]:
    """Return what copies have in common, without a look at the file."""
    tag, series = next(iter(log.series.items()))
    clock = float(series.wall_times[-1])
    return log.source.size, tag, len(series), clock if clock == clock else 0.0  # noqa: PLR0124
