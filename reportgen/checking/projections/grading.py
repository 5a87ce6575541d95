"""Verdicts for grading services: scored lines, for GitHub Classroom and for Gradescope."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fnmatch import fnmatchcase

from reportgen import __version__
from reportgen.checking.projections._records import (
    Json,
    Record,
    Rendering,
    Row,
    headlines,
    make_records,
    strict,
    why_unread,
    words,
)
from reportgen.records.record import record
from reportgen.records.source import shorten
from reportgen.records.verdict import Review, Rubric, RubricLine

# Scored lines as the words and numbers that grading services show to students.

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
    costs: tuple[Row, ...] = ()
    rows: tuple[Row, ...] = ()
    fault: str = ""
    nothing: bool = False

    @property
    def got(self) -> float:
        """Points; 0 out of 0 where nothing is scored."""
        return float(self.earned or 0)

    @property
    def most(self) -> float:
        """Most that can be earned."""
        return float(self.line.points) if self.earned is not None else 0.0

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
    contradicted = (row for row in rows if row.outcome == "contradicted")
    costs = tuple(row for row in contradicted if _price(line, row))
    lost = sum((_price(line, row) for row in costs), Decimal(0))
    return ScoredLine(
        line=line, earned=max(Decimal(0), line.points - lost), costs=costs, rows=tuple(rows)
    )


def _price(line: RubricLine, row: Row) -> Decimal:
    """Return what a finding costs, whatever is left of the points of its line."""
    return {"error": line.error, "warning": line.warning}.get(row.level, Decimal(0))


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


UNGRADED = "This is no grade: the points stand out of 0, and somebody has to read the report."


def rubric_of(options: Rendering) -> Rubric:
    """Return the rubric that is used."""
    return options.rubric or DEFAULT_RUBRIC


def grade(
    reviews: Sequence[Review], options: Rendering
) -> Iterator[tuple[str, str, str, ScoredLine]]:
    """Yield every line of the rubric for every report; a topic nothing belongs to is left out.

    Only lines worth nothing are left out so, for a line with points has to add up. Before the line
    stand its title, its number (`2.1` is the first line of the second report), and the file of the
    first thing that costs points, or of the report.
    """
    records = make_records(reviews, options)
    several = len(records) > 1
    for index, one in enumerate(records, 1):
        lines = score(one, rubric_of(options))
        kept = [scored for scored in lines if scored.line.points or scored.rows or scored.fault]
        if one.fault and options.rubric is None:
            kept = kept[:1]
        for turn, scored in enumerate(kept, 1):
            title = words(scored.line.title or scored.line.id)
            name = f"{one.name}: {title}" if several else title
            file = scored.costs[0].spot.file if scored.costs else one.path
            yield name, f"{index}.{turn}" if several else f"{turn}", file, scored


def _told(scored: ScoredLine, limit: int) -> str:
    """Return what costs points, what is untraced, what is traced, in words, one a line."""
    return shorten("\n".join(_reasons(scored)), limit) if limit else ""


def _reasons(scored: ScoredLine) -> Iterator[str]:
    if scored.fault:
        yield f"could not be checked: {why_unread(scored.fault)}"
        if scored.earned is None:
            yield UNGRADED
        return
    for row in scored.costs:
        price = f"−{points(_price(scored.line, row))}: " if scored.line.points else ""
        yield f"{price}{row.spot}: {row.told}"
    for row in scored.of_outcome("contradicted"):
        if row not in scored.costs:
            yield f"Costs nothing: {row.spot}: {row.told}"
    if traced := len(scored.of_outcome("traced")):
        yield f"{traced} stand{'s' if traced == 1 else ''} in the evidence."
    if untraced := len(scored.of_outcome("untraced")):
        stand = "stands" if untraced == 1 else "stand"
        yield f"{untraced} {stand} nowhere in the evidence, which costs nothing."
    if scored.nothing and scored.line.points:
        price = "costs nothing" if scored.earned else "earns no points"
        yield f"Nothing to check: the report says nothing that belongs here, which {price}."
    elif not scored.rows:
        yield "Nothing in the report belongs here."


def points(value: Decimal) -> str:
    """Return points without trailing zeros.

    Example:
        >>> points(Decimal("2.50")), points(Decimal("10"))
        ('2.5', '10')
    """
    return f"{value.normalize():f}"


def overall(reviews: Sequence[Review], options: Rendering, limit: int) -> str:
    """Return what is said of whole submissions: how much is traced, what could not be read."""
    records = make_records(reviews, options)
    told = []
    for one in records:
        prefix = f"{one.name}: " if len(records) > 1 else ""
        told += [f"{prefix}{sentence}" for sentence in headlines(one)]
        told += [f"{prefix}{p}: {what}" for p, what, _, level in one.problems if level != "note"]
    return shorten("\n".join(told) or "No report was checked.", limit)


# Verdicts as GitHub Classroom's grading reporter reads them from an environment variable.

LARGEST = 96 * 1024
"""Characters of the result: Linux hands over no variable of more than 128 KiB."""

_LENGTHS = (4000, 1000, 250, 60, 0)
_NOTHING: dict[str, Json] = {"name": "Nothing to check", "status": "pass", "score": 0.0}


def render_classroom(reviews: Sequence[Review], options: Rendering) -> str:
    """Return one line of base64: the JSON that `RUNNER_RESULTS` holds.

    Each line of the rubric is a test; it passes where nothing on it costs points. The whole
    fails where a finding does so under `fail_on`, which fails the job, and is an `error` where a
    report could not be checked. Without a rubric, and for a report that could not be
    checked, the most that can be earned is 0, and the reporter then announces no points.
    """
    tests = [*grade(reviews, options)]
    status = _status(reviews, options)
    # Messages are shortened until the whole fits: the reporter reads all of it, or nothing.
    for length in _LENGTHS:
        content = _content(tests, status, length)
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        line = base64.b64encode(text.encode()).decode("ascii")
        if len(line) <= LARGEST:
            break
    return f"{line}\n"


def _status(reviews: Sequence[Review], options: Rendering) -> str:
    if any(review.fault for review in reviews):
        return "error"
    levels = {verdict.level for review in reviews for verdict in review.verdicts}
    return "fail" if any(options.fails(level) for level in levels) else "pass"


def _content(
    tests: Sequence[tuple[str, str, str, ScoredLine]], status: str, length: int
) -> dict[str, Json]:
    listed: list[Json] = [
        {
            "name": shorten(name, 200),
            "status": "error" if scored.fault else "pass" if scored.clean else "fail",
            "score": scored.got,
            "message": _told(scored, length),
            "test_code": scored.line.id,
            "filename": file,
            "line_no": next((one.spot.line for one in scored.costs[:1] if one.spot.opens), 0),
        }
        for name, _, file, scored in tests
    ]
    return {
        "version": 1,
        "status": status,
        "max_score": float(sum(scored.most for *_, scored in tests)),
        # The reporter divides by the number of tests.
        "tests": listed
        or [{**_NOTHING, "message": "", "test_code": "", "filename": "", "line_no": 0}],
    }


# Verdicts as Gradescope's results.json: one test a line of the rubric.

_LONGEST_OUTPUT = 20_000


def render_gradescope(reviews: Sequence[Review], options: Rendering) -> str:
    """Return results.json, valid whatever happened.

    Each line of the rubric is a test whose output tells what costs points and why. Without a
    rubric the tests are informational: 0 points out of 0.

    Missing: Gradescope wants a score of every submission. A report that could not be checked
    has 0 out of 0, says so, and has `"graded": false` in its extra data; only a rubric with
    `unreadable = "zero"` makes it 0 out of the line's points.
    """
    tests = [*grade(reviews, options)]
    visibility = options.visibility or rubric_of(options).visibility
    content: dict[str, Json] = {
        "score": float(sum(scored.earned or 0 for *_, scored in tests)),
        "output": overall(reviews, options, _LONGEST_OUTPUT),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "extra_data": {
            "generated_by": f"reportgen {__version__}",
            "graded": bool(tests) and all(scored.earned is not None for *_, scored in tests),
        },
        "tests": [
            _test(name, number, scored, options.visibility or scored.line.visibility or visibility)
            for name, number, _, scored in tests
        ],
    }
    return strict(content)


def _test(name: str, number: str, scored: ScoredLine, visibility: str) -> Json:
    outcomes = ("traced", "contradicted", "untraced")
    return {
        "name": name,
        "name_format": "text",
        "number": number,
        "score": scored.got,
        "max_score": scored.most,
        "status": "passed" if scored.clean else "failed",
        "output": _told(scored, _LONGEST_OUTPUT),
        "output_format": "text",
        "tags": [scored.line.id],
        "visibility": visibility,
        "extra_data": {name: len(scored.of_outcome(name)) for name in outcomes},
    }
