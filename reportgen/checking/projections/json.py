"""findings.json: the whole record, which every other format is a view of."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen import __version__
from reportgen.checking.projections._records import (
    Json,
    Record,
    Rendering,
    Row,
    make_records,
    strict,
)
from reportgen.records.verdict import Review

SCHEMA = "reportgen-findings/2"
"""Name of the format; raised when a key changes its meaning."""

CLASS_SCHEMA = "reportgen-class-findings/2"


def render(reviews: Sequence[Review], options: Rendering) -> str:
    """Return findings.json: strict JSON in a stable order, without times, so that it diffs.

    One report is the object that `docs/reference/findings.schema.json` describes; several are
    an object with the list `submissions` of such objects.

    Missing: A number that JSON cannot hold is its name as a text; what does not apply is null
    or empty.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> print(render([Review(manuscript=report)], Rendering())[:37])
        {
         "schema": "reportgen-findings/2",
    """
    records = make_records(reviews, options)
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
            "sha256": record.manuscript.sha256,
            "format": record.manuscript.format,
            "pages": record.manuscript.pages,
        },
        "fault": record.fault,
        "remark": record.remark,
        "evidence": [
            {"id": name, "path": path, "sha256": digest, "tag": ", ".join(tags)}
            for name, path, digest, tags in record.evidence
        ],
        "totals": dict(record.totals),
        "numbers": [_entry(row) for row in record.rows if row.printed is not None],
        "statements": [_entry(row) for row in record.rows if row.printed is None],
        "problems": [dict(zip(_PROBLEM, one, strict=True)) for one in record.problems],
        "assumed": [dict(zip(_ASSUMED, one, strict=True)) for one in record.assumed],
    }


_PROBLEM, _ASSUMED = ("path", "message", "remedy", "level"), ("what", "value", "why")
_PLACE = ("file", "part", "line", "col", "endCol", "page")
_FIELDS = (
    *("outcome", "level", "rule", "quote", "section", "context", "evidence", "bindings"),
    *("expected", "cause", "message", "reason", "fingerprint"),
)


def _entry(row: Row) -> Json:
    spot = row.spot
    where = spot.file, spot.part, spot.line, spot.column, spot.end_column, spot.page
    # The place comes before the evidence: the first line and the first file are the report's.
    return {
        "id": row.id,
        "place": dict(zip(_PLACE, where, strict=True)),
        **({} if row.printed is None else {"printed": row.printed}),
        **{name: getattr(row, name) for name in _FIELDS},
    }
