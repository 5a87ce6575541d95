"""The only place that writes: output files, whole or not at all, and the build cache.

Nothing is written outside `--out` and the cache folder. A file appears under its name by
one rename, so that Ctrl-C, a full disk or a killed process leaves no half-written file.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from reportgen.records.errors import OutputError
from reportgen.records.record import record

# Who holds a lease: a process, told from every other one that bears or bore its number.


def describe_self() -> dict[str, object]:
    """Return what tells this process from all others, ready for JSON."""
    import socket

    pid = os.getpid()
    return {
        "host": socket.gethostname(),
        "machine": machine(),
        "pid": pid,
        "start": (_process_state(pid) or ("", ""))[1],
    }


def machine() -> str:
    """Name one numbering of processes: a kernel since its start, and one namespace in it.

    A host's name is not enough: containers that share a store may share their name and still
    not see each other's processes.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        # A network card's address; without one it is drawn anew, and no owner is ever known dead.
        import socket
        import uuid

        return f"{socket.gethostname()} {uuid.getnode():012x}"


def is_plainly_dead(owner: Mapping[str, object]) -> bool:
    """Say whether a described process is known to have ended.

    False whenever that cannot be seen from here: another machine, another system, a damaged
    description. A number that another process bears now counts as ended.
    """
    pid = owner.get("pid")
    if os.name == "nt" or not isinstance(pid, int) or not 0 < pid < 2**31:
        return False
    if owner.get("machine") != machine():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        # Somebody else's process; /proc may hide it, so that only this tells that it is there.
        pass
    state = _process_state(pid)
    if state is None:
        return False
    start = owner.get("start")
    return state[0] in {"Z", "X"} or (isinstance(start, str) and bool(start) and start != state[1])


def _process_state(pid: int) -> tuple[str, str] | None:
    """Return a process's state letter and start in clock ticks since boot, on Linux."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        # The name in brackets may itself hold brackets and blanks.
        fields = text.rpartition(")")[2].split()
        return fields[0], fields[19]
    except (OSError, IndexError):
        return None


# Files that are not whole yet: their names tell whose they are, so none is lost or left.

LEFT_S = 86_400.0
"""Seconds after which a temporary is one that a killed process left, whoever may be writing."""


def own(prefix: str) -> str:
    """Return how the names of this process's temporaries begin.

    Args:
        prefix: How those of every process do.

    Example:
        >>> own(".new-").startswith(".new-"), own(".new-") == own(".new-")
        (True, True)
    """
    return f"{prefix}{_machine()}.{os.getpid()}."


def forget_left(folder: Path, prefix: str, *, locked: bool) -> None:
    """Remove temporaries of processes that were killed.

    A lock is no proof that nobody writes: another client of a file server, whose locks are its
    own, may be about to give its temporaries their names.

    Args:
        folder: Where they lie.
        prefix: How their names begin.
        locked: Whether nobody else on this machine is writing here; else only old ones go.
    """
    with contextlib.suppress(OSError):
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if entry.name.startswith(prefix)]
        for path in found:
            old = time.time() - path.lstat().st_mtime >= LEFT_S
            if not old and not (locked and _is_left(path.name.removeprefix(prefix))):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def _is_left(name: str) -> bool:
    """Say whether the process that chose a name is plainly dead, or the name tells of none."""
    place, _, rest = name.partition(".")
    pid, _, drawn = rest.partition(".")
    if not (drawn and pid.isdecimal()):
        return True
    return place == _machine() and is_plainly_dead({"pid": int(pid), "machine": machine()})


@functools.cache
def _machine() -> str:

    return hashlib.sha256(machine().encode()).hexdigest()[:8]


KEPT_BUILDS = 16
TEMPORARY = ".reportgen-"
"""How the names of files begin that are not whole yet."""

STAGING = ".new-"
"""How the names of kept builds begin that are not whole yet."""

PATIENCE_S = 10.0
"""Seconds to wait for another process that writes into the same folder."""

LETTING_GO_S = 1.0
"""Seconds to wait for another program to close a file that is to be replaced."""


def write_files(folder: Path, files: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write files below a folder, each one whole or not at all.

    All contents are written under temporary names before the first rename, so that a full
    disk leaves the previous output untouched. What a killed process left under such names is
    removed. Nothing is forced out of the system's cache: a report lost with the power is built
    again, and waiting for the disk would cost a tenth of every build.

    Args:
        folder: Where; made if it is not there.
        files: Relative POSIX path to content.

    Raises:
        OutputError: The folder cannot be made or written to, or the disk is full.
    """
    with _alone_in(folder, files):
        return _write(folder, files)


