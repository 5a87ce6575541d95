"""What a check says of each number of a report, and what it says it by."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from reportgen.records.record import field, record

if TYPE_CHECKING:
    from reportgen.records.facts import Facts
    from reportgen.records.manuscript import Manuscript, Place
    from reportgen.records.source import Problem

OUTCOMES = ("contradicted", "traced", "untraced", "no_claim")
"""Every number ends as one of these; `no_claim` are dates, versions, numbers of sections."""

LEVELS = ("error", "warning", "note", "none")

RULES = {
    "series": "a column, a row or a repeated key stands in a logged series",
    "sentence": "a number of a sentence stands in the evidence",
    "setting": "a setting is that of the runs or of the configuration",
    "adapter": "a value of an adapter is that of its configuration",
    "count": "a count of parameters, layers, runs or steps is that of the evidence",
    "arithmetic": "printed arithmetic comes out as it is printed",
    "column": "means, spreads and formulas over the report's own columns come out as printed",
    "difference": "a difference is that of the two values it is of",
    "twice": "what is said twice is the same both times",
    "statement": "a statement without a number holds in the evidence",
    "named": "a number with an id is that of the built report",
}
"""Names of the checks, each with what holds where it agrees."""


@record
class Printed:
    """A number as it is printed: its decimals and trailing zeros are data.

    Attributes:
        text: As printed, joined (`1,572, 864`).
        value: What it says: `Decimal("75.40")` for `75,40 %`; the unit is not applied.
        decimals: Digits behind the point of the value; negative for `22.8M` (its last
            printed digit stands for 10 ** -decimals).
        unit: `"percent"`, `"points"`, or `""`.
        start: Where it begins in the block's (or cell's) text.
        end: The position behind it.
        word: Whether it is written out (`six`).
        approximate: `""`, or the word that makes it so (`about`, `nearly`, `over`).
    """

    text: str
    value: Decimal
    decimals: int = 0
    unit: str = ""
    start: int = 0
    end: int = 0
    word: bool = False
    approximate: str = ""

    @property
    def half_unit(self) -> Decimal:
        """Half a unit of the last printed place."""
        return Decimal(5).scaleb(-self.decimals - 1)


@record
class Context:
    """What stands around a number.

    Attributes:
        row: Label of the table's row; empty in a text.
        head: Heads of the table's column, the outermost first, joined by ` | `.
        caption: Caption of the table or figure; of a list, the sentence that leads to it.
        headings: Headings above, the outermost first.
        sentence: The sentence, or the text of the cell.
        offset: Where the number begins in `sentence`.
    """

    row: str = ""
    head: str = ""
    caption: str = ""
    headings: tuple[str, ...] = ()
    sentence: str = ""
    offset: int = 0


@record
class Number:
    """One number of a report, as it is printed, where it stands.

    Attributes:
        id: `n1`, `n2`, ... in reading order.
        printed: Its value, decimals and unit.
        place: File, page, line and columns.
        block: Index of the block in the manuscript.
        type: Type of that block (`table`, `paragraph`, `item`, `code`, ...).
        start: Where it begins in the block's text; in a table, in the cell's text.
        end: The position behind it.
        context: What stands around it.
        row: Row of the table from 0, heads included; None in a text.
        column: Column of the table from 0.
        part: Which number of its cell it is, from 0.
        spread: Whether it is the spread of the number before it (`0.81 ± 0.02`).
    """

    id: str
    printed: Printed
    place: Place
    block: int = 0
    type: str = "paragraph"
    start: int = 0
    end: int = 0
    context: Context = Context()
    row: int | None = None
    column: int | None = None
    part: int = 0
    spread: bool = False


@record
class Trace:
    """Where a value stands in the evidence, or how it follows from the report itself.

    Attributes:
        what: In words (`eval_wer at step 1000`, `mean of 5 runs`, `77.0 - 74.9`).
        value: Unrounded, in the unit of the evidence.
        path: File; empty where the value follows from the report.
        tag: Tag or key in the file.
        run: Id of the run.
        step: Step of the value, in the run's own clock.
    """

    what: str
    value: float | None = None
    path: str = ""
    tag: str = ""
    run: str = ""
    step: int | None = None


@record
class Verdict:
    """What a check says of one number, or of one statement without a number.

    Attributes:
        outcome: One of `OUTCOMES`.
        rule: Which check says it (`series`, `sentence`, `setting`, `count`, `arithmetic`, ...).
        number: None for a statement.
        place: Where it stands.
        quote: The words or the cells it was read from, at most 200 characters.
        level: `"error"` needs two bindings, `"warning"` one; `"none"` for all that is not
            contradicted.
        bindings: What binds the number to its evidence: `vote`, `key`, `words`, `neighbour`,
            `name`, `formula`.
        traces: What it agrees with, or what it should agree with.
        expected: What should be printed, in the printed unit and decimals.
        cause: A simple change that would explain it, or empty.
        message: For people: what the report says, what the evidence has and where.
        reason: Of what is untraced or claims nothing: why.
    """

    outcome: str
    rule: str
    place: Place
    number: Number | None = None
    quote: str = ""
    level: str = "none"
    bindings: tuple[str, ...] = ()
    traces: tuple[Trace, ...] = ()
    expected: str = ""
    cause: str = ""
    message: str = ""
    reason: str = ""


@record
class Stored:
    """One value of a file beside the report that is no log: JSON, YAML, CSV.

    Attributes:
        path: The file, as the user would name it.
        keys: Where in it the value stands: names of objects and fields, positions in lists as
            digits; of a table the label of the row (or its position) and the column.
        value: Number, text or truth value.
    """

    path: str
    keys: tuple[str, ...]
    value: float | str | bool


@record
class Stated:
    """One number of a built report: what an id stands for.

    Attributes:
        id: In full; a source may spell it without the characters that LaTeX cannot take.
        printed: As the report prints it; an em dash where it is missing.
        value: Unrounded, as report.json has it; None where it is missing.
        source: Where that stands, in words (`report.json`).
        settled: Whether this is what the author's own report says, and not what the evidence
            gives under the settings of today.
    """

    id: str
    printed: str
    value: float | None
    source: str
    settled: bool


@record
class Evidence:
    """All that a report is held against.

    Attributes:
        facts: What logs, model and adapters show; None where there is nothing of them.
        stored: Values of other files that lie beside, in the order of their paths.
        files: (id, path, sha256) of what was read.
        stated: Numbers of a built report by their ids, where its report.json is given.
    """

    facts: Facts | None = None
    stored: tuple[Stored, ...] = ()
    files: tuple[tuple[str, str, str], ...] = ()
    stated: Mapping[str, Stated] = field(default_factory=dict)


@record
class Review:
    """All that was found in one report.

    Attributes:
        manuscript: The report.
        verdicts: One a number, in reading order, then one a statement.
        evidence: Files the verdicts rest on: id, path, sha256.
        problems: What could not be read, of the report and of the evidence.
        assumed: What was inferred and not stated: (what, value, why).
        remark: What the reader has to know first (`hardly anything of this report stands in
            the evidence`), or empty.
        fault: Why the report could not be checked at all, or empty.
    """

    manuscript: Manuscript
    verdicts: tuple[Verdict, ...] = ()
    evidence: tuple[tuple[str, str, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    assumed: tuple[tuple[str, str, str], ...] = ()
    remark: str = ""
    fault: str = ""

    def totals(self) -> dict[str, int]:
        """Return how many numbers have each outcome, and how many findings each level has."""
        numbers = [verdict for verdict in self.verdicts if verdict.number is not None]
        counts = {name: sum(one.outcome == name for one in numbers) for name in OUTCOMES}
        levels = {
            f"{name}s": sum(one.level == name for one in self.verdicts) for name in LEVELS[:3]
        }
        return {"numbers": len(numbers), **counts, **levels}


# What the lines of a rubric are worth, and which verdicts cost points on which line.

VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")
"""When students see a line, in the words of Gradescope."""

UNREADABLE = ("ungraded", "zero")
"""What becomes of a report that could not be checked: no score at all, or none of the points."""


NOTHING_TO_CHECK = ("zero", "full")
"""What a line earns of a report that says nothing it looks at: none of its points, or all."""


@record
class RubricLine:
    """One line of a rubric: what it looks at, and what is lost there.

    A line looks at a number or statement when each of `rules` and `sections` that is not empty
    has a pattern (as in a shell, capitals and small letters alike) that fits.

    Attributes:
        id: Short name, unique in the rubric.
        title: What students read.
        points: Most that can be earned; 0 makes the line informational.
        rules: Patterns of the names of checks (`series`, `s*`).
        kinds: More of them, as older rubrics call them.
        sections: Patterns of headings: the nearest above the number and those that hold it.
        error: Points that an error costs.
        warning: Points that a warning costs.
        visibility: One of `VISIBILITIES`; empty takes the rubric's.
        nothing_to_check: One of `NOTHING_TO_CHECK`; empty takes the rubric's.
    """

    id: str
    title: str = ""
    points: Decimal = Decimal(0)
    rules: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    error: Decimal = Decimal(1)
    warning: Decimal = Decimal(0)
    visibility: str = ""
    nothing_to_check: str = ""


@record
class Rubric:
    """The lines, in order: a number belongs to the first that looks at it.

    Attributes:
        lines: At least one.
        title: Name of the assignment, or empty.
        unreadable: One of `UNREADABLE`.
        visibility: One of `VISIBILITIES`, of every line that does not say otherwise.
        nothing_to_check: One of `NOTHING_TO_CHECK`, of every line that does not say otherwise.
    """

    lines: tuple[RubricLine, ...]
    title: str = ""
    unreadable: str = "ungraded"
    visibility: str = "visible"
    nothing_to_check: str = "zero"

    @property
    def points(self) -> Decimal:
        """Most that can be earned.

        Example:
            >>> half = RubricLine(id="a", points=Decimal("0.5"))
            >>> print(Rubric(lines=(half, RubricLine(id="b", points=Decimal(2)))).points)
            2.5
        """
        return sum((line.points for line in self.lines), Decimal(0))
