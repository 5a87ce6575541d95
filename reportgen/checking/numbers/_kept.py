"""What was read in a text once, kept while its report is read: several finders ask for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Subject = TypeVar("_Subject")
_MOST = 16_384
"""Texts of the largest report that is read once; of a larger one some are read again."""
_MOST_REPORTS = 16
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


def kept_of(
    function: Callable[Concatenate[_Subject, _Arguments], _Result],
) -> Callable[Concatenate[_Subject, _Arguments], _Result]:
    """Return a function that works out once what it tells of a report.

    The report is known by being the same one: to compare two would take as long as to read them.

    Args:
        function: One whose result depends on nothing but its arguments, which it does not change.

    Example:
        >>> @kept_of
        ... def size(words: list[str]) -> int:
        ...     print("counts")
        ...     return len(words)
        >>> words = ["a", "b"]
        >>> size(words), size(words), size(["a", "b"])
        counts
        counts
        (2, 2, 2)
    """
    remembered: dict[tuple[int, object], tuple[_Subject, _Result]] = {}
    _FORGET.append(remembered.clear)

    @wraps(function)
    def remembering(
        subject: _Subject, /, *arguments: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Result:
        key = (id(subject), (arguments, tuple(sorted(named.items()))))
        if key not in remembered:
            if len(remembered) >= _MOST_REPORTS:
                remembered.clear()
            # The report is kept along, so that no other one can come by its identity.
            remembered[key] = (subject, function(subject, *arguments, **named))
        return remembered[key][1]

    return remembering


def forget() -> None:
    """Let go of all that was read, so that one report's texts do not outlive it."""
    for clear in _FORGET:
        clear()
