"""The messages of a package by code: rows of a table beside its modules."""

from __future__ import annotations

import pkgutil
from functools import cached_property
from typing import Any

FILE = "messages.toml"
_METRIC = "metric"
_NOUNS = frozenset({"split", "select", "other_split", "unit", "test"})
"""Places that hold nouns of the field, which are said in the language of the report."""


class MessageRows:
    """The table of messages of a package, read when the first of them is said.

    A row is a text, a pair of texts of which the first says no split, or a table with `text`,
    `remedy` and `level`. What stands at `{metric}` and at places of nouns is said as such.

    Example:
        >>> rows = MessageRows("reportgen.runs")
        >>> rows("better", metric="mean_iou", way="higher"), rows("some_runs", n=3)
        ('mIoU is better when higher', '3 runs')
    """

    def __init__(self, package: str) -> None:
        self._package = package

    @cached_property
    def rows(self) -> dict[str, Any]:
        """Code to row."""
        import tomllib

        return tomllib.loads((pkgutil.get_data(self._package, FILE) or b"").decode("utf-8"))

    def __call__(self, code: str, /, **places: Any) -> str:
        """Return a message in English that remembers its places; without any, they stay open."""
        row = self.rows[code]
        return _filled(row if isinstance(row, str) else row["text"], places)

    def of_split(self, code: str, metric: str, split: str, **places: Any) -> str:
        """Return what is said of a metric on a split, which may have no name."""
        row = self.rows[code]
        text = row if isinstance(row, str) else row[1 if split else 0]
        return _filled(text, {"metric": metric, "split": split, **places})

    def remedy(self, code: str, /, **places: Any) -> str:
        """Return the remedy of a problem, empty where it has none."""
        row = self.rows[code]
        text = "" if isinstance(row, str) else row.get("remedy", "")
        return _filled(text, places) if text else ""

    def counted(self, one: str, many: str, n: int, **places: Any) -> str:
        """Return the one or the other message, as a count asks for."""
        return self(one if n == 1 else many, n=n, **places)


def _filled(text: str, places: dict[str, Any]) -> str:
    from reportgen.languages import message, metric_later, noun_later

    said = dict(places)
    for name, value in places.items():
        if type(value) is str and name in _NOUNS:
            said[name] = noun_later(value)
        elif type(value) is str and name == _METRIC:
            said[name] = metric_later(value)
    return message(text, **said)
