"""The keys of study files and rubrics: one table that readers, messages and `init` share."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reportgen.languages import LANGUAGES
from reportgen.records.record import record
from reportgen.records.rubric import NOTHING_TO_CHECK, UNREADABLE, VISIBILITIES
from reportgen.records.run import SPLITS
from reportgen.records.study import DETAILS, POSITIONS


@record(kw_only=False)
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


# --- the JSON schema of study files: editors complete and check by it -------------------


SCHEMA_NAME = ".study.schema.json"
"""The file beside a study file that its first line names; hidden, so that a folder stays clear."""

SCHEMA_LINE = f"#:schema ./{SCHEMA_NAME}"
"""First line of a study file, as editors with a TOML language server read it."""

_TYPES: Mapping[str, Mapping[str, Any]] = {
    "text": {"type": "string"},
    "whole": {"type": "integer"},
    "number": {"type": "number"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "wholes": {"type": "array", "items": {"type": "integer"}},
    "pairs": {"type": "object", "additionalProperties": {"type": "string"}},
}


def study_schema() -> dict[str, Any]:
    """Return the schema of study files (JSON schema, draft 7).

    Example:
        >>> study_schema()["properties"]["metric"]["properties"]["direction"]["enum"]
        ['higher', 'lower']
    """
    top: dict[str, Any] = _object({})
    for name, keys in TABLES.items():
        *above, own = name.split(".")
        place = top
        for part in above:
            place = place["properties"].setdefault(part, _object({}))
        made = _schema_of(name, keys)
        if own in place["properties"]:  # [train] holds [train.data]
            made["properties"] |= place["properties"][own]["properties"]
        place["properties"][own] = made
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "reportgen study file"}
    return {**head, **top}


def schema_text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(study_schema(), indent=1, ensure_ascii=False) + "\n"


def _schema_of(name: str, keys: Mapping[str, Key]) -> dict[str, Any]:
    if name in {"splits.names", "splits.tags"}:
        return {"type": "object", "additionalProperties": {"enum": list(SPLITS)}}
    made = _object({key: _property(one) for key, one in keys.items()})
    if name == "groups":
        return {"type": "object", "additionalProperties": made}
    return {"type": "array", "items": made} if name in LISTED else made


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _property(key: Key) -> dict[str, Any]:
    found: dict[str, Any] = {"description": key.about, **json.loads(json.dumps(_TYPES[key.kind]))}
    if key.choices and not key.regions:
        found["enum"] = list(key.choices)
    bounded = found["items"] if key.kind == "wholes" else found
    for name, bound in (("minimum", key.low), ("maximum", key.high)):
        if bound is not None:
            bounded[name] = bound
    return found
