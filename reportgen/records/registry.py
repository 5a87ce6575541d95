"""Lazy tables of plug-ins: a name, where its code lives, and what it is for.

A package of plug-ins holds one table. Nothing is imported before it is asked for, so
that a table can be read on the cold path. Other installed packages add to a table that has a group
of entry points: what they bring is looked for where an own name does not answer.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from operator import attrgetter
from typing import Any

from reportgen.records.errors import ReportgenError, UnknownNameError, UsageError
from reportgen.records.record import record
from reportgen.records.rows import read_data


@record(kw_only=False)
class Entry:
    """One line of a table.

    Attributes:
        target: `"package.module:object"`, imported on first use.
        about: One line for `--help` and the reference.
        match: File-name patterns (as in `fnmatch`) or model types the plug-in answers to; of a
            loader, a pattern with a slash is held against the end of the whole path.
    """

    target: str
    about: str
    match: tuple[str, ...] = ()


@cache
def entries_of_others(group: str) -> Mapping[str, Entry]:
    """Return what other installed packages bring under a group of entry points, by name.

    Example:
        >>> dict(entries_of_others("reportgen.nothing"))
        {}
    """
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=group), key=lambda entry: entry.name)
    return {
        entry.name: Entry(
            f"{entry.module}:{entry.attr}", f"package {entry.dist.name if entry.dist else '?'}"
        )
        for entry in found
    }


class Registry(Mapping[str, Entry]):
    """A read-only table `name -> Entry` that imports an entry only when it is got.

    Args:
        kind: What an entry is, for errors.
        package: Where the own ones lie.
        rows: A line for each own one: its name, which is never another package's, `module:name`,
            and in words what it is for; behind a bar, file patterns. Lines that are set in go on.
        group: Entry points by which other packages bring more, `reportgen.TABLE`; none if empty.

    Example:
        >>> table = Registry("reader", "json", "json decoder:JSONDecoder reads JSON | *.json")
        >>> table["json"].about, table["json"].match, table.load("json").__name__
        ('reads JSON', ('*.json',), 'JSONDecoder')
        >>> table.load("jsn")
        Traceback (most recent call last):
        ...
        reportgen.records.errors.UnknownNameError: no reader is called 'jsn'; did you mean 'json'?
          remedy: choose one of: json
    """

    def __init__(self, kind: str, package: str = "", rows: str = "", *, group: str = "") -> None:
        self.kind = kind
        told = rows.replace("\n  ", " ").split("\n")
        self._entries = dict(_row(package, line) for line in told if line)
        self._group = group

    @property
    def brought(self) -> Mapping[str, Entry]:
        """Entries of other packages, by name."""
        others = entries_of_others(self._group) if self._group else {}
        return {name: entry for name, entry in others.items() if name not in self._entries}

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def load(self, name: str) -> Any:
        """Import and return what `name` stands for.

        Raises:
            UnknownNameError: No entry has this name; the nearest ones are named.
            UsageError: What another package brings under it cannot be imported; a function of
                theirs that fails later raises it too.
        """
        entry = self._entries.get(name)
        if entry is None and name in self.brought:
            return self._foreign(name)
        if entry is None:
            import difflib

            near = difflib.get_close_matches(name, self._entries, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UnknownNameError(
                f"no {self.kind} is called {name!r}{hint}",
                remedy=f"choose one of: {', '.join(sorted(self._entries))}",
            )
        return _imported(entry)

    def fault_of(self, name: str, fault: str) -> UsageError:
        """Return the error of what another package brings: what it is, of which, and its fault."""
        return UsageError(
            f"the {self.kind} {name!r} of the {self.brought[name].about} {fault}",
            remedy="mend or uninstall that package",
        )

    def _foreign(self, name: str) -> Any:
        """Return what another package brings; a fault in it is told as that package's."""

        def guarded(function: Callable[..., Any], *args: Any) -> Any:
            try:
                return function(*args)
            except ReportgenError:
                raise
            except (Exception, SystemExit) as fault:
                raise self.fault_of(name, f"fails: {type(fault).__name__}: {fault}") from fault

        found = guarded(_imported, self.brought[name])
        return partial(guarded, found) if callable(found) else found


def _row(package: str, line: str) -> tuple[str, Entry]:
    """Return the name and the entry of a row."""
    name, target, told = line.split(" ", 2)
    about, _, match = told.partition(" | ")
    return name, Entry(f"{package}.{target}", about, tuple(match.split()))


def _imported(entry: Entry) -> Any:
    module, _, attribute = entry.target.partition(":")
    return attrgetter(attribute)(importlib.import_module(module))


def lazy_names(package: str) -> Callable[[str], object]:
    """Return the `__getattr__` of a package that imports its names when they are asked for.

    They are those that its `__init__` imports for type checkers from its own modules.

    Example:
        >>> lazy_names("reportgen.checking")("review").__name__
        'review'
    """

    @cache
    def homes() -> dict[str, str]:
        found: dict[str, str] = {}
        for part in read_data(package, "__init__.py").split("\n    from ")[1:]:
            home, _, told = part.partition(" import ")
            names = told[1:].partition(")")[0] if told[0] == "(" else told.partition("\n")[0]
            if home.startswith(f"{package}."):
                found.update(dict.fromkeys(names.replace(",", " ").split(), home))
        return found

    def get(name: str) -> object:
        if home := homes().get(name):
            return getattr(importlib.import_module(home), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get
