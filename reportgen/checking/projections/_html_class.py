"""A class as a table of the page."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.checking.projections._class_rows import ClassRow
from reportgen.checking.projections._graded import points
from reportgen.checking.projections._html_text import escape
from reportgen.checking.projections._plain import shorten

_LONGEST = 300
_COUNTED = (
    *("Errors", "Warnings", "Notes"),
    *("Agree", "Borderline", "Not checkable", "Checked"),
)


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
