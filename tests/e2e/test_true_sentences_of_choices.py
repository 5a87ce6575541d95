"""What is said of best steps and of spreads, where the choice of the step decides; and its twins."""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

from pathlib import Path

import pytest
from fakes.judged import LOUD, accusing, findings_of
from fakes.right._right import write_tags

from reportgen.api.evidence import EvidencePaths

TEST = {
    "vgg11": {
        1: [0.500, 0.8395, 0.8450, 0.810],
        2: [0.501, 0.8290, 0.8350, 0.820],
        3: [0.502, 0.8245, 0.8250, 0.830],
    },
    "resnet18": {
        1: [0.480, 0.868, 0.870, 0.8790],
        2: [0.510, 0.867, 0.871, 0.8800],
        3: [0.540, 0.869, 0.872, 0.8820],
    },
}
"""At the lowest validation loss 83.10 and 86.80, at the highest validation accuracy 83.50 and 88.03."""
VALIDATION = {group: {s: [v + 0.01 for v in c] for s, c in r.items()} for group, r in TEST.items()}
VALIDATION["vgg11"] = {
    seed: [*course[:3], course[2] - 0.03] for seed, course in VALIDATION["vgg11"].items()
}
LOSS = {group: {s: [1.5, 0.7, 0.8, 0.9] for s in runs} for group, runs in TEST.items()}

