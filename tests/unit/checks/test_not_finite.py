"""Runs with NaN: what may be said of them, and what stands for no value of theirs."""

from __future__ import annotations

import pytest
from fakes import made_runs, said

from reportgen.checks._choices import at_step
from reportgen.checks._logged import Curve

OK, WRONG = ("none", "agrees"), ("error", "disagrees")
NAN = float("nan")
RISING, CUT, FALLING = [60.0, 70.0, 80.0, 81.0], [NAN, 72.0, 79.0, 80.0], [80.0, 70.0, 60.0, 50.0]


@pytest.mark.parametrize(
    ("share", "runs", "verdict"),
    [
        ("one", (RISING, CUT), OK),
        ("two", (RISING, CUT), OK),
        ("none", (RISING, CUT), WRONG),
        ("none", (FALLING, CUT), OK),
        ("one", (FALLING, CUT), OK),
        ("two", (FALLING, CUT), WRONG),
    ],
)
def test_a_run_with_nan_may_count_as_one_that_improves_or_as_none(share, runs, verdict):
    text = f"On test, {share} of the two runs of the pretrained model improves at every epoch."
    table = {("pretrained", seed): (run, run) for seed, run in enumerate(runs)}
    assert said.verdict(text, table=table) == verdict


def test_the_value_after_a_nan_is_not_that_of_its_step():
    series = made_runs.series("validation", [1.0, NAN, 3.0], steps=[3, 4, 5])
    curve = Curve(made_runs.run("a", 3, series), series, made_runs.study())
    assert [choice.point.step for choice in at_step(curve, 4)] == []
    assert [choice.point.step for choice in at_step(curve, 6)] == [5]
