"""Studies of every kind, each a function of the module `made_runs`: what sections can say of runs.

For tests that hold whatever the runs are like.
"""

import numpy as np

from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, MetricPlan, StatisticsPlan


def of(table, made, **changes):
    return made.facts(table, **({"groups": ()} | changes))


def one_run(made):
    return of({("alpha", 0): ([60.0, 61.0], [59.0, 62.0])}, made)


def six_runs(made):
    return made.facts(split_sizes={"train": 1800, "validation": 200, "test": 2000})


def missing_values(made):
    table = dict(made.SIX)
    table.pop(("pretrained", 1))
    runs = list(made.runs_of(table))
    runs.append(made.run("pretrained", 1, made.series("validation", [50.0, 60.0])))
    groups = (
        GroupPlan(name="pretrained", seeds=(0, 1, 2, 3)),
        GroupPlan(name="random", seeds=(0, 1, 2)),
        GroupPlan(name="gamma", seeds=(0,)),
    )
    return made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=groups)


def not_finite(made):
    table = {**made.SIX, ("random", 2): ([np.nan] * 5, [np.inf] * 5)}
    table["random", 1] = ([50.5, np.nan, 67.5, 65.5, 67.5], [51.5, 62.8, np.nan, 71.5, 73.9])
    return made.facts(table)


def all_re_runs(made):
    cells = [("random", s) for s in range(3)] + [("pretrained", 0)]
    return made.facts(runs=made.rerun(made.runs_of(made.SIX), *cells, device="", date=""))


def word_errors(made):
    runs = [
        made.run(
            group,
            seed,
            *(
                made.series(split, [30.0, 21.5, 20.5 + seed + more], metric="wer")
                for split in ("validation", "test")
            ),
        )
        for more, group in enumerate(("alpha", "beta"))
        for seed in range(3)
    ]
    metric = MetricPlan(name="wer", direction="lower")
    return made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=(), metric=metric)


def many_groups(made):
    table = {
        (f"g{g:02}", s): ([60.0 + g, 61.0 + s], [59.0, 62.0 + g % 5])
        for g in range(11)
        for s in range(3)
    }
    return of(table, made)


def equal_groups(made):
    return of({(f"g{g}", s): ([60.0] * 40, [62.0] * 40) for g in range(6) for s in range(3)}, made)


def trainer(made):
    runs = [
        made.run(
            "alpha",
            seed,
            made.series("validation", [0.5, 0.61, 0.6 + (seed or 0) / 100], unit="fraction"),
            made.series("validation", [0.7, 0.6, 0.5], metric="loss", unit=""),
            made.series("train", [0.8, 0.7, 0.6], metric="loss", unit=""),
            layout="hf_trainer",
            name=f"alpha/{number}",
        )
        for number, seed in enumerate((0, 1, None))
    ]
    return made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=())


def two_splits(made):
    runs = list(made.runs_of(made.SIX))[:3]
    runs += [made.run("beta", s, made.series("validation", [50.0, 60.0 + s])) for s in range(3)]
    return made.facts(runs=Runs(root="logs", runs=tuple(runs)), groups=())


def no_epochs(made):
    return made.facts(steps_per_epoch=0)


def nothing_found(made):
    groups = (GroupPlan(name="alpha", seeds=(0, 1)), GroupPlan(name="beta"))
    return made.facts(runs=Runs(root="logs", runs=()), groups=groups)


# --- what is said rarely --------------------------------------------------------------


def of_runs(made, *runs, **changes):
    return made.facts(runs=Runs(root="logs", runs=runs), **({"groups": ()} | changes))


def fractions(made, group, seed, values, **changes):
    return made.run(group, seed, made.series("validation", values, unit="fraction"), **changes)


def unpaired(made):
    table = {("alpha", s): ([60.0 + s], [61.0 + s]) for s in range(3)}
    table |= {("beta", s): ([50.0 + s], [51.0 + s * s]) for s in range(4, 8)}
    return of(table, made)


