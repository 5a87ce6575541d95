"""Which groups are of one task: what names, settings, values and curves tell.

Names of runs and folders are those of real logs, of course homework and of public repositories.
"""

import numpy as np
import pytest
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.facts import Task
from reportgen.records.run import Run, Series
from reportgen.records.study import MetricPlan
from reportgen.runs.comparable import tasks_of

ROWS = rows_beside(__file__)


def curve(values, metric="loss", *, split="validation", start=1, clock=None, unit=""):
    steps = np.arange(start, start + len(values), dtype=np.int64)
    times = np.full(len(values), np.nan) if clock is None else clock + steps.astype(float)
    return Series(
        tag=f"{split}/{metric}",
        metric=metric,
        split=split,
        unit=unit,
        steps=steps,
        values=np.array(values, dtype=float),
        wall_times=times,
    )


def made(name, *curves, settings=None, seed=0):
    scalars = {one.tag: one for one in curves}
    return Run(
        id=name, group=name, seed=seed, layout="plain", scalars=scalars, config=settings or {}
    )


def tasks(*runs, metric="loss"):
    return tasks_of({run.id: [run] for run in runs}, MetricPlan(name=metric))


def rewarded(name, settings=None):
    return made(name, curve([1.0], "average_return"), settings=settings)


@pytest.mark.parametrize(("one", "other", "same"), ROWS["environments_of_runs_that_log_rewards"])
def test_environments_of_runs_that_log_rewards(one, other, same):
    found = tasks(rewarded(one), rewarded(other), metric="average_return")
    assert (found[one] == found[other]) is same


def test_the_mean_of_folds_is_compared_with_no_run_of_one_split():
    folded = {
        name: [made(f"{name}/fold{n}", curve([0.5 + n / 10], "accuracy")) for n in (1, 2, 3)]
        for name in ("cv", "big")
    }
    final = {"final": [made("final", curve([0.75], "accuracy"))]}
    found = tasks_of(folded | final, MetricPlan(name="accuracy"))
    assert found["cv"] == found["big"] != found["final"]


@pytest.mark.parametrize(("one", "other", "same"), ROWS["data_sets_and_what_is_none"])
def test_data_sets_and_what_is_none(one, other, same):
    found = tasks(made(one), made(other))
    assert (found[one] == found[other]) is same


def test_what_stands_in_the_place_of_a_data_set_is_one():
    names = [f"{model}-{data}" for model in ("gcn", "gat") for data in ("cora", "ours")]
    found = tasks(*map(made, names), made("gcn-dropout"))
    assert [found[name].name for name in names] == ["cora", "ours"] * 2
    assert found["gcn-dropout"].name == ""


@pytest.mark.parametrize(("one", "other", "same"), ROWS["settings"])
def test_settings(one, other, same):
    found = tasks(rewarded("a", one), rewarded("b", other), metric="average_return")
    assert (found["a"] == found["b"]) is same


@pytest.mark.parametrize(("one", "other", "metric", "same"), ROWS["settings_of_what_is_measured"])
def test_settings_of_what_is_measured(one, other, metric, same):
    runs = [made(n, curve([0.5], metric), settings=own) for n, own in (("a", one), ("b", other))]
    found = tasks(*runs, metric=metric)
    assert (found["a"] == found["b"]) is same


def test_one_that_tells_nothing_stands_apart_from_several_tasks_and_from_no_single_one():
    found = tasks(made("bert_cola"), made("bert_rte"), made("bert_base"))
    assert [task.name for task in found.values()] == ["cola", "rte", ""]
    assert len(set(tasks(made("bert_cola"), made("bert_base")).values())) == 1


@pytest.mark.parametrize(
    ("values", "names", "unit", "apart"), ROWS["values_apart_by_orders_of_magnitude"]
)
def test_values_apart_by_orders_of_magnitude(values, names, unit, apart):
    runs = [made(n, curve(v, unit=unit)) for n, v in zip(names, values, strict=True)]
    assert (len(set(tasks(*runs).values())) == 2) is apart


