"""Numbers that are labels of runs and moments, and those that only look so."""

from __future__ import annotations

import pytest

from reportgen.checking.numbers._numbers import find_numbers
from reportgen.claims._counters import counters, ordinals


def counted(text):
    numbers = find_numbers(text)
    labels = counters(text, numbers)
    return [(labels[i].slot if i in labels else "", n.text) for i, n in enumerate(numbers)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seed 1 reaches 81.5 at step 1125", [("seed", "1"), ("", "81.5"), ("step", "1125")]),
        ("seeds 0, 1 and 2", [("seed", "0"), ("seed", "1"), ("seed", "2")]),
        ("seed 0, 80 and 81", [("seed", "0"), ("", "80"), ("", "81")]),
        ("after 5 epochs (1125 training steps)", [("epoch", "5"), ("step", "1125")]),
        ("trained for 5 epochs", [("length", "5")]),
        (
            "trained for 990, 790 and 590 steps",
            [("length", "990"), ("length", "790"), ("length", "590")],
        ),
        ("accuracies of 80 and 81 after 5 epochs", [("", "80"), ("", "81"), ("epoch", "5")]),
        ("a reward of 207.08 at its last step, 990.", [("", "207.08"), ("step", "990")]),
        ("2.5 after 5 epochs for A, after 6 for B", [("", "2.5"), ("epoch", "5"), ("epoch", "6")]),
        ("0.456. seed 1 has its best step at 15.", [("", "0.456"), ("seed", "1"), ("step", "15")]),
        ("207.08 at the last step (990)", [("", "207.08"), ("step", "990")]),
        ("At its last epoch, 5, it has 80", [("epoch", "5"), ("", "80")]),
        ("at the last epoch, 79 is reached", [("", "79")]),
        ("the last epoch, 79.5, and", [("", "79.5")]),
        ("last step: 79", [("", "79")]),
        (
            "from 57 at epoch 1 to 85.5 at 5",
            [("", "57"), ("epoch", "1"), ("", "85.5"), ("epoch", "5")],
        ),
        (
            "from 24.09 at epoch 0.0148 to 23.4568 at 0.177778",
            [
                *(("", "24.09"), ("epoch", "0.0148"), ("", "23.4568"), ("epoch", "0.177778")),
            ],
        ),
        (
            "from 57 at epoch 1 to 85.5 at 0.5",
            [*(("", "57"), ("epoch", "1"), ("", "85.5")), ("", "0.5")],
        ),
        ("over three seeds", [("n", "three")]),
        ("train/epoch vaut 6 au pas 360", [("epoch", "6"), ("step", "360")]),
        ("n = 3", [("n", "3")]),
        ("n = 1 to 2 in each", [("n", "1"), ("n", "2")]),
        ("at steps 61, 62 and 24 others", [("step", "61"), ("step", "62"), ("", "24")]),
        ("a 95% confidence interval", [("level", "95")]),
        ("95% of the reviews", [("", "95")]),
        ("lr = 1e-4 and rank 16", [("setting", "1e-4"), ("setting", "16")]),
        ("after 10k steps", [("step", "10k")]),
        ("à l'époque 4, graine 2", [("epoch", "4"), ("seed", "2")]),
        ("fold 1: 0.81", [("seed", "1"), ("", "0.81")]),
    ],
)
def test_what_a_number_counts(text, expected):
    assert counted(text) == expected


def test_ordinals_name_runs_and_epochs():
    text = "the second seed, the fifth epoch, la première graine, the first layer"
    assert [(m.slot, m.value) for m in ordinals(text)] == [
        ("seed", "2"),
        ("epoch", "5"),
        ("seed", "1"),
    ]
