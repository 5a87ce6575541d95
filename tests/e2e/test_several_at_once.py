"""Sentences and tables that say several things at once are noted at most; plain ones stay loud."""
# ruff: noqa: E501 -- sentences stand on one line, as in a report

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.judged import LOUD, findings_of

from reportgen.api.evidence import EvidencePaths

CURVES = {
    "pretrained": ([71.0, 76.0, 79.9], [70.0, 75.0, 78.5], [69.5, 77.0, 80.1]),
    "random": ([60.0, 63.0, 65.4], [61.0, 62.0, 66.7], [59.0, 66.0, 67.4]),
}
"""Means at each epoch: 70.2, 76.0, 79.5 and 60.0, 63.7, 66.5; the best epoch of each is the last."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("several")
    for group, runs in CURVES.items():
        for seed, curve in enumerate(runs):
            rows = [f"{e * 100},{e},{v},{v}" for e, v in enumerate(curve, 1)]
            file = root / "logs" / group / f"seed{seed}" / "metrics.csv"
            file.parent.mkdir(parents=True)
            head = "step,epoch,valid/accuracy,test/accuracy"
            file.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    return root


def loud(text: str, logs: Path) -> list[str]:
    said = text if text.startswith("|") else f"## Results\n\n{text}\n"
    findings = findings_of(said, logs / "report.md", EvidencePaths(runs=logs / "logs"))
    return [finding.message for finding in findings if finding.level in LOUD]


@pytest.mark.parametrize(
    "text",
    [
        "The pretrained model beats the random model by 13.0 points of final test accuracy on average (14.5, 11.8 and 12.7).",
        "The gain of the pretrained model over the random model is 13.0 points of test accuracy at epoch 3, and 11.6 at epoch 2.",
        "In mean test accuracy, the pretrained model reaches 70 % at epoch 1, 75 % at epoch 2 and 79 % at epoch 3.",
        "The pretrained model passes 70 % at epoch 1, 75 % at epoch 2 and 79 % at epoch 3 in mean test accuracy.",
        "L'avance du modèle préentraîné sur le modèle aléatoire est de 13,0 points de test en moyenne (14,5, 11,8 et 12,7).",
        "The standard deviation of the final test accuracy is smallest for the pretrained model (0.87) and largest for the random model (1.01).",
        "At epoch 1 the pretrained model has the highest mean test accuracy (70.2 %), at epoch 3 too (79.5 %).",
        "The highest mean test accuracy of the pretrained model is reached at epoch 3, that of the random model at epoch 3.",
        "The pretrained model surpasses 75 % mean test accuracy at epoch 2, the random model never.",
        "The pretrained model is between 11.8 and 14.5 points better than the random model in final test accuracy.",
        "With two of the three seeds, the pretrained model is ahead by at least 12.5 points of final test accuracy.",
    ],
)
def test_what_is_said_further_on_is_no_error(text: str, logs: Path) -> None:
    assert loud(text, logs) == []


CHANGES = """| Model | epochs 1-2 | epochs 2-3 |
|---|---|---|
| pretrained | +5.8 | +3.5 |
| random | +3.7 | +2.8 |

Change of the mean test accuracy.
"""
FIRST = """| Model | > 60 % | > 75 % |
|---|---|---|
| pretrained | 1 | 2 |
| random | 2 | |

First epoch at which the mean test accuracy exceeds the mark.
"""
FAILED = """| Seed | pretrained | random |
|---|---|---|
| 0 | 79.9 | 65.4 |
| 1 | 78.5 | 66.7 |
| 2 | 80.1 | diverged |
| mean ± std | 79.5 ± 0.9 | 66.1 ± 0.9 |

Final test accuracy in %.
"""


@pytest.mark.parametrize("text", [CHANGES, FIRST, FAILED])
def test_cells_that_may_be_no_values_are_no_errors(text: str, logs: Path) -> None:
    assert loud(text, logs) == []


@pytest.mark.parametrize(
    "text",
    [
        "The pretrained model beats the random model and reaches a mean test accuracy of 85.0 % at epoch 3.",
        "At epoch 3 the mean test accuracy of the pretrained model is 85.0 %, an improvement over the random model.",
        "The mean final test accuracy of the pretrained model is 79.5 % with a standard deviation of 3.1 over seeds.",
        "The random model is better than the pretrained model at epoch 3 in mean test accuracy.",
        "| Model | Mean final test accuracy (%) |\n|---|---|\n| pretrained | 85.0 |\n| random | 66.5 |\n",
    ],
)
def test_plain_values_stay_loud(text: str, logs: Path) -> None:
    assert loud(text, logs) != []


def test_a_return_below_zero_is_a_value(tmp_path: Path) -> None:
    for seed, last in enumerate((-101.0, -103.0, -102.0)):
        file = tmp_path / "logs" / "dqn" / f"seed{seed}" / "metrics.csv"
        file.parent.mkdir(parents=True)
        rows = [f"{step},{last - 300 / step:.2f},{last - 300 / step:.2f}" for step in (1, 2, 300)]
        file.write_text("\n".join(["step,valid/reward,test/reward", *rows, ""]), encoding="utf-8")
    text = "| Model | Mean final test reward |\n|---|---|\n| dqn | -{} |\n"
    assert loud(text.format("103.0"), tmp_path) == []
    assert loud(text.format("83.0"), tmp_path) != []
