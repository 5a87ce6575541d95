"""True sentences on how many times one thing is another: none is accused, and its twin is.

The ratios are of losses and rewards of two groups, of the steps that they were trained for, and of
parameters that a sentence prints. What is true is computed by NumPy from the curves.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import numpy as np
import pytest
from fakes.event_file import write_scalars
from fakes.judged import accusations
from fakes.right._right import comma

LAB = "swing"
EACH = 100
REWARD = {
    "ppo": {0: [14, 820, 1903, 2704], 1: [26, 760, 1811, 2588], 2: [9, 799, 1950, 2651]},
    "ddpg": {
        0: [3, 240, 480, 589, 613, 713],
        1: [11, 305, 522, 570, 600, 694],
        2: [8, 214, 451, 560, 611, 668],
    },
}
LOSS = {
    "ppo": {0: [1.9, 0.61, 0.28, 0.21], 1: [2.1, 0.66, 0.27, 0.23], 2: [2.0, 0.58, 0.31, 0.2]},
    "ddpg": {
        0: [2.3, 1.4, 1.1, 0.9, 0.84, 0.81],
        1: [2.2, 1.5, 1.2, 0.9, 0.8, 0.77],
        2: [2.4, 1.4, 1.2, 1.0, 0.9, 0.82],
    },
}


def end(curves, group):
    return float(np.mean([c[-1] for c in curves[group].values()]))


BY_LOSS = end(LOSS, "ddpg") / end(LOSS, "ppo")
BY_REWARD = end(REWARD, "ppo") / end(REWARD, "ddpg")
STEPS = 6 / 4
# Sentence with its factor left open, the factor, another, decimals.
SENTENCES = (
    ("The final validation loss of ppo is lower than that of ddpg by a factor of {}.", BY_LOSS, 7.3, 1),
    ("The final validation loss of ppo is {} times lower than that of ddpg.", BY_LOSS, 7.3, 1),
    ("ppo's final validation loss is {}x smaller than that of ddpg.", BY_LOSS, 7.3, 1),
    ("The final validation losses of ppo and ddpg differ by a factor of {}.", BY_LOSS, 7.3, 1),
    ("There is a factor of {} between the final validation losses of ddpg and ppo.", BY_LOSS, 7.3, 1),
    ("La perte de validation finale de ppo est {} fois plus basse que celle de ddpg.", BY_LOSS, 7.3, 1),
    ("La perte de validation finale de ddpg est supérieure à celle de ppo d'un facteur {}.", BY_LOSS, 7.3, 1),
    ("Il y a un facteur {} entre les pertes de validation finales de ppo et de ddpg.", BY_LOSS, 7.3, 1),
    ("The final mean reward of ppo exceeds that of ddpg by a factor of {}.", BY_REWARD, 6.4, 1),
    ("The final mean reward of ppo is {} times higher than that of ddpg.", BY_REWARD, 6.4, 1),
    ("La récompense moyenne finale de ppo est {} fois plus élevée que celle de ddpg.", BY_REWARD, 6.4, 1),
    ("ddpg was trained for {} times as many steps as ppo.", STEPS, 3.4, 1),
    ("ddpg a été entraîné pendant {} fois plus de pas que ppo.", STEPS, 3.4, 1),
    ("ppo was trained for {} times fewer steps than ddpg.", STEPS, 3.4, 1),
    ("The wide net has 22.8M parameters, {} times as many as the narrow one with 6.1M parameters.", 22.8 / 6.1, 2.4, 1),
)  # fmt: skip
# Right, and a wrong twin where there is one.
WORDS = (
    ("ppo was trained for four times as many steps as usual.", None),
    ("ppo was trained for nearly 1.5 times fewer steps than ddpg, whose loss is higher.", None),
    ("The wide net has 22.8M parameters, twice as many parameters as the narrow one with 11.5M parameters.", None),
    ("ppo was trained for half the steps of ddpg.", None),
    ("ppo was trained for two thirds of the steps of ddpg.", None),
    ("ddpg a été entraîné pendant moins de deux fois plus de pas que ppo.", None),
    ("ppo needs a third of the steps of ddpg to reach a reward of 600.", None),
    ("With a learning rate that is reduced by a factor of 10, the reward of ppo exceeds that of ddpg.", None),
    ("ppo has 4.0 times more parameters than ddpg, for a better reward.", None),
    ("ppo is 3.1 times faster than ddpg in reaching its final reward.", None),
    ("The standard deviation of the final reward of ppo is 9.9 times that of some other method.", None),
    ("With seed 0, the final validation loss of ppo is 3.9 times lower than that of ddpg.", None),
    ("The final loss of ppo is 6.0 times lower on the hard examples than that of ddpg.", None),
    (f"The loss of ppo is divided by a factor of {np.mean([c[0] for c in LOSS['ppo'].values()]) / end(LOSS, 'ppo'):.1f} during training.", None),
    ("The final validation loss of ppo is about 4 times lower than that of ddpg.", "The final validation loss of ppo is about 9 times lower than that of ddpg."),
    ("ddpg was trained for 1.5 times as many steps as ppo.", "ddpg was trained for a quarter of the steps of ppo."),
    ("ppo s'entraîne sur 400 pas, ddpg sur 600.", "ppo s'entraîne sur le tiers des pas de ddpg."),
    ("ddpg was trained for more steps than ppo.", "ddpg was trained for four times as many steps as ppo."),
    ("ppo a été entraîné sur moins de pas que ddpg.", "ppo a été entraîné sur quatre fois moins de pas que ddpg."),
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    for tag, curves in (("eval/mean_reward", REWARD), ("val/loss", LOSS)):
        for group, runs in curves.items():
            for seed, values in runs.items():
                points = [(EACH * n, value) for n, value in enumerate(values, 1)]
                write_scalars(folder / LAB / group / f"seed_{seed}", {tag: points})
    return folder


def said(sentence, value, decimals):
    """The sentence with its factor, spelled as its language does."""
    french = any(word in sentence for word in ("perte", "récompense", "pendant"))
    spelled = comma(value, decimals) if french else f"{value:.{decimals}f}"
    return sentence.format(spelled)


@pytest.mark.parametrize(
    "sentence",
    [*(said(s, right, d) for s, right, _, d in SENTENCES), *(s for s, _ in WORDS)],
    ids=lambda s: s[:70],
)
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusations(logs, LAB, sentence, "right") == []


@pytest.mark.parametrize(
    "sentence",
    [*(said(s, wrong, d) for s, _, wrong, d in SENTENCES), *(s for _, s in WORDS if s)],
    ids=lambda s: s[:70],
)
def test_its_twin_with_another_factor_is_seen(sentence, logs):
    assert accusations(logs, LAB, sentence, "wrong") != []
