"""Verdicts as Gradescope's results.json: one test a line of the rubric."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen import __version__
from reportgen.checking.projections._graded import Graded, grade, overall, rubric_of
from reportgen.checking.projections._records import Rendering
from reportgen.checking.projections._words import Json, strict
from reportgen.records.source import shorten
from reportgen.records.verdict import Review

_LONGEST_OUTPUT = 20_000


def render(reviews: Sequence[Review], options: Rendering) -> str:
    """Return results.json, valid whatever happened.

    Each line of the rubric is a test whose output tells what costs points and why. Without a
    rubric the tests are informational: 0 points out of 0.

    Missing: Gradescope wants a score of every submission. A report that could not be checked
    has 0 out of 0, says so, and has `"graded": false` in its extra data; only a rubric with
    `unreadable = "zero"` makes it 0 out of the line's points.
    """
    tests = grade(reviews, options)
    visibility = options.visibility or rubric_of(options).visibility
    content: dict[str, Json] = {
        "score": float(sum(test.scored.earned or 0 for test in tests)),
        "output": overall(reviews, options, _LONGEST_OUTPUT),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "extra_data": {
            "generated_by": f"reportgen {__version__}",
            "graded": bool(tests) and all(test.scored.earned is not None for test in tests),
        },
        "tests": [_test(test, visibility, options) for test in tests],
    }
    return strict(content)


def _test(test: Graded, visibility: str, options: Rendering) -> Json:
    line = test.scored.line
    outcomes = ("traced", "contradicted", "untraced")
    return {
        "name": test.name,
        "name_format": "text",
        "number": test.number,
        "score": test.earned,
        "max_score": test.most,
        "status": "passed" if test.scored.clean else "failed",
        "output": shorten(test.reasons, _LONGEST_OUTPUT),
        "output_format": "text",
        "tags": [line.id],
        "visibility": options.visibility or line.visibility or visibility,
        "extra_data": {name: len(test.scored.of_outcome(name)) for name in outcomes},
    }
