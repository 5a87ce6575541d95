"""Reading the logs of a folder, and what came nearest where nothing is read."""

from __future__ import annotations

import errno
import gc
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.record import record, replace

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from reportgen.read.logs import FoundTree, LoadedTree
    from reportgen.records.kept import Kept
    from reportgen.records.run import Problem, Runs
    from reportgen.records.study import TablePlan

Notify = Callable[[str, int, int], None]
VARIABLE = "REPORTGEN_JOBS"
FILE_COST = 50_000
"""Reading a file of no length takes as long as this many bytes of scalars."""
PAYS_FROM = 100_000_000
"""Bytes, with `FILE_COST` for each file, from which starting processes pays
(benchmarks/README.md)."""
KEPT_FROM = 32_000_000
"""Bytes of event files from which keeping their columns pays: fewer are read as soon."""
MOST = 16
"""More processes than this read faster than this one takes in what they have read."""


def silent(stage: str, done: int, total: int) -> None:
    """Ignore progress."""


@record
class LogOptions:
    """How logs are read; what is read does not depend on it, but for `loader`.

    Attributes:
        jobs: Processes: 1 for this one alone, 0 for as many as pay; None takes the variable
            `REPORTGEN_JOBS`, or 0.
        digests: Whether every source comes with the digest of its file.
        cache: Folder for what is kept of many logs; the empty path is the usual place, None
            keeps nothing.
        loader: What reads event files: `"own"`, `"loop"` or `"tbparse"`.
        kept: What this process has read before, where it reads the same folder again.
        address: Of a Dask scheduler, whose workers see the folder by the same path and read it
            instead of processes of this machine; nothing is kept then.
        root_name: What runs that lie in the root itself are called; None for its own name.
        within: Patterns of the folders in the root that are entered; None for all.
        keep: Which files, by path and name below the root, are read or listed; None for all.
    """

    jobs: int | None = None
    digests: bool = True
    cache: Path | None = Path()
    loader: str = "own"
    kept: Kept | None = None
    address: str = ""
    root_name: str | None = None
    within: tuple[str, ...] | None = None
    keep: Callable[[Path, str], bool] | None = None


def read_logs(
    root: Path,
    notify: Notify,
    options: LogOptions | None = None,
    *,
    tables: Sequence[TablePlan] = (),
) -> LoadedTree:
    """Read every log below a folder, or one file.

    Args:
        root: Folder or file.
        notify: Called for each file.
        options: How.
        tables: How the study says that files of rows are read.

    Raises:
        EvidenceError: There is no such folder.
        UsageError: Not a number of processes, or an address that is open to the network.
        ClusterError: The scheduler does not answer, or has no worker.
    """
    from reportgen.read.logs import Reading, find_tree, read_tree

    def on_file(_name: str, done: int, total: int) -> None:
        notify("reading logs", done, total)

    options = options or LogOptions()
    wanted = _wanted(options.jobs)
    found = _kept(find_tree(root, tables, options.within), options)
    reading = Reading(
        digests=options.digests,
        store=_store(found, options),
        events=options.loader,
        kept=options.kept,
    )
    with _pool(found, wanted, options.address) as pool:
        tree = read_tree(found, on_file=on_file, pool=pool, reading=reading)
    if reading.store is not None:
        from reportgen.read.logs import forget_unused

        forget_unused(reading.store)
    return tree


def _kept(found: FoundTree, options: LogOptions) -> FoundTree:
    """Leave out the files that are not to be read."""
    keep = options.keep
    if keep is None:
        return found
    return replace(
        found,
        logs=tuple(file for file in found.logs if keep(file.path, file.name)),
        files=tuple(name for name in found.files if keep(found.root / name, name)),
        others=tuple((path, name) for path, name in found.others if keep(path, name)),
    )


@contextmanager
def _pool(found: FoundTree, wanted: int, address: str) -> Iterator[Executor | None]:
    """Open what reads many files at a time; None where this process reads alone."""
    if address:
        from reportgen.train import EXECUTORS

        with EXECUTORS.load("dask")(workers=1, gpus=0, address=address, options={}) as cluster:
            yield cluster
        return
    with ExitStack() as stack:
        pool = None
        if (workers := _workers(found, wanted)) > 1:
            from reportgen.train import open_pool

            # Where a system has no semaphores, or no process to spare, this one reads.
            with suppress(OSError, ImportError, NotImplementedError):
                pool = stack.enter_context(open_pool(workers=workers))
        yield pool


