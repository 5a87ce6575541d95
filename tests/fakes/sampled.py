"""What a file is, and what is read of it: a row of the specification of sources."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Case(NamedTuple):
    """A file, and what is read of it.

    Attributes:
        about: Program, and version where its own writer made the sample.
        read: (run, session) to tag to (clock, points).
    """

    about: str
    path: str
    content: bytes
    read: dict[tuple[str, int], dict[str, tuple[str, list[tuple[int, float]]]]]
    program: str = ""
    results: Mapping[str, float] = MappingProxyType({})
    config: Mapping[str, object] = MappingProxyType({})


def one(**tags: list[tuple[int, float]]) -> dict[tuple[str, int], dict[str, object]]:
    """Return what is read of a file with one run and session, dots in names for slashes."""
    return {("", 0): {tag.replace("__", "/"): ("", points) for tag, points in tags.items()}}


ONE, TWO = ("", 0), ("", 1)
