"""Values that programs and people keep beside a report: JSON, YAML, TOML and tables.

They are no logs, but a report may take its numbers from them: results of a test, settings, a
model's configuration. Every value is returned with its place in the file. What an answer looks
like, and what says nothing of a training, is told by names.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from reportgen.read.logs import FileReader, Sheet, find_files, parse_json, parse_yaml
from reportgen.records.record import field, record
from reportgen.records.source import Problem
from reportgen.records.verdict import Stored

# One reading of a folder: which files, how much of them, and where each value stands.

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
        values: Values of one file; one that holds more is a set of data, but for its short lists.
        short: Members of a list that is read of such a file.
        total: Values of all files.
        text: Letters of a text.
    """

    size: int = 4 << 20
    files: int = 2_000
    depth: int = 20
    values: int = 20_000
    short: int = 100
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
        for longest in (math.inf, self.limits.short):
            values = [*islice(self._flat(found, name, longest), self.limits.values + 1)]
            if len(values) <= self.limits.values:
                break
            self.data.append(name)
        else:
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

    def _flat(self, found: object, name: str, longest: float) -> Iterator[Stored | None]:
        """Yield every value with its keys, None for what is none, so that all of it counts.

        Lists of more members than the longest are left out.
        """
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
                if isinstance(one, list) and len(one) > longest:
                    continue
                pairs = one.items() if isinstance(one, dict) else enumerate(one)
                inside = [((*keys, str(key)), below) for key, below in pairs]
                open_ += reversed(inside)
        if cut:
            self.say(name, f"what is nested deeper than {self.limits.depth} was left out")

    def tell_data(self) -> None:
        """Say once which files hold more than results do."""
        if self.data:
            data = sorted({*self.data})
            names = ", ".join(data[:3])
            more = f" and {len(data) - 3} more" if len(data) > 3 else ""
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


def value_of(one: object, longest: int) -> float | str | bool | None:
    """Return a value as it is stored; None for one that says nothing."""
    if isinstance(one, bool):
        return one
    if isinstance(one, str):
        text = one.strip()
        if not text or len(text) > longest or not text.isprintable():
            return None
        # What Python alone takes for a number is none.
        number = None if "_" in text or not text.isascii() else _number(text)
        return text if number is None else number if math.isfinite(number) else None
    if isinstance(one, int | float):
        number = _number(one)
        return number if number is not None and math.isfinite(number) else None
    return None


def _number(one: str | float) -> float | None:
    try:
        return float(one)
    except (ValueError, OverflowError):
        return None


