"""Sentences that a built report has, about made-up logs, in two languages; and their wrong twins."""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fakes.event_file import write_scalars
from fakes.judged import ASTRAY, RISING, findings_of
from fakes.right._right import write_tags

from reportgen.api.evidence import EvidencePaths

LEAVES, HOUSES, CROSSING, RUNS, NAMED = "leaves", "houses", "crossing", "runs", "named"
_ACCURACY = dict(zip(("vgg11", "densenet40"), RISING, strict=True))
_ERROR = dict(zip(("lstm", "conformer"), ASTRAY, strict=True))


def means(curves, group):
    return np.mean(list(curves[group].values()), axis=0)


GAP = 100 * (means(_ACCURACY, "densenet40") - means(_ACCURACY, "vgg11"))
FIRST, LAST = f"{GAP[0]:.2f}", f"{GAP[-1]:.2f}"
AT_FIRST, AT_LAST = FIRST.replace(".", ","), LAST.replace(".", ",")
_CROSSING = {
    "resnet18": {0: [0.40, 0.55, 0.61, 0.66, 0.71], 1: [0.42, 0.53, 0.64, 0.68, 0.73]},
    "resnet34": {0: [0.43, 0.52, 0.65, 0.69, 0.70], 1: [0.44, 0.55, 0.65, 0.69, 0.71]},
}
_RUNS = {
    "deep/net_a/seed1": [0.911, 0.640, 0.521, 0.508, 0.514],
    "deep/net_a/seed2": [0.902, 0.633, 0.499, 0.505, 0.511],
    "wide/net_b/seed-1": [0.951, 0.884, 0.872, 0.871, 0.890],
}
TWO_TABLES = """**Table 1.** Best validation step of each run.

| Group      | Best step | Loss: Validation |
| :--------- | --------: | ---------------: |
| deep/net_a |       150 |            0.508 |
|            |       100 |            0.499 |
| wide/net_b |       150 |            0.871 |

**Table 2.** Difference of the mean validation loss at the best step, deep/net_a minus wide/net_b, n = 2 and n = 1 runs.

| Quantity   |             Value |
| :--------- | ----------------: |
| wide/net_b |            0.8710 |
| deep/net_a | 0.5080 and 0.4990 |
| Difference |           -0.3675 |
"""
LONG, ENDLESS = "long", "_".join(f"part{n}_of_the_name" for n in range(11))
_LONG = {
    ENDLESS: {0: [0.40, 0.55, 0.61], 1: [0.46, 0.56, 0.61]},
    "short-1": {0: [0.40, 0.55, 0.61], 1: [0.40, 0.56, 0.65]},
}
_NAMED = {
    "tiny-net-last-not-best": [0.2459, 0.2432, 0.2443, 0.2449],
    "tiny-net-last-and-best": [0.2415, 0.24141, 0.24138, 0.24132],
}
_WEIGHTS = 0.6 ** np.arange(4)[::-1]
SMOOTHED = np.average(_NAMED["tiny-net-last-and-best"], weights=_WEIGHTS)
"""The last value of TensorBoard's curve at its weight of 0.6, which corrects the beginning."""
BELOW = int(np.sum(means(_CROSSING, "resnet18") < means(_CROSSING, "resnet34")))
SENTENCES = (
    # The gap of two means, and what is said of it by a pronoun.
    (
        LEAVES,
        f"The gap between the mean validation accuracy of densenet40 and that of vgg11 is widest at epoch 5 ({LAST}) and narrowest at epoch 1 ({FIRST}). It is wider at the end than at the start: {FIRST} at epoch 1, {LAST} at epoch 5.",
        f"The gap between the mean validation accuracy of densenet40 and that of vgg11 is widest at epoch 5 ({LAST}) and narrowest at epoch 1 ({FIRST}). It is wider at the end than at the start: {FIRST} at epoch 1, -5.83 at epoch 5.",
    ),
    (
        LEAVES,
        f"L’écart entre la moyenne de l’exactitude de densenet40 sur la validation et celle de vgg11 est le plus grand à l’époque 5 ({AT_LAST}) et le plus petit à l’époque 1 ({AT_FIRST}). Il est plus grand à la fin qu’au début : {AT_FIRST} à l’époque 1, {AT_LAST} à l’époque 5.",
        f"L’écart entre la moyenne de l’exactitude de densenet40 sur la validation et celle de vgg11 est le plus grand à l’époque 5 ({AT_LAST}) et le plus petit à l’époque 1 (−5,83).",
    ),
    # At how many moments one mean lies above another.
    (
        CROSSING,
        f"On validation, the mean accuracy of resnet18 lies below that of resnet34 at {BELOW} of the 5 evaluations, lies above it at {5 - BELOW} of the 5 evaluations.",
        f"On validation, the mean accuracy of resnet18 lies above that of resnet34 at {BELOW} of the 5 evaluations.",
    ),
    (
        CROSSING,
        f"Sur la validation, la moyenne de l’exactitude de resnet18 est inférieure à celle de resnet34 à {BELOW} des 5 évaluations, lui est supérieure à {5 - BELOW} des 5 évaluations.",
        "Sur la validation, la moyenne de l’exactitude de resnet18 est inférieure à celle de resnet34 à 1 des 5 évaluations.",
    ),
    (
        LEAVES,
        "Sur la validation, la moyenne de l’exactitude de vgg11 est supérieure à celle de densenet40 à chacune des cinq époques.",
        "Sur la validation, la moyenne de l’exactitude de vgg11 est inférieure à celle de densenet40 à chacune des cinq époques.",
    ),
    # How often single runs improve: of so many pairs of evaluations, and no epochs of that name.
    (LEAVES, "On validation, the runs of vgg11 improve at 3 to 4 of 4 epochs.", None),
    (
        LEAVES,
        "Sur la validation, les exécutions de vgg11 progressent de 3 à 4 fois sur 4 époques.",
        None,
    ),
    # By how much one side is smaller, in brackets behind both.
    (
        LEAVES,
        "À l’époque 1, l’exactitude de vgg11, graine 0, a une valeur plus petite à l’entraînement que sur la validation (−10,00).",
        None,
    ),
    # Two sides that are equal to the digit.
    (
        LEAVES,
        "À l’époque 5, la moyenne de l’exactitude de vgg11 à l’entraînement est égale à sa moyenne sur la validation.",
        "À l’époque 1, la moyenne de l’exactitude de vgg11 à l’entraînement est égale à sa moyenne sur la validation.",
    ),
    # Places in an order of values are none of them.
    (
        LEAVES,
        "Exactitude de 7 exécutions sur la validation : la bande en contient neuf sur dix (du quantile 0,05 au quantile 0,95).",
        None,
    ),
    # Rows of runs under a caption that speaks of each; two values in a cell, under a title of two words.
    (RUNS, TWO_TABLES, TWO_TABLES.replace(" 100 |", " 50 |")),
    # Words inside the name of a group are no words of the sentence.
    (
        NAMED,
        "Validation WER. The largest setback between two evaluations on validation is +0.11 points (tiny-net-last-not-best, step 100 to step 150).",
        None,
    ),
    (
        NAMED,
        "The best validation WER of tiny-net-last-not-best, 24.32 %, is reached at step 100.",
        "The best validation WER of tiny-net-last-not-best, 24.32 %, is reached at step 150.",
    ),
    # Half of a table, whose heads stand elsewhere; and a name of more letters than a label has.
    (
        LEAVES,
        "# Validation accuracy\n\nThe validation accuracy was chosen.\n\n| | | | |\n| - | - | - | - |\n| vgg11 | 0 | 12.34 | 23.45 |\n| densenet40 | 1 | 34.56 | 45.67 |\n",
        "# Validation accuracy\n\nThe validation accuracy was chosen.\n\n| Model | Seed | Validation accuracy, last epoch |\n| - | - | - |\n| vgg11 | 0 | 12.34 |\n| densenet40 | 1 | 34.56 |\n",
    ),
    (
        LONG,
        f"The standard deviation of short-1 over seeds on validation is largest at step 150. The standard deviation of {ENDLESS} over seeds on validation is largest at step 50.",
        f"The standard deviation of short-1 over seeds on validation is largest at step 150. The standard deviation of {ENDLESS} over seeds on validation is largest at step 150.",
    ),
    # A smoothed curve near the raw one.
    (
        NAMED,
        f"Validation WER by step, smoothed. tiny-net-last-and-best: from 0.2415 at step 50 to {SMOOTHED:.4f} at 200.",
        None,
    ),
    # Last steps, headed in French.
    (
        HOUSES,
        "| Groupe | Exécution | Dernier pas | MAE sur le test, dernière valeur |\n| :- | :- | -: | -: |\n| conformer | seed_1 | 200 | 0,888 |\n",
        "| Groupe | Exécution | Dernier pas | MAE sur le test, dernière valeur |\n| :- | :- | -: | -: |\n| conformer | seed_1 | 200 | 0,911 |\n",
    ),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    less = np.array([0.1, 0.04, 0.03, 0.01, 0.0])
    train = {g: {s: list(v - less) for s, v in runs.items()} for g, runs in _ACCURACY.items()}
    epochs = {g: {s: [1, 2, 3, 4, 5] for s in runs} for g, runs in _ACCURACY.items()}
    tags = {"val/acc": _ACCURACY, "train/acc": train, "epoch": epochs}
    write_tags(folder / LEAVES, tags, 50)
    write_tags(folder / LONG, {"val/acc": _LONG}, 50)
    write_tags(folder / CROSSING, {"val/acc": _CROSSING}, 50)
    for lab, tag, runs in ((RUNS, "val/loss", _RUNS), (NAMED, "val/wer", _NAMED)):
        for name, curve in runs.items():
            points = [(50 * n, v) for n, v in enumerate(curve, start=lab == NAMED)]
            write_scalars(folder / lab / name, {tag: points})
    test = {g: {s: [v + 0.017 for v in c] for s, c in runs.items()} for g, runs in _ERROR.items()}
    write_tags(folder / HOUSES, {"val/mae": _ERROR, "test/mae": test}, 50)
    return folder


def found(logs: Path, lab: str, text: str, name: str) -> list[str]:
    evidence = EvidencePaths(runs=logs / lab)
    findings = findings_of(text, logs / f"{lab}-{name}.md", evidence)
    return [f"{f.level} {f.rule}: {f.message}" for f in findings if f.level != "none"]


@pytest.mark.parametrize(
    ("lab", "text"), [(lab, right) for lab, right, _ in SENTENCES], ids=lambda value: value[:60]
)
def test_nothing_is_found_in_a_true_sentence(lab, text, logs):
    assert found(logs, lab, text, "right") == []


@pytest.mark.parametrize(
    ("lab", "text"),
    [(lab, wrong) for lab, _, wrong in SENTENCES if wrong],
    ids=lambda value: value[:60],
)
def test_its_twin_with_another_number_is_seen(lab, text, logs):
    assert found(logs, lab, text, "wrong") != []
