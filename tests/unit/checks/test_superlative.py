"""Superlatives against logs: of epochs, of groups, of seeds, and of as many runs as it is said."""

# ruff: noqa: E501 -- sentences stand on one line, as in a report
from __future__ import annotations

from dataclasses import replace
from statistics import fmean, stdev

import pytest
from fakes import made_claims as make
from fakes import said
from hypothesis import assume, given
from hypothesis import strategies as st

OK = ("none", "agrees")
TENTHS = st.integers(400, 900).map(lambda n: n / 10)


def table(**groups):
    return {
        (group, seed): (curve, curve)
        for group, curves in groups.items()
        for seed, curve in enumerate(curves)
    }


RISING = [[60.0, 70.0, 80.0], [61.0, 72.0, 79.0]]
PEAKED = [[60.0, 80.0, 70.0], [61.0, 79.0, 72.0]]
MIXED = [[60.0, 70.0, 80.0], [61.0, 79.0, 72.0]]


@pytest.mark.parametrize(
    ("text", "curves", "verdict"),
    [
        ("The pretrained model reaches its best accuracy at the last epoch.", RISING, OK),
        ("The pretrained model reaches its best accuracy at the last epoch.", PEAKED, ("error", "disagrees")),
        ("The pretrained model seems to reach its best accuracy at the last epoch.", PEAKED, ("warning", "disagrees")),
        ("For all seeds, the best step is the last one.", RISING, OK),
        ("For all seeds, the best step is the last one.", MIXED, ("error", "disagrees")),
        ("The best step is the last one in one of two runs.", MIXED, OK),
        ("The best step is the last one in two of two runs.", MIXED, ("error", "disagrees")),
        ("For each seed the best validation accuracy is reached after 2 epochs.", PEAKED, OK),
        ("For each seed the best validation accuracy is reached after 2 epochs.", MIXED, ("error", "disagrees")),
        ("For each seed the best validation accuracy is reached at step 450.", PEAKED, OK),
        ("The best validation accuracy of the pretrained model is reached at epoch 3 for seed 1.", MIXED, ("error", "disagrees")),
        ("The best validation accuracy of the pretrained model is reached at epoch 3 for seed 0.", MIXED, OK),
        ("The mean accuracy of the pretrained model is highest at epoch 2 (+79.5 points).", PEAKED, OK),
        ("The mean accuracy of the pretrained model is highest at epoch 2 (+71.5 points).", PEAKED, ("error", "disagrees")),
        ("The accuracy of the pretrained model is lowest at epoch 1.", PEAKED, OK),
        ("La meilleure exactitude du modèle pré-entraîné est atteinte à l'époque 2.", PEAKED, OK),
        ("Seed 0 gives the best results.", RISING, OK),
        ("Seed 0 of the pretrained model is the best one at the end of the training.", RISING, OK),
        ("Seed 0 of the pretrained model is the best one at epoch 2.", RISING, ("warning", "disagrees")),
        ("Seed 1 of the pretrained model is the best one at epoch 2.", RISING, OK),
        ("Seed 0 of the pretrained model is the worst one at the end of the training.", RISING, ("warning", "disagrees")),
        ("For the pretrained model the second run is the best one at epoch 2.", RISING, OK),
        ("For the pretrained model the second run is the worst one at epoch 2.", RISING, ("warning", "disagrees")),
        ("Seed 1 of the pretrained model is always the best one on the test.", RISING, ("warning", "disagrees")),
        ("Seed 1 of the pretrained model is always the best one on the test.", [[60.0, 70.0, 80.0], [61.0, 72.0, 81.0]], OK),
        ("The mean accuracy of the pretrained model reaches its maximum at epoch 2.", PEAKED, OK),
        ("The mean accuracy of the pretrained model reaches its maximum at epoch 2.", RISING, ("error", "disagrees")),
        ("The validation accuracy of the pretrained model peaks at epoch 2.", PEAKED, OK),
        ("L'exactitude du modèle pré-entraîné atteint son maximum à l'époque 2.", RISING, ("error", "disagrees")),
    ],
)  # fmt: skip
def test_moments_and_seeds(text, curves, verdict):
    assert said.verdict(text, table=table(pretrained=curves)) == verdict


