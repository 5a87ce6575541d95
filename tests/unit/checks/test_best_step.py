"""Best steps against logs: ties, numbering, and what is said of every run at once."""

from __future__ import annotations

import pytest
from fakes import made_claims as make
from fakes import made_runs
from hypothesis import given
from hypothesis import strategies as st

from reportgen.checks.best_step import check
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan


def of(*claims, **how):
    return make.only(check, *claims, **how)


def agrees(finding):
    return finding.verdict == "agrees" and finding.level == "none"


@pytest.mark.parametrize(
    ("text", "group", "seed"),
    [("1125", "pretrained", 0), ("675", "pretrained", 1), ("900", "pretrained", 2),
     ("900", "random", 0), ("450", "random", 1), ("1125", "random", 2)],
)  # fmt: skip
def test_the_published_best_steps_agree(text, group, seed):
    assert agrees(of(make.step(text, group, seed)))
    epoch = str(int(text) // 225)
    assert agrees(of(make.step(epoch, group, seed, step=None, epoch=float(epoch))))


def test_another_step_disagrees_and_is_explained():
    finding = of(make.step("1125", seed=1))
    assert finding.level == "error"
    assert (
        "the highest validation accuracy of pretrained/seed 1 at step 675 (80)" in finding.message
    )
    assert finding.likely_cause == "it has the highest test accuracy"
    finding = of(make.step("900", "random", 1))
    assert finding.likely_cause == "it is the best step of seed 0"
    finding = of(make.step("225", "random", 1))
    assert (finding.level, finding.likely_cause) == ("error", "")


def test_an_epoch_next_to_the_best_one_is_another():
    assert of(make.step("4", seed=1, step=None, epoch=4.0)).level == "error"
    assert of(make.step("676", seed=1)).level == "note"


def test_ties_are_listed_and_each_is_legal():
    table = {("a", 0): ([70.0, 82.0, 82.0, 60.0, 82.0], [1.0] * 5)}
    for text in ("450", "675", "1125"):
        assert agrees(of(make.step(text, "a", 0), table=table))
    finding = of(make.step("900", "a", 0), table=table)
    assert finding.level == "error"
    assert "at steps 450, 675, 1125 (82)" in finding.message


def test_the_best_on_test_is_legal_where_test_is_said():
    assert agrees(of(make.step("1125", seed=1, split="test")))
    assert agrees(of(make.step("675", seed=1, split="test")))


def test_the_epoch_for_the_step_is_a_warning():
    finding = of(make.step("3", seed=1))
    assert (finding.level, finding.likely_cause) == ("warning", "it is the number of the epoch")


def test_epochs_from_zero():
    epoch = make.step("2", seed=1, step=None, epoch=2.0)
    assert of(epoch).level == "error"
    other = make.value("67.7", seed=0, epoch=0)
    (finding,) = check(make.case(epoch, other))
    assert agrees(finding)
    keras = made_runs.runs_of({("a", 0): ([50.0, 70.0, 60.0], [1.0] * 3)}, steps=[0, 1, 2])
    facts = made_runs.facts(runs=keras, steps_per_epoch=1)
    for number in (1, 2):
        claim = make.step(str(number), "a", 0, step=None, epoch=float(number))
        assert agrees(of(claim, facts=facts))


def test_fractions_of_epochs():
    runs = made_runs.runs_of({("a", 0): ([50.0, 70.0], [1.0] * 2)}, steps=[100, 200])
    facts = made_runs.facts(runs=runs)
    assert of(make.step("0.89", "a", 0, step=None, epoch=0.89), facts=facts).verdict == "agrees"
    finding = of(make.step("0.9", "a", 0, step=None, epoch=0.9), facts=facts)
    assert finding.verdict == "agrees within rounding"
    assert of(make.step("0.44", "a", 0, step=None, epoch=0.44), facts=facts).level == "error"


def test_the_lowest_loss_is_the_best_step_too():
    runs = Runs(root="logs", runs=(made_runs.run(
        "a", 0,
        made_runs.series("validation", [50.0, 70.0, 60.0]),
        made_runs.series("validation", [0.9, 0.7, 0.6], metric="loss", unit=""),
    ),))  # fmt: skip
    facts = made_runs.facts(runs=runs, groups=(), metric=MetricPlan(name="accuracy"))
    assert agrees(of(make.step("675", "a", 0, metric="loss"), facts=facts))
    assert agrees(of(make.step("450", "a", 0), facts=facts))
    assert of(make.step("225", "a", 0), facts=facts).level == "error"


EACH = "For each seed the best validation accuracy is reached after 5 epochs (1125 training steps)"


def test_what_is_said_of_each_may_be_said_of_one_seed():
    assert agrees(of(make.step("1125", "pretrained", 0, quote=EACH)))
    assert agrees(of(make.step("1125", "", 0, quote=EACH)))
    assert of(make.step("225", "", 0, quote=EACH)).level == "error"


def test_what_is_said_of_each_run_must_hold_for_each():
    claim = make.claim("best_step", "1125", quote=EACH, step=1125, selection="best")
    finding = of(claim)
    assert finding.level == "error"
    assert "the highest validation accuracy of" in finding.message
    table = {("a", s): ([50.0, 60.0], [1.0, 2.0]) for s in range(3)}
    claim = make.claim("best_step", "450", quote=EACH, step=450, selection="best")
    assert agrees(of(claim, table=table))
    # Where no group is said, one group of which it is true is enough.
    table |= {("b", s): ([60.0, 50.0], [1.0, 2.0]) for s in range(3)}
    assert agrees(of(claim, table=table))


def test_an_epoch_that_repeats_the_step_beside_it_is_not_judged_twice():
    step = make.claim("best_step", "1125", quote=EACH, step=1125, selection="best")
    epoch = make.claim("best_step", "5", quote=EACH, epoch=5.0, selection="best")
    found = list(check(make.case(epoch, step)))
    assert [f.level for f in found] == ["none", "error"]
    assert found[0].reason == "it is step 1125, which the same words give"
    alone = make.claim("best_step", "5", quote=EACH, epoch=5.0, selection="best")
    assert of(alone).level == "error"


def test_what_is_said_of_some_run_may_hold_for_any():
    claim = make.claim("best_step", "675", group="pretrained", step=675, selection="best")
    assert agrees(of(claim))
    claim = make.claim("best_step", "225", group="pretrained", step=225, selection="best")
    assert of(claim).level == "warning"


def test_reasons():
    assert list(check(make.alone(make.step("675")))) == []
    finding = of(make.claim("best_step", "675", group="HF", run_group="", step=675))
    assert finding.reason == "no runs in the logs are called “HF”"
    runs = Runs(root="logs", runs=(made_runs.run("a", 0, made_runs.series("test", [50.0, 60.0])),))
    finding = of(make.step("450", "a", 0, split=""), facts=made_runs.facts(runs=runs))
    assert finding.reason == "no best step of a/0 is known from its logs"
    runs = made_runs.runs_of({("a", 0): ([50.0, 70.0], [1.0] * 2)})
    facts = made_runs.facts(runs=runs, steps_per_epoch=0)
    finding = of(make.step("2", "a", 0, step=None, epoch=2.0), facts=facts)
    assert finding.reason == "no best epoch of a/0 is known from its logs"


CURVES = st.lists(st.integers(0, 20).map(float), min_size=1, max_size=9)


@given(CURVES, st.integers(1, 10))
def test_a_step_agrees_exactly_where_its_value_is_the_best(curve, number):
    finding = of(make.step(str(225 * number), "a", 0), table={("a", 0): (curve, curve)})
    best = [n for n, v in enumerate(curve, 1) if v == max(curve)]
    assert (finding.verdict == "agrees") == (number in best)


def _lightning(*accuracies):
    """A run that logs the epoch it is in, from 0, at the last of its 50 steps."""
    steps = [50 * n + 49 for n in range(len(accuracies))]
    run = made_runs.run(
        "cnn",
        None,
        made_runs.series("validation", accuracies, steps=steps),
        made_runs.series("train", range(len(accuracies)), steps=steps, metric="epoch", unit=""),
        layout="lightning",
    )
    plan = MetricPlan(name="accuracy", direction="higher", report_on="validation")
    return made_runs.facts(
        runs=Runs(root="logs", runs=(run,)), steps_per_epoch=50, groups=(), metric=plan
    )


def test_a_program_that_counts_from_zero_is_quoted_in_its_own_numbers():
    facts = _lightning(60.0, 70.0, 80.0, 75.0)
    about = {"group": "cnn", "seed": None, "step": None}
    for text in ("2", "3"):
        assert agrees(of(make.step(text, epoch=float(text), **about), facts=facts))
    assert of(make.step("1", epoch=1.0, **about), facts=facts).level == "error"
