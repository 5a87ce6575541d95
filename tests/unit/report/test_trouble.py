"""Runs that ended early or diverged are named below the headline; what is usual is not."""

from __future__ import annotations

import math

import pytest

from reportgen.languages import speaking
from reportgen.report import summary

NAN = math.nan
FULL = [50.0, 60.0, 70.0, 75.0]
SHORT = [50.0, 60.0]


def facts_of(made, **curves):
    """Facts of groups of three seeds, some of whose validation curves are given."""
    curves = {"a0": FULL, "a1": FULL, "a2": FULL, "b0": FULL, "b1": FULL, "b2": FULL} | curves
    runs = made.runs_of({(k[0], int(k[1])): (v, v) for k, v in curves.items()}, steps=None)
    return made.facts(runs=runs, groups=())


def below_the_headline(made, facts):
    return made.even(made.prose(summary.build(facts)))


def test_a_run_that_ended_before_the_others_of_its_group_is_named(made):
    facts = facts_of(made, a2=SHORT)
    shown = "Not every run of a reaches step 900: seed 2 ends at step 450."
    assert shown in below_the_headline(made, facts)
    with speaking("fr"):
        assert (
            "Le pas 900 n’est pas atteint par chaque exécution de a : graine 2 s’arrête au pas 450."
        ) in below_the_headline(made, facts)


def test_a_step_that_is_told_has_the_evaluations_behind_it(made):
    numbers = {n.id: n for n in made.numbers(summary.build(facts_of(made, a2=SHORT)))}
    low, high = (numbers[f"summary.runs.ends.a.{k}"].quantity for k in ("2", "latest"))
    assert [(e.run, e.step, e.value) for e in low.sources] == [("a/2", 450, 60.0)]
    assert [(e.run, e.step, e.value) for e in high.sources] == [
        ("a/0", 900, 75.0),
        ("a/1", 900, 75.0),
    ]


@pytest.mark.parametrize(
    "curves",
    [
        {},
        {"a1": SHORT, "a2": SHORT},  # two of three: which end is the usual one?
        {f"a{i}": FULL[: i + 2] for i in range(3)},  # each stopped where it was best
        {f"b{i}": SHORT for i in range(3)},  # another group, another length
        {f"a{i}": SHORT if i < 4 else FULL for i in range(9)},  # four of nine are no exception
    ],
)
def test_what_is_no_exception_is_not_named(made, curves):
    assert "reaches" not in below_the_headline(made, facts_of(made, **curves))


def test_a_metric_that_ends_in_nan_is_told_from_its_last_finite_value_on(made):
    facts = facts_of(made, b1=[50.0, NAN, 60.0, NAN], a0=[50.0, NAN, 60.0, 61.0])
    told = below_the_headline(made, facts)
    assert "From step 900 on, the validation accuracy of b, seed 1 is NaN or infinite." in told
    assert told.count("NaN or infinite") == 1  # what came back is no divergence


def test_a_loss_that_ends_in_infinity_is_told_though_the_metric_stays_finite(made):
    table = {("a", seed): (FULL, FULL) for seed in range(3)}
    runs = made.runs_of(table)
    loss = made.series("train", [2.0, 3.0, math.inf, NAN], metric="loss", unit="")
    runs.runs[1].scalars[loss.tag] = loss
    facts = made.facts(runs=runs, groups=())
    told = below_the_headline(made, facts)
    assert "From step 675 on, the training loss of a, seed 1 is NaN or infinite." in told
    with speaking("fr"):
        assert (
            "À partir du pas 675, la perte à l’entraînement de a, graine 1 est NaN ou infinie."
        ) in below_the_headline(made, facts)
