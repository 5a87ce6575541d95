"""What the checks of sentences share: courses, margins, amounts, values of logs and of reports."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from statistics import fmean, stdev

import pytest
from fakes import made_claims as make
from fakes import made_runs
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks._amounts import as_amounts, fits
from reportgen.checks._courses import falls, rises, roughness, settles, turns, varies
from reportgen.checks._known import Known, is_ratio, lower_is_better, mean_of, shown, std_of
from reportgen.checks._margins import Reading, denied, verdict_of
from reportgen.checks._printed_values import known_of_report, matching_labels
from reportgen.checks._series import courses, differences, means, rooms, stds
from reportgen.records.claim import Meaning

TENTHS = st.integers(0, 1000).map(lambda n: Decimal(n) / 10)


def course(*values, metric="accuracy", slack="0"):
    return [
        Known(value=Decimal(str(v)), metric=metric, split="test", group="g", slack=Decimal(slack),
              moment=("epoch", Decimal(n)), where=f"epoch {n}")
        for n, v in enumerate(values, 1)
    ]  # fmt: skip


# --- courses --------------------------------------------------------------------------


@given(st.lists(TENTHS, min_size=2, max_size=8))
def test_rises_and_falls_are_the_least_and_the_largest_change(values):
    changes = [b - a for a, b in pairwise(values)]
    points = course(*values)
    assert rises(points, every=True, name="").margin == min(changes)
    assert falls(points, every=True, name="").margin == -max(changes)
    assert rises(points, every=False, name="").margin == values[-1] - values[0]
    assert falls(points, every=False, name="").margin == values[0] - values[-1]


@given(st.lists(TENTHS, min_size=3, max_size=8))
def test_varying_takes_a_rise_and_a_fall(values):
    changes = [b - a for a, b in pairwise(values)]
    reading = varies(course(*values), name="")
    assert (reading.margin > 0) == (any(c > 0 for c in changes) and any(c < 0 for c in changes))
    assert varies(course(*values[:2]), name="") is None


def test_a_plateau_is_an_end_that_changes_little():
    assert settles(course(50, 70, 79, 80, 80.5, 80.3), name="").margin > 0
    assert settles(course(50, 52, 54, 60, 70, 95), name="").margin < 0
    assert settles(course(50, 70), name="") is None


@pytest.mark.parametrize(
    ("values", "at", "holds"),
    [
        ((60, 80, 70, 65), None, True),
        ((60, 80, 70, 65), 2, True),
        ((60, 80, 70, 65), 3, True),
        ((60, 80, 70, 65, 60), 5, False),
        ((60, 70, 80), None, False),
    ],
)
def test_overfitting_is_a_best_value_before_the_end(values, at, holds):
    moment = None if at is None else Decimal(at)
    reading = turns(course(*values), low=False, at=moment, name="")
    assert (reading.margin > 0) == holds
    mirrored = turns(course(*(100 - v for v in values)), low=True, at=moment, name="")
    assert mirrored.margin == reading.margin


@given(st.lists(TENTHS, min_size=2, max_size=8))
def test_roughness_is_zero_where_nothing_turns_back(values):
    assert roughness(course(*sorted(values))) == 0
    assert roughness(course(*sorted(values, reverse=True))) == 0
    assert roughness(course(*values)) >= 0


# --- margins --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("margin", "slack", "tolerance", "verdict"),
    [
        ("1", "0", "0", "agrees"),
        ("0", "0", "0", "borderline"),
        ("0", "0.1", "0", "agrees within rounding"),
        ("-0.1", "0", "0.1", "borderline"),
        ("-0.2", "0", "0.1", "disagrees"),
        ("-0.2", "0.1", "0.1", "borderline"),
    ],
)
def test_verdicts_of_margins(margin, slack, tolerance, verdict):
    values = (Decimal(v) for v in (margin, slack, tolerance))
    names = ("margin", "slack", "tolerance")
    reading = Reading(name="r", **dict(zip(names, values, strict=True)))
    assert verdict_of([reading]) == verdict
    sure = Reading(name="s", margin=Decimal(1))
    assert verdict_of([reading, sure]) == "agrees"


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=4))
def test_a_sentence_and_its_denial_never_both_disagree(margins):
    readings = [Reading(name="r", margin=Decimal(m)) for m in margins]
    assert {verdict_of(readings), verdict_of(denied(readings))} != {"disagrees"}


# --- amounts --------------------------------------------------------------------------


def test_a_spread_may_have_either_denominator():
    spread = Known(value=Decimal("0.8718"), metric="accuracy", split="test", group="g", n=3,
                   moment=("best", Decimal(0)), aggregate="std")  # fmt: skip
    for text, margin in (("0.87", 1), ("0.71", 1), ("0.8718", 2)):
        assert fits(make.printed(text), spread) == margin
    assert fits(make.printed("0.60"), spread) < 0


def test_small_bare_amounts_of_ratios_may_be_fractions():
    assert [a.value for a in as_amounts(make.printed("0.07"), "accuracy")] == [Decimal("0.07"), 7]
    assert [a.value for a in as_amounts(make.printed("0.07"), "loss")] == [Decimal("0.07")]
    assert [a.value for a in as_amounts(make.printed("7%"), "accuracy")] == [7]


# --- values of logs and of reports ----------------------------------------------------


@given(st.lists(st.lists(TENTHS, min_size=3, max_size=3), min_size=2, max_size=4))
def test_means_and_spreads_of_logs_are_those_of_the_standard_library(table):
    curves = [[float(v) for v in row] for row in table]
    facts = made_runs.facts({("g", s): (c, c) for s, c in enumerate(curves)}, groups=())
    room = rooms(make.case(facts=facts))[0]
    values = room.values("accuracy", "test", "g")
    (mean,), (spread,) = courses(means(values)), courses(stds(values))
    for n in range(3):
        column = [curve[n] for curve in curves]
        assert float(mean[n].value) == pytest.approx(fmean(column))
        assert float(spread[n].value) == pytest.approx(stdev(column), abs=1e-9)
        assert mean[n].where == f"epoch {n + 1}"


def test_moments_that_rules_choose():
    table = {("g", 0): ([60.0, 82.0, 70.0], [71.0, 75.2, 79.9])}
    room = rooms(make.case(facts=made_runs.facts(table, groups=())))[0]
    chosen = {k.moment[0]: float(k.value) for k in room.values("accuracy", "test", "g")}
    assert (chosen["best"], chosen["last"], chosen["oracle"]) == (75.2, 79.9, 79.9)


def test_a_mean_needs_every_run():
    table = {("g", 0): ([60.0, 70.0], [60.0, 70.0]), ("g", 1): ([60.0], [60.0])}
    room = rooms(make.case(facts=made_runs.facts(table, groups=())))[0]
    where = {k.where for k in means(room.values("accuracy", "test", "g")) if "epoch" in k.where}
    assert "epoch 1" in where
    assert "epoch 2" not in where


def test_values_of_a_report_are_percent_and_count_once():
    claims = [
        make.mean("0.795", "a", epoch=1),
        make.mean("79.5", "a", epoch=1),
        make.mean("80", "a", epoch=2),
    ]
    known = known_of_report(make.alone(*claims))
    assert [(k.value, k.slack) for k in known] == [
        (Decimal("79.5"), Decimal("0.05")),
        (Decimal(80), Decimal("0.5")),
    ]


def test_moments_with_holes_make_no_course():
    holes = known_of_report(
        make.alone(*(make.mean(str(v), "a", epoch=e) for e, v in ((1, 60), (3, 70))))
    )
    whole = known_of_report(
        make.alone(*(make.mean(str(v), "a", epoch=e) for e, v in ((1, 60), (2, 70))))
    )
    assert (len(courses(means(holes))), len(courses(means(whole)))) == (0, 1)


def test_differences_need_both_sides():
    gap = differences(course(80, 85, 90), course(60, 70))
    assert [known.value for known in gap] == [20, 15]


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("pretrain model", ("Pretrain Model", "Pretrained")),
        ("from scratch", ("Random Model",)),
        ("BERT", ()),
        ("model", ()),
    ],
)
def test_labels_of_one_group(label, found):
    assert matching_labels(label, ("Pretrain Model", "Pretrained", "Random Model")) == found


def test_where_nothing_is_said_the_main_metric_is_meant():
    room = rooms(
        make.alone(
            make.mean("79.5", "a"), make.mean("80", "b"), make.mean("0.4", "a", metric="loss")
        )
    )[0]
    assert room.metrics("") == ("accuracy",)
    assert room.metrics("loss") == ("loss",)
    assert room.metrics("bleu") == ()
    logs = rooms(make.case())[0]
    assert logs.metrics("") == ("accuracy",)
    assert logs.seed_of(Meaning(seed=2, run_seed=1), "pretrained") == 1


@given(st.lists(TENTHS, min_size=2, max_size=6))
def test_exact_summaries(values):
    numbers = [float(v) for v in values]
    assert float(mean_of(values)) == pytest.approx(fmean(numbers))
    assert float(std_of(values)) == pytest.approx(stdev(numbers), abs=1e-9)
    assert std_of(values[:1]) is None


def test_names_of_metrics():
    assert [is_ratio(n) for n in ("accuracy", "f1_macro", "bleu", "loss")] == [
        True,
        True,
        False,
        False,
    ]
    assert [lower_is_better(n) for n in ("loss", "val-loss", "error rate", "f1")] == [
        True,
        True,
        True,
        False,
    ]
    assert [shown(Decimal(v)) for v in ("80", "66.666", "0.00345", "-2.50")] == [
        "80",
        "66.67",
        "0.00345",
        "-2.5",
    ]


def test_a_group_that_is_not_named_is_not_any_other():
    assert matching_labels("sac", ("", "FlauBERT")) == ()
