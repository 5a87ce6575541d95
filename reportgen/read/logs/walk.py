"""Which files lie below a folder: each once, none outside it, and nothing that never ends."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from reportgen.read.logs import LOADERS
from reportgen.read.logs.files import UNREAD
from reportgen.read.logs.sources import loader_by_source
from reportgen.read.logs.words import lists
from reportgen.records.errors import EvidenceError, other_than
from reportgen.records.record import field, record
from reportgen.records.run import Fate, Log, Problem
from reportgen.records.source import printable

# What becomes of a file: one fate each, told by its name or by what was read of it.

NO_LOGS = lists("no_logs")
"""What is called as logs are, and holds nothing of a model by design: of TensorBoard's profiler,
CatBoost, and Weights & Biases."""

SKIPPED = NO_LOGS | lists("beside")
"""What programs leave beside logs, and how it is called."""

SETTINGS = ("generation_config.json", "hydra.yaml", "multirun.yaml")
"""Settings that say nothing of a run; those that do are read."""

WEIGHTS = ("*.safetensors", "*.pt", "*.pth", "*.bin", "*.gguf", "*.ckpt", "*.index.json")
ADAPTER = ("adapter_config.json", "adapter_model.*")

CONFIG = "config.json"
MODEL_KEYS = frozenset(lists("files")["of_models"])
"""Keys by which a `config.json` says that it is a model's, and not any program's settings."""
LARGEST_CONFIG = 1 << 22


def describes_model(path: Path) -> bool:
    """Tell whether a `config.json` says that it is a model's; one that cannot be read may be."""
    try:
        if path.stat().st_size > LARGEST_CONFIG:
            return True
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return True
    return not isinstance(found, dict) or is_model(found)


def is_model(found: Mapping[str, object]) -> bool:
    """Tell whether the keys of a configuration are a model's, or nothing is stated at all."""
    return not found or not MODEL_KEYS.isdisjoint(found)


def is_settings(name: str) -> bool:
    """Tell whether a file is called as a model's configuration and many programs' settings are."""
    return name.rpartition("/")[2] == CONFIG


def fate_by_name(name: str, *, model: bool) -> Fate:
    """Return the fate of a file that no loader answers to.

    `model` says whether other stages may open it as a model, a checkpoint or an adapter.
    """
    base = name.rpartition("/")[2]
    if why := why_skipped(name, SKIPPED):
        return Fate(path=name, kind="skipped", why=why)
    if is_called(base, ADAPTER):
        return Fate(path=name, kind="adapter")
    if model or is_called(base, WEIGHTS):
        return Fate(path=name, kind="model")
    settings = is_settings(name) or base in SETTINGS
    return Fate(path=name, kind="settings" if settings else "other")


def why_skipped(name: str, known: Mapping[str, tuple[str, ...]]) -> str:
    """Return why a file is skipped whose name, or path, fits; empty where none does.

    Example:
        >>> [why_skipped(f"wandb/{n}", NO_LOGS) for n in ("run-1/logs/debug.log", "train.log")]
        ['what a tracker says of itself', '']
    """
    base = name.rpartition("/")[2]
    return next(
        (
            why
            for why, patterns in known.items()
            if any(fnmatchcase(f"/{name}" if "/" in one else base, one) for one in patterns)
        ),
        "",
    )