def third_and_few_runs(made):
    table = {(g, s): ([60.0, 61.0 + s], [59.0, 62.0]) for g in ("a1", "a2") for s in range(2)}
    other = fractions(made, "beta", 0, [0.5, 0.6], layout="hf_trainer")
    return of_runs(made, *made.runs_of(table), other)


def different_units(made):
    runs = [*made.runs_of({("alpha", 0): ([60.0], [61.0])})]
    runs.append(made.run("beta", 0, made.series("validation", [3.0], unit="")))
    groups = (GroupPlan(name="alpha"), GroupPlan(name="beta"))
    return of_runs(made, *runs, groups=groups, compare=("alpha", "beta"))


def groups_with(made, *results):
    table = {
        (f"g{g}", s): ([60.0, 61.0], [59.0, value])
        for g, value in enumerate(results)
        for s in range(3)
    }
    return of(table, made)


def one_end_each(made):
    return groups_with(made, 60.0, 61.0, 62.0, 63.0, 64.0)


def two_ends_each(made):
    return groups_with(made, 60.0, 60.0, 60.0, 62.0, 64.0, 64.0, 64.0)


def not_smoothed(made):
    run = made.run(
        "alpha",
        0,
        made.series("validation", [60.0]),
        made.series("train", [2.0, 1.0], metric="loss", unit=""),
        made.series("validation", [2.0, np.nan, np.nan], metric="loss", unit=""),
    )
    alone = made.run("alpha", 1, made.series("train", [2.0, 1.0], metric="loss", unit=""))
    return of_runs(made, run, alone, statistics=StatisticsPlan(smoothing=0.0))


def chosen_on_what_is_not_reported(made):
    metric = MetricPlan(
        name="accuracy", direction="higher", select_on="test", report_on="validation"
    )
    return made.facts(metric=metric)


def many_single_runs(made):
    table = {(f"g{g:02}", 0): ([60.0 + g, 61.0], [59.0, 62.0]) for g in range(14)}
    table["g03", 0] = ([np.nan, np.nan], [np.nan, np.nan])
    return of(table, made)


def many_without_values(made):
    runs = [
        made.run("alpha", s, made.series("validation", [50.0 + s, 60.0]), name=f"alpha/{s}")
        for s in range(2)
    ]
    runs.append(made.run("alpha", 2, made.series("validation", [50.0]), name="."))
    runs.append(made.run("alpha", 3, made.series("test", [50.0])))
    runs += [
        made.run("alpha", s, made.series("validation", [50.0, 70.0]), made.series("test", [1.0]))
        for s in range(4, 20)
    ]
    groups = (GroupPlan(name="alpha", seeds=tuple(range(40))),)
    return of_runs(made, *runs, groups=groups)


def two_trainer_runs(made):
    runs = (fractions(made, "alpha", s, [0.5, 0.6, 0.55], layout="hf_trainer") for s in (0, 1))
    return of_runs(made, *runs)


def long_trainer_run(made):
    values = [0.5 + i / 200 for i in range(60)]
    return of_runs(
        made,
        fractions(made, "alpha", 0, values, layout="hf_trainer"),
        fractions(made, "beta", 0, values, layout="hf_trainer"),
    )


def the_only_run_again(made):
    table = {("alpha", 0): ([60.0, 61.0], [59.0, 62.0])}
    return of_runs(made, *made.rerun(made.runs_of(table), *table, notes=("half", "no tf32")))


def one_again_of_many(made):
    versions = {f"package{i}": "1.0" for i in range(9)}
    return made.facts(runs=made.rerun(made.runs_of(made.SIX), ("pretrained", 1), versions=versions))


CASES = (
    *(one_run, six_runs, missing_values, not_finite, all_re_runs, word_errors, many_groups),
    *(equal_groups, trainer, two_splits, no_epochs, nothing_found, unpaired),
    *(third_and_few_runs, different_units, one_end_each, two_ends_each, not_smoothed),
    *(chosen_on_what_is_not_reported, many_single_runs, many_without_values),
    *(two_trainer_runs, long_trainer_run, the_only_run_again, one_again_of_many),
)
"""Of each the report says what it says of no other."""
