"""What changed against the report of a base: numbers first, then what lies behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reportgen.cli.console.summary._parts import (
    SHOWN,
    Part,
    cell,
    folded,
    level_words,
    pipe_table,
    rest,
)
from reportgen.languages import noun, say_again, spoken, tell
from reportgen.records.verdict import LEVELS

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
        *_files(found.changes),
    ]
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
    printed = str(number["difference_printed"] or number["reason"])
    unit = str(number["unit"])
    if number["difference"] is None:
        return say_again(printed)
    digits = printed.removesuffix(unit).strip()
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


def _files(found: Mapping[str, Any]) -> Iterator[str]:
    if ones := found["files"]:
        yield folded(f"{tell('Evidence files')} ({len(ones)})", _list(ones) + rest(len(ones)))


def _list(changed: Sequence[Mapping[str, Any]]) -> str:
    signs = {"added": "+", "removed": "−", "changed": "~"}
    return "\n".join(
        f"- {cell(signs[one['change']])} {cell(_name(str(one['name'])))}{_values(one)}"
        for one in changed[:SHOWN]
    )


def _run_words(told: str) -> str:
    """Return what a run was or is: its name, or why it is missing."""
    _, missing, reason = told.partition("missing: ")
    return tell("missing: {reason}", reason=say_again(reason)) if missing else say_again(told)


def _name(name: str) -> str:
    """Return what a change is called: the level, the place and the words of a problem, or a run."""
    level, of_problem, problem = name.partition(": ")
    if of_problem and level in LEVELS:
        path, _, words = problem.rpartition(": ")
        # What a problem says may have a colon in it, as a path on Windows has.
        while path and say_again(words) == words and ": " in path:
            path, _, more = path.rpartition(": ")
            words = f"{more}: {words}"
        return ": ".join(filter(None, (level_words(level), path, say_again(words))))
    group, of_run, seed = name.rpartition(", seed ")
    return tell("{group}, seed {seed}", group=group, seed=seed) if of_run else name


def _values(change: Mapping[str, Any]) -> str:
    # A digest says nothing to a reader: that it changed is all there is to know.
    told = ("" if len(str(change[key])) == 64 else str(change[key] or "") for key in ("old", "new"))
    old, new = map(_run_words, told)
    if change["change"] == "changed" and (old or new):
        return cell(f": {old or '…'} → {new or '…'}")
    return f" ({cell(old or new)})" if old or new else ""
