"""The messages of a package by code: rows of a table beside its modules."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from reportgen.records.rows import read_rows

FILE = "messages.ini"
_METRIC = "metric"
_NOUNS = frozenset({"split", "select", "unit", "test"})
"""Places that hold nouns of the field, which are said in the language of the report."""


class MessageRows:
    """The table of messages of a package, read when the first of them is said.

    Beside the text of `code` may stand that of `code.bare`, without a split, the `code.remedy` and
    the `code.level` of a problem. What stands at `{metric}` and at places of nouns is said as such.

    Example:
        >>> rows = MessageRows("reportgen.runs")
        >>> rows("better_higher", metric="mean_iou"), rows("some_runs", n=3)
        ('mIoU is better when higher', '3 runs')
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._remembered = lru_cache(maxsize=1 << 12)(self._said)

    @cached_property
    def rows(self) -> dict[str, str]:
        """Code to text."""
        return read_rows(self._package, FILE)[""]

    def __call__(self, code: str, /, **places: Any) -> str:
        """Return a message in English that remembers its places; without any, they stay open."""
        # A message that stands in a place is equal to its text, whatever it remembers.
        plain = all(type(value) in (str, int) for value in places.values())
        return (self._remembered if plain else self._said)(code, **places)

    def _said(self, code: str, /, **places: Any) -> str:
        from reportgen.languages import message, metric_later, noun_later

        said = dict(places)
        for name, value in places.items():
            if type(value) is str and name in _NOUNS:
                said[name] = noun_later(value)
            elif type(value) is str and name == _METRIC:
                said[name] = metric_later(value)
        return message(self.rows[code], **said)

    def of_split(self, code: str, metric: str, split: str, **places: Any) -> str:
        """Return what is said of a metric on a split, which may have no name."""
        bare = f"{code}.bare"
        code = bare if not split and bare in self.rows else code
        return self(code, metric=metric, split=split, **places)

    def counted(self, one: str, many: str, n: int, **places: Any) -> str:
        """Return the one or the other message, as a count asks for."""
        return self(one if n == 1 else many, n=n, **places)