def _store(found: FoundTree, options: LogOptions) -> Path | None:
    """Return where columns are kept; None where that does not pay, or is not wanted."""
    from reportgen.read.logs import STORED_KIND

    # Other machines' stores are not this one's.
    cache = None if options.address else options.cache
    size = sum(file.size or 0 for file in found.logs if file.kind == STORED_KIND)
    # Whoever reads again and again reads on from where a log ended, however small the rest is.
    if cache is None or (size < KEPT_FROM and options.kept is None):
        return None
    from reportgen.read.store import default_cache

    return (default_cache() if cache == Path() else cache) / "columns"


def _wanted(jobs: int | None) -> int:
    if jobs is None:
        text = os.environ.get(VARIABLE, "0")
        if not (text.isascii() and text.isdecimal()):
            raise UsageError(
                f"{VARIABLE} is {text!r}, no number of processes",
                remedy="use 0 for as many as pay, or a number from 1",
            )
        return int(text)
    if jobs < 0:
        raise UsageError(
            f"{jobs} processes cannot read", remedy="use 0 for as many as pay, or a number from 1"
        )
    return jobs


def _workers(found: FoundTree, wanted: int) -> int:
    """Return how many processes to read with; 1 is this one alone."""
    if wanted == 0:
        cost = sum(FILE_COST + (file.size or 0) for file in found.logs)
        if cost < PAYS_FROM:
            return 1
        wanted = min(_idle_cores(), MOST)
    from reportgen.read.logs import count_chunks

    return min(wanted, count_chunks(found.logs))


def _idle_cores() -> int:
    """Count the cores that nobody has used in the last minute; all of them where none can tell."""
    from reportgen.train import count_cores

    try:
        busy = round(os.getloadavg()[0])
    except (AttributeError, OSError):  # Windows
        busy = 0
    return max(1, count_cores() - busy)


MOST_NAMED = 3
_INSPECT = "`reportgen inspect DIR` names each file"
_TEXTS = re.compile(r".*\.(log|out|err)|.*(history|metrics|result).*|stdout.*|(.*log|output).*txt")
"""Names that logs have, among files that may hold anything."""
_LACKS: Mapping[str, tuple[str, str]] = {
    "console": (
        "no number with a name stands three times beside an epoch or step that goes on",
        "a line such as `epoch 3: val_loss 0.25` at each epoch is read",
    ),
    "json_lines": (
        "no object with a step or an epoch, no lists of a metric's values, no metric among numbers",
        'a line such as {"epoch": 3, "val_loss": 0.25} at each epoch is read',
    ),
    "metrics_csv": (
        "no column of steps or epochs, and none that names the run of each row",
        'name the column in the study file: [[logs.tables]] match = "*.csv", step = "..."',
    ),
}
"""Loader to what it looked for in a file in vain, and what would be read."""


def nothing_read(root: Path, runs: Runs) -> EvidenceError:
    """Return the error that says of the nearest files why none of them is a log."""
    near = sorted(_nearest(runs), key=lambda one: one[0])
    if not near:
        return EvidenceError(
            f"no training logs under {root}: looked for TensorBoard event files, logs of the "
            "Hugging Face Trainer, Lightning, fairseq, Weights & Biases and MLflow, CSV and JSON "
            "lines",
            remedy="point --runs at the folder that holds them; `reportgen inspect DIR` shows "
            "what is recognised",
        )
    remedy = next((one.remedy for _, one in near if one.remedy), "")
    return EvidenceError(
        f"no training logs under {root} that say anything: {lacks_of(runs)}",
        remedy="; ".join(filter(None, (remedy, _INSPECT))),
    )


def lacks_of(runs: Runs) -> str:
    """Return what the files that came nearest lack, empty where none came near."""
    near = [one for _, one in sorted(_nearest(runs), key=lambda one: one[0])]
    named: dict[str, list[str]] = {}
    for one in near[:MOST_NAMED]:
        named.setdefault(one.message, []).append(one.path)
    told = "; ".join(f"{', '.join(paths)}: {message}" for message, paths in named.items())
    return told + (f"; {len(near) - MOST_NAMED} more" if len(near) > MOST_NAMED else "")


