"""Comparisons against logs and against tables of the same report, true and untrue ones."""
# ruff: noqa: E501 -- sentences stand on one line, as in a report

from __future__ import annotations

from decimal import Decimal
from statistics import fmean

import pytest
from fakes import made_claims as make
from fakes import made_runs, said
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.run import Runs

OK = ("none", "agrees")


def table(pretrained, random, valid=None):
    """Two groups, one curve a seed; validation is the test curve unless told."""
    return {
        (group, seed): ((valid or curves)[seed], curves[seed])
        for group, curves in (("pretrained", pretrained), ("random", random))
        for seed in range(len(curves))
    }


HIGH = [[70.0, 75.0, 80.0], [71.0, 76.0, 79.0], [69.0, 74.0, 81.0]]
LOW = [[50.0, 60.0, 65.0], [51.0, 61.0, 66.0], [49.0, 62.0, 64.0]]


# --- with logs ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "The pretrained model is better than the random model.",
        "At each epoch the mean test accuracy of the pretrained model is higher than that of the random model.",
        "The accuracy of the random model is always lower than that of the pretrained model.",
        "The random model is outperformed by the pretrained model for all seeds.",
        "At the best step every run of the pretrained model lies above every run of the random model.",
        "À chaque époque, l'exactitude de test du modèle pré-entraîné est supérieure à celle du modèle aléatoire.",
        "At the best step the test accuracies of the pretrained model and of the random model do not overlap.",
        "The accuracy of the random model does not catch up with that of the pretrained model.",
    ],
)  # fmt: skip
def test_true_orders_agree(text):
    level, verdict = said.verdict(text, table=table(HIGH, LOW))
    assert (level, verdict) == OK


CROSSED = [[40.0, 75.0, 60.0], [41.0, 76.0, 59.0], [39.0, 74.0, 61.0]]
TOLD = "The mean test accuracy of the pretrained model lies {first} that of the random model at epoch {epoch} and lies {second} it at {count} of the 3 epochs."


@pytest.mark.parametrize(
    ("words", "accused"),
    [
        ({"first": "above", "epoch": 2, "second": "below", "count": 2}, False),
        ({"first": "above", "epoch": 1, "second": "below", "count": 2}, True),
        ({"first": "below", "epoch": 2, "second": "above", "count": 1}, True),
    ],
)
def test_named_moments_beside_counted_ones_are_held_by_themselves(words, accused):
    level, _ = said.verdict(TOLD.format(**words), table=table(CROSSED, LOW))
    assert (level in {"error", "warning"}) == accused


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("At each epoch the mean test accuracy of the pretrained model is higher than that of the random model.", "error"),
        ("At epoch 2 the test accuracy of the pretrained model is higher than that of the random model.", "error"),
        ("The pretrained model beats the random model on every seed.", "error"),
        ("The pretrained model is better than the random model.", "warning"),
        ("The pretrained model is always much better than the random model.", "warning"),
        ("The accuracy seems higher for the pretrained model than for the random model.", "warning"),
        ("At the best step the test accuracies of the pretrained model and of the random model overlap.", "warning"),
    ],
)  # fmt: skip
def test_orders_turned_round_disagree_as_loud_as_they_are_said(text, level):
    assert said.verdict(text, table=table(LOW, HIGH)) == (level, "disagrees")


def test_what_holds_at_some_epochs_is_not_held_against_a_plain_sentence():
    mixed = table([[50.0, 60.0, 80.0]] * 3, [[55.0, 65.0, 70.0]] * 3)
    plain = "The pretrained model is better than the random model."
    assert said.verdict(plain, table=mixed) == OK
    every = "At every epoch the accuracy of the pretrained model is higher than that of the random model."
    assert said.verdict(every, table=mixed) == ("error", "disagrees")


def test_a_tie_and_a_tenth_of_a_point_are_borderline():
    text = "At every epoch the test accuracy of the pretrained model is higher than that of the random model."
    equal = table([[70.0, 75.0, 80.0]] * 3, [[60.0, 75.0, 70.0]] * 3)
    assert said.verdict(text, table=equal) == ("note", "borderline")
    tenth = table([[70.0, 75.0, 80.0]] * 3, [[60.0, 75.1, 70.0]] * 3)
    assert said.verdict(text, table=tenth) == ("note", "borderline")
    more = table([[70.0, 75.0, 80.0]] * 3, [[60.0, 75.2, 70.0]] * 3)
    assert said.verdict(text, table=more) == ("error", "disagrees")


