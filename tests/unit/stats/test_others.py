"""Other metrics at the steps that the deciding one chose."""

from dataclasses import replace

from reportgen.records.facts import Task
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan
from reportgen.stats import summarise_others

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


def test_a_metric_of_one_of_several_tasks_is_shown(made):
    runs = [run(made, "glue/sst2", 1, wer=LOSS), run(made, "glue/mrpc", 1, bleu=LOSS)]
    facts = facts_of(made, *runs)
    of_tasks = [replace(one, task=Task(kind="data", name=one.name)) for one in facts.groups]
    for groups, names in ((facts.groups, []), (of_tasks, ["bleu", "wer"])):
        others = summarise_others(facts.study, tuple(groups), (), names=made.NAMES)
        assert sorted(metric.name for metric in others.metrics) == names


def test_values_of_two_splits_are_two_metrics(made):
    runs = [run(made, "a", 0, loss=LOSS), run(made, "b", 0, loss=(LOSS[0], []))]
    found = facts_of(made, *runs).others.metrics
    assert [(m.name, m.split) for m in found] == [("loss", "test"), ("loss", "validation")]
    values = [[group.report.values for group in metric.groups] for metric in found]
    assert values == [[(0.8,), ()], [(0.9,), (0.9,)]]


def test_losses_in_bits_are_not_compared_with_losses_in_nats(made):
    runs = [run(made, "a", s, loss=LOSS, layout="fairseq") for s in range(3)]
    runs += [run(made, "b", s, loss=LOSS, layout="hf_trainer") for s in range(3)]
    facts = facts_of(made, *runs)
    facts = made.facts(runs=facts.runs, groups=(), metric=facts.study.metric, compare=("a", "b"))
    (comparison,) = facts.others.metrics[0].comparisons
    assert comparison.difference.reason == "the two groups are measured in different units"
