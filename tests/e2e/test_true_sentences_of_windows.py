"""True sentences about parts of curves: local drops, windows, turns and marks; and wrong twins."""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import pytest
from fakes.judged import accusations
from fakes.right._right import write_tags

EACH = 100
_RISE = (0.500, 0.600, 0.660, 0.700, 0.720, 0.735, 0.730, 0.734)
_FALL = (1.200, 0.900, 0.700, 0.600, 0.620, 0.660, 0.710, 0.770)
ACCURACY = {
    "vgg11": {s: [round(v + 0.004 * s, 4) for v in _RISE] for s in range(3)},
    "alexnet": {s: [round(v - 0.100 + 0.004 * s, 4) for v in _RISE] for s in range(3)},
}
LOSS = {
    "vgg11": {s: [round(v + 0.01 * s, 4) for v in _FALL] for s in range(3)},
    "alexnet": {s: [round(v + 0.3 + 0.01 * s, 4) for v in _FALL] for s in range(3)},
}
LOCAL = (
    # A change at a moment may be the one to it.
    (
        "The mean validation accuracy of vgg11 drops from 73.9 to 73.4 % at epoch 7.",
        "The mean validation accuracy of vgg11 drops from 75.9 to 73.4 % at epoch 7.",
    ),
    (
        "The validation accuracy of vgg11 with seed 0 falls from 73.5 to 73.0 % at epoch 7.",
        "The validation accuracy of vgg11 with seed 0 falls from 72.0 to 73.0 % at epoch 7.",
    ),
    (
        "The validation accuracy of vgg11 with seed 0 falls from 73.5 to 73.0 % between the sixth and the seventh epoch.",
        "The validation accuracy of vgg11 with seed 0 falls from 73.5 to 73.0 % between the fifth and the sixth epoch.",
    ),
    (
        "L'exactitude de validation moyenne de vgg11 baisse de 73,9 à 73,4 % à l'époque 7.",
        "L'exactitude de validation moyenne de vgg11 baisse de 75,9 à 73,4 % à l'époque 7.",
    ),
    (
        "L'exactitude de validation de vgg11 avec la graine 0 baisse de 73,5 à 73,0 % entre la sixième et la septième époque.",
        "L'exactitude de validation de vgg11 avec la graine 0 baisse de 73,5 à 73,0 % entre la cinquième et la sixième époque.",
    ),
    (
        "The validation loss of vgg11 with seed 0 rises from 0.71 to 0.77 in the last hundred steps.",
        "The validation loss of vgg11 with seed 0 rises from 0.71 to 0.97 in the last hundred steps.",
    ),
)
WINDOWS = (
    (
        "The validation accuracy of vgg11 rises monotonically over the first six epochs.",
        "The validation accuracy of vgg11 rises monotonically over the first eight epochs.",
    ),
    (
        "The mean validation accuracy of vgg11 rises monotonically from 50.4 to 73.9 % over the first six epochs.",
        "The mean validation accuracy of vgg11 rises monotonically from 54.4 to 73.9 % over the first six epochs.",
    ),
    (
        "Sur les six premières époques, l'exactitude de validation moyenne de vgg11 augmente à chaque époque.",
        "Sur les huit premières époques, l'exactitude de validation moyenne de vgg11 augmente à chaque époque.",
    ),
    (
        "The mean validation loss of vgg11 rises over the last four epochs.",
        "The mean validation loss of vgg11 falls over the last four epochs.",
    ),
    (
        "Sur les quatre dernières époques, la perte de validation moyenne de vgg11 augmente.",
        "Sur les quatre dernières époques, la perte de validation moyenne de vgg11 diminue.",
    ),
    # What is said of a mean is said of no single run.
    (
        "Over the last three epochs, the mean validation accuracy of vgg11 is always between 73.4 and 73.9 %.",
        "Over the last three epochs, the mean validation accuracy of vgg11 is always between 73.6 and 73.9 %.",
    ),
    (
        "From epoch 6 on, the mean validation accuracy of vgg11 lies between 73.4 and 73.9 %.",
        "From epoch 5 on, the mean validation accuracy of vgg11 lies between 73.4 and 73.9 %.",
    ),
    (
        "In the last three epochs, the mean validation accuracy of vgg11 lies between 73.4 and 73.9 %.",
        "In the last three epochs, the mean validation accuracy of vgg11 lies between 71.1 and 71.9 %.",
    ),
)
TURNS = (
    (
        "The mean validation loss of vgg11 is lowest at epoch 4 and climbs to 0.78 by epoch 8.",
        "The mean validation loss of vgg11 is lowest at epoch 4 and falls to 0.78 by epoch 8.",
    ),
    (
        "The mean validation loss of vgg11 falls until epoch 4 and then rises.",
        "The mean validation loss of vgg11 rises until epoch 4 and then falls.",
    ),
    (
        "The mean validation loss of vgg11 falls until step 400 and rises again by the end.",
        "The mean validation loss of vgg11 rises until step 400 and falls again by the end.",
    ),
    (
        "The mean validation accuracy of vgg11 increases until epoch 6 and then fluctuates.",
        "The mean validation accuracy of vgg11 decreases until epoch 6 and then fluctuates.",
    ),
    (
        "The mean validation loss of vgg11 falls and rises again after epoch 4.",
        "The mean validation loss of vgg11 rises and falls again after epoch 4.",
    ),
    (
        "The lowest mean validation loss of vgg11 is 0.61 at step 400, after which it rises.",
        "The lowest mean validation loss of vgg11 is 0.61 at step 400, after which it falls.",
    ),
    ("The mean validation loss of vgg11 falls until epoch 4, but it rises afterwards.", None),
    (
        "After an initial rise until epoch 5, the mean validation accuracy of vgg11 stays between 72.3 and 74.0 %.",
        "After an initial rise until epoch 5, the mean validation accuracy of vgg11 stays between 70.3 and 71.0 %.",
    ),
    (
        "Après une montée jusqu'à l'époque 5, l'exactitude de validation moyenne de vgg11 reste entre 72,3 et 74,0 %.",
        "Après une montée jusqu'à l'époque 5, l'exactitude de validation moyenne de vgg11 reste entre 70,3 et 71,0 %.",
    ),
    (
        "La perte de validation moyenne de vgg11 diminue jusqu'à l'époque 4, puis augmente.",
        "La perte de validation moyenne de vgg11 augmente jusqu'à l'époque 4, puis diminue.",
    ),
    (
        "L'exactitude de validation moyenne de vgg11 augmente jusqu'à l'époque 6 et fluctue ensuite.",
        "L'exactitude de validation moyenne de vgg11 diminue jusqu'à l'époque 6 et fluctue ensuite.",
    ),
)
VALUES = (
    # Of several values up to a moment the last alone is of it.
    (
        "The mean validation loss of vgg11 falls until epoch 4: 1.210, 0.910, 0.710 and 0.610.",
        "The mean validation loss of vgg11 falls until epoch 4: 1.210, 0.910, 0.710 and 0.510.",
    ),
    (
        "Up to step 400 the mean validation loss of vgg11 falls (1.210, 0.910, 0.710, 0.610).",
        "Up to step 400 the mean validation loss of vgg11 falls (1.210, 0.910, 0.710, 0.510).",
    ),
    (
        "The mean validation loss of vgg11 improves at every evaluation up to step 400 (from 1.210 to 0.610).",
        "The mean validation loss of vgg11 improves at every evaluation up to step 400 (from 1.410 to 0.610).",
    ),
    (
        "La perte de validation moyenne de vgg11 diminue jusqu'à l'époque 4 : 1,210, 0,910, 0,710 et 0,610.",
        "La perte de validation moyenne de vgg11 diminue jusqu'à l'époque 4 : 1,210, 0,910, 0,710 et 0,510.",
    ),
    (
        "Over the first four epochs, the mean validation loss of vgg11 falls (1.210, 0.910, 0.710, 0.610).",
        None,
    ),
    (
        "The lowest mean validation loss of vgg11 is 0.61 at step 400, after which it rises to 0.78.",
        "The lowest mean validation loss of vgg11 is 0.51 at step 400, after which it rises to 0.78.",
    ),
    (
        "In epoch 7, the mean validation accuracy of vgg11 decreases slightly (from 73.9 to 73.4 %) and then increases again.",
        "In epoch 7, the mean validation accuracy of vgg11 decreases (from 76.9 to 73.4 %).",
    ),
    # A mark that is passed is no value.
    (
        "vgg11 passes 65 % mean validation accuracy for the first time in epoch 3.",
        "vgg11 passes 68 % mean validation accuracy for the first time in epoch 3.",
    ),
    (
        "vgg11 surpasses a mean validation accuracy of 58 % at epoch 2 and of 65 % at epoch 3.",
        "vgg11 surpasses a mean validation accuracy of 58 % at epoch 2 and of 69 % at epoch 3.",
    ),
    (
        "At epoch 4, vgg11 exceeds a mean validation accuracy of 68 %.",
        "At epoch 4, vgg11 exceeds a mean validation accuracy of 75 %.",
    ),
    ("À l'époque 4, vgg11 dépasse une exactitude de validation moyenne de 68 %.", None),
    (
        "At epoch 4, vgg11 falls below a mean validation loss of 0.65.",
        "At epoch 4, vgg11 falls below a mean validation loss of 0.55.",
    ),
)
OTHERS = (
    # What a metric lacks to all goes the other way.
    ("The error (100 − accuracy) of vgg11 on validation decreases from 49.6 % to 26.2 %.", None),
    (
        "The error rate of vgg11, one minus the mean validation accuracy, falls during the training.",
        None,
    ),
    ("100 − accuracy of vgg11 on validation falls from 49.6 % to 26.2 %.", None),
    ("L'erreur (1 − exactitude) de vgg11 en validation diminue de 49,6 % à 26,2 %.", None),
    # An epoch that is named is no length of a training, nor are some of its epochs.
    (
        "The first epoch (50.4 % on validation) is by far the worst one for vgg11.",
        "We train vgg11 for 5 epochs.",
    ),
    ("La deuxième époque (60,4 % en validation) est meilleure que la première pour vgg11.", None),
    ("We evaluate vgg11 at two epochs, 5 and 8.", None),
    ("There are three epochs between the two optima.", None),
    ("Il y a trois époques entre les deux optimums.", None),
)
SENTENCES = (*LOCAL, *WINDOWS, *TURNS, *VALUES, *OTHERS)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("windows")
    epochs = {g: {s: list(range(1, 9)) for s in runs} for g, runs in LOSS.items()}
    write_tags(folder / "leaves", {"val/acc": ACCURACY, "val/loss": LOSS, "epoch": epochs}, EACH)
    return folder


@pytest.mark.parametrize(
    "sentence", [right for right, _ in SENTENCES], ids=lambda value: value[:60]
)
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusations(logs, "leaves", sentence, "right") == []


@pytest.mark.parametrize(
    "sentence", [wrong for _, wrong in SENTENCES if wrong], ids=lambda value: value[:60]
)
def test_its_wrong_twin_is_seen(sentence, logs):
    assert accusations(logs, "leaves", sentence, "wrong") != []
