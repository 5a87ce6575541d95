"""True sentences on all models, or on one beside all others, and their wrong twins."""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import pytest
from fakes.judged import accusing, findings_of
from fakes.right._right import write_tags

from reportgen.api.evidence import EvidencePaths

LAB = "all"
TEST = {
    "lstm": {s: [0.500, 0.600, 0.650, 0.700 + s / 1000] for s in range(3)},
    "gru": {s: [0.600, 0.700, 0.780, 0.800 + s / 1000] for s in range(3)},
    "conformer": {s: [0.700, 0.790, 0.860, 0.880 + s / 1000] for s in range(3)},
}
LOSSES = {
    "lstm": {s: [0.90, 0.70, 0.65, 0.60 + s / 1000] for s in range(3)},
    "gru": {s: [0.85, 0.40 + s / 1000, 0.45, 0.53] for s in range(3)},
    "conformer": {s: [0.80, 0.42 + s / 1000, 0.45, 0.54] for s in range(3)},
}
"""The loss of `lstm` is lowest at its end, those of the others at epoch 2."""
SENTENCES = (
    (
        "The conformer outperforms every other model in final test accuracy.",
        "The gru outperforms every other model in final test accuracy.",
    ),
    ("The conformer beats all others.", "The gru beats all others."),
    (
        "The conformer is better than all other models in final test accuracy.",
        "The gru is better than all other models in final test accuracy.",
    ),
    (
        "The final test accuracy of conformer is higher than that of all other models.",
        "The final test accuracy of gru is higher than that of all other models.",
    ),
    (
        "No other model beats the conformer in final test accuracy.",
        "No other model beats the gru in final test accuracy.",
    ),
    (
        "None of the models outperforms the conformer in final test accuracy.",
        "None of the models outperforms the gru in final test accuracy.",
    ),
    (
        "The conformer is not outperformed by any other model.",
        "The gru is not outperformed by any other model.",
    ),
    (
        "All other models outperform the lstm in final test accuracy.",
        "All other models outperform the gru in final test accuracy.",
    ),
    (
        "The lstm is outperformed by all other models.",
        "The gru is outperformed by all other models.",
    ),
    (
        "The gru does not outperform all other models.",
        "The conformer does not outperform all other models.",
    ),
    (
        "The gru outperforms all other models except the conformer in final test accuracy.",
        "The lstm outperforms all other models except the conformer in final test accuracy.",
    ),
    (
        "La conformer surpasse tous les autres modèles en exactitude de test finale.",
        "La gru surpasse tous les autres modèles en exactitude de test finale.",
    ),
    (
        "Aucun autre modèle ne dépasse conformer en exactitude de test finale.",
        "Aucun autre modèle ne dépasse gru en exactitude de test finale.",
    ),
    # Some of the others are not all, and a margin is no value.
    ("The gru outperforms all other recurrent models.", None),
    ("The conformer outperforms every other model by at least 7.9 points in final test accuracy.", None),
    # What is said of all models holds of each.
    (
        "All models but the lstm have their lowest mean validation loss at epoch 2.",
        "All models but the gru have their lowest mean validation loss at epoch 2.",
    ),
    (
        "All models but the lstm exceed 79 % final test accuracy.",
        "All models but the gru exceed 79 % final test accuracy.",
    ),
    (
        "All models have their best mean test accuracy at epoch 4.",
        "All models have their lowest mean validation loss at epoch 2.",
    ),
    (
        "For all three models, the mean test accuracy is highest at epoch 4.",
        "For all three models, the mean validation loss is lowest at epoch 2.",
    ),
    (
        "The mean validation loss of every model falls until epoch 2.",
        "The mean validation loss of every model falls after epoch 2.",
    ),
    ("Almost all models have their lowest mean validation loss at epoch 2.", None),
    ("The lowest mean validation loss of all models is reached at epoch 2.", None),
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("all-groups")
    epochs = {g: {s: [1, 2, 3, 4] for s in runs} for g, runs in TEST.items()}
    write_tags(
        folder / LAB, {"val/acc": TEST, "test/acc": TEST, "val/loss": LOSSES, "epoch": epochs}, 50
    )
    return folder


def said(logs, sentence):
    return findings_of(sentence, logs / "report.md", EvidencePaths(runs=logs / LAB))


@pytest.mark.parametrize("sentence", [right for right, _ in SENTENCES])
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusing(said(logs, sentence)) == []


@pytest.mark.parametrize("sentence", [wrong for _, wrong in SENTENCES if wrong])
def test_its_wrong_twin_is_seen(sentence, logs):
    assert accusing(said(logs, sentence)) != []


def test_a_margin_over_all_others_is_held_against_no_value(logs):
    """Else any value above it would agree."""
    sentence = "The conformer outperforms every other model by at least 50 points."
    assert "range" not in {finding.rule for finding in said(logs, sentence)}


def test_values_behind_a_moment_of_all_belong_to_one_each(logs):
    sentence = "All models but the lstm reach their lowest mean validation loss at epoch 2 (0.401 and 0.421 for gru and conformer)."
    assert accusing(said(logs, sentence)) == []
