"""Where a setting comes from: never the study file where it may not have said so."""

import pytest

from reportgen.records.quantity import Evidence
from reportgen.records.study import Decision, StatisticsPlan, Study

STATED = Study(
    path="study.toml",
    statistics=StatisticsPlan(ddof=0),
    stated={"splits.sizes.test": "study.toml", "statistics.ddof": "command line"},
)


@pytest.mark.parametrize(
    ("study", "key", "value", "path"),
    [
        (Study(), "statistics.confidence", 0.95, "default"),
        (STATED, "statistics.confidence", 0.95, "default"),
        (STATED, "splits.sizes.test", 2000, "study.toml"),
        (STATED, "statistics.ddof", 0, "command line"),
    ],
)
def test_a_setting_is_cited_from_who_stated_it(study, key, value, path):
    assert study.cite(key, value) == Evidence(path=path, tag=key, value=value)


def test_what_was_inferred_says_so():
    decision = Decision(key="groups.random.seeds", value="0, 1", reason="read off the paths")
    study = Study(path="study.toml", decisions=(decision,))
    assert study.cite("groups.random.seeds", 1).path == "inferred"
    assert study.cite("groups.other.seeds", 1).path == "default"


def test_what_is_stated_was_not_inferred():
    decision = Decision(key="metric.name", value="accuracy", reason="the logs agree")
    study = Study(decisions=(decision,), stated={"metric.name": "study.toml"})
    assert study.cite("metric.name", None).path == "study.toml"


def test_a_group_keeps_its_name_without_a_label():
    assert Study().label("random") == "random"
