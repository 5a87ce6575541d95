"""Sentences that begin with a lower-case name of the logs are no part of the one before them.

What a sentence says is held against the group that it names: a true one is accused of nothing
because of the name behind its full stop, and a false one does not agree with that group's value.
"""

# ruff: noqa: E501 -- sentences keep their own lines and their typographic marks
from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import accusations
from fakes.right._right import comma, shown, write_tags

EACH = 10
LAB = "masks"
VAL = {
    "adam-yolo": {1: [0.301, 0.412, 0.466], 2: [0.305, 0.418, 0.471], 3: [0.298, 0.409, 0.462]},
    "unet": {1: [0.251, 0.371, 0.361], 2: [0.248, 0.369, 0.382], 3: [0.255, 0.377, 0.388]},
    "wav2vec2-base": {1: [0.11, 0.209, 0.21], 2: [0.12, 0.201, 0.199], 3: [0.13, 0.22, 0.24]},
}
TEST = {g: {s: [round(v - 0.02, 4) for v in c] for s, c in r.items()} for g, r in VAL.items()}


def reached(group):
    """Mean test accuracy, in percent, at each seed's best validation step."""
    runs = VAL[group].items()
    return float(np.mean([100 * TEST[group][s][int(np.argmax(c))] for s, c in runs]))


YOLO, UNET, WAV = reached("adam-yolo"), reached("unet"), reached("wav2vec2-base")
# Sentences, {} the value of adam-yolo; what other group they name, and so would agree with.
SENTENCES = (
    ("adam-yolo reaches a mean test accuracy of {} %. unet is far behind.", UNET),
    ("adam-yolo reaches a mean test accuracy of {} %.\nunet is far behind.", UNET),
    ("The mean test accuracy of adam-yolo is {} %. wav2vec2-base was cut off at epoch 2.", WAV),
    ("L'exactitude de test moyenne d'adam-yolo est de {} %. unet est loin derrière.", UNET),
    ("L'exactitude de test moyenne d'adam-yolo est de {} %. wav2vec2-base s'arrête à l'époque 2.", WAV),
    ("L'exactitude de test moyenne d'adam-yolo est de {} %.\nwav2vec2-base s'arrête à l'époque 2.", WAV),
)  # fmt: skip
RIGHT = (
    f"Test accuracy is higher with adam-yolo, {YOLO:.1f} % on average vs. unet at {UNET:.1f} %.",
    f"With the smaller model, i.e. unet, the mean test accuracy is {UNET:.1f} %.",
    f"The mean test accuracy of the best of all groups but one (excl. unet) is {YOLO:.1f} %.",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    tags = {"val/acc": VAL, "test/acc": TEST}
    tags["epoch"] = {g: {s: [1, 2, 3] for s in runs} for g, runs in VAL.items()}
    write_tags(folder / LAB, tags, EACH)
    return folder


def said(sentence, value):
    """The sentence with its number, spelled as the language of the sentence does."""
    return sentence.format((comma if "moyenne" in sentence else shown)(value, 1))


@pytest.mark.parametrize(
    "sentence", [*(said(s, YOLO) for s, _ in SENTENCES), *RIGHT], ids=lambda s: s[:70]
)
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusations(logs, LAB, sentence, "right") == []


@pytest.mark.parametrize(
    "sentence", [said(s, other) for s, other in SENTENCES], ids=lambda s: s[:70]
)
def test_the_value_of_the_group_behind_the_full_stop_is_seen(sentence, logs):
    assert accusations(logs, LAB, sentence, "wrong") != []