def is_called(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether a file's own name fits any of these patterns."""
    base = name.rpartition("/")[2]
    return any(fnmatchcase(base, pattern) for pattern in patterns)


def fate_by_logs(name: str, source: str, logs: Sequence[Log], size: int | None = None) -> Fate:
    """Return the fate of a file that a loader has read; it found no logs where it is none."""
    points = sum(len(series) for log in logs for series in log.series.values())
    runs = {log.run_key for log in logs if log.series or log.results}
    problems = [problem for log in logs for problem in log.problems]
    damaged = [p for p in problems if p.offset is not None and (runs or p.level == "warning")]
    if damaged:
        kind, why = "damaged", damaged[0].message
    elif runs:
        kind, why = "read", ""
    elif any(log.config or log.texts for log in logs) or not (
        problems or any(log.skipped for log in logs)
    ):
        # A file of settings may set nothing.
        kind, why = "settings" if logs else "other", ""
    else:
        kind, why = "skipped", problems[0].message if problems else "no scalar in it"
    return Fate(
        path=name,
        kind=kind,
        source=logs[0].source.kind if logs else source,
        why=why,
        size=logs[0].source.size if logs else size,
        runs=len(runs),
        points=points,
        lost=len(damaged),
    )


SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages"})
TOOL_FOLDERS = frozenset(lists("files")["of_tools"])
"""Hidden folders of tools: what lies in them is nobody's run."""

ENTERED = frozenset({".hydra"})
"""Hidden folders that hold the settings of the run above them."""

LOGS_WITH_A_DOT = ("*.monitor.csv",)
"""Logs that their program gives a hidden name: a monitor of Stable-Baselines3 without a prefix."""

PACKED = ".gz"
"""Ending of a file that was compressed; it is read as what it holds."""

APPLE_DOUBLE = "._"
"""Beside a file, macOS keeps its attributes under the file's name after this prefix."""

HIDDEN_KINDS = frozenset({"tfevents", "trainer_state", "hf_results", "wandb_run"})
# In a hidden folder a table may be a run's log; by itself it may be anything.
_HIDDEN_TABLES = frozenset({"metrics_csv", "json_lines"})
"""Kinds told by their names alone; a hidden text or CSV file may be anything."""

DEPTH_LIMIT = 64
"""Folders nested deeper are not entered."""

ENTRY_LIMIT = 1_000_000
"""More files and folders than this are a disk, not somebody's runs."""

GLANCE_LIMIT = 2_000
"""Files of a skipped folder that are named one by one, and looked at for logs."""

COUNT_LIMIT = 50_000
"""Entries of a skipped folder that are counted."""

_WITHOUT_DOT = "rename it without the dot if it counts"

Identity = tuple[int, int]

FOLDER = "_files"
"""A report's figures and tables lie in a folder of its own name with this ending."""

_MARKS: Mapping[str, bytes] = {
    "json": b'"schema": "reportgen-report/',
    "html": b'name="generator" content="reportgen ',
    "tex": b"\n%%rg ",
    "pdf": b"report.json",
}
"""By these a report is told, beside which what reportgen wrote is never read as a log."""

_MOST = 32 * 2**20  # bytes of a report that are looked through

_PATTERNS = [(pattern, kind) for kind, entry in LOADERS.items() for pattern in entry.match]
_WITH_FOLDERS = [(pattern, kind) for pattern, kind in _PATTERNS if "/" in pattern]
"""These come first: they say more than a file's own name."""

_BASES = [(pattern, kind) for pattern, kind in _PATTERNS if "/" not in pattern]


def loader_of(name: str) -> str:
    """Return which loader answers to a file name, or an empty name.

    Example:
        >>> [loader_of(f"a/{n}") for n in ("events.out.tfevents.1.a", "weights.pt", "log.csv.gz")]
        ['tfevents', '', 'metrics_csv']
    """
    name = name.removesuffix(PACKED)
    base = name.rpartition("/")[2]
    if why_skipped(name, NO_LOGS):
        return ""
    if base != name:
        for pattern, kind in _WITH_FOLDERS:
            if fnmatchcase(f"/{name}", f"*/{pattern}"):
                return kind
    found = next((kind for pattern, kind in _BASES if fnmatchcase(base, pattern)), "")
    return found or loader_by_source(name)


def unreadable(name: str, error: OSError, message: str = "") -> Problem:
    """Return a problem that says why a file or folder cannot be read."""
    reason = message or f"{UNREAD}{error.strerror or error}"
    return Problem(path=name, message=reason, remedy="restore the file, or its permissions")


@record
class FoundFiles:
    """What a walk through a folder met.

    Attributes:
        files: (path, printable name below the root) of every regular file, in order of name.
        problems: Broken links, unreadable folders and the like.
        passed: Files that are skipped by name, without a look at them.
    """

    files: list[tuple[Path, str]]
    problems: list[Problem]
    passed: list[Fate]


def find_files(root: Path, within: Collection[str] | None = None) -> FoundFiles:
    """Find every regular file below a folder, which may be a link; or take one file.

    Args:
        root: Folder, or a single file.
        within: Patterns of the folders in the root that are entered; all without it.

    Raises:
        EvidenceError: The root does not exist, cannot be read, is neither file nor folder, or
            has more entries than any folder of runs.
    """
    try:
        status = root.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise EvidenceError(
            f"there is no file or folder {str(root)!r}", remedy=other_than(root)
        ) from error
    except OSError as error:
        raise _unreadable_root(root, error) from error
    if stat.S_ISREG(status.st_mode):
        return FoundFiles(files=[(root, _name(root.name))], problems=[], passed=[])
    if not stat.S_ISDIR(status.st_mode):
        raise EvidenceError(
            f"{str(root)!r} is {_what(status.st_mode)}, neither a file nor a folder",
            remedy="pass the folder that holds the runs, as in --runs logs/",
        )
    walk = _Walk(root=root, inside=os.path.realpath(root), within=within)
    walk.seen.add((status.st_dev, status.st_ino))
    found = walk.run()
    found.sort(key=lambda item: item[1].split("/"))
    return FoundFiles(files=found, problems=walk.problems, passed=walk.passed)


def _unreadable_root(root: Path, error: OSError) -> EvidenceError:
    return EvidenceError(
        f"{str(root)!r} cannot be read: {error.strerror or error}",
        remedy="restore its permissions, or pass another folder",
    )


def _name(name: str) -> str:
    """Return a file name that can be written as UTF-8, whatever bytes the disk holds."""
    return printable(name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))


