"""What changed against the report of a base: numbers first, then what lies behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reportgen.cli.console.summary._parts import (
    SHOWN,
    Part,
    cell,
    folded,
    pipe_table,
    rest,
)
from reportgen.languages import noun, retell, spoken, tell

if TYPE_CHECKING:
    from reportgen.app import SummaryFacts

_ROUNDING = "rounding"


def changes(found: SummaryFacts) -> Iterator[Part]:
    """Yield what differs from the base, where something does."""
    if not found.changes:
        return
    parts = [
        *_behind(found.changes),
        *_changed(found.changes),
        *_came_and_went(found.changes),
    ]
    if files := found.changes["files"]:
        title = f"{tell('Evidence files')} ({len(files)})"
        parts.append(folded(title, _list(files) + rest(len(files))))
    if parts:
        text = f"## {tell('What changed against the base')}\n\n" + "\n\n".join(parts) + "\n"
        yield Part(name=tell("what changed against the base"), text=text)


def _changed(found: Mapping[str, Any]) -> Iterator[str]:
    moved = [one for one in found["numbers"] if one["kind"] != _ROUNDING]
    if moved:
        rows = [(one["id"], one["old"], one["new"], _difference(one)) for one in moved[:SHOWN]]
        head = [tell("Number"), tell("Before"), tell("Now"), tell("Difference")]
        yield pipe_table(head, rows, "lrrr") + rest(len(moved))


def _came_and_went(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield numbers that only one of the two has, folded: a run more brings many of them."""
    titles = {"added": tell("Numbers added"), "removed": tell("Numbers removed")}
    for key, title in titles.items():
        if ones := found[key]:
            rows = [(one["id"], one["printed"]) for one in ones[:SHOWN]]
            table = pipe_table([tell("Number"), tell("Value")], rows, "lr")
            yield folded(f"{title} ({len(ones)})", table + rest(len(ones)))


def _difference(number: Mapping[str, Any]) -> str:
    """Return the difference in the marks of the language."""
    unit = str(number["unit"])
    if number["difference"] is None:
        return retell(number["difference_printed"] or number["reason"])
    digits = str(number["difference_printed"]).removesuffix(unit).strip()
    marks = {",": spoken().group_mark, ".": spoken().decimal_mark}
    told = "".join(marks.get(letter, letter) for letter in digits)
    return f"{told} {tell('points') if unit == 'points' else noun(unit)}".strip()


def _behind(found: Mapping[str, Any]) -> Iterator[str]:
    titles = {
        "groups": tell("Groups"),
        "runs": tell("Runs"),
        "settings": tell("What was inferred"),
        "problems": tell("Problems"),
    }
    for key, title in titles.items():
        if ones := found[key]:
            yield f"**{cell(title)}** ({len(ones)})\n\n{_list(ones)}{rest(len(ones))}"


def _list(changed: Sequence[Mapping[str, Any]]) -> str:
    signs = {"added": "+", "removed": "−", "changed": "~"}
    return "\n".join(
        f"- {cell(signs[one['change']])} {cell(retell(one['name']))}{_values(one)}"
        for one in changed[:SHOWN]
    )


def _values(change: Mapping[str, Any]) -> str:
    # A digest says nothing to a reader: that it changed is all there is to know.
    told = (change[key] or "" for key in ("old", "new"))
    old, new = ("" if len(words) == 64 else retell(words) for words in told)
    if change["change"] == "changed" and (old or new):
        return cell(f": {old or '…'} → {new or '…'}")
    return f" ({cell(old or new)})" if old or new else ""
