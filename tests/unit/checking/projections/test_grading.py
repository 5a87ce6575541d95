"""Gradescope and GitHub Classroom: points, reasons, and a valid file whatever happened."""

import base64
import json
from dataclasses import replace
from decimal import Decimal

import pytest
from fakes.reviews import empty, every_outcome, reviewed, shown, unreadable, verdict
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.source import Problem
from reportgen.records.verdict import Rubric, RubricLine

ROWS = rows_beside(__file__)

RUBRIC = Rubric(
    visibility="after_published",
    lines=(
        RubricLine(
            id="values", title="Values", points=Decimal(5), rules=("series", "column"),
            error=Decimal("1.5"), visibility="hidden",
        ),
        RubricLine(id="rest", title="Everything else", points=Decimal(3), warning=Decimal("0.1")),
    ),
)  # fmt: skip


def graded(*reviews, rubric=RUBRIC, **options):
    return json.loads(shown("gradescope", *reviews, rubric=rubric, **options))


def classed(*reviews, rubric=RUBRIC, **options):
    return json.loads(base64.b64decode(shown("classroom", *reviews, rubric=rubric, **options)))


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


def test_without_a_rubric_nothing_is_graded_and_topics_without_numbers_are_left_out():
    content = graded(every_outcome(), rubric=None)
    assert content["score"] == 0
    assert {one["max_score"] for one in content["tests"]} == {0}
    assert [one["tags"] for one in content["tests"]] == [
        ["results"], ["calculations"], ["statements"], ["settings"], ["counts"], ["other"],
    ]  # fmt: skip


def test_several_reports_are_told_apart():
    content = graded(every_outcome("ana.md"), empty("ben.md"))
    assert [one["name"] for one in content["tests"]] == [
        "ana: Values", "ana: Everything else", "ben: Values", "ben: Everything else",
    ]  # fmt: skip
    assert [one["number"] for one in content["tests"]] == ["1.1", "1.2", "2.1", "2.2"]
    # Of the second nothing is checked, for it says nothing.
    assert content["score"] == 5.3
    assert {one["output"] for one in content["tests"][2:]} == {
        "Nothing to check: the report says nothing that belongs here, which earns no points."
    }
    assert {one["status"] for one in content["tests"][2:]} == {"failed"}


@pytest.mark.parametrize(("level", "fail_on", "status"), ROWS["the_job_fails_as_asked"])
def test_the_job_fails_as_asked(level, fail_on, status):
    assert classed(reviewed([verdict(1, level=level)]), fail_on=fail_on)["status"] == status


def test_an_unread_report_is_an_error_out_of_nothing():
    content = classed(unreadable())
    assert content["status"] == "error"
    assert content["max_score"] == 0
    assert {one["status"] for one in content["tests"]} == {"error"}


def test_a_long_result_is_shortened_until_a_variable_can_hold_it():
    lines = tuple(RubricLine(id=f"l{i}", points=Decimal(1), rules=(f"r{i}",)) for i in range(120))
    verdicts = [verdict(i, text="x" * 3000, rule=f"r{i}") for i in range(120)]
    text = shown("classroom", reviewed(verdicts), rubric=Rubric(lines=lines))
    assert len(text) <= 96 * 1024
    content = json.loads(base64.b64decode(text))
    assert len(content["tests"]) == 120
    assert all(one["message"] for one in content["tests"])


def test_what_could_not_be_read_is_told_and_mere_notes_are_not():
    note = Problem(path="a.log", message="only a header", level="note")
    fault = Problem(path="b.log", message="cut off")
    output = graded(reviewed([verdict(1)], problems=(note, fault)))["output"]
    assert "b.log: cut off" in output
    assert "a.log" not in output


