"""True reports that leave out a model, or runs that failed, about made-up logs; and wrong twins."""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import accusations

STEPS = (100, 200, 300, 400, 500, 600)
FLOWERS, BROKEN = "flowers", "broken"
_LOSS = {
    # All have their lowest mean loss at step 400, but for the plain one.
    "plain": ([0.90, 0.71, 0.60, 0.52, 0.48, 0.45], [0.92, 0.72, 0.61, 0.53, 0.49, 0.46]),
    "mixup": ([0.80, 0.55, 0.42, 0.38, 0.41, 0.45], [0.82, 0.56, 0.43, 0.39, 0.42, 0.46]),
    "cutout": ([0.85, 0.60, 0.47, 0.40, 0.42, 0.43], [0.86, 0.61, 0.48, 0.41, 0.43, 0.44]),
}
_ACCURACY = {
    "plain": ([45.0, 55.2, 61.0, 66.1, 68.2, 70.4], [44.2, 54.8, 60.4, 65.2, 67.7, 69.8]),
    "mixup": ([51.0, 66.0, 74.1, 79.0, 80.3, 81.2], [50.2, 65.1, 73.3, 78.2, 79.6, 80.5]),
    "cutout": ([50.1, 64.2, 72.0, 77.4, 79.2, 79.9], [49.9, 64.0, 71.2, 77.1, 78.8, 79.1]),
}
_NAN = float("nan")
# Seed 3 of steady has no loss from step 300 on; seed 2 of swift ends at step 300.
_SCORES = {
    "steady": (
        [50.3, 62.4, 70.1, 74.6, 78.2, 79.5],
        [51.1, 63.0, 70.9, 75.2, 79.4, 80.7],
        [49.8, 61.5, 10.0, 10.0, 10.0, 10.0],
    ),
    "swift": (
        [52.3, 65.4, 73.1, 78.6, 82.2, 84.1],
        [51.6, 64.6, 72.4],
        [53.1, 66.0, 74.0, 79.1, 83.4, 85.5],
    ),
}
KEPT = {"steady": (1, 2), "swift": (1, 3)}

EXCEPTIONS = (
    "Excluding plain, all models reach their minimum mean validation loss at step {}.",
    "Except for plain, all models have their minimum mean validation loss at step {}.",
    "The mean validation loss is lowest at step {} for all models (plain being the only exception).",
    "Except for plain, whose lowest loss is at step 600, all models are best at step {} on validation loss.",
    "À l'exception de plain, la perte de validation moyenne de tous les modèles est minimale au pas {}.",
)
LIMITS = (
    ("All models but plain exceed {} % final test accuracy.", 78, None),
    ("En dehors de plain, tous les modèles dépassent {} % en test accuracy finale.", 78, None),
    ("All models exceed 78 % final test accuracy, except for plain, which has {} % on average.", 70.1, 75.1),
)  # fmt: skip
CONVERGED = (
    ("5 of 6 runs converged.", "4 of 6 runs converged."),
    ("Two of the three runs of steady converged.", "One of the three runs of steady converged."),
    ("One of the three runs of steady diverged.", "No run of steady diverged."),
    ("Steady seed 3 diverged, seeds 1 and 2 ended at 79.5 and 80.7 % test accuracy.", "All six runs converged."),
    ("All runs of swift converged.", "None of the runs diverged."),
    ("No run of swift diverged.", "Aucune exécution n'a divergé."),
)  # fmt: skip
STEADY = (
    "Over the two steady runs that converged, the mean final test accuracy is {} %.",
    "Over the two steady runs that converged, the mean final test accuracy is {} %, which is lower than that of swift.",
    "Averaged over the two surviving steady runs, the final test accuracy is {} %.",
    "Two of the three steady runs converged; their mean final test accuracy is {} %.",
    "Discarding seed 3, the mean final test accuracy of steady is {} %.",
    "Sans l'exécution qui a divergé, steady atteint en moyenne {} % de test accuracy à la fin.",
    "| Step | steady |\n|---|---|\n| 600 | {} |\n\nMean test accuracy without the diverged run.",
    "| Model | Final test accuracy | Runs |\n|---|---|---|\n| steady | {} | 2* |\n\n*One run diverged and is excluded.",
    "# Report\n\n## steady, seeds 1 and 2\n\nThe final test accuracy is {} % on average.",
    "# Report\n\n## Setup\n\nAll results of steady are averages over the first two seeds (1, 2).\n\n## Results\n\n| Model | Final test accuracy |\n|---|---|\n| steady | {} |",
)
SWIFT = (
    "Swift has a final test accuracy of {} ± {} %.",
    "La test accuracy finale de swift est de {} ± {} %.",
    "| Model | Test accuracy |\n|---|---|\n| swift† | {} ± {} |\n\nTest results after 600 steps. † two seeds only, the other run crashed.",
    "One run of swift crashed. We exclude it everywhere.\n\nAt the end of training swift obtains a test accuracy of {} ± {} %.",
)


