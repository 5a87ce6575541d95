"""Verdicts as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from reportgen import __version__
from reportgen.checking.projections._records import (
    Record,
    Rendering,
    Row,
    Spot,
    headlines,
    make_records,
)
from reportgen.checking.projections._words import Json, point_words, strict
from reportgen.records.verdict import RULES, Review

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "reportgenNumber/v1"

_KINDS = {"contradicted": "fail", "traced": "pass", "untraced": "open"}
"""SARIF's word for each outcome; what claims nothing is no result."""


def render(reviews: Sequence[Review], options: Rendering) -> str:
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
