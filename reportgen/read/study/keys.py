"""The keys of study files and rubrics: one table that readers, messages and `init` share."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen.languages import LANGUAGES
from reportgen.records.rubric import NOTHING_TO_CHECK, UNREADABLE, VISIBILITIES
from reportgen.records.run import SPLITS
from reportgen.records.study import DETAILS, POSITIONS


@dataclass(frozen=True, slots=True)
class Key:
    """One legal key: its type, its meaning, and the values it may take.

    Attributes:
        kind: `"text"`, `"whole"`, `"number"`, `"texts"` (a list), `"wholes"` or `"pairs"`
            (a table of texts).
        about: What it does; becomes the comment that `init` writes.
        choices: Legal values of a text or a whole number; empty allows any.
        regions: Whether a choice may go on with a region, as `fr-CA` does.
        low, high: Range of a number.
    """

    kind: str
    about: str
    choices: tuple[str | int, ...] = ()
    regions: bool = False
    low: float | None = None
    high: float | None = None


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "details": DETAILS,
    "languages": tuple(LANGUAGES),
    "nothing_to_check": NOTHING_TO_CHECK,
    "positions": POSITIONS,
    "splits": SPLITS,
    "unreadable": UNREADABLE,
    "visibilities": VISIBILITIES,
}


def _key(row: dict[str, Any]) -> Key:
    """Return a key as its row states it: type = what it does, and what else there is."""
    (kind, about), *rest = row.items()
    cells = dict(rest)
    choices = cells.pop("choices", ())
    choices = _CHOICES[choices] if isinstance(choices, str) else tuple(choices)
    return Key(kind, about, choices, **cells)


def _table(rows: Mapping[str, dict[str, Any]]) -> dict[str, Key]:
    if "*" in rows:
        rows = dict.fromkeys(SPLITS, rows["*"])
    return {name: _key(row) for name, row in rows.items()}


_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
TABLES = {name: _table(rows) for name, rows in _ROWS.items() if not name.startswith("rubric")}
LISTED = frozenset({"question", "prose", "section", "logs.tables", "adapter"})
"""Tables of which a file may have several."""
RUBRIC_KEYS, LINE_KEYS = _table(_ROWS["rubric"]), _table(_ROWS["rubric.line"])
