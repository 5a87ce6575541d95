"""True bounds on all runs of a group, and gaps, about made-up logs; and their wrong twins."""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

from pathlib import Path

import pytest
from fakes.judged import ASTRAY, RISING, accusing, findings_of
from fakes.right._right import write_tags

from reportgen.api.evidence import EvidencePaths

LEAVES, HOUSES = "leaves", "houses"
_ACCURACY = dict(zip(("vgg11", "densenet40"), RISING, strict=True))
_ERROR = dict(zip(("lstm", "conformer"), ASTRAY, strict=True))
SENTENCES = (
    # Bounds on all runs of a group, at the moment that is named.
    (
        LEAVES,
        "All densenet40 runs start above 37 % validation accuracy at epoch 1.",
        "All densenet40 runs start above 39 % validation accuracy at epoch 1.",
    ),
    (
        LEAVES,
        "At step 50, every vgg11 run has a validation accuracy below 44 %.",
        "At step 50, every vgg11 run has a validation accuracy below 42 %.",
    ),
    (
        LEAVES,
        "All vgg11 runs have a validation accuracy below 60 % at epoch 2.",
        "All vgg11 runs have a validation accuracy below 54 % at epoch 2.",
    ),
    (
        HOUSES,
        "At step 100, all lstm runs have a validation MAE below 0.75.",
        "At step 100, all lstm runs have a validation MAE below 0.70.",
    ),
    (
        HOUSES,
        "Every conformer run starts above 0.95 validation MAE.",
        "Every conformer run starts above 0.97 validation MAE.",
    ),
    (
        HOUSES,
        "All conformer runs finish below 0.91 test MAE.",
        "All conformer runs finish below 0.88 test MAE.",
    ),
    (
        HOUSES,
        "All lstm runs get below 0.75 validation MAE by step 150.",
        "All lstm runs get below 0.60 validation MAE by step 150.",
    ),
    (
        LEAVES,
        "After the first epoch, the validation accuracy of vgg11 lies between 40 % and 44 %.",
        "After the first epoch, the validation accuracy of vgg11 lies between 42 % and 44 %.",
    ),
    (
        LEAVES,
        "From epoch 4 on, the validation accuracy of vgg11 lies between 66 % and 73 %.",
        "From epoch 3 on, the validation accuracy of vgg11 lies between 66 % and 73 %.",
    ),
    (
        LEAVES,
        "The vgg11 runs get no better towards the end: from 67.1 and 67.4 % at their best step to 66.9 and 67.4 % at epoch 5 (validation accuracy, seeds 0 and 1).",
        None,
    ),
    (
        LEAVES,
        "Of the validation accuracy of vgg11 with seed 0, 2 of its 5 logged values are above 65 %.",
        None,
    ),
    # How far runs lie from each other is compared as such, and not by their means.
    (
        HOUSES,
        "At step 50, lstm has a larger standard deviation of the validation MAE than conformer.",
        "At step 50, lstm has a smaller standard deviation of the validation MAE than conformer.",
    ),
    (
        LEAVES,
        "densenet40 has a smaller standard deviation on validation than vgg11.",
        "densenet40 has a larger standard deviation on validation than vgg11.",
    ),
    (
        LEAVES,
        "densenet40 has the smallest standard deviation on validation.",
        None,
    ),
    # A value of all seeds beside one of some.
    (
        LEAVES,
        "The mean validation accuracy of vgg11 is 68.8 %, or 67.6 % without seed 3.",
        "The mean validation accuracy of vgg11 is 68.8 %, or 66.2 % without seed 3.",
    ),
    (
        LEAVES,
        "L'exactitude moyenne de validation de vgg11 est de 68,8 %, mais de 67,6 % sans la graine 3.",
        None,
    ),
    # Those that name no moment are said of the result of each run.
    (
        LEAVES,
        "All models exceed 61 % validation accuracy.",
        "All models exceed 65 % validation accuracy.",
    ),
    (
        LEAVES,
        "All models get above 61 % validation accuracy.",
        "All models get above 65 % validation accuracy.",
    ),
    (
        LEAVES,
        "All models get above 65 % validation accuracy, except densenet40.",
        None,
    ),
    (
        LEAVES,
        "Sauf densenet40, les modèles passent tous au-dessus de 65 % d'exactitude de validation.",
        None,
    ),
    (
        HOUSES,
        "All models fall below 0.9 validation MAE.",
        "All models fall below 0.8 validation MAE.",
    ),
    (
        HOUSES,
        "All models are below 0.9 validation MAE.",
        "All models stay below 0.9 validation MAE.",
    ),
    (
        HOUSES,
        "All models reach a validation MAE below 0.8815, except conformer with seed 3.",
        None,
    ),
    (
        HOUSES,
        "All models reach a validation MAE below 0.6, except conformer and lstm with seed 3.",
        None,
    ),
    (
        HOUSES,
        "No conformer run ever falls below 0.85 validation MAE.",
        "No conformer run ever falls below 0.89 validation MAE.",
    ),
    (
        HOUSES,
        "Except for seed 3, all lstm runs end below 0.52 validation MAE.",
        "Except for seed 3, all lstm runs end below 0.45 validation MAE.",
    ),
    (
        HOUSES,
        "All lstm runs except seed 3 end below 0.52 validation MAE.",
        None,
    ),
    (
        LEAVES,
        "In the first 100 steps, all densenet40 runs stay below 51 % validation accuracy.",
        None,
    ),
    (
        HOUSES,
        "All conformer runs drop below 0.90 validation MAE before step 150.",
        "All conformer runs drop below 0.80 validation MAE before step 150.",
    ),
    (
        HOUSES,
        "All conformer runs finish above 0.86 test MAE.",
        "All conformer runs finish above 0.95 test MAE.",
    ),
    (
        HOUSES,
        "No conformer run is below 0.85 validation MAE.",
        "No conformer run is below 0.89 validation MAE.",
    ),
    (
        HOUSES,
        "No conformer run ever rises above 0.97 validation MAE.",
        "No conformer run ever rises above 0.92 validation MAE.",
    ),
    (
        HOUSES,
        "Seeds 1 and 2 of lstm all end below 0.52 validation MAE.",
        "Seeds 1 and 2 of lstm all end below 0.45 validation MAE.",
    ),
    # A gap is of two means.
    (
        LEAVES,
        "The gap between the mean validation accuracy of vgg11 and that of densenet40 is widest at epoch 5 and narrowest at epoch 1.",
        "The gap between the mean validation accuracy of vgg11 and that of densenet40 is widest at epoch 2 and narrowest at epoch 1.",
    ),
    (
        LEAVES,
        "The gap between the mean test io u car of vgg11 and that of densenet40 is widest at epoch 1 and narrowest at epoch 5. It is narrower at the end than at the start.",
        None,
    ),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    epochs = {g: {s: [1, 2, 3, 4, 5] for s in runs} for g, runs in _ACCURACY.items()}
    test = {
        g: {s: [round(v - 0.01, 4) for v in c] for s, c in r.items()} for g, r in _ACCURACY.items()
    }
    write_tags(folder / LEAVES, {"val/acc": _ACCURACY, "test/acc": test, "epoch": epochs}, 50)
    more = {
        g: {s: [round(v + 0.02, 4) for v in c] for s, c in r.items()} for g, r in _ERROR.items()
    }
    write_tags(folder / HOUSES, {"val/mae": _ERROR, "test/mae": more}, 50)
    return folder


def said(logs: Path, lab: str, sentence: str):
    return findings_of(sentence, logs / f"{lab}.md", EvidencePaths(runs=logs / lab))


@pytest.mark.parametrize(
    ("lab", "sentence"), [(lab, right) for lab, right, _ in SENTENCES], ids=lambda value: value[:60]
)
def test_a_true_sentence_is_accused_of_nothing(lab, sentence, logs):
    assert accusing(said(logs, lab, sentence)) == []


@pytest.mark.parametrize(
    ("lab", "sentence"),
    [(lab, wrong) for lab, _, wrong in SENTENCES if wrong],
    ids=lambda value: value[:60],
)
def test_its_twin_with_another_number_is_seen(lab, sentence, logs):
    assert accusing(said(logs, lab, sentence)) != []


@pytest.mark.parametrize(
    ("lab", "sentence", "why"),
    [
        (HOUSES, "At step 120, all conformer runs have a validation MAE below 0.5.", "or the logs lack them"),
        (HOUSES, "Without the diverged run, all conformer runs have a validation MAE below 0.5.", "or the logs lack them"),
        (HOUSES, "Leaving that seed out, all lstm runs have a test MAE below 0.3.", "or the logs lack them"),
        (HOUSES, "Counting only the seeds that finished, all lstm runs have a test MAE below 0.3.", "or the logs lack them"),
        (
            LEAVES,
            "The gap between the mean test io u car of vgg11 and that of densenet40 is widest at epoch 1.",
            "which two means its gap is between is not sure",
        ),
    ],
)  # fmt: skip
def test_what_is_not_sure_is_not_checkable(lab, sentence, why, logs):
    (finding,) = [f for f in said(logs, lab, sentence) if f.rule in {"range", "superlative"}]
    assert (finding.level, finding.verdict) == ("none", "not checkable")
    assert why in finding.message