ONE = Rubric(
    lines=(RubricLine(id="all", points=Decimal(5), error=Decimal(2), warning=Decimal("0.5")),)
)
LINES = st.builds(
    RubricLine,
    id=st.uuids().map(str),
    points=st.integers(0, 20).map(Decimal),
    error=st.integers(0, 5).map(Decimal),
    warning=st.integers(0, 5).map(Decimal),
    rules=st.sampled_from([(), ("series",), ("ser*", "statement"), ("none",)]),
    kinds=st.sampled_from([(), ("s*",), ("count",)]),
)
RUBRICS = st.lists(LINES, min_size=1, max_size=4).map(
    # What is earned for saying nothing has tests of its own.
    lambda lines: Rubric(lines=tuple(lines), nothing_to_check="full")
)
VERDICTS = st.builds(
    verdict,
    st.integers(0, 8),
    rule=st.sampled_from(["series", "statement", "count"]),
    outcome=st.sampled_from(["contradicted", "traced", "untraced", "no_claim"]),
    level=st.sampled_from(["error", "warning", "note"]),
)


def earned(verdicts, rubric) -> list[tuple[float, float]]:
    tests = graded(reviewed(verdicts), rubric=rubric)["tests"]
    # A line worth nothing is shown where something belongs to it.
    return [(one["score"], one["max_score"]) for one in tests if one["max_score"]]


def is_loud(one) -> bool:
    return one.outcome == "contradicted" and one.level in {"error", "warning"}


@given(st.lists(VERDICTS), RUBRICS)
def test_only_what_is_contradicted_as_an_error_or_a_warning_costs_points(verdicts, rubric):
    harmless = [one for one in verdicts if not is_loud(one)]
    assert all(score == most for score, most in earned(harmless, rubric))
    kept = [one for one in verdicts if is_loud(one)]
    assert earned(verdicts, rubric) == earned(kept, rubric)


@given(st.lists(VERDICTS), VERDICTS, RUBRICS)
def test_points_lie_between_none_and_all_and_one_more_number_never_earns_any(
    verdicts, more, rubric
):
    before, after = earned(verdicts, rubric), earned([*verdicts, more], rubric)
    assert all(0 <= score <= most for score, most in after)
    assert all(a <= b for (a, _), (b, _) in zip(after, before, strict=True))


def test_a_number_costs_points_on_the_first_line_that_looks_at_it_alone():
    first = replace(ONE.lines[0], id="a", rules=("count",))
    lines = (first, ONE.lines[0], replace(ONE.lines[0], id="b"))
    assert earned([verdict(1)], Rubric(lines=lines, nothing_to_check="full")) == [
        (5, 5), (3, 5), (5, 5),
    ]  # fmt: skip


def test_sections_are_the_headings_above():
    lines = (
        replace(ONE.lines[0], sections=("results",), error=Decimal(1), warning=Decimal(0)),
        replace(ONE.lines[0], id="whole", sections=("fine-tuning*",), warning=Decimal(0)),
    )
    assert earned(every_outcome().verdicts, Rubric(lines=lines)) == [(4, 5), (3, 5)]


def test_a_line_that_the_report_says_nothing_for_earns_nothing():
    [line] = graded(empty(), rubric=ONE)["tests"]
    assert (line["score"], line["status"]) == (0, "failed")
    assert line["output"].startswith("Nothing to check")


def test_a_rubric_or_a_line_may_say_that_saying_nothing_costs_nothing():
    full = replace(ONE, nothing_to_check="full")
    assert earned([], full) == [(5, 5)]
    zero, more = (
        (*ONE.lines, RubricLine(id="b", points=Decimal(1), nothing_to_check=word))
        for word in ("zero", "full")
    )
    assert earned([], replace(full, lines=zero)) == [(5, 5), (0, 1)]
    assert earned([], replace(ONE, lines=more)) == [(0, 5), (1, 1)]


def test_a_number_that_is_untraced_may_belong_to_any_line_of_its_section():
    line = replace(ONE.lines[0], rules=("statement",))
    untraced = [verdict(1, outcome="untraced", rule="")]
    assert earned(untraced, Rubric(lines=(line,))) == [(5, 5)]
    other = Rubric(lines=(replace(line, sections=("Task 3",)),))
    assert earned(untraced, other) == [(0, 5)]
    assert earned([verdict(1, outcome="no_claim")], Rubric(lines=(line,))) == [(0, 5)]
