"""Values as strict JSON: no NaN, a stable order, whole numbers without a point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from reportgen.records.quantity import Evidence

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None


def strict(value: object) -> Json:
    """Return `value` as strict JSON: no NaN, no infinity, string keys, sets in order.

    A number that JSON cannot hold becomes its name, so that it is not lost.

    Example:
        >>> strict({"lr": float("nan"), 3: (1, 2)})
        {'lr': 'NaN', '3': [1, 2]}
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else _NOT_FINITE.get(value, "NaN")
        case Mapping():
            return {str(key): strict(item) for key, item in value.items()}
        case set() | frozenset():
            return sorted((strict(item) for item in value), key=repr)
        case Iterable():
            return [strict(item) for item in value]
        case _:
            return str(value)


_NOT_FINITE = {math.inf: "Infinity", -math.inf: "-Infinity"}


def number_value(value: float) -> Json:
    """Return a float as JSON prints it best: whole numbers without a point.

    Example:
        >>> number_value(675.0), number_value(0.806), number_value(float("inf"))
        (675, 0.806, 'Infinity')
    """
    if math.isfinite(value) and float(value).is_integer():
        return int(value)
    return strict(value)


def evidence_json(evidence: Evidence) -> dict[str, Json]:
    """Return one piece of evidence; its value stays in the log's own unit."""
    return {
        "path": evidence.path,
        "tag": evidence.tag,
        "step": evidence.step,
        "value": strict(evidence.value),
        "run": evidence.run,
    }
