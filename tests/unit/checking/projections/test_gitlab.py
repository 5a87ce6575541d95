"""GitLab's code quality report: the fields it documents, and fingerprints it can compare."""

import json
from pathlib import PurePosixPath

import pytest
from fakes.reviews import SETS, every_outcome, reviewed, shown, unreadable


def issues(*reviews):
    return json.loads(shown("gitlab", *reviews))


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
    paths = [review.manuscript.path for review in SETS[name]]
    if len(set(paths)) == len(paths):
        assert len({issue["fingerprint"] for issue in told}) == len(told)


def test_each_level_has_its_severity_and_what_is_traced_is_none():
    levels = [one.level for one in every_outcome().verdicts if one.level != "none"]
    known = {"error": "major", "warning": "minor", "note": "info"}
    assert [one["severity"] for one in issues(every_outcome())] == [known[one] for one in levels]


def test_the_same_number_in_another_file_is_another_issue():
    one, other = ({i["fingerprint"] for i in issues(every_outcome(p))} for p in ("a.md", "b.md"))
    assert one
    assert not one & other


def test_a_report_that_could_not_be_checked_is_an_issue():
    (issue,) = issues(unreadable("ben/report.pdf"))
    assert (issue["severity"], issue["check_name"]) == ("critical", "reportgen/read")
    assert PurePosixPath(issue["location"]["path"]) == PurePosixPath("ben/report.pdf")


def test_nothing_found_is_an_empty_list():
    assert shown("gitlab", reviewed([], "a.md")) == "[]\n"
