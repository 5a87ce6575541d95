"""Several tags that measure the same on the same split: one counts, and which is a question."""

import pytest
from fakes.rows import rows_beside

from reportgen.records.study import MetricPlan

ROWS = rows_beside(__file__)
LOW = {1: 0.5, 2: 0.6}


@pytest.fixture
def read(put_together, log):
    def from_tags(logged, **metric):
        files = [log(f"a_seed{n}/events.out.tfevents.{n}.h.{n}.0", logged) for n in (1, 2)]
        runs, study = put_together(*files, metric=MetricPlan(**metric))
        decision = next((d for d in study.decisions if d.key == "metric.tags"), None)
        found = runs.runs[0].find("accuracy", "validation")
        return found.tag, decision, runs.runs[0]

    return from_tags


RIVALS = ROWS["rivals"]


@pytest.mark.parametrize(("tags", "taken", "lost", "own"), RIVALS.values(), ids=RIVALS)
def test_the_one_that_counts_is_named_and_the_other_is_the_answer(read, tags, taken, lost, own):
    tag, decision, run = read(tags)
    assert tag == taken
    assert (decision.value, decision.alternatives, decision.asks) == (taken, (lost,), True)
    assert f"{taken} and {lost} measure accuracy on validation and differ" in decision.reason
    assert run.scalars[lost].metric == own
    assert read(tags, tags=(lost,))[:2] == (lost, None)
    assert read(tags, tags=(taken,))[:2] == (taken, None)


def test_the_same_values_under_two_tags_are_no_question(read):
    tag, decision, run = read({"val/accuracy": LOW, "val/acc": LOW})
    assert tag in {"val/acc", "val/accuracy"}
    assert decision is None
    assert {series.metric for series in run.scalars.values()} == {"accuracy"}
