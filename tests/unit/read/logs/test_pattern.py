"""A pattern of the study is tried in a process of its own, which can be stopped."""

import subprocess

import pytest
from fakes.rows import rows_beside

from reportgen.read.logs import check_pattern
from reportgen.read.logs import pattern as patterns
from reportgen.records.errors import StudyError
from reportgen.records.run import Log, Source

ROWS = rows_beside(__file__)


def log(path, run_key=""):
    source = Source(path=path, kind="tfevents", size=1, sha256="")
    return Log(source=source, run_key=run_key)


LONG = "a_very_long_name_of_a_run" * 3
LOGS = (log("books/roberta_ms8_lr1e-05/0/valid/a.tfevents"), log("a.log", "books/roberta/0"))


@pytest.mark.parametrize("pattern", ROWS["a_pattern_that_ends_is_let_through"])
def test_a_pattern_that_ends_is_let_through(pattern):
    check_pattern(pattern, LOGS)


def test_a_simple_pattern_costs_no_process(monkeypatch):
    monkeypatch.setattr(subprocess, "run", None)
    check_pattern(r"(?P<group>[^/]+)/(?P<seed>\d+)$", LOGS)


@pytest.mark.parametrize(
    ("path", "run_key"), [(f"{LONG}/0/valid/a.tfevents", ""), ("a.log", f"{LONG}/0")]
)
@pytest.mark.parametrize("pattern", ROWS["a_pattern_without_end_is_refused_2"])
def test_a_pattern_without_end_is_refused(monkeypatch, pattern, path, run_key):
    monkeypatch.setattr(patterns, "SECONDS", 0.5)
    with pytest.raises(StudyError, match=r"runs\.pattern") as caught:
        check_pattern(pattern, [log(path, run_key)])
    assert "repetition" in caught.value.remedy