def _what(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


@record(frozen=False)
class _Walk:
    """One walk through a folder.

    Attributes:
        inside: The root's real path; links out of it are not followed.
        within: Patterns of the folders in the root that are entered; None for all.
        seen: Folders entered so far.
        links: Links to folders inside the root. They are looked at last, so that a folder
            is read under its own name and a link only leads to what has no other.
        hidden: Hidden folders. What a link leads to is read under the link's name.
        passed: Fates of files that are skipped by name.
        entries: Entries met so far.
    """

    root: Path
    inside: str
    within: Collection[str] | None = None
    problems: list[Problem] = field(default_factory=list)
    seen: set[Identity] = field(default_factory=set)
    links: list[tuple[Path, str, Identity]] = field(default_factory=list)
    hidden: list[tuple[Path, str]] = field(default_factory=list)
    passed: list[Fate] = field(default_factory=list)
    entries: int = 0

    def run(self) -> list[tuple[Path, str]]:
        """Return every regular file, each with its name."""
        found = list(self._enter(self.root, ""))
        while self.links:
            path, name, identity = self.links.pop(0)
            if identity in self.seen:
                self._say(name, "a link to a folder that is read under its own name", level="note")
            else:
                self.seen.add(identity)
                found.extend(self._enter(path, f"{name}/"))
        for path, name in self.hidden:
            self._pass_hidden(path, name)
        return found

    def _enter(self, folder: Path, prefix: str) -> Iterator[tuple[Path, str]]:
        try:
            with os.scandir(folder) as listing:
                entries = list(islice(listing, ENTRY_LIMIT - self.entries + 1))
        except OSError as error:
            if not prefix:
                raise _unreadable_root(self.root, error) from error
            self.problems.append(unreadable(prefix.rstrip("/"), error))
            return
        self.entries += len(entries)
        if self.entries > ENTRY_LIMIT:
            raise EvidenceError(
                f"more than {ENTRY_LIMIT} files and folders under {str(self.root)!r}",
                remedy="pass the folder that holds the runs, as in --runs logs/",
            )
        for entry in sorted(entries, key=lambda entry: entry.name):
            name = prefix + _name(entry.name)
            if not prefix and self._is_passed(folder / entry.name):
                continue
            if entry.name in SKIPPED_FOLDERS and entry.is_dir(follow_symlinks=False):
                self._pass_over(folder / entry.name, name, "in a folder of programs")
            elif entry.name not in SKIPPED_FOLDERS:
                yield from self._look(entry, folder / entry.name, name)

    def _is_passed(self, path: Path) -> bool:
        """Tell whether a folder in the root is none of those that were asked for."""
        # A path, unlike an entry, takes a link that leads to itself for no folder.
        if self.within is None or not path.is_dir():
            return False
        return not any(fnmatchcase(path.name, pattern) for pattern in self.within)

    def _look(self, entry: os.DirEntry[str], path: Path, name: str) -> Iterator[tuple[Path, str]]:
        if _is_hidden(entry.name):
            self._report_hidden(entry, path, name)
            return
        try:
            status = path.stat()
        except OSError as error:
            broken = "a broken link" if entry.is_symlink() else ""
            self.problems.append(unreadable(name, error, broken))
            return
        if stat.S_ISREG(status.st_mode):
            yield path, name
        elif stat.S_ISDIR(status.st_mode):
            yield from self._descend(entry, path, name, (status.st_dev, status.st_ino))
        else:
            level = "warning" if loader_of(name) else "note"
            self._say(name, f"{_what(status.st_mode)}, no file; not opened", level=level)

    def _descend(
        self, entry: os.DirEntry[str], path: Path, name: str, identity: Identity
    ) -> Iterator[tuple[Path, str]]:
        if is_product(path):
            self._pass_over(path, name, "written by reportgen beside its report")
            return
        if entry.is_symlink() and not self._is_inside(path):
            # It may lead to a whole disk.
            message = "a link to a folder outside the one that was given; not followed"
            remedy = "copy the folder to this place, or give it to --runs"
            self._say(name, message, remedy)
        elif name.count("/") >= DEPTH_LIMIT:
            self._say(name, f"nested deeper than {DEPTH_LIMIT} folders; not entered")
            self._pass_over(path, name, "nested too deep")
        elif entry.is_symlink():
            self.links.append((path, name, identity))
        elif identity not in self.seen:
            self.seen.add(identity)
            yield from self._enter(path, f"{name}/")

    def _is_inside(self, path: Path) -> bool:
        try:
            return os.path.commonpath([self.inside, os.path.realpath(path)]) == self.inside
        except ValueError:
            # Two drives have no path in common.
            return False

    def _report_hidden(self, entry: os.DirEntry[str], path: Path, name: str) -> None:
        """Name what is hidden and looks like a log: it is left out, but not in silence."""
        if entry.is_dir(follow_symlinks=False):
            self.hidden.append((path, name))
        elif path.is_file():
            log = loader_of(name) in HIDDEN_KINDS and not entry.name.startswith(APPLE_DOUBLE)
            self.passed.append(Fate(path=name, kind="skipped", why="hidden"))
            if log and not entry.is_symlink():
                self._say(name, "hidden, and not read", _WITHOUT_DOT, "note")

    def _pass_hidden(self, path: Path, name: str) -> None:
        """Pass over a hidden folder that no link leads to, and say how many logs lie in it."""
        try:
            status = path.stat()
        except OSError as error:
            self.problems.append(unreadable(name, error))
            return
        if (status.st_dev, status.st_ino) in self.seen:
            return
        is_tool = path.name in TOOL_FOLDERS
        inside = self._pass_over(path, name, "in a folder of a tool" if is_tool else "hidden")
        count = sum(loader_of(file) in HIDDEN_KINDS | _HIDDEN_TABLES for file in inside)
        if count and not is_tool:
            files = "1 log file lies" if count == 1 else f"{count} log files lie"
            self._say(name, f"hidden, and not read: {files} in it", _WITHOUT_DOT, "note")

    def _pass_over(self, folder: Path, name: str, why: str) -> list[str]:
        """Give every file below a folder one fate, and return the names of those named."""
        names = islice(_names_below(folder, name), COUNT_LIMIT)
        named = list(islice(names, GLANCE_LIMIT))
        self.passed += (Fate(path=file, kind="skipped", why=why) for file in named)
        if rest := sum(1 for _ in names):
            self.passed.append(Fate(path=name, kind="skipped", why=why, files=rest))
        return named

    def _say(self, name: str, message: str, remedy: str = "", level: str = "warning") -> None:
        self.problems.append(Problem(path=name, message=message, remedy=remedy, level=level))


def _is_hidden(name: str) -> bool:
    is_log = any(fnmatchcase(name, pattern) for pattern in LOGS_WITH_A_DOT)
    return name.startswith(".") and name not in ENTERED and not is_log


def _names_below(folder: Path, name: str) -> Iterator[str]:
    """Yield the names of the files below a folder; no link to a folder is followed."""
    open_ = [(folder, name)]
    while open_:
        here, prefix = open_.pop()
        try:
            with os.scandir(here) as listing:
                entries = sorted(islice(listing, COUNT_LIMIT), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            below = f"{prefix}/{_name(entry.name)}"
            if entry.is_dir(follow_symlinks=False):
                open_.append((here / entry.name, below))
            elif entry.is_file():
                yield below


def is_product(folder: Path) -> bool:
    """Tell whether a folder holds the figures and tables of a report that lies beside it."""
    stem = folder.name.removesuffix(FOLDER)
    if not stem or stem == folder.name:
        return False
    return any(_holds(folder.with_name(f"{stem}.{kind}"), mark) for kind, mark in _MARKS.items())


def _holds(path: Path, mark: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return path.is_file() and mark in file.read(_MOST)
    except OSError:
        return False
