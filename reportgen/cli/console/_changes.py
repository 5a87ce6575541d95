"""What changed between two reports, as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.cli.console._lines import Alert, Heading, plain, table_lines

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
    yield _totals(found["totals"])


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


def _totals(totals: Mapping[str, int]) -> str:
    changed = totals["changed"] + totals["rounding"]
    parts = [f"{totals['unchanged']} numbers printed the same"]
    if totals["unprinted"]:
        parts[0] += f" ({totals['unprinted']} moved behind the printed digits)"
    parts.append(f"{changed} printed differently")
    if totals["rounding"]:
        parts[1] += f" ({totals['rounding']} within rounding)"
    parts += [f"{totals[key]} {key}" for key in ("added", "removed")]
    return "; ".join(parts)
