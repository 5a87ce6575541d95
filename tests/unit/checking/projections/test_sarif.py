"""SARIF: what fails is a result, where it stands, and its fingerprint."""

import json
from dataclasses import replace

import pytest
from fakes.reviews import every_outcome, reviewed, shown, unreadable, verdict

from reportgen.records.manuscript import Manuscript, Place


def run_of(*reviews, **options):
    [run] = json.loads(shown("sarif", *reviews, **options))["runs"]
    return run


def test_all_of_it_has_what_is_traced_and_untraced_at_level_none():
    results = run_of(every_outcome(), sarif_all=True)["results"]
    others = {(one["kind"], one["level"]) for one in results if one["kind"] != "fail"}
    assert len(results) == 10
    assert others == {("pass", "none"), ("open", "none")}


@pytest.mark.parametrize(
    ("form", "place", "known"),
    [
        ("pdf", Place(line=3, page=7), {"page": 7}),
        ("notebook", Place(line=3, file="cell 4"), {"part": "cell 4"}),
    ],
)
def test_a_pdf_and_a_notebook_have_no_region_but_page_and_cell(form, place, known):
    one = verdict(1)
    one = replace(one, number=replace(one.number, place=place))
    report = Manuscript(path="r.x", format=form, sha256="", blocks=())
    [result] = run_of(reviewed([one], manuscript=report))["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]
    assert known.items() <= result["properties"].items()


def test_paths_are_relative_uris_percent_encoded():
    run = run_of(every_outcome("/c/José 1/100%#a?b.md"), root="/c")
    assert run["artifacts"][0]["location"]["uri"] == "Jos%C3%A9%201/100%25%23a%3Fb.md"
    absolute = run_of(every_outcome("/c/a b.md"))
    assert absolute["artifacts"][0]["location"]["uri"] == "file:///c/a%20b.md"


def test_a_report_that_could_not_be_checked_is_told_by_the_invocation():
    [invocation] = run_of(unreadable())["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["level"] == "error"
    assert run_of(every_outcome())["invocations"][0]["executionSuccessful"] is True
