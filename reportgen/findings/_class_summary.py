"""A class at a glance: one row a submission, as CSV and as a table of the page."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reportgen.findings._coverage import loudest
from reportgen.findings._graded import points
from reportgen.findings._html_text import escape
from reportgen.findings._plain import shorten
from reportgen.findings._record import Record, make_records
from reportgen.findings._rendering import Rendering
from reportgen.findings._score import score
from reportgen.records.finding import Judgement

_TOP = 3
_LONGEST = 300
_COUNTED = (
    *("Errors", "Warnings", "Notes"),
    *("Agree", "Borderline", "Not checkable", "Checked"),
)
# What a spreadsheet takes for the start of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRow:
    """One submission in numbers.

    Attributes:
        status: The loudest level, `agrees`, or `could not be checked`.
        earned, most: Points; None without a rubric, or where nothing is scored.
        top: Messages of the loudest findings.
    """

    record: Record
    status: str
    earned: Decimal | None
    most: Decimal | None
    top: tuple[str, ...]

    def count(self, level: str) -> int:
        """Return how many findings of a level there are."""
        return len(self.record.of_level(level))


def class_rows(judgements: Sequence[Judgement], options: Rendering) -> tuple[ClassRow, ...]:
    """Return the rows, in the order of the judgements."""
    records = make_records(judgements, options)
    return tuple(
        _class_row(record, judgement, options)
        for record, judgement in zip(records, judgements, strict=True)
    )


def _class_row(record: Record, judgement: Judgement, options: Rendering) -> ClassRow:
    earned = most = None
    if options.rubric is not None:
        scored = [line.earned for line in score(judgement, options.rubric)]
        known = [one for one in scored if one is not None]
        if len(known) == len(scored):
            earned, most = sum(known, Decimal(0)), options.rubric.points
    loud = (*record.of_level("error"), *record.of_level("warning"))
    top = tuple(row.message for row in loud[:_TOP])
    return ClassRow(
        record=record,
        status=loudest(record),
        earned=earned,
        most=most,
        top=(record.fault,) if record.fault else top,
    )


COLUMNS = (
    *("name", "status", "errors", "warnings", "notes"),
    *("numbers", "claims", "checked", "agrees", "borderline", "disagrees", "not_checkable"),
    *("points", "max_points", "top_findings", "path"),
)


def render_csv(judgements: Sequence[Judgement], options: Rendering) -> str:
    r"""Return the class as CSV: one row a submission, in order.

    Points are empty without a rubric and where nothing is scored, which is not zero. A cell
    that a spreadsheet would take for a formula begins with an apostrophe.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="ana.md", format="markdown", sha256="", blocks=())
        >>> text = render_csv([Judgement(manuscript=report, findings=())], Rendering())
        >>> text.splitlines()[1]
        'ana,nothing to check,0,0,0,0,0,0,0,0,0,0,,,,ana.md'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in class_rows(judgements, options):
        record = row.record
        writer.writerow(
            [
                _cell(record.name),
                row.status,
                *(row.count(level) for level in ("error", "warning", "note")),
                *(record.totals[name] for name in COLUMNS[5:12]),
                *("" if one is None else points(one) for one in (row.earned, row.most)),
                _cell(shorten(" | ".join(row.top), _LONGEST * _TOP)),
                _cell(record.path),
            ]
        )
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def class_table(rows: Sequence[ClassRow], anchors: Sequence[str]) -> str:
    """Return the class as a table of the page, each name a link to its report."""
    scored = any(row.earned is not None for row in rows)
    counts = [*_COUNTED, *(["Points"] if scored else [])]
    head = (
        '<th scope="col">Submission</th><th scope="col">Status</th>'
        + "".join(f'<th scope="col" class="count-head">{name}</th>' for name in counts)
        + '<th scope="col">Loudest finding</th>'
    )
    body = "".join(
        _table_row(row, anchor, scored=scored) for row, anchor in zip(rows, anchors, strict=True)
    )
    return (
        '<div class="scroll" tabindex="0"><table class="class"><thead><tr>'
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _table_row(row: ClassRow, anchor: str, *, scored: bool) -> str:
    record = row.record
    totals = record.totals
    numbers = [row.count(level) for level in ("error", "warning", "note")]
    numbers += [totals["agrees"], totals["borderline"], totals["not_checkable"]]
    tone = row.status if row.status in {"error", "warning", "note", "agrees"} else "open"
    cells = [
        f'<th scope="row"><a href="#{anchor}">{escape(record.name)}</a></th>',
        f'<td class="t-{tone}"><span class="badge">{escape(row.status)}</span></td>',
        *(f'<td class="count" data-sort="{number}">{number}</td>' for number in numbers),
        _checked_cell(totals["checked"], totals["claims"]),
    ]
    if scored:
        cells.append(_points_cell(row))
    loud = escape(shorten(row.top[0], _LONGEST)) if row.top else ""
    cells.append(f'<td class="loud"><span>{loud}</span></td>')
    return f"<tr>{''.join(cells)}</tr>"


def _checked_cell(checked: int, claims: int) -> str:
    return f'<td class="count" data-sort="{checked}">{checked} of {max(claims, checked)}</td>'


def _points_cell(row: ClassRow) -> str:
    if row.earned is None or row.most is None:
        return '<td class="count" data-sort="-1">not graded</td>'
    told = f"{points(row.earned)} of {points(row.most)}"
    return f'<td class="count" data-sort="{row.earned}">{told}</td>'