def _nearest(runs: Runs) -> Iterator[tuple[tuple[int, int, str], Problem]]:
    """Yield how near a file came, with what it lacks; a file of several problems once."""
    from reportgen.read.logs import UNHEARD
    from reportgen.records.run import Problem

    problems: dict[str, Problem] = {}
    for problem in runs.all_problems():
        problems.setdefault(problem.path, problem)
    sizes = {fate.path: fate.size or 0 for fate in runs.fates}
    kinds = {fate.path: fate.kind for fate in runs.fates}
    for problem in problems.values():
        kind = kinds.get(problem.path, "")
        rank = 0 if kind == "table" else 1 if kind == "damaged" else 3
        yield (rank, -sizes.get(problem.path, 0), problem.path), problem
    for fate in runs.fates:
        base = fate.path.rpartition("/")[2]
        is_log = fate.source in _LACKS and _TEXTS.fullmatch(base)
        if fate.path not in problems and fate.kind == "other" and is_log:
            empty = fate.size == 0
            message, remedy = ("the file is empty", "") if empty else _LACKS[fate.source]
            # So many lines have at least as many bytes.
            if fate.source == "console" and (fate.size or 0) > UNHEARD:
                message = f"{message}, in its first {UNHEARD:,} lines"
            problem = Problem(path=fate.path, message=message, remedy=remedy)
            yield (4 if empty else 2, -(fate.size or 0), fate.path), problem


_RARELY = 1000
"""Searches of the younger objects for one of all; Python makes one of ten."""


@contextmanager
def at_rest() -> Iterator[None]:
    """Let Python's collector pass over what was there, and seldom look through all that is made.

    Each time the objects have grown by a quarter it looks through all of them, and finds nothing:
    records are frozen and point one way. With ten thousand runs that took as long as the rest
    of an analysis. What is young is searched as ever; with the end of the outermost block all is
    searched again. Nothing of ours is called by the collector: Python drops what is raised
    there, and a Ctrl-C that fell into it would be lost.

    Example:
        >>> with at_rest():
        ...     with at_rest():
        ...         pass
        ...     gc.get_freeze_count() > 0
        True
        >>> gc.get_freeze_count()
        0
    """
    gc.freeze()
    before = gc.get_threshold()
    if before[2] == _RARELY:
        yield
        return
    gc.set_threshold(*before[:2], _RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


# What there is on the disk, and whether a report may be written there.

_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP})


def is_there(path: Path) -> bool:
    """Say whether a path names something.

    Unlike `Path.exists`, which from Python 3.14 on takes every fault for a no: somebody whose
    folder is locked is not told to check its name.

    Raises:
        OSError: One may not look, or the system cannot take the name.

    Example:
        >>> is_there(Path("inputs")), is_there(Path("inputs/none"))
        (True, False)
    """
    try:
        path.stat()
    except ValueError:  # a null character
        return False
    except OSError as fault:
        if fault.errno in _ABSENT:
            return False
        raise
    return True


def real(path: Path) -> Path:
    """Return a path with its links followed, as far as they lead anywhere.

    Unlike `Path.resolve`, which before Python 3.13 raises a RuntimeError for links in a ring.

    Example:
        >>> real(Path("inputs")).is_absolute()
        True
    """
    return Path(os.path.realpath(path))


def check_apart(files: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Refuse a report that would be written over evidence, or read as a log the next time.

    Args:
        files: Main files of the report.
        inputs: Files and folders that it is made of.

    Raises:
        UsageError: With the file, and what is the matter.
    """
    inputs = tuple(inputs)
    for file in files:
        if any(root.is_file() and file.exists() and file.samefile(root) for root in inputs):
            _refuse(file, "the report is made from that very file")
        for root in inputs:
            below = real(file).is_relative_to(real(root)) and root.is_dir()
            if below and _is_evidence(real(file).relative_to(real(root)).as_posix()):
                over = ", and there is one already" if file.exists() else ""
                _refuse(file, f"logs have this name, it would be read as one the next time{over}")


def _is_evidence(name: str) -> bool:
    from reportgen.read.logs import NAMED, loader_of

    base = name.rpartition("/")[2]
    return bool(loader_of(name)) or any(fnmatchcase(base, pattern) for pattern in NAMED)


def _refuse(file: Path, reason: str) -> None:
    raise UsageError(
        f"no report is written as {file}: {reason}",
        remedy="name another file, or a folder outside the logs, as in --out out/report.pdf",
    )
