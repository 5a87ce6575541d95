"""A folder of logs on a terminal: what is there, what is missing, what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportgen.cli.console._grid import grid_of_runs, run_lines
from reportgen.cli.console._inferred import inferred_lines, question_lines
from reportgen.cli.console._lines import Alert, Heading, counted, wrapped
from reportgen.cli.console._tags import tag_lines
from reportgen.records.source import FATES, kind_of_message, without_numbers

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
