"""Verdicts to points: what is contradicted may cost, what is untraced never does."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fnmatch import fnmatchcase

from reportgen.checking.projections._records import Record, Row
from reportgen.records.record import record
from reportgen.records.verdict import Rubric, RubricLine

_TOPICS = (
    ("results", "Values stand in the logs", ("series", "sentence")),
    ("calculations", "Arithmetic, means and differences", ("arithmetic", "column", "difference")),
    ("statements", "Comparisons, trends, and what is said twice", ("statement", "twice")),
    ("settings", "Settings and adapters", ("setting", "adapter")),
    ("counts", "Counts of parameters, runs and steps", ("count",)),
    ("other", "Everything else", ()),
)

DEFAULT_RUBRIC = Rubric(
    title="Consistency with the evidence",
    lines=tuple(RubricLine(id=name, title=title, rules=rules) for name, title, rules in _TOPICS),
)
"""What is used without a rubric: one line a topic, each worth nothing.

A course that gave no rubric wants to read what was found, not to have it graded: every line is
worth 0 points, so that no score is changed, and shows whether it holds an error.
"""


@record
class Cost:
    """What is contradicted and costs points, whatever is left of the line's."""

    row: Row
    points: Decimal


@record
class ScoredLine:
    """One line of a rubric with what a report earns on it.

    Attributes:
        line: The line.
        earned: Points, from 0 to those of the line; None where nothing is scored.
        costs: What costs points, in reading order; on a line worth nothing, what would.
        rows: What the line looks at, in reading order.
        fault: Why the report could not be checked, or empty.
        nothing: Whether the report has nothing that the line could look at.
    """

    line: RubricLine
    earned: Decimal | None
    costs: tuple[Cost, ...] = ()
    rows: tuple[Row, ...] = ()
    fault: str = ""
    nothing: bool = False

    @property
    def clean(self) -> bool:
        """Whether nothing on the line costs anything."""
        return not self.fault and not self.costs and self.earned == self.line.points

    def of_outcome(self, outcome: str) -> tuple[Row, ...]:
        """Return the rows of an outcome."""
        return tuple(row for row in self.rows if row.outcome == outcome)


def score(record: Record, rubric: Rubric) -> tuple[ScoredLine, ...]:
    """Return what a report earns on each line of a rubric.

    A number or statement belongs to the first line that looks at it, and costs points there
    alone: where it is contradicted, at the levels error and warning. No line falls below 0. What
    is untraced never costs points. A line that the report says nothing for earns nothing, unless
    the rubric says `nothing_to_check = "full"`; it is not taken for one where a number is
    untraced that may belong to it.

    Missing: Of a report that could not be checked nothing is earned and nothing lost: `earned`
    is None and `fault` says why, unless the rubric says `unreadable = "zero"`.
    """
    if record.fault:
        earned = Decimal(0) if rubric.unreadable == "zero" else None
        lines = rubric.lines
        return tuple(ScoredLine(line=one, earned=earned, fault=record.fault) for one in lines)
    met: set[str] = set()
    own: dict[str, list[Row]] = {line.id: [] for line in rubric.lines}
    for row in record.of_outcome("traced", "contradicted", "untraced"):
        met |= {line.id for line in rubric.lines if line.id not in met and _may_meet(line, row)}
        if line := next((line for line in rubric.lines if looks_at(line, row)), None):
            own[line.id].append(row)
    return tuple(
        _scored(line, own[line.id]) if line.id in met else _unmet(line, rubric)
        for line in rubric.lines
    )


def _unmet(line: RubricLine, rubric: Rubric) -> ScoredLine:
    full = (line.nothing_to_check or rubric.nothing_to_check) == "full"
    return ScoredLine(line=line, earned=line.points if full else Decimal(0), nothing=True)


def _scored(line: RubricLine, rows: Sequence[Row]) -> ScoredLine:
    prices = {"error": line.error, "warning": line.warning}
    priced = (Cost(row=row, points=prices.get(row.level, Decimal(0))) for row in rows)
    costs = tuple(one for one in priced if one.points and one.row.outcome == "contradicted")
    lost = sum((cost.points for cost in costs), Decimal(0))
    return ScoredLine(
        line=line, earned=max(Decimal(0), line.points - lost), costs=costs, rows=tuple(rows)
    )


def _may_meet(line: RubricLine, row: Row) -> bool:
    """Say whether a line looks at a row, or may: which check would have spoken is not known."""
    return looks_at(line, row) or (row.outcome == "untraced" and _fits(row.headings, line.sections))


def looks_at(line: RubricLine, row: Row) -> bool:
    """Say whether a line of a rubric looks at a row: by its rule and the headings above it."""
    return _fits((row.rule,), (*line.rules, *line.kinds)) and _fits(row.headings, line.sections)


def _fits(texts: Sequence[str], patterns: Sequence[str]) -> bool:
    if not patterns:
        return True
    return any(fnmatchcase(text.casefold(), p.casefold()) for text in texts for p in patterns)
