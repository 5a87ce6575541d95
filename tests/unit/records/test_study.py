"""Where a setting comes from: never the study file where it may not have said so."""

from __future__ import annotations

import pytest

from reportgen.records.quantity import Evidence
from reportgen.records.study import Decision, MetricPlan, StatisticsPlan, Study

FILE = Study(path="study.toml", split_sizes={"test": 2000}, statistics=StatisticsPlan(ddof=0))


@pytest.mark.parametrize(
    ("study", "key", "value", "path"),
    [
        (Study(), "statistics.confidence", 0.95, "default"),
        (FILE, "statistics.confidence", 0.95, "default"),
        (FILE, "splits.sizes.test", 2000, "study.toml"),
        (FILE, "statistics.confidence", 0.9, "study.toml"),
        (FILE, "statistics.ddof", 0, "study.toml or command line"),
        (Study(), "statistics.ddof", 0, "command line"),
        (Study(), "metric.ties", "first", "default"),
        (Study(metric=MetricPlan(ties="last")), "metric.ties", "last", "command line"),
    ],
)
def test_a_setting_is_cited_from_where_it_can_come(study, key, value, path):
    assert study.cite(key, value) == Evidence(path=path, tag=key, value=value)


def test_what_was_inferred_says_so():
    decision = Decision(key="groups.random.seeds", value="0, 1", reason="read off the paths")
    study = Study(path="study.toml", decisions=(decision,))
    assert study.cite("groups.random.seeds", 1).path == "inferred"
    assert study.cite("groups.other.seeds", 1).path == "study.toml"


def test_a_group_keeps_its_name_without_a_label():
    assert Study().label("random") == "random"
