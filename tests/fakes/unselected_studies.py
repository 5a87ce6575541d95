"""Studies in which no run has a best step, each a function of the module `made_runs`."""

import numpy as np

from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan


def curves_of(made, split, metric, groups, *, seeds=3, points=24, unit=""):
    """Runs with one curve of a metric on a split, and a loss beside it; one ends in NaN."""
    runs = []
    for index in range(groups):
        for seed in range(seeds):
            values = [index + seed / 7 - 1 / (step + 1) for step in range(points + seed)]
            if (index, seed) == (1, 2):
                values[-1] = np.nan
            steps = [100 * step for step in range(points + seed)]
            own = made.series(split, values, steps=steps, metric=metric, unit=unit)
            loss = made.series(split, values[::-1], steps=steps, metric="loss", unit="")
            runs.append(made.run(f"alpha{index}", seed, own, loss, layout="plain"))
    return Runs(root="logs", runs=tuple(runs))


def rewards(made):
    metric = MetricPlan(name="reward", direction="higher")
    line = "splits.tags.reward = 'validation'"
    return made.unselected_facts(curves_of(made, "", "reward", 2), metric, select=line)


def rewards_of_many(made):
    metric = MetricPlan(name="reward", direction="higher")
    return made.unselected_facts(curves_of(made, "", "reward", 14, seeds=5), metric)


def unknown_direction(made):
    metric = MetricPlan(name="zeta", direction="higher")
    return made.unselected_facts(curves_of(made, "", "zeta", 1, seeds=2, points=5), metric)


def training_alone(made):
    metric = MetricPlan(name="accuracy", direction="higher", unit="fraction")
    runs = curves_of(made, "train", "accuracy", 2, seeds=1, unit="fraction")
    return made.unselected_facts(runs, metric, select="metric.select_on = 'train'")


def only_tested(made):
    metric = MetricPlan(name="iou", direction="higher", unit="percent")
    runs = curves_of(made, "test", "iou", 6, seeds=1, unit="percent")
    return made.unselected_facts(runs, metric)


def ended_in_nan(made):
    """Two groups in which no run has a last value; of the second one no value is finite."""
    metric = MetricPlan(name="loss", direction="lower")
    runs = []
    for group, values in (("alpha", [1 / (i + 1) for i in range(29)]), ("beta", [np.nan] * 29)):
        own = made.series("train", [*values, np.nan], metric="loss", unit="")
        runs.append(made.run(group, 0, own, layout="plain"))
    return made.unselected_facts(Runs(root="logs", runs=tuple(runs)), metric)


def many_ended_in_nan(made):
    """So many groups that they are told of together, none of which has a last value."""
    metric = MetricPlan(name="reward", direction="higher")
    own = made.series("", [1.0, 0.5, np.inf], metric="reward", unit="")
    runs = [made.run(f"group{index}", 0, own, layout="plain") for index in range(6)]
    return made.unselected_facts(Runs(root="logs", runs=tuple(runs)), metric)


def some_values_alone(made):
    """Groups of three runs of which one or two have a last value; a run without the metric."""
    metric = MetricPlan(name="reward", direction="higher")
    runs = []
    for group, lasts in (("alpha", (3.0, np.nan, 5.0)), ("beta", (np.nan, 4.0, np.nan))):
        for seed, last in enumerate(lasts):
            steps = [0, 10, 20 + seed]
            own = made.series("", [1.0, 2.0, last], steps=steps, metric="reward", unit="")
            runs.append(made.run(group, seed, own, layout="plain"))
    other = made.series("", [1.0, 0.5, 0.2], steps=[0, 10, 20], metric="loss", unit="")
    runs.append(made.run("gamma", 0, other, layout="plain"))
    return made.unselected_facts(Runs(root="logs", runs=tuple(runs)), metric)


UNSELECTED = (
    *(rewards, rewards_of_many, unknown_direction, training_alone, only_tested),
    *(ended_in_nan, many_ended_in_nan, some_values_alone),
)
