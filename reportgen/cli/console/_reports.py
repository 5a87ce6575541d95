"""Reports on a terminal: where a printed number comes from, and what changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.cli.console._lines import Alert, Heading, plain, table_lines
from reportgen.languages import message, retell, spoken, tell

# Where printed numbers come from, as lines of a terminal.

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


# What changed between two reports, as lines of a terminal.

SHOWN = 40
"""Changes of a kind that are listed before the rest is counted."""

_TITLES = {
    "groups": "groups",
    "runs": "runs",
    "files": "evidence files",
    "settings": "what was inferred",
    "problems": "problems",
}
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


def change_lines(found: Mapping[str, Any], *, everything: bool = False) -> Iterator[str]:
    """Yield what `diff` found: numbers first, then what lies behind them.

    Args:
        found: What `reportgen.app.diff` returned.
        everything: Whether every change is listed, however many there are.
    """
    most = None if everything else SHOWN
    old, new = found["old"], found["new"]
    yield Heading(f"{old['path']} -> {new['path']}")
    for key in ("title", "generated_by", "schema"):
        if old[key] != new[key]:
            yield f"  {key}: {old[key] or 'none'} -> {new[key] or 'none'}"
    real = [one for one in found["numbers"] if one["kind"] != "rounding"]
    near = [one for one in found["numbers"] if one["kind"] == "rounding"]
    yield from _numbers("changed", real, most)
    yield from _numbers("changed within rounding", near, most)
    for sign, key in (("+", "added"), ("-", "removed")):
        rows = [(sign, plain(one["id"]), one["printed"]) for one in found[key]]
        yield from _table(f"numbers {key}", ("", "number", "printed"), rows, "llr", most)
    for key, title in _TITLES.items():
        yield from _behind(title, found[key], most)
    yield _total_line(found["totals"])


def _numbers(title: str, numbers: Sequence[Mapping[str, Any]], most: int | None) -> Iterator[str]:
    rows = [
        (
            plain(one["id"]),
            one["old"],
            "->",
            one["new"],
            one["difference_printed"] or plain(one["reason"]),
        )
        for one in numbers
    ]
    yield from _table(title, ("number", "old", "", "new", "difference"), rows, "lrlrl", most)


def _table(
    title: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    alignment: str,
    most: int | None,
) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield Alert(f"{title} ({len(rows)})")
    yield from (f"  {line}" for line in table_lines(head, rows[:most], alignment))
    yield from _rest(len(rows), most)


def _behind(title: str, changes: Sequence[Mapping[str, Any]], most: int | None) -> Iterator[str]:
    if not changes:
        return
    yield ""
    yield Heading(f"{title} ({len(changes)})")
    for one in changes[:most]:
        yield f"  {_SIGNS[one['change']]} {one['name']}{_values(one)}"
    yield from _rest(len(changes), most)


def _values(change: Mapping[str, Any]) -> str:
    old, new = (_short(change[key]) for key in ("old", "new"))
    if change["change"] == "changed":
        return f": {old or 'not set'} -> {new or 'not set'}"
    told = old or new
    return f" ({told})" if told else ""


def _short(value: str | None) -> str:
    """Return a value; of a digest the first letters."""
    text = value or ""
    digest = len(text) == 64 and all(c in "0123456789abcdef" for c in text)
    return f"{text[:12]}…" if digest else text


def _rest(count: int, most: int | None) -> Iterator[str]:
    if most is not None and count > most:
        yield f"  and {count - most} more; --all lists them"


def _total_line(totals: Mapping[str, int]) -> str:
    changed = totals["changed"] + totals["rounding"]
    parts = [f"{totals['unchanged']} numbers printed the same"]
    if totals["unprinted"]:
        parts[0] += f" ({totals['unprinted']} moved behind the printed digits)"
    parts.append(f"{changed} printed differently")
    if totals["rounding"]:
        parts[1] += f" ({totals['rounding']} within rounding)"
    parts += [f"{totals[key]} {key}" for key in ("added", "removed")]
    return "; ".join(parts)
