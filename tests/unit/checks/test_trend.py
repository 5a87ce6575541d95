"""Courses against logs and against tables of the same report."""

# ruff: noqa: E501 -- sentences stand on one line, as in a report
from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from statistics import pstdev

import pytest
from fakes import made_claims as make
from fakes import made_runs, said
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.run import Runs

OK = ("none", "agrees")
TENTHS = st.integers(400, 900).map(lambda n: n / 10)


def table(**groups):
    return {
        (group, seed): (curve, curve)
        for group, curves in groups.items()
        for seed, curve in enumerate(curves)
    }


RISING = [[60.0, 70.0, 80.0, 81.0], [61.0, 72.0, 79.0, 80.0]]
DENTED = [[60.0, 70.0, 80.0, 81.0], [61.0, 72.0, 79.0, 78.0]]
FALLING = [[81.0, 75.0, 70.0, 60.0], [80.0, 76.0, 71.0, 61.0]]


@pytest.mark.parametrize(
    ("text", "curves", "verdict"),
    [
        ("The test accuracy of the pretrained model improves with each epoch for both seeds.", RISING, OK),
        ("The test accuracy of the pretrained model improves with each epoch for all seeds.", DENTED, ("error", "disagrees")),
        ("The test accuracy of the pretrained model improves clearly with each epoch for all seeds.", DENTED, ("warning", "disagrees")),
        ("The test accuracy of the pretrained model increases.", DENTED, OK),
        ("The test accuracy of the pretrained model increases at each epoch for the two seeds.", RISING, OK),
        ("The test accuracy of the pretrained model increases at each epoch for the two seeds.", DENTED, ("error", "disagrees")),
        ("The test accuracy of the pretrained model increases.", FALLING, ("warning", "disagrees")),
        ("The test accuracy of the pretrained model is not increasing.", FALLING, OK),
        ("The test accuracy of the pretrained model is not increasing.", RISING, ("warning", "disagrees")),
        ("The accuracy of the pretrained model falls at epoch 4.", FALLING, OK),
        ("On test, every run of the pretrained model improves at every epoch (two of two).", RISING, OK),
        ("On test, one of the two runs of the pretrained model improves at every epoch (seed 0).", DENTED, OK),
        ("On test, one of the two runs of the pretrained model improves at every epoch (seed 1).", DENTED, ("error", "disagrees")),
        ("On test, two of the two runs of the pretrained model improve at every epoch.", DENTED, ("error", "disagrees")),
        ("The accuracy of the pretrained model fluctuates.", [[60.0, 70.0, 65.0, 80.0]], OK),
        ("The accuracy of the pretrained model fluctuates.", RISING, ("warning", "disagrees")),
        ("The validation accuracy of the pretrained model plateaus after epoch 2.", [[50.0, 80.0, 80.5, 80.4]], OK),
        ("The pretrained model overfits after epoch 2.", [[60.0, 80.0, 70.0, 65.0]], OK),
        ("The pretrained model overfits after epoch 2.", RISING, ("warning", "disagrees")),
        ("Accuracy drops from 80.0 at epoch 2 to 65.0 at epoch 4 for the pretrained model.", [[60.0, 80.0, 70.0, 65.0]], OK),
        ("Accuracy drops from 80.0 at epoch 2 to 62.0 at epoch 4 for the pretrained model.", [[60.0, 80.0, 70.0, 65.0]], ("error", "disagrees")),
        ("The accuracy of the pretrained model rises between epochs 1 and 2.", [[60.0, 80.0, 70.0, 65.0]], OK),
        ("L'exactitude de test du modèle pré-entraîné augmente à chaque époque.", RISING, OK),
        ("L'exactitude de test du modèle pré-entraîné augmente à chaque époque.", FALLING, ("error", "disagrees")),
    ],
)  # fmt: skip
def test_courses(text, curves, verdict):
    assert said.verdict(text, table=table(pretrained=curves)) == verdict


def test_one_run_against_a_sentence_on_all_is_named():
    text = "The test accuracy of the pretrained model rises at every epoch for all seeds."
    (finding,) = said.verdicts(said.case(text, table=table(pretrained=DENTED)))
    assert finding.level == "error"
    assert (
        "the logs have 79 at epoch 3 and 78 at epoch 4 (pretrained/seed 1, test accuracy)"
        in finding.message
    )
    assert [e.step for e in finding.expected.evidence] == [675, 900]


def test_a_dent_of_a_rounding_unit_is_borderline():
    text = "The test accuracy of the pretrained model rises at every epoch for all seeds."
    for dent, level in ((0.0, "note"), (0.1, "note"), (0.2, "error")):
        curves = [[60.0, 70.0, 80.0, round(80.0 - dent, 1)]]
        assert said.verdict(text, table=table(pretrained=curves))[0] == level


def test_without_a_group_a_plain_sentence_may_speak_of_any():
    logs = table(pretrained=RISING, random=FALLING)
    assert said.verdict("The test accuracy increases.", table=logs) == OK
    both = "The test accuracy increases at each epoch for all seeds."
    assert said.verdict(both, table=logs)[1] == "disagrees"


