"""SARIF: what fails is a result, where it stands, and its fingerprint."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fakes.judgements import every_verdict, finding, judged, unreadable

from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections.sarif import render
from reportgen.records.manuscript import Manuscript, Place


def run_of(*judgements, **options):
    [run] = json.loads(render(judgements, Rendering(**options)))["runs"]
    return run


def test_only_what_fails_is_a_result():
    results = run_of(every_verdict())["results"]
    assert [(one["ruleId"], one["level"], one["kind"]) for one in results] == [
        ("arithmetic", "error", "fail"),
        ("parameter_count", "warning", "fail"),
        ("value", "error", "fail"),
        ("copied", "warning", "fail"),
        ("definition", "note", "fail"),
    ]


def test_all_of_it_has_what_passes_at_level_none():
    results = run_of(every_verdict(), sarif_all=True)["results"]
    others = {(one["kind"], one["level"]) for one in results if one["kind"] != "fail"}
    assert len(results) == 11
    assert others == {("pass", "none"), ("review", "none"), ("notApplicable", "none")}


def test_a_region_is_the_number():
    result = next(one for one in run_of(every_verdict())["results"] if one["ruleId"] == "value")
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "report.md"},
        "region": {"startLine": 12, "startColumn": 12, "endColumn": 14},
    }


@pytest.mark.parametrize(
    ("form", "place", "known"),
    [
        ("pdf", Place(line=3, page=7), {"page": 7}),
        ("notebook", Place(line=3, file="cell 4"), {"part": "cell 4"}),
    ],
)
def test_a_pdf_and_a_notebook_have_no_region_but_page_and_cell(form, place, known):
    one = finding(1)
    one = replace(one, claim=replace(one.claim, place=place))
    report = Manuscript(path="r.x", format=form, sha256="", blocks=())
    [result] = run_of(judged([one], manuscript=report))["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]
    assert known.items() <= result["properties"].items()


def test_paths_are_relative_uris_percent_encoded():
    run = run_of(every_verdict("/c/José 1/100%#a?b.md"), root="/c")
    assert run["artifacts"][0]["location"]["uri"] == "Jos%C3%A9%201/100%25%23a%3Fb.md"
    absolute = run_of(every_verdict("/c/a b.md"))
    assert absolute["artifacts"][0]["location"]["uri"] == "file:///c/a%20b.md"


def test_a_rule_says_what_it_holds():
    rules = run_of(every_verdict(), rules={"value": "a value stands so in the logs"})["tool"][
        "driver"
    ]["rules"]
    told = {one["id"]: one["shortDescription"]["text"] for one in rules}
    assert told["value"] == "A value stands so in the logs."
    assert told["trend"] == "Findings of the check trend."
    results = run_of(every_verdict())["results"]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in results)


def test_a_report_that_could_not_be_checked_is_told_by_the_invocation():
    [invocation] = run_of(unreadable())["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["level"] == "error"
    assert run_of(every_verdict())["invocations"][0]["executionSuccessful"] is True


def test_the_denominator_is_told():
    notes = run_of(every_verdict())["invocations"][0]["toolExecutionNotifications"]
    assert any("Checked 7 of 24 numbers" in one["message"]["text"] for one in notes)


def test_fingerprints_differ_within_a_report():
    results = run_of(judged([finding(1), finding(2), finding(2)]))["results"]
    marks = [one["partialFingerprints"]["reportgenClaim/v1"] for one in results]
    assert len(set(marks)) == 3
