"""True sentences on changes, told by both ends or by how much: none is accused, its twin is.

A change may be one of a run over its training, or one from a group of runs to another. What is
true is computed by NumPy from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines and their typographic marks
from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import RISING, accusations
from fakes.right._right import comma, shown, write_tags

EACH = 50
LAB = "leaves"
VAL = dict(zip(("vgg11", "densenet40"), RISING, strict=True))
TEST = {
    g: {s: [round(v - 0.013, 4) for v in c] for s, c in runs.items()} for g, runs in VAL.items()
}
LOSS = {
    g: {s: [round(2.1 - 2 * v, 4) for v in c] for s, c in runs.items()} for g, runs in VAL.items()
}


def at(curves, group, epoch):
    """Mean over the seeds after an epoch."""
    return float(np.mean([c[epoch - 1] for c in curves[group].values()]))


def reached(group):
    """Mean test accuracy, in percent, at each seed's best validation step."""
    runs = VAL[group].items()
    return float(np.mean([100 * TEST[group][s][int(np.argmax(c))] for s, c in runs]))


UP = [100 * at(VAL, "vgg11", e) for e in range(1, 6)]
DOWN = [at(LOSS, "vgg11", e) for e in range(1, 6)]
OTHER = [100 * at(VAL, "densenet40", e) for e in range(1, 6)]
ONE = [100 * v for v in VAL["vgg11"][0]]
A, B = reached("vgg11"), reached("densenet40")
RISE, FALL = UP[-1] - UP[0], ONE[3] - ONE[4]
# Sentence with its last number left open; that number, and another.
SENTENCES = (
    # Both ends, and no word for up or down.
    (f"The mean validation accuracy of vgg11 goes from {shown(UP[0])} % to {{}} %.", UP[-1], 66.2),
    (
        f"The mean validation accuracy of vgg11 goes from {shown(UP[0])} % to {{}} % between epoch 1 and 5.",
        UP[-1],
        64.9,
    ),
    (
        f"The mean validation accuracy of vgg11 rises from {shown(UP[1])} % to {{}} % between epochs 2 and 4.",
        UP[3],
        66.1,
    ),
    (
        f"Between epoch 2 and epoch 5, the mean validation accuracy of densenet40 moves from {shown(OTHER[1])} to {{}} %.",
        OTHER[-1],
        59.1,
    ),
    (
        f"Seed 0 of vgg11 goes from {shown(ONE[0])} % validation accuracy at epoch 1 to {{}} % at epoch 4.",
        ONE[3],
        64.8,
    ),
    (f"The mean validation loss of vgg11 went from {shown(DOWN[0], 2)} to {{}}.", DOWN[-1], 0.61),
    (
        f"With seed 0, the validation accuracy of vgg11 goes from {shown(ONE[0])} % to a best of {{}} %.",
        ONE[3],
        65.3,
    ),
    (
        f"L'exactitude moyenne de validation de vgg11 passe de {comma(UP[0])} à {{}} %.",
        UP[-1],
        66.2,
    ),
    (
        f"L'exactitude moyenne de validation de vgg11 passe de {comma(UP[0])} % à l'époque 1 à {{}} % à l'époque 5.",
        UP[-1],
        64.9,
    ),
    (
        f"L'exactitude moyenne de validation de vgg11 augmente de {comma(UP[0])} % à l'époque 1 à {{}} % à l'époque 5.",
        UP[-1],
        64.9,
    ),
    (
        f"Entre les époques 2 et 5, l'exactitude de validation moyenne de densenet40 passe de {comma(OTHER[1])} à {{}} %.",
        OTHER[-1],
        59.1,
    ),
    (
        f"Avec la graine 0, l'exactitude de validation de vgg11 passe de {comma(ONE[0])} % à {{}} % entre les époques 1 et 4.",
        ONE[3],
        64.8,
    ),
    (
        f"L'exactitude de validation moyenne de vgg11 est passée de {comma(UP[0])} % à {{}} % en cinq époques.",
        UP[-1],
        64.9,
    ),
    (
        f"La perte de validation moyenne de vgg11 passe de {comma(DOWN[0], 2)} à {{}}.",
        DOWN[-1],
        0.61,
    ),
    (
        f"L'exactitude moyenne de validation de vgg11 va de {comma(UP[0])} % à l'époque 1 à {{}} % à l'époque 5.",
        UP[-1],
        64.9,
    ),
    # By how much: of one group over its training, of one group and another.
    ("The mean validation accuracy of vgg11 gains {} points during training.", RISE, 20.9),
    (
        "On average, vgg11 gains {} points of validation accuracy between epochs 1 and 5.",
        RISE,
        20.9,
    ),
    (
        "With seed 0, vgg11 gains {} points of validation accuracy from epoch 1 to epoch 4.",
        ONE[3] - ONE[0],
        21.4,
    ),
    (
        "With seed 0, vgg11 loses {} points of validation accuracy between epochs 4 and 5.",
        FALL,
        1.4,
    ),
    (
        "Avec la graine 0, vgg11 gagne {} points d'exactitude de validation entre les époques 1 et 4.",
        ONE[3] - ONE[0],
        21.4,
    ),
    (
        "L'exactitude de validation moyenne de vgg11 gagne {} points au cours de l'entraînement.",
        RISE,
        20.9,
    ),
    (
        "Avec la graine 0, l'exactitude de validation de vgg11 perd {} point entre les époques 4 et 5.",
        FALL,
        1.4,
    ),
    ("vgg11 gains {} points of test accuracy over densenet40.", A - B, 16.2),
    ("densenet40 loses {} points of mean test accuracy against vgg11.", A - B, 16.2),
    ("densenet40 loses {} points of mean test accuracy compared with vgg11.", A - B, 16.2),
    ("densenet40 perd {} points d'exactitude de test moyenne par rapport à vgg11.", A - B, 16.2),
    ("vgg11 gagne {} points d'exactitude de test moyenne par rapport à densenet40.", A - B, 16.2),
    (
        "vgg11 apporte une amélioration de {} points d'exactitude de test par rapport à densenet40.",
        A - B,
        9.4,
    ),
    ("vgg11 brings an improvement of {} points of test accuracy over densenet40.", A - B, 9.4),
    (
        f"On the test set vgg11 reaches a mean accuracy of {A:.1f} %, a gain of {{}} points over densenet40.",
        A - B,
        9.4,
    ),
    (
        f"Sur le test, vgg11 obtient une exactitude moyenne de {comma(A)} %, soit une amélioration de {{}} points par rapport à densenet40.",
        A - B,
        9.4,
    ),
)
# Changes from one thing to another of which no single group is the subject: nothing is accused.
RIGHT = (
    f"The validation accuracies of vgg11 go from {100 * min(c[-1] for c in VAL['vgg11'].values()):.1f} % to {100 * max(c[-1] for c in VAL['vgg11'].values()):.1f} %.",
    "| test accuracy | seed 0 |\n|---|---|\n| vgg11 | 65.8 |\n| densenet40 | 60.0 |\n\nvgg11 gains 2.4 points with augmentation.",
    f"The test accuracy goes from {B:.1f} % to {A:.1f} % with vgg11.",
    f"The test accuracy goes from {B:.1f} % (densenet40) to {A:.1f} % (vgg11).",
    f"Moving from densenet40 to vgg11, the test accuracy goes from {B:.1f} % to {A:.1f} %.",
    f"De densenet40 à vgg11, l'exactitude de test moyenne passe de {comma(B)} à {comma(A)} %.",
    f"En remplaçant densenet40 par vgg11, l'exactitude de test passe de {comma(B)} à {comma(A)} %.",
    f"Avec vgg11, l'exactitude de test passe de {comma(B)} à {comma(A)} %.",
    f"L'exactitude de test passe de {comma(B)} à {comma(A)} % grâce à vgg11.",
    f"L'exactitude de vgg11 passe de {comma(UP[-1])} % en validation à {comma(100 * at(TEST, 'vgg11', 5))} % en test.",
    f"The accuracy of vgg11 goes from {UP[-1]:.1f} % on validation to {100 * at(TEST, 'vgg11', 5):.1f} % on test.",
    f"The accuracy of vgg11 on validation goes from chance, 3.1 %, to {UP[-1]:.1f} %.",
    "The accuracy of vgg11 went from 55.0 % in our first attempt to 68.7 % on validation.",
    "L'exactitude de validation de vgg11 passe de 55,0 % avant correction du bogue à 68,7 %.",
    "When the learning rate goes from 0.1 to 0.01, the validation accuracy of vgg11 improves.",
    "L'exactitude de vgg11 ne change guère quand le rang passe de 4 à 16.",
    "The accuracy of vgg11 on seed 0 goes from 41.2 % to 55.1 %, 63.3 % and 67.1 % on validation.",
    f"vgg11 gains {RISE:.1f} points of validation accuracy with more training.",
    "vgg11 gains 3.3 points of test accuracy with augmentation.",
    "vgg11 perd 4,1 points d'exactitude de test sans augmentation.",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    tags = {"val/acc": VAL, "test/acc": TEST, "val/loss": LOSS}
    tags["epoch"] = {g: {s: [1, 2, 3, 4, 5] for s in runs} for g, runs in VAL.items()}
    write_tags(folder / LAB, tags, EACH)
    return folder


def said(sentence, value):
    """The sentence with its number, spelled as the language of the sentence does."""
    decimals = 2 if "loss" in sentence or "perte" in sentence else 1
    french = " de " in sentence or "gagne" in sentence
    return sentence.format((comma if french else shown)(value, decimals))


@pytest.mark.parametrize(
    "sentence", [*(said(s, right) for s, right, _ in SENTENCES), *RIGHT], ids=lambda s: s[:70]
)
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusations(logs, LAB, sentence, "right") == []


@pytest.mark.parametrize(
    "sentence", [said(s, wrong) for s, _, wrong in SENTENCES], ids=lambda s: s[:70]
)
def test_its_twin_with_another_number_is_seen(sentence, logs):
    assert accusations(logs, LAB, sentence, "wrong") != []
