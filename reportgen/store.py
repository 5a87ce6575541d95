"""The only place that writes: output files, whole or not at all, and the build cache.

Nothing is written outside `--out` and the cache folder. A file appears under its name by
one rename, so that Ctrl-C, a full disk or a killed process leaves no half-written file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import OutputError

KEPT_BUILDS = 16


def write_files(folder: Path, files: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write files below a folder, each one whole or not at all.

    All contents are written under temporary names before the first rename, so that a full
    disk leaves the previous output untouched. Nothing is forced out of the system's cache: a
    report lost with the power is built again, and waiting for the disk would cost a tenth of
    every build.

    Args:
        folder: Where; made if it is not there.
        files: Relative POSIX path to content.

    Raises:
        OutputError: The folder cannot be made or written to, or the disk is full.
    """
    staged: list[tuple[str, Path]] = []
    try:
        for name, content in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                raise IsADirectoryError(21, "is a folder", str(target))
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".reportgen-")
            staged.append((temporary, target))
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            Path(temporary).chmod(0o666 & ~_umask())
        for temporary, target in staged:
            Path(temporary).replace(target)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise OutputError(
            f"cannot write {fault.filename or folder}: {reason}",
            remedy="name a folder you may write to with --out; nothing there was changed",
        ) from None
    finally:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
    return tuple(target for _, target in staged)


def check_writable(folder: Path) -> None:
    """Fail early when `folder` could not be written to; leaves nothing behind.

    Raises:
        OutputError: Neither the folder nor the nearest one above it is writable.
    """
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    try:
        if not nearest.is_dir():
            raise NotADirectoryError(20, "is a file, not a folder", str(nearest))
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as fault:
        raise OutputError(
            f"cannot write into {folder}: {fault.strerror or fault}",
            remedy="name a folder you may write to with --out",
        ) from None


def _umask() -> int:
    # The only portable way to read it; harmless because the command line is one thread.
    current = os.umask(0)
    os.umask(current)
    return current


def default_cache() -> Path:
    """Return the cache folder: `REPORTGEN_CACHE`, else the platform's usual place."""
    if named := os.environ.get("REPORTGEN_CACHE"):
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "reportgen"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "reportgen"


def signature(paths: Iterable[Path]) -> str | None:
    """Return a digest of what the file system says of files and trees, or None.

    Folders are walked; every file counts with its path, size, inode and modification time
    in nanoseconds. None when something cannot be looked at: then nothing is reusable.
    """
    digest = hashlib.sha256()
    try:
        for path in paths:
            for line in _states(path):
                digest.update(line.encode("utf-8", "surrogateescape"))
    except OSError:
        return None
    return digest.hexdigest()


def _states(path: Path) -> Iterator[str]:
    text = os.fspath(path.absolute())
    if path.is_dir():
        yield f"{text}/\0"
        with os.scandir(path) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.name == "__pycache__":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    yield from _states(Path(entry.path))
                else:
                    yield _state(entry.path, entry.stat(follow_symlinks=False))
    elif path.exists():
        yield _state(text, path.stat())
    else:
        yield f"{text} absent\0"


def _state(path: str, state: os.stat_result) -> str:
    return f"{path} {state.st_size} {state.st_mtime_ns} {state.st_ino} {state.st_ctime_ns}\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBuild:
    """A build: its files and what was said about it.

    Attributes:
        files: Relative path to content.
        outcome: What was said, as plain values.
        fault: Why there are no pages; never of a build that was stored.
    """

    files: Mapping[str, bytes]
    outcome: Mapping[str, object]
    fault: Exception | None = None


@dataclass(frozen=True, slots=True)
class BuildCache:
    """Finished builds by the signature of everything that went into them.

    Safe under concurrent builds: an entry is a folder that appears by one rename.
    """

    folder: Path

    def find(self, key: str) -> StoredBuild | None:
        """Return the build of this key, or None when there is none or it is damaged."""
        entry = self.folder / "builds" / key
        try:
            index = json.loads((entry / "index.json").read_bytes())
            files = {}
            for name, (blob, expected) in index["files"].items():
                content = (entry / blob).read_bytes()
                if hashlib.sha256(content).hexdigest() != expected:
                    return None
                files[name] = content
            os.utime(entry)
            return StoredBuild(files=files, outcome=index["outcome"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, key: str, build: StoredBuild) -> None:
        """Store a build; a cache that cannot be written is no reason to fail."""
        builds = self.folder / "builds"
        try:
            builds.mkdir(parents=True, exist_ok=True)
            staging = Path(tempfile.mkdtemp(dir=builds, prefix=".new-"))
        except OSError:
            return
        try:
            index: dict[str, tuple[str, str]] = {}
            for number, (name, content) in enumerate(build.files.items()):
                blob = f"{number:04d}"
                (staging / blob).write_bytes(content)
                index[name] = (blob, hashlib.sha256(content).hexdigest())
            text = json.dumps({"files": index, "outcome": build.outcome})
            (staging / "index.json").write_text(text, encoding="utf-8")
            shutil.rmtree(builds / key, ignore_errors=True)
            staging.replace(builds / key)
            self._forget_oldest(builds)
        except OSError:
            return
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    @staticmethod
    def _forget_oldest(builds: Path) -> None:
        entries = sorted(builds.iterdir(), key=lambda e: e.stat().st_mtime, reverse=True)
        for entry in entries[KEPT_BUILDS:]:
            shutil.rmtree(entry, ignore_errors=True)


def same_content(path: Path, content: bytes) -> bool:
    """Say whether a file holds exactly these bytes."""
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False
