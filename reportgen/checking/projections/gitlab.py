"""Verdicts as GitLab's code quality report, which a merge request shows beside its lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from reportgen.checking.projections._records import Record, Rendering, make_records
from reportgen.checking.projections._words import Json, strict
from reportgen.records.verdict import Review

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}
_UNREAD = "critical"


def render(reviews: Sequence[Review], options: Rendering) -> str:
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