def _json(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Read one object, or else one in each line, as many programs call that JSON too."""
    found, problem = parse_json(content, name)
    lines = content.lstrip().splitlines()[:2] if problem else []
    return _lines(content, name) if len(lines) == 2 and lines[0][-1:] == b"}" else (found, problem)


def _lines(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Read an object a line; the first line that holds none is told."""
    lines = [line for line in content.splitlines() if line.strip()]
    read = [parse_json(line, name) for line in lines]
    unread = [number for number, (_, problem) in enumerate(read, 1) if problem]
    message = (
        f"{len(unread)} lines are no JSON, the first of them line {unread[0]}" if unread else ""
    )
    problem = Problem(path=name, message=message) if unread else None
    return [found for found, fault in read if not fault], problem


def _toml(content: bytes, name: str) -> tuple[object, Problem | None]:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8")), None
    except (ValueError, RecursionError) as error:
        return None, Problem(path=name, message=f"not valid TOML: {error}; not read")


def _table(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Return a table as an object a row, under what each row begins with or its number."""
    sheet = Sheet(content=content, path=name)
    rows = [cut.cells for cut in sheet.rows() if cut.cells is not None]
    columns = [column for column in sheet.header if column]
    if rows and all(_is_number(column) for column in columns):
        return None, Problem(path=name, message="a table whose columns have no names; not read")
    leading = _leading(columns, rows)
    labels = [tuple(str(row.get(key, "")).strip() for key in leading) for row in rows]
    told = bool(leading) and len(set(labels)) == len(labels) and all(all(one) for one in labels)
    found: dict[str, object] = {}
    for number, (label, row) in enumerate(zip(labels, rows, strict=True)):
        own = {key: cell for key, cell in row.items() if key and not (told and key in leading)}
        inner = found
        for part in label[:-1] if told else ():
            inner = inner.setdefault(part, {})  # type: ignore[assignment]
        inner[label[-1] if told else str(number)] = own
    return found, None


_PAIR = re.compile(
    r"([^\W\d_][\w ./@()%-]{0,40}?)\s{0,3}[:=]\s{0,3}"
    r"([-+]?\d[\d.]{0,20}(?:e[-+]?\d+)?)(?![\w:])"
)
_FEWEST, _MOST_LINES = 3, 20_000


def _text(content: bytes, _: str) -> tuple[object, Problem | None]:
    """Return the named numbers of a program's output, an object a line (`Test Loss: 0.8031`)."""
    found = []
    for line in content.decode("utf-8", "replace").splitlines()[-_MOST_LINES:]:
        pairs = {key.strip(): float(text) for key, text in _pairs(line[:1000])}
        if pairs:
            found.append(pairs)
    return (found if sum(map(len, found)) >= _FEWEST else None), None


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    for match in _PAIR.finditer(line):
        if _is_number(match[2]):
            yield match[1], match[2]


def _leading(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> list[str]:
    """Return the columns of texts that stand before the first one with a number."""
    told = []
    rows = [*rows]
    for column in columns:
        cells = [str(row.get(column, "")) for row in rows]
        if not rows or any(map(_is_number, cells)):
            break
        told.append(column)
    return told


def _is_number(text: str) -> bool:
    return isinstance(value_of(text, 40), float)


PARSERS: Mapping[str, Callable[[bytes, str], tuple[object, Problem | None]]] = {
    ".json": _json,
    ".jsonl": _lines,
    ".ndjson": _lines,
    ".yaml": parse_yaml,
    ".yml": parse_yaml,
    ".toml": _toml,
    ".csv": _table,
    ".tsv": _table,
    ".log": _text,
    ".out": _text,
    ".txt": _text,
}
TABLES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".log", ".out", ".txt"})


NOT_EVIDENCE: Mapping[str, tuple[str, ...]] = {
    "answers that a report is graded by": (
        "truth*", "answer*", "expected*", "solution*", "key.json", "keys.json", "key[_-]*.json",
        "labels*", "rubric*",
    ),
    "written by reportgen": (
        "report.json", "findings*.json", "class.csv", "classroom.json", "annotations*",
        "gl-code-quality-report.json", "study.toml",
    ),
    "a tokenizer": (
        "tokenizer*", "vocab*", "merges*", "special_tokens_map.json", "added_tokens.json",
        "*.tiktoken",
    ),
    "predictions, one an example": ("predictions*", "*_predictions.*", "preds*", "submission*.csv"),
    "texts for people": (
        "readme*", "license*", "requirements*", "notes*", "changelog*", "todo*", "robots.txt",
        "cmakelists.txt", "classes.txt", "names.txt",
    ),
    "names and shapes of tensors": ("tensors.json", "*.tensors.json", "*.index.json"),
    "of a program, not of a training": (
        "package.json", "package-lock.json", "tsconfig*", "*.schema.json", "pyproject.toml",
        "poetry.toml", "cargo.toml", "composer.json", "environment.y*ml", "conda*.y*ml",
        "docker-compose*", "mkdocs.y*ml", "_config.y*ml", "_quarto.y*ml", "book.toml",
        "ruff.toml", "netlify.toml", "devcontainer.json",
    ),
}  # fmt: skip
"""Names of files, in small letters, that a report is not held against, and why."""


def why_no_evidence(name: str) -> str:
    """Return why a file is no evidence by its name alone; empty where it may be.

    Example:
        >>> why_no_evidence("lab/truth.json"), why_no_evidence("lab/results.json")
        ('answers that a report is graded by', '')
    """
    base = name.rpartition("/")[2].lower()
    for why, patterns in NOT_EVIDENCE.items():
        if any(fnmatchcase(base, pattern) for pattern in patterns):
            return why
    return ""


__all__ = ["Limits", "Taken", "may_hold_values", "read_stored", "why_no_evidence"]
