"""Facts of a row of a table of tests: groups, what each of their runs logged, and the study."""

from dataclasses import replace

import numpy as np
from fakes import made_runs as made

from reportgen.records.facts import Task
from reportgen.records.run import Clock, Result, Runs
from reportgen.records.study import GroupPlan, MetricPlan

EMPTY = np.array([])


def facts_of_row(row):
    """Facts of the groups of a row, in which the first two are compared where there are two.

    Curves are single runs whose last value is reported: (value, how often) one after the other.
    """
    if "curves" in row:
        runs = [
            made.run(name, None, made.series("test", np.repeat(*zip(*parts, strict=True))))
            for name, parts in row["curves"].items()
        ]
        plan = MetricPlan(name="accuracy", direction="higher")
        return made.unselected_facts(Runs(root="", runs=tuple(runs)), plan)
    given = row.get("study", {})
    unit = given.get("unit", "percent")
    runs = [
        run_of(group, seed, parts, given.get("metric", "accuracy"), unit)
        for group, members in row["groups"].items()
        for seed, parts in enumerate(members)
    ]
    metric = MetricPlan(
        name=given.get("metric", "accuracy"),
        direction=given.get("direction", "higher"),
        **{key: given[key] for key in ("chance", "ties", "others") if key in given},
    )
    facts = made.facts(
        runs=Runs(root="", runs=tuple(runs)),
        groups=tuple(
            GroupPlan(**{**plan, "seeds": tuple(plan.get("seeds", ()))})
            for plan in given.get("declared", ())
        ),
        metric=metric,
        split_sizes=given.get("sizes", {}),
        steps_per_epoch=given.get("pace", 225),
        compare=tuple(given.get("compare", ())),
    )
    if not row.get("pair", True):
        facts = replace(facts, comparisons=())
    tasks = {name: Task(kind=kind, name=of) for name, (kind, of) in row.get("tasks", {}).items()}
    groups = [replace(g, task=tasks.get(g.name, Task())) for g in facts.groups]
    return replace(facts, groups=tuple(groups))


def run_of(group, seed, parts, metric, unit):
    """A run of a row: a list is its validation and its test; a map, values by their steps."""
    given = {"test": parts} if isinstance(parts, list) else parts
    if "test" in given:
        given = {"validation": given["test"], **given}
    steps = given.get("steps")
    series = [
        made.series(split, [*points.values()], metric=metric, unit=unit, steps=[*points])
        if isinstance(points, dict)
        else made.series(split, points, metric=metric, unit=unit, steps=steps)
        for split in ("", "train", "validation", "test")
        if (points := given.get(split))
    ]
    for key, name, split in (
        ("loss", "loss", "validation"),
        ("unsaid_f1", "f1", ""),
        ("f1", "f1", "validation"),
        ("train_loss", "loss", "train"),
        ("lr", "learning_rate", "train"),
        ("wer", "wer", "validation"),
        ("test_loss", "loss", "test"),
        ("test_wer", "wer", "test"),
    ):
        if key in given:
            series.append(made.series(split, given[key], metric=name, unit=""))
    for name, points in given.get("more", {}).items():
        series.append(made.series("validation", points, metric=name, unit=""))
    if "seconds" in given:
        times = np.linspace(0.0, given["seconds"], len(series[0]))
        series = [replace(one, wall_times=times) for one in series]
    run = made.run(
        group, given.get("seed", seed), *series, name=given.get("name"),
        layout=given.get("layout", "fairseq"),
    )  # fmt: skip
    results = [Result(**{"tag": "x", "metric": metric, "split": "test", "unit": unit, **one})
               for one in given.get("results", ())]  # fmt: skip
    run = replace(run, results=tuple(results))
    if "pace" in given:
        run = replace(run, clock=Clock(steps=EMPTY, epochs=EMPTY, steps_per_epoch=given["pace"]))
    return replace(run, config=given.get("config", {}))
