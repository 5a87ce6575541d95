"""Other metrics at the steps that the deciding one chose."""

from dataclasses import replace

import pytest

from reportgen.records.facts import Task
from reportgen.records.quantity import Missing
from reportgen.records.run import Result, Runs
from reportgen.records.study import MetricPlan
from reportgen.stats import MAX_OTHERS, summarise_others

ACCURACY = ([50.0, 70.0, 60.0], [51.0, 68.0, 72.0])
LOSS = ([1.0, 0.9, 0.4], [1.1, 0.8, 0.3])


def run(made, group, seed, *, layout="plain", **others):
    """A run whose best step is the second of three, with (validation, test) of other metrics."""
    members = [made.series("validation", ACCURACY[0]), made.series("test", ACCURACY[1])]
    for name, (valid, test) in others.items():
        for split, values in (("validation", valid), ("test", test)):
            if values:
                members.append(made.series(split, values, metric=name, unit=""))
    return made.run(group, seed, *members, layout=layout)


def facts_of(made, *runs, others=("*",)):
    metric = MetricPlan(name="accuracy", direction="higher", others=others)
    return made.facts(runs=Runs(root="", runs=runs), groups=(), metric=metric)


def test_they_are_read_at_the_best_step_of_the_deciding_metric(made):
    facts = facts_of(made, *(run(made, "a", seed, loss=LOSS) for seed in range(3)))
    (loss,) = facts.others.metrics
    assert (loss.name, loss.direction) == ("loss", "lower")
    (group,) = loss.groups
    assert group.report.values == (0.8, 0.8, 0.8)  # neither the lowest nor the last, 0.3
    assert group.select.values == (0.9, 0.9, 0.9)
    assert isinstance(group.last.mean, Missing)
    assert isinstance(group.oracle.mean, Missing)


def test_a_metric_of_one_of_several_tasks_is_shown(made):
    runs = [run(made, "glue/sst2", 1, wer=LOSS), run(made, "glue/mrpc", 1, bleu=LOSS)]
    facts = facts_of(made, *runs)
    of_tasks = [replace(one, task=Task(kind="data", name=one.name)) for one in facts.groups]
    for groups, names in ((facts.groups, []), (of_tasks, ["bleu", "wer"])):
        others = summarise_others(facts.study, tuple(groups), (), names=made.NAMES)
        assert sorted(metric.name for metric in others.metrics) == names


@pytest.mark.parametrize(
    ("others", "names"),
    [
        (("*",), ["loss", "wer"]),
        ((), []),
        (("wer",), ["wer"]),
        (("wer", "*"), ["wer", "loss"]),
        (("l*",), ["loss"]),
        (("bleu",), []),
    ],
)
def test_the_study_says_which(made, others, names):
    facts = facts_of(made, run(made, "a", 0, loss=LOSS, wer=LOSS), others=others)
    assert [metric.name for metric in facts.others.metrics] == names


def test_a_pattern_takes_what_every_run_has_and_a_name_what_any_has(made):
    runs = (run(made, "a", 0, loss=LOSS, wer=LOSS), run(made, "a", 1, loss=LOSS))
    assert [m.name for m in facts_of(made, *runs).others.metrics] == ["loss"]
    (wer,) = facts_of(made, *runs, others=("wer",)).others.metrics
    assert (wer.groups[0].report.n, wer.groups[0].report.values) == (1, (0.8,))


def test_there_is_room_for_six_unasked_and_the_rest_is_named(made):
    names = {f"metric_{letter}": LOSS for letter in "abcdefg"} | {"loss": LOSS}
    facts = facts_of(made, run(made, "a", 0, **names))
    assert facts.others.metrics[0].name == "loss"
    assert len(facts.others.metrics) == MAX_OTHERS
    assert facts.others.left == ("metric_f", "metric_g")


def test_a_split_that_was_not_logged_is_replaced_by_the_one_that_chose(made):
    facts = facts_of(made, *(run(made, "a", seed, loss=(LOSS[0], [])) for seed in range(3)))
    (group,) = facts.others.metrics[0].groups
    assert (group.report_split, group.report.values) == ("validation", (0.9, 0.9, 0.9))


def test_values_of_two_splits_are_two_metrics(made):
    runs = [run(made, "a", 0, loss=LOSS), run(made, "b", 0, loss=(LOSS[0], []))]
    found = facts_of(made, *runs).others.metrics
    assert [(m.name, m.split) for m in found] == [("loss", "test"), ("loss", "validation")]
    values = [[group.report.values for group in metric.groups] for metric in found]
    assert values == [[(0.8,), ()], [(0.9,), (0.9,)]]


def test_a_set_that_was_only_tested_is_reported_on_test(made):
    late = Result(
        tag="test_iid_acc", value=0.7, metric="iid_accuracy", split="test", unit="fraction"
    )
    runs = [
        replace(made.run("a", seed, made.series("validation", ACCURACY[0])), results=(late,))
        for seed in (1, 2)
    ]
    (iid,) = facts_of(made, *runs).others.metrics
    assert (iid.name, iid.groups[0].report_split) == ("iid_accuracy", "test")
    assert iid.groups[0].report.values == (0.7, 0.7)


def test_losses_in_bits_are_not_compared_with_losses_in_nats(made):
    runs = [run(made, "a", s, loss=LOSS, layout="fairseq") for s in range(3)]
    runs += [run(made, "b", s, loss=LOSS, layout="hf_trainer") for s in range(3)]
    facts = facts_of(made, *runs)
    facts = made.facts(runs=facts.runs, groups=(), metric=facts.study.metric, compare=("a", "b"))
    (comparison,) = facts.others.metrics[0].comparisons
    assert comparison.difference.reason == "the two groups are measured in different units"