NAN = float("nan")
DIVERGED = [[60.0, 70.0, 80.0], [61.0, 72.0, NAN]]


@pytest.mark.parametrize(
    ("text", "curves", "verdict"),
    [
        ("The best step is the last one in one of two runs.", DIVERGED, OK),
        ("The best step is the last one in two of two runs.", DIVERGED, OK),
        ("The best step is the last one in none of two runs.", DIVERGED, ("error", "disagrees")),
        ("The best step is the last one in two of two runs.", [DIVERGED[0], [72.0, 61.0, NAN]], ("error", "disagrees")),
        ("For all seeds, the best step is the last one.", DIVERGED, OK),
    ],
)  # fmt: skip
def test_a_run_that_ends_in_nan_may_count_as_one_whose_last_step_is_not_the_best(
    text, curves, verdict
):
    assert said.verdict(text, table=table(pretrained=curves)) == verdict


def test_a_step_that_is_a_claim_of_its_own_makes_no_second_error():
    text = "For each seed the best validation accuracy is reached after 2 epochs."
    alone = said.case(text, table=table(pretrained=MIXED))
    step = replace(make.step("450"), start=60, end=61)
    both = replace(alone, claims=(*alone.claims, step))
    assert [f.level for f in said.verdicts(alone)] == ["error"]
    assert [f.level for f in said.verdicts(both)] == ["warning"]


def test_a_tie_is_a_best_value_too():
    tied = table(pretrained=[[60.0, 80.0, 80.0]])
    for when in ("epoch 2", "the last epoch"):
        assert (
            said.verdict(f"The pretrained model reaches its best accuracy at {when}.", table=tied)
            == OK
        )


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The pretrained model has the highest test accuracy.", OK),
        ("The highest test accuracy is obtained with the pretrained model.", OK),
        ("The 3 top curves are those of the pretrained model.", OK),
        ("The random model has the highest test accuracy.", ("warning", "disagrees")),
        ("The 3 top curves are those of the random model.", ("warning", "disagrees")),
        ("The random model has the lowest test accuracy.", OK),
    ],
)
def test_groups(text, verdict):
    assert said.verdict(text) == verdict


def test_a_group_is_held_against_those_of_which_the_report_speaks():
    logs = table(pretrained=RISING, random=[[50.0, 55.0, 60.0]] * 2, other=[[90.0, 91.0, 92.0]] * 2)
    best = "The pretrained model has the highest test accuracy."
    spoken = f"{best} The random model is worse than the pretrained model."
    assert said.verdicts(said.case(spoken, table=logs))[-1].verdict == "agrees"
    assert said.verdict(best, table=logs) == ("warning", "disagrees")


def test_gaps_and_spreads_have_their_own_extremes():
    logs = table(
        pretrained=[[60.0, 75.0, 80.0], [62.0, 75.0, 79.0]],
        random=[[50.0, 60.0, 75.0], [50.0, 58.0, 75.0]],
    )
    gap = "The gap between the mean test accuracy of the pretrained model and that of the random model is"
    assert said.verdict(f"{gap} widest at epoch 2 (+16.00 points).", table=logs) == OK
    assert said.verdict(f"{gap} widest at epoch 1 (+11.00 points).", table=logs) == (
        "error",
        "disagrees",
    )
    spread = "The standard deviation of the pretrained model on test is"
    assert said.verdict(f"{spread} largest at epoch 1 (1.41 points).", table=logs) == OK
    assert said.verdict(f"{spread} largest at epoch 1 (1.00 points).", table=logs) == OK  # over n
    assert said.verdict(f"{spread} largest at epoch 1 (1.80 points).", table=logs) == (
        "error",
        "disagrees",
    )
    assert said.verdict(f"{spread} largest at epoch 3.", table=logs) == ("error", "disagrees")


