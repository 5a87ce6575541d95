"""The JSON schema of study files, from the table of keys: editors complete and check by it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reportgen.read.study.keys import LISTED, TABLES, Key
from reportgen.records.run import SPLITS

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
        made = _table(name, keys)
        if own in place["properties"]:  # [train] holds [train.data]
            made["properties"] |= place["properties"][own]["properties"]
        place["properties"][own] = made
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "reportgen study file"}
    return {**head, **top}


def schema_text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(study_schema(), indent=1, ensure_ascii=False) + "\n"


def _table(name: str, keys: Mapping[str, Key]) -> dict[str, Any]:
    if name in {"splits.names", "splits.tags"}:
        return {"type": "object", "additionalProperties": {"enum": list(SPLITS)}}
    made = _object({key: _key(one) for key, one in keys.items()})
    if name == "groups":
        return {"type": "object", "additionalProperties": made}
    return {"type": "array", "items": made} if name in LISTED else made


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _key(key: Key) -> dict[str, Any]:
    found: dict[str, Any] = {"description": key.about, **json.loads(json.dumps(_TYPES[key.kind]))}
    if key.choices and not key.regions:
        found["enum"] = list(key.choices)
    bounded = found["items"] if key.kind == "wholes" else found
    for name, bound in (("minimum", key.low), ("maximum", key.high)):
        if bound is not None:
            bounded[name] = bound
    return found
