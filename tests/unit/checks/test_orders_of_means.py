"""Where most runs say one thing and their means the opposite, the means decide."""

from __future__ import annotations

import pytest
from fakes import said

# Two of three seeds lie above; the means, 70.0 and 72.0, the other way round.
FIRST = [[60.0, 76.0], [60.0, 75.0], [40.0, 59.0]]
SECOND = [[61.0, 74.0], [61.0, 73.0], [61.0, 69.0]]
TABLE = {
    (group, seed): (curve, curve)
    for group, curves in (("pretrained", FIRST), ("random", SECOND))
    for seed, curve in enumerate(curves)
}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The test accuracy of the {} model is higher than that of the {} model.", "borderline"),
        ("The {} model is better than the {} model on the test set.", "borderline"),
        ("Le modèle {} est meilleur que le modèle {} sur le test.", "borderline"),
    ],
)
def test_runs_that_go_against_their_means_are_no_proof(text, verdict):
    names = ("pré-entraîné", "aléatoire") if text.startswith("Le ") else ("pretrained", "random")
    assert said.verdict(text.format(*names), table=TABLE) == ("note", verdict)
    assert said.verdict(text.format(*names[::-1]), table=TABLE) == ("none", "agrees")
