"""A folder of logs on a terminal: what is there, what is missing, what is wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.cli.console._inferred import inferred_lines, question_lines
from reportgen.cli.console._lines import (
    Alert,
    Heading,
    common_prefix,
    counted,
    fitted_table,
    plain,
    wrapped,
)
from reportgen.records.source import FATES, kind_of_message, without_numbers

# Groups and seeds on a terminal: what is there, and what is missing.

_GRID_ROWS = 24
_MISSING = "–"


def grid_of_runs(found: Mapping[str, Any], width: int | None) -> Iterator[str]:
    """Yield one row a group, one column a seed; in a cell the points and the last step.

    Where seeds are too many for the width, a row names them instead.
    """
    rows = found["grid"]["groups"]
    if not rows:
        return
    seeds = found["grid"]["seeds"]
    shared = common_prefix((run["id"] for run in found["runs"]), "/")
    below = f", all in {shared}" if shared else ""
    shown = rows if len(rows) <= _GRID_ROWS else rows[: _GRID_ROWS - 4]
    names = [_name(row, found) for row in shown]
    cut = common_prefix(names, "/_-. ") if len(names) > 3 else ""
    cut = cut if len(cut) > 7 else ""
    names = [f"…{name[len(cut) :]}" if cut else name for name in names]
    head, table = _matrix(shown, names, seeds)
    told = " (points to last step)"
    wide = max(sum(len(plain(c)) for c in row) + 2 * len(row) for row in table)
    if seeds and width is not None and wide > width and len(seeds) > 1:
        (head, table), told = _list(shown, names), ""
    yield Heading(f"runs{below}{told}")
    yield from fitted_table(head, table, "l" + "r" * (len(head) - 1), width)
    if cut:
        yield f"… stands for {cut}"
    if len(rows) > len(shown):
        rest = rows[len(shown) :]
        runs = sum(len(_runs(row)) for row in rest)
        yield f"and {counted(len(rest), 'group')} of {counted(runs, 'run')} more; --all lists them"
    if any(cell["state"] == "missing" for row in rows for cell in row["cells"]):
        yield f"{_MISSING} is missing: the study names this seed"


def _name(row: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    layouts = {run["layout"] for run in found["runs"]}
    name = str(row["group"])
    return f"{name} [{row['layout']}]" if len(layouts) > 1 and row["layout"] else name


def _runs(row: Mapping[str, Any]) -> list[str]:
    cells = [*row["cells"], row["without_seed"]]
    return [run for cell in cells for run in cell["runs"]]


def _matrix(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], seeds: Sequence[int]
) -> tuple[list[str], list[list[str]]]:
    head = ["group", *(f"seed {seed}" for seed in seeds)]
    head.append("no seed" if seeds else "runs")
    table = []
    for row, name in zip(rows, names, strict=True):
        cells = {cell["seed"]: cell for cell in row["cells"]}
        texts = [_cell(cells[seed]) if seed in cells else "" for seed in seeds]
        table.append([name, *texts, _cell(row["without_seed"], always=not seeds)])
    return head, table


def _cell(cell: Mapping[str, Any], *, always: bool = False) -> str:
    """Write a cell: `124 to 1,125` is 124 points, the last at step 1,125."""
    if cell.get("state") == "missing":
        return _MISSING
    if not cell["runs"]:
        return ""
    low, high = cell["points"]
    points = f"{low:,}" if low == high else f"{low:,}–{high:,}"
    count = f"{len(cell['runs'])} runs: " if len(cell["runs"]) > 1 else "1 run: " if always else ""
    last = "" if cell["last_step"] is None else f" to {cell['last_step']:,}"
    return f"{count}{points}{last}"


def _list(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> tuple[list[str], list[list[str]]]:
    """Return a narrow table: the seeds of a group in one cell."""
    table = []
    for row, name in zip(rows, names, strict=True):
        there = [cell for cell in row["cells"] if cell["runs"]]
        gone = [str(cell["seed"]) for cell in row["cells"] if not cell["runs"]]
        seeds = " ".join(str(cell["seed"]) for cell in there)
        cells = [*there, row["without_seed"]]
        points = [n for cell in cells for n in cell["points"] if cell["runs"]]
        last = [cell["last_step"] for cell in cells if cell["last_step"] is not None]
        spread = f"{min(points):,}" if points else ""
        spread += f"–{max(points):,}" if points and max(points) > min(points) else ""
        top = f"{max(last):,}" if last else ""
        table.append([name, str(len(_runs(row))), seeds, " ".join(gone), spread, top])
    return ["group", "runs", "seeds", "missing", "points", "last step"], table


def run_lines(found: Mapping[str, Any], width: int | None) -> Iterator[str]:
    """Yield one row a run."""
    if not found["runs"]:
        return
    shared = common_prefix((run["id"] for run in found["runs"]), "/")
    rows = [
        [
            run["id"].removeprefix(shared),
            run["group"],
            "" if run["seed"] is None else str(run["seed"]),
            run["layout"],
            str(len(run["tags"])),
            f"{run['points']:,}",
            "" if run["last_step"] is None else f"{run['last_step']:,}",
        ]
        for run in found["runs"]
    ]
    yield Heading(f"runs{f', all in {shared}' if shared else ''}")
    head = ("run", "group", "seed", "layout", "tags", "points", "last step")
    yield from fitted_table(head, rows, "llrlrrr", width)


# Tags on a terminal: a row each, or a row a family where there are hundreds.

_TAG_ROWS = 30
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
    families = (
        [[t] for t in measured] if everything or len(measured) <= _TAG_ROWS else fold(measured)
    )
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


_SHOWN = 3
"""How many problems of one kind and one file are printed in full."""


def log_lines(found: Mapping[str, Any], *, width: int | None, everything: bool) -> Iterator[str]:
    """Yield what lies in a folder of logs: runs, tags, files, problems, inference, questions.

    Args:
        found: As in the JSON.
        width: Columns of the terminal; None neither wraps nor cuts.
        everything: Every run, tag and problem on a line of its own.
    """
    yield from _summary(found, width)
    parts = (
        run_lines(found, width) if everything else grid_of_runs(found, width),
        tag_lines(found, width, everything=everything),
        _file_lines(found["files"], width),
        problem_lines(found["problems"], width, everything=everything),
        inferred_lines(found["decisions"], width, everything=everything),
        question_lines(found["decisions"], width, everything=everything),
    )
    for part in parts:
        lines = list(part)
        if lines:
            yield ""
            yield from lines


def _summary(found: Mapping[str, Any], width: int | None) -> Iterator[str]:
    runs = found["runs"]
    groups = len({run["group"] for run in runs})
    points = sum(run["points"] for run in runs)
    layouts = Counter(run["layout"] for run in runs)
    read = " and ".join(
        f"{name} ({n})" if len(layouts) > 1 else name for name, n in layouts.items()
    )
    yield Heading(f"{found['path']}: training logs")
    if not runs:
        yield "no run was found"
        return
    text = (
        f"{counted(len(runs), 'run')} in {counted(groups, 'group')}, read as {read}; "
        f"{counted(len(found['tags']), 'tag')}, {counted(points, 'point')}"
    )
    yield from wrapped(text, width)


_FATES = {
    "read": "read as {label}",
    "settings": "of settings",
    "model": "of a model",
    "adapter": "of an adapter",
    "skipped": "skipped: {label}",
    "table": "like a log and not read: {label}",
    "damaged": "damaged: {label}",
    "other": "of no kind known here",
}
"""What is said of the files of each fate."""


def _file_lines(files: Sequence[Mapping[str, Any]], width: int | None) -> Iterator[str]:
    """Yield how many files had which fate, the first of each, and what was passed over in them."""
    if not files:
        return
    yield Heading("files")
    alike: dict[tuple[int, str], list[Mapping[str, Any]]] = {}
    for file in files:
        told = kind_of_message(file["why"], file["path"])
        label = file["kind"] if file["fate"] == "read" else told
        alike.setdefault((FATES.index(file["fate"]), label), []).append(file)
    for (fate, _), same in sorted(alike.items()):
        yield from wrapped(_fate_told(FATES[fate], same), width, first="  ", rest="    ")
    skipped = Counter[str]()
    for file in files:
        skipped.update(file["skipped"])
    if skipped:
        listed = ", ".join(f"{count:,} {kind}" for kind, count in sorted(skipped.items()))
        text = f"records passed over, as they hold no scalar: {listed}"
        yield from wrapped(text, width, first="  ", rest="    ")
    total = sum(file["files"] for file in files)
    yield f"  {counted(total, 'file')} in all; `inspect --json` lists each"


def _fate_told(fate: str, same: Sequence[Mapping[str, Any]]) -> str:
    """Return what is said of files with one fate: their count, what they gave, the first three."""
    first = same[0]
    label = first["kind"] if fate == "read" else first["why"]
    text = f"{counted(sum(file['files'] for file in same), 'file')} {_FATES[fate]}"
    text = text.format(label=label)
    points = sum(file["points"] for file in same)
    if fate == "read" or points:
        runs = {file["run"] for file in same} - {None}
        many = max(len(runs), *(file["runs"] for file in same))
        size = _bytes(sum(file["size"] or 0 for file in same))
        return f"{text} ({counted(many, 'run')}, {counted(points, 'point')}, {size})"
    shown = ", ".join(file["path"] for file in same[:_SHOWN])
    return f"{text}: {shown}{', …' if len(same) > _SHOWN else ''}"


def _bytes(size: int) -> str:
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size} bytes"


def problem_lines(
    problems: Sequence[Mapping[str, Any]], width: int | None, *, everything: bool
) -> Iterator[str]:
    """Yield what is wrong: problems that differ only in their place and numbers share a line.

    Args:
        problems: As in the JSON.
        width: Columns of the terminal; None neither wraps nor cuts.
        everything: One line a problem.
    """
    if not problems:
        return
    alike: dict[tuple[object, ...], list[Mapping[str, Any]]] = {}
    for number, problem in enumerate(problems):
        text = kind_of_message(problem["message"], problem["path"])
        own = number if everything else ""
        alike.setdefault((problem["level"], text, own), []).append(problem)
    levels = Counter(problem["level"] for problem in problems)
    yield Heading(
        " and ".join(
            counted(levels[level], level) for level in ("warning", "note") if levels[level]
        )
    )
    ordered = sorted(alike.values(), key=lambda same: same[0]["level"] == "note")
    for same in ordered:
        yield from _problem(same, width)


def _problem(same: Sequence[Mapping[str, Any]], width: int | None) -> Iterator[str]:
    """Yield problems of one kind: those of one file with their numbers, files as a count."""
    first = same[0]
    style = Alert if first["level"] == "warning" else str
    indent = " " * 4
    files = len({problem["path"] for problem in same})
    shown = same[:_SHOWN] if files == 1 else ()
    for problem in shown:
        text = f"{problem['level']}: {_place(problem)}: {problem['message']}"
        yield from map(style, wrapped(text, width, first="  ", rest=indent))
    if files > 1:
        alike = len({problem["message"] for problem in same}) == 1
        text = first["message"] if alike else without_numbers(first["message"])
        text = f"{first['level']}: {text}"
        yield from map(style, wrapped(text, width, first="  ", rest=indent))
        places = list(dict.fromkeys(map(_place, same)))
        etc = ", …" if len(places) > _SHOWN else ""
        where = f"{len(places):,} places: {', '.join(places[:_SHOWN])}{etc}"
        yield from wrapped(where, width, first=indent, rest=indent)
    elif len(same) > len(shown):
        more = f"and {len(same) - len(shown):,} more of this kind in this file; --all lists them"
        yield from wrapped(more, width, first=indent, rest=indent)
    if first["remedy"]:
        yield from wrapped(f"remedy: {first['remedy']}", width, first=indent, rest=indent)


def _place(problem: Mapping[str, Any]) -> str:
    offset = problem.get("offset")
    return problem["path"] if offset is None else f"{problem['path']} at byte {offset:,}"
