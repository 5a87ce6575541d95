"""True sentences about runs that diverged, and about parts of a training; and their wrong twins.

One run of six ends far above all others. What is true is computed from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import ASTRAY, accusations
from fakes.right._right import comma, shown, write_tags

EACH = 1000
HOUSES = dict(zip(("mlp", "ridge"), ASTRAY, strict=True))
LOSS = {
    "vgg11": {
        0: [1.904, 1.377, 1.059, 0.853, 0.741, 0.702],
        1: [1.911, 1.402, 1.072, 0.871, 0.752, 0.713],
        2: [1.897, 1.361, 1.048, 0.846, 0.733, 0.698],
    }
}
ACCURACY = {
    g: {s: [round(0.95 - v / 3, 4) for v in c] for s, c in runs.items()} for g, runs in LOSS.items()
}
FIRST = LOSS["vgg11"][0]


def mean(curves, epoch: int) -> float:
    return float(np.mean([c[epoch - 1] for c in curves["vgg11"].values()]))


DROP = mean(LOSS, 1) - mean(LOSS, 4)
LEAVES, ERRORS, PEAKED = "leaves", "houses", "peaked"
RISES = (0.41, 0.55, 0.61, 0.65, 0.66, 0.67, 0.675, 0.68)
PEAKS = {
    "narrow": {
        s: [
            round(v - d + s / 100, 4)
            for v, d in zip(RISES, (0, 0, 0, 0, 0.02, 0.06, 0.09, 0.11), strict=True)
        ]
        for s in range(3)
    },
    "wide": {s: [round(v + s / 100, 4) for v in RISES] for s in range(3)},
}
DIVERGED = (
    (ERRORS, "One run of mlp diverged (seed 3).", "No run diverged."),
    (ERRORS, "One of the six runs diverged.", "None of the six runs diverged."),
    (ERRORS, "One of the six runs diverged.", "Four of the six runs diverged."),
    (ERRORS, "Seed 3 of mlp diverged.", "Seed 2 of mlp diverged."),
    (ERRORS, "Seed 3 of mlp diverged after epoch 2.", "Seed 2 of mlp diverged after epoch 2."),
    (ERRORS, "Seed 2 of mlp did not diverge.", "Seed 3 of mlp did not diverge."),
    (ERRORS, "One run diverged (mlp, seed 3).", "One run diverged (ridge, seed 3)."),
    (ERRORS, "One run diverged.", "Three runs diverged."),
    (ERRORS, "No ridge run diverged.", "No mlp run diverged."),
    (ERRORS, "None of the ridge runs diverged.", "None of the mlp runs diverged."),
    (
        ERRORS,
        "mlp diverged with seed 3, whereas all ridge runs were stable.",
        "mlp diverged with seed 2, whereas all ridge runs were stable.",
    ),
    (ERRORS, "Une exécution de mlp a divergé (graine 3).", "Aucune exécution n'a divergé."),
    (ERRORS, "Aucune exécution de ridge n'a divergé.", "Aucune exécution de mlp n'a divergé."),
    (ERRORS, "La graine 3 de mlp a divergé.", "La graine 1 de mlp a divergé."),
    (ERRORS, "Only seed 3 of mlp diverged.", "Only seed 1 of mlp diverged."),
    (ERRORS, "One of three mlp seeds diverged.", "None of three mlp seeds diverged."),
    (ERRORS, "Deux exécutions de mlp sur trois n'ont pas divergé.", None),
    (LEAVES, "No run diverged.", None),
    (LEAVES, "Aucune exécution n'a divergé.", None),
    # What was trained again, or thrown away, is not among the logs.
    (LEAVES, "One run diverged and was restarted.", None),
    (LEAVES, "One run diverged.", None),
    (LEAVES, "One run with a learning rate of 0.1 diverged.", None),
    (ERRORS, "Except for seed 3 of mlp, no run diverged.", None),
    (ERRORS, "The curves of mlp and ridge diverge from each other after epoch 2.", None),
    (ERRORS, "The mean test MAE of the runs under diverged is not given.", None),
)


def both(lab: str, sentence: str, right: float, off: float, spell=shown, decimals: int = 2):
    """Return a sentence with a value, and with another one."""
    return (
        lab,
        sentence.format(spell(right, decimals)),
        sentence.format(spell(right + off, decimals)),
    )


PARTS = (
    both(
        LEAVES,
        "Entre le pas 1000 et le pas 4000, la perte de validation de vgg11 (graine 0) diminue de {}.",
        FIRST[0] - FIRST[3],
        0.1,
        comma,
        3,
    ),
    both(
        LEAVES,
        "Entre les époques 1 et 4, la perte de validation de vgg11 (graine 0) chute de {}.",
        FIRST[0] - FIRST[3],
        0.1,
        comma,
        3,
    ),
    both(
        LEAVES,
        "Between steps 1000 and 4000, the mean validation loss of vgg11 drops by {}.",
        DROP,
        0.2,
    ),
    both(
        LEAVES, "From epoch 1 to epoch 4, the mean validation loss of vgg11 drops by {}.", DROP, 0.2
    ),
    both(
        LEAVES,
        "Entre les pas 1000 et 4000, la perte de validation moyenne de vgg11 baisse de {}.",
        DROP,
        0.2,
        comma,
    ),
    both(
        LEAVES,
        "Entre les pas 5000 et 6000, la perte de validation de vgg11 avec la graine 0 baisse de {}.",
        FIRST[4] - FIRST[5],
        0.1,
        comma,
        3,
    ),
    both(
        LEAVES,
        "La perte de validation de vgg11 (graine 0) diminue de {} entre les pas 1000 et 4000.",
        FIRST[0] - FIRST[3],
        0.1,
        comma,
        3,
    ),
    both(
        LEAVES,
        "Au bout de 4000 pas, la perte de validation de vgg11 avec la graine 0 vaut {}.",
        FIRST[3],
        0.1,
        comma,
        3,
    ),
    both(
        LEAVES,
        "À la fin de l'entraînement, la perte de validation de vgg11 vaut {} en moyenne.",
        mean(LOSS, 6),
        0.1,
        comma,
        3,
    ),
    both(
        LEAVES,
        f"vgg11 atteint {comma(100 * mean(ACCURACY, 6))} % d'exactitude de validation en moyenne ; à la fin de l'entraînement, sa perte de validation vaut {{}}.",
        mean(LOSS, 6),
        0.1,
        comma,
    ),
    both(
        LEAVES,
        f"vgg11 atteint une exactitude de validation moyenne de {comma(100 * mean(ACCURACY, 6))} %. À la fin de l'entraînement, sa perte de validation vaut {{}}.",
        mean(LOSS, 6),
        0.1,
        comma,
    ),
    # A ratio of less than one is a share of the WER as well as of the accuracy.
    (
        LEAVES,
        "The validation WER of vgg11 with seed 0 falls from 0.635 to 0.234.",
        "The validation WER of vgg11 with seed 0 falls from 0.635 to 0.334.",
    ),
)
TO_THE_END = (
    (
        PEAKED,
        "The test accuracy of wide improves until the last epoch.",
        "The test accuracy of narrow improves until the last epoch.",
    ),
    (
        PEAKED,
        "All three wide runs improve their test accuracy until the end of training.",
        "All three narrow runs improve their test accuracy until the end of training.",
    ),
    (
        PEAKED,
        "The test accuracy of narrow does not improve until the last epoch.",
        "The test accuracy of wide does not improve until the last epoch.",
    ),
    (
        PEAKED,
        "L’exactitude de test de wide augmente jusqu’à la dernière époque.",
        "L’exactitude de test de narrow augmente jusqu’à la dernière époque.",
    ),
    (
        PEAKED,
        "Sur le test, l’exactitude de wide progresse jusqu’à la fin de l’entraînement.",
        "Sur le test, l’exactitude de narrow progresse jusqu’à la fin de l’entraînement.",
    ),
)
SENTENCES = (*DIVERGED, *PARTS, *TO_THE_END)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("courses")
    epochs = {g: {s: list(range(1, 7)) for s in runs} for g, runs in LOSS.items()}
    wer = {g: {s: [round(v / 3, 4) for v in c] for s, c in r.items()} for g, r in LOSS.items()}
    tags = {"val/loss": LOSS, "val/acc": ACCURACY, "val/wer": wer, "epoch": epochs}
    write_tags(folder / LEAVES, tags, EACH)
    write_tags(folder / ERRORS, {"val/mae": HOUSES}, EACH)
    write_tags(folder / PEAKED, {"test/acc": PEAKS}, EACH)
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
def test_its_wrong_twin_is_seen(lab, sentence, logs):
    assert accusations(logs, lab, sentence, "wrong") != []
