"""What was read in a text once, kept while its report is read: several finders ask for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_MOST = 16_384
"""Texts of the largest report that is read once; of a larger one some are read again."""
_FORGET: list[Callable[[], None]] = []


def kept(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Return a function that reads every text once a report.

    What it returns must not be changed.

    Args:
        function: One whose result depends on nothing but its arguments.

    Example:
        >>> @kept
        ... def words(text: str) -> tuple[str, ...]:
        ...     print("reads")
        ...     return tuple(text.split())
        >>> words("a b"), words("a b")
        reads
        (('a', 'b'), ('a', 'b'))
        >>> forget()
        >>> words("a b")
        reads
        ('a', 'b')
    """
    remembering = lru_cache(maxsize=_MOST)(function)
    _FORGET.append(remembering.cache_clear)
    return cast("Callable[_Arguments, _Result]", remembering)


def forget() -> None:
    """Let go of all that was read, so that one report's texts do not outlive it."""
    for clear in _FORGET:
        clear()
