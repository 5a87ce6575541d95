"""Sentences on logs that number their first epoch 0: both ways to count are right."""

from __future__ import annotations

import pytest
from fakes.judged import accusing, findings_of
from fakes.right._right import write_epochs

from reportgen.api.evidence import EvidencePaths

CURVES = {"unet": [0.50, 0.60, 0.75, 0.70], "fpn": [0.40, 0.55, 0.60, 0.65]}


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("zero")
    write_epochs(folder / "lab", CURVES, first=0)
    return folder


def said(logs, sentence):
    return findings_of(sentence, logs / "report.md", EvidencePaths(runs=logs / "lab"))


@pytest.mark.parametrize("epoch", [2, 3])
@pytest.mark.parametrize(
    "sentence",
    [
        "unet has its best mean validation accuracy at epoch {}.",
        "The mean validation accuracy of unet falls after epoch {}.",
        "À l'époque {}, unet a la meilleure exactitude de validation.",
    ],
)
def test_an_epoch_may_be_numbered_as_it_is_logged(sentence, epoch, logs):
    assert accusing(said(logs, sentence.format(epoch))) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "unet has its best mean validation accuracy at epoch 1.",
        "unet has its best mean validation accuracy at epoch 4.",
        "The mean validation accuracy of unet falls after epoch 1.",
        "fpn has its best mean validation accuracy at epoch 2.",
    ],
)
def test_another_epoch_is_not(sentence, logs):
    assert accusing(said(logs, sentence)) != []
