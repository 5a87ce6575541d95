"""findings.json: the whole record, which every other format is a view of."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen import __version__
from reportgen.checking.projections._plain import Json, strict
from reportgen.checking.projections._record import Record, Row, make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.finding import Judgement

SCHEMA = "reportgen-findings/1"
"""Name of the format; raised when a key changes its meaning."""

CLASS_SCHEMA = "reportgen-class-findings/1"


def render(judgements: Sequence[Judgement], options: Rendering) -> str:
    """Return findings.json: strict JSON in a stable order, without times, so that it diffs.

    One report is the object that `docs/reference/findings.schema.json` describes; several are
    an object with the list `submissions` of such objects.

    Missing: A number that JSON cannot hold is its name as a text; what does not apply is null
    or empty.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> print(render([Judgement(manuscript=report, findings=())], Rendering())[:37])
        {
         "schema": "reportgen-findings/1",
    """
    records = make_records(judgements, options)
    if len(records) == 1:
        return strict(_content(records[0]))
    listed: list[Json] = [_content(record) for record in records]
    return strict({"schema": CLASS_SCHEMA, "generated_by": _made_by(), "submissions": listed})


def _made_by() -> str:
    return f"reportgen {__version__}"


def _content(record: Record) -> dict[str, Json]:
    return {
        "schema": SCHEMA,
        "generated_by": _made_by(),
        "report": {
            "name": record.name,
            "path": record.path,
            "sha256": record.sha256,
            "format": record.format,
            "pages": record.pages,
        },
        "fault": record.fault,
        "evidence": [
            {"id": name, "path": path, "sha256": digest, "tag": ", ".join(tags)}
            for name, path, digest, tags in record.evidence
        ],
        "totals": dict(record.totals),
        "not_checkable": [{"reason": reason, "count": n} for reason, n in record.reasons],
        "assumed": [
            {"what": what, "value": value, "why": why} for what, value, why in record.assumed
        ],
        "problems": [
            {"path": path, "message": message, "remedy": remedy, "level": level}
            for path, message, remedy, level in record.problems
        ],
        "findings": [_finding(row) for row in record.rows],
    }


def _finding(row: Row) -> Json:
    return {
        "id": row.id,
        "rule": row.rule,
        "level": row.level,
        "verdict": row.verdict,
        "decisive": row.decisive,
        "kind": row.kind,
        "quote": row.quote,
        "section": row.section,
        "location": _location(row),
        "claim": dict(row.claim),
        "expected": _expected(row),
        "delta": row.delta,
        "readings_tried": list(row.readings),
        "likely_cause": row.likely_cause,
        "message": row.message,
        "reason": row.reason,
        "fingerprint": row.fingerprint,
    }


def _location(row: Row) -> Json:
    spot = row.spot
    return {
        "file": spot.file,
        "part": spot.part,
        "line": spot.line,
        "col": spot.column,
        "endCol": spot.end_column,
        "page": spot.page,
    }


def _expected(row: Row) -> Json:
    expected = row.expected
    if expected is None:
        return None
    return {
        "value": expected.value,
        "lo": expected.low,
        "hi": expected.high,
        "definition": expected.definition,
        "evidence": [dict(point) for point in expected.evidence],
    }
