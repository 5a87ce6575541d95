"""Gradescope and GitHub Classroom: points, reasons, and a valid file whatever happened."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from decimal import Decimal

import pytest
from fakes.judgements import empty, every_verdict, finding, judged, unreadable

from reportgen.checking.projections import classroom, gradescope
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.rubric import Rubric, RubricLine
from reportgen.records.source import Problem

RUBRIC = Rubric(
    visibility="after_published",
    lines=(
        RubricLine(
            id="values", title="Values", points=Decimal(5), rules=("value", "aggregate"),
            error=Decimal("1.5"), visibility="hidden",
        ),
        RubricLine(id="rest", title="Everything else", points=Decimal(3), warning=Decimal("0.1")),
    ),
)  # fmt: skip


def graded(*judgements, rubric=RUBRIC, **options):
    return json.loads(gradescope.render(judgements, Rendering(rubric=rubric, **options)))


def classed(*judgements, rubric=RUBRIC, **options):
    text = classroom.render(judgements, Rendering(rubric=rubric, **options))
    return json.loads(base64.b64decode(text))


def test_each_line_of_the_rubric_is_a_test_with_its_points():
    content = graded(every_verdict())
    assert [(one["name"], one["score"], one["max_score"]) for one in content["tests"]] == [
        ("Values", 3.5, 5.0), ("Everything else", 1.9, 3.0),
    ]  # fmt: skip
    assert content["score"] == 5.4
    assert [one["status"] for one in content["tests"]] == ["failed", "failed"]


def test_the_output_tells_what_costs_what_and_that_the_rest_does_not():
    values, rest = graded(every_verdict())["tests"]
    costs, *others = values["output"].splitlines()
    assert costs.startswith("−1.5: the report says 80 (Table 1, line 12); the logs have 78.5 at ")
    assert others == [
        "2 agree with the evidence.",
        "1 within one unit of the last place, which costs nothing.",
    ]
    assert "3 could not be checked, which costs nothing." in rest["output"]
    assert "−0.1: the report says 22.8M" in rest["output"]


def test_a_disagreement_that_costs_nothing_is_told_all_the_same():
    [line] = graded(
        judged([finding(1, level="warning")]),
        rubric=Rubric(lines=(RubricLine(id="a", points=Decimal(2)),)),
    )["tests"]
    assert line["score"] == 2
    assert line["status"] == "passed"
    assert line["output"].startswith("Costs nothing: 81.5")


def test_visibility_is_the_lines_else_the_rubrics_unless_it_is_asked_for():
    assert [one["visibility"] for one in graded(empty())["tests"]] == ["hidden", "after_published"]
    asked = graded(empty(), visibility="visible")
    assert {one["visibility"] for one in asked["tests"]} == {"visible"}
    assert asked["stdout_visibility"] == "hidden"


def test_an_unread_report_is_no_zero():
    content = graded(unreadable())
    assert content["extra_data"]["graded"] is False
    assert [(one["score"], one["max_score"]) for one in content["tests"]] == [(0, 0), (0, 0)]
    assert "could not be checked: the file ends" in content["tests"][0]["output"]
    assert "no grade" in content["tests"][0]["output"]


def test_an_unread_report_is_zero_where_the_rubric_says_so():
    content = graded(unreadable(), rubric=replace(RUBRIC, unreadable="zero"))
    assert content["extra_data"]["graded"] is True
    assert [(one["score"], one["max_score"]) for one in content["tests"]] == [(0, 5), (0, 3)]


def test_without_a_rubric_nothing_is_graded_and_topics_without_claims_are_left_out():
    content = graded(every_verdict(), rubric=None)
    assert content["score"] == 0
    assert {one["max_score"] for one in content["tests"]} == {0}
    assert [one["tags"] for one in content["tests"]] == [
        ["calculations"], ["results"], ["statements"], ["model"], ["settings"],
    ]  # fmt: skip


def test_several_reports_are_told_apart():
    content = graded(every_verdict("ana.md"), empty("ben.md"))
    assert [one["name"] for one in content["tests"]] == [
        "ana: Values", "ana: Everything else", "ben: Values", "ben: Everything else",
    ]  # fmt: skip
    assert [one["number"] for one in content["tests"]] == ["1.1", "1.2", "2.1", "2.2"]
    # Of the second nothing is checked, for it says nothing.
    assert content["score"] == 5.4
    assert {one["output"] for one in content["tests"][2:]} == {
        "Nothing to check: the report says nothing that belongs here, which earns no points."
    }
    assert {one["status"] for one in content["tests"][2:]} == {"failed"}


def test_points_add_up_exactly():
    tenth = Rubric(lines=(RubricLine(id="a", points=Decimal(1), error=Decimal("0.1")),))
    assert graded(judged([finding(i) for i in range(3)]), rubric=tenth)["score"] == 0.7


def test_classroom_has_the_points_and_the_first_place():
    content = classed(every_verdict())
    assert (content["status"], content["max_score"]) == ("fail", 8)
    assert [(one["status"], one["score"], one["line_no"]) for one in content["tests"]] == [
        ("fail", 3.5, 12), ("fail", 1.9, 5),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("level", "fail_on", "status"),
    [
        ("error", "error", "fail"),
        ("warning", "error", "pass"),
        ("warning", "warning", "fail"),
        ("error", "never", "pass"),
        ("note", "warning", "pass"),
    ],
)
def test_the_job_fails_as_asked(level, fail_on, status):
    assert classed(judged([finding(1, level=level)]), fail_on=fail_on)["status"] == status


def test_an_unread_report_is_an_error_out_of_nothing():
    content = classed(unreadable())
    assert content["status"] == "error"
    assert content["max_score"] == 0
    assert {one["status"] for one in content["tests"]} == {"error"}


def test_there_is_always_a_test_for_the_reporter_to_divide_by():
    assert len(classed(empty(), rubric=None)["tests"]) == 1
    assert len(json.loads(base64.b64decode(classroom.render((), Rendering())))["tests"]) == 1


def test_a_long_result_is_shortened_until_a_variable_can_hold_it():
    lines = tuple(RubricLine(id=f"l{i}", points=Decimal(1), rules=(f"r{i}",)) for i in range(120))
    findings = [finding(i, text="x" * 3000, rule=f"r{i}") for i in range(120)]
    text = classroom.render([judged(findings)], Rendering(rubric=Rubric(lines=lines)))
    assert len(text) <= 96 * 1024
    content = json.loads(base64.b64decode(text))
    assert len(content["tests"]) == 120
    assert all(one["message"] for one in content["tests"])


def test_what_could_not_be_read_is_told_and_mere_notes_are_not():
    note = Problem(path="a.log", message="only a header", level="note")
    fault = Problem(path="b.log", message="cut off")
    output = graded(judged([finding(1)], problems=(note, fault)))["output"]
    assert "b.log: cut off" in output
    assert "a.log" not in output
