"""Verdicts as one page that loads nothing: the report's text, each number marked by its outcome."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.checking.projections._class import class_html
from reportgen.checking.projections._html_page import report_page
from reportgen.checking.projections._records import make_records
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.verdict import Review


def render(reviews: Sequence[Review], options: Rendering) -> str:
    """Return one HTML page.

    Of a report: its text with every number marked, and what was found at each, with evidence and
    cause. Several reports make the page of a class: a table first, then each report folded away.
    The page needs no script to be read and filtered; the script shows what was found beside a
    number that is pointed at, clicked or focused, and sorts the table. A content security policy
    keeps the page from loading or running anything else.
    """
    if len(reviews) == 1:
        return report_page(make_records(reviews, options)[0])
    return class_html(reviews, options)
