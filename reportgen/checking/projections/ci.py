"""Verdicts for continuous integration: annotations, code quality, JUnit XML, SARIF."""

from __future__ import annotations

import hashlib
import html
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from reportgen import __version__
from reportgen.checking.projections._records import (
    Json,
    Record,
    Rendering,
    Row,
    Spot,
    by_need,
    headlines,
    make_records,
    point_words,
    status,
    strict,
    tally,
)
from reportgen.records.source import shorten
from reportgen.records.verdict import RULES, Review

# Verdicts as annotations of a GitHub job, and as the summary of its step.

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


def render_github(reviews: Sequence[Review], options: Rendering) -> str:
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


# Verdicts as GitLab's code quality report, which a merge request shows beside its lines.

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}
_UNREAD = "critical"


def render_gitlab(reviews: Sequence[Review], options: Rendering) -> str:
    """Return the JSON that `artifacts:reports:codequality` names: a list of issues.

    Errors, warnings and notes are issues; a report that could not be checked is one too. GitLab
    compares two reports by fingerprints, so that a merge request shows what is new and what is
    mended: they are of the file, the check, the number and the words, and stay when lines move.

    Missing: A PDF and a notebook have no lines that an editor could open. Their issues stand at
    line 1, and the place is in the description.
    """
    issues: list[Json] = [
        issue for record in make_records(reviews, options) for issue in _issues(record)
    ]
    return strict(issues)


def _issues(record: Record) -> Iterator[Json]:
    if record.fault:
        yield _issue("read", _UNREAD, record.fault, path=record.path, line=1, mark="unreadable")
    for row in record.of_level(*_SEVERITIES):
        line = row.spot.line if row.spot.opens else 1
        severity = _SEVERITIES[row.level]
        told = row.told if row.spot.opens else f"{row.spot}: {row.told}"
        yield _issue(row.rule, severity, told, path=row.spot.file, line=line, mark=row.fingerprint)


def _issue(rule: str, severity: str, told: str, *, path: str, line: int, mark: str) -> Json:
    return {
        "description": told,
        "check_name": f"reportgen/{rule}",
        "fingerprint": hashlib.sha256(f"{path}\0{mark}".encode()).hexdigest(),
        "severity": severity,
        "location": {"path": path.removeprefix("./"), "lines": {"begin": max(line, 1)}},
    }


# Verdicts as JUnit XML: one suite a check, one case a number or statement.

_READING = "read"
_NAME_LENGTH = 100
_COUNTS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def render_junit(reviews: Sequence[Review], options: Rendering) -> str:
    """Return JUnit XML as CI servers read it.

    A `<failure>` is a finding that makes a report fail: an error, and a warning where
    `fail_on` says so. What is untraced is `<skipped>`; what claims nothing is no case. The suite
    `read` has one case a report, with how much of it is traced; it is an `<error>` where it could
    not be checked. Cases are named by what is quoted, not by lines, so that their history outlives
    an edit. Nothing was timed: times are 0.
    """
    root = ET.Element("testsuites", name="reportgen check")
    records = make_records(reviews, options)
    rows = [
        (record, row)
        for record in records
        for row in record.of_outcome("contradicted", "traced", "untraced")
    ]
    reading = ET.SubElement(root, "testsuite", name=_READING) if records else root
    for record in records:
        _read(reading, record)
    turns: Counter[tuple[str, str]] = Counter()
    for rule in sorted({row.check for _, row in rows}):
        suite = ET.SubElement(root, "testsuite", name=rule)
        for record, row in rows:
            if row.check == rule:
                _check(suite, record, row, options, turns)
    for element in (root, *root):
        element.set("tests", str(len(list(element.iter("testcase")))))
        for key, child in _COUNTS.items():
            element.set(key, str(len(list(element.iter(child)))))
        element.set("time", "0")
    ET.indent(root, "")
    text: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _read(suite: ET.Element, record: Record) -> None:
    """Add the case that a report could be read, which tells how much of it is traced."""
    names = {"name": record.path, "classname": f"{record.name}.{_READING}", "file": record.path}
    case = ET.SubElement(suite, "testcase", names, time="0")
    _add_properties(case, {f"coverage {i}": told for i, told in enumerate(headlines(record), 1)})
    if record.fault:
        error = ET.SubElement(case, "error", message=record.fault, type="unreadable")
        error.text = record.fault


def _check(
    suite: ET.Element, record: Record, row: Row, options: Rendering, turns: Counter[tuple[str, str]]
) -> None:
    """Add the case of one row; `turns` counts those of one name, to tell them apart."""
    said = row.quote if row.printed in {None, row.quote} else f"{row.printed} in {row.quote}"
    name = shorten(said, _NAME_LENGTH)
    classname = f"{record.name}.{row.check}"
    turns[classname, name] += 1
    turn = turns[classname, name]
    names = {"name": name if turn == 1 else f"{name} ({turn})", "classname": classname}
    where = {"file": row.spot.file} | ({"line": str(row.spot.line)} if row.spot.opens else {})
    case = ET.SubElement(suite, "testcase", names | where, time="0")
    _add_properties(case, dict(_known(row)))
    if row.level == "error" or options.fails(row.level):
        failure = ET.SubElement(case, "failure", message=row.message, type=row.outcome)
        evidence = (f"evidence: {point_words(point)}" for point in row.evidence)
        failure.text = "\n".join((f"{row.spot}: {row.told}", *evidence))
    elif row.outcome == "untraced":
        ET.SubElement(case, "skipped", message=row.reason)