def _row(step, *values):
    return ",".join([str(step), *("" if np.isnan(value) else f"{value:g}" for value in values)])


def write(folder, group, seed, scores, losses):
    """Write what one run logged, NaN as an empty cell."""
    run = folder / group / str(seed)
    run.mkdir(parents=True)
    rows = zip(STEPS, losses, scores, strict=False)
    lines = [_row(step, loss, score + 0.4, score) for step, loss, score in rows]
    head = "step,valid/loss,valid/accuracy,test/accuracy"
    (run / "metrics.csv").write_text("\n".join([head, *lines, ""]), encoding="utf-8")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("some_runs")
    for group, curves in _ACCURACY.items():
        for seed, scores in enumerate(curves):
            write(folder / FLOWERS, group, seed, scores, _LOSS[group][seed])
    for group, curves in _SCORES.items():
        for seed, scores in enumerate(curves, 1):
            losses = [2 - score / 50 if score > 10 else _NAN for score in scores]
            write(folder / BROKEN, group, seed, scores, losses)
    return folder


def ends(group):
    """Last values of the runs of a group that reached the end."""
    return [_SCORES[group][seed - 1][-1] for seed in KEPT[group]]


@pytest.mark.parametrize("sentence", EXCEPTIONS)
def test_what_is_said_of_all_but_one_is_held_against_the_others(logs, sentence):
    assert accusations(logs, FLOWERS, sentence.format(400), "right") == []
    assert accusations(logs, FLOWERS, sentence.format(300), "wrong") != []


@pytest.mark.parametrize(("sentence", "right", "wrong"), LIMITS)
def test_a_limit_is_none_of_the_model_that_is_left_out(logs, sentence, right, wrong):
    assert accusations(logs, FLOWERS, sentence.format(right), "right") == []
    if wrong is not None:
        assert accusations(logs, FLOWERS, sentence.format(wrong), "wrong") != []


@pytest.mark.parametrize(("right", "wrong"), CONVERGED)
def test_a_run_whose_loss_falls_silent_diverged(logs, right, wrong):
    assert accusations(logs, BROKEN, right, "right") == []
    assert accusations(logs, BROKEN, wrong, "wrong") != []


@pytest.mark.parametrize("report", STEADY)
def test_means_are_of_the_runs_that_a_report_takes(logs, report):
    mean = float(np.mean(ends("steady")))
    assert accusations(logs, BROKEN, report.format(f"{mean:.1f}"), "right") == []
    assert accusations(logs, BROKEN, report.format(f"{mean + 3:.1f}"), "wrong") != []


@pytest.mark.parametrize("report", SWIFT)
def test_a_final_mean_may_leave_out_a_run_that_broke_off(logs, report):
    mean, std = float(np.mean(ends("swift"))), float(np.std(ends("swift"), ddof=1))
    assert accusations(logs, BROKEN, report.format(f"{mean:.2f}", f"{std:.2f}"), "right") == []
    assert accusations(logs, BROKEN, report.format(f"{mean + 3:.2f}", f"{std:.2f}"), "wrong") != []


def test_the_step_at_which_a_run_broke_off_is_none_of_the_others(logs):
    report = "One swift run (seed 2) crashed at step 300; the other two reach a mean test accuracy of {:.2f} %."
    assert accusations(logs, BROKEN, report.format(np.mean(ends("swift"))), "right") == []


def test_a_lead_over_the_runs_that_did_not_diverge(logs):
    gap = float(np.mean(ends("swift")) - np.mean(ends("steady")))
    sentence = "Leaving the diverged run aside, swift beats steady by {:.1f} points of final test accuracy."
    assert accusations(logs, BROKEN, sentence.format(gap), "right") == []
    assert accusations(logs, BROKEN, sentence.format(gap + 3), "wrong") != []
