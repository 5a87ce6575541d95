"""Several members in one pass against the same members one by one."""

import pytest
from fakes.classifiers import an_engine, assert_same_bits, models_and_task, orders, train

from reportgen.records.study import TrainPlan
from reportgen.train.engine.engine import Together

SEEDS = [3, 8, 21]
PLAN = TrainPlan(dropout=0.0, weight_decay=0.1, clip_norm=0.5)


def together(plan=PLAN, kind="roberta"):
    models, task = models_and_task(SEEDS, plan, kind=kind)
    return Together(models, SEEDS, task, plan, "cpu")


def steps_of(epochs):
    return [rows for epoch in range(epochs) for rows in orders(SEEDS, 40, 8, epoch)]


@pytest.mark.parametrize(
    ("kind", "task"),
    [
        *((kind, "classification") for kind in ("roberta", "bert", "distilbert", "electra")),
        ("roberta", "regression"),
    ],
)
def test_losses_and_evaluations_are_those_of_one_by_one(kind, task):
    plan = TrainPlan(task=task, dropout=0.0, weight_decay=0.1, clip_norm=0.5)
    one, other = together(plan, kind), an_engine(SEEDS, plan, kind=kind)
    for mine, theirs in zip(train(one, steps_of(2)), train(other, steps_of(2)), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-5)
    for mine, theirs in zip(one.evaluate("test"), other.evaluate("test"), strict=True):
        assert mine["loss"] == pytest.approx(theirs["loss"], abs=1e-5)


@pytest.mark.parametrize("kind", ["qwen3", "deberta-v2"])
def test_a_family_that_cannot_be_mapped_is_refused_and_left_alone(kind):
    models, task = models_and_task(SEEDS, PLAN, kind=kind)
    before = {name: tensor.clone() for name, tensor in models[1].state_dict().items()}
    with pytest.raises(ValueError, match=r"losses in one pass|attention|vmap"):
        Together(models, SEEDS, task, PLAN, "cpu")
    assert_same_bits(before, models[1].state_dict())