def test_the_message_names_both_values_and_where_they_stand():
    text = "At every epoch the mean test accuracy of the random model is higher than that of the pretrained model."
    (finding,) = said.verdicts(said.case(text, table=table(HIGH, LOW)))
    assert "the logs have 50 for random and 70 for pretrained" in finding.message
    assert "mean test accuracy at each epoch, epoch 1" in finding.message
    assert finding.expected.evidence[0].step == 225


def test_a_loss_is_better_when_it_is_lower():
    low, high = ([1.0, 0.5, 0.2], [1.5, 1.2, 1.1])
    runs = Runs(
        root="logs",
        runs=tuple(
            made_runs.run(
                group,
                seed,
                made_runs.series("validation", values, metric="loss", unit=""),
                made_runs.series("test", values, metric="loss", unit=""),
                made_runs.series("validation", [50.0, 60.0, 70.0]),
            )
            for group, values in (("pretrained", low), ("random", high))
            for seed in range(2)
        ),
    )
    facts = made_runs.facts(runs=runs, groups=())
    for text, verdict in (
        (
            "The validation loss of the pretrained model is lower than that of the random model.",
            "agrees",
        ),
        (
            "The validation loss of the pretrained model is better than that of the random model.",
            "agrees",
        ),
        (
            "The validation loss of the pretrained model is higher than that of the random model.",
            "disagrees",
        ),
    ):
        assert said.verdict(text, facts=facts)[1] == verdict, text


def test_two_splits_for_every_seed():
    lower = table(HIGH, LOW, valid=[[v + 3 for v in curve] for curve in HIGH])
    text = "Test accuracy is lower than validation accuracy for every seed."
    assert said.verdict(text, table=lower) == OK
    assert said.verdict(text.replace("lower", "higher"), table=lower) == ("error", "disagrees")
    one = "For the pretrained model, the test accuracy is lower than the validation accuracy for every seed."
    assert said.verdict(one, table=lower) == OK


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The pretrained model is always about 10% better than the random model.", ("warning", "disagrees")),
        ("At each epoch the pretrained model is 15 points better than the random model.", ("error", "disagrees")),
        ("The pretrained model outperforms the random model by 15 points.", ("none", "agrees")),
        ("Pretraining gains about 16 points over the random model.", ("none", "agrees")),
        ("The pretrained model outperforms the random model by 3 points.", ("warning", "disagrees")),
        # 15 points, 19 percent of the one and 23 of the other; 20 points after the first epoch alone.
        ("The pretrained model is 20% better than the random model.", ("note", "borderline")),
        ("The pretrained model is 23% better than the random model.", ("none", "agrees")),
        ("At epoch 1 the accuracy of the pretrained model is higher than that of the random model (+20.0 points).",
         ("none", "agrees")),
        ("At epoch 1 the accuracy of the pretrained model is higher than that of the random model (+25.0 points).",
         ("error", "disagrees")),
    ],
)  # fmt: skip
def test_amounts_are_points_or_percent_at_some_moment(text, verdict):
    gaps = table([[70.0, 75.0, 80.0]] * 3, [[50.0, 60.0, 65.0]] * 3)
    assert said.verdict(text, table=gaps) == verdict


def test_an_amount_of_some_pair_of_runs_at_some_epoch_alone_is_noted():
    gaps = table([[57.0, 70.0, 80.0], [62.0, 76.0, 81.0]], [[50.0, 67.0, 73.0], [48.5, 70.0, 74.0]])
    text = "The pretrained model outperforms the random model by {} points."
    for amount in ("13.5", "12.0"):  # Of some pair at epoch 1.
        (finding,) = said.verdicts(said.case(text.format(amount), table=gaps))
        assert (finding.level, finding.verdict) == ("note", "borderline")
        assert "7 points (mean test accuracy at the best validation step" in finding.message
    assert said.verdict(text.format("7.0"), table=gaps) == OK
    assert said.verdict(text.format("30.0"), table=gaps) == ("warning", "disagrees")
    at = "At epoch 1 the test accuracy of the pretrained model is higher than that of the random model (+12.0 points)."
    assert said.verdict(at, table=gaps) == OK


def test_published_runs_are_never_ten_points_apart():
    text = "For a given number of step, the pretrained model will always be about 10% better than the random one."
    assert said.verdict(text) == ("warning", "disagrees")


