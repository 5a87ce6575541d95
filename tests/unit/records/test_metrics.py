"""The table of known metrics: what stands there can be read off the definitions of each."""

import pytest
from fakes.rows import rows_beside

from reportgen.records.metrics import KNOWN_METRICS, found_metrics, known_metric
from reportgen.runs import metric_name

ROWS = rows_beside(__file__)


@pytest.mark.parametrize("name", KNOWN_METRICS)
def test_a_known_metric_is_found_under_its_own_name(name):
    known = KNOWN_METRICS[name]
    cut = "@10" if known.cut else ""
    (found,) = found_metrics([word for word in f"{name}{cut}".split("_") if word])
    assert (found.name, found.cut) == (name, cut)
    assert known.better in {"higher", "lower"}
    assert known.least is None or known.most is None or known.least < known.most


@pytest.mark.parametrize("name", sorted(set(KNOWN_METRICS) - {"top1"}))
def test_a_known_metric_is_read_as_its_field_writes_it(name):
    known = KNOWN_METRICS[name]
    cut = "@10" if known.cut else ""
    assert metric_name(known.written.replace("R²", "R2") + cut) == name + cut


# Which end is better, and what bounds it, by the papers named in the table.
@pytest.mark.parametrize(("metric", "better", "least", "most"), ROWS["direction_and_bounds"])
def test_direction_and_bounds(metric, better, least, most):
    known = known_metric(metric)
    told = (None, None, None) if known is None else (known.better, known.least, known.most)
    assert told == (better, least, most)
