"""Model types that the library does not have: written as changes of one that it has.

Remote code and other programs store models of a family under keys of their own. A relative
is a small file: the type it is like, its spelling of each key (as an expression over its own
keys), its defaults, and the classes and tensors it lacks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "relatives"
Entry = dict[str, Any]


def entries(known: Mapping[str, Entry]) -> Iterator[Entry]:
    """Yield every relative as an entry of the table.

    Args:
        known: Model type to the entry it may be like.
    """
    for path in sorted(HERE.glob("*.json")):
        own = json.loads(path.read_text(encoding="utf-8"))
        if own["like"] in known:
            yield written(own, known[own["like"]])


def written(own: Entry, like: Entry) -> Entry:
    """Return one relative as an entry."""
    keys = own.get("keys", {})
    lacks = [re.compile(pattern) for pattern in own.get("lacks", [])]
    names = [(re.compile(pattern), name) for pattern, name in own.get("names", [])]

    def spelled(text: str) -> str:
        for key, other in keys.items():
            text = re.sub(rf"(?<![\w.]){re.escape(key)}(?![\w.])", other, text)
        return text

    def named(name: str) -> str:
        for pattern, other in names:
            name = pattern.sub(other, name)
        return name

    base = next(iter(like["classes"].values()))["terms"]
    gone = [place for place, row in enumerate(base) if lost(row[0], lacks)]
    classes = {}
    called = own.get("classes") or {name: name for name in like["classes"]}
    for name in called:
        each = like["classes"][name]
        changed = dict(each)
        for part in ("terms", "plus"):
            if part in each:
                changed[part] = [
                    [named(row[0]), *map(spelled, row[1:3]), row[3], *map(spelled, row[4:])]
                    for row in each[part]
                    if not lost(row[0], lacks)
                ]
        changed.get("terms", []).extend(own.get("more", []))
        if "minus" in each:
            left = [place for place in each["minus"] if place not in gone]
            changed["minus"] = [place - sum(n < place for n in gone) for place in left]
        if "tied" in each:
            changed["tied"] = [
                [named(a), named(b), *map(spelled, rest)] for a, b, *rest in each["tied"]
            ]
        if own.get("prefix") is not None and "prefix" in each:
            changed["prefix"] = own["prefix"]
        if "of" in each:
            changed["of"] = called[each["of"]]
        classes[called[name]] = changed
    kept = {key: value for key, value in like["defaults"].items() if key not in keys}
    return {
        "type": own["type"],
        "library": own["source"],
        "defaults": kept | own.get("defaults", {}),
        "derived": {k: spelled(v) for k, v in like["derived"].items() if k not in keys}
        | own.get("derived", {}),
        "aliases": own.get("aliases", {}),
        "unsure": {k: v for k, v in like["unsure"].items() if k not in keys}
        | own.get("unsure", {}),
        "classes": classes,
    }


def lost(name: str, lacks: list[re.Pattern[str]]) -> bool:
    """Return whether the relative lacks a tensor."""
    return any(pattern.search(name) for pattern in lacks)
