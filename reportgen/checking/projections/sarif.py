"""Findings as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from reportgen import __version__
from reportgen.checking.projections._coverage import coverage
from reportgen.checking.projections._plain import Json, strict
from reportgen.checking.projections._record import NOT_CHECKABLE, Record, Row, Spot, make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.finding import Judgement

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "reportgenClaim/v1"


def render(judgements: Sequence[Judgement], options: Rendering) -> str:
    """Return one SARIF run over all reports.

    Results are the findings that fail: errors, warnings and notes. GitHub shows whatever is a
    result, so what is borderline, agrees or cannot be checked is left out; with `sarif_all` it
    is there as `review`, `pass` and `notApplicable`, at level none. A fingerprint stays when
    lines move, so that an alert is not opened again by an edit above it. A PDF and a notebook
    have no lines that a region could name: page and cell stand in the message and the
    properties.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> '"results": []' in render([Judgement(manuscript=report, findings=())], Rendering())
        True
    """
    records = make_records(judgements, options)
    rules = sorted({row.rule for record in records for row in record.rows})
    places = {rule: index for index, rule in enumerate(rules)}
    run: dict[str, Json] = {
        "tool": {
            "driver": {
                "name": "reportgen",
                "version": __version__,
                "rules": [_rule(rule, options) for rule in rules],
            }
        },
        "invocations": [_invocation(records)],
        "artifacts": [_artifact(record) for record in records],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(row, places[row.rule])
            for record in records
            for row in record.rows
            if options.sarif_all or _kind(row) == "fail"
        ],
    }
    return strict({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _kind(row: Row) -> str:
    """Return SARIF's word for a verdict; a remark that is to be read fails like a disagreement."""
    if row.verdict == "borderline":
        return "review"
    if row.level != "none":
        return "fail"
    return "notApplicable" if row.verdict == NOT_CHECKABLE else "pass"


def _rule(rule: str, options: Rendering) -> Json:
    about = options.rules.get(rule, f"Findings of the check {rule}")
    sentence = about[:1].upper() + about[1:] + ("" if about.endswith(".") else ".")
    return {
        "id": rule,
        "shortDescription": {"text": sentence},
        "help": {
            "text": f"{sentence} The message names the place in the report and what the evidence "
            "has; the properties list every legal reading that was tried."
        },
    }


def _invocation(records: Sequence[Record]) -> Json:
    """Return how the run went: reports that could not be checked, and what could not be read."""
    notifications: list[Json] = []
    for record in records:
        if record.fault:
            notifications.append(_notification("error", record.fault, record))
        for path, message, remedy, level in record.problems:
            told = f"{path}: {message}" + (f"; {remedy}" if remedy else "")
            notifications.append(_notification(level, told, record))
        notifications.extend(_notification("note", told, record) for told in coverage(record))
    return {
        "executionSuccessful": not any(record.fault for record in records),
        "toolExecutionNotifications": notifications,
    }


def _notification(level: str, text: str, record: Record) -> Json:
    location: Json = {"physicalLocation": {"artifactLocation": {"uri": _uri(record.path)}}}
    return {"level": level, "message": {"text": text}, "locations": [location]}


def _artifact(record: Record) -> Json:
    artifact: dict[str, Json] = {"location": {"uri": _uri(record.path)}}
    if record.sha256:
        artifact["hashes"] = {"sha-256": record.sha256}
    return artifact


def _result(row: Row, rule: int) -> Json:
    kind = _kind(row)
    level = row.level if kind == "fail" else "none"
    told = row.message or f"{row.rule}: {row.verdict}"
    if row.likely_cause and row.likely_cause not in told:
        told += f"; likely cause: {row.likely_cause}"
    return {
        "ruleId": row.rule,
        "ruleIndex": rule,
        "kind": kind,
        "level": level,
        "message": {"text": told},
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
    expected = row.expected
    known: dict[str, Json] = {
        "verdict": row.verdict,
        "claimKind": row.kind,
        "quote": row.quote,
        "section": row.section,
        "part": row.spot.part,
        "page": row.spot.page,
        "printed": row.claim["printed"],
        "expected": expected.value if expected else None,
        "definition": expected.definition if expected else "",
        "delta": row.delta,
        "readingsTried": list(row.readings),
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