def test_a_loss_improves_when_it_falls():
    losses = {"a": [1.0, 0.6, 0.3], "b": [0.3, 0.6, 1.0]}
    for name, verdict in (("a", "agrees"), ("b", "disagrees")):
        runs = Runs(
            root="logs",
            runs=(
                made_runs.run(
                    "bert",
                    0,
                    made_runs.series("train", losses[name], metric="loss", unit=""),
                    made_runs.series("validation", [50.0, 60.0, 70.0]),
                ),
            ),
        )
        facts = made_runs.facts(runs=runs, groups=())
        assert (
            said.verdict("The training loss of BERT improves at every epoch.", facts=facts)[1]
            == verdict
        )
        assert (
            said.verdict("The training loss of BERT decreases steadily.", facts=facts)[1] == verdict
        )


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The standard deviation of the pretrained model over seeds on test shrinks from 8.00 points at epoch 1 to 1.00 at epoch 3.", OK),
        ("The standard deviation of the pretrained model over seeds on test shrinks from 8.00 points at epoch 1 to 3.00 at epoch 3.", ("error", "disagrees")),
        ("The standard deviation of the pretrained model is decreasing.", OK),
        ("The standard deviation of the pretrained model isn't decreasing.", ("warning", "disagrees")),
        ("The standard deviation of the pretrained model grows.", ("warning", "disagrees")),
        ("The gap between the accuracy of the pretrained model and that of the random model narrows.", OK),
        ("The gap between the accuracy of the pretrained model and that of the random model widens.", ("warning", "disagrees")),
        ("The gap between the pretrained model and the random model is narrower at the end than at the start.", OK),
    ],
)  # fmt: skip
def test_spreads_and_gaps(text, verdict):
    logs = table(
        pretrained=[[62.0, 72.0, 79.0], [70.0, 75.0, 80.0], [78.0, 78.0, 81.0]],
        random=[[40.0, 55.0, 70.0]] * 3,
    )
    findings = said.verdicts(said.case(text, table=logs))
    assert (findings[-1].level, findings[-1].verdict) == verdict


def test_an_elliptical_denial_is_about_the_same_series():
    text = "On test, one of the two runs of the pretrained model improves at every epoch (seed 0); seed 1 does not at epoch {}."
    for epoch, level in ((4, "none"), (3, "error")):
        finding = said.verdicts(said.case(text.format(epoch), table=table(pretrained=DENTED)))[-1]
        assert finding.level == level


def test_seeds_whose_numbers_were_not_found_in_the_logs_carry_no_error():
    text = "The accuracy of seed 1 of the pretrained model falls at epoch 2."
    known = said.case(text, table=table(pretrained=RISING))
    assert [f.level for f in said.verdicts(known)] == ["error"]
    unknown = replace(known, seeds={})
    assert [f.level for f in said.verdicts(unknown)] == ["warning"]


# --- oracles --------------------------------------------------------------------------


@given(st.lists(st.lists(TENTHS, min_size=3, max_size=5), min_size=1, max_size=3))
def test_rising_at_every_epoch_for_all_seeds(drawn):
    shortest = min(map(len, drawn))
    curves = [curve[:shortest] for curve in drawn]
    text = "The test accuracy of the pretrained model rises at every epoch for all seeds."
    level, verdict = said.verdict(text, table=table(pretrained=curves))
    worst = min(after - before for curve in curves for before, after in pairwise(curve))
    if worst > 1e-9:
        assert (level, verdict) == OK
    elif worst < -0.15:
        assert (level, verdict) == ("error", "disagrees")
    else:
        assert (level, verdict) == ("note", "borderline")


@given(
    st.lists(st.lists(TENTHS, min_size=4, max_size=4), min_size=1, max_size=4), st.integers(0, 4)
)
def test_shares_of_rising_runs(curves, some):
    rising = [all(b > a for a, b in pairwise(curve)) for curve in curves]
    sure = [all(abs(b - a) > 0.15 for a, b in pairwise(curve)) for curve in curves]
    text = (
        f"On test, {some} of the {len(curves)} runs of the pretrained model improve at every epoch."
    )
    claims = said.case(text, table=table(pretrained=curves))
    if some > len(curves) or not all(sure):
        return
    (finding,) = said.verdicts(claims)
    assert finding.level == ("none" if sum(rising) == some else "error")


@given(st.lists(TENTHS, min_size=3, max_size=6))
def test_of_rising_falling_and_varying_one_holds(curve):
    logs = table(pretrained=[curve])
    words = ("rises", "falls", "fluctuates")
    verdicts = {
        word: said.verdict(f"The accuracy of the pretrained model {word}.", table=logs)[1]
        for word in words
    }
    assert "disagrees" not in verdicts.values() or "agrees" in verdicts.values()
    if all(b > a + 0.2 for a, b in pairwise(curve)):
        assert verdicts == {"rises": "agrees", "falls": "disagrees", "fluctuates": "disagrees"}


