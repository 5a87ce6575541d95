"""Verdicts as JUnit XML: one suite a check, one case a number or statement."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from reportgen.checking.projections._records import Record, Rendering, Row, headlines, make_records
from reportgen.checking.projections._words import point_words
from reportgen.records.source import shorten
from reportgen.records.verdict import Review

_READING = "read"
_NAME_LENGTH = 100
_COUNTS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def render(reviews: Sequence[Review], options: Rendering) -> str:
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