@pytest.mark.parametrize("word", ["more stable", "less noisy", "more consistent"])
def test_stability_is_the_spread_of_seeds_or_the_steps_back(word):
    calm = [[70.0, 75.0, 80.0], [70.2, 75.2, 80.2], [70.1, 75.1, 80.1]]
    wild = [[50.0, 70.0, 55.0], [60.0, 40.0, 70.0], [40.0, 60.0, 45.0]]
    text = f"The pretrained model is {word} than the random model."
    assert said.verdict(text, table=table(calm, wild)) == OK
    assert said.verdict(text, table=table(wild, calm)) == ("warning", "disagrees")


@pytest.mark.parametrize(
    ("spread", "verdict"), [(1.0, ("none", "agrees")), (30.0, ("warning", "disagrees"))]
)
def test_similar_is_a_matter_of_a_few_points(spread, verdict):
    curves = [[60.0 + spread * seed, 70.0 + spread * seed] for seed in range(2)]
    text = "The test accuracy of the pretrained model is similar for all seeds."
    assert said.verdict(text, table=table(curves, LOW[:2])) == verdict


def test_an_unknown_group_is_not_checked():
    text = "At every epoch the accuracy of the teacher is higher than that of the random model."
    (finding,) = said.verdicts(said.case(text))
    assert (finding.level, finding.verdict) == ("none", "not checkable")
    assert "no runs in the logs are called “teacher”" in finding.reason


def test_seeds_are_those_that_were_solved():
    curves = [[70.0, 80.0], [50.0, 60.0]]
    text = "For seed 2, the accuracy of the pretrained model is higher than that of the random model at every epoch."
    logs = table(curves, [[60.0, 65.0], [55.0, 65.0]])
    seeds = {"pretrained": {1: 0, 2: 1}, "random": {1: 0, 2: 1}}
    assert said.verdict(text, table=logs, seeds=seeds)[1] == "disagrees"


# --- oracles --------------------------------------------------------------------------

TENTHS = st.integers(400, 900).map(lambda n: n / 10)


@st.composite
def curves(draw, seeds=3):
    epochs = draw(st.integers(2, 5))
    one = st.lists(TENTHS, min_size=epochs, max_size=epochs)
    pick = st.lists(one, min_size=seeds, max_size=seeds)
    return draw(pick), draw(pick)


@given(curves())
def test_every_epoch_is_an_error_only_where_every_legal_reading_fails(drawn):
    first, second = drawn
    text = "At every epoch the mean test accuracy of the pretrained model is higher than that of the random model."
    level, verdict = said.verdict(text, table=table(first, second))
    means = [
        [fmean(curve[epoch] for curve in group) for epoch in range(len(first[0]))]
        for group in (first, second)
    ]
    gaps = [one - other for one, other in zip(*means, strict=True)]
    if min(gaps) > 1e-9:
        assert (level, verdict) == OK
    elif min(gaps) < -0.11:
        assert (level, verdict) == ("error", "disagrees")
    else:
        assert level in {"note", "none", "error"}


@given(curves())
def test_of_two_opposite_plain_sentences_never_both_disagree(drawn):
    logs = table(*drawn)
    verdicts = {
        said.verdict(f"The pretrained model is {word} than the random model.", table=logs)[1]
        for word in ("better", "worse")
    }
    assert verdicts != {"disagrees"}


@given(curves())
def test_every_run_above_every_run(drawn):
    first, second = drawn
    text = "At the best step every run of the pretrained model lies above every run of the random model."
    level, _ = said.verdict(text, table=table(first, second))
    best = [[max(curve) for curve in group] for group in (first, second)]
    if min(best[0]) > max(best[1]):
        assert level == "none"
    elif min(best[0]) < max(best[1]) - 0.11:
        assert level == "error"


# --- the same report ------------------------------------------------------------------


def means_of(group, *values, **more):
    return [make.mean(str(v), group, epoch=e, **more) for e, v in enumerate(values, 1)]


def test_tables_of_the_report_speak_where_there_are_no_logs():
    claims = [
        *means_of("Pretrain Model", 70.4, 75.4, 79.1),
        *means_of("Random Model", 51.2, 61.8, 66.5),
    ]
    bare = make.alone(*claims).claims
    text = (
        "At each epoch the accuracy of the pretrained model is higher than that of the random one."
    )
    (finding,) = said.verdicts(said.alone(text, claims=bare))
    assert (finding.level, finding.verdict) == OK
    turned = (
        "At each epoch the accuracy of the random model is higher than that of the pretrained one."
    )
    (finding,) = said.verdicts(said.alone(turned, claims=bare))
    assert (finding.level, finding.verdict) == ("warning", "disagrees")
    assert (
        "the same report has 51.2 for Random Model and 70.4 for Pretrain Model" in finding.message
    )