@given(st.lists(st.tuples(TENTHS, TENTHS, TENTHS), min_size=2, max_size=5))
def test_the_course_of_the_standard_deviation(rows):
    curves = [list(curve) for curve in zip(*rows, strict=True)]
    first, last = pstdev(rows[0]), pstdev(rows[-1])
    logs = table(pretrained=curves)
    level, verdict = said.verdict(
        "The standard deviation of the pretrained model on test is decreasing.", table=logs
    )
    if first - last > 0.2:
        assert (level, verdict) == OK
    elif last - first > 0.2:
        assert (level, verdict) == ("warning", "disagrees")


# --- the same report ------------------------------------------------------------------


def rows(*values, kind=make.std, group="Random Model"):
    return [kind(str(v), group, epoch=e) for e, v in enumerate(values, 1)]


def test_a_table_of_the_report_decides_on_its_standard_deviations():
    claims = make.alone(*rows(1.67, 4.2, 1.48, 2.61, 0.31)).claims
    text = "For the random model, the standard deviation isn't decreasing, it's fluctuating between low and high values."
    findings = said.verdicts(said.alone(text, claims=claims))
    assert [(f.level, f.verdict) for f in findings] == [OK, OK]
    steady = make.alone(*rows(4.2, 3.1, 2.0, 1.0)).claims
    findings = said.verdicts(said.alone(text, claims=steady))
    assert [(f.level, f.verdict) for f in findings] == [("warning", "disagrees")] * 2


@given(st.lists(st.integers(4000, 9000).map(lambda n: n / 100), min_size=2, max_size=5))
def test_report_only_is_never_louder_than_a_warning(values):
    claims = make.alone(*rows(*values, kind=make.mean, group="BERT")).claims
    text = "The test accuracy of BERT increases at every epoch."
    (finding,) = said.verdicts(said.alone(text, claims=claims))
    worst = min(b - a for a, b in pairwise(values))
    assert finding.level in {"none", "note", "warning"}
    if worst > 0:
        assert finding.level == "none"
    if worst < -0.2:
        assert (finding.level, finding.verdict) == ("warning", "disagrees")


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [("60 to 81", OK), ("70 to 80", OK), ("75 to 80", ("error", "disagrees"))],
)
def test_two_values_of_a_course_are_of_any_moments_that_fit(ends, verdict):
    text = f"The test accuracy of the pretrained model with seed 0 rises from {ends}."
    assert said.verdict(text, table=table(pretrained=RISING)) == verdict


def test_the_seed_of_a_sentence_is_that_of_its_clauses():
    text = (
        "With seed 1, the pretrained model starts to overfit: its validation loss rises at the "
        "end, while the training loss still falls."
    )
    assert {c.content.subjects[0].seed for c in said.found(text)} == {1}


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("On average we pass from 70.4 % after the first epoch to 79.9 % after the last, so 9.5 points more.", "none"),
        ("On average we pass from 70.4 % after the first epoch to 79.9 % after the last, so 9.6 points more.", "none"),
        ("On average we pass from 70.4 % after the first epoch to 79.9 % after the last, so 12.2 points more.", "warning"),
        ("L'exactitude passe de 70,4 % à 79,9 %, soit 9,5 points de plus.", "none"),
        ("L'exactitude passe de 70,4 % à 79,9 %, soit 12,2 points de plus.", "warning"),
        ("It drops from 66.5 at epoch 3 to 65.1 (1.4 points) at epoch 4.", "none"),
        ("It drops from 66.5 at epoch 3 to 65.1 (4.1 points) at epoch 4.", "warning"),
        ("It goes from 0.704 to 0.799, a gain of about 10 points.", "none"),
        ("It goes from 0.704 to 0.799, a gain of about 15 points.", "warning"),
    ],
)  # fmt: skip
def test_what_is_gained_is_the_difference_of_the_two_numbers(text, level):
    (finding,) = [
        f for f in said.verdicts(said.alone(text)) if f.claim.content.predicate == "gains"
    ]
    assert finding.level == level


@pytest.mark.parametrize(
    "text",
    [
        "BERT rises from 70.4 to 79.9, so 12.2 points more than the random model.",
        "BERT rises from 70.4 to 79.9 while the LSTM does so from its start, a gain of 16 points.",
        "BERT rises from 70.4 to 79.9 (0.9 points std).",
        "BERT rises from 70.4 to 79.9, so 2 points per epoch.",
        "BERT rises from about 70 to 79.9, so 9 points more.",
    ],
)
def test_points_of_something_else_are_no_difference_of_the_two(text):
    assert "gains" not in {c.content.predicate for c in said.found(text) if c.content}


@given(st.integers(0, 999), st.integers(0, 999))
def test_a_right_difference_is_never_accused(first, last):
    gap = abs(last - first) / 10
    text = f"It goes from {first / 10} to {last / 10}, so {gap:.1f} points more."
    assert {f.level for f in said.verdicts(said.alone(text))} <= {"none"}
