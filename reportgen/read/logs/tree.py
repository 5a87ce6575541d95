"""A folder of evidence: every file a loader answers to, and the names of all others of use."""

from __future__ import annotations

import gc
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from reportgen.read.logs.files import UNREAD, find_defect, size_of
from reportgen.read.logs.one_file import (
    TABLES,
    LogFile,
    Reading,
    key_of,
    load_file,
    with_digest,
)
from reportgen.read.logs.sources import TESTED, sources_of
from reportgen.read.logs.walk import (
    PACKED,
    describes_model,
    fate_by_logs,
    fate_by_name,
    find_files,
    is_called,
    is_settings,
    loader_of,
)
from reportgen.read.logs.words import lists
from reportgen.records.kept import Kept
from reportgen.records.record import record, replace
from reportgen.records.run import Fate, Log, Problem

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from reportgen.read.logs.several_runs import UnreadTable
    from reportgen.records.study import TablePlan

NAMED = lists("files")["named"]
"""Files that other stages may open; their names are listed here, their content is not read."""

CLOCKED = frozenset({"tfevents", "trainer_state", "hf_results", "fairseq_log", "wandb_run"})
"""Kinds that carry clock readings, so that two files equal byte for byte are copies."""

CALLED_LOGS = lists("files")["called_logs"]
"""Names of logs in formats that any file may have: one that is empty is worth a word."""

PRINTED = "console"
"""The kind of texts of which one that holds no numbers is no run."""

_NUMBERED = re.compile(r"\.\d{1,3}$")
_REPEATED = re.compile(r"(?:(?:random_)?seed|(?:cv_)?fold)?\d+")
"""What programs that begin a new log put behind the name of the old one."""

OnFile = Callable[[str, int, int], None]


@record
class FoundTree:
    """What lies under one root, of which nothing has been read.

    Attributes:
        root: The folder or file that was asked for.
        logs: The files to read, in order of path.
        problems: Broken links, unreadable folders and the like.
        files: As in `LoadedTree`.
        others: (path, name) of the files that no loader answers to.
        passed: Fates of what is skipped by name.
    """

    root: Path
    logs: tuple[LogFile, ...]
    problems: tuple[Problem, ...]
    files: tuple[str, ...]
    others: tuple[tuple[Path, str], ...] = ()
    passed: tuple[Fate, ...] = ()


