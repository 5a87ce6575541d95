"""GitLab's code quality report: the fields it documents, and fingerprints it can compare."""

import json

import pytest
from fakes.reviews import SETS, reviewed, shown


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


def test_nothing_found_is_an_empty_list():
    assert shown("gitlab", reviewed([], "a.md")) == "[]\n"
