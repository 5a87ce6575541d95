"""An evaluation is an epoch only where report and logs leave nothing else."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from reportgen.claims.pace import solve_pace
from reportgen.records.claim import Claim, Meaning, Setting
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.manuscript import Manuscript, Place
from reportgen.records.run import Run, Runs, Series
from reportgen.records.study import MetricPlan, Study


def a_run(seed, steps, *, epochs=False):
    def series(metric):
        size = len(steps)
        return Series(
            tag=metric,
            metric=metric,
            split="test",
            steps=np.array(steps),
            values=np.zeros(size),
            wall_times=np.zeros(size),
        )

    scalars = {name: series(name) for name in ("accuracy", *(["epoch"] if epochs else []))}
    return Run(id=f"a/{seed}", group="a", seed=seed, layout="", scalars=scalars)


def a_case(runs, epochs, *, known=0):
    claims = tuple(
        Claim(kind="metric_value", quote="", place=Place(line=1), content=Meaning(epoch=e))
        for e in epochs
    )
    study = Study(metric=MetricPlan(name="accuracy"), steps_per_epoch=known)
    facts = Facts(study=study, runs=Runs(root="", runs=tuple(runs)), groups=())
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
    return Case(manuscript=report, claims=claims, facts=facts)


def test_as_many_even_evaluations_as_epochs_are_epochs():
    case = a_case([a_run(0, [225, 450, 675]), a_run(1, [225, 450, 675])], [1, 2, 3])
    assert solve_pace(case).facts.study.steps_per_epoch == 225


@pytest.mark.parametrize(
    "case",
    [
        a_case([a_run(0, [100, 200, 300, 400])], [1, 2]),
        a_case([a_run(0, [100, 250, 300])], [1, 2, 3]),
        a_case([a_run(0, [100, 200]), a_run(1, [150, 300])], [1, 2]),
        a_case([a_run(0, [0, 100, 200])], [0, 1, 2]),
        a_case([a_run(0, [100, 200, 300], epochs=True)], [1, 2, 3]),
        a_case([a_run(0, [100, 200])], [2]),
        a_case([a_run(0, [100, 200])], [1, 2], known=50),
        a_case([], [1, 2]),
    ],
)
def test_anything_else_changes_nothing(case):
    assert solve_pace(case) is case


@pytest.mark.parametrize(
    ("key", "value", "pace"),
    [
        ("num_train_epochs", 3, 225),
        ("steps_per_epoch", 225, 225),
        ("num_train_epochs", 6, 0),
        ("steps_per_epoch", 450, 0),
    ],
)
def test_what_the_report_says_of_its_epochs_tells_what_an_evaluation_is(key, value, pace):
    case = a_case([a_run(0, [225, 450, 675])], [1])
    setting = Setting(name="", key=key, value=Decimal(value), scope="training")
    said = Claim(kind="hyperparameter", quote="", place=Place(line=1), content=setting)
    found = solve_pace(replace(case, claims=(*case.claims, said)))
    assert found.facts.study.steps_per_epoch == pace
