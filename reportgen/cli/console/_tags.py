"""Tags on a terminal: a row each, or a row a family where there are hundreds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.cli.console._lines import Heading, fitted_table, wrapped

_ROWS = 30
_FAMILY = 4
_PARTS = re.compile(r"([/_.\- ])")
_ORDER = ("validation", "test", "train", "")

Tag = Mapping[str, Any]


def tag_lines(found: Mapping[str, Any], width: int | None, *, everything: bool) -> Iterator[str]:
    """Yield the tags with what they measure, where, and how much of it there is.

    Args:
        found: As in the JSON.
        width: Columns of the terminal; None neither wraps nor cuts.
        everything: A row a tag, also for those that tell how fast a run was.
    """
    tags: Sequence[Tag] = sorted(found["tags"], key=_order)
    if not tags:
        if found["runs"]:
            yield "no scalar tags"
        return
    measured = tags if everything else [tag for tag in tags if tag["metric"]]
    rest = [] if everything else [tag["tag"] for tag in tags if not tag["metric"]]
    total = len(found["runs"])
    families = [[t] for t in measured] if everything or len(measured) <= _ROWS else fold(measured)
    yield Heading("tags")
    rows = [_row(family, total) for family in families]
    head = ("tag", "metric", "split", "unit", "runs", "points", "steps", "NaN", "infinite")
    if rows:
        yield from fitted_table(head, rows, "llllrrrrr", width)
    if len(families) < len(measured):
        yield f"{len(measured)} tags in {len(families)} rows; --all lists every one"
    if rest:
        yield from wrapped(f"no metrics: {_listed(rest)}", width, rest="  ")


def _listed(names: Sequence[str]) -> str:
    shown = 12
    more = f" and {len(names) - shown} more (--all)" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def _order(tag: Tag) -> tuple[int, bool, str, str]:
    split = _ORDER.index(tag["split"]) if tag["split"] in _ORDER else len(_ORDER)
    return split, not tag["metric"], tag["metric"], tag["tag"]


def _row(family: Sequence[Tag], total: int) -> list[str]:
    first = family[0]
    runs = [tag["runs"] for tag in family]
    steps = [tag[key] for tag in family for key in ("first_step", "last_step")]
    steps = [step for step in steps if step is not None]
    return [
        first["tag"] if len(family) == 1 else pattern_of([tag["tag"] for tag in family]),
        first["metric"] if len(family) == 1 else f"{len(family)} tags",
        first["split"],
        first["unit"] if len({tag["unit"] for tag in family}) == 1 else "",
        _range(runs) + (f"/{total}" if min(runs) < total else ""),
        f"{sum(tag['points'] for tag in family):,}",
        _range(steps),
        _count(family, "nan"),
        _count(family, "infinite"),
    ]


def _range(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def _count(family: Sequence[Tag], key: str) -> str:
    total = sum(tag[key] for tag in family)
    return f"{total:,}" if total else ""


def fold(tags: Sequence[Tag]) -> list[list[Tag]]:
    """Return families of tags of one split that differ in one part of their names only.

    The largest families come first into being; a tag belongs to one.

    Example:
        >>> names = [f"eval/T{n}_{what}" for n in range(5) for what in ("f1", "recall")]
        >>> tags = [{"tag": name, "split": "validation"} for name in [*names, "eval/loss"]]
        >>> [pattern_of([tag["tag"] for tag in family]) for family in fold(tags)]
        ['eval/*_f1', 'eval/*_recall', 'eval/loss']
    """
    members: dict[tuple[str, str], list[int]] = {}
    for number, tag in enumerate(tags):
        parts = _PARTS.split(tag["tag"])
        for index in range(0, len(parts), 2):
            shape = "".join([*parts[:index], "*", *parts[index + 1 :]])
            members.setdefault((tag["split"], shape), []).append(number)
    family_of: dict[int, int] = {}
    found: list[list[Tag]] = []
    for numbers in sorted(members.values(), key=len, reverse=True):
        free = [number for number in numbers if number not in family_of]
        if len(free) >= _least(tags[free[0]]["tag"] if free else ""):
            family_of.update(dict.fromkeys(free, len(found)))
            found.append([tags[number] for number in free])
    ordered: dict[object, list[Tag]] = {}
    for number, tag in enumerate(tags):
        own = family_of.get(number)
        ordered[("family", own) if own is not None else number] = (
            found[own] if own is not None else [tag]
        )
    return list(ordered.values())


def _least(name: str) -> int:
    """Return how many make a family; `eval/*` alone says little of what it stands for."""
    return _FAMILY if len(_PARTS.split(name)) > 3 else 3 * _FAMILY


def pattern_of(names: Sequence[str]) -> str:
    """Return what names of one family have in common, with a star for what differs.

    Example:
        >>> pattern_of(["eval/T1_f1", "eval/T2_f1"])
        'eval/*_f1'
    """
    if len(names) == 1:
        return names[0]
    columns = zip(*(_PARTS.split(name) for name in names), strict=True)
    return "".join(parts[0] if len(set(parts)) == 1 else "*" for parts in columns)
