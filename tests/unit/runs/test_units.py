"""In which unit each run logged its ratios."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.run import Series
from reportgen.records.study import MetricPlan
from reportgen.runs import read_unit


def series(*values):
    count = len(values)
    return Series(tag="t", steps=np.arange(count), values=np.array(values, dtype=float),
                  wall_times=np.zeros(count))  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "values", "convention", "unit", "certain"),
    [
        ("accuracy", (0.5, 0.7), False, "fraction", True),
        ("accuracy", (0.9, 1.0000001), False, "fraction", True),
        ("accuracy", (0.0, 0.0, 71.5), False, "percent", True),
        ("accuracy", (0.5137, 0.7), True, "fraction", True),
        ("accuracy", (0.5, 0.9), True, "percent", False),
        ("accuracy", (0.0, 1.0), True, "percent", False),
        ("accuracy", (0.0, 1.0), False, "fraction", False),
        ("accuracy", (np.nan,), False, "fraction", False),
        ("wer", (0.9, 0.2), False, "fraction", True),
        ("wer", (1.3, 0.9, 0.5), False, "fraction", False),
        ("wer", (12.0, 8.0, 7.5), False, "percent", True),
        ("loss", (0.5, 0.7), False, "", True),
    ],
)
def test_the_unit_of_one_run(metric, values, convention, unit, certain):
    reading = read_unit(metric, [series(*values)], convention=convention)
    assert (reading.unit, reading.certain) == (unit, certain)


def units(runs, metric="accuracy"):
    return {r.id: {s.unit for s in r.scalars.values() if s.metric == metric} for r in runs}


def lab(fairseq, **groups):
    return [
        one
        for name, runs in groups.items()
        for seed, (valid, test) in enumerate(runs)
        for one in fairseq(f"{name}/{seed}", valid, test)
    ]


def warnings(runs):
    return [p.message for p in runs.all_problems() if p.level == "warning"]


def test_one_unit_in_all_runs_is_no_problem(put_together, fairseq):
    runs, study = put_together(*lab(fairseq, a=[([0.52, 0.7], [0.5, 0.71])] * 2))
    assert units(runs) == {"a/0": {"fraction"}, "a/1": {"fraction"}}
    assert study.metric.unit == "fraction"
    assert warnings(runs) == []


def test_fractions_and_percent_in_one_layout_each_keep_their_unit_and_are_named(
    put_together, fairseq
):
    fraction, percent = ([0.5, 0.61], [0.5, 0.72]), ([50, 61], [50, 72])
    runs, _ = put_together(*lab(fairseq, a=[fraction] * 2, b=[percent] * 2))
    assert units(runs) == {
        "a/0": {"fraction"}, "a/1": {"fraction"}, "b/0": {"percent"}, "b/1": {"percent"},
    }  # fmt: skip
    (message,) = warnings(runs)
    assert message == "a logs accuracy as fractions, b in percent; each is read in its own unit"


def test_runs_of_one_group_that_disagree_are_named_one_by_one(put_together, fairseq):
    runs, _ = put_together(*lab(fairseq, a=[([0.5, 0.61], None), ([50, 61], None)]))
    assert units(runs) == {"a/0": {"fraction"}, "a/1": {"percent"}}
    (message,) = warnings(runs)
    assert message.startswith("a/0 logs accuracy as fractions, a/1 in percent")


def test_a_run_that_does_not_tell_follows_its_group(put_together, fairseq):
    runs, study = put_together(*lab(fairseq, a=[([0, 1], None), ([50, 61], None)]))
    assert units(runs) == {"a/0": {"percent"}, "a/1": {"percent"}}
    assert warnings(runs) == []
    (decision,) = [d for d in study.decisions if d.key == "metric.unit"]
    assert "1 run: as the others of its group" in decision.reason


def test_an_error_rate_over_one_follows_the_runs_that_stay_below(put_together, log):
    logs = [
        log(f"{group}/{seed}/a.tfevents", {"eval/wer": dict(enumerate(values))})
        for group, values in {"a": (1.3, 0.9, 0.5), "b": (0.9, 0.4, 0.3)}.items()
        for seed in (0, 1)
    ]
    runs, study = put_together(*logs)
    assert {unit for found in units(runs, "wer").values() for unit in found} == {"fraction"}
    (decision,) = [d for d in study.decisions if d.key == "metric.unit"]
    assert "over 1" not in decision.reason.replace("it may be over 1", "")
    assert warnings(runs) == []


def test_a_metric_without_unit_says_so(put_together, log):
    _, study = put_together(log("m/0/a.tfevents", {"eval/loss": {1: 0.5, 2: 3.0}}))
    (decision,) = [d for d in study.decisions if d.key == "metric.unit"]
    assert (decision.value, decision.reason) == ("", "loss is neither a fraction nor a percentage")


def test_a_stated_unit_is_that_of_every_run(put_together, fairseq):
    logs = lab(fairseq, a=[([0.5, 0.9], None)])
    runs, _ = put_together(*logs, metric=MetricPlan(unit="percent"))
    assert units(runs) == {"a/0": {"percent"}}
    assert warnings(runs) == []


@pytest.mark.parametrize("name", ["", "accuracy"])
def test_a_stated_unit_is_applied_and_what_contradicts_it_is_named(put_together, fairseq, name):
    logs = lab(fairseq, a=[([50, 61], [50, 72])])
    runs, study = put_together(*logs, metric=MetricPlan(name=name, unit="fraction"))
    assert units(runs) == {"a/0": {"fraction"}}
    assert study.metric.unit == "fraction"
    (message,) = warnings(runs)
    assert message == "metric.unit says fraction, but a/0 logged accuracy 72"


def test_fractions_beside_percent_contradict_stated_percent(put_together, fairseq):
    logs = lab(fairseq, a=[([50, 61], None)], b=[([0.52, 0.61], None)])
    runs, _ = put_together(*logs, metric=MetricPlan(unit="percent"))
    assert units(runs) == {"a/0": {"percent"}, "b/0": {"percent"}}
    (message,) = warnings(runs)
    assert message == "metric.unit says percent, but b/0 logged no accuracy over 0.61"


def test_the_programs_own_convention_needs_the_programs_own_hand(put_together, fairseq):
    logs = fairseq("m/0", [0.5, 0.9])
    assert units(put_together(*logs)[0]) == {"m/0": {"fraction"}}
    own = [replace(one, texts={"sys.argv": "['train.py', '--seed', '0']"}) for one in logs]
    runs, study = put_together(*own)
    assert units(runs) == {"m/0": {"percent"}}
    (decision,) = [d for d in study.decisions if d.key == "metric.unit"]
    assert decision.alternatives == ("fraction",)
    assert "its program rounds percent to one decimal" in decision.reason


def test_many_runs_against_a_stated_unit_are_one_problem(put_together, fairseq):
    logs = lab(fairseq, a=[([50, 61 + seed], None) for seed in range(8)])
    runs, _ = put_together(*logs, metric=MetricPlan(unit="fraction"))
    (message,) = warnings(runs)
    assert message.endswith("a/4 logged accuracy 65 and 3 more")


@given(st.lists(st.floats(0.011, 0.998), min_size=1, max_size=9))
def test_the_same_values_in_percent_are_told_from_fractions(values):
    fraction = read_unit("accuracy", [series(*values)], convention=False)
    percent = read_unit("accuracy", [series(*(100 * value for value in values))], convention=False)
    assert (fraction.unit, fraction.certain) == ("fraction", True)
    assert (percent.unit, percent.certain) == ("percent", True)


def test_values_that_fit_both_units_are_a_question(put_together, log):
    ones = {"val/accuracy": {1: 0.0, 2: 1.0}}
    _, study = put_together(log("a_seed1/x.tfevents", ones), log("a_seed2/x.tfevents", ones))
    (decision,) = [d for d in study.decisions if d.key == "metric.unit"]
    assert (decision.value, decision.alternatives, decision.asks) == (
        "fraction", ("percent",), True,
    )  # fmt: skip
    assert "nothing but 0 and 1" in decision.reason
