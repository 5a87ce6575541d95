"""Runs that were evaluated at other moments than the ends of epochs too."""

from __future__ import annotations

import pytest
from fakes import made_runs, said

from reportgen.checks._series import has_more_steps, rooms

STEPS = [225, 450, 675, 676]
"""Three epochs, and one evaluation behind the last, as Lightning makes them."""
TABLE = {
    ("pretrained", 0): ([60.0, 70.0, 80.0, 79.0], [60.0, 70.0, 80.0, 79.0]),
    ("pretrained", 1): ([61.0, 71.0, 81.0, 82.0], [61.0, 71.0, 81.0, 82.0]),
}


def logs(steps=None):
    return made_runs.facts(runs=made_runs.runs_of(TABLE, steps=steps), groups=())


@pytest.mark.parametrize(("steps", "uneven"), [(STEPS, True), (None, False)])
def test_evaluations_within_an_epoch_are_noticed(steps, uneven):
    case = said.case("The accuracy rises.", facts=logs(steps))
    assert has_more_steps(rooms(case)[0]) is uneven


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (
            "On validation, one of the two runs of the pretrained model improves at each step.",
            ("none", "agrees"),
        ),
        (
            "On validation, two of the two runs of the pretrained model improve at every epoch.",
            ("none", "agrees"),
        ),
        (
            "On validation, none of the two runs of the pretrained model improves at every epoch.",
            ("error", "disagrees"),
        ),
    ],
)
def test_a_sentence_may_speak_of_epochs_or_of_every_evaluation(text, verdict):
    assert said.verdict(text, facts=logs(STEPS)) == verdict