def _add_properties(case: ET.Element, known: Mapping[str, str]) -> None:
    properties = ET.SubElement(case, "properties")
    for name, value in known.items():
        ET.SubElement(properties, "property", name=name, value=value)


def _known(row: Row) -> Iterator[tuple[str, str]]:
    for name in ("level", "outcome", "section", "printed", "expected", "cause", "fingerprint"):
        if value := getattr(row, name):
            yield name, value
    if not row.spot.opens:
        yield "place", row.spot.inside


# Verdicts as SARIF 2.1.0, for code scanning.

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "reportgenNumber/v1"

_KINDS = {"contradicted": "fail", "traced": "pass", "untraced": "open"}
"""SARIF's word for each outcome; what claims nothing is no result."""


def render_sarif(reviews: Sequence[Review], options: Rendering) -> str:
    """Return one SARIF run over all reports.

    Results are what is contradicted: errors, warnings and notes. GitHub shows whatever is a
    result, so what is traced or untraced is left out; with `sarif_all` it is there as `pass` and
    `open`, at level none. A fingerprint stays when lines move, so that an alert is not opened
    again by an edit above it. A PDF and a notebook have no lines that a region could name: page
    and cell stand in the properties.
    """
    records = make_records(reviews, options)
    rows = [
        row
        for record in records
        for row in record.rows
        if row.outcome == "contradicted" or (options.sarif_all and row.outcome in _KINDS)
    ]
    rules = sorted({row.check for row in rows})
    places = {rule: index for index, rule in enumerate(rules)}
    run: dict[str, Json] = {
        "tool": {
            "driver": {
                "name": "reportgen",
                "version": __version__,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "invocations": [_invocation(records)],
        "artifacts": [_artifact(record) for record in records],
        "columnKind": "unicodeCodePoints",
        "results": [_result(row, places[row.check]) for row in rows],
    }
    return strict({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: str) -> Json:
    about = RULES.get(rule, f"what the check {rule} says")
    sentence = f"{about[:1].upper()}{about[1:]}."
    help_ = f"{sentence} The message says what the report has there and what the evidence has."
    return {"id": rule, "shortDescription": {"text": sentence}, "help": {"text": help_}}


def _invocation(records: Sequence[Record]) -> Json:
    """Return how the run went: reports that could not be checked, and what could not be read."""
    notifications: list[Json] = []
    for record in records:
        if record.fault:
            notifications.append(_notification("error", record.fault, record))
        for path, message, remedy, level in record.problems:
            told = f"{path}: {message}" + (f"; {remedy}" if remedy else "")
            notifications.append(_notification(level, told, record))
        notifications.extend(_notification("note", told, record) for told in headlines(record))
    return {
        "executionSuccessful": not any(record.fault for record in records),
        "toolExecutionNotifications": notifications,
    }


def _notification(level: str, text: str, record: Record) -> Json:
    location: Json = {"physicalLocation": {"artifactLocation": {"uri": _uri(record.path)}}}
    return {"level": level, "message": {"text": text}, "locations": [location]}


def _artifact(record: Record) -> Json:
    artifact: dict[str, Json] = {"location": {"uri": _uri(record.path)}}
    if record.manuscript.sha256:
        artifact["hashes"] = {"sha-256": record.manuscript.sha256}
    return artifact


def _result(row: Row, rule: int) -> Json:
    kind = _KINDS[row.outcome]
    return {
        "ruleId": row.check,
        "ruleIndex": rule,
        "kind": kind,
        "level": row.level if kind == "fail" else "none",
        "message": {"text": row.told},
        "locations": [{"physicalLocation": _location(row.spot)}],
        "partialFingerprints": {FINGERPRINT: row.fingerprint},
        "properties": _properties(row),
    }


def _location(spot: Spot) -> dict[str, Json]:
    location: dict[str, Json] = {"artifactLocation": {"uri": _uri(spot.file)}}
    if spot.opens:
        region: dict[str, Json] = {"startLine": spot.line, "startColumn": spot.column}
        if spot.end_column > spot.column:
            region["endColumn"] = spot.end_column
        location["region"] = region
    return location


def _properties(row: Row) -> dict[str, Json]:
    known: dict[str, Json] = {
        "outcome": row.outcome,
        "quote": row.quote,
        "section": row.section,
        "part": row.spot.part,
        "page": row.spot.page,
        "printed": row.printed,
        "expected": row.expected,
        "bindings": list(row.bindings),
        "evidence": [point_words(point) for point in row.evidence],
        "reason": row.reason,
    }
    return {name: value for name, value in known.items() if value not in (None, "", [])}


def _uri(path: str) -> str:
    """Return a path as a URI: relative where the path is, percent-encoded.

    Example:
        >>> _uri("lab 3/é#1.md"), _uri("/tmp/r.md")
        ('lab%203/%C3%A9%231.md', 'file:///tmp/r.md')
    """
    encoded = quote(path, safe="/")
    return f"file://{encoded}" if PurePosixPath(path).is_absolute() else encoded
