"""Points: only a disagreement may cost any, and a claim costs them once."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from fakes.judgements import empty, every_verdict, finding, judged, unreadable
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checking.projections._score import DEFAULT_RUBRIC, score
from reportgen.records.finding import LEVELS, VERDICTS, Finding
from reportgen.records.rubric import Rubric, RubricLine

ONE = Rubric(
    lines=(RubricLine(id="all", points=Decimal(5), error=Decimal(2), warning=Decimal("0.5")),)
)
LINES = st.builds(
    RubricLine,
    id=st.uuids().map(str),
    points=st.decimals(0, 20, places=2),
    error=st.decimals(0, 5, places=2),
    warning=st.decimals(0, 5, places=2),
    rules=st.sampled_from([(), ("value",), ("val*", "trend"), ("none",)]),
    kinds=st.sampled_from([(), ("metric_*",), ("count",)]),
)
RUBRICS = st.lists(LINES, min_size=1, max_size=4).map(
    # What is earned for saying nothing has tests of its own.
    lambda lines: Rubric(lines=tuple(lines), nothing_to_check="full")
)
FINDINGS = st.builds(
    finding,
    st.integers(0, 8),
    rule=st.sampled_from(["value", "trend", "steps"]),
    level=st.sampled_from(LEVELS),
    verdict=st.sampled_from(VERDICTS),
    kind=st.sampled_from(["metric_value", "count"]),
)


def earned(findings: list[Finding], rubric: Rubric) -> list[Decimal | None]:
    return [scored.earned for scored in score(judged(findings), rubric)]


@given(st.lists(FINDINGS), RUBRICS)
def test_what_does_not_disagree_never_costs_points(findings, rubric):
    kept = [f for f in findings if f.verdict == "disagrees" and f.level in {"error", "warning"}]
    costly = sum(
        len(scored.costs) for scored in score(judged(findings), rubric)
    )  # only of those kept
    assert costly <= len({one.claim.id for one in kept})
    harmless = [f for f in findings if f not in kept]
    assert earned(harmless, rubric) == [line.points for line in rubric.lines]


@given(st.lists(FINDINGS, unique_by=lambda f: f.claim.id), RUBRICS)
def test_open_and_borderline_claims_can_be_left_out_without_a_change(findings, rubric):
    kept = [f for f in findings if f.verdict == "disagrees"]
    assert earned(findings, rubric) == earned(kept, rubric)


@given(st.lists(FINDINGS), RUBRICS)
def test_points_lie_between_none_and_all_of_the_line(findings, rubric):
    for scored in score(judged(findings), rubric):
        assert scored.earned is not None
        assert 0 <= scored.earned <= scored.line.points
        lost = sum(cost.points for cost in scored.costs)
        assert scored.earned == max(Decimal(0), scored.line.points - lost)


@given(st.lists(FINDINGS), FINDINGS, RUBRICS)
def test_one_more_claim_never_earns_points(findings, more, rubric):
    others = [f for f in findings if f.claim.id != more.claim.id]
    after, before = earned([*others, more], rubric), earned(others, rubric)
    assert all(a <= b for a, b in zip(after, before, strict=True))


def test_errors_and_warnings_cost_what_the_line_says():
    loud = [finding(1), finding(2, level="warning")]
    assert earned(loud, ONE) == [Decimal("2.5")]
    assert earned([finding(i) for i in range(3)], ONE) == [Decimal(0)]


def test_a_claim_costs_its_dearest_finding_once():
    twice = [finding(1, level="warning"), finding(1), finding(1, rule="copied")]
    [scored] = score(judged(twice), ONE)
    assert scored.earned == 3
    assert [cost.finding.level for cost in scored.costs] == ["error"]


def test_a_claim_belongs_to_the_line_of_its_decisive_finding():
    rubric = Rubric(
        lines=(
            RubricLine(id="remarks", points=Decimal(3), rules=("copied",)),
            RubricLine(id="values", points=Decimal(3), rules=("value",)),
        )
    )
    assert earned([finding(1), finding(1, rule="copied")], rubric) == [3, 2]


def test_a_finding_that_no_line_looks_at_costs_nothing():
    rubric = Rubric(lines=(RubricLine(id="a", points=Decimal(1), rules=("trend",)),))
    [scored] = score(judged([finding(1)]), rubric)
    assert (scored.earned, scored.findings, scored.costs) == (0, (), ())
    assert scored.nothing
    lenient = replace(rubric, nothing_to_check="full")
    [scored] = score(judged([finding(1)]), lenient)
    assert (scored.earned, scored.findings, scored.clean) == (1, (), True)


def test_sections_are_the_headings_above_a_claim():
    rubric = Rubric(
        lines=(
            RubricLine(id="top", sections=("results",)),
            RubricLine(id="whole", sections=("fine-tuning*",)),
        )
    )
    top, whole = score(every_verdict(), rubric)
    assert {found.claim.kind for found in top.findings} >= {"metric_value", "trend"}
    assert {found.claim.kind for found in whole.findings} == {
        *("equation", "param_count", "hyperparameter")
    }


def test_an_unread_report_has_no_score_unless_the_rubric_says_zero():
    [scored] = score(unreadable(), ONE)
    assert scored.earned is None
    assert scored.fault.startswith("broken.pdf could not be checked")
    assert not scored.clean
    zero = Rubric(lines=ONE.lines, unreadable="zero")
    assert [one.earned for one in score(unreadable(), zero)] == [0]


def test_without_a_rubric_nothing_is_won_or_lost_and_every_claim_has_its_topic():
    scored = score(every_verdict(), DEFAULT_RUBRIC)
    assert {one.earned for one in scored} == {Decimal(0)}
    assert {one.line.id: len(one.findings) for one in scored} == {
        "calculations": 1, "results": 5, "statements": 1, "model": 1, "settings": 2, "other": 0,
    }  # fmt: skip
    assert [one.line.id for one in scored if not one.clean] == ["calculations", "results"]


def test_a_line_that_the_report_says_nothing_for_earns_nothing():
    [scored] = score(empty(), ONE)
    assert (scored.earned, scored.nothing, scored.clean) == (0, True, False)


def test_a_rubric_or_a_line_may_say_that_saying_nothing_costs_nothing():
    full = replace(ONE, nothing_to_check="full")
    assert [one.earned for one in score(empty(), full)] == [5]
    lines = (*ONE.lines, RubricLine(id="b", points=Decimal(1), nothing_to_check="zero"))
    assert [one.earned for one in score(empty(), replace(full, lines=lines))] == [5, 0]
    lines = (*ONE.lines, RubricLine(id="b", points=Decimal(1), nothing_to_check="full"))
    assert [one.earned for one in score(empty(), replace(ONE, lines=lines))] == [0, 1]


def test_a_claim_that_could_not_be_checked_may_belong_to_any_line_of_its_kind():
    trends = RubricLine(id="a", points=Decimal(2), rules=("trend",), kinds=("trend",))
    rubric = Rubric(lines=(trends,))
    for kind, points in (("trend", 2), ("number", 2), ("metric_value", 0)):
        unread = finding(1, rule="unchecked", level="none", verdict="not checkable", kind=kind)
        assert earned([unread], rubric) == [points], kind


def test_a_line_whose_claims_all_belong_to_an_earlier_one_is_not_without_any():
    lines = (RubricLine(id="a", points=Decimal(1)), RubricLine(id="b", points=Decimal(1)))
    assert earned([finding(1, level="none", verdict="agrees")], Rubric(lines=lines)) == [1, 1]
