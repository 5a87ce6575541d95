"""Options that are given by name in Python: what is unknown or lacking is said, with a remedy."""

from __future__ import annotations

import pytest

import reportgen
from reportgen.records.errors import UsageError


@pytest.mark.parametrize(
    ("given", "message", "remedy"),
    [
        ({"runs": "logs"}, "out is not given", "give out=..."),
        ({"out": "r.md", "run": "logs"}, "there is no option 'run'", "did you mean runs?"),
        ({"out": "r.md", "metric": "f1"}, "there is no option 'metric'", "there are out, "),
    ],
)
def test_a_build_says_what_it_lacks(given, message, remedy):
    with pytest.raises(UsageError) as caught:
        reportgen.build(**given)
    assert caught.value.message == message
    assert caught.value.remedy.startswith(remedy)


def test_a_check_says_what_it_does_not_know():
    with pytest.raises(UsageError, match="there is no option 'run'"):
        reportgen.check(run="logs")
