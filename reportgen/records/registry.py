"""Lazy tables of plug-ins: a name, where its code lives, and what it is for.

A package of plug-ins holds one table. Nothing is imported before it is asked for, so
that a table can be read on the cold path.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from reportgen.records.errors import UnknownNameError
from reportgen.records.record import record


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


class Registry(Mapping[str, Entry]):
    """A read-only table `name -> Entry` that imports an entry only when it is got.

    Example:
        >>> table = Registry("number", {"pi": Entry("math:pi", "circle constant")})
        >>> round(table.load("pi"), 2)
        3.14
        >>> table.load("pie")
        Traceback (most recent call last):
        ...
        reportgen.records.errors.UnknownNameError: no number is called 'pie'; did you mean 'pi'?
          remedy: choose one of: pi
    """

    def __init__(self, kind: str, entries: Mapping[str, Entry]) -> None:
        self.kind = kind
        self._entries = dict(entries)

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
        """
        entry = self._entries.get(name)
        if entry is None:
            import difflib

            near = difflib.get_close_matches(name, self._entries, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UnknownNameError(
                f"no {self.kind} is called {name!r}{hint}",
                remedy=f"choose one of: {', '.join(sorted(self._entries))}",
            )
        module, _, attribute = entry.target.partition(":")
        return getattr(importlib.import_module(module), attribute)


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package that imports its names when they are asked for.

    Args:
        package: The package.
        homes: Name to the module below the package that holds it.

    Example:
        >>> lazy_names("json", {"JSONDecoder": "decoder"})("JSONDecoder").__name__
        'JSONDecoder'
    """

    def get(name: str) -> object:
        if name in homes:
            return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get
