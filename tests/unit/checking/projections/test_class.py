"""A class at a glance: one row a submission, those that need a person first."""

import csv
import io
from dataclasses import replace
from decimal import Decimal

from fakes.reviews import empty, every_outcome, hostile, reviewed, unreadable, verdict

from reportgen.checking.projections import Rendering, class_csv, class_html
from reportgen.records.verdict import Rubric, RubricLine

RUBRIC = Rubric(lines=(RubricLine(id="all", points=Decimal(10), error=Decimal("1.5")),))


def rows(*reviews, **options) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(class_csv(reviews, Rendering(**options)))))


def test_what_needs_a_person_comes_first():
    loud = [verdict(1), verdict(2, level="warning"), verdict(3, outcome="traced")]
    half = [verdict(1, outcome="untraced"), verdict(2, outcome="traced")]
    reviews = {
        "traced": reviewed(loud[2:]),
        "half": reviewed(half),
        "warning": reviewed(loud[1:2]),
        "more": reviewed([*loud[:2], *half]),
        "error": reviewed(loud[:1]),
        "others": replace(reviewed(half), remark="these are the logs of another report"),
        "unread": unreadable(),
    }
    listed = rows(*reviews.values(), names=tuple(reviews))
    assert [row["name"] for row in listed] == [
        *("unread", "others", "more", "error", "warning", "half", "traced")
    ]


def test_without_a_rubric_and_without_a_reading_there_is_no_score():
    unread, graded = rows(every_outcome(), unreadable(), rubric=RUBRIC)
    assert graded["score"] == "7"
    assert (unread["score"], unread["max_score"]) == ("", "")
    assert unread["status"] == "could not be checked"
    assert "ends in the middle of a page" in unread["top_findings"]
    assert rows(every_outcome())[0]["score"] == ""


def test_no_cell_is_a_formula():
    formula = reviewed([verdict(1, text="=cmd|' /C calc'!A0")], "=1+1.md")
    for row in rows(formula, hostile(), names=("@SUM(A1)", "-1")):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())


def test_the_page_links_each_name_and_sorts_by_numbers():
    page = class_html([every_outcome(), unreadable()], Rendering(rubric=RUBRIC))
    assert '<a href="#r1">report</a>' in page
    assert page.index('<a href="#r2">broken</a>') < page.index('<a href="#r1">report</a>')
    assert 'data-sort="7.0">7 of 10<' in page
    assert 'data-sort="-1">not graded<' in page
    assert ">Score<" not in class_html([empty()], Rendering())