SENTENCES = (
    # A sentence that names the metric that chose the step leaves no other choice.
    (
        "The mean test accuracy of vgg11 is 83.50 % at the epoch with the best validation accuracy.",
        "The mean test accuracy of vgg11 is 83.10 % at the epoch with the best validation accuracy.",
    ),
    (
        "The mean test accuracy of vgg11 is 83.10 % at the step with the lowest validation loss.",
        "The mean test accuracy of vgg11 is 83.50 % at the step with the lowest validation loss.",
    ),
    (
        "The mean test accuracy of vgg11 is 83.10 % at the lowest validation perplexity.",
        "The mean test accuracy of vgg11 is 83.50 % at the lowest validation perplexity.",
    ),
    (
        "The mean test accuracy of vgg11 is 83.50 % at the best step selected by validation accuracy.",
        "The mean test accuracy of vgg11 is 83.10 % at the best step selected by validation accuracy.",
    ),
    (
        "With seed 2, vgg11 reaches a test accuracy of 83.5 % at the best validation accuracy.",
        "With seed 2, vgg11 reaches a test accuracy of 82.9 % at the best validation accuracy.",
    ),
    (
        "L'exactitude de test moyenne de vgg11 est de 83,50 % à l'époque de meilleure exactitude de validation.",
        "L'exactitude de test moyenne de vgg11 est de 83,10 % à l'époque de meilleure exactitude de validation.",
    ),
    (
        "L'exactitude de test moyenne est, pour vgg11, de 83,10 % à la perte de validation la plus basse.",
        "L'exactitude de test moyenne est, pour vgg11, de 83,50 % à la perte de validation la plus basse.",
    ),
    (
        "The mean test accuracy of vgg11 is 83.50 % at the best validation accuracy and 83.10 % at the lowest validation loss.",
        None,
    ),
    # A best validation step may be that of either, but of one for both values.
    (
        "The mean test accuracy is 88.03 % for resnet18 and 83.50 % for vgg11, both at the best validation step.",
        "The mean test accuracy is 88.03 % for resnet18 and 83.10 % for vgg11, both at the best validation step.",
    ),
    (
        "The mean test accuracy is 86.80 % for resnet18 and 83.10 % for vgg11, both at the best validation step.",
        "The mean test accuracy is 86.80 % for resnet18 and 83.50 % for vgg11, both at the best validation step.",
    ),
    (
        "L'exactitude de test moyenne est de 88,03 % pour resnet18 et de 83,50 % pour vgg11, toutes deux au meilleur pas de validation.",
        "L'exactitude de test moyenne est de 88,03 % pour resnet18 et de 83,10 % pour vgg11, toutes deux au meilleur pas de validation.",
    ),
    (
        "| model | mean test accuracy (%) at the best validation step |\n|---|---|\n| resnet18 | 88.03 |\n| vgg11 | 83.50 |\n",
        "| model | mean test accuracy (%) at the best validation step |\n|---|---|\n| resnet18 | 88.03 |\n| vgg11 | 83.10 |\n",
    ),
    ("The mean test accuracy of vgg11 is 83.10 % at the best validation step.", None),
    (
        "The mean test accuracy at the best validation step is 88.03 % for resnet18 and 83.10 % for vgg11, whose step was chosen by its loss.",
        None,
    ),
    (
        "| model | chosen by | mean test accuracy (%) at the best validation step |\n|---|---|---|\n| vgg11 | accuracy | 83.50 |\n| vgg11 | loss | 83.10 |\n",
        None,
    ),
    # How far seeds lie apart is told of results, where no moment is named.
    (
        "resnet18 has a lower standard deviation of the test accuracy over seeds than vgg11.",
        "vgg11 has a lower standard deviation of the test accuracy over seeds than resnet18.",
    ),
    (
        "On test, resnet18 is more stable across seeds than vgg11.",
        "On test, vgg11 is more stable across seeds than resnet18.",
    ),
    (
        "L'écart-type de l'exactitude de test entre les graines est plus faible pour resnet18 que pour vgg11.",
        "L'écart-type de l'exactitude de test entre les graines est plus faible pour vgg11 que pour resnet18.",
    ),
    (
        "At step 50, vgg11 has a lower standard deviation of the test accuracy over seeds than resnet18.",
        "At step 50, resnet18 has a lower standard deviation of the test accuracy over seeds than vgg11.",
    ),
    ("Early in training, vgg11 has a lower standard deviation over seeds than resnet18.", None),
    ("vgg11 has a larger standard deviation over seeds than resnet18.", None),
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("choices")
    write_tags(folder / "lab", {"val/acc": VALIDATION, "test/acc": TEST, "val/loss": LOSS}, 50)
    return folder


def said(logs: Path, sentence: str):
    return findings_of(sentence, logs / "report.md", EvidencePaths(runs=logs / "lab"))


@pytest.mark.parametrize("sentence", [right for right, _ in SENTENCES])
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert accusing(said(logs, sentence)) == []


@pytest.mark.parametrize("sentence", [wrong for _, wrong in SENTENCES if wrong])
def test_its_twin_is_seen(sentence, logs):
    assert [f for f in said(logs, sentence) if f.level in LOUD] != []


def test_a_value_by_another_choice_than_the_named_one_is_an_error(logs):
    found = said(logs, SENTENCES[0][1])
    (finding,) = [f for f in found if f.level in LOUD]
    assert (finding.level, finding.rule) == ("error", "aggregate")
    assert "it is the mean of test accuracy at the lowest validation loss" in finding.message


def test_a_contradiction_says_which_value_belongs_to_which_choice(logs):
    wrong = "The mean test accuracy is 88.03 % for resnet18 and 83.10 % for vgg11, both at the best validation step."
    (finding,) = [f for f in said(logs, wrong) if f.level in LOUD]
    assert (finding.level, finding.rule, finding.claim.printed.text) == (
        "warning",
        "one_choice",
        "83.10",
    )
    assert (
        "it is the value at the lowest validation loss, and 88.03 (line 1) the one at the highest "
        "validation accuracy"
    ) in finding.message  # fmt: skip


@pytest.mark.parametrize(
    "sentence",
    ["vgg11 is more stable across seeds than resnet18.", "vgg11 has a lower standard deviation over seeds than resnet18."],
)  # fmt: skip
def test_neither_a_step_on_the_way_nor_the_mean_curve_confirms_a_spread_over_seeds(sentence, logs):
    (finding,) = [f for f in said(logs, sentence) if f.rule == "ordering"]
    assert not finding.verdict.startswith("agrees")
    assert not any("steps back" in reading for reading in finding.readings)
