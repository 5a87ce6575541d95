"""Ids of reports by earlier versions, in which a run or file was named by its place in a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reportgen.report._number_ids import keys_of

_RUN = re.compile(r"(reproducibility\.run)\.(\d+)\.\w+")
_FILE = re.compile(r"(reproducibility\.file)\.(\d+)\.size")
_CELL = re.compile(r"((?:best_step|huggingface)\..+)\.run(\d+)\..+")


def renamed(numbers: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every number with the id it has by now, in order.

    Which run or file stood at a place, the evidence of the numbers there tells. A number whose
    place tells nothing keeps its id, and so does one of a report of today.

    Example:
        >>> old = {"id": "reproducibility.run.0.points", "evidence": [{"run": "logs/a"}]}
        >>> [number["id"] for number in renamed([old])]
        ['reproducibility.run.logs_a.points']
    """
    listed = list(numbers)
    names: dict[str, str] = {}
    for pattern, what, empty, join in (
        (_RUN, "run", "run", "."),
        (_FILE, "path", "file", "."),
        (_CELL, "run", "run", ".run-"),
    ):
        names |= _names(listed, pattern, what, empty, join)
    for number in listed:
        name = str(number["id"])
        start = next((place for place in _places(name) if place in names), "")
        yield {**number, "id": names[start] + name[len(start) :] if start else name}


def _names(
    numbers: Iterable[Mapping[str, Any]], pattern: re.Pattern[str], what: str, empty: str, join: str
) -> dict[str, str]:
    """Return the starts of ids that name a place, and the starts that name what stood there."""
    found: dict[str, tuple[str, str]] = {}
    for number in numbers:
        if (match := pattern.fullmatch(str(number["id"]))) is None:
            continue
        told = {e.get(what) for e in number.get("evidence") or [] if isinstance(e, dict)} - {
            "",
            None,
        }
        if len(told) == 1:
            found.setdefault(number["id"][: match.end(2)], (match[1], str(told.pop())))
    named: dict[str, str] = {}
    for stem in {stem for stem, _ in found.values()}:
        keys = keys_of((name for its, name in found.values() if its == stem), empty)
        named |= {p: f"{s}{join}{keys[name]}" for p, (s, name) in found.items() if s == stem}
    return named


def _places(name: str) -> Iterator[str]:
    """Yield the start of an id up to the place it names, where it names one."""
    for pattern in (_RUN, _FILE, _CELL):
        if match := pattern.fullmatch(name):
            yield name[: match.end(2)]
