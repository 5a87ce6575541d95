"""Verdicts as GitHub Classroom's grading reporter reads them from an environment variable."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

from reportgen.checking.projections._graded import Graded, grade
from reportgen.checking.projections._records import Rendering
from reportgen.checking.projections._words import Json
from reportgen.records.source import shorten
from reportgen.records.verdict import Review

LARGEST = 96 * 1024
"""Characters of the result: Linux hands over no variable of more than 128 KiB."""

_LENGTHS = (4000, 1000, 250, 60, 0)
_NOTHING: dict[str, Json] = {"name": "Nothing to check", "status": "pass", "score": 0.0}


def render(reviews: Sequence[Review], options: Rendering) -> str:
    """Return one line of base64: the JSON that `RUNNER_RESULTS` holds.

    Each line of the rubric is a test; it passes where nothing on it costs points. The whole
    fails where a finding does so under `fail_on`, which fails the job, and is an `error` where a
    report could not be checked. Without a rubric, and for a report that could not be
    checked, the most that can be earned is 0, and the reporter then announces no points.
    """
    tests = grade(reviews, options)
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


def _content(tests: Sequence[Graded], status: str, length: int) -> dict[str, Json]:
    listed: list[Json] = [
        {
            "name": shorten(test.name, 200),
            "status": _test_status(test),
            "score": test.earned,
            "message": shorten(test.reasons, length) if length else "",
            "test_code": test.scored.line.id,
            "filename": test.file,
            "line_no": test.place,
        }
        for test in tests
    ]
    return {
        "version": 1,
        "status": status,
        "max_score": float(sum(test.most for test in tests)),
        # The reporter divides by the number of tests.
        "tests": listed
        or [{**_NOTHING, "message": "", "test_code": "", "filename": "", "line_no": 0}],
    }


def _test_status(test: Graded) -> str:
    if test.scored.fault:
        return "error"
    return "pass" if test.scored.clean else "fail"
