"""What the lines of a rubric are worth, and which verdicts cost points on which line."""

from __future__ import annotations

from decimal import Decimal

from reportgen.records.record import record

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
