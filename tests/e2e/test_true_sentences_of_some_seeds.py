"""True means of some of the seeds, named behind the value, and wrong ones."""

from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import RISING, accusations
from fakes.right._right import comma, shown, write_tags

LAB = "some"
VAL = {"mixup": RISING[0], "plain": RISING[1]}
SEEDS = sorted(RISING[0])
PICKED = SEEDS[0], SEEDS[2]
SENTENCES = (
    ("mixup has a test accuracy of {} % on average over seeds {} and {}.", shown),
    ("mixup has an average test accuracy of {} % over seeds {} and {}.", shown),
    ("mixup atteint une exactitude de test de {} % en moyenne sur les graines {} et {}.", comma),
)


def mean_of(seeds):
    """Mean test accuracy in percent at each seed's best validation step."""
    return float(np.mean([100 * max(RISING[0][seed]) for seed in seeds]))


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("some")
    write_tags(folder / LAB, {"val/acc": VAL, "test/acc": VAL}, 50)
    return folder


@pytest.mark.parametrize(("sentence", "spell"), SENTENCES)
def test_the_mean_is_of_the_seeds_behind_it(sentence, spell, logs):
    of_some, of_all = mean_of(PICKED), mean_of(SEEDS)
    assert abs(of_some - of_all) > 0.2
    assert accusations(logs, LAB, sentence.format(spell(of_some, 2), *PICKED), "right") == []
    assert accusations(logs, LAB, sentence.format(spell(of_some + 9, 2), *PICKED), "wrong") != []
