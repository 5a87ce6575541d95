"""A class at a glance: as CSV for a spreadsheet, and as the table of its page."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from decimal import Decimal

from reportgen.checking.projections._graded import points, score
from reportgen.checking.projections._html_report import escape
from reportgen.checking.projections._records import (
    Record,
    Rendering,
    by_need,
    make_records,
    status,
    untraced_share,
)
from reportgen.records.record import record
from reportgen.records.source import shorten
from reportgen.records.verdict import Review

_LONGEST = 900
_LONGEST_SHOWN = 300
_TOP = 3
# What a spreadsheet takes for the start of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = (
    *("name", "status", "errors", "warnings", "notes"),
    *("numbers", "traced", "contradicted", "untraced", "no_claim", "untraced_share"),
    *("score", "max_score", "top_findings", "path"),
)
_COUNTED = ("errors", "warnings", "traced", "contradicted", "untraced", "no_claim")


@record
class ClassRow:
    """One submission in numbers.

    Attributes:
        position: Of its record among all.
        earned, most: Points; None without a rubric, or where nothing is scored.
        top: The remark, and messages of the loudest findings.
    """

    held: Record
    position: int
    earned: Decimal | None
    most: Decimal | None
    top: tuple[str, ...]


def class_rows(records: Sequence[Record], options: Rendering) -> tuple[ClassRow, ...]:
    """Return a row a submission, those first that a person should read first."""
    return tuple(_row(records[index], index, options) for index in by_need(records))


def _row(held: Record, position: int, options: Rendering) -> ClassRow:
    earned = most = None
    if options.rubric is not None:
        scored = [line.earned for line in score(held, options.rubric)]
        known = [one for one in scored if one is not None]
        if len(known) == len(scored):
            earned, most = sum(known, Decimal(0)), options.rubric.points
    loud = (*held.of_level("error"), *held.of_level("warning"))
    top = (held.fault, held.remark, *(row.told for row in loud[:_TOP]))
    return ClassRow(
        held=held, position=position, earned=earned, most=most, top=tuple(filter(None, top))
    )


def class_csv(reviews: Sequence[Review], options: Rendering) -> str:
    r"""Return the class as CSV: a row a submission, those first that need a person most.

    First what could not be checked, then by errors, warnings and the share of numbers that stand
    nowhere. Points are empty without a rubric and where nothing is scored, which is not zero. A
    cell that a spreadsheet would take for a formula begins with an apostrophe.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="ana.md", format="markdown", sha256="", blocks=())
        >>> class_csv([Review(manuscript=report)], Rendering()).splitlines()[1]
        'ana,nothing traced,0,0,0,0,0,0,0,0,0.00,,,,ana.md'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in class_rows(make_records(reviews, options), options):
        held = row.held
        writer.writerow(
            [
                _cell(held.name),
                status(held),
                *(held.totals[name] for name in COLUMNS[2:10]),
                f"{untraced_share(held):.2f}",
                *("" if one is None else points(one) for one in (row.earned, row.most)),
                _cell(shorten(" | ".join(row.top), _LONGEST)),
                _cell(held.path),
            ]
        )
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def class_table(rows: Sequence[ClassRow], anchors: Sequence[str]) -> str:
    """Return the class as a table of the page, each name a link to its report."""
    scored = any(row.earned is not None for row in rows)
    heads = [name.replace("_", " ").capitalize() for name in _COUNTED] + ["Score"] * scored
    head = (
        '<th scope="col">Submission</th><th scope="col">Status</th>'
        + "".join(f'<th scope="col" class="count-head">{name}</th>' for name in heads)
        + '<th scope="col">To read first</th>'
    )
    body = "".join(_table_row(row, anchors[row.position], scored=scored) for row in rows)
    return (
        '<div class="scroll" tabindex="0"><table class="class"><thead><tr>'
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _table_row(row: ClassRow, anchor: str, *, scored: bool) -> str:
    held, said = row.held, status(row.held)
    tone = said if said in {"error", "warning", "note", "traced"} else "untraced"
    cells = [
        f'<th scope="row"><a href="#{anchor}">{escape(held.name)}</a></th>',
        f'<td class="t-{tone}"><span class="badge">{escape(said)}</span></td>',
        *(f'<td class="count" data-sort="{n}">{n}</td>' for n in map(held.totals.get, _COUNTED)),
    ]
    if scored:
        cells.append(_score_cell(row))
    loud = escape(shorten(row.top[0], _LONGEST_SHOWN)) if row.top else ""
    cells.append(f'<td class="loud"><span>{loud}</span></td>')
    return f"<tr>{''.join(cells)}</tr>"


def _score_cell(row: ClassRow) -> str:
    if row.earned is None or row.most is None:
        return '<td class="count" data-sort="-1">not graded</td>'
    told = f"{points(row.earned)} of {points(row.most)}"
    return f'<td class="count" data-sort="{row.earned}">{told}</td>'
