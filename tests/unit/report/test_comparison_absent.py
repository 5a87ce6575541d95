"""What the comparison says of runs that diverged: named, with the reason, wherever left out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fakes.compared import said, two

NAN = math.nan
MLP = np.array([[60, 70, 74, 78, 80, 81.0], [61, 71, 75, 79, 81, 80.0], [62, 50, 9, NAN, NAN, NAN]])
DROPOUT = np.array(
    [[40, 50, 55, 57, 58, 59.0], [41, 51, 56, 58, 59, 58.5], [42, 52, 57, 59, 60, 61.0]]
)
TABLE = {
    **{("a", seed): (list(row), list(row)) for seed, row in enumerate(MLP)},
    **{("b", seed): (list(row), list(row)) for seed, row in enumerate(DROPOUT)},
}


def test_gap_ends_where_every_run_has_a_value_and_says_who_has_none(made):
    gaps = MLP.mean(axis=0) - DROPOUT.mean(axis=0)
    assert np.isnan(gaps).tolist() == [False] * 3 + [True] * 3
    gap = said(made, two(made, TABLE))["Gap"]
    at_first, at_last = (f"{abs(value):.1f}" for value in (gaps[0], gaps[2]))
    # 46 − 45 from (74 + 75 + 9) / 3 and (55 + 56 + 57) / 3: the gap turns round.
    assert f"It changes its sign: +{at_first} at epoch 1, −{at_last} at epoch 3" in gap
    assert "at the end" not in gap
    assert gap.endswith(
        "Left out, for not every run has a value there: epochs 4, 5 and 6 "
        "(NaN or infinite in a, seed 2)."
    )


def test_a_gap_narrower_at_last_does_not_speak_of_the_end(made):
    table = {**TABLE, ("a", 2): ([62.0, 70.0, 72.0, NAN, NAN, NAN],) * 2}
    gap = said(made, two(made, table))["Gap"]
    assert "Where every run has a value, it is narrower at last than at first: +20" in gap
    assert "+17.7 at epoch 3" in gap


def test_steadiness_names_the_run_that_is_left_out(made):
    sentence = said(made, two(made, TABLE))["Steadiness"]
    assert "of a run of a varies by 2.0 points (seed 1) to 3.0 points (seed 0)" in sentence
    assert (
        "Left out, for not every value from epoch 4 to epoch 6 is there: "
        "NaN or infinite in a, seed 2." in sentence
    )


def test_steadiness_of_one_run_left_names_it(made):
    table = {**TABLE, ("a", 1): TABLE["a", 2]}
    sentence = said(made, two(made, table))["Steadiness"]
    assert "the validation accuracy of a, seed 0 varies by 3.0 points." in sentence
    assert "NaN or infinite in a, seed 1; a, seed 2" in sentence


def test_steadiness_of_nobody_left_says_so(made):
    table = {**TABLE, **{("a", seed): TABLE["a", 2] for seed in range(3)}}
    assert "NaN or infinite in a, seed 0; a, seed 1" in said(made, two(made, table))["Steadiness"]


def test_last_step_names_the_run_without_one(made):
    sentence = said(made, two(made, TABLE))["Best and last step"]
    assert sentence.endswith(
        "Left out are the groups of runs with no value at their last step: "
        "NaN or infinite in a, seed 2."
    )


@pytest.mark.parametrize("title", ["Gap", "Steadiness", "Best and last step"])
def test_nothing_is_said_where_every_run_has_its_values(made, title):
    table = {**TABLE, ("a", 2): ([62.0, 70.0, 76.0, 77.0, 79.0, 80.0],) * 2}
    sentence = said(made, two(made, table))[title]
    assert "left out" not in sentence.lower()


def test_a_run_that_stopped_early_is_said_not_to_have_logged(made):
    table = {**TABLE, ("a", 2): ([62.0, 70.0, 72.0],) * 2}
    assert "(not logged by a, seed 2)" in said(made, two(made, table))["Gap"]
