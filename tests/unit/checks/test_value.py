"""Values against logs: what stands there, what is close, and what explains the rest."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from fakes import made_claims as make
from fakes import made_runs
from hypothesis import example, given
from hypothesis import strategies as st

from reportgen.checks.value import check
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan


def of(*claims, **how):
    return make.only(check, *claims, **how)


def agrees(finding):
    return finding.verdict.startswith("agrees") and finding.level == "none"


# Published lab logs: the test value at the best validation step, and the copied column.


@pytest.mark.parametrize(
    ("text", "group", "seed"),
    [("79.9", "pretrained", 0), ("78.5", "pretrained", 1), ("80.1", "pretrained", 2),
     ("65.4", "random", 0), ("66.7", "random", 1), ("67.4", "random", 2)],
)  # fmt: skip
def test_the_test_value_at_the_best_validation_step_agrees(text, group, seed):
    assert agrees(of(make.value(text, group, seed, selection="best")))
    assert agrees(of(make.value(text, group, seed)))
    assert agrees(of(make.value(f"{float(text) / 100:.3f}", group, seed)))


def test_a_copied_validation_value_is_named():
    finding = of(make.value("80", seed=1, step=675, selection="best"))
    assert (finding.level, finding.verdict) == ("error", "disagrees")
    assert finding.likely_cause == "it is the validation accuracy at that step"
    assert "the logs have 78.5 at pretrained/seed 1, test accuracy, step 675" in finding.message
    assert finding.delta == Decimal("1.5")
    assert finding.expected.value == 78.5
    assert finding.expected.evidence[0].step == 675


def test_the_best_validation_value_beside_another_step_is_named():
    finding = of(make.value("83.5%", seed=2, step=1125))
    assert finding.level == "error"
    assert finding.likely_cause == "it is the highest validation accuracy, at step 900"


def test_the_last_epoch_where_the_best_is_said():
    finding = of(make.value("79.5", seed=1, selection="best"))
    assert finding.level == "error"
    assert finding.likely_cause == "it is the value of the last step, 1125"


def test_the_best_test_value_where_the_best_step_is_said():
    table = {("a", 0): ([60.0, 82.0, 70.0], [71.0, 75.2, 74.0]),
             ("a", 1): ([60.0, 82.0, 70.0], [79.9, 70.2, 74.0])}  # fmt: skip
    finding = of(make.value("79.9", "a", 1, selection="best"), table=table)
    assert finding.likely_cause == "it is the highest test accuracy itself, at step 225"


def test_the_row_of_another_seed():
    finding = of(make.value("80.1", seed=0, selection="best"))
    assert finding.likely_cause == "it is the value of pretrained/seed 2"
    finding = of(make.value("67.4", seed=2, selection="best"))
    assert finding.likely_cause == "it is the value of random/seed 2"


def test_another_epoch():
    finding = of(make.value("79.3", seed=0, epoch=4))
    assert finding.level == "error"
    assert finding.likely_cause == "it is the value at step 675"


def test_a_value_of_some_step_is_only_a_warning_where_no_step_is_said():
    finding = of(make.value("74.2", seed=0))
    assert finding.level == "warning"
    assert finding.likely_cause == "it is the value at step 450"
    assert of(make.value("74.2", seed=0, selection="best")).level == "error"


def test_a_smoothed_value():
    from reportgen.stats import smooth_values

    shown = smooth_values(make.PUBLISHED["pretrained", 0][1], 0.6)[4]
    finding = of(make.value(f"{shown:.2f}", seed=0, step=1125))
    assert finding.level == "error"
    assert finding.likely_cause == "it is the curve there smoothed with weight 0.6"


def test_the_mean_where_a_run_is_said():
    table = {("a", s): ([50.0, 60.0], [40.0, v]) for s, v in enumerate((70.1, 75.3, 78.8))}
    finding = of(make.value("74.73", "a", 0, selection="best"), table=table)
    assert finding.likely_cause == "it is the mean of 3 runs"


def test_a_fraction_printed_as_percent():
    finding = of(make.value("0.799 %", seed=0, selection="best"))
    assert finding.level == "error"
    assert finding.likely_cause == "it is the fraction, not the percentage"


def test_exchanged_digits():
    finding = of(make.value("97.9", seed=0, selection="best"))
    assert finding.likely_cause == "two of its digits are exchanged"


def test_a_value_without_any_explanation():
    finding = of(make.value("12.3", seed=0, selection="best"))
    assert (finding.level, finding.likely_cause) == ("error", "")


# Rounding and units.


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("79.9", "agrees"), ("79.90", "agrees"), ("80", "agrees within rounding"),
     ("79.8", "borderline"), ("0.799", "agrees"), ("0.80", "agrees within rounding"),
     ("79.95", "borderline"), ("79.97", "disagrees")],
)  # fmt: skip
def test_rounding(text, verdict):
    assert of(make.value(text, seed=0, selection="best")).verdict == verdict


def test_the_unit_that_is_said_is_the_one_compared():
    assert agrees(of(make.value("0.799", seed=0, unit="fraction")))
    assert of(make.value("0.799", seed=0, unit="percent")).verdict == "disagrees"
    assert of(make.value("79.9", seed=0, unit="fraction")).likely_cause == (
        "it is the percentage, not the fraction"
    )


def test_logs_in_fractions():
    table = {("a", 0): ([0.5, 0.62], [0.55, 0.6135])}
    facts = made_runs.facts(runs=made_runs.runs_of(table, unit="fraction"), groups=())
    assert agrees(of(make.value("61.35 %", "a", 0), facts=facts))
    assert agrees(of(make.value("61.4", "a", 0), facts=facts))
    assert agrees(of(make.value("0.61", "a", 0), facts=facts))


def test_single_precision_is_no_disagreement():
    runs = made_runs.runs_of(
        {("a", 0): ([0.25, 0.9135802469135802], [0.5, 0.9135802469135802])},
        unit="fraction", dtype=np.float32,
    )  # fmt: skip
    finding = of(make.value("0.9135802469135802", "a", 0), facts=made_runs.facts(runs=runs))
    assert agrees(finding)
    runs = made_runs.runs_of({("a", 0): ([0.25, 0.9], [0.5, 0.91358])}, unit="fraction")
    finding = of(make.value("0.9136902469135802", "a", 0), facts=made_runs.facts(runs=runs))
    assert finding.verdict == "disagrees"


def test_about_is_not_exact():
    assert agrees(of(make.value("78", seed=0, approximate="about")))
    assert of(make.value("78", seed=0)).verdict == "disagrees"


# Which step.


def test_every_tie_is_legal():
    table = {("a", 0): ([70.0, 82.0, 82.0, 82.0], [60.1, 61.2, 62.3, 63.4])}
    for text in ("61.2", "62.3", "63.4"):
        assert agrees(of(make.value(text, "a", 0, selection="best"), table=table))
    finding = of(make.value("60.1 %", "a", 0, selection="best"), table=table)
    assert finding.verdict == "disagrees"
    assert len(finding.readings) == 3
    assert "the first of 3 equal ones" in finding.message


def test_a_step_counted_from_zero():
    runs = made_runs.runs_of({("a", 0): ([50.0, 60.0], [55.0, 65.0])}, steps=[49, 99])
    facts = made_runs.facts(runs=runs, steps_per_epoch=50)
    assert agrees(of(make.value("65.0", "a", 0, step=100), facts=facts))
    assert agrees(of(make.value("55.0", "a", 0, epoch=1), facts=facts))
    assert of(make.value("65.0", "a", 0, epoch=1), facts=facts).verdict == "disagrees"


def test_epochs_counted_from_zero_by_the_program():
    runs = made_runs.runs_of({("a", 0): ([50.0, 60.0, 70.0], [55.0, 65.0, 75.0])}, steps=[0, 1, 2])
    facts = made_runs.facts(runs=runs, steps_per_epoch=1)
    assert agrees(of(make.value("65.0", "a", 0, epoch=1), facts=facts))
    assert agrees(of(make.value("55.0", "a", 0, epoch=1), facts=facts))
    assert of(make.value("75.0", "a", 0, epoch=1), facts=facts).verdict == "disagrees"


def test_epochs_counted_from_zero_by_the_report():
    first, second = make.value("67.7", seed=0, epoch=0), make.value("74.2", seed=0, epoch=1)
    assert all(agrees(f) for f in check(make.case(first, second)))
    assert of(second).verdict == "disagrees"


def test_evaluations_within_an_epoch():
    runs = made_runs.runs_of({("a", 0): ([50.0, 60.0, 61.0], [55.0, 65.0, 66.0])},
                             steps=[100, 200, 300])  # fmt: skip
    facts = made_runs.facts(runs=runs, steps_per_epoch=225)
    assert agrees(of(make.value("65.0", "a", 0, epoch=1), facts=facts))
    assert agrees(of(make.value("66.0", "a", 0, epoch=2), facts=facts))


def test_a_step_that_was_not_logged_cannot_be_checked():
    finding = of(make.value("79.9", seed=0, step=1000))
    assert (finding.verdict, finding.level) == ("not checkable", "none")
    assert finding.reason.endswith("at step 1000; next to it is 900")


def test_a_split_that_was_evaluated_once():
    runs = Runs(root="logs", runs=(made_runs.run(
        "a", 0,
        made_runs.series("validation", [50.0, 70.0, 60.0]),
        made_runs.series("test", [66.6], steps=[675]),
    ),))  # fmt: skip
    assert agrees(
        of(make.value("66.6", "a", 0, selection="best"), facts=made_runs.facts(runs=runs))
    )


# Losses.


def losses(scale=1.0):
    runs = [
        made_runs.run(
            "a", seed,
            made_runs.series("validation", [v * scale for v in valid], metric="loss", unit=""),
            made_runs.series("test", [v * scale for v in test], metric="loss", unit=""),
        )
        for seed, valid, test in ((0, (0.958, 0.588, 0.643), (0.936, 0.647, 0.662)),
                                  (1, (0.937, 0.608, 0.564), (0.901, 0.645, 0.626)))
    ]  # fmt: skip
    return made_runs.facts(
        runs=Runs(root="logs", runs=tuple(runs)), groups=(),
        metric=MetricPlan(name="loss", direction="lower"),
    )  # fmt: skip


def test_the_lowest_loss_is_the_best():
    facts = losses()
    assert agrees(of(make.value("0.588", "a", 0, "validation", metric="loss", selection="best"),
                     facts=facts))  # fmt: skip
    assert agrees(of(make.value("0.647", "a", 0, metric="loss", selection="best"), facts=facts))
    finding = of(make.value("0.936", "a", 0, metric="loss", selection="best"), facts=facts)
    assert finding.likely_cause == "it is the value at step 225"


def test_bits_and_nats_are_a_cause_and_no_reading():
    nats = 0.588 * math.log(2)
    finding = of(
        make.value(f"{nats:.3f}", "a", 0, "validation", metric="loss", selection="best"),
        facts=losses(),
    )
    assert finding.verdict == "disagrees"
    assert finding.likely_cause == "it is the logged value taken from bits to nats"


# What cannot be checked.


def test_reasons():
    assert of(make.value("79.9", seed=7)).reason == "no logs of pretrained, seed 7"
    finding = of(make.claim("metric_value", "79.9", group="HuggingFace", run_group=""))
    assert finding.reason == "no runs in the logs are called “HuggingFace”"
    assert of(make.value("79.9", metric="bleu")).reason == "no run logged bleu"
    assert "never logged accuracy on train" in of(make.value("79.9", split="train")).reason
    finding = of(make.claim("metric_value", "79.9", group="pretrained", seed=3, run_seed=None))
    assert finding.reason == "no run in the logs is number 3 of the report"


def test_nan_points_are_no_values():
    table = {("a", 0): ([50.0, float("nan"), 60.0], [float("nan")] * 3)}
    assert of(make.value("50.0", "a", 0), table=table).verdict == "not checkable"
    finding = of(make.value("60.0", "a", 0, "validation", selection="best"), table=table)
    assert agrees(finding)


def test_without_logs_nothing_is_said():
    assert list(check(make.alone(make.value("79.9")))) == []


def test_aggregates_are_left_to_others():
    assert list(check(make.case(make.mean("79.5"), make.value("1", aggregate="difference")))) == []


# How sure.


def test_a_run_that_is_not_said_is_any_of_the_group():
    assert agrees(of(make.claim("metric_value", "78.5", group="pretrained", split="test")))
    finding = of(make.claim("metric_value", "12.3", group="pretrained", split="test"))
    assert finding.level == "warning"
    assert "the logs give 79.5, the mean of 3 runs of pretrained" in finding.message
    mean = make.claim("metric_value", "79.5", group="pretrained", split="test")
    assert agrees(of(mean))
    unsure = make.claim("metric_value", "12.3", group="pretrained", split="test", confidence=0.7)
    assert of(unsure).level == "note"


def test_a_split_that_is_not_said_is_any():
    assert agrees(of(make.value("79.9", split="")))
    assert agrees(of(make.value("81.5", split="")))


@pytest.mark.parametrize(("confidence", "level"), [(0.9, "error"), (0.6, "warning"), (0.3, "none")])
def test_a_weak_binding_is_quieter(confidence, level):
    assert of(make.value("12.3", selection="best", confidence=confidence)).level == level


def test_a_guess_is_not_held_against_anybody():
    finding = of(make.value("12.3", selection="best", confidence=0.3))
    assert (finding.verdict, finding.reason) == (
        "not checkable",
        "what it belongs to is not sure enough",
    )
    assert agrees(of(make.value("79.9", selection="best", confidence=0.3)))


def test_a_part_of_one_logged_name_means_that_one():
    runs = Runs(root="logs", runs=(made_runs.run(
        "a", 0, made_runs.series("test", [50.0], metric="f1_macro"),
        made_runs.series("validation", [50.0], metric="f1_macro"),
    ),))  # fmt: skip
    facts = made_runs.facts(runs=runs, groups=(), metric=MetricPlan(name="f1_macro"))
    assert agrees(of(make.value("50.0", "a", 0, metric="f1"), facts=facts))
    assert of(make.value("60.0", "a", 0, metric="f1"), facts=facts).level == "warning"
    assert of(make.value("60.0", "a", 0, metric="f1_macro"), facts=facts).level == "error"


def test_a_number_out_of_all_bounds_is_no_value():
    assert list(check(make.case(make.value("9" * 60)))) == []


TENTHS = st.integers(0, 1000).map(lambda t: t / 10)


@given(st.lists(st.tuples(TENTHS, TENTHS), min_size=1, max_size=8), st.data())
def test_what_was_logged_always_agrees(points, data):
    table = {("a", 0): ([v for v, _ in points], [t for _, t in points])}
    index = data.draw(st.integers(0, len(points) - 1))
    claim = make.value(f"{points[index][1]:.1f}", "a", 0, step=225 * (index + 1))
    assert agrees(of(claim, table=table))
    best = max(v for v, _ in points)
    for v, t in points:
        if v == best:
            assert agrees(of(make.value(f"{t / 100:.3f}", "a", 0, selection="best"), table=table))


@given(st.lists(st.tuples(TENTHS, TENTHS), min_size=1, max_size=5), TENTHS)
@example([(0.0, 0.0), (0.0, 73.0)], 72.5)
@example([(0.0, 0.0), (0.0, 73.0)], 72.4)
@example([(0.0, 0.1), (0.0, 73.0)], 72.5)
def test_what_is_two_units_from_every_reading_disagrees(points, stated):
    table = {("a", 0): ([v for v, _ in points], [t for _, t in points])}
    finding = of(make.value(f"{stated:.1f}%", "a", 0, selection="best"), table=table)
    best = max(v for v, _ in points)
    gap = min(abs(Decimal(str(t)) - Decimal(str(stated))) for v, t in points if v == best)
    # A log of whole numbers alone may have been rounded to them: 73 stands for 72.5 as well.
    rounded = len(points) > 1 and all(t == int(t) for _, t in points)
    assert (finding.level == "error") == (gap > Decimal("0.55" if rounded else "0.1"))


def test_a_value_at_the_step_that_is_called_the_best_of_every_run_agrees():
    every = make.step("1125", group="", seed=None)
    last = make.value("79.5", seed=1, selection="best")
    [finding] = [f for f in check(make.case(every, last)) if f.claim.printed.text == "79.5"]
    assert agrees(finding)
    other = make.value("79.4", seed=1, selection="best", place=(3, 4))
    [finding] = [f for f in check(make.case(every, other)) if f.claim.printed.text == "79.4"]
    assert finding.verdict == "borderline"


@pytest.mark.parametrize(
    ("printed", "level"), [("0.45", "none"), ("0.36", "none"), ("0.6", "note")]
)
def test_the_mean_loss_that_a_trainer_prints_at_its_end(printed, level):
    curve = made_runs.series("train", [0.5, 0.36], metric="loss", unit="")
    run = made_runs.run("a", 0, curve, layout="hf_trainer")
    own = replace(made_runs.series("train", [0.45], unit=""), tag="train/train_loss", metric="")
    with_mean = replace(run, scalars={**run.scalars, own.tag: own})
    claim = make.value(printed, "a", 0, split="train", metric="loss")
    runs = Runs(root="", runs=(with_mean if level == "none" else run,))
    assert of(claim, facts=made_runs.facts(runs=runs, groups=())).level == level
