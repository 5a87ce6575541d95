"""The stacked optimiser against torch's own, one for each member."""

from __future__ import annotations

import pytest
import torch

from reportgen.records.training import TrainPlan
from reportgen.training._optimizer import StackedAdamW

SHAPES = {"a.weight": (4, 3), "a.bias": (4,), "b.weight": (2, 4)}


def gradients(seed, members):
    generator = torch.Generator().manual_seed(seed)
    return {
        name: torch.randn(members, *shape, generator=generator) for name, shape in SHAPES.items()
    }


def decays(name):
    return not name.endswith("bias")


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("clip", [0.0, 0.5, 1e6])
@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_updates_are_those_of_torch(members, clip, decay):
    plan = TrainPlan(clip_norm=clip, weight_decay=decay)
    start = gradients(99, members)
    weights = {name: w.clone().requires_grad_() for name, w in start.items()}
    ours = StackedAdamW(weights, plan, decays)
    single = [
        {name: w[s].clone().requires_grad_() for name, w in start.items()} for s in range(members)
    ]
    oracles = [
        torch.optim.AdamW(
            [
                {"params": [w], "weight_decay": decay if decays(name) else 0.0}
                for name, w in own.items()
            ],
            betas=(0.9, 0.98),
            eps=1e-6,
            foreach=False,
        )
        for own in single
    ]
    for step in range(12):
        rate, grads = 0.1 / (1 + step), gradients(step, members)
        for name, weight in weights.items():
            weight.grad = grads[name].clone()
        ours.step(rate, [True] * members)
        for s, (own, oracle) in enumerate(zip(single, oracles, strict=True)):
            for name, weight in own.items():
                weight.grad = grads[name][s].clone()
            if clip:
                torch.nn.utils.clip_grad_norm_(own.values(), clip)
            for group in oracle.param_groups:
                group["lr"] = rate
            oracle.step()
    for s, own in enumerate(single):
        for name, weight in own.items():
            torch.testing.assert_close(weights[name][s], weight, rtol=0, atol=2e-6)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_gradient_that_is_not_finite_touches_its_own_member_alone(bad):
    plan = TrainPlan(weight_decay=0.1)
    results = []
    for ill in (False, True):
        weights = {name: w.requires_grad_() for name, w in gradients(99, 3).items()}
        optimizer = StackedAdamW(weights, plan, decays)
        for step in range(4):
            for name, grad in gradients(step, 3).items():
                weights[name].grad = grad
            if ill:
                weights["a.bias"].grad[1, 2] = bad
            optimizer.step(0.01, [True, not (ill and step), True])
        results.append({name: w.detach()[[0, 2]] for name, w in weights.items()})
    for name in SHAPES:
        torch.testing.assert_close(results[0][name], results[1][name], rtol=0, atol=1e-7)


def test_who_has_stopped_stands_still_though_weights_decay():
    weights = {name: w.requires_grad_() for name, w in gradients(99, 2).items()}
    optimizer = StackedAdamW(weights, TrainPlan(weight_decay=0.5), decays)
    for step in range(4):
        before = {name: w.detach().clone() for name, w in weights.items()}
        for name, grad in gradients(step, 2).items():
            weights[name].grad = grad
        optimizer.step(0.01, [True, step < 2])
    for name, weight in weights.items():
        assert torch.equal(weight[1], before[name][1])
        assert not torch.equal(weight[0], before[name][0])
