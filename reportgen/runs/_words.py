"""Words that several decisions and problems about runs have in common."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from reportgen.languages import message, metric_later

SEMICOLON, COMMA = message("{one}; {other}"), message("{one}, {other}")


def joined(pattern: str, texts: Iterable[str]) -> str:
    """Return several texts as one, by a pattern for two of them."""
    return reduce(lambda one, other: message(pattern, one=one, other=other), texts)


def all_of(names: Iterable[str]) -> str:
    """Return names with an "and" between them."""
    return reduce(lambda one, other: message("{first} and {last}", first=one, last=other), names)


def counted_runs(count: int) -> str:
    """Return a number of runs in words.

    Example:
        >>> counted_runs(1), counted_runs(6)
        ('1 run', '6 runs')
    """
    return message("{n} run", n=1) if count == 1 else message("{n} runs", n=count)


def named_metric(metric: str) -> str:
    """Return a metric as a place in a message, where it has a name."""
    return metric_later(metric) if metric else message("a metric")
