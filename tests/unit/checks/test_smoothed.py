"""Values of smoothed curves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from fakes import made_claims as make

from reportgen.checks.smoothed import check
from reportgen.records.manuscript import Block, Line

CURVE = [60.0, 70.3, 81.0, 77.7, 85.5]
TABLE = {("a", 0): (CURVE, CURVE)}


def found(*claims):
    return list(check(make.case(*claims, table=TABLE)))


def debiased(weight):
    """Pandas' own moving average with TensorBoard's correction of the beginning."""
    return pd.Series(CURVE).ewm(alpha=1 - weight, adjust=True).mean().to_numpy()


@pytest.mark.parametrize("weight", [0.6, 0.8, 0.9, 0.99])
def test_a_value_of_the_smoothed_curve(weight):
    (finding,) = found(make.value(f"{debiased(weight)[4]:.2f}", "a", 0, epoch=5))
    assert finding.level == "warning"
    assert finding.likely_cause == f"it is the curve there smoothed with weight {weight:g}"
    assert "the logs have 85.5 at a/seed 0, test accuracy, step 1125" in finding.message


def test_the_best_value_of_the_smoothed_curve():
    shown = make.value(f"{np.max(debiased(0.6)):.2f}", "a", 0, "validation", selection="best")
    assert len(found(shown)) == 1


def test_raw_values_are_left_alone():
    for value in CURVE:
        assert found(make.value(f"{value:.1f}", "a", 0)) == []
    assert found(make.value("12.34", "a", 0, epoch=5)) == []
    assert found(make.mean("79.93", "a")) == []
    assert list(check(make.alone(make.value("78.93", "a", 0)))) == []


def test_who_is_meant_must_be_known():
    shown = f"{debiased(0.6)[4]:.2f}"
    assert found(make.value(shown, "a", 0, split="", epoch=5)) == []
    assert found(make.value(shown, "a", 7, epoch=5)) == []
    assert found(make.value(shown, "a", 0, epoch=5, confidence=0.3)) == []


SAID = "Test accuracy by epoch, smoothed. a: seed 0 from {} at epoch 1 to {} at 5, highest there."


@pytest.mark.parametrize(("shift", "verdict"), [(0, "agrees within rounding"), (0.02, "")])
def test_a_value_that_is_said_to_be_smoothed_is_held_against_the_smoothed_curve(shift, verdict):
    values = debiased(0.6)
    text = SAID.format(f"{values[0]:.2f}", f"{values[4] + shift:.2f}")
    block = Block(type="paragraph", lines=(Line(text=text, number=1),))
    claim = make.value(f"{values[4] + shift:.2f}", "a", 0, epoch=5, confidence=0.4)
    case = make.case(claim, table=TABLE)
    case = replace(case, manuscript=replace(case.manuscript, blocks=(block,)))
    claims = tuple(replace(one, block=0) for one in case.claims)
    findings = list(check(replace(case, claims=claims)))
    assert [(f.verdict, f.level) for f in findings] == ([(verdict, "none")] if verdict else [])


def test_on_a_logarithmic_axis_the_logarithm_is_smoothed():
    logs = pd.Series(np.log(CURVE)).ewm(alpha=0.4, adjust=True).mean()
    (finding,) = found(make.value(f"{np.exp(logs.iloc[4]):.3f}", "a", 0, epoch=5))
    assert finding.likely_cause == "it is the curve there, its logarithm smoothed with weight 0.6"
