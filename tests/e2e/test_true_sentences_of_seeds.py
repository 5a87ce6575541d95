"""True sentences about several runs at once, in English and French; and their wrong twins.

The logs of images have five runs of one group and three of the other: none of them was lost. What
is true is computed by NumPy from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import random

import numpy as np
import pytest
from fakes.judged import accusations
from fakes.right._right import comma, write_tags

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
LOSS = {
    g: {s: [round(1.95 - 2 * v + 0.002 * s, 4) for v in c] for s, c in runs.items()}
    for g, runs in VALID.items()
}
WER = {
    "conformer": {1: [0.41, 0.151, 0.112], 2: [0.43, 0.149, 0.118], 3: [0.42, 0.155, 0.115]},
    "lstm": {1: [0.46, 0.192, 0.149], 2: [0.47, 0.189, 0.152], 3: [0.48, 0.199, 0.153]},
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
    # Logs with one metric besides the loss leave no choice of it.
    pair("vit_small reaches a mean of {} % on the test set.", np.mean(V), 3),
    pair("On average, vit_small reaches {} % on the test set.", np.mean(V), 3),
    pair("En test, vit_small atteint une moyenne de {} %.", np.mean(V), 3, french=True),
    pair("The three vit_small runs average {} % test accuracy.", np.mean(V), 1),
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
EXTREMES = (
    pair("Across all runs, the highest test accuracy is {} %.", max(R), 2),
    pair("Of all eight runs, the best reaches {} % test accuracy.", max(R), 2),
    pair("Our worst resnet50 run still achieves {} % test accuracy.", min(R), -3),
    pair(
        "Parmi les huit exécutions, la meilleure atteint {} % d'exactitude de test.",
        max(R),
        2,
        french=True,
    ),
    pair(
        "Toutes les exécutions dépassent {} % d'exactitude de test.",
        np.floor(min(V)),
        3,
        french=True,
    ),
    pair("Best test accuracy of any run: {} %.", max(R), 2),
    pair("The highest test accuracy of all runs is {} %.", max(R), 2),
    pair("The best test accuracy that any run achieves is {} %.", max(R), 2),
    pair("The maximum test accuracy over all eight runs is {} %.", max(R), 2),
    pair("The lowest test accuracy of all eight runs is {} %.", min(V), -2),
    pair("The highest test accuracy of any vit_small seed is {} %.", max(V), 6),
    pair("The best mean test accuracy over all seeds is {} %.", np.mean(R), 4),
    pair("No run exceeds {} % test accuracy.", np.ceil(max(R)), -2),
    pair("Le meilleur run obtient {} % d'exactitude en test.", max(R), 2, french=True),
    pair(
        "L'exactitude de test la plus élevée de toutes les exécutions est de {} %.",
        max(R),
        2,
        french=True,
    ),
    pair(
        "Aucune exécution ne dépasse {} % d'exactitude en test.", np.ceil(max(R)), -2, french=True
    ),
)
_FROM_TO = f"{of(min(R))} % to {of(max(R))} %"
WIDTHS = (
    pair("The test accuracy of resnet50 varies by {} points across seeds.", np.ptp(R), 2),
    pair("Across seeds, resnet50's test accuracy varies by {} points.", np.ptp(R), 2),
    # What varies by so much may be told as a deviation.
    pair("Across seeds, resnet50's test accuracy varies by {} points.", np.std(R, ddof=1), -1),
    pair(
        "The best and the worst seed of resnet50 differ by {} points in test accuracy.",
        np.ptp(R),
        2,
    ),
    pair(
        "The spread between the best and the worst seed of resnet50 is {} points of test accuracy.",
        np.ptp(R),
        2,
    ),
    pair(
        "L'exactitude de test de resnet50 varie de {} points entre les graines.",
        np.ptp(R),
        2,
        french=True,
    ),
    (
        f"The test accuracy of resnet50 ranges from {_FROM_TO}.",
        "The test accuracy of resnet50 ranges from 66.1 % to 79.3 %.",
    ),
    (
        f"Across seeds, the test accuracy of resnet50 varies from {_FROM_TO}.",
        f"Across seeds, the test accuracy of resnet50 varies from {of(min(R) - 2)} % to {of(max(R))} %.",
    ),
    pair(f"All resnet50 seeds end between {{}} % and {of(max(R))} % test accuracy.", min(R), 1.4),
    pair(f"resnet50's seeds reach between {{}} and {of(max(R))} % on the test set.", min(R), 1.4),
    (
        f"L'exactitude de test de resnet50 varie de {comma(min(R))} % à {comma(max(R))} % selon la graine.",
        f"L'exactitude de test de resnet50 varie de {comma(min(R))} % à {comma(max(R) + 3)} % selon la graine.",
    ),
)
LOSSES = [runs[s][-1] for g, runs in LOSS.items() for s in runs]
BOUNDS = (
    pair("All runs converged below a validation loss of {}.", max(LOSSES) + 0.05, -0.1),
    pair("All runs end below a validation loss of {}.", max(LOSSES) + 0.05, -0.1),
    pair("Every run reaches a validation loss below {}.", max(LOSSES) + 0.05, -0.1),
    pair(
        "Toutes les exécutions finissent avec une perte de validation inférieure à {}.",
        max(LOSSES) + 0.05,
        -0.1,
        french=True,
    ),
)
_C, _L = (float(np.mean([100 * c[-1] for c in WER[g].values()])) for g in WER)
RATIOS = (
    pair(
        "conformer achieves a relative WER reduction of {} % over lstm on test.",
        100 * (1 - _C / _L),
        15,
    ),
    pair("lstm has {} times the test WER of conformer.", _L / _C, 0.6),
    pair(
        "Le WER de test moyen de lstm est {} fois celui de conformer.",
        round(_L / _C, 1),
        0.6,
        french=True,
    ),
    pair(
        "Compared with lstm, conformer reduces the mean test WER by {} % relative.",
        100 * (1 - _C / _L),
        9,
    ),
    pair("conformer reduces WER by {} % relative to lstm on test.", 100 * (1 - _C / _L), -9),
    pair(
        f"The mean test WER falls from {of(_L)} % (lstm) to {of(_C)} % (conformer), a relative reduction of {{}} %.",
        100 * (1 - _C / _L),
        15,
    ),
    pair(
        "conformer's mean test WER is {} % lower in relative terms than that of lstm.",
        100 * (1 - _C / _L),
        9,
    ),
    pair("The mean test WER of lstm is {} times that of conformer.", _L / _C, 0.6),
    pair(
        "conformer réduit le WER de test moyen de {} % en relatif par rapport à lstm.",
        100 * (1 - _C / _L),
        9,
        french=True,
    ),
    pair(
        "The lowest test WER of any run is {} %.",
        min(100 * c[-1] for c in WER["conformer"].values()),
        -1,
    ),
    pair(
        "The best test WER of all runs is {} %.",
        min(100 * c[-1] for c in WER["conformer"].values()),
        -1,
    ),
)
IMAGES, SPEECH = "images", "speech"
SENTENCES = (
    *((IMAGES, *both) for both in (*MEANS, *EXTREMES, *WIDTHS, *BOUNDS)),
    *((SPEECH, *both) for both in RATIOS),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    epochs = {g: {s: list(range(1, EPOCHS + 1)) for s in runs} for g, runs in VALID.items()}
    tags = {"val/acc": VALID, "test/acc": TEST, "val/loss": LOSS, "epoch": epochs}
    write_tags(folder / IMAGES, tags, EACH)
    write_tags(folder / SPEECH, {"test/wer": WER}, EACH)
    return folder


@pytest.mark.parametrize(
    ("lab", "sentence"), [(lab, right) for lab, right, _ in SENTENCES], ids=lambda text: text[:60]
)
def test_a_true_sentence_is_accused_of_nothing(lab, sentence, logs):
    assert accusations(logs, lab, sentence, "right") == []


@pytest.mark.parametrize(
    ("lab", "sentence"), [(lab, wrong) for lab, _, wrong in SENTENCES], ids=lambda text: text[:60]
)
def test_its_twin_with_another_number_is_seen(lab, sentence, logs):
    assert accusations(logs, lab, sentence, "wrong") != []


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
    assert accusations(logs, IMAGES, sentence, "lost") == []
