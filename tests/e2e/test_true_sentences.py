"""Single true sentences about made-up logs: none is accused, and its twin with another number is.

The sentences name more than one run, split, step or statistic, so that the nearest word is not
always the one that is meant. What is true is computed by NumPy from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import numpy as np
import pytest
from fakes.event_file import write_scalars
from fakes.judged import ASTRAY, RISING, accusations
from fakes.right._right import write_tags

EACH = 50

LEAVES = dict(zip(("vgg11", "densenet40"), RISING, strict=True))
_OFF = {0: 0.011, 1: 0.017, 2: 0.006, 3: 0.012, 5: 0.006}
TEST = {
    g: {s: [round(v - _OFF[s], 4) for v in c] for s, c in runs.items()}
    for g, runs in LEAVES.items()
}
TOP5 = {
    g: {s: [round(1 - (1 - v) / 3, 4) for v in c] for s, c in runs.items()}
    for g, runs in LEAVES.items()
}
LOSS = {
    g: {s: [round(2.1 - 2 * v, 4) for v in c] for s, c in runs.items()}
    for g, runs in LEAVES.items()
}
SWING = {
    "ppo": {0: [14, 820, 1903, 2704], 1: [-6, 760, 1811, 2588], 2: [9, 799, 1950, 2651]},
    "ddpg": {0: [3, 240, 480, 713], 1: [11, 305, 522, 694], 2: [-8, 214, 451, 668]},
}
ROLLOUT = {
    g: {s: [round(0.93 * v - 21, 1) for v in c] for s, c in runs.items()}
    for g, runs in SWING.items()
}
RESUMED = [1702, 2630]
HOUSES = dict(zip(("mlp_wide", "ridge"), ASTRAY, strict=True))
_MORE = {1: 0.021, 2: 0.014, 3: 0.017}
HOUSES_TEST = {
    g: {s: [round(v + _MORE[s], 4) for v in c] for s, c in runs.items()}
    for g, runs in HOUSES.items()
}


def last(curves, group):
    return [100 * c[-1] for c in curves[group].values()]


def chosen(curves, group, *, by=LEAVES):
    """Percent of each run at its best validation step."""
    return [100 * curves[group][s][int(np.argmax(c))] for s, c in by[group].items()]


def least(group):
    """Test error of each run at its lowest validation error."""
    return [HOUSES_TEST[group][s][int(np.argmin(c))] for s, c in HOUSES[group].items()]


PINE, FERN = chosen(TEST, "vgg11"), chosen(TEST, "densenet40")
PPO = [c[-1] for c in SWING["ppo"].values()]
WIDE = least("mlp_wide")


def of(values, decimals=2):
    return f"{float(np.mean(values)):.{decimals}f}"


LEAF, AGENT, HOUSE = "leaves", "swing", "houses"
SENTENCES = (
    # A subset of the seeds, named.
    (
        LEAF,
        f"Seeds 0, 1 and 2 of vgg11 have a mean test accuracy of {of(PINE[:3])} %.",
        "Seeds 0, 1 and 2 of vgg11 have a mean test accuracy of 64.11 %.",
    ),
    (
        LEAF,
        f"Excluding seed 3, vgg11's mean test accuracy is {of(PINE[:3])} %.",
        f"Excluding seed 3, vgg11's mean test accuracy is {of(PINE)} %.",
    ),
    (
        LEAF,
        f"The mean test accuracy of vgg11 without the outlier seed 3 is {of(PINE[:3])} %.",
        "The mean test accuracy of vgg11 without the outlier seed 3 is 68.91 %.",
    ),
    (
        HOUSE,
        f"The mean test MAE of mlp_wide is {of(WIDE[:2], 3)} if the diverged seed 3 is left out.",
        None,
    ),
    # A subset that is not named by its seeds: nothing can be said.
    (
        LEAF,
        f"Over the three best seeds, vgg11 has a mean test accuracy of {of(sorted(PINE)[1:])} %.",
        None,
    ),
    (HOUSE, f"Ignoring the diverged run, mlp_wide has a mean test MAE of {of(WIDE[:2], 3)}.", None),
    # The nearest moment.
    (
        HOUSE,
        f"The test MAE of mlp_wide with seed 1 is {WIDE[0]:.3f} at the end and lowest, {WIDE[0]:.3f}, at epoch 4.",
        "The test MAE of mlp_wide with seed 1 is 0.577 at the end and lowest, 0.577, at epoch 4.",
    ),
    (
        HOUSE,
        f"Seed 3 of mlp_wide diverged after epoch 2, and its test MAE ends at {HOUSES_TEST['mlp_wide'][3][-1]:.2f}.",
        "Seed 3 of mlp_wide diverged after epoch 2, and its test MAE ends at 6412.27.",
    ),
    (
        LEAF,
        "vgg11's seed 0 has a validation accuracy of 66.9 % at the end, which is lower than its best, 67.1 %, in epoch 4.",
        "vgg11's seed 0 has a validation accuracy of 65.9 % at the end, which is lower than its best, 67.1 %, in epoch 4.",
    ),
    (
        LEAF,
        f"After 2 of 5 epochs the mean validation accuracy of vgg11 was {of([100 * c[1] for c in LEAVES['vgg11'].values()])} %.",
        "After 2 of 5 epochs the mean validation accuracy of vgg11 was 54.22 %.",
    ),
    # The split, the metric and the tag that are named.
    (
        LEAF,
        f"With seed 1, vgg11 has an accuracy of 67.4 % (test: {PINE[1]:.1f} %).",
        "With seed 1, vgg11 has an accuracy of 63.4 % (test: 65.7 %).",
    ),
    (
        LEAF,
        f"The top-5 validation accuracy of vgg11 with seed 3 at its best step is {100 * TOP5['vgg11'][3][-1]:.1f} %.",
        "The top-5 validation accuracy of vgg11 with seed 3 at its best step is 80.7 %.",
    ),
    (
        AGENT,
        f"The final rollout reward (ep_rew_mean) of ppo with seed 0 is {ROLLOUT['ppo'][0][-1]:.0f}.",
        "The final rollout reward (ep_rew_mean) of ppo with seed 0 is 2394.",
    ),
    # Differences, ratios, relative differences.
    (
        LEAF,
        f"vgg11 has {of(PINE)} % and densenet40 {of(FERN)} % test accuracy, a relative improvement of {100 * (np.mean(PINE) / np.mean(FERN) - 1):.1f} %.",
        None,
    ),
    (
        LEAF,
        f"On the test set, vgg11 ({of(PINE)} %) is better than densenet40 ({of(FERN)} %), an improvement of {np.mean(PINE) - np.mean(FERN):.2f} points.",
        f"On the test set, vgg11 ({of(PINE)} %) is better than densenet40 ({of(FERN)} %), an improvement of 9.47 points.",
    ),
    (
        LEAF,
        f"vgg11 improves the test accuracy from {of(FERN)} % (densenet40) to {of(PINE)} %.",
        None,
    ),
    (
        LEAF,
        f"The test accuracy drops from {of(PINE)} % to {of(FERN)} % when densenet40 is used instead of vgg11.",
        None,
    ),
    (
        HOUSE,
        "The gap between training (0.487) and validation MAE (0.508) of mlp_wide with seed 1 is 0.021 at the end.",
        None,
    ),
    # Lists: of values by their labels, of epochs, as arrows, in brackets.
    (
        LEAF,
        "vgg11, test accuracy by seed: "
        + ", ".join(f"{s}: {v:.1f}" for s, v in enumerate(PINE))
        + ".",
        "vgg11, test accuracy by seed: 0: 66.0, 1: 65.7, 2: 62.7, 3: 71.0.",
    ),
    (
        LEAF,
        f"vgg11: validation accuracy {', '.join(of([100 * c[e] for c in LEAVES['vgg11'].values()]) for e in range(4))} and {of(last(LEAVES, 'vgg11'))} % after epochs 1 to 5 (mean over seeds).",
        f"vgg11: validation accuracy 41.83, 56.12, 61.30, 68.05 and {of(last(LEAVES, 'vgg11'))} % after epochs 1 to 5 (mean over seeds).",
    ),
    (
        LEAF,
        "vgg11's validation accuracy: 55.1 -> 63.3 -> 67.1 (seed 0, epochs 2 to 4).",
        "vgg11's validation accuracy: 55.1 -> 61.3 -> 67.1 (seed 0, epochs 2 to 4).",
    ),
    (
        HOUSE,
        f"The test MAE of the ridge baseline is {', '.join(f'{v:.3f}' for v in least('ridge')[:2])} and {least('ridge')[2]:.3f} for seeds 1, 2, 3.",
        "The test MAE of the ridge baseline is 0.892, 0.849 and 0.899 for seeds 1, 2, 3.",
    ),
    # Counts and bounds.
    (AGENT, f"ppo reaches a mean reward of {of([*PPO, RESUMED[1]], 0)} over four seeds.", None),
    (AGENT, "ppo solves the task: its reward exceeds 2500 for all seeds.", None),
    (
        LEAF,
        "All densenet40 runs exceed 58 % test accuracy.",
        "All vgg11 runs exceed 68 % test accuracy.",
    ),
    (LEAF, "densenet40 needs 3 epochs to reach the 57 % validation accuracy on average.", None),
    (LEAF, "densenet40 needs 3 epochs to get above 57 % validation accuracy on average.", None),
    (LEAF, "densenet40 takes 3 epochs to cross 57 % validation accuracy on average.", None),
    # Runs and groups that are told by their rank, all of them together.
    (
        AGENT,
        "ddpg with seed 2 is its weakest run with an evaluation reward of 668, far below the best ppo run (2704).",
        None,
    ),
    (
        LEAF,
        f"The mean test accuracy over all seven runs is {of([*PINE, *FERN])} %.",
        "The mean test accuracy over all seven runs is 61.22 %.",
    ),
    (
        LEAF,
        f"vgg11: best {max(PINE):.1f} %, mean {np.mean(PINE):.1f} %, worst {min(PINE):.1f} % (test accuracy).",
        None,
    ),
    (
        LEAF,
        f"Test accuracy ranges from {min(PINE):.1f} % to {max(PINE):.1f} % for vgg11 and from {min(FERN):.1f} % to {max(FERN):.1f} % for densenet40.",
        f"Test accuracy ranges from 69.1 % to {max(PINE):.1f} % for vgg11 and from {min(FERN):.1f} % to {max(FERN):.1f} % for densenet40.",
    ),
    # Runs that begin later than the others.
    (
        AGENT,
        f"ppo improves from {of([c[0] for c in SWING['ppo'].values()], 0)} at 100 steps to {of([*PPO, RESUMED[1]], 0)} at 400 steps (mean evaluation reward).",
        "ppo improves from 6 at 100 steps to 1943 at 400 steps (mean evaluation reward).",
    ),
    # Each value of a list, and their mean; one of several that is told by its rank.
    (
        LEAF,
        f"The mean of the four test accuracies {', '.join(f'{v:.2f}' for v in PINE[:3])} and {PINE[3]:.2f} of vgg11 is {of(PINE)} %.",
        None,
    ),
    (
        LEAF,
        f"The best test accuracy is {max(PINE):.1f} % (vgg11, seed 3), the worst {min(FERN):.1f} % (densenet40, seed 1).",
        None,
    ),
    (
        LEAF,
        f"vgg11 with seed 3 has a test accuracy of {PINE[3]:.1f} %, the other three between {min(PINE):.1f} and {sorted(PINE)[2]:.1f} %.",
        f"vgg11 with seed 3 has a test accuracy of 72.0 %, the other three between {min(PINE):.1f} and {sorted(PINE)[2]:.1f} %.",
    ),
    # Two models, and no course of one; what another model would have.
    (
        LEAF,
        f"Accuracy on the test set improves from {of(FERN, 1)} % to {of(PINE, 1)} % when densenet40 is replaced by vgg11.",
        None,
    ),
    (
        HOUSE,
        "Extrapolation predicts a MAE of 0.401 on validation; mlp_wide ends at 0.508 with seed 1.",
        None,
    ),
    (
        LEAF,
        f"The mean test accuracy of vgg11 is {of(PINE)} % and its population standard deviation is {np.std(PINE):.2f}.",
        f"The mean test accuracy of vgg11 is {of(PINE)} % and its population standard deviation is {np.std(PINE, ddof=1):.2f}.",
    ),
    # Labels of moments, and marks that are no results of these runs.
    (
        LEAF,
        "vgg11 with seed 0 has, at its best step, 200, a validation accuracy of 67.1 %.",
        "vgg11 with seed 0 has, at its best step, 200, a validation accuracy of 65.1 %.",
    ),
    (
        LEAF,
        f"Validation accuracy after 1/3/5 epochs: {'/'.join(of([100 * c[e] for c in LEAVES['vgg11'].values()], 1) for e in (0, 2, 4))} % for vgg11.",
        "Validation accuracy after 1/3/5 epochs: 41.8/61.3/68.7 % for vgg11.",
    ),
    (
        LEAF,
        "The validation accuracy of densenet40 with seed 0 grows by 22.8 points from epoch 1 to 4 (38.1 to 60.9 %).",
        None,
    ),
    (LEAF, "We had hoped for 75 % test accuracy with vgg11.", None),
    (LEAF, "The coefficient of variation of the test accuracy of vgg11 is 3.6 %.", None),
    (
        LEAF,
        f"Dropping the best seed, the mean test accuracy of vgg11 falls from {of(PINE)} % to {of(sorted(PINE)[:3])} %.",
        None,
    ),
    (LEAF, "The best seed of densenet40 on validation is 5 (accuracy 61.9).", None),
    (
        LEAF,
        f"Test accuracy (mean of 4 / 3 seeds): {of(PINE)} % / {of(FERN)} % for vgg11 / densenet40.",
        f"Test accuracy (mean of 4 / 3 seeds): {of(PINE)} % / 61.92 % for vgg11 / densenet40.",
    ),
    (
        LEAF,
        "vgg11 gains 11.8 accuracy points on validation with seed 0 from epoch 2 to 5.",
        "vgg11 gains 5.3 accuracy points on validation with seed 0 from epoch 2 to 5.",
    ),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    tags = {"val/acc": LEAVES, "test/acc": TEST, "val/top5": TOP5, "val/loss": LOSS}
    tags["epoch"] = {g: {s: [1, 2, 3, 4, 5] for s in runs} for g, runs in LEAVES.items()}
    write_tags(folder / LEAF, tags, EACH)
    write_tags(folder / HOUSE, {"val/mae": HOUSES, "test/mae": HOUSES_TEST}, EACH)
    write_tags(folder / AGENT, {"eval/mean_reward": SWING, "rollout/ep_rew_mean": ROLLOUT}, 100)
    later = {"eval/mean_reward": [(300, RESUMED[0]), (400, RESUMED[1])]}
    write_scalars(folder / AGENT / "ppo" / "seed_3", later)
    return folder


@pytest.mark.parametrize(
    ("lab", "sentence"), [(lab, right) for lab, right, _ in SENTENCES], ids=lambda value: value[:60]
)
def test_a_true_sentence_is_accused_of_nothing(lab, sentence, logs):
    assert accusations(logs, lab, sentence, "right") == []


@pytest.mark.parametrize(
    ("lab", "sentence"),
    [(lab, wrong) for lab, _, wrong in SENTENCES if wrong],
    ids=lambda value: value[:60],
)
def test_its_twin_with_another_number_is_seen(lab, sentence, logs):
    assert accusations(logs, lab, sentence, "wrong") != []
