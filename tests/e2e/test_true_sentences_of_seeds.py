"""True sentences about the seeds of two groups of unequal size, English and French; and twins.

The logs have five runs of one group and three of the other: none of them was lost. What is true is
computed by NumPy from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from fakes.judged import accusing, findings_of
from fakes.right._right import comma, write_tags

from reportgen.api.evidence import EvidencePaths

EACH, EPOCHS = 1000, 10
_TOPS = {"resnet50": 0.752, "vit_small": 0.713}
_SEEDS = {"resnet50": range(5), "vit_small": range(3)}


def _rising(group: str, seed: int) -> list[float]:
    """Return an accuracy that rises to a limit of its own."""
    state = random.Random(f"v {group} {seed}")
    top = _TOPS[group] + state.gauss(0, 0.012)
    return [round(top - 0.25 * 0.72**e + state.gauss(0, 0.0015), 4) for e in range(EPOCHS)]


VALID = {g: {s: _rising(g, s) for s in seeds} for g, seeds in _SEEDS.items()}
TEST = {
    g: {s: [round(v - 0.012 - 0.001 * s, 4) for v in c] for s, c in runs.items()}
    for g, runs in VALID.items()
}


def chosen(group: str) -> list[float]:
    """Percent of each run on test at its best validation step."""
    return [100 * TEST[group][s][int(np.argmax(c))] for s, c in VALID[group].items()]


R, V = chosen("resnet50"), chosen("vit_small")


def of(value: float, decimals: int = 1) -> str:
    return f"{float(value):.{decimals}f}"


def pair(sentence: str, right: float, off: float, *, french: bool = False) -> tuple[str, str]:
    """Return a sentence with a value, and with another one."""
    spell = comma if french else of
    return sentence.format(spell(right)), sentence.format(spell(right + off))


MEANS = (
    pair("vit_small reaches a mean test accuracy of {} %.", np.mean(V), 3),
    pair(
        f"We report test accuracy. resnet50 reaches a mean of {of(np.mean(R))} %, and vit_small reaches a mean of {{}} %.",
        np.mean(V),
        3,
    ),
    pair(
        f"On the test set, resnet50 reaches {of(np.mean(R))} % accuracy and vit_small {{}} % on average over seeds.",
        np.mean(V),
        3,
    ),
    pair("Over its three seeds, vit_small has a mean test accuracy of {} %.", np.mean(V), -0.5),
    pair(
        f"resnet50 (5 seeds): {of(np.mean(R))} % test accuracy on average; vit_small (3 seeds): {{}} %.",
        np.mean(V),
        0.5,
    ),
    pair(
        f"Mean test accuracy: resnet50 {of(np.mean(R))} % (n = 5), vit_small {{}} % (n = 3).",
        np.mean(V),
        0.5,
    ),
    pair(
        "Our eight runs took a day. The mean test accuracy of vit_small is {} %.", np.mean(V), 0.5
    ),
    pair("The median test accuracy of vit_small over seeds is {} %.", np.median(V), 6),
    pair("vit_small atteint une exactitude moyenne de {} % en test.", np.mean(V), 3, french=True),
    pair(
        "Sur ses trois graines, vit_small atteint en moyenne {} % d'exactitude en test.",
        np.mean(V),
        -0.5,
        french=True,
    ),
    pair(
        f"resnet50 obtient une exactitude de test moyenne de {comma(np.mean(R))} % sur cinq graines et vit_small de {{}} % sur trois graines.",
        np.mean(V),
        0.5,
        french=True,
    ),
    pair(
        "L'écart entre resnet50 et vit_small est de {} points en exactitude de test moyenne.",
        np.mean(R) - np.mean(V),
        6,
        french=True,
    ),
    # The seeds that both have.
    pair(
        "Over the seeds 0-2 that both groups share, resnet50 has a mean test accuracy of {} %.",
        np.mean(R[:3]),
        3,
    ),
    pair(
        "Sur les graines 0 à 2, resnet50 a une exactitude de test moyenne de {} %.",
        np.mean(R[:3]),
        3,
        french=True,
    ),
)
SENTENCES = (*MEANS,)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    epochs = {g: {s: list(range(1, EPOCHS + 1)) for s in runs} for g, runs in VALID.items()}
    write_tags(folder / "logs", {"val/acc": VALID, "test/acc": TEST, "epoch": epochs}, EACH)
    return folder


def loud(logs: Path, sentence: str, name: str) -> list[str]:
    evidence = EvidencePaths(runs=logs / "logs")
    return accusing(findings_of(sentence, logs / f"{name}.md", evidence))


@pytest.mark.parametrize("sentence", [right for right, _ in SENTENCES], ids=lambda text: text[:60])
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert loud(logs, sentence, "right") == []


@pytest.mark.parametrize("sentence", [wrong for _, wrong in SENTENCES], ids=lambda text: text[:60])
def test_its_twin_with_another_number_is_seen(sentence, logs):
    assert loud(logs, sentence, "wrong") != []


@pytest.mark.parametrize(
    "sentence",
    [
        # Two more runs of the group, a little better than the others, would make it true.
        f"vit_small reaches a mean test accuracy of {of(np.mean(V) + 1)} %.",
        f"With five seeds each, vit_small reaches a mean test accuracy of {of(np.mean(V) + 1)} %.",
        "vit_small, test accuracy by seed: "
        + ", ".join(f"{n}: {v:.1f}" for n, v in enumerate([*V, 80.1, 81.0]))
        + f". The mean test accuracy of vit_small is {of(np.mean([*V, 80.1, 81.0]))} %.",
        f"L'exactitude de test moyenne de vit_small est de {comma(np.mean(V) - 1)} %.",
    ],
)
def test_of_runs_that_may_be_lost_nothing_is_said(sentence, logs):
    assert loud(logs, sentence, "lost") == []
