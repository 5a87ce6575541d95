"""Where printed numbers come from, as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.console._lines import Alert, Heading, plain

_TOLD = {"matches": "matches", "changed": "NO LONGER MATCHES", "not found": "not found"}


def chain_lines(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield each printed number with its chain; places with one chain stand together.

    Args:
        found: What `reportgen.api.explain` returned.
    """
    for places in _alike(found):
        number = places[0]
        value = "missing" if number["value"] is None else repr(number["value"])
        unit = f" {number['unit']}" if number.get("unit") else ""
        yield Heading(f"{number['printed']}  (value {value}{unit})")
        for place in places:
            where = place.get("where", "")
            inside = f"  in {where}" if where and where != place["id"] else ""
            yield f"  printed as {place['id']}{inside}"
        for key in ("method", "formula", "reason"):
            if number.get(key):
                yield f"  {key}: {number[key]}"
        yield from _evidence(number["evidence"])
    yield from _totals(found)


def _alike(found: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Put numbers together that are printed alike from the same values by the same formula."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for number in found:
        keys = ("printed", "value", "method", "formula", "evidence")
        groups.setdefault(repr([number.get(key) for key in keys]), []).append(number)
    return list(groups.values())


def _evidence(evidence: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for item in evidence:
        step = f" step {item['step']}" if item.get("step") is not None else ""
        tag = f" {item['tag']}" if item.get("tag") else ""
        logged = f" = {item['value']}" if item.get("value") is not None else ""
        yield f"  from {item['path']}:{tag}{step}{logged}"
        if item.get("sha256"):
            state = _TOLD.get(item.get("file", ""), "")
            line = f"    sha256 {item['sha256']}{f'  {state}' if state else ''}"
            yield Alert(line) if state not in {"", "matches"} else line


def _totals(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what became of the files, where they were hashed again."""
    states = {
        plain(item["path"]): item["file"]
        for number in found
        for item in number["evidence"]
        if item.get("file")
    }
    if states:
        counts = [f"{list(states.values()).count(state)} {_TOLD[state]}" for state in _TOLD]
        yield f"{len(states)} files: {', '.join(counts)}"
