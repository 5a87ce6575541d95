"""GitLab's code quality report: the fields it documents, and fingerprints it can compare."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest
from fakes.judgements import SETS, every_verdict, judged, unreadable

from reportgen.checking.projections._rendering import Rendering
from reportgen.checking.projections.gitlab import render


def issues(*judgements):
    return json.loads(render(judgements, Rendering()))


@pytest.mark.parametrize("name", sorted(SETS))
def test_an_issue_has_what_gitlab_reads_and_nothing_else(name):
    for issue in issues(*SETS[name]):
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert isinstance(issue["description"], str)
        assert issue["description"]
        assert set(issue["location"]) == {"path", "lines"}
        assert not issue["location"]["path"].startswith("./")
        assert issue["location"]["lines"]["begin"] >= 1


@pytest.mark.parametrize("name", sorted(SETS))
def test_no_two_issues_of_a_file_have_one_fingerprint(name):
    told = issues(*SETS[name])
    paths = [judgement.manuscript.path for judgement in SETS[name]]
    if len(set(paths)) == len(paths):
        assert len({issue["fingerprint"] for issue in told}) == len(told)


def test_each_level_has_its_severity_and_what_agrees_is_none():
    judgement = every_verdict()
    levels = [f.level for f in judgement.findings if f.level != "none"]
    known = {"error": "major", "warning": "minor", "note": "info"}
    assert [issue["severity"] for issue in issues(judgement)] == [known[one] for one in levels]


def test_the_same_finding_in_another_file_is_another_issue():
    one, other = ({i["fingerprint"] for i in issues(every_verdict(p))} for p in ("a.md", "b.md"))
    assert one
    assert not one & other


def test_a_report_that_could_not_be_checked_is_an_issue():
    (issue,) = issues(unreadable("ben/report.pdf"))
    assert (issue["severity"], issue["check_name"]) == ("critical", "reportgen/read")
    assert PurePosixPath(issue["location"]["path"]) == PurePosixPath("ben/report.pdf")


def test_nothing_found_is_an_empty_list():
    assert render([judged([], "a.md")], Rendering()) == "[]\n"