def test_the_best_loss_is_the_lowest():
    claims = [
        make.mean(str(v), "pretrained", metric="loss", epoch=e)
        for e, v in ((1, 0.9), (2, 0.4), (3, 0.6))
    ]
    text = "The loss of the pretrained model is {} at epoch {}."
    for word, epoch, verdict in (
        ("best", 2, "agrees"),
        ("lowest", 2, "agrees"),
        ("highest", 2, "disagrees"),
    ):
        bare = make.alone(*claims).claims
        (finding,) = said.verdicts(said.alone(text.format(word, epoch), claims=bare))
        assert finding.verdict == verdict
        assert finding.level in {"none", "warning"}


def test_steps_that_no_log_has_are_not_checked():
    (finding,) = said.verdicts(
        said.case("The pretrained model reaches its best accuracy at epoch 9.")
    )
    assert finding.verdict == "not checkable"


@given(
    st.lists(st.lists(TENTHS, min_size=4, max_size=4), min_size=3, max_size=3), st.integers(1, 4)
)
def test_the_highest_mean_is_where_the_sentence_says_or_it_disagrees(curves, epoch):
    means = [fmean(curve[n] for curve in curves) for n in range(4)]
    rivals = [value for n, value in enumerate(means, 1) if n != epoch]
    text = f"The mean test accuracy of the pretrained model is highest at epoch {epoch}."
    level, verdict = said.verdict(text, table=table(pretrained=curves))
    margin = means[epoch - 1] - max(rivals)
    if margin > 1e-6:
        assert (level, verdict) == OK
    elif margin < -0.11:
        assert (level, verdict) == ("error", "disagrees")


@given(
    st.lists(st.lists(TENTHS, min_size=3, max_size=3, unique=True), min_size=3, max_size=5),
    st.integers(0, 5),
)
def test_shares_count_the_runs(curves, some):
    assume(some <= len(curves))
    last = sum(curve[-1] == max(curve) for curve in curves)
    assume(all(abs(max(curve) - curve[-1]) > 0.15 or curve[-1] == max(curve) for curve in curves))
    assume(all(curve[-1] - sorted(curve)[-2] > 0.15 for curve in curves if curve[-1] == max(curve)))
    text = f"The best step is the last one in {some} of {len(curves)} runs."
    level, _ = said.verdict(text, table=table(pretrained=curves))
    assert (level == "none") == (some == last)
    assert level in {"none", "error"}


@given(st.lists(st.lists(TENTHS, min_size=3, max_size=3), min_size=3, max_size=3))
def test_the_largest_spread(curves):
    spreads = [stdev(curve[n] for curve in curves) for n in range(3)]
    order = sorted(spreads)
    assume(order[-1] - order[-2] > 0.15)
    for epoch, spread in enumerate(spreads, 1):
        text = (
            f"The standard deviation of the pretrained model on test is largest at epoch {epoch}."
        )
        level, _ = said.verdict(text, table=table(pretrained=curves))
        assert (level == "none") == (spread == order[-1])


def test_runs_may_be_counted_from_one_where_a_report_numbers_none():
    logs = table(pretrained=[[60.0, 70.0, 82.0], [61.0, 72.0, 81.0], [62.0, 73.0, 79.0]])
    for which, level in (("first", "none"), ("second", "warning"), ("third", "warning")):
        text = (
            f"For the pretrained model the {which} run is the best one at the end of the training."
        )
        (finding,) = said.verdicts(said.case(text, table=logs, seeds={"pretrained": {}}))
        assert finding.level == level, which
    text = "For the pretrained model the second run is the worst one at epoch 1."
    (finding,) = said.verdicts(said.case(text, table=logs, seeds={"pretrained": {}}))
    assert finding.level == "warning"
    # Where the seeds are 0, 1 and 2, the second run is seed 1, or the one that is numbered 2.
    worst = "For the pretrained model the third run is the worst one at the end of the training."
    (finding,) = said.verdicts(said.case(worst, table=logs))
    assert finding.level == "none"
    best = "For the pretrained model the first run is the best one at the end of the training."
    (finding,) = said.verdicts(said.case(best, table=logs))
    assert finding.level == "none"
