"""The abstract: the result, then the heads of what is worth saying."""

from __future__ import annotations

from reportgen.languages import message, say_count
from reportgen.records.document import Text
from reportgen.records.facts import Facts
from reportgen.records.quantity import Missing
from reportgen.report._evidence import of_cell, of_cells
from reportgen.report._focus import focus_of
from reportgen.report._numbers import counted
from reportgen.report._phrases import with_names
from reportgen.report._tasks import why_apart
from reportgen.report.results import result_text


def abstract(facts: Facts) -> Text:
    """Return the abstract; empty without a group."""
    if not facts.groups:
        return ()
    texts = [result_text(facts, focus_of(facts), "abstract"), why_apart(facts), _absent(facts)]
    joined = tuple(part for one in texts if one for part in (" ", *one))[1:]
    return with_names(joined)


def _absent(facts: Facts) -> Text:
    """Say how many runs have no result."""
    cells = [(g, c) for g in facts.groups for c in g.cells]
    absent = [(g, c) for g, c in cells if isinstance(c.report_value, Missing)]
    if not absent or len(absent) == len(cells):
        return ()
    n = counted(
        "abstract.missing",
        len(absent),
        message("runs without a result"),
        [of_cell(facts.study, group, cell) for group, cell in absent],
    )
    every = counted(
        "abstract.runs", len(cells), message("runs"), of_cells(facts.study, facts.groups)
    )
    return say_count(
        "{n} of {every} runs has no result.",
        "{n} of {every} runs have no result.",
        len(absent),
        n=n,
        every=every,
    )
