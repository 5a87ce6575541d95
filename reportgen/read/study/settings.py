"""Decisions as lines of a study file, to be copied as they stand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reportgen.read.study.keys import TABLES, Key
from reportgen.records.study import Decision


def setting_line(key: str, value: str) -> str:
    r"""Return a line of a study file that sets a key to a value as a decision prints it.

    Args:
        key: Key of a decision (`metric.unit`, `groups.a b.seeds`, `splits.names.eval`).
        value: What was decided; empty is no value, and gives an empty line.

    Example:
        >>> print(setting_line("metric.direction", "lower"))
        metric.direction = 'lower'
        >>> print(setting_line("groups.a b.seeds", "0, 1"))
        groups."a b".seeds = [0, 1]
        >>> print(setting_line("runs.pattern", r"(?P<group>.+)/(?P<seed>\d+)$"))
        runs.pattern = '(?P<group>.+)/(?P<seed>\d+)$'
    """
    if not value:
        return ""
    if key == "logs.tables":
        return f"{key} = [{value}]"
    table, name = _split(key)
    if table == ("adapter",):
        return f"adapter = [{{{name} = {_text(_unquoted(value))}}}]"
    dotted = ".".join(bare_key(part) for part in (*table, name))
    return f"{dotted} = {_written(_kind(table, name), value)}"


def describe_decision(decision: Decision) -> dict[str, Any]:
    """Return a decision with plain values, and with the lines that set it or answer it.

    Keys: `key, value, reason, alternatives, asks`; `setting`, the line that states the value;
    `answers`, one line an alternative.
    """
    return {
        "key": decision.key,
        "value": decision.value,
        "reason": decision.reason,
        "alternatives": list(decision.alternatives),
        "asks": decision.asks,
        "setting": setting_line(decision.key, decision.value),
        "answers": [setting_line(decision.key, other) for other in decision.alternatives],
    }


def bare_key(name: str) -> str:
    """Return a name as TOML wants it as a key: in quotes where it holds more than letters."""
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _json(name)


def _split(key: str) -> tuple[tuple[str, ...], str]:
    """Part a key into its table and its name; names of groups, splits and tags may hold dots."""
    if key.startswith("groups."):
        group, _, name = key.removeprefix("groups.").rpartition(".")
        return ("groups", group), name
    for table in ("splits.names", "splits.tags", "splits.sizes"):
        if key.startswith(f"{table}."):
            return tuple(table.split(".")), key.removeprefix(f"{table}.")
    *table_parts, name = key.split(".")
    return tuple(table_parts), name


def _kind(table: tuple[str, ...], name: str) -> str:
    schema = "groups" if table[0] == "groups" else ".".join(table)
    keys: Mapping[str, Key] = TABLES[schema]
    return keys[name].kind if name in keys else "text"


def _written(kind: str, value: str) -> str:
    if kind in {"whole", "number"}:
        return value
    if kind == "wholes":
        return f"[{value}]"
    if kind == "texts":
        return "[" + ", ".join(_text(part.strip()) for part in value.split(",")) + "]"
    return _text(_unquoted(value))


def _unquoted(value: str) -> str:
    """Return a text without the quotes that some decisions are printed with."""
    if value.startswith('"'):
        try:
            return str(json.loads(value))
        except ValueError:
            return value
    return value


def _text(value: str) -> str:
    # In single quotes a backslash of a pattern stays what it is.
    literal = "'" not in value and value.isprintable()
    return f"'{value}'" if literal else _json(value)


def _json(value: str) -> str:
    # JSON leaves characters as they are that TOML forbids, or that a terminal would not show.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
