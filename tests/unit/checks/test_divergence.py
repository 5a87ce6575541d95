"""Runs that diverged for sure, those that did not for sure, and those of which it is open."""

from __future__ import annotations

import math

import pytest
from fakes import made_runs

from reportgen.checks._divergence import DIVERGED, FINE, state_of
from reportgen.checks._logged import Logbook
from reportgen.records.run import Runs


def state(values, metric="loss", more=()):
    unit = "percent" if metric == "accuracy" else ""
    curves = [made_runs.series("validation", values, metric=metric, unit=unit), *more]
    run = made_runs.run("a", 0, *curves)
    return state_of(Logbook(made_runs.facts(runs=Runs(root="logs", runs=(run,)), groups=())), run)


@pytest.mark.parametrize(
    ("values", "metric", "wanted"),
    [
        ([0.9, 0.6, 7412.0], "loss", DIVERGED),
        ([0.9, 0.6, math.nan], "loss", DIVERGED),
        ([0.9, 0.6, math.inf], "loss", DIVERGED),
        ([50.0, 60.0, math.nan], "accuracy", DIVERGED),
        ([0.9, 0.6, 0.5], "loss", FINE),
        ([0.9, 1.0, 0.5], "loss", FINE),
        ([50.0, 60.0, 59.0], "accuracy", FINE),
        # Neither is sure.
        ([0.9, 0.6, 1.2], "loss", ""),
        ([0.9, 3.0, 0.5], "loss", ""),
        ([0.9, math.nan, 0.5], "loss", ""),
        ([50.0, 80.0, 52.0], "accuracy", ""),
        ([0.9], "loss", ""),
    ],
)
def test_one_curve(values, metric, wanted):
    assert state(values, metric)[0] == wanted


def test_every_curve_counts():
    training = made_runs.series("train", [2.0, 9.0, 1.0], metric="loss", unit="")
    assert state([50.0, 60.0, 61.0], "accuracy", [training])[0] == ""
    lost = made_runs.series("train", [2.0, 9.0, math.nan], metric="loss", unit="")
    found, shows = state([50.0, 60.0, 61.0], "accuracy", [lost])
    assert (found, shows) == (DIVERGED, "a/seed 0, train loss, ending at NaN")
