"""True sentences that call one of three groups the best and another the worst, and wrong ones."""

from __future__ import annotations

import pytest
from fakes.judged import RISING, accusations
from fakes.right._right import write_tags

LAB = "ranks"
WORST = {seed: [value - 0.1 for value in curve] for seed, curve in RISING[1].items()}
VAL = {"mixup": RISING[0], "plain": RISING[1], "tiny": WORST}
TRUE = (
    "{} is the best of the three models and {} is the worst.",
    "{} is the best model, and {} is the worst.",
    "{} est le meilleur modèle et {} est le pire.",
)
ASIDES = (
    "mixup, which beats tiny, is the best model.",
    "mixup, unlike tiny, is the best model.",
    "With respect to plain, mixup is the best model.",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranks")
    write_tags(folder / LAB, {"val/acc": VAL, "test/acc": VAL}, 50)
    return folder


@pytest.mark.parametrize("sentence", TRUE)
def test_the_worst_is_the_group_that_is_named_last(sentence, logs):
    assert accusations(logs, LAB, sentence.format("mixup", "tiny"), "right") == []
    for names in (("mixup", "plain"), ("tiny", "mixup")):
        assert accusations(logs, LAB, sentence.format(*names), "wrong") != [], names


@pytest.mark.parametrize("sentence", ASIDES)
def test_a_group_in_an_aside_is_not_the_best(sentence, logs):
    assert accusations(logs, LAB, sentence, "right") == []
