"""Options that are given by name in Python: what is unknown or lacking is said, with a remedy."""

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


@pytest.mark.slow
def test_a_call_may_begin_with_its_path(project, tmp_path, monkeypatch):
    monkeypatch.chdir(project / "inputs" / "tiny-grid")
    built = reportgen.build("study.toml", out=tmp_path / "report.md", cache=None)
    (checked,) = reportgen.check(str(tmp_path / "report.md"), study="study.toml")
    planned = reportgen.plan("study.toml")

    assert built.exit_code == 0
    assert checked.review.verdicts
    assert planned == reportgen.plan(study="study.toml")


def test_what_is_given_twice_is_refused():
    with pytest.raises(UsageError, match="study is given twice"):
        reportgen.build("study.toml", study="study.toml", out="r.md")
