"""Findings as Gradescope's results.json: one test a line of the rubric."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen import __version__
from reportgen.checking.projections._graded import Graded, grade, overall, rubric_of
from reportgen.checking.projections._plain import Json, shorten, strict
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.finding import Judgement

_LONGEST_OUTPUT = 20_000


def render(judgements: Sequence[Judgement], options: Rendering) -> str:
    """Return results.json, valid whatever happened.

    Each line of the rubric is a test whose output tells what costs points and why. Without a
    rubric the tests are informational: 0 points out of 0.

    Missing: Gradescope wants a score of every submission. A report that could not be checked
    has 0 out of 0, says so, and has `"graded": false` in its extra data; only a rubric with
    `unreadable = "zero"` makes it 0 out of the line's points.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> '"score": 0.0' in render([Judgement(manuscript=report, findings=())], Rendering())
        True
    """
    tests = grade(judgements, options)
    visibility = options.visibility or rubric_of(options).visibility
    content: dict[str, Json] = {
        "score": float(sum(test.scored.earned or 0 for test in tests)),
        "output": overall(judgements, options, _LONGEST_OUTPUT),
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
        "extra_data": {
            "agrees": len(test.scored.with_verdict("agrees")),
            "borderline": len(test.scored.with_verdict("borderline")),
            "disagrees": len(test.scored.with_verdict("disagrees")),
            "not_checkable": len(test.scored.with_verdict("not checkable")),
        },
    }
