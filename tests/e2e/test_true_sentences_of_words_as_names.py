"""True sentences on groups that are called by words, `baseline` and `augmentation`; wrong twins.

What is true is computed from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fakes.judged import LOUD, findings_of
from fakes.odd_labs import write_csv

from reportgen.api.evidence import EvidencePaths

VALID = {
    "baseline": {
        0: [0.612, 0.684, 0.729, 0.741, 0.736],
        1: [0.598, 0.670, 0.715, 0.732, 0.744],
        2: [0.605, 0.691, 0.733, 0.750, 0.742],
    },
    "augmentation": {
        0: [0.580, 0.662, 0.738, 0.771, 0.783],
        1: [0.571, 0.659, 0.720, 0.764, 0.779],
        2: [0.588, 0.677, 0.744, 0.780, 0.775],
    },
}
TEST = {
    g: {s: [round(v - 0.015 + 0.001 * s, 4) for v in c] for s, c in runs.items()}
    for g, runs in VALID.items()
}
LOSS = {
    g: {s: [round(1.1 - 0.12 * e + 0.01 * s, 3) for e in range(5)] for s in runs}
    for g, runs in VALID.items()
}
"""Validation losses fall to the last epoch, also where the accuracy does not rise any more."""
TABLE = """| Group | Mean test accuracy |
|---|---|
| baseline | 73 |
| augmentation | 77 |

"""


def means(split, group: str) -> np.ndarray:
    return np.mean(list(split[group].values()), axis=0)


AHEAD = int(np.argmax(means(TEST, "augmentation") > means(TEST, "baseline"))) + 1
TWINS = (
    ("From epoch {} on, augmentation is ahead of the baseline.", AHEAD, AHEAD - 1),
    ("From epoch {} on, augmentation is better than the baseline.", AHEAD, 1),
    ("Augmentation is ahead of the baseline from epoch {} onwards.", AHEAD, AHEAD - 1),
    ("From step {} on, augmentation is ahead of the baseline.", 200 * AHEAD, 200 * (AHEAD - 1)),
    (
        "From epoch {} on, the mean test accuracy of augmentation is higher than that of the baseline.",
        AHEAD,
        AHEAD - 1,
    ),
    ("À partir de l'époque {}, augmentation est devant baseline.", AHEAD, AHEAD - 1),
    ("Dès l'époque {}, augmentation dépasse baseline.", AHEAD, AHEAD - 1),
    ("At epoch {} augmentation is ahead of the baseline.", AHEAD, 1),
    ("À l'époque {}, baseline est devant augmentation.", 1, AHEAD),
    (
        "Baseline seed 0 peaks at epoch {} with a validation accuracy of 74.1%.",
        int(np.argmax(VALID["baseline"][0])) + 1,
        5,
    ),
    (
        "With seed 2, the validation accuracy of the baseline peaks at epoch {}.",
        int(np.argmax(VALID["baseline"][2])) + 1,
        5,
    ),
    (
        "La graine 0 de baseline culmine à l'époque {} avec une exactitude de validation de 74,1 %.",
        int(np.argmax(VALID["baseline"][0])) + 1,
        5,
    ),
)
ORDINALS = (
    (
        "From the third epoch on, augmentation is ahead of the baseline.",
        "From the second epoch on, augmentation is ahead of the baseline.",
    ),
    (
        "À partir de la troisième époque, augmentation est devant baseline.",
        "À partir de la deuxième époque, augmentation est devant baseline.",
    ),
    ("Dès la 3e époque, augmentation dépasse baseline.", None),
    (
        "From epoch 3 on, augmentation is ahead of the baseline.",
        "From epoch 3 on, the baseline is ahead of augmentation.",
    ),
)
RUNS = (
    (
        "The worst seed of augmentation (76.5%) is above the best seed of the baseline (73.7%).",
        "The worst seed of augmentation (76.5%) is below the best seed of the baseline (73.7%).",
    ),
    (
        "The worst seed of augmentation is still better than the best seed of the baseline.",
        "The worst seed of augmentation is worse than the best seed of the baseline.",
    ),
    (
        "The best run of the baseline is worse than the worst run of augmentation.",
        "The best run of the baseline is better than the worst run of augmentation.",
    ),
    (
        "La pire graine de augmentation est meilleure que la meilleure graine de baseline.",
        "La pire graine de augmentation est moins bonne que la meilleure graine de baseline.",
    ),
    (
        "La pire graine de augmentation reste au-dessus de la meilleure graine de baseline (exactitude).",
        "La pire graine de augmentation est en dessous de la meilleure graine de baseline (exactitude).",
    ),
    ("The worst run of the baseline is worse than the best run of augmentation.", None),
    ("At epoch 1, the worst run of augmentation is worse than the best run of the baseline.", None),
)
SILENT = (
    "The spread between seeds is smaller for augmentation than for the baseline.",
    "The spread over seeds is smaller for augmentation than for the baseline.",
    "The variability across seeds is lower for augmentation than for the baseline.",
    "The range over seeds is smaller for augmentation than for the baseline.",
    "The gap between the runs is smaller for augmentation than for the baseline.",
    "The spread of augmentation is smaller than that of the baseline.",
    "La dispersion entre graines est plus faible pour augmentation que pour baseline.",
    "L'écart entre les graines est plus faible pour augmentation que pour baseline.",
    "Mixup gagne 3,57 points sur baseline.",
    "Augmentation gagne 3,57 points sur baseline.",
    "With seed 0, the best epoch of the baseline is epoch 4.",
    "The lowest validation loss of the baseline with seed 0 is at epoch 5.",
    "In the first epoch, the baseline is ahead.",
    "Augmentation is ahead of the baseline at the end of training.",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words") / "logs"
    columns = {"valid/accuracy": VALID, "test/accuracy": TEST, "valid/loss": LOSS}
    for group, runs in VALID.items():
        for seed in runs:
            rows = (
                {"step": 200 * (n + 1), "epoch": n + 1}
                | {name: values[group][seed][n] for name, values in columns.items()}
                for n in range(5)
            )
            write_csv(folder / group / f"seed_{seed}" / "metrics.csv", rows)
    return folder


def loud(sentence: str, logs: Path, *, table: bool = True) -> list[str]:
    evidence = EvidencePaths(runs=logs)
    report = logs.parent / "report.md"
    found = findings_of(f"# Results\n\n{TABLE if table else ''}{sentence}\n", report, evidence)
    return [f.message for f in found if f.level in LOUD]


@pytest.mark.parametrize(
    ("true", "false"),
    [*((text.format(right), text.format(wrong)) for text, right, wrong in TWINS), *ORDINALS, *RUNS],
)
def test_a_sentence_is_accused_only_if_it_is_false(logs, true, false):
    assert loud(true, logs) == loud(true, logs, table=False) == []
    assert false is None or loud(false, logs)


@pytest.mark.parametrize("sentence", SILENT)
def test_what_is_true_or_of_somebody_else_is_not_accused(logs, sentence):
    assert loud(sentence, logs) == loud(sentence, logs, table=False) == []
