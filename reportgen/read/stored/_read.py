"""One reading of a folder: which files, how much of them, and where each value stands."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

from reportgen.read.logs import FileReader, find_files
from reportgen.read.stored._names import why_no_evidence
from reportgen.read.stored._parsers import PARSERS, TABLES, value_of
from reportgen.records.record import field, record
from reportgen.records.source import Problem
from reportgen.records.verdict import Stored

_ENVIRONMENT = "pyvenv.cfg"
"""Lies in the root of a virtual environment."""

_SCHEMAS = {"schema": "reportgen-", "$schema": "http"}
"""Keys of JSON that reportgen wrote, or that describes JSON, and how their texts begin."""


@record
class Limits:
    """How much is read of strangers' files.

    Attributes:
        size: Bytes of one file.
        files: Files, those in the fewest folders first.
        depth: Objects and lists inside each other.
        values: Values of one file; one that holds more is a set of data.
        total: Values of all files.
        text: Letters of a text.
    """

    size: int = 4 << 20
    files: int = 2_000
    depth: int = 20
    values: int = 20_000
    total: int = 200_000
    text: int = 120


@record
class Taken:
    """What has been read as logs, and need not be read again.

    Attributes:
        files: POSIX paths below the folder.
        values: Numbers that were read of them.
    """

    files: Collection[str] = frozenset()
    values: Collection[float] = frozenset()


def read_stored(
    folder: Path,
    *,
    taken: Taken | None = None,
    limits: Limits | None = None,
    keep: Callable[[str], bool] | None = None,
    within: Collection[str] | None = None,
) -> tuple[tuple[Stored, ...], tuple[Problem, ...]]:
    r"""Return every value of JSON, YAML, TOML and tables below a folder, or of one file.

    Numbers are floats, also those in quotes; texts of several lines or many letters, numbers
    that are not finite and nothing at all are left out. Keys of a table are the texts that each
    row begins with, where no two rows begin alike, else the row's number from 0, and the column.

    Args:
        folder: Folder, or a single file.
        taken: What was read as logs: of these files tables are left out, and lists of which the
            logs hold most numbers.
        limits: How much is read.
        keep: Which names below the folder are of use; all without it.
        within: Patterns of the folders in the folder that are entered; all without it.

    Returns:
        The values in order of path and place, and what could not be read.

    Raises:
        EvidenceError: There is no such folder.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as name:
        ...     text = '{"test": {"f1": 0.9}, "notes": null, "classes": ["ham", "spam"]}'
        ...     _ = (Path(name) / "results.json").write_text(text, encoding="utf-8")
        ...     _ = (Path(name) / "table.csv").write_text("model,acc\nbert,81.2\n")
        ...     values, problems = read_stored(Path(name))
        >>> [("/".join(one.keys), one.value) for one in values]
        [('test/f1', 0.9), ('classes/0', 'ham'), ('classes/1', 'spam'), ('bert/acc', 81.2)]
    """
    taken, limits = taken or Taken(), limits or Limits()
    walked = find_files(folder, within)
    reading = _Reading(limits=limits, taken=taken, problems=list(walked.problems))
    files = [*_of_use(walked.files, folder, keep, reading.problems)]
    # Names are in order; a stable sort keeps it among those in as many folders.
    files.sort(key=lambda file: file[1].count("/"))
    if len(files) > limits.files:
        reading.say(".", f"{len(files) - limits.files} files of values were left out: too many")
    found = {name: reading.values_of(path, name) for path, name in files[: limits.files]}
    ordered = sorted(found, key=lambda name: name.split("/"))
    reading.tell_data()
    return tuple(one for name in ordered for one in found[name]), tuple(reading.problems)


def may_hold_values(name: str) -> bool:
    """Tell by its name whether a file may hold values that count as evidence.

    Example:
        >>> [may_hold_values(name) for name in ("a/results.json", "a/truth.json", "a/notes.md")]
        [True, False, False]
    """
    return _suffix_of(name) in PARSERS and not why_no_evidence(name)


def _suffix_of(name: str) -> str:
    return Path(name).suffix.lower()


def _of_use(
    files: Sequence[tuple[Path, str]],
    folder: Path,
    keep: Callable[[str], bool] | None,
    problems: list[Problem],
) -> Iterator[tuple[Path, str]]:
    """Yield the files that may hold values and lie in the folder in truth."""
    inside = os.path.realpath(folder)
    apart = {name.removesuffix(_ENVIRONMENT) for _, name in files if name.endswith(_ENVIRONMENT)}
    for path, name in files:
        if (
            not may_hold_values(name)
            or (keep and not keep(name))
            or name.startswith(tuple(apart - {""}))
        ):
            continue
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside):
            message = "a link to a file outside the folder that was given; not read as evidence"
            problems.append(Problem(path=name, message=message, level="note"))
        else:
            yield path, name


@record(frozen=False)
class _Reading:
    """One reading of a folder.

    Attributes:
        used: Values so far.
        data: Files that hold more values than results do.
    """

    limits: Limits
    taken: Taken
    problems: list[Problem]
    used: int = 0
    data: list[str] = field(default_factory=list)

    def values_of(self, path: Path, name: str) -> list[Stored]:
        """Return the values of a file, none where it is too large or of another kind."""
        suffix = _suffix_of(name)
        if suffix in TABLES and name in self.taken.files:
            return []
        content = self._content(path, name)
        if not content:
            return []
        found, problem = PARSERS[suffix](content, name)
        if problem:
            self.say(name, problem.message, problem.remedy)
        if _is_own(found):
            return []
        if name in self.taken.files and suffix == ".json":
            found = self._left_of(found, self.limits.depth)
        values = [*islice(self._flat(found, name), self.limits.values + 1)]
        if len(values) > self.limits.values:
            self.data.append(name)
            return []
        if self.used + len(values) > self.limits.total:
            self.say(name, f"left out: more than {self.limits.total} values were read before it")
            return []
        self.used += len(values)
        return [one for one in values if one is not None]

    def _content(self, path: Path, name: str) -> bytes:
        """Return what a file holds; nothing where it is larger than results are."""
        reader = FileReader(path, hashed=False)
        parts: list[bytes] = []
        left = self.limits.size
        for chunk in reader.chunks():
            parts.append(chunk)
            left -= len(chunk)
            if left < 0:
                self.data.append(name)
                return b""
        if reader.problem:
            self.say(name, reader.problem, reader.remedy)
            return b""
        return b"".join(parts)

    def _left_of(self, found: object, depth: int) -> object:
        """Return what a file of logs holds without the lists whose numbers the logs hold."""
        if isinstance(found, dict) and depth:
            return {key: self._left_of(one, depth - 1) for key, one in found.items()}
        if isinstance(found, list):
            limit = self.limits.values
            numbers = [float(one) for one in islice(_numbers_in(found), limit)]
            held = sum(one in self.taken.values for one in numbers)
            return None if numbers and 2 * held >= len(numbers) else found
        return found

    def _flat(self, found: object, name: str) -> Iterator[Stored | None]:
        """Yield every value with its keys, None for what is none, so that all of it counts."""
        open_: list[tuple[tuple[str, ...], object]] = [((), found)]
        cut = False
        while open_:
            keys, one = open_.pop()
            if not isinstance(one, dict | list):
                value = value_of(one, self.limits.text)
                yield None if value is None else Stored(path=name, keys=keys, value=value)
            elif len(keys) >= self.limits.depth:
                cut = True
                yield None
            else:
                yield None
                pairs = one.items() if isinstance(one, dict) else enumerate(one)
                inside = [((*keys, str(key)), below) for key, below in pairs]
                open_ += reversed(inside)
        if cut:
            self.say(name, f"what is nested deeper than {self.limits.depth} was left out")

    def tell_data(self) -> None:
        """Say once which files hold more than results do."""
        if self.data:
            names = ", ".join(sorted(self.data)[:3])
            more = f" and {len(self.data) - 3} more" if len(self.data) > 3 else ""
            self.say(".", f"sets of data, not evidence for their size: {names}{more}")

    def say(self, name: str, message: str, remedy: str = "") -> None:
        """Keep a note."""
        self.problems.append(Problem(path=name, message=message, remedy=remedy, level="note"))


def _is_own(found: object) -> bool:
    """Tell whether reportgen wrote a file, or it is the schema of one."""
    return isinstance(found, dict) and any(
        str(found.get(key, "")).startswith(begin) for key, begin in _SCHEMAS.items()
    )


def _numbers_in(found: object) -> Iterator[float]:
    open_ = [found]
    while open_:
        one = open_.pop()
        if isinstance(one, dict | list):
            open_ += one.values() if isinstance(one, dict) else one
        elif isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < 1e300:
            yield one
