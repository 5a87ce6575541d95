"""metrics.csv: every cell of the grid as a tidy table."""

from __future__ import annotations

import csv
import io
import math

from reportgen.records.facts import Facts
from reportgen.records.quantity import Missing, Reading
from reportgen.render._facts_json import why_missing
from reportgen.render._strict_json import number_value

CSV_COLUMNS = (
    "group",
    "label",
    "seed",
    "run",
    "metric",
    "unit",
    "best_step",
    "best_epoch",
    "select_split",
    "select_value",
    "report_split",
    "report_value",
    "last_value",
    "oracle_value",
    "missing",
)
"""Columns of metrics.csv; one row a cell of the grid."""


def metrics_csv(facts: Facts) -> bytes:
    """Return every cell of the grid as a tidy table, one row a cell.

    A text that a spreadsheet would run as a formula starts with an apostrophe; report.json
    keeps the exact text.

    Missing: an empty field, with the reason in the last column.
    """
    out = io.StringIO(newline="")
    # With the line ends of RFC 4180 a name that holds any line break is quoted.
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS)
    metric = facts.study.metric
    for group in facts.groups:
        for cell in group.cells:
            writer.writerow(
                [
                    guarded(group.name),
                    guarded(group.label),
                    "" if cell.seed is None else cell.seed,
                    guarded(cell.run.id if cell.run else ""),
                    guarded(metric.name),
                    "fraction" if group.unit else "",
                    _field(cell.best_step),
                    _field(cell.best_epoch),
                    metric.select_on,
                    _field(cell.select_value),
                    group.report_split,
                    _field(cell.report_value),
                    _field(cell.last_value),
                    _field(cell.oracle_value),
                    guarded(why_missing(cell) or ""),
                ]
            )
    return out.getvalue().encode("utf-8", errors="backslashreplace")


def _field(reading: Reading) -> str:
    if isinstance(reading, Missing) or not math.isfinite(reading.value):
        return ""
    return str(number_value(reading.value))


def guarded(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
