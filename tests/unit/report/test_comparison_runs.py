"""What the comparison says of selection, length, over-fitting and sampling, and of the whole."""

from __future__ import annotations

import dataclasses

import pytest
from fakes.compared import flat, said, two

from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan
from reportgen.report import comparison


def test_best_against_last(made):
    assert said(made, made.facts())["Best and last step"] == (
        "The best step is the last one in five of six runs (not in pretrained, seed 2). Reading "
        "the last step instead would change the mean test accuracy of pretrained from 80.63% to "
        "80.73% and leave that of random at 73.63%."
    )
    rising = said(made, two(made, flat([50.0, 60.0], [40.0, 50.0])))["Best and last step"]
    assert rising.startswith("The best step is the last one in every run (six of them).")
    falling = said(made, two(made, flat([60.0, 50.0], [50.0, 40.0])))["Best and last step"]
    assert falling.startswith("The best step is the last one in none of six runs.")


def test_ties_and_what_the_other_rule_gives(made):
    assert said(made, made.facts())["Ties"] == (
        "No run reaches its best validation accuracy at two steps."
    )
    table = flat([60.0, 70.0, 72.0], [50.0, 51.0, 52.0], valid=[80.0, 81.0, 81.0])
    sentence = said(made, two(made, table))["Ties"]
    assert sentence.startswith("Three of six runs reach the best validation accuracy at more than")
    assert "(a, seed 0; a, seed 1; a, seed 2); the first was taken." in sentence
    assert sentence.endswith("Taking the last would give a mean of 72% instead of 70% (a).")
    table = flat([60.0, 70.0, 70.0], [50.0, 51.0, 52.0])
    assert said(made, two(made, table))["Ties"].endswith(
        "Taking the last would change neither mean as printed."
    )


def test_length_of_training(made):
    assert said(made, made.facts())["Length of training"] == (
        "All runs of both groups were last evaluated at the same step, 1,125."
    )
    table = {**made.SIX, ("random", 2): ([50.0, 55.5], [50.0, 56.9])}
    assert said(made, made.facts(table))["Length of training"] == (
        "The runs are not equally long; they were last evaluated at step 1,125 (pretrained) and "
        "between steps 450 and 1,125 (random)."
    )


def test_losses_of_a_single_run_part(made):
    whole = with_training(made, 75.0, [0.4, 0.5], [0.5, 0.3])
    table = [run for run in whole.runs if run.seed == 0 or run.group == "b"]
    sentence = said(made, made.facts(runs=Runs(root="", runs=tuple(table)), groups=()))
    assert (
        "In the only run of a the validation loss is lowest before"
        in (sentence["Training and validation"])
    )


def with_training(made, train, valid_loss, train_loss):
    members = [
        made.run(
            g,
            s,
            made.series("validation", [60.0, 70.0]),
            made.series("test", [60.0, 70.0]),
            made.series("train", [50.0, train]),
            made.series("validation", valid_loss, metric="loss", unit=""),
            made.series("train", train_loss, metric="loss", unit=""),
        )
        for g in "ab"
        for s in range(3)
    ]
    return made.facts(runs=Runs(root="", runs=tuple(members)), groups=())


def test_training_above_below_and_at_validation(made):
    for train, words in ((75.0, "lies above"), (65.0, "lies below"), (70.0, "equals")):
        facts = with_training(made, train, [0.5, 0.4], [0.5, 0.3])
        sentence = said(made, facts)["Training and validation"]
        assert f"At epoch 2 the mean training accuracy of a {words} its mean" in sentence
        assert sentence.count("Training values are as a rule averages over the epoch") == 1
    assert "Training and validation" not in said(made, made.facts())


def test_losses_that_part_and_losses_that_do_not(made):
    parting = said(made, with_training(made, 75.0, [0.4, 0.5], [0.5, 0.3]))
    assert (
        "In all three runs of a the validation loss is lowest before the last evaluation, "
        "while the training loss is lower at the end than at that point."
        in parting["Training and validation"]
    )
    for valid_loss, train_loss in (([0.5, 0.4], [0.5, 0.3]), ([0.4, 0.5], [0.3, 0.5])):
        together = said(made, with_training(made, 75.0, valid_loss, train_loss))
        assert "No run of a has its lowest validation loss" in together["Training and validation"]


def test_sampling_error_only_where_it_is_known(made):
    sizes = {"test": 2000}
    sentence = said(made, made.facts(split_sizes=sizes))["Error of the test set"]
    assert (
        "The mean test accuracy of pretrained, 80.63% measured on 2,000 examples, has a 95% "
        "Wilson interval [wilson] from 78.84 to 82.31%; it is wider than the t interval over "
        "seeds (half "
        "widths 1.73 and 1.69 points)." in sentence
    )
    many = said(made, made.facts(split_sizes={"test": 200000}))["Error of the test set"]
    assert "it is narrower than the t interval over seeds" in many
    assert "Error of the test set" not in said(made, made.facts())
    assert "Error of the test set" not in said(made, made.facts(split_sizes={"validation": 200}))


def test_an_f1_score_is_no_share_of_examples(made):
    members = [
        made.run(
            g, s, *(made.series(split, [70.0 + s], metric="f1") for split in ("validation", "test"))
        )
        for g in "ab"
        for s in range(3)
    ]
    facts = made.facts(
        runs=Runs(root="", runs=tuple(members)),
        groups=(),
        metric=MetricPlan(name="f1", direction="higher"),
        split_sizes={"test": 2000},
    )
    assert "Error of the test set" not in said(made, facts)
    assert "mean test F1" in made.prose(comparison.build(facts))


def test_nothing_is_said_about_causes_or_significance(made):
    text = made.prose(comparison.build(made.facts(split_sizes={"test": 2000}))).lower()
    for word in ("because of", "thanks to", "due to", "caused", "significan", "*", " proves"):
        assert word not in text, word


def test_every_comparison_of_the_facts_is_shown_with_ids_of_its_own(made):
    facts = made.facts()
    doubled = dataclasses.replace(facts, comparisons=facts.comparisons * 2)
    ids = [n.id for n in made.numbers(comparison.build(doubled))]
    assert len(ids) == len(set(ids))
    assert "comparison2.test" in made.tables(comparison.build(doubled))


@pytest.mark.parametrize(("seed", "said"), [(2, "have the same seeds"), (7, "do not have values")])
def test_two_seeds_of_three_in_common_are_not_said_to_be_none(made, seed, said):
    table = flat([50.0, 60.0], [40.0, 50.0])
    table["b", seed] = table.pop(("b", 2))
    text = made.prose(comparison.build(two(made, table)))
    assert said in text
    assert "cannot be paired by seed" not in text


def test_a_spread_that_turns_is_not_said_to_shrink(made):
    spread = [0.9, 3.8, 2.6, 3.4, 0.5]
    table = {("a", s): (c := [60.0 + (s - 1) * d for d in spread], c) for s in range(3)}
    table |= {("b", s): ([50.0] * 5, [50.0] * 5) for s in range(3)}
    sentence = said(made, two(made, table))["Convergence of seeds"]
    assert (
        "is largest at epoch 2 (3.80 points); it is 0.90 at epoch 1 and 0.50 at epoch 5."
        in sentence
    )
    assert "shrinks from" not in sentence
    published = said(made, made.facts())["Convergence of seeds"]
    assert "is largest at epoch 1 (4.25 points); it is 0.58 at epoch 5." in published
    assert "is largest at epoch 2 (3.76 points); it is 0.87 at epoch 1 and 0.46" in published
