"""True sentences that count in points a metric which is logged as a fraction, and wrong ones.

What is true is computed by NumPy from the curves that are written.
"""

from __future__ import annotations

import numpy as np
import pytest
from fakes.judged import RISING, accusations, findings_of
from fakes.right._right import comma, shown, write_tags

from reportgen.api.evidence import EvidencePaths

LAB = "detection"
VAL = dict(zip(("retina", "yolo"), RISING, strict=True))
TEST = {
    g: {s: [round(v - 0.013, 4) for v in c] for s, c in runs.items()} for g, runs in VAL.items()
}


def reached(group):
    """Mean test mAP, in hundredths, at each seed's best validation step."""
    runs = VAL[group].items()
    return float(np.mean([100 * TEST[group][s][int(np.argmax(c))] for s, c in runs]))


GAP = reached("retina") - reached("yolo")
SENTENCES = (
    ("retina outperforms yolo by {} points on test mAP.", shown),
    ("retina outperforms yolo by {} mAP points on the test set.", shown),
    ("retina dépasse yolo de {} points de mAP sur le test.", comma),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("points")
    write_tags(folder / LAB, {"val/mAP": VAL, "test/mAP": TEST}, 50)
    return folder


@pytest.mark.parametrize(("sentence", "spell"), SENTENCES)
def test_points_are_hundredths_of_a_fraction(sentence, spell, logs):
    assert accusations(logs, LAB, sentence.format(spell(GAP, 1)), "right") == []


@pytest.mark.parametrize(("sentence", "spell"), SENTENCES[:2])
def test_other_points_are_seen(sentence, spell, logs):
    assert accusations(logs, LAB, sentence.format(spell(GAP + 20, 1)), "wrong") != []


@pytest.mark.parametrize(
    "sentence",
    [
        "The advantage of retina over yolo is {} mAP on the test set.",
        "retina is {} mAP above yolo on the test set.",
        "yolo is {} mAP behind retina on the test set.",
        "retina is ahead of yolo by {} mAP on the test set.",
    ],
)
def test_a_gap_in_the_unit_of_its_metric_is_no_value_of_either(sentence, logs):
    evidence = EvidencePaths(runs=logs / LAB)
    said = sentence.format(f"{GAP / 100:.3f}")
    findings = findings_of(said, logs / "gap.md", evidence)
    assert [f.message for f in findings if f.verdict == "disagrees"] == []


def test_another_advantage_is_seen(logs):
    sentence = f"The advantage of retina over yolo is {GAP / 100 + 0.05:.3f} mAP on the test set."
    assert accusations(logs, LAB, sentence, "wrong") != []
