"""Verdicts as annotations of a GitHub job, and as the summary of its step."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from reportgen.checking.projections._records import (
    Record,
    Rendering,
    Row,
    by_need,
    headlines,
    make_records,
    status,
    tally,
)
from reportgen.records.source import shorten
from reportgen.records.verdict import Review

MOST_OF_A_LEVEL = 9
"""GitHub shows ten annotations of a level and step, and drops the rest in silence."""

LARGEST_SUMMARY = 1024 * 1024
"""Bytes of a step's summary; GitHub refuses a larger one as a whole."""

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_LONGEST_MESSAGE = 1000
_LONGEST_CELL = 400
_ROOM_TO_END = 200
# What Markdown, or GitHub in it, could read as more than words inside a line.
_MARKS = re.compile(r"([\\`*_\[\]<>|~$@]|(?<=www)\.|:(?=//))", re.IGNORECASE)


def render(reviews: Sequence[Review], options: Rendering) -> str:
    """Return workflow commands, one a line, errors first.

    Of each level the first nine are there, and one more that says how many follow. A report
    that could not be checked is an error.
    """
    records = make_records(reviews, options)
    lines: list[str] = []
    for level, command in _COMMANDS.items():
        rows = [row for record in records for row in record.of_level(level)]
        told = [_annotation(command, row) for row in rows]
        if level == "error":
            told = [*(_unread(record) for record in records if record.fault), *told]
        lines += told[:MOST_OF_A_LEVEL]
        if more := told[MOST_OF_A_LEVEL:]:
            lines.append(_command(command, [("title", "reportgen check")], f"and {len(more)} more"))
    return "".join(f"{line}\n" for line in lines)


def _annotation(command: str, row: Row) -> str:
    spot = row.spot
    where = [("file", spot.file)]
    if spot.opens:
        where += [("line", str(spot.line)), ("endLine", str(spot.line)), ("col", str(spot.column))]
        if spot.end_column > spot.column:
            where.append(("endColumn", str(spot.end_column)))
    title = f"{row.rule}: {row.outcome}"
    return _command(command, [*where, ("title", title)], row.told)


def _unread(record: Record) -> str:
    pairs = [("file", record.path), ("title", "could not be checked")]
    return _command("error", pairs, record.fault)


def _command(command: str, pairs: Sequence[tuple[str, str]], message: str) -> str:
    told = ",".join(f"{name}={_property(value)}" for name, value in pairs)
    return f"::{command} {told}::{_escape(shorten(message, _LONGEST_MESSAGE))}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


def summary(reviews: Sequence[Review], options: Rendering, most: int = LARGEST_SUMMARY) -> str:
    """Return Markdown for the file that `GITHUB_STEP_SUMMARY` names.

    A table of the reports, where there are several, those first that a person should read first,
    then of each how much is traced, and its errors, warnings and notes. What no longer fits is
    counted.

    Args:
        reviews: What was found.
        options: As of `render`.
        most: Most bytes.
    """
    lines = list(_summary(make_records(reviews, options)))
    room = most - _ROOM_TO_END
    kept = 0
    for line, _ in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept += 1
    told = [line for line, _ in lines[:kept]]
    if left := sum(is_finding for _, is_finding in lines[kept:]):
        told += ["", f"And {left} more, for which there is no room here."]
    return "\n".join(told) + "\n"


def _summary(records: Sequence[Record]) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the summary, each with whether it is a finding."""
    yield "# reportgen check", False
    if len(records) > 1:
        counted = ("errors", "warnings", "notes", "traced", "untraced")
        yield from _lines("", f"| report | status | {' | '.join(counted)} |")
        yield from _lines("|---|---|" + "--:|" * len(counted))
        for index in by_need(records):
            record = records[index]
            counts = [str(record.totals[key]) for key in counted]
            yield _cells([record.path, status(record)], counts), True
    for record in records:
        yield from _lines("", f"## {_markdown(record.path)}", "")
        yield from _lines(*(f"{_markdown(sentence)}  " for sentence in headlines(record)))
        if rows := [row for level in _COMMANDS for row in record.of_level(level)]:
            yield from _lines("", tally(record) + ":", "")
            yield from _lines("| place | level | check | finding |", "|---|---|---|---|")
            for row in rows:
                yield _cells([str(row.spot), row.level, row.rule, row.told], ()), True


def _lines(*lines: str) -> Iterator[tuple[str, bool]]:
    return ((line, False) for line in lines)


def _cells(words: Sequence[str], numbers: Sequence[str]) -> str:
    return "| " + " | ".join([*map(_markdown, words), *numbers]) + " |"


def _markdown(text: str) -> str:
    r"""Return words as Markdown that is only words.

    Example:
        >>> print(_markdown("<b>*80*</b> | @ana"))
        &lt;b&gt;\*80\*&lt;/b&gt; \| \@ana
    """
    return _MARKS.sub(r"\\\1", html.escape(shorten(text, _LONGEST_CELL), quote=False))