def test_rounding_of_a_table_is_no_contradiction():
    claims = make.alone(*means_of("pretrained", 70.4, 75.4), *means_of("random", 70.4, 61.8)).claims
    text = "At each epoch the accuracy of the pretrained model is higher than that of the random model."
    (finding,) = said.verdicts(said.alone(text, claims=claims))
    assert (finding.level, finding.verdict) == ("none", "agrees within rounding")


def test_best_steps_have_to_do_where_a_report_prints_no_more():
    best = {"pretrained": ("79.9", "78.5", "80.1"), "random": ("65.4", "66.7", "67.4")}
    claims = [
        make.value(text, group, seed, selection="best")
        for group, values in best.items()
        for seed, text in enumerate(values)
    ]
    text = "For a given number of step, the pretrained model will always be about 10% better than the random one."
    (finding,) = said.verdicts(said.alone(text, claims=make.alone(*claims).claims))
    assert (finding.level, finding.verdict) == ("warning", "disagrees")
    assert "13 points" in finding.message


def test_fractions_and_percent_are_the_same():
    claims = make.alone(*means_of("pretrained", "0.704"), *means_of("random", "51.2")).claims
    text = "The accuracy of the pretrained model is higher than that of the random model."
    (finding,) = said.verdicts(said.alone(text, claims=claims))
    assert (finding.level, finding.verdict) == OK


def test_a_report_without_values_decides_nothing():
    (finding,) = said.verdicts(said.alone("BERT is better than the LSTM at every epoch."))
    assert (finding.level, finding.verdict) == ("none", "not checkable")


@given(st.lists(st.tuples(TENTHS, TENTHS), min_size=2, max_size=5))
def test_report_only_is_never_louder_than_a_warning(pairs):
    claims = [
        *means_of("pretrained", *(one for one, _ in pairs)),
        *means_of("random", *(other for _, other in pairs)),
    ]
    text = "At each epoch the accuracy of the pretrained model is higher than that of the random model."
    (finding,) = said.verdicts(said.alone(text, claims=make.alone(*claims).claims))
    gaps = [Decimal(str(one)) - Decimal(str(other)) for one, other in pairs]
    if min(gaps) > 0:
        assert finding.level == "none"
    elif min(gaps) < Decimal("-0.2"):
        assert (finding.level, finding.verdict) == ("warning", "disagrees")
    else:
        assert finding.level in {"none", "note"}


SPLITS = {"Pretrained": ("81.5", "79.9"), "Random": ("62.0", "65.4")}


def test_splits_are_compared_in_every_group_that_prints_both():
    both = [
        make.value(text, group, 0, split, selection="best")
        for group, texts in SPLITS.items()
        for split, text in zip(("validation", "test"), texts, strict=True)
    ]
    # A label of prose, with a value of no split: it has nothing to compare.
    claims = make.alone(*both, make.mean("79.5", "pretrained model", "")).claims
    text = "The test accuracy is always lower than the validation accuracy."
    (finding,) = said.verdicts(said.alone(text, claims=claims))
    assert (finding.level, finding.verdict) == ("warning", "disagrees")
    (finding,) = said.verdicts(
        said.alone(text, claims=[c for c in claims if c.content.group != "Random"])
    )
    assert finding.level == "none"


def test_splits_may_be_those_of_the_group_that_was_last_spoken_of():
    wrong = table(HIGH, LOW, valid=[[60.0, 70.0, 78.0]] * 3)
    text = "At every epoch the test accuracy is lower than the validation accuracy."
    assert said.verdict(text, table=wrong) == ("warning", "disagrees")
    *_, finding = said.verdicts(said.case(f"The random model improves. {text}", table=wrong))
    assert finding.level in {"none", "note"}
    *_, finding = said.verdicts(said.case("# Random model", text, table=wrong))
    assert finding.level == "none"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("The pretrained model and the random model have the same accuracy at the end of the training.", "warning"),
        ("Le modèle pré-entraîné et le modèle aléatoire ont la même exactitude.", "warning"),
    ],
)  # fmt: skip
def test_what_is_called_the_same_is_close(text, level):
    near = table(HIGH, [[v - 1 for v in curve] for curve in HIGH])
    for logs, wanted in ((table(HIGH, LOW), level), (near, "none")):
        findings = said.verdicts(said.case(text, table=logs))
        assert [f.level for f in findings] == [wanted]