def write_changed(folder: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Write those of some files that do not hold their content yet, as `write_files` does.

    Two processes that do so at once come one after the other, so that all files are those of the
    one that came last.

    Returns:
        Names of those that were written.

    Raises:
        OutputError: As `write_files`.
    """
    with _alone_in(folder, files):
        changed = {n: c for n, c in files.items() if not same_content(folder / n, c)}
        _write(folder, changed)
    return tuple(changed)


def _write(folder: Path, files: Mapping[str, bytes]) -> tuple[Path, ...]:
    staged: list[tuple[str, Path]] = []
    done = 0
    try:
        for name, content in files.items():
            target = folder / name
            if target.is_dir():
                raise IsADirectoryError(21, "is a folder", str(target))
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=own(TEMPORARY))
            staged.append((temporary, target))
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(content)
            except OSError as fault:
                # No room, or a limit on the size of files; often told only as it is closed.
                fault.filename = str(target)
                raise
            # Some file systems (FAT, shares) have modes of their own and refuse others.
            with contextlib.suppress(PermissionError):
                Path(temporary).chmod(0o666 & ~_umask())
        for temporary, target in staged:
            _put(Path(temporary), target)
            done += 1
    except OutputError as fault:
        fault.remedy += f"; {done} of {len(staged)} files there are new"
        raise
    except OSError as fault:
        state = (
            f"{done} of {len(staged)} files there are new" if done else "nothing there was changed"
        )
        raise _refusal(folder, fault, state) from None
    finally:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
    return tuple(target for _, target in staged)


def _put(temporary: Path, target: Path) -> None:
    """Give a file its name, in the place of the one that bears it.

    On Windows nobody can while another program has that one open. A scanner lets go of it within
    a moment, a viewer does not.

    Raises:
        OutputError: A program keeps it open.
    """
    end = time.monotonic() + LETTING_GO_S
    while True:
        try:
            temporary.replace(target)
        except PermissionError as fault:
            if getattr(fault, "winerror", None) not in _IN_USE:
                raise
            if time.monotonic() > end:
                raise OutputError(
                    f"cannot write {target}: another program has it open",
                    remedy="close the program that shows it, or name another place with --out",
                ) from None
            time.sleep(0.05)
        else:
            return


_IN_USE = {5, 32}
"""Windows: access is denied, as where a file is open; another process uses it."""


def _refusal(folder: Path, fault: OSError, state: str) -> OutputError:
    return OutputError(
        f"cannot write {fault.filename or folder}: {fault.strerror or fault}",
        remedy=f"name a folder you may write to with --out; {state}",
    )


@contextlib.contextmanager
def _alone_in(folder: Path, files: Iterable[str]) -> Iterator[None]:
    """Keep other processes from writing where files will be, and remove what killed ones left."""
    places = sorted({folder, *((folder / name).parent for name in files)})
    new = {one for place in places for one in (place, *place.parents) if not one.exists()}
    try:
        with contextlib.ExitStack() as held:
            for place in places:
                try:
                    place.mkdir(parents=True, exist_ok=True)
                except OSError as fault:
                    raise _refusal(folder, fault, "nothing there was changed") from None
                locked = held.enter_context(_lock(place))
                forget_left(place, TEMPORARY, locked=locked)
            yield
    except BaseException:
        for made in sorted(new, reverse=True):  # inner ones first; what holds a file stays
            with contextlib.suppress(OSError):
                made.rmdir()
        raise


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[bool]:
    """Hold the lock of a folder, and say whether that could be.

    It cannot be on Windows, on some network file systems, and while somebody holds it for longer
    than anybody writes files: then nobody waits.
    """
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield False
        return
    try:
        yield _is_locked(lambda: fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB))
    finally:
        # Closing gives the lock back, as the end of the process does.
        os.close(handle)


def _is_locked(attempt: Callable[[], None]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            attempt()
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        except OSError:
            return False
        else:
            return True


def check_writable(folder: Path) -> None:
    """Fail early when `folder` could not be written to; leaves nothing behind.

    Raises:
        OutputError: Neither the folder nor the nearest one above it is writable.
    """
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir():
        raise OutputError(
            f"cannot write into {folder}: {nearest} is {_kind_of(nearest)}, not a folder",
            remedy="name a folder, or a file in one, as in --out out/report.pdf",
        )
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except FileNotFoundError as fault:
        # The folder is there, and yet nothing can be made in it: /proc, /sys.
        raise OutputError(
            f"cannot write into {folder}: the system keeps no files of yours in {nearest}",
            remedy="name a folder on a disk with --out",
        ) from fault
    except OSError as fault:
        raise OutputError(
            f"cannot write into {folder}: {fault.strerror or fault}",
            remedy="name a folder you may write to with --out",
        ) from None


def _kind_of(path: Path) -> str:
    if path.is_char_device() or path.is_block_device():
        return "a device"
    return "a file" if path.is_file() else "a pipe or a socket"


def _umask() -> int:
    # The only portable way to read it; harmless because the command line is one thread.
    current = os.umask(0)
    os.umask(current)
    return current


BY_CONTENT = "REPORTGEN_CACHE_BY_CONTENT"
"""Variable that makes `signature` know files by what they hold: times differ in every checkout."""


def default_cache() -> Path:
    """Return the cache folder: `REPORTGEN_CACHE`, else the platform's usual place."""
    if named := os.environ.get("REPORTGEN_CACHE"):
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "reportgen"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "reportgen"


def installed() -> str:
    """Return a state that changes when Python or a dependency is installed or replaced."""
    places = [Path(name) for name in sys.path if name.endswith("site-packages")]
    return repr((sys.version, [one.stat().st_mtime_ns for one in places if one.is_dir()]))


def signature(paths: Iterable[Path], *, most: int = 0) -> str | None:
    """Return a digest of what the file system says of files and trees, or None.

    Folders are walked; every file counts with its path, size, inode and modification time
    in nanoseconds; with `REPORTGEN_CACHE_BY_CONTENT` set, with its content instead, for a cache
    that outlives the checkout. None when something cannot be looked at: nothing is reusable then.

    Args:
        paths: Files and folders.
        most: Where given, None too for more files and folders than these, or a link in a folder,
            whose target may change and the link not.
    """
    digest = hashlib.sha256()
    try:
        for count, line in enumerate(line for path in paths for line in _states(path, most > 0)):
            if 0 < most <= count:
                return None
            digest.update(line.encode("utf-8", "surrogateescape"))
    except OSError:
        return None
    return digest.hexdigest()


def _states(path: Path, without_links: bool = False) -> Iterator[str]:
    text = os.fspath(path.absolute())
    if path.is_dir():
        yield f"{text}/\0"
        with os.scandir(path) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.name == "__pycache__":
                    continue
                if without_links and entry.is_symlink():
                    raise OSError
                if entry.is_dir(follow_symlinks=False):
                    yield from _states(Path(entry.path), without_links)
                else:
                    yield _state(entry.path, entry.stat(follow_symlinks=False))
    elif path.exists():
        yield _state(text, path.stat())
    else:
        yield f"{text} absent\0"


def _state(path: str, state: os.stat_result) -> str:
    if os.environ.get(BY_CONTENT) and stat.S_ISREG(state.st_mode):
        with open(path, "rb") as stream:  # noqa: PTH123 - paths of surrogates too
            return f"{path} {hashlib.file_digest(stream, 'sha256').hexdigest()}\0"
    return f"{path} {state.st_size} {state.st_mtime_ns} {state.st_ino} {state.st_ctime_ns}\0"


@record
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


@record(kw_only=False)
class BuildCache:
    """Finished builds by the signature of everything that went into them.

    Safe under concurrent builds: an entry is a folder that appears by one rename.

    Attributes:
        folder: Where.
        kind: Name of the folder in it that holds the entries.
        most: Entries that are kept, the last used.
    """

    folder: Path
    kind: str = "builds"
    most: int = KEPT_BUILDS

    def find(self, key: str) -> StoredBuild | None:
        """Return the build of this key, or None when there is none or it is damaged."""
        entry = self.folder / self.kind / key
        try:
            digest, _, text = (entry / "index.json").read_bytes().partition(b"\n")
            if hashlib.sha256(text).hexdigest().encode() != digest:
                return None
            index = json.loads(text)
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
        builds = self.folder / self.kind
        with contextlib.suppress(OSError):
            builds.mkdir(parents=True, exist_ok=True)
            with _lock(builds) as locked:
                forget_left(builds, STAGING, locked=locked)
                self._keep(builds, key, build)
                self._forget_oldest(builds)

    def _keep(self, builds: Path, key: str, build: StoredBuild) -> None:
        staging = Path(tempfile.mkdtemp(dir=builds, prefix=own(STAGING)))
        try:
            index: dict[str, tuple[str, str]] = {}
            for number, (name, content) in enumerate(build.files.items()):
                blob = f"{number:04d}"
                (staging / blob).write_bytes(content)
                index[name] = (blob, hashlib.sha256(content).hexdigest())
            text = json.dumps({"files": index, "outcome": build.outcome}).encode()
            digest = hashlib.sha256(text).hexdigest().encode()
            (staging / "index.json").write_bytes(digest + b"\n" + text)
            shutil.rmtree(builds / key, ignore_errors=True)
            staging.replace(builds / key)
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    def _forget_oldest(self, builds: Path) -> None:
        entries = sorted(builds.iterdir(), key=lambda e: e.stat().st_mtime, reverse=True)
        for entry in entries[self.most :]:
            shutil.rmtree(entry, ignore_errors=True)


def same_content(path: Path, content: bytes) -> bool:
    """Say whether a file holds exactly these bytes."""
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False