RISING = [0.5, 0.6, 0.75, 0.8]


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        # What lies there twice, whole or up to a moment.
        (curve(RISING, clock=9.0), curve(RISING, clock=9.0), "copy"),
        (curve(RISING[:3], clock=9.0), curve(RISING, clock=9.0), "copy"),
        (curve(RISING), curve(RISING), "copy"),
        # The same result at another time; what stands still; too little to tell.
        (curve(RISING, clock=9.0), curve(RISING, clock=7.0), ""),
        (curve([0.5] * 4), curve([0.5] * 4), ""),
        (curve(RISING[:2], clock=9.0), curve(RISING, clock=9.0), ""),
        (curve([0.5, 0.6, 0.7], clock=9.0), curve(RISING, clock=9.0), ""),
        # What begins where the other ends, later.
        (curve(RISING, clock=0.0), curve([0.9, 0.91], start=5, clock=99.0), "resumed"),
        (curve(RISING, clock=99.0), curve([0.9, 0.91], start=5, clock=0.0), ""),
    ],
)
def test_copies_and_beginnings(one, other, kind):
    third = made("elsewhere/c", curve([0.3, 0.2, 0.1], clock=1.0))
    found = tasks(made("lab/b", other), made("lab/a", one), third)
    kinds = {name: task for name, task in found.items() if task.kind}
    if not kind:
        assert not kinds
        return
    ((name, task),) = kinds.items()
    assert (task.kind, {name, task.name}) == (kind, {"lab/a", "lab/b"})
    assert len(one) == len(other) or name == "lab/a"


@pytest.mark.parametrize("shared", ["epoch", "learning_rate", "accuracy"])
def test_runs_of_one_schedule_are_no_copies(shared):
    both = curve([1.0, 2.0, 3.0, 4.0], shared)
    runs = [
        made(name, both, curve(values, split="test"))
        for name, values in (("a", [0.3, 0.2]), ("b", [0.4, 0.1]))
    ]
    assert not any(task.kind for task in tasks(*runs, metric="f1").values())


names = st.lists(
    st.sampled_from(["mnist", "cola", "hw1", "hw2", "Hopper-v4", "ppo", "lr1", "a", "CartPole-v1"]),
    min_size=1,
    max_size=3,
).map("/".join)
settings = st.dictionaries(
    st.sampled_from(["env", "dataset", "data", "task_name", "num_labels", "lr"]),
    st.one_of(st.sampled_from(["x", "y", ""]), st.integers(0, 2), st.none()),
    max_size=3,
)
curves = st.builds(
    curve,
    st.lists(st.sampled_from([0.1, 0.2, 300.0, float("nan"), -1.0]), max_size=5),
    st.sampled_from(["loss", "reward"]),
    start=st.integers(1, 6),
    clock=st.sampled_from([None, 0.0, 9.0]),
)
labs = st.dictionaries(names, st.tuples(settings, curves), min_size=1, max_size=6)


@given(labs, st.randoms(use_true_random=False))
def test_the_order_of_groups_changes_nothing_and_each_may_be_compared_with_itself(lab, random):
    groups = {name: [made(name, one, settings=said)] for name, (said, one) in lab.items()}
    found = tasks_of(groups, MetricPlan(name="loss"))
    again = list(groups)
    random.shuffle(again)
    assert found == tasks_of({name: groups[name] for name in again}, MetricPlan(name="loss"))
    assert found.keys() == groups.keys()
    for name, runs in groups.items():
        seeds = [*runs, made(f"{name}/again", *runs[0].scalars.values(), settings=runs[0].config)]
        assert tasks_of({name: seeds}, MetricPlan(name="loss")) == {name: Task()}


@pytest.mark.parametrize(
    ("one", "other", "apart"), ROWS["programs_that_share_no_setting_have_tasks_of_their_own"]
)
def test_programs_that_share_no_setting_have_tasks_of_their_own(one, other, apart):
    groups = {
        name: [Run(id=name, group=name, seed=0, layout="", scalars={}, config=config)]
        for name, config in (("version_3", one), ("version_7", other))
    }
    assert (len(set(tasks_of(groups, MetricPlan()).values())) == 2) is apart


@pytest.mark.parametrize(
    ("parts", "metric", "same"), ROWS["losses_of_unlike_parts_are_not_compared"]
)
def test_losses_of_unlike_parts_are_not_compared(parts, metric, same):
    plain = made("plain", curve([0.5, 0.25, 0.2], metric))
    other = made("other", curve([0.6, 0.5, 0.4], metric), *(curve([1.0], one) for one in parts))
    found = tasks(plain, other, metric=metric)
    assert (found["plain"] == found["other"]) is same
