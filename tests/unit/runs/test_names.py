import pytest
from fakes.rows import rows_beside

from reportgen.runs import SPLIT_NAMES, direction_of, liking, metric_name, split_tag

ROWS = rows_beside(__file__)


@pytest.mark.parametrize(("tag", "metric", "split"), ROWS["metric_and_split_of_a_tag"])
def test_metric_and_split_of_a_tag(tag, metric, split):
    assert split_tag(tag, SPLIT_NAMES) == (metric, split)


@pytest.mark.parametrize(("tag", "metric"), ROWS["capitals_inside_a_name"])
def test_capitals_inside_a_name(tag, metric):
    assert metric_name(tag) == metric
    assert split_tag(f"val/{tag}", SPLIT_NAMES) == (metric, "validation")


@pytest.mark.parametrize(("better", "worse"), ROWS["what_the_headline_takes_first"])
def test_what_the_headline_takes_first(better, worse):
    assert liking(better) < liking(worse)


def test_the_study_may_name_splits():
    assert split_tag("held_out/acc", {**SPLIT_NAMES, "held_out": "test"}) == ("accuracy", "test")


@pytest.mark.parametrize("tag", ["wps", "runtime", "samples_per_second", "gb_free", "hp_metric"])
def test_bookkeeping_is_no_metric(tag):
    assert metric_name(tag) == ""


@pytest.mark.parametrize(("metric", "direction"), ROWS["which_way_is_better"])
def test_which_way_is_better(metric, direction):
    assert direction_of(metric) == direction
