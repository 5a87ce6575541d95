"""Where printed numbers come from, as lines of a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.cli.console._lines import Alert, Heading, plain
from reportgen.languages import message, retell, spoken, tell

_TOLD = {
    "matches": message("matches"),
    "changed": message("NO LONGER MATCHES"),
    "not found": message("not found"),
}
_WORDS = {
    "method": message("method: {words}"),
    "formula": message("formula: {words}"),
    "reason": message("reason: {words}"),
}
_POINT = re.compile(r"(?<=\d)\.(?=\d)")


def chain_lines(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield each printed number with its chain, in the language spoken; like places together.

    Args:
        found: The numbers of what `reportgen.app.explain` returned.
    """
    for places in _alike(found):
        number = places[0]
        yield Heading(_heading(number))
        for place in places:
            yield f"  {_place(place)}"
        for key, words in _WORDS.items():
            if number.get(key):
                said = _mark(number[key]) if key == "formula" else retell(number[key])
                yield f"  {tell(words, words=said)}"
        yield from _evidence(number["evidence"])
    yield from _totals(found)


def _heading(number: Mapping[str, Any]) -> str:
    if number["value"] is None:
        return tell("{printed}  (value missing)", printed=number["printed"])
    known = spoken().messages
    unit = f" {known.get(number['unit'], number['unit'])}" if number.get("unit") else ""
    value = f"{_mark(repr(number['value']))}{unit}"
    return tell("{printed}  (value {value})", printed=number["printed"], value=value)


def _place(place: Mapping[str, Any]) -> str:
    where = place.get("where", "")
    if where and where != place["id"]:
        return tell("printed as {id}  in {where}", id=place["id"], where=where)
    return tell("printed as {id}", id=place["id"])


def _mark(text: object) -> str:
    """Return a value or a formula with the decimal mark of the language spoken."""
    return _POINT.sub(spoken().decimal_mark, str(text))


def _alike(found: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Put numbers together that are printed alike from the same values by the same formula."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for number in found:
        keys = ("printed", "value", "method", "formula", "evidence")
        groups.setdefault(repr([number.get(key) for key in keys]), []).append(number)
    return list(groups.values())


def _evidence(evidence: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for item in evidence:
        step = f" {tell('step')} {item['step']}" if item.get("step") is not None else ""
        tag = f" {item['tag']}" if item.get("tag") else ""
        value = item.get("value")
        shown = value if isinstance(value, str) else _mark(value)
        logged = f" = {shown}" if value is not None else ""
        line = tell("from {path}: {read}", path=item["path"], read=f"{tag}{step}{logged}".strip())
        yield f"  {line.rstrip()}"
        if item.get("sha256"):
            state = retell(_TOLD[item["file"]]) if item.get("file") in _TOLD else ""
            line = f"    sha256 {item['sha256']}{f'  {state}' if state else ''}"
            yield Alert(line) if item.get("file") in {"changed", "not found"} else line


def _totals(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what became of the files, where they were hashed again."""
    states = {
        plain(item["path"]): item["file"]
        for number in found
        for item in number["evidence"]
        if item.get("file")
    }
    if states:
        counts = [f"{list(states.values()).count(state)} {retell(_TOLD[state])}" for state in _TOLD]
        yield tell("{count} files: {states}", count=len(states), states=", ".join(counts))
    if "not found" in states.values():
        yield tell("  remedy: say where the files lie, with --runs DIR or --study FILE")
