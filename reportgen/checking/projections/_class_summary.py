"""A class at a glance: as CSV for a spreadsheet, and as a page to click through."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from reportgen.checking.projections._class_rows import class_rows
from reportgen.checking.projections._graded import points
from reportgen.checking.projections._html_page import class_page
from reportgen.checking.projections._plain import shorten
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.finding import Judgement

_LONGEST = 900
# What a spreadsheet takes for the start of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = (
    *("name", "status", "errors", "warnings", "notes"),
    *("numbers", "claims", "checked", "agrees", "borderline", "disagrees", "not_checkable"),
    *("points", "max_points", "top_findings", "path"),
)


def class_csv(judgements: Sequence[Judgement], options: Rendering) -> str:
    r"""Return the class as CSV: one row a submission, in order.

    Points are empty without a rubric and where nothing is scored, which is not zero. A cell
    that a spreadsheet would take for a formula begins with an apostrophe.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="ana.md", format="markdown", sha256="", blocks=())
        >>> text = class_csv([Judgement(manuscript=report, findings=())], Rendering())
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
                _cell(shorten(" | ".join(row.top), _LONGEST)),
                _cell(record.path),
            ]
        )
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def class_html(judgements: Sequence[Judgement], options: Rendering) -> str:
    """Return the class as one page: a table to sort, and each report behind its name.

    Example:
        >>> page = class_html([], Rendering())
        >>> "<h1>0 reports</h1>" in page
        True
    """
    return class_page(judgements, options)