@record
class LoadedTree:
    """What lies under one root.

    Attributes:
        root: The folder or file that was asked for.
        logs: In order of path.
        problems: Those that belong to no log: broken links, copies, unreadable folders.
        files: POSIX paths relative to the root of every file of use, in order.
        fates: What became of every file, one each, in order of path.
    """

    root: Path
    logs: tuple[Log, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    fates: tuple[Fate, ...] = ()


def load_tree(
    root: Path,
    *,
    on_file: OnFile | None = None,
    pool: Executor | None = None,
    reading: Reading | None = None,
    tables: Sequence[TablePlan] = (),
) -> LoadedTree:
    """Load every log below a folder, or one file.

    The arguments are those of `find_tree` and `read_tree`; a folder without logs is no error here.

    Raises:
        EvidenceError: The root does not exist, cannot be read, is neither file nor folder, or
            holds more than anybody's runs do.
    """
    return read_tree(find_tree(root, tables), on_file=on_file, pool=pool, reading=reading)


def find_tree(
    root: Path, tables: Sequence[TablePlan] = (), within: Collection[str] | None = None
) -> FoundTree:
    """Find every file of use below a folder, or take one file; nothing is read.

    Args:
        root: Folder, or a single file.
        tables: How a study says that files of rows are read; the first that matches counts.
        within: As `find_files`.

    Raises:
        EvidenceError: As `load_tree`.
    """
    met = find_files(root := Path(root), within)
    found, problems = met.files, met.problems
    plans = _plans([name for _, name in found], tables, problems) if tables else {}
    named = [
        (path, name, plans[name][1] if name in plans else loader_of(name)) for path, name in found
    ]
    logs = tuple(
        # Absolute, because a process of a pool may work in another folder.
        LogFile(
            path=path.absolute(),
            name=name,
            kind=kind,
            size=size_of(path),
            plan=plans.get(name, (None,))[0],
        )
        for path, name, kind in named
        if kind
    )
    problems.extend(
        replace(empty, level="note")
        for log in logs
        if log.size == 0 and log.plan is None and is_called(log.name, CALLED_LOGS)
        if (empty := find_defect(b"", 0, log.name))
    )
    problems.extend(_set_aside([name for _, name, kind in named if not kind]))
    return FoundTree(
        root=root,
        logs=logs,
        files=tuple(
            name
            for path, name, kind in named
            if (kind and not is_settings(name)) or _is_usable(path, name, problems)
        ),
        problems=tuple(problems),
        others=tuple((path, name) for path, name, kind in named if not kind),
        passed=tuple(met.passed),
    )


def _set_aside(names: Iterable[str]) -> Iterator[Problem]:
    """Name the parts of logs that were put aside under a number, so that a new one began."""
    for name in names:
        log = _NUMBERED.sub("", name.removesuffix(PACKED))
        if log != name.removesuffix(PACKED) and loader_of(log) in {PRINTED, *TABLES}:
            yield Problem(
                path=name,
                message=f"an earlier part of {log.rpartition('/')[2]}, put aside: not read",
                remedy="put the parts together again in one file, the earliest first",
            )


def read_tree(
    found: FoundTree,
    *,
    on_file: OnFile | None = None,
    pool: Executor | None = None,
    reading: Reading | None = None,
) -> LoadedTree:
    """Read what was found.

    Args:
        found: From `find_tree`.
        on_file: Called for each log file with its name, a number that counts from 1, and how
            many there are: before it is read, or with a pool, in any order, when it was.
        pool: Reads many files at a time. The result is the same as without; what the pool
            fails to read, for whatever reason, is read in this process. What it still has to
            do when an exception passes, like an interrupt, its owner stops.
        reading: How files are read; without it, with a digest each, and nothing is kept.
    """
    reading = reading or Reading()
    read = _read if reading.kept is None else _read_changed
    with _without_collecting():
        return _gather(found, [*read(found.logs, on_file, pool, reading)])


def _gather(found: FoundTree, each: Sequence[tuple[Log, ...]]) -> LoadedTree:
    """Put together what was read of each file, with one fate for every file."""
    tables = _unread_tables(found.logs, each)
    told = {table.name for table in tables}
    read = list(zip(found.logs, each, strict=True))
    # Where the reader speaks of no column, the table is spoken of once a folder.
    everything = [log for file, logs in read if file.name not in told for log in logs]
    logs, copies = _drop_copies(everything, {file.name: file.path for file in found.logs})
    logs, told_twice = _drop_results_beside_curves([*_without_ends_of_plots(logs)])
    logs, told_again = _drop_results_told_again(logs)
    copies = [*copies, *told_twice, *told_again]
    once = {problem.path: problem.message for problem in copies}
    # A text without a number is no run, whatever is said of it.
    bare = [log for log in logs if log.source.kind == PRINTED and not _holds_anything(log)]
    logs = [log for log in logs if not any(log is one for one in bare)]
    copies += [problem for log in bare for problem in log.problems]
    own = {file.name: file.path for file in found.logs if is_settings(file.name)}
    no_models = {name for name, path in own.items() if not describes_model(path)}
    usable = [name for name in found.files if name not in no_models]
    # What says nothing of a run may say what its model is.
    others = [name for _, name in found.others]
    others += [file.name for file, logs in read if file.name in own and not logs]
    fates = [
        fate_by_logs(file.name, file.kind, logs, file.size)
        for file, logs in read
        if logs or file.name not in own
    ]
    if tables:
        from reportgen.read.logs.several_runs import tell_tables

        copies += tell_tables(tables, [fate.path for fate in fates if fate.runs])
    models = set(usable)
    all_fates = [*(_settle(fate, told, once) for fate in fates), *found.passed]
    all_fates += (fate_by_name(name, model=name in models) for name in others)
    return LoadedTree(
        root=found.root,
        logs=tuple(logs),
        problems=(*found.problems, *copies),
        files=tuple(usable),
        fates=tuple(sorted(all_fates, key=lambda fate: fate.path.split("/"))),
    )


def _drop_copies(logs: list[Log], paths: Mapping[str, Path]) -> tuple[list[Log], list[Problem]]:
    """Keep one of several files that are equal byte for byte and carry points, of one folder.

    It is the one in the folder farthest up: a copy is put aside into a folder below. Where the
    root holds folders of runs, though, a file beside them is a copy that was taken out of one.
    Of several there the first one is kept. What lies in another folder is of another run.
    """
    clocked = [log for log in logs if log.source.kind in CLOCKED and log.series]
    looks = Counter(map(_look_of, clocked))
    originals: dict[str, list[str]] = {}
    copies: dict[str, Problem] = {}
    digested: dict[int, Log] = {}
    folders = {log.source.path.rpartition("/")[0] for log in clocked} - {""}
    for log in sorted(logs, key=lambda log: _depth(log, rooted=len(folders) < 2)):
        source = log.source
        # Only files that look alike are hashed to know.
        if source.kind in CLOCKED and log.series and looks[_look_of(log)] > 1:
            digested[id(log)] = with_digest(log, paths[source.path])
            source = digested[id(log)].source
            known = originals.setdefault(source.sha256, [])
            if source.path in known:
                continue
            original = next((one for one in known if _beside(one, source.path)), None)
            if original is None:
                known.append(source.path)
            else:
                copies[source.path] = Problem(
                    path=source.path,
                    message=f"the same file as {original}, byte for byte; read once",
                    remedy="remove the copy, or put back the file that it replaced",
                    # The Trainer writes the same numbers under several names by itself.
                    level="note" if source.kind == "hf_results" else "warning",
                )
    kept = [digested.get(id(log), log) for log in logs if log.source.path not in copies]
    return kept, [copies[path] for path in sorted(copies)]


def _beside(one: str, other: str) -> bool:
    """Tell whether two files lie in one folder, or one of them somewhere below the other's."""
    folders = (path.rpartition("/")[0] for path in (one, other))
    upper, lower = sorted((f"{folder}/".lstrip("/") for folder in folders), key=len)
    return lower.startswith(upper)


def _depth(log: Log, *, rooted: bool) -> float:
    """Return how far down a file lies; one in a root that is no run itself comes last."""
    depth = log.source.path.count("/")
    return depth if depth or rooted else math.inf


def _look_of(log: Log) -> tuple[object, ...]:
    """Return what copies have in common, without a look at the file."""
    tag, series = next(iter(log.series.items()))
    # As texts, in which two numbers that are none are equal.
    ends = (series.wall_times[0], series.wall_times[-1], series.values[0], series.values[-1])
    return log.source.size, tag, len(series), *map(str, ends)


def _drop_results_beside_curves(logs: Sequence[Log]) -> tuple[list[Log], list[Problem]]:
    """Leave out tables of results, a run a row, where curves of these lie beside or below them.

    So do those of which the names of most rows are names of folders or files of curves; that both
    have a seed or a fold of one number says nothing.
    """
    curves = {one.source.path for one in logs if one.series}
    folders = {path.rpartition("/")[0] for path in curves}
    names = {part.partition(".")[0] for path in curves for part in path.split("/")}
    tables: dict[str, list[str]] = {}
    for log in logs:
        if log.source.kind in TABLES and log.run_key and log.results and not log.series:
            tables.setdefault(log.source.path, []).append(log.run_key)
    message = "a table of results of runs, whose curves lie beside it: left out"
    told = {}

    def is_known(key: str) -> bool:
        parts = key.split("/")
        return not names.isdisjoint([p for p in parts if not _REPEATED.fullmatch(p)] or parts)

    for path, keys in tables.items():
        folder = path.rpartition("/")[0]
        near = any(f"{one}/".startswith(f"{folder}/" if folder else "") for one in folders)
        if near or 2 * sum(map(is_known, keys)) > len(keys):
            told[path] = Problem(path=path, message=message, level="note")
    return [log for log in logs if log.source.path not in told], [*told.values()]


def _drop_results_told_again(logs: Sequence[Log]) -> tuple[list[Log], list[Problem]]:
    """Leave out files whose results one beside them holds as well, of a run that has more.

    Two numbers of many digits are no accident where all others are the same too.
    """
    bare = [log for log in logs if log.source.kind in TABLES and log.results and not log.series]
    states = {id(o): [one for one in o.results.items() if len(f"{one[1]:.9g}") > 5] for o in bare}
    holders: dict[object, list[Log]] = {}
    for log in bare:
        for pair in states[id(log)]:
            holders.setdefault(pair, []).append(log)
    told = {}
    for log in bare:
        path, own = log.source.path, states[id(log)]
        holding = holders[own[0]] if own[1:] else ()
        if original := next((one for one in holding if _holds_all(one, log)), None):
            message = f"the same results as in {original.source.path}: read once"
            told[path] = Problem(path=path, message=message, level="note")
    return [log for log in logs if log.source.path not in told], [*told.values()]


def _holds_all(one: Log, log: Log) -> bool:
    """Tell whether a log states all that another does, and more, or under the name of a run."""
    return (
        (len(one.results) > len(log.results) or (one.run_key != "" and not log.run_key))
        and _beside(one.source.path, log.source.path)
        and log.results.items() <= one.results.items()
        and all(one.config.get(key, value) == value for key, value in log.config.items())
    )


def _without_ends_of_plots(logs: Sequence[Log]) -> Iterator[Log]:
    """Yield logs, of DVCLive's metrics.json what no plot beside it holds: all else is their last.

    It states the last step of all, at which hardly any of them was logged.
    """
    plotted: dict[str, set[str]] = {}
    for log in logs:
        if log.program == "dvclive":
            folder = f"/{log.source.path}".rpartition("/plots/metrics/")[0]
            plotted.setdefault(f"{folder}/metrics.json", set()).update(log.series)
    for log in logs:
        tags = plotted.get(f"/{log.source.path}")
        if tags is None:
            yield log
            continue
        left = {tag: one for tag, one in log.series.items() if tag not in tags}
        results = {tag: float(one.values[-1]) for tag, one in left.items() if tag != "epoch"}
        yield replace(log, series={}, results={**log.results, **results}, program="dvclive")


def _settle(fate: Fate, tables: Collection[str], copies: Mapping[str, str]) -> Fate:
    """Return the fate of a read file where all files together decide it."""
    if fate.path in copies:
        return replace(fate, kind="skipped", why=copies[fate.path], runs=0, points=0)
    return replace(fate, kind="table", why="no column of steps") if fate.path in tables else fate


def _unread_tables(files: Sequence[LogFile], each: Sequence[tuple[Log, ...]]) -> list[UnreadTable]:
    """Return the tables without a clock; where no log is read, also those without a metric."""
    bare = [
        file
        for file, logs in zip(files, each, strict=True)
        if file.kind in TABLES and file.plan is None and not any(map(_says_anything, logs))
        # What was best is no log, whatever its keys are called.
        if not sources_of(file.kind, TESTED, file.name)
    ]
    if not bare:
        return []
    from reportgen.read.logs.several_runs import look_into

    looked = [table for file in bare if (table := look_into(file.path, file.name))]
    anything = any(log.series or log.results for logs in each for log in logs)
    return [table for table in looked if table.measures or not anything]


def _holds_anything(log: Log) -> bool:
    return bool(log.series or log.results or log.config or log.texts)


def _says_anything(log: Log) -> bool:
    """Tell whether a log gave something, or is damaged, which is worth more words than columns."""
    return _holds_anything(log) or any(problem.offset is not None for problem in log.problems)


def _read(
    files: Sequence[LogFile], on_file: OnFile | None, pool: Executor | None, reading: Reading
) -> Iterable[tuple[Log, ...]]:
    """Return the logs of each file, in order."""
    numbers = count(1)

    def tell(name: str) -> None:
        if on_file is not None:
            on_file(name, next(numbers), len(files))

    def read_here() -> Iterator[tuple[Log, ...]]:
        for file in files:
            tell(file.name)
            yield load_file(file, reading)

    if pool is None:
        return read_here()
    from reportgen.read.logs.one_file import read_in_pool

    return read_in_pool(pool, files, tell, reading)


def _read_changed(
    files: Sequence[LogFile], on_file: OnFile | None, pool: Executor | None, reading: Reading
) -> Iterable[tuple[Log, ...]]:
    """Return the same, of files that are as they were from what is kept of them."""
    kept = reading.kept or Kept()
    keys = {file.name: key_of(file, reading) for file in files}
    known = {name: kept.find(f"log {name}", key) for name, key in keys.items()}
    changed = [file for file in files if known[file.name] is None]
    # What is kept stays in this process.
    read = _read(changed, on_file, pool, replace(reading, kept=None))
    for file, logs in zip(changed, read, strict=True):
        known[file.name] = logs
        # What a file server refused for once is asked for again.
        told = [problem.message for log in logs for problem in log.problems]
        key = object() if any(one.startswith(UNREAD) for one in told) else keys[file.name]
        kept.keep(f"log {file.name}", key, logs)
    return [known[file.name] for file in files]


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Stop the search for cycles: many objects are made, and no cycle, and each search costs."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _plans(
    names: Sequence[str], tables: Sequence[TablePlan], problems: list[Problem]
) -> dict[str, tuple[TablePlan, str]]:
    """Return the plan and the loader of each file that a plan matches."""
    from reportgen.read.logs.columns import kind_of, plan_of

    plans = {name: plan for name in names if (plan := plan_of(name, tables))}
    problems.extend(
        Problem(
            path=".",
            message=f"[[logs.tables]] match {table.match!r} matches no file",
            remedy="correct it in the study file: a path below the logs, with * and ?",
        )
        for table in tables
        if table not in plans.values()
    )
    return {name: (plan, kind_of(plan, name)) for name, plan in plans.items()}


def _is_usable(path: Path, name: str, problems: list[Problem]) -> bool:
    """Tell whether a file is one that other stages may open by its name."""
    if not is_called(name, NAMED):
        return False
    if path.as_posix().endswith(name):
        return True
    message = "its name holds characters that cannot be printed; not used"
    problems.append(Problem(path=name, message=message, remedy="rename it, or its folder"))
    return False
