"""The table of sources: which files hold rows, how they are cut, and what their columns are.

A source is a row of `sources.toml`. Other packages add theirs by the entry point group
`reportgen.sources`: an object `LogSource`, or several in a tuple (docs/how-to/packages.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from reportgen.read.logs import LOADERS
from reportgen.records.record import field, record
from reportgen.records.registry import Registry

ENTRY_POINTS = "reportgen.sources"
TESTED = "tested"
"""The cut of files of what was best, of which what was tested is a result."""

_TABLE = Path(__file__).with_suffix(".toml")


@record
class LogSource:
    """A kind of file with rows.

    Attributes:
        name: What it is called.
        about: One line for the reference.
        kind: Which loader opens it.
        cut: How it is cut into rows: a name of the table of cutters of that loader.
        match: Patterns of its path; empty fits every file of the loader.
        look: Columns or keys that it holds, or words that stand on a console, each of them.
        program: Program that writes it, empty where many do.
        under: Key that holds its rows, or its numbers.
        step: Columns of the step that go before those of other names.
        dropped: Beginnings of columns that hold no points.
        settings: Keys whose content is settings.
        trained: Keys of which rows of training have one, and those of validation have none.
        tags: Column to tag, where they differ, `column.2` of a list; on a console, label to split.
        queries: Of a database, its queries: points, settings, directions, texts, results, ends.
        remedy: What to do where several values of a tag have one step.
        ends: What a program prints when training is over, whether at the last step or early; `*`
            is any text.
    """

    name: str
    about: str
    kind: str
    cut: str
    match: tuple[str, ...] = ()
    look: tuple[str, ...] = ()
    program: str = ""
    under: str = ""
    step: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    trained: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    queries: Mapping[str, str] = field(default_factory=dict)
    remedy: str = "log each step once"
    ends: tuple[str, ...] = ()

    def fits(self, path: str) -> bool:
        """Tell whether a file may be of this kind by its path."""
        return not self.match or any(fnmatchcase(f"/{path}", f"*/{one}") for one in self.match)


@cache
def all_sources() -> tuple[LogSource, ...]:
    """Return the sources that other packages bring, and those of this one."""
    others = Registry("source of logs", group=ENTRY_POINTS)
    brought = [one for name in others.brought for one in _brought(others, name)]
    return (*brought, *own_sources())


@cache
def own_sources() -> tuple[LogSource, ...]:
    """Return the sources of this package."""
    return tuple(read_sources(_TABLE.read_text("utf-8")))


def read_sources(text: str) -> Iterator[LogSource]:
    """Yield the sources of a table.

    Raises:
        TypeError: A row has a key that no source has, or lacks one.
    """
    import tomllib

    for kind, rows in tomllib.loads(text).items():
        for row in rows:
            cells: Any = {key: tuple(v) if isinstance(v, list) else v for key, v in row.items()}
            try:
                yield LogSource(kind=kind, **cells)
            except TypeError as fault:
                raise TypeError(f"{_TABLE.name}, {row.get('name', row)}: {fault}") from None


def _brought(others: Registry, name: str) -> tuple[LogSource, ...]:
    """Return the sources that another package brings under a name.

    Raises:
        UsageError: They cannot be loaded, or are none.
    """
    loaded = others.load(name)
    found = loaded if isinstance(loaded, tuple) else (loaded,)
    fault = ""
    if not all(isinstance(one, LogSource) for one in found):
        fault = "is no LogSource, and no tuple of them"
    elif strange := [one.kind for one in found if one.kind not in LOADERS]:
        fault = f"is of kind {strange[0]!r}, which no loader opens"
    if fault:
        raise others.fault_of(name, fault)
    return found


def loader_by_source(name: str) -> str:
    """Return which loader opens a file whose name only a source knows; empty where none does."""
    return next((k for pattern, k in _named() if fnmatchcase(f"/{name}", f"*/{pattern}")), "")


@cache
def _named() -> tuple[tuple[str, str], ...]:
    """Return the patterns of sources that no loader has, each with the loader of its source."""
    known = {pattern for entry in LOADERS.values() for pattern in entry.match}
    return tuple(
        (pattern, one.kind)
        for one in all_sources()
        if one.kind in LOADERS
        for pattern in one.match
        if not any(fnmatchcase(pattern, other) for other in known)
    )


def sources_of(kind: str, cut: str = "", path: str = "") -> tuple[LogSource, ...]:
    """Return the sources of a loader that a file may be of, in order."""
    return tuple(
        one
        for one in all_sources()
        if one.kind == kind and cut in {"", one.cut} and (not path or one.fits(path))
    )
