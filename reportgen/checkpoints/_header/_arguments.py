"""The training arguments that a checkpoint carries, as plain values under flat names."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

from reportgen.checkpoints._header._machine import Name, Record, Table
from reportgen.checkpoints._header._walk import table_of

# fairseq: Namespace, then one with sections; Lightning; and what many scripts write themselves.
KEYS = ("args", "cfg", "hyper_parameters", "config", "hparams", "opt")
# In fairseq's sections the model's own arguments win over others of the same name.
FIRST = "model"
MOST_VALUES = 2000
LONGEST_TEXT = 1000
LONGEST_LIST = 64
DEEPEST = 8


def find_arguments(values: dict[str, Any]) -> dict[str, object]:
    """Return the training arguments among what stands at the top of a checkpoint.

    Only plain values are taken: text, numbers, truth values, None and short lists of them.
    A name that two sections use keeps its section: `task.seed`.

    Example:
        >>> namespace = Record(Name("argparse.Namespace"), (), state=Table(["lr", [0.1]]))
        >>> find_arguments({"args": namespace, "cfg": None})
        {'lr': [0.1]}
    """
    for key in KEYS:
        leaves = _leaves(values.get(key))
        if leaves:
            found: dict[str, object] = {}
            for path, value in sorted(leaves, key=lambda leaf: leaf[0][:1] != (FIRST,)):
                name = path[-1] if path[-1] not in found else ".".join(path)
                found.setdefault(name, value)
            return found
    return {}


def plain_value(value: object) -> tuple[bool, object]:
    """Return whether a value is a plain one or a short list of them, and the value.

    Example:
        >>> plain_value([1, "a"]), plain_value(Record(Name("os.system")))[0]
        ((True, [1, 'a']), False)
    """
    found = _unwrap(value)
    return _is_plain(found), found


def _leaves(root: object) -> list[tuple[tuple[str, ...], object]]:
    found: list[tuple[tuple[str, ...], object]] = []
    entered: set[int] = set()
    waiting: list[tuple[tuple[str, ...], object]] = [((), root)]
    while waiting and len(found) < MOST_VALUES:
        path, value = waiting.pop()
        value = _unwrap(value)
        if path and len(path[-1]) <= LONGEST_TEXT and _is_plain(value):
            found.append((path, value))
        elif isinstance(value, Table | Record) and id(value) not in entered and len(path) < DEEPEST:
            entered.add(id(value))
            below = list(islice(table_of(value).items(), MOST_VALUES))
            waiting.extend(((*path, key), one) for key, one in reversed(below))
    return found


def _unwrap(value: object) -> object:
    """Take a value, or a list's values, out of omegaconf's nodes and containers."""
    value = _content(value)
    if isinstance(value, list | tuple) and not isinstance(value, Table):
        return [_content(one) for one in value[: LONGEST_LIST + 1]]
    return value


def _content(value: object) -> object:
    for _ in range(DEEPEST):
        if not isinstance(value, Record) or not isinstance(value.callee, Name):
            break
        held = table_of(value) if value.callee.startswith("omegaconf.") else {}
        if not held.keys() & {"_val", "_content"}:
            break
        value = held["_val"] if "_val" in held else held["_content"]
    return value


def _is_plain(value: object) -> bool:
    if isinstance(value, list) and not isinstance(value, Table):
        return len(value) <= LONGEST_LIST and all(_is_scalar(one) for one in value)
    return _is_scalar(value)


def _is_scalar(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT and not isinstance(value, Name)
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, int) and value.bit_length() <= 64)
