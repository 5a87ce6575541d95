"""Ranges and bounds against logs and against tables of the same report."""

# ruff: noqa: E501 -- sentences stand on one line, as in a report
from __future__ import annotations

import pytest
from fakes import made_claims as make
from fakes import said
from hypothesis import assume, given
from hypothesis import strategies as st

OK = ("none", "agrees")


def table(**groups):
    return {
        (group, seed): (curve, curve)
        for group, curves in groups.items()
        for seed, curve in enumerate(curves)
    }


CURVES = [[55.0, 70.0, 79.9], [60.0, 72.0, 78.5], [58.0, 71.0, 80.1]]


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [
        (("70.5", "80.1"), OK),  # of all runs
        (("78.5", "80.1"), OK),  # of one group, as a report on it says
        (("60.5", "80.1"), ("note", "borderline")),  # further than any run
        (("70.5", "90.1"), ("note", "borderline")),
        (("75.5", "80.1"), ("warning", "disagrees")),
    ],
)
def test_a_range_of_nobody_in_particular_is_that_of_all_runs_or_of_a_group(ends, verdict):
    runs = table(pretrained=CURVES, random=[[50.0, 60.0, 70.5], [50.0, 61.0, 71.5]])
    text = "The test accuracy ranges from {}% to {}% across the runs.".format(*ends)
    assert said.verdict(text, table=runs) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The test accuracy of the pretrained model ranges from 78.5% to 80.1% across the three seeds.", OK),
        ("The test accuracy of the pretrained model ranges from 79.5% to 80.1% across the three seeds.", ("error", "disagrees")),
        ("The test accuracy of the pretrained model ranges from 79.5% to 80.1%.", ("warning", "disagrees")),
        ("The pretrained model plateaus at 0.78-0.80 test accuracy.", OK),
        ("The pretrained model plateaus at 0.50-0.55 test accuracy.", ("warning", "disagrees")),
        ("The test accuracy of the pretrained model never falls below 50%.", OK),
        ("The test accuracy of the pretrained model never falls below 75%.", ("error", "disagrees")),
        ("The pretrained model never exceeds 75% test accuracy.", ("error", "disagrees")),
        ("The pretrained model never exceeds 81% test accuracy.", OK),
        ("The pretrained model is never above 81 % on the test set.", OK),
        ("The pretrained model is never above 79 % on the test set.", ("warning", "disagrees")),
        ("Le modèle pré-entraîné ne descend jamais en dessous de 60 % sur le test.", ("warning", "disagrees")),
        ("Le modèle pré-entraîné ne dépasse jamais 81 % sur le test.", OK),
        ("All runs of the pretrained model stay above 69% test accuracy after epoch 2.", OK),
        ("L'exactitude de test du modèle pré-entraîné se situe entre 78 et 81 %.", OK),
    ],
)  # fmt: skip
def test_ranges(text, verdict):
    findings = said.verdicts(said.case(text, table=table(pretrained=CURVES)))
    (finding,) = [f for f in findings if f.rule == "range"]
    assert (finding.level, finding.verdict) == verdict


def test_the_message_has_the_values():
    text = "The test accuracy of the pretrained model never falls below 75%."
    (finding,) = said.verdicts(said.case(text, table=table(pretrained=CURVES)))
    assert "the logs have values from 55 to 80.1" in finding.message


@pytest.mark.parametrize(
    ("curve", "ends", "level"),
    [
        ("from scratch", "0.62-0.65", "none"),
        ("pre-trained", "0.80-0.85", "none"),
        ("pre-trained", "0.40-0.45", "warning"),
    ],
)
def test_fractions_in_the_sentence_and_percent_in_the_table(curve, ends, level):
    values = {"Random": ("62", "65", "63"), "Pretrain": ("81.5", "80", "83.5")}
    claims = [
        make.value(text, group, seed, "validation", selection="best")
        for group, texts in values.items()
        for seed, text in enumerate(texts)
    ]
    text = f"The validation accuracy curves seem to plateau, the {curve} curve at {ends}."
    findings = said.verdicts(said.alone(text, claims=make.alone(*claims).claims))
    (finding,) = [f for f in findings if f.rule == "range"]
    assert finding.level == level


@given(
    st.lists(st.integers(500, 900).map(lambda n: n / 10), min_size=2, max_size=4),
    st.integers(50, 90),
    st.integers(1, 20),
)
def test_what_lies_inside_agrees_and_what_lies_far_outside_does_not(values, low, width):
    logs = table(pretrained=[[value] * 2 for value in values])
    text = f"The test accuracy of the pretrained model lies between {low}% and {low + width}% across the seeds."
    level, _ = said.verdict(text, table=logs)
    if all(low <= value <= low + width for value in values):
        assert level == "none"
    elif min(values) < low - 0.7 or max(values) > low + width + 0.7:
        assert level == "error"


@given(
    st.lists(st.integers(500, 900).map(lambda n: n / 10), min_size=2, max_size=4, unique=True),
    st.integers(-90, 90).map(lambda n: n / 10),
    st.integers(-90, 90).map(lambda n: n / 10),
)
def test_what_ranges_from_one_number_to_another_has_both(values, down, up):
    logs = table(pretrained=[[value] * 2 for value in values])
    low, high = min(values) + down, max(values) + up
    assume(low < high and not (low % 5 == high % 5 == 0))
    text = f"The test accuracy of the pretrained model ranges from {low:.1f}% to {high:.1f}% across the seeds."
    level, _ = said.verdict(text, table=logs)
    if down == up == 0:
        assert level == "none"
    elif max(abs(down), abs(up)) > 0.8:
        assert level == "error"


def test_round_ends_only_hold_what_lies_between_them():
    logs = table(pretrained=[[71.2] * 2, [73.9] * 2])
    text = "The test accuracy of the pretrained model ranges from 70% to 75% across the seeds."
    assert said.verdict(text, table=logs)[0] == "none"
    assert said.verdict(text.replace("75", "73"), table=logs)[0] == "error"


def test_values_under_another_spelling_of_a_group_count_against_a_bound():
    claims = [
        make.value("79.9", "Pretrained", 0, epoch=5.0),
        make.value("67.7", "pretrained model", 0, epoch=1.0),
    ]
    text = "The pretrained one is never below 70 % on the test set."
    findings = said.verdicts(said.alone(text, claims=make.alone(*claims).claims))
    (finding,) = [f for f in findings if f.rule == "range"]
    assert (finding.level, finding.verdict) == ("warning", "disagrees")


def test_what_goes_from_one_value_to_another_is_a_course_and_no_range():
    course = "The mean test accuracy of the pretrained model goes from 57.7 % to 79.5 %."
    assert "range" not in {c.kind for c in said.found(course)}
    values = "The test accuracies of the pretrained model go from 78.5 % to 80.1 %."
    assert [c.kind for c in said.found(values)] == ["range"]


def test_a_share_is_no_bound_of_a_loss():
    text = "The pretrained model is never below 70 % on the test set."
    loss = make.value("0.45", metric="loss", epoch=1.0)
    findings = said.verdicts(said.alone(text, claims=make.alone(loss).claims))
    assert {f.verdict for f in findings if f.rule == "range"} == {"not checkable"}
