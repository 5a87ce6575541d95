"""The statistics on other people's logs, against what their authors or readers found."""

from __future__ import annotations

import statistics

import pytest

from reportgen.read.logs._tree import load_tree
from reportgen.records.quantity import Missing
from reportgen.records.study import MetricPlan, Study
from reportgen.runs._assemble import assemble
from reportgen.stats.groups import summarise_groups


def groups_of(folder, study=None):
    tree = load_tree(folder)
    runs, filled = assemble(tree.logs, tree.files, study or Study(), str(folder))
    return {group.name: group for group in summarise_groups(filled, runs)}


def test_six_fine_tunes(realdata):
    groups = groups_of(realdata / "fairseq-lab")
    pretrained, random = groups["RoBERTa_small_fr"], groups["RoBERTa_small_fr_random"]
    assert [c.best_step.value for c in pretrained.cells] == [1125, 1125, 900]
    assert [c.best_step.value for c in random.cells] == [1125, 1125, 1125]
    assert pretrained.report.values == (0.814, 0.804, 0.801)
    assert random.report.values == (0.739, 0.739, 0.731)
    stds = [pretrained.report.std, pretrained.report.std_other]
    stds += [random.report.std, random.report.std_other]
    assert [round(100 * s.value, 3) for s in stds] == [0.681, 0.556, 0.462, 0.377]
    # Three figures that are not the answer, each under its own name.
    others = (pretrained.last, pretrained.oracle, pretrained.select)
    assert [round(100 * s.mean.value, 2) for s in others] == [80.73, 80.97, 84.67]


@pytest.mark.parametrize(("ties", "step"), [("first", 800), ("last", 1200)])
def test_a_tie_of_three_evaluations(realdata, ties, step):
    folder = realdata / "hf-trainer-agnews-lora"
    groups = groups_of(folder, Study(metric=MetricPlan(name="accuracy", ties=ties)))
    (cell,) = next(g for name, g in groups.items() if name.endswith("run4")).cells
    assert cell.best_step.value == step
    assert cell.tied_steps == (800, 900, 1200)
    assert round(cell.select_value.value, 5) == 0.91358
    assert all(group.report.n == 1 for group in groups.values())


@pytest.mark.parametrize(
    ("folder", "step", "best", "last"),
    [("hf-card-last-not-best", 3000, 0.7432, 0.7449), ("hf-card-control", 15000, 9.6159, 9.6159)],
)
def test_lower_is_better(realdata, folder, step, best, last):
    (group,) = groups_of(realdata / folder, Study(metric=MetricPlan(name="wer"))).values()
    (cell,) = group.cells
    scale = 100 if group.unit == "percent" else 1
    assert cell.best_step.value == step
    assert scale * cell.select_value.value == pytest.approx(best, abs=5e-5)
    assert scale * cell.last_value.value == pytest.approx(last, abs=5e-5)


def test_test_accuracies_of_five_versions(realdata):
    groups = groups_of(realdata / "lightning-versions", Study(repeats="numbers"))
    group = next(g for name, g in groups.items() if "mnist_model_v0" in name)
    values = [0.8573, 0.8667, 0.8478, 0.8686, 0.8651]
    assert group.last.values == pytest.approx(values, abs=5e-5)
    assert group.last.mean.value == pytest.approx(0.86110, abs=5e-6)
    assert group.last.std.value == pytest.approx(statistics.stdev(values), abs=5e-5)


def test_maxima_with_many_ties(realdata):
    folder = realdata / "rl-ten-seeds"
    groups = groups_of(folder, Study(metric=MetricPlan(name="average_return", direction="higher")))
    seeds = {name: g for name, g in groups.items() if len(g.cells) == 5}
    steps = {tuple(c.best_step.value for c in g.cells) for g in seeds.values()}
    assert steps == {(61, 59, 55, 64, 58), (62, 56, 42, 54, 44)}
    for group in seeds.values():
        assert (group.select.mean.value, group.select.std.value) == (1000.0, 0.0)


def test_without_evaluation_there_is_no_best_step(realdata):
    groups = groups_of(realdata / "hf-trainer-no-eval")
    cells = [cell for group in groups.values() for cell in group.cells]
    assert cells
    assert all(isinstance(cell.best_step, Missing) for cell in cells)
