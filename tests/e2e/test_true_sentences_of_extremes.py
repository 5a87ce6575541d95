"""True sentences that call something the best, the worst or the lowest, and their wrong twins."""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import pytest
from fakes.judged import accusing, findings_of
from fakes.right._right import write_tags

from reportgen.api.evidence import EvidencePaths

LAB = "ranks"
TEST = {
    "lstm": {
        0: [0.500, 0.600, 0.650, 0.700],
        1: [0.510, 0.610, 0.660, 0.690],
        2: [0.505, 0.605, 0.655, 0.710],
    },
    "conformer": {
        0: [0.700, 0.790, 0.860, 0.880],
        1: [0.710, 0.800, 0.870, 0.884],
        2: [0.705, 0.795, 0.900, 0.888],
    },
    "gru": {
        0: [0.600, 0.840, 0.780, 0.800],
        1: [0.610, 0.850, 0.790, 0.814],
        2: [0.605, 0.845, 0.785, 0.807],
    },
}
"""The accuracy of `conformer` is best at epochs 3 and 4, that of `gru` at 2, where alone it
lies above `conformer`."""
VAL = {g: {s: [round(v + 0.01, 4) for v in c] for s, c in r.items()} for g, r in TEST.items()}
F1 = {
    g: {s: [round(v - (0.01 if g == "lstm" else 0.03), 4) for v in c] for s, c in r.items()}
    for g, r in TEST.items()
}
LOSSES = {
    "lstm": {s: [0.90, 0.70 + s / 1000, 0.65, 0.60] for s in range(3)},
    "conformer": {s: [0.80, 0.40 + s / 1000, 0.45, 0.532] for s in range(3)},
    "gru": {s: [0.85, 0.40 + s / 1000, 0.44, 0.534] for s in range(3)},
}
SENTENCES = (
    # What is best at a named moment is so beside the others, and not beside its own past.
    (
        "The lstm has the lowest final test accuracy.",
        "The conformer has the lowest final test accuracy.",
    ),
    (
        "The conformer has the highest test accuracy at the end of training.",
        "The lstm has the highest test accuracy at the end of training.",
    ),
    (
        "The gru has the highest test accuracy at epoch 2.",
        "The lstm has the highest test accuracy at epoch 4.",
    ),
    (
        "At epoch 3, conformer has the best validation accuracy of all models (88.7 %).",
        "At epoch 3, gru has the best validation accuracy of all models (79.5 %).",
    ),
    (
        "The conformer has the best test accuracy after 150 steps.",
        "The gru has the best test accuracy after 150 steps.",
    ),
    (
        "La lstm a la plus faible exactitude de test à la dernière époque.",
        "La gru a la plus faible exactitude de test à la dernière époque.",
    ),
    (
        "À l'époque 2, gru a la meilleure exactitude de test.",
        "À l'époque 3, gru a la meilleure exactitude de test.",
    ),
    ("At the end, the lstm is the worst model.", "At the end, the gru is the worst model."),
    (
        "The final test accuracy of conformer is the highest.",
        "The final test accuracy of gru is the highest.",
    ),
    (
        "With μ = 88.4, conformer has the best final test accuracy.",
        "With μ = 80.7, gru has the best final test accuracy.",
    ),
    (
        "The conformer improves. It has the highest final test accuracy.",
        "The gru improves. It has the highest final test accuracy.",
    ),
    (
        "The best test accuracy is obtained by the conformer at epoch 4.",
        "The best test accuracy is obtained by the lstm at epoch 4.",
    ),
    # What is highest for a group is so beside the others.
    (
        "The final test accuracy is highest for the conformer.",
        "The final test accuracy is highest for the gru.",
    ),
    (
        "The mean test accuracy is lowest for the lstm at the end.",
        "The mean test accuracy is lowest for the gru at the end.",
    ),
    (
        "L'exactitude de test finale est la plus élevée pour conformer.",
        "L'exactitude de test finale est la plus élevée pour gru.",
    ),
    (
        "The spread over seeds is smallest for the conformer in final test accuracy.",
        "The spread over seeds is smallest for the gru in final test accuracy.",
    ),
    (
        "The spread over seeds is smallest for the gru in final test accuracy, except for the conformer.",
        "The spread over seeds is smallest for the lstm in final test accuracy, except for the conformer.",
    ),
    # So it is of the seeds of a group.
    (
        "Seed 1 of lstm has the lowest final test accuracy (69.0 %).",
        "Seed 2 of lstm has the lowest final test accuracy (71.0 %).",
    ),
    (
        "Among the conformer runs, seed 0 has the lowest final test accuracy.",
        "Among the conformer runs, seed 2 has the lowest final test accuracy.",
    ),
    (
        "Seed 1 of lstm is the worst at the end (69.0 % test accuracy).",
        "Seed 0 of lstm is the worst at the end (70.0 % test accuracy).",
    ),
    ("With seed 1, conformer has the best final test accuracy.", None),
    # What reaches its best at a moment does so in its own curve.
    (
        "The gru reaches its best mean test accuracy at epoch 2.",
        "The gru reaches its best mean test accuracy at the last epoch.",
    ),
    (
        "The gru reaches the best mean test accuracy at epoch 2.",
        "The lstm reaches the best mean test accuracy at epoch 2.",
    ),
    (
        "The lstm reaches its best mean test accuracy at the last epoch.",
        "The gru reaches its best mean test accuracy at epoch 3.",
    ),
    (
        "The mean test accuracy of gru is highest at epoch 2, not at the end.",
        "The mean test accuracy of lstm is highest at epoch 2, not at the end.",
    ),
    # Moments that are picked out by their values are no values.
    ("The two epochs with the highest mean test accuracy of conformer are 3 and 4.", None),
    (
        "Les deux époques avec la plus haute exactitude de test moyenne de conformer sont 3 et 4.",
        None,
    ),
    # What comes behind a moment is of a later one.
    (
        "The gru reaches its best mean test accuracy of 84.5 % at epoch 2, after which it falls to 80.7 %.",
        "The gru reaches its best mean test accuracy of 84.5 % at epoch 3, after which it falls to 80.7 %.",
    ),
    ("The mean test accuracy of gru is best at epoch 2 (84.5 %), after which it falls to 80.7 %.", None),
    (
        "The mean test accuracy of gru falls from 84.5 to 78.5 % at epoch 3 and recovers to 80.7 % at epoch 4.",
        "The mean test accuracy of gru falls from 84.5 to 78.5 % at epoch 3 and recovers to 86.7 % at epoch 4.",
    ),
    ("The conformer has the highest test accuracy from the start (70.5 % after 50 steps).", None),
    (
        "The mean test accuracy of conformer increases in each of the first three epochs.",
        "The mean test accuracy of gru increases in each of the first three epochs.",
    ),
    # Means of several epochs make a range, too.
    (
        "The test accuracy of gru stays between 78.5 and 84.5 % from epoch 2 to epoch 4.",
        "The test accuracy of gru stays between 79.9 and 84.5 % from epoch 2 to epoch 4.",
    ),
    ("The minimum comes two epochs before the maximum.", None),
    ("These two epochs make a difference.", None),
    ("The validation loss of gru never rose between two epochs before that.", None),
    ("We evaluate at two epochs, 2 and 4.", None),
    ("We plot the confusion matrices for two epochs.", "We train all models for two epochs."),
    ("The validation loss is averaged over two epochs.", None),
    ("There are three epochs between the two optima.", None),
    # The gap of two metrics is none of them.
    ("The gap between accuracy and F1 is smallest for the lstm (1.00).", None),
    ("L'écart entre l'exactitude et le F1 est le plus petit pour lstm (1,00).", None),
    ("The gap between accuracy and F1 is smallest for the lstm, with an accuracy of 70.0.", None),
    # A second metric has a moment of its own.
    (
        "The loss of conformer is best at epoch 2, its accuracy at epoch 3.",
        "The loss of conformer is best at epoch 3, its accuracy at epoch 3.",
    ),
    # The second rank is that of another seed.
    (
        "The best gru seed is 1 with 81.4 % final test accuracy, the worst is 0 with 80.0 %.",
        "The best gru seed is 1 with 81.4 % final test accuracy, the worst is 0 with 80.7 %.",
    ),
    (
        "La meilleure graine de gru est 1 avec 81,4 % d'exactitude de test finale, la pire est 0 avec 80,0 %.",
        "La meilleure graine de gru est 1 avec 81,4 % d'exactitude de test finale, la pire est 0 avec 80,7 %.",
    ),
    # What is nearly identical is similar.
    (
        "The final validation losses of conformer and gru are nearly identical (0.532 and 0.534).",
        "The final test accuracies of conformer and lstm are nearly identical.",
    ),
    (
        "The final validation losses of conformer and gru are practically equal (0.532 and 0.534).",
        "The final test accuracies of conformer and lstm are practically equal.",
    ),
    (
        "Les pertes de validation finales de conformer et gru sont presque identiques (0,532 et 0,534).",
        "Les exactitudes de test finales de conformer et lstm sont presque identiques.",
    ),
    ("The lowest mean validation loss of conformer and gru is identical at three digits (0.401).", None),
    # A best value is that of the group behind `by`.
    (
        "Le meilleur score de validation est obtenu par la graine 2 de conformer, avec 91,0 % à l'époque 3.",
        "Le meilleur score de validation est obtenu par la graine 2 de conformer, avec 91,0 % à l'époque 2.",
    ),
    (
        "The best validation accuracy is obtained by seed 2 of conformer, with 91.0 % at epoch 3.",
        "The best validation accuracy is obtained by seed 2 of conformer, with 85.5 % at epoch 2.",
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("extremes")
    epochs = {g: {s: [1, 2, 3, 4] for s in runs} for g, runs in TEST.items()}
    tags = {"val/acc": VAL, "test/acc": TEST, "test/f1": F1, "val/loss": LOSSES, "epoch": epochs}
    write_tags(folder / LAB, tags, 50)
    return folder


def said(logs, sentence):
    return findings_of(sentence, logs / "report.md", EvidencePaths(runs=logs / LAB))


@pytest.mark.parametrize("sentence", [right for right, _ in SENTENCES])
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusing(said(logs, sentence)) == []


@pytest.mark.parametrize("sentence", [wrong for _, wrong in SENTENCES if wrong])
def test_its_wrong_twin_is_seen(sentence, logs):
    assert accusing(said(logs, sentence)) != []


def test_its_own_best_moment_leaves_open_what_is_meant(logs):
    """The lstm is lower at epoch 1, but that is where the conformer itself is lowest."""
    (open_,) = said(logs, "The conformer has the lowest test accuracy at epoch 1.")
    assert (open_.level, open_.verdict) == ("note", "borderline")
