"""Findings as one page that loads nothing: the report's text, every claim marked by its verdict."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.checking.projections._html_page import class_page, report_page
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.finding import Judgement


def render(judgements: Sequence[Judgement], options: Rendering) -> str:
    """Return one HTML page.

    Of a report: its text with every claim marked, and what was found at each, with evidence,
    readings and cause. Several reports make the page of a class: a table first, then each report
    folded away. The page needs no script to be read and filtered; the script shows what was
    found beside a number that is clicked or focused, and sorts the table. A content security
    policy keeps the page from loading or running anything else.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> page = render([Judgement(manuscript=report, findings=())], Rendering())
        >>> page.startswith("<!doctype html>"), "http:" in page
        (True, False)
    """
    if len(judgements) == 1:
        return report_page(judgements[0], options)
    return class_page(judgements, options)
